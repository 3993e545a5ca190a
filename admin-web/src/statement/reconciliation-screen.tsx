import { formatBaht } from '@shop/shared/money.ts'
import { STAFF_PAGE } from '@shop/shared/staff-pages.ts'
import {
  getReconciliation,
  listBookedWithoutLine,
  type ReconciliationDay,
} from '@shop/shared/statement/refund-endpoints.ts'
import { formatDay } from '@shop/web/dates.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Button, Table, type TableColumnsType } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { useClient } from '../account/session.tsx'
import { StaffLink, TargetLink } from '../account/staff-link.tsx'
import { FilterBar } from '../ui/filter-bar.tsx'
import { ListSection } from '../ui/list-section.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { useAddressWith, useUrlChoice, useUrlFilters } from '../ui/url-filters.ts'
import { AccountSelect, accountField, nameOfAccount, useStatementAccounts } from './account-select.tsx'
import { monthFields, PeriodFilter } from './period-filter.tsx'
import { placeOfLines } from './statement-filters.ts'
import { WithoutLineDrawer } from './without-line-drawer.tsx'
import './statement.css'

const fields = { account: accountField, ...monthFields }
/** Stands in the address in place of an account and day: the list of everything that is overdue. */
const OVERDUE = 'overdue'

/** Compares the bank with the books, per account and day. */
export function ReconciliationScreen() {
  const client = useClient()
  const { filters, isFiltered, change, reset } = useUrlFilters(fields)
  const [opened, open] = useUrlChoice('withoutLine')
  const { account, from, to } = filters
  const days = useQuery({
    ...client.query(getReconciliation, {
      query: { receivingAccountId: account ?? undefined, from: from ?? '', to: to ?? '' },
    }),
    enabled: from !== null && to !== null,
    placeholderData: keepPreviousData,
  })
  const isLoading = days.isPending || days.isPlaceholderData
  return (
    <>
      <PageHead title="กระทบยอดบัญชี" />
      <FilterBar label="ตัวกรองการกระทบยอด" isFiltered={isFiltered} onReset={reset}>
        <AccountSelect
          label="บัญชีธนาคาร"
          placeholder="ทุกบัญชี"
          allowClear
          value={account}
          onChange={next => change({ account: next })}
        />
        <PeriodFilter from={from} to={to} onChange={change} />
      </FilterBar>
      <Overdue account={account} onOpen={() => open(OVERDUE)} />
      <ListSection label="ยอดรายวัน" query={days}>
        {!from || !to ? (
          <NothingFound text="กรุณาเลือกช่วงวันที่" />
        ) : (
          <Table<ReconciliationDay>
            rowKey={({ receivingAccountId, day }) => `${receivingAccountId} ${day}`}
            dataSource={days.data?.days}
            columns={columns}
            loading={isLoading}
            scroll={{ x: 1140 }}
            sticky
            locale={{ emptyText: isLoading ? ' ' : <NothingFound text="ไม่มีเงินเข้าออกในช่วงนี้" /> }}
            pagination={{ defaultPageSize: 50, hideOnSinglePage: true, showSizeChanger: false }}
          />
        )}
      </ListSection>
      {opened && <WithoutLineDrawer of={placeOf(opened, account)} onClose={() => open(null)} />}
    </>
  )
}

/** Warns of money that was booked on any day and is overdue, because its line is still missing. */
function Overdue({ account, onOpen }: { account: number | null; onOpen: () => void }) {
  const client = useClient()
  const query = { receivingAccountId: account ?? undefined, overdue: 'true', page: 1, pageSize: 1 }
  const total = useQuery(client.query(listBookedWithoutLine, { query })).data?.total ?? 0
  if (total === 0) return null
  return (
    <Alert
      type="warning"
      showIcon
      role="alert"
      className="form-alert"
      title={`${total.toLocaleString('en-US')} รายการรับเงินแล้วเกิน 2 วัน แต่ยังไม่พบรายการธนาคาร`}
      description="อาจยังไม่ได้นำเข้าไฟล์ธนาคาร หรือสลิปไม่จริง กรุณาตรวจ"
      action={<Button onClick={onOpen}>ดูรายการที่เกินกำหนด</Button>}
    />
  )
}

/** Reads "7_2026-11-20" as an account and day; anything else is the overdue list of the chosen account. */
function placeOf(text: string, chosen: number | null): { account?: number; day?: string; isOverdue: boolean } {
  const [account, day] = text.split('_')
  if (text === OVERDUE || !day || !/^\d+$/.test(account ?? '')) return { account: chosen ?? undefined, isOverdue: true }
  return { account: Number(account), day, isOverdue: false }
}

interface SumProps {
  satang: number
  count?: number
  to?: string
  what: string
  tone?: 'warn' | 'bad'
}

/** An amount and how many entries it sums up; a link where somebody may have to act. */
function Sum(props: SumProps) {
  const { satang, count, to, what, tone } = props
  const amount = <span className="number">{formatBaht(satang)}</span>
  const note = count !== undefined && <div className="note muted number">{count.toLocaleString('en-US')} รายการ</div>
  if (satang === 0 && !count) return <span className="muted number">0.00</span>
  return (
    <>
      {to ? (
        <Link className={`strong ${tone ? `is-${tone}` : ''}`} to={to} aria-label={`${what} ฿${formatBaht(satang)}`}>
          {amount}
        </Link>
      ) : (
        amount
      )}
      {note}
    </>
  )
}

function AccountCell({ id }: { id: number }): ReactNode {
  const account = useStatementAccounts().data?.find(each => each.id === id)
  return account ? nameOfAccount(account) : `#${id}`
}

/** The address that opens what was booked that day without a line, and keeps the filters. */
const usePlaceWithoutLine = ({ receivingAccountId, day }: ReconciliationDay): string =>
  useAddressWith()({ withoutLine: `${receivingAccountId}_${day}` })

/** The difference, which leads to the bookings without a line if there are any, otherwise to the lines. */
function Difference({ row }: { row: ReconciliationDay }) {
  const withoutLine = usePlaceWithoutLine(row)
  if (row.differenceSatang === 0) return <span className="tag is-ok">ตรงกัน</span>
  const to = row.withoutLine > 0 ? withoutLine : linesOf(row, false)
  return <Sum satang={row.differenceSatang} to={to} what="ผลต่าง" tone="bad" />
}

/** How many waiting top-ups a day names before it links to all of them. */
const MOST_WAITING = 3

/** The money of top-ups that wait for approval, with a link to each. */
function Waiting({ row: { waitingSatang, waiting } }: { row: ReconciliationDay }) {
  return (
    <>
      <Sum satang={waitingSatang} what="รออนุมัติเติมเงิน" />
      {waiting.slice(0, MOST_WAITING).map(({ id, no }) => (
        <div key={id} className="note">
          <TargetLink className="number is-warn" target={{ kind: 'topUp', id, no }} />
        </div>
      ))}
      {waiting.length > MOST_WAITING && (
        <StaffLink page="wallet" className="note is-warn" to={`${STAFF_PAGE.wallet.path}?status=waiting_approve`}>
          ทั้งหมด {waiting.length} รายการ
        </StaffLink>
      )}
    </>
  )
}

function WithoutLine({ row }: { row: ReconciliationDay }) {
  const place = usePlaceWithoutLine(row)
  return (
    <>
      <Sum satang={row.withoutLineSatang} count={row.withoutLine} to={place} what="ยังไม่พบรายการธนาคาร" tone="warn" />
      {row.overdue > 0 && <span className="tag is-bad">เกินกำหนด {row.overdue}</span>}
    </>
  )
}

const linesOf = ({ receivingAccountId, day }: ReconciliationDay, noSaleOrder: boolean) =>
  placeOfLines(receivingAccountId, day, noSaleOrder)

type Column = TableColumnsType<ReconciliationDay>[number]

const column = (title: string, width: number, render: (row: ReconciliationDay) => ReactNode): Column => ({
  title,
  width,
  align: 'right',
  render: (_, row) => render(row),
})

const sumColumn = (title: string, width: number, sumOf: (row: ReconciliationDay) => Omit<SumProps, 'what'>): Column =>
  column(title, width, row => <Sum what={title} {...sumOf(row)} />)

const columns: Column[] = [
  { title: 'วันที่', width: 96, render: (_, { day }) => <span className="number">{formatDay(day)}</span> },
  { title: 'บัญชี', width: 130, render: (_, { receivingAccountId }) => <AccountCell id={receivingAccountId} /> },
  sumColumn('เงินเข้าตามธนาคาร', 124, row => ({ satang: row.inSatang, count: row.lines, to: linesOf(row, false) })),
  sumColumn('จับคู่แล้ว', 108, row => ({ satang: row.matchedSatang })),
  column('รออนุมัติเติมเงิน', 128, row => <Waiting row={row} />),
  sumColumn('ยังไม่มีคำสั่งซื้อ', 116, row => ({
    satang: row.openSatang,
    count: row.open,
    to: linesOf(row, true),
    tone: 'warn',
  })),
  sumColumn('ไม่เกี่ยวข้อง', 96, row => ({ satang: row.unrelatedSatang })),
  column('ยังไม่พบรายการธนาคาร', 124, row => <WithoutLine row={row} />),
  sumColumn('ลงบัญชีแล้ว', 108, row => ({ satang: row.ledgerSatang })),
  column('ผลต่าง', 110, row => <Difference row={row} />),
]
