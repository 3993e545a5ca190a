import { listLanguages, listPlatforms, listRegions } from '@shop/shared/catalogue/endpoints.ts'
import { keysOf } from '@shop/shared/table.ts'
import { useState } from 'react'
import { LeaveGuard } from '../ui/leave-guard.tsx'
import type { DraftTag, TagKind } from './tag-drafts.ts'
import { TagList } from './tag-list.tsx'

/** The lists of tags that customers filter games by. */
const TAG_LIST = {
  region: { title: 'ภูมิภาค', endpoint: listRegions },
  language: { title: 'ภาษา', endpoint: listLanguages },
  platform: { title: 'แพลตฟอร์ม', endpoint: listPlatforms },
} satisfies Record<TagKind, object>
const KINDS = keysOf(TAG_LIST)

type Drafts = Partial<Record<TagKind, DraftTag[] | null>>

/** The three lists of tags; each is saved as a whole. */
export function TagSection() {
  const [drafts, setDrafts] = useState<Drafts>({})
  const unsaved = KINDS.filter(kind => drafts[kind])
  return (
    <>
      {unsaved.length > 0 && (
        <LeaveGuard
          isActive
          isWholeAddress
          question={`ยังไม่บันทึก: ${unsaved.map(kind => TAG_LIST[kind].title).join(', ')}`}
        />
      )}
      {KINDS.map(kind => (
        <TagList
          key={kind}
          kind={kind}
          {...TAG_LIST[kind]}
          draft={drafts[kind] ?? null}
          onDraft={draft => setDrafts(others => ({ ...others, [kind]: draft }))}
        />
      ))}
    </>
  )
}
