import { ROLE_LABELS } from '@shop/shared/account/account.ts'
import { AUDIT_ACTION } from '@shop/shared/audit/action.ts'
import { listChanges } from '@shop/shared/audit/changes.ts'
import { type AuditEntry, exportAudit, listAudit } from '@shop/shared/audit/endpoints.ts'
import { sentenceOf, textOf } from '@shop/shared/audit/sentence.ts'
import { AUDIT_SUBJECTS, undoOf } from '@shop/shared/audit/subject.ts'
import type { Names } from '@shop/shared/audit/told.ts'
import { lookUp } from '@shop/shared/table.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { Button, Table, type TableColumnsType } from 'antd'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import { useSteadyQuery } from '../account/use-steady-query.ts'
import { ChoiceFilter } from '../ui/choice-filter.tsx'
import { DownloadButton } from '../ui/download-button.tsx'
import { FilterBar } from '../ui/filter-bar.tsx'
import { ListSection } from '../ui/list-section.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { pagerOf } from '../ui/pager.ts'
import { SearchInput } from '../ui/search-input.tsx'
import { dayField, textField, textUpTo, useUrlFilters } from '../ui/url-filters.ts'
import { ChangeList } from './change-list.tsx'
import { DaysFilter } from './days-filter.tsx'
import { pageOfSubject, SubjectName } from './subject-page.tsx'
import { UndoButton } from './undo-button.tsx'
import './audit.css'

const actionOptions = Object.entries(AUDIT_ACTION).map(([value, label]) => ({ value, label }))

const subjectOptions = AUDIT_SUBJECTS.map(({ noun, name }) => ({ value: `${noun}:`, label: name }))

const fields = { actor: textField, action: textField, subject: textUpTo(200), from: dayField, to: dayField }

export function AuditScreen() {
  const client = useClient()
  const { filters, isFiltered, change, reset } = useUrlFilters(fields)
  const { actor, action, subject, from, to, page, pageSize } = filters
  const query = { actor, action, subject, from: from ?? undefined, to: to ?? undefined }
  const list = useSteadyQuery(client.query(listAudit, { query: { ...query, page, pageSize } }))
  const [opened, setOpened] = useState<readonly string[]>([])
  const turn = (id: string) => setOpened(opened.includes(id) ? opened.filter(each => each !== id) : [...opened, id])
  const names = list.data?.names ?? NO_NAMES
  return (
    <>
      <PageHead title="บันทึกการแก้ไข">
        <DownloadButton open={signal => client.open(exportAudit, { query }, signal)} />
      </PageHead>
      <FilterBar label="ตัวกรองบันทึกการแก้ไข" isFiltered={isFiltered} onReset={reset}>
        <DaysFilter from={from} to={to} onChange={change} />
        <SearchInput label="ผู้แก้ไข" value={actor} width={150} onSearch={text => change({ actor: text })} />
        <ChoiceFilter
          label="การกระทำ"
          all="ทุกการกระทำ"
          options={actionOptions}
          chosen={action}
          width={150}
          onChange={chosen => change({ action: chosen })}
        />
        <ChoiceFilter
          label="สิ่งที่แก้"
          all="ทุกสิ่งที่แก้"
          options={subjectOptions}
          chosen={subject}
          width={140}
          onChange={chosen => change({ subject: chosen })}
        />
      </FilterBar>
      <ListSection label="บันทึกการแก้ไข" query={list}>
        <Table
          rowKey="id"
          dataSource={list.data?.rows}
          columns={columnsOf(names, opened, turn)}
          loading={list.isPending || list.isPlaceholderData}
          scroll={{ x: 760 }}
          sticky
          expandable={{
            expandedRowKeys: opened,
            showExpandColumn: false,
            expandedRowRender: entry => <Details entry={entry} names={names} />,
          }}
          locale={{
            emptyText: list.isPending ? ' ' : <NothingFound text="ไม่มีการแก้ไขในตัวกรองนี้" />,
          }}
          pagination={pagerOf(filters, list.data?.total ?? 0, change)}
        />
      </ListSection>
    </>
  )
}

const NO_NAMES: Names = {}

const columnsOf = (
  names: Names,
  opened: readonly string[],
  onTurn: (id: string) => void,
): TableColumnsType<AuditEntry> => [
  {
    title: <span className="sr-only">รายละเอียด</span>,
    width: 48,
    render: (_, entry) => {
      const isOpen = opened.includes(entry.id)
      const Icon = isOpen ? ChevronDown : ChevronRight
      return (
        <Button
          type="text"
          size="small"
          className="row-opener"
          aria-expanded={isOpen}
          aria-label={`รายละเอียด ${textOf(sentenceOf(entry, names))}`}
          icon={<Icon size={16} aria-hidden />}
          onClick={() => onTurn(entry.id)}
        />
      )
    },
  },
  { title: 'เวลา', width: 160, className: 'number', render: (_, { at }) => formatDateTimeSeconds(at) },
  { title: 'ใครทำอะไร', render: (_, entry) => <Sentence entry={entry} names={names} /> },
  {
    title: <span className="sr-only">จัดการ</span>,
    width: 112,
    render: (_, entry) => 'allow' in undoOf(entry.subject) && <UndoButton entry={entry} names={names} />,
  },
]

/** Says in one line who did what; what it names leads to its page. */
function Sentence({ entry, names }: { entry: AuditEntry; names: Names }) {
  return (
    <span className="breakable sentence">
      <b className="strong">{entry.actorName ?? entry.actorUid}</b>{' '}
      {sentenceOf(entry, names).map(piece =>
        typeof piece === 'string' ? (
          piece
        ) : (
          <SubjectName key={piece.subject + piece.name} to={pageOfSubject(piece.subject, piece.name)}>
            {piece.name}
          </SubjectName>
        ),
      )}
    </span>
  )
}

/** Of a change with very many fields only the first are shown. */
const MOST_CHANGES = 12

/** Shows what exactly was changed, and in which role. */
function Details({ entry, names }: { entry: AuditEntry; names: Names }) {
  const changes = listChanges(entry.before, entry.after, names)
  return (
    <div className="entry-details">
      <p className="note muted">
        {lookUp(AUDIT_ACTION, entry.action) ?? entry.action} · ในบทบาท{' '}
        {lookUp(ROLE_LABELS, entry.actorRole) ?? entry.actorRole}
      </p>
      {changes.length === 0 ? (
        // Passwords, PINs and codes are never stored, so a new one has nothing to show.
        <span className="muted">ไม่มีค่าเดิมให้เทียบ</span>
      ) : (
        <ChangeList changes={changes} most={MOST_CHANGES} />
      )}
    </div>
  )
}
