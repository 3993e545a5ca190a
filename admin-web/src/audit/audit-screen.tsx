import { ROLE_LABELS } from '@shop/shared/account/account.ts'
import { AUDIT_ACTION, type AuditAction } from '@shop/shared/audit/action.ts'
import { type AuditEntry, listAudit } from '@shop/shared/audit/endpoints.ts'
import { AUDIT_SUBJECTS, nameOfSubject, undoOf } from '@shop/shared/audit/subject.ts'
import type { Role } from '@shop/shared/permissions.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { DatePicker, Table, type TableColumnsType } from 'antd'
import dayjs from 'dayjs'
import { Link } from 'react-router-dom'
import { useClient } from '../account/session.tsx'
import { useSteadyQuery } from '../account/use-steady-query.ts'
import { ChoiceFilter } from '../ui/choice-filter.tsx'
import { FilterBar } from '../ui/filter-bar.tsx'
import { ListSection } from '../ui/list-section.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { pagerOf } from '../ui/pager.ts'
import { SearchInput } from '../ui/search-input.tsx'
import { dayField, textField, useUrlFilters } from '../ui/url-filters.ts'
import { ChangeList } from './change-list.tsx'
import { listChanges } from './changes.ts'
import { type Names, toldSubject } from './told.ts'
import { UndoButton } from './undo-button.tsx'
import './audit.css'

const actionOptions = Object.entries(AUDIT_ACTION).map(([value, label]) => ({ value, label }))

const subjectOptions = AUDIT_SUBJECTS.map(({ noun, name }) => ({ value: `${noun}:`, label: name }))

const fields = { actor: textField, action: textField, subject: textField, from: dayField, to: dayField }

export function AuditScreen() {
  const client = useClient()
  const { filters, isFiltered, change, reset } = useUrlFilters(fields)
  const { actor, action, subject, from, to, page, pageSize } = filters
  const query = { actor, action, subject, from: from ?? undefined, to: to ?? undefined, page, pageSize }
  const list = useSteadyQuery(client.query(listAudit, { query }))
  return (
    <>
      <PageHead title="บันทึกการแก้ไข" />
      <FilterBar label="ตัวกรองบันทึกการแก้ไข" isFiltered={isFiltered} onReset={reset}>
        <DatePicker.RangePicker
          aria-label="ช่วงวันที่"
          format="DD/MM/YYYY"
          placeholder={['ตั้งแต่วันที่', 'ถึงวันที่']}
          value={[from ? dayjs(from) : null, to ? dayjs(to) : null]}
          onChange={days =>
            change({ from: days?.[0]?.format('YYYY-MM-DD') ?? null, to: days?.[1]?.format('YYYY-MM-DD') ?? null })
          }
          style={{ width: 240 }}
        />
        <SearchInput label="ผู้แก้ไข" value={actor} width={170} onSearch={text => change({ actor: text })} />
        <ChoiceFilter
          label="การกระทำ"
          all="ทุกการกระทำ"
          options={actionOptions}
          chosen={action}
          width={200}
          onChange={chosen => change({ action: chosen })}
        />
        <ChoiceFilter
          label="สิ่งที่แก้"
          all="ทุกสิ่งที่แก้"
          options={subjectOptions}
          chosen={subject}
          width={160}
          onChange={chosen => change({ subject: chosen })}
        />
      </FilterBar>
      <ListSection label="บันทึกการแก้ไข" query={list}>
        <Table
          rowKey="id"
          dataSource={list.data?.rows}
          columns={columnsOf(list.data?.names ?? NO_NAMES)}
          loading={list.isPending || list.isPlaceholderData}
          scroll={{ x: 1150 }}
          sticky
          locale={{ emptyText: list.isPending ? ' ' : 'ไม่มีการแก้ไขในตัวกรองนี้' }}
          pagination={pagerOf(filters, list.data?.total ?? 0, change)}
        />
      </ListSection>
    </>
  )
}

const NO_NAMES: Names = {}

const columnsOf = (names: Names): TableColumnsType<AuditEntry> => [
  { title: 'เวลา', width: 160, className: 'number', render: (_, { at }) => formatDateTimeSeconds(at) },
  {
    title: 'ผู้แก้ไข',
    width: 150,
    render: (_, { actorName, actorUid, actorRole }) => (
      <>
        {actorName ?? actorUid}
        <div className="note muted">{ROLE_LABELS[actorRole as Role] ?? actorRole}</div>
      </>
    ),
  },
  { title: 'การกระทำ', width: 180, render: (_, { action }) => AUDIT_ACTION[action as AuditAction] ?? action },
  { title: 'สิ่งที่แก้', width: 200, render: (_, entry) => <Subject entry={entry} /> },
  { title: 'เดิม → ใหม่', render: (_, entry) => <Changes entry={entry} names={names} /> },
  {
    title: <span className="sr-only">จัดการ</span>,
    width: 112,
    render: (_, entry) => 'allow' in undoOf(entry.subject) && <UndoButton entry={entry} names={names} />,
  },
]

const SUBJECT_PAGES: Record<string, string> = {
  account: '/user/',
  game: '/management/package/',
  order: '/management/details/',
}

/** Shows what was changed, with a link if it has a page. */
function Subject({ entry }: { entry: AuditEntry }) {
  const { subject } = entry
  const colon = subject.indexOf(':')
  const page = SUBJECT_PAGES[subject.slice(0, colon)]
  const name = toldSubject(entry)
  return (
    <>
      <div className="note muted">{nameOfSubject(subject)}</div>
      {page && name ? (
        <Link className="breakable" to={page + encodeURIComponent(subject.slice(colon + 1))}>
          {name}
        </Link>
      ) : (
        <span className="breakable">{name}</span>
      )}
    </>
  )
}

/** Of a change with very many fields only the first are shown. */
const MOST_CHANGES = 12

function Changes({ entry, names }: { entry: AuditEntry; names: Names }) {
  const changes = listChanges(entry.before, entry.after, names)
  // Passwords, PINs and codes are never stored, so a new one has nothing to show.
  if (changes.length === 0) return <span className="muted">ไม่มีค่าเดิมให้เทียบ</span>
  return <ChangeList changes={changes} most={MOST_CHANGES} />
}
