import type { Reply } from '@shop/shared/endpoint.ts'
import { formatBaht } from '@shop/shared/money.ts'
import type { listStatementLines, StatementLineView } from '@shop/shared/statement/endpoints.ts'
import { LINE_STATE } from '@shop/shared/statement/statement.ts'
import { Table, type TableColumnsType } from 'antd'
import type { KeyboardEvent, ReactNode } from 'react'
import { OpenLink } from '../ui/open-link.tsx'
import { pagerOf } from '../ui/pager.ts'
import { SteadyList } from '../ui/steady-list.tsx'
import { useAddressWith } from '../ui/url-filters.ts'
import type { SteadyRow } from '../ui/use-steady-rows.ts'
import { payerOf, shortTimeOf, sourceName } from './line-texts.ts'
import type { StatementFilters } from './statement-filters.ts'

type ShownLine = SteadyRow<StatementLineView>

const keyOf = (line: StatementLineView) => line.id
const NO_LINES: StatementLineView[] = []

function LineLink({ id, onOpen, children }: { id: string; onOpen: (id: string) => void; children: ReactNode }) {
  const addressWith = useAddressWith()
  return (
    <OpenLink to={addressWith({ line: id })} data-line={id} className="line-link strong" onOpen={() => onOpen(id)}>
      {children}
    </OpenLink>
  )
}

/** The state of a line; for an open one the number of candidates, and how many of them fit exactly. */
function LineTag({ line: { state, candidates, fitting, disputedAt } }: { line: StatementLineView }) {
  const { label, tone, isOpen } = LINE_STATE[state]
  if (disputedAt) return <span className="tag is-bad">เพิกถอนไม่ได้</span>
  if (!isOpen) return <span className={`tag is-${tone}`}>{label}</span>
  if (!candidates) return <span className="tag">ไม่พบ</span>
  return (
    <>
      <span className="tag is-accent">{candidates} รายการ</span>
      {fitting ? <div className="note is-ok">ตรงพอดี {fitting}</div> : null}
    </>
  )
}

const columnsOf = (onOpen: (id: string) => void): TableColumnsType<ShownLine> => [
  { title: 'เวลา', width: 124, render: (_, { row }) => <span className="number small">{shortTimeOf(row)}</span> },
  {
    title: 'รายละเอียด',
    render: (_, { row }) => {
      const { title, about } = payerOf(row)
      return (
        <>
          <LineLink id={row.id} onOpen={onOpen}>
            {title}
            <span className="sr-only"> ฿{formatBaht(row.amountSatang)}</span>
          </LineLink>
          {about && <div className="note muted breakable">{about}</div>}
          <div className="note muted breakable">
            {sourceName(row.source)} {row.chain === 'gap' && <span className="tag is-warn">ยอดไม่ต่อกัน</span>}
          </div>
        </>
      )
    },
  },
  {
    title: 'เงินเข้า (บาท)',
    align: 'right',
    width: 120,
    render: (_, { row }) => <span className="number strong">{formatBaht(row.amountSatang)}</span>,
  },
  { title: 'คู่ที่เป็นไปได้', width: 122, render: (_, { row }) => <LineTag line={row} /> },
]

/** Moves the focus to the line below or above for an arrow key; false when there is none. */
export function moveFocus({ key, target }: KeyboardEvent, lines: readonly StatementLineView[]): boolean {
  const focused = (target as Element).closest<HTMLElement>('tr[data-row-key]')?.dataset.rowKey
  const at = lines.findIndex(({ id }) => id === focused)
  const next = at < 0 ? undefined : lines[at + (key === 'ArrowDown' ? 1 : -1)]
  return next !== undefined && focusLine(next.id)
}

export function focusLine(id: string): boolean {
  const link = document.querySelector<HTMLElement>(`a[data-line="${id}"]`)
  link?.focus()
  return link !== null
}

export function LineTable(props: {
  data: Reply<typeof listStatementLines> | undefined
  isLoading: boolean
  /** Changes when another list is asked for; see SteadyList. */
  scope: string
  filters: StatementFilters
  onFilter: (some: Partial<StatementFilters>) => void
  openId: string | null
  onOpen: (id: string) => void
  /** Stands in place of the rows when there are none. */
  empty: ReactNode
}) {
  const { data, isLoading, scope, filters, onFilter, openId, onOpen, empty } = props
  return (
    <SteadyList latest={data?.rows ?? NO_LINES} keyOf={keyOf} scope={scope}>
      {rows => (
        <Table<ShownLine>
          rowKey={({ row }) => row.id}
          dataSource={rows}
          columns={columnsOf(onOpen)}
          loading={isLoading}
          scroll={{ x: 580 }}
          sticky
          rowClassName={({ row, isGone }) => `${row.id === openId ? 'is-selected' : ''} ${isGone ? 'is-gone' : ''}`}
          onRow={({ row }) => ({
            onClick: event => {
              if (!(event.target as Element).closest('a, button')) onOpen(row.id)
            },
          })}
          locale={{ emptyText: isLoading ? ' ' : empty }}
          pagination={pagerOf(filters, data?.total ?? 0, onFilter)}
        />
      )}
    </SteadyList>
  )
}
