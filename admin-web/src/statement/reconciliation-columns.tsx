import { formatBaht } from '@shop/shared/money.ts'
import { STAFF_PAGE } from '@shop/shared/staff-pages.ts'
import { agrees, type ReconciliationSum } from '@shop/shared/statement/reconciliation.ts'
import { formatDay } from '@shop/web/dates.ts'
import type { TableColumnsType } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { StaffLink, TargetLink } from '../account/staff-link.tsx'
import { TwoLines } from '../ui/two-lines.tsx'
import { useAddressWith } from '../ui/url-filters.ts'
import { nameOfAccount, useStatementAccounts } from './account-select.tsx'
import { placeOfLines } from './statement-filters.ts'

/** A day of an account, or a sum: of an account without a day, and of everything without both. */
export interface ReconciledRow extends ReconciliationSum {
  receivingAccountId: number | null
  day: string | null
}

/** Stands in the address in place of an account and day: the list of everything that is overdue. */
export const OVERDUE = 'overdue'

interface SumProps {
  satang: number
  count?: number
  to?: string | null
  what: string
  tone?: 'warn' | 'bad'
}

/** An amount and how many entries it sums up; a link where somebody may have to act. */
function Sum({ satang, count, to, what, tone }: SumProps) {
  if (satang === 0 && !count) return <span className="none">–</span>
  const amount = <span className="number">{formatBaht(satang)}</span>
  return (
    <>
      {to ? (
        <Link className={`strong ${tone ? `is-${tone}` : ''}`} to={to} aria-label={`${what} ฿${formatBaht(satang)}`}>
          {amount}
        </Link>
      ) : (
        amount
      )}
      {count !== undefined && <div className="note muted number">{count.toLocaleString('en-US')} รายการ</div>}
    </>
  )
}

/** The page of a day's lines; null for a sum. */
const linesOf = ({ receivingAccountId, day }: ReconciledRow, noSaleOrder: boolean): string | null =>
  receivingAccountId !== null && day !== null ? placeOfLines(receivingAccountId, day, noSaleOrder) : null

function AccountName({ id }: { id: number }): ReactNode {
  const account = useStatementAccounts().data?.find(each => each.id === id)
  return account ? nameOfAccount(account) : `#${id}`
}

function Place({ row: { receivingAccountId, day } }: { row: ReconciledRow }) {
  if (receivingAccountId === null) return 'รวมทุกบัญชี'
  const name = <AccountName id={receivingAccountId} />
  if (day === null) return <>รวม {name}</>
  return (
    <TwoLines note={name}>
      <span className="number">{formatDay(day)}</span>
    </TwoLines>
  )
}

/** The address that opens what was booked that day without a line, and keeps the filters; for a sum what is overdue. */
function usePlaceWithoutLine({ receivingAccountId, day }: ReconciledRow): string {
  const addressWith = useAddressWith()
  return addressWith({ withoutLine: day === null ? OVERDUE : `${receivingAccountId}_${day}` })
}

/** The difference, which leads to the bookings without a line if there are any, otherwise to the lines. */
function Difference({ row }: { row: ReconciledRow }) {
  const withoutLine = usePlaceWithoutLine(row)
  if (agrees(row)) return <span className="tag is-ok">ตรงกัน</span>
  if (row.differenceSatang === 0) return <span className="tag is-warn">ยังไม่ครบ</span>
  const to = row.day === null ? null : row.withoutLine > 0 ? withoutLine : linesOf(row, false)
  return <Sum satang={row.differenceSatang} to={to} what="ผลต่าง" tone="bad" />
}

/** How many waiting top-ups a day names before it links to all of them. */
const MOST_WAITING = 3

/** The money of top-ups that wait for approval, with a link to each. */
function Waiting({ row: { day, waitingSatang, waiting } }: { row: ReconciledRow }) {
  const named = day === null ? [] : waiting.slice(0, MOST_WAITING)
  return (
    <>
      <Sum satang={waitingSatang} what="รออนุมัติเติมเงิน" />
      {named.map(({ id, no }) => (
        <div key={id} className="note">
          <TargetLink className="number is-warn" target={{ kind: 'topUp', id, no }} />
        </div>
      ))}
      {waiting.length > named.length && (
        <div className="note">
          <StaffLink page="wallet" className="is-warn" to={`${STAFF_PAGE.wallet.path}?status=waiting_approve`}>
            ทั้งหมด {waiting.length} รายการ
          </StaffLink>
        </div>
      )}
    </>
  )
}

function WithoutLine({ row }: { row: ReconciledRow }) {
  const place = usePlaceWithoutLine(row)
  const { day, withoutLineSatang, withoutLine, overdue } = row
  const to = day === null ? null : place
  return (
    <>
      <Sum satang={withoutLineSatang} count={withoutLine} to={to} what="ยังไม่พบรายการธนาคาร" tone="warn" />
      {overdue > 0 && (
        <Link className="tag is-bad" to={place}>
          เกินกำหนด {overdue}
        </Link>
      )}
    </>
  )
}

type Column = TableColumnsType<ReconciledRow>[number]

const column = (title: string, width: number, render: (row: ReconciledRow) => ReactNode): Column => ({
  title,
  width,
  align: 'right',
  render: (_, row) => render(row),
})

const sumColumn = (title: string, width: number, sumOf: (row: ReconciledRow) => Omit<SumProps, 'what'>): Column =>
  column(title, width, row => <Sum what={title} {...sumOf(row)} />)

export const columns: Column[] = [
  { title: 'วันที่ / บัญชี', render: (_, row) => <Place row={row} /> },
  sumColumn('เงินเข้าตามธนาคาร', 112, row => ({ satang: row.inSatang, count: row.lines, to: linesOf(row, false) })),
  sumColumn('จับคู่แล้ว', 104, row => ({ satang: row.matchedSatang })),
  column('รออนุมัติเติมเงิน', 128, row => <Waiting row={row} />),
  sumColumn('ยังไม่มีคำสั่งซื้อ', 140, row => ({
    satang: row.openSatang,
    count: row.open,
    to: linesOf(row, true),
    tone: 'warn',
  })),
  sumColumn('ไม่เกี่ยวข้อง', 96, row => ({ satang: row.unrelatedSatang })),
  column('ยังไม่พบรายการธนาคาร', 116, row => <WithoutLine row={row} />),
  sumColumn('ลงบัญชีแล้ว', 104, row => ({ satang: row.ledgerSatang })),
  column('ผลต่าง', 96, row => <Difference row={row} />),
]
