import type { Reply } from '@shop/shared/endpoint.ts'
import { formatBaht } from '@shop/shared/money.ts'
import type { listStatementLines, StatementLineView } from '@shop/shared/statement/endpoints.ts'
import { LINE_STATE } from '@shop/shared/statement/statement.ts'
import { startOfBangkokDay } from '@shop/shared/time.ts'
import { Table, type TableColumnsType } from 'antd'
import type { KeyboardEvent, ReactNode } from 'react'
import { Age } from '../account/age.tsx'
import { TargetLink } from '../account/staff-link.tsx'
import { pagerOf } from '../ui/pager.ts'
import { RowLink } from '../ui/row-link.tsx'
import { SteadyList } from '../ui/steady-list.tsx'
import { TwoLines } from '../ui/two-lines.tsx'
import { useAddressWith } from '../ui/url-filters.ts'
import type { SteadyRow } from '../ui/use-steady-rows.ts'
import { nameOfAccount, useStatementAccounts } from './account-select.tsx'
import { payerOf, shortTimeOf, timeOf } from './line-texts.ts'
import type { StatementFilters } from './statement-filters.ts'

type ShownLine = SteadyRow<StatementLineView>

const keyOf = (line: StatementLineView) => line.id
const NO_LINES: StatementLineView[] = []

function LineLink({ id, onOpen, children }: { id: string; onOpen: (id: string) => void; children: ReactNode }) {
  const addressWith = useAddressWith()
  return (
    <RowLink to={addressWith({ line: id })} data-line={id} className="line-link strong" onOpen={() => onOpen(id)}>
      {children}
    </RowLink>
  )
}

/** The state of a line and what it paid; for an open one the number of candidates, and what speaks for them. */
function LineTag({ line }: { line: StatementLineView }) {
  const { state, target, candidates, fitting, goesBack, disputedAt } = line
  const { label, tone, isOpen } = LINE_STATE[state]
  if (disputedAt) return <span className="tag is-bad">เพิกถอนไม่ได้</span>
  if (!isOpen)
    return (
      <>
        <span className={`tag is-${tone}`}>{label}</span>
        {target && (
          <div className="note">
            <TargetLink className="number" target={target} />
          </div>
        )}
      </>
    )
  if (!candidates) return <span className="tag">ไม่พบ</span>
  return (
    <>
      <span className="tag is-accent">{candidates} รายการ</span>
      {fitting ? <div className="note is-ok">ตรงพอดี {fitting}</div> : null}
      {goesBack && <div className="note is-warn">ควรคืนเงิน</div>}
    </>
  )
}

function Payer({
  row,
  onOpen,
  children,
}: {
  row: StatementLineView
  onOpen: (id: string) => void
  children: ReactNode
}) {
  return (
    <>
      <LineLink id={row.id} onOpen={onOpen}>
        {payerOf(row).title}
        <span className="sr-only"> ฿{formatBaht(row.amountSatang)}</span>
      </LineLink>
      <div className="note muted breakable">{children}</div>
    </>
  )
}

const Gap = ({ row }: { row: StatementLineView }) =>
  row.chain === 'gap' && <span className="tag is-warn">ยอดไม่ต่อกัน</span>

function AccountName({ id }: { id: number }) {
  const account = useStatementAccounts().data?.find(each => each.id === id)
  return account ? nameOfAccount(account) : null
}

/** How long a line has waited for a decision, by the server's clock; nothing for the others. */
function WaitingAge({ row, now }: { row: StatementLineView; now: string }) {
  if (!LINE_STATE[row.state].isOpen) return null
  return <Age kind="lines" since={row.at ?? startOfBangkokDay(row.day).toISOString()} now={now} prefix="รอ " />
}

const wideColumns = (onOpen: (id: string) => void, now: string): TableColumnsType<ShownLine> => [
  {
    title: 'เวลา / เลขที่',
    width: 204,
    render: (_, { row }) => (
      <TwoLines
        note={
          <>
            <span className="number">เลขที่ {row.no}</span> <WaitingAge row={row} now={now} />
          </>
        }
      >
        <span className="number small">{timeOf(row)}</span>
      </TwoLines>
    ),
  },
  { title: 'บัญชี', width: 152, render: (_, { row }) => <AccountName id={row.receivingAccountId} /> },
  {
    title: 'รายละเอียด',
    render: (_, { row }) => (
      <Payer row={row} onOpen={onOpen}>
        {payerOf(row).about} <Gap row={row} />
      </Payer>
    ),
  },
  {
    title: 'เงินเข้า (บาท)',
    align: 'right',
    width: 124,
    render: (_, { row }) => <span className="number strong">{formatBaht(row.amountSatang)}</span>,
  },
  { title: 'คู่ที่เป็นไปได้', width: 148, render: (_, { row }) => <LineTag line={row} /> },
]

/** The columns beside an open line: two lines a row, so that amounts and candidates stay in sight. */
const narrowColumns = (onOpen: (id: string) => void, now: string): TableColumnsType<ShownLine> => [
  {
    title: 'รายการ',
    render: (_, { row }) => (
      <Payer row={row} onOpen={onOpen}>
        <span className="number">{shortTimeOf(row)}</span> · <AccountName id={row.receivingAccountId} />{' '}
        <Gap row={row} />
      </Payer>
    ),
  },
  {
    title: 'เงินเข้า (บาท)',
    align: 'right',
    width: 136,
    render: (_, { row }) => (
      <TwoLines note={<WaitingAge row={row} now={now} />}>
        <span className="number strong">{formatBaht(row.amountSatang)}</span>
      </TwoLines>
    ),
  },
  { title: 'คู่', width: 104, render: (_, { row }) => <LineTag line={row} /> },
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
          columns={(openId ? narrowColumns : wideColumns)(onOpen, data?.nowDate ?? '')}
          loading={isLoading}
          scroll={{ x: openId ? 380 : 820 }}
          sticky
          rowClassName={({ row, isGone }) => `${row.id === openId ? 'is-selected' : ''} ${isGone ? 'is-gone' : ''}`}
          locale={{ emptyText: isLoading ? ' ' : empty }}
          pagination={pagerOf(filters, data?.total ?? 0, onFilter)}
        />
      )}
    </SteadyList>
  )
}
