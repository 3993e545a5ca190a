import type { listRegions } from '@shop/shared/catalogue/endpoints.ts'
import { saveGameTags } from '@shop/shared/catalogue/manage-endpoints.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Input } from 'antd'
import { Plus, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { useClient } from '../account/session.tsx'
import { useUndoable } from '../audit/use-undoable.tsx'
import { Conflict } from '../ui/conflict.tsx'
import { FailureNote } from '../ui/failure-note.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import { SortableList } from '../ui/sortable-list.tsx'
import { useFaultFocus } from '../ui/use-fault-focus.ts'
import { currentOf, firstOf } from '../ui/use-save.ts'
import { SaveButtons } from './save-buttons.tsx'
import {
  type DraftTag,
  draftsOf,
  isSameList,
  problemsOf,
  type Tag,
  type TagKind,
  type TagProblem,
  tagsOf,
} from './tag-drafts.ts'

interface TagListProps {
  kind: TagKind
  title: string
  endpoint: typeof listRegions
  draft: DraftTag[] | null
  onDraft: (draft: DraftTag[] | null) => void
}

/** A list of codes and names, which is edited in place and saved as a whole. */
export function TagList({ kind, title, endpoint, draft, onDraft }: TagListProps) {
  const client = useClient()
  const query = client.query(endpoint)
  const list = useQuery(query)
  const [isChecked, setIsChecked] = useState(false)
  const save = useSaveTags(kind, query.queryKey, () => onDraft(null))
  const { place, leadToFault } = useFaultFocus<HTMLElement>()
  const saved = list.data ?? []
  // The list as it was when the edit began; comparing with a newer one would hide that somebody else changed it.
  const [begun, setBegun] = useState(saved)
  const seen = draft ? begun : saved
  const theirs = currentOf<Tag[]>(save.error)
  const rows = draft ?? draftsOf(saved)
  const problems = problemsOf(rows)
  const change = (next: DraftTag[]) => {
    save.reset()
    setBegun(seen)
    onDraft(isSameList(next, seen) ? null : next)
  }
  const submit = (from: Tag[]) => {
    const isRight = problems.every(({ code, name }) => !code && !name)
    setIsChecked(!isRight)
    setBegun(from)
    if (isRight) save.mutate({ rows, seen: from })
    else leadToFault()
  }
  const takeTheirs = () => {
    drop()
    list.refetch()
  }
  const drop = () => {
    setIsChecked(false)
    save.reset()
    onDraft(null)
  }
  return (
    <section ref={place} className="card" aria-label={title}>
      <header>
        <h2 className="grow">{title}</h2>
        {draft && !theirs && (
          <SaveButtons what={title} isSaving={save.isPending} onSave={() => submit(seen)} onDrop={drop} />
        )}
        <Button
          icon={<Plus size={16} aria-hidden />}
          disabled={!list.data || save.isPending}
          onClick={() => change([...rows, newTag()])}
        >
          เพิ่ม{title}
        </Button>
      </header>
      {save.error && (
        <div className="card-part">
          {theirs ? (
            <Conflict
              by={firstOf(save.error)}
              differences={[{ label: title, theirs: namesOf(theirs), mine: namesOf(rows) }]}
              isSaving={save.isPending}
              onTakeTheirs={takeTheirs}
              onKeepMine={() => submit(theirs)}
            />
          ) : (
            <FailureNote title="บันทึกข้อมูลไม่สำเร็จ!" text={messageOf(save.error)} />
          )}
        </div>
      )}
      <Loaded query={list}>
        {() => (
          <TagRows
            title={title}
            rows={rows}
            problems={isChecked ? problems : null}
            isDisabled={save.isPending}
            onChange={change}
          />
        )}
      </Loaded>
    </section>
  )
}

const namesOf = (tags: readonly Tag[]) => tags.map(({ code, name }) => `${name} (${code})`).join(', ')

const newTag = (): DraftTag => ({ id: crypto.randomUUID(), code: '', name: '', isNew: true })

function useSaveTags(kind: TagKind, queryKey: readonly unknown[], onSaved: () => void) {
  const { save, tellSaved } = useUndoable()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ rows, seen }: { rows: DraftTag[]; seen: Tag[] }) =>
      save(saveGameTags, { body: { kind, tags: tagsOf(rows), seen } }),
    onSuccess: tags => {
      queries.setQueryData(queryKey, tags)
      onSaved()
      tellSaved('บันทึกข้อมูลสำเร็จ!')
    },
  })
}

function TagRows(props: {
  title: string
  rows: DraftTag[]
  /** null while the rows have not been checked. */
  problems: TagProblem[] | null
  isDisabled: boolean
  onChange: (rows: DraftTag[]) => void
}) {
  const { title, rows, problems, isDisabled, onChange } = props
  const edit = (id: string, part: Partial<DraftTag>) =>
    onChange(rows.map(row => (row.id === id ? { ...row, ...part } : row)))
  if (rows.length === 0) return <NothingFound text={`ยังไม่มี${title}`} />
  return (
    <SortableList
      name={title}
      items={rows.map(row => ({ ...row, label: row.name || row.code || `${title}ใหม่` }))}
      isDisabled={isDisabled}
      onChange={items => onChange(items.map(({ label: _, ...row }) => row))}
    >
      {row => (
        <>
          <TagFields
            row={row}
            label={row.label}
            problem={problems?.[rows.findIndex(({ id }) => id === row.id)]}
            isDisabled={isDisabled}
            onEdit={part => edit(row.id, part)}
          />
          <Button
            type="text"
            icon={<Trash2 size={16} aria-hidden />}
            aria-label={`ลบ ${row.label}`}
            disabled={isDisabled}
            onClick={() => onChange(rows.filter(({ id }) => id !== row.id))}
          />
        </>
      )}
    </SortableList>
  )
}

function TagFields(props: {
  row: DraftTag
  label: string
  problem: TagProblem | undefined
  isDisabled: boolean
  onEdit: (part: Partial<DraftTag>) => void
}) {
  const { row, label, problem, isDisabled, onEdit } = props
  const id = useId()
  const field = (name: 'code' | 'name') => ({
    value: row[name],
    status: problem?.[name] ? ('error' as const) : undefined,
    'aria-invalid': Boolean(problem?.[name]),
    'aria-describedby': `${id}-${name}`,
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => onEdit({ [name]: event.target.value }),
  })
  return (
    <div className="tag-fields">
      {row.isNew ? (
        <Input
          {...field('code')}
          aria-label={`รหัสของ ${label}`}
          placeholder="รหัส"
          autoFocus
          maxLength={20}
          disabled={isDisabled}
        />
      ) : (
        <span className="tag-code muted">{row.code}</span>
      )}
      <Input {...field('name')} aria-label={`ชื่อของ ${label}`} placeholder="ชื่อ" maxLength={50} disabled={isDisabled} />
      {problem && (problem.code || problem.name) && (
        <>
          <span className="field-error" id={`${id}-code`} role="alert">
            {problem.code}
          </span>
          <span className="field-error" id={`${id}-name`} role="alert">
            {problem.name}
          </span>
        </>
      )}
    </div>
  )
}
