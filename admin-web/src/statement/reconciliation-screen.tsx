import { formatBaht } from '@shop/shared/money.ts'
import { STAFF_PAGE } from '@shop/shared/staff-pages.ts'
import {
  getReconciliation,
  listBookedWithoutLine,
  type ReconciliationDay,
} from '@shop/shared/statement/refund-endpoints.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Button, Table, type TableColumnsType } from 'antd'
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { useClient } from '../account/session.tsx'
import { StaffLink, TargetLink } from '../account/staff-link.tsx'
import { FilterBar } from '../ui/filter-bar.tsx'
import { ListSection } from '../ui/list-section.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { useUrlChoice, useUrlFilters } from '../ui/url-filters.ts'
import { AccountSelect, accountField, nameOfAccount, useStatementAccounts } from './account-select.tsx'
import { monthFields, PeriodFilter } from './period-filter.tsx'
import { placeOfLines } from './statement-filters.ts'
import { WithoutLineDrawer } from './without-line-drawer.tsx'
import './statement.css'

const fields = { account: accountField, ...monthFields }
/** In the address, in place of a day and account: everything that waits too long. */
const OVERDUE = 'overdue'

/** Per account and day: the bank beside the books, and where they differ. */
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

/** The alarm: what waits too long for its line, of every day. */
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

/** "7_2026-11-20", or "overdue" of the chosen account. */
function placeOf(text: string, chosen: number | null): { account?: number; day?: string; isOverdue: boolean } {
  const [account, day] = text.split('_')
  if (text === OVERDUE || !day || !/^\d+$/.test(account ?? '')) return { account: chosen ?? undefined, isOverdue: true }
  return { account: Number(account), day, isOverdue: false }
}

/** An amount with what it is made of; a link where somebody may have to act. */
function Sum(props: { satang: number; count?: number; to?: string; what: string; tone?: 'warn' | 'bad' }) {
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

/** The address of what was booked that day without a line; the filters stay. */
function usePlaceWithoutLine({ receivingAccountId, day }: ReconciliationDay): string {
  const [params] = useSearchParams()
  const place = new URLSearchParams(params)
  place.set('withoutLine', `${receivingAccountId}_${day}`)
  return `?${place}`
}

/** Leads to where the difference comes from: what has no line as long as there is any, else the lines. */
function Difference({ row }: { row: ReconciliationDay }) {
  const withoutLine = usePlaceWithoutLine(row)
  if (row.differenceSatang === 0) return <span className="tag is-ok">ตรงกัน</span>
  const to = row.withoutLine > 0 ? withoutLine : linesOf(row, false)
  return <Sum satang={row.differenceSatang} to={to} what="ผลต่าง" tone="bad" />
}

/** Of so many a day names all its top-ups that wait. */
const MOST_WAITING = 3

/** Money of top-ups that are to be approved, with the way to each. */
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

const columns: TableColumnsType<ReconciliationDay> = [
  {
    title: 'วันที่',
    width: 96,
    render: (_, { day }) => <span className="number">{day.split('-').reverse().join('/')}</span>,
  },
  { title: 'บัญชี', width: 130, render: (_, { receivingAccountId }) => <AccountCell id={receivingAccountId} /> },
  {
    title: 'เงินเข้าตามธนาคาร',
    align: 'right',
    width: 124,
    render: (_, row) => <Sum satang={row.inSatang} count={row.lines} to={linesOf(row, false)} what="เงินเข้าตามธนาคาร" />,
  },
  { title: 'จับคู่แล้ว', align: 'right', width: 108, render: (_, row) => <Sum satang={row.matchedSatang} what="จับคู่แล้ว" /> },
  { title: 'รออนุมัติเติมเงิน', align: 'right', width: 128, render: (_, row) => <Waiting row={row} /> },
  {
    title: 'ยังไม่มีคำสั่งซื้อ',
    align: 'right',
    width: 116,
    render: (_, row) => (
      <Sum satang={row.openSatang} count={row.open} to={linesOf(row, true)} what="ยังไม่มีคำสั่งซื้อ" tone="warn" />
    ),
  },
  {
    title: 'ไม่เกี่ยวข้อง',
    align: 'right',
    width: 96,
    render: (_, row) => <Sum satang={row.unrelatedSatang} what="ไม่เกี่ยวข้อง" />,
  },
  { title: 'ยังไม่พบรายการธนาคาร', align: 'right', width: 124, render: (_, row) => <WithoutLine row={row} /> },
  {
    title: 'ลงบัญชีแล้ว',
    align: 'right',
    width: 108,
    render: (_, row) => <Sum satang={row.ledgerSatang} what="ลงบัญชีแล้ว" />,
  },
  {
    title: 'ผลต่าง',
    align: 'right',
    width: 110,
    render: (_, row) => <Difference row={row} />,
  },
]
