import type { saveGameTags } from '@shop/shared/catalogue/manage-endpoints.ts'
import type { EndpointInput } from '@shop/shared/endpoint.ts'

export type TagKind = EndpointInput<typeof saveGameTags>['body']['kind']

export interface Tag {
  code: string
  name: string
}

/** A row of a list that is being edited; its `id` stays the same while its code is typed. */
export interface DraftTag extends Tag {
  id: string
  /** Whether it is not saved yet; a saved tag keeps its code, because games refer to it. */
  isNew: boolean
}

export const draftsOf = (tags: readonly Tag[]): DraftTag[] =>
  tags.map(({ code, name }) => ({ id: code, code, name, isNew: false }))

export const tagsOf = (drafts: readonly DraftTag[]): Tag[] =>
  drafts.map(({ code, name }) => ({ code: code.trim(), name: name.trim() }))

/** Whether an edited list equals the saved one. */
export const isSameList = (drafts: readonly DraftTag[], tags: readonly Tag[]): boolean =>
  JSON.stringify(drafts) === JSON.stringify(draftsOf(tags))

export interface TagProblem {
  code: string | null
  name: string | null
}

/** What is wrong with each row, in the order of the rows. */
export function problemsOf(drafts: readonly DraftTag[]): TagProblem[] {
  const codes = tagsOf(drafts).map(({ code }) => code)
  return tagsOf(drafts).map(({ code, name }) => ({
    code: !/^[a-z0-9-]{1,20}$/.test(code)
      ? 'รหัสเป็น a-z 0-9 หรือ - ไม่เกิน 20 ตัว'
      : codes.filter(each => each === code).length > 1
        ? `รหัส ${code} ซ้ำ`
        : null,
    name: name ? null : 'กรุณากรอกชื่อ',
  }))
}
