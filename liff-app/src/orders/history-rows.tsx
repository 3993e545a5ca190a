import { NO_PLAYER } from '@shop/shared/catalogue/catalogue.ts'
import type { Reply } from '@shop/shared/endpoint.ts'
import { goodsText } from '@shop/shared/order/goods-text.ts'
import type { listOwnOrders } from '@shop/shared/order/own-endpoints.ts'
import { formatDateTime } from '@shop/web/dates.ts'
import { ChevronRight, Clock } from 'lucide-react'
import { Link } from 'react-router-dom'
import { purchasePathOf } from '../draft.ts'
import { Amount } from '../ui/amount.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { formatRemaining, useRemainingSeconds } from '../ui/countdown.tsx'
import { GameArt } from '../ui/game-art.tsx'
import { Table } from '../ui/table.tsx'
import { useMedia } from '../ui/use-media.ts'
import { BuyAgainButton } from './buy-again.tsx'
import { useFromHistory } from './history-place.ts'
import { askOf, awaitsPayment, isCreditBack } from './order-facts.ts'
import { OrderTag } from './running-list.tsx'

/** Whom an order is for; codes are for no player. */
const playerTextOf = ({ playerId, playerName }: Pick<HistoryRow, 'playerId' | 'playerName'>): string =>
  playerId === NO_PLAYER ? 'รหัส' : [playerId, playerName].filter(Boolean).join(' · ')

type Page = Reply<typeof listOwnOrders>
type HistoryRow = Page['rows'][number]
interface RowProps {
  row: HistoryRow
  nowDate: string
  receivedAt: number
  from: ReturnType<typeof useFromHistory>
}

const pathOf = (row: HistoryRow) => `/purchase/details/${row.orderNo}`

/** A page of orders: cards on a phone, a table where there is room. */
export function HistoryRows({ page, receivedAt }: { page: Page; receivedAt: number }) {
  const isWide = useMedia('(min-width: 64rem)')
  const from = useFromHistory()
  const rows = page.rows.map(row => ({ row, nowDate: page.nowDate, receivedAt, from }))
  return isWide ? <OrderTable rows={rows} /> : <List rows={rows} />
}

const List = ({ rows }: { rows: RowProps[] }) => (
  <ul className="grid grid-cols-1 gap-3">
    {rows.map(each => (
      <Card key={each.row.orderNo} {...each} />
    ))}
  </ul>
)

function Card(each: RowProps) {
  const { row, from } = each
  return (
    <li className="relative rounded-card border border-line px-3.5 py-3 hover:bg-canvas">
      <p className="flex flex-wrap items-center justify-between gap-x-2 gap-y-0.5">
        <span className="flex min-w-0 items-center text-ink-2 text-small">
          <span className="wrap-anywhere">{row.gameName}</span>
          <ChevronRight size={16} className="flex-none" />
        </span>
        <OrderTag order={row} />
      </p>
      <div className="mt-2 flex flex-wrap items-center gap-3">
        <GameArt picture={row.gamePicture} className="size-11 rounded-inline" />
        <p className="min-w-[min(8rem,100%)] flex-1">
          <span className="flex flex-wrap justify-between gap-x-2 font-semibold">
            <Link
              to={pathOf(row)}
              state={from}
              className="wrap-anywhere before:absolute before:inset-0 before:rounded-card"
            >
              {goodsText(row.packageName, row.quantity)}
            </Link>
            <Amount satang={row.amountSatang} />
          </span>
          <span className="wrap-anywhere block text-ink-2 text-note">{playerTextOf(row)}</span>
        </p>
      </div>
      <div className="mt-2 flex flex-wrap items-center justify-between gap-2">
        <span className="flex flex-wrap gap-x-2 text-ink-2 text-note">
          {awaitsPayment(row) ? <RowTimeLeft {...each} /> : <span>{formatDateTime(row.createdAt)}</span>}
          <span>{row.orderNo}</span>
        </span>
        <RowAction row={row} from={from} />
      </div>
    </li>
  )
}

/** The one thing that its buyer would do with an order; nothing while only the shop can do something. */
function RowAction({ row, from }: Pick<RowProps, 'row' | 'from'>) {
  if (awaitsPayment(row)) return <PayOn row={row} />
  const asked = askOf(row)
  if (asked)
    return (
      <ButtonLink
        kind="secondary"
        size="inline"
        className="relative"
        to={pathOf(row)}
        state={from}
        aria-label={`${asked} ${row.orderNo}`}
      >
        {asked}
      </ButtonLink>
    )
  if (isCreditBack(row))
    return (
      <ButtonLink
        size="inline"
        className="relative"
        to={purchasePathOf(row.gameCode)}
        aria-label={`ใช้เครดิตของ ${row.orderNo} เลย`}
      >
        ใช้เลย
      </ButtonLink>
    )
  return row.status === 'success' ? <BuyAgainButton order={row} /> : null
}

const PayOn = ({ row }: { row: HistoryRow }) => (
  <ButtonLink
    size="inline"
    className="relative"
    to={`/payment?order=${row.orderNo}`}
    aria-label={`ชำระต่อ ${row.orderNo}`}
  >
    ชำระต่อ
  </ButtonLink>
)

function RowTimeLeft({ row, nowDate, receivedAt }: RowProps) {
  const seconds = useRemainingSeconds({ serverNow: nowDate, receivedAt, expiresAt: row.expiresAt ?? nowDate })
  return (
    <span className="flex items-center gap-1 whitespace-nowrap text-ink-2 text-note tabular-nums">
      <Clock size={16} />
      {seconds > 0 ? `เหลือ ${formatRemaining(seconds)} นาที` : 'หมดเวลาแล้ว'}
    </span>
  )
}

const headings = ['วันที่', 'เลขที่', 'รายการ', 'Player ID', 'ยอดชำระ', 'สถานะ']

const OrderTable = ({ rows }: { rows: RowProps[] }) => (
  <Table caption="คำสั่งซื้อของฉัน" headings={headings} amounts="ยอดชำระ">
    {rows.map(each => (
      <tr key={each.row.orderNo} className="border-line border-b">
        <td className="whitespace-nowrap py-3 pr-4">{formatDateTime(each.row.createdAt)}</td>
        <td className="whitespace-nowrap py-3 pr-4">
          <Link to={pathOf(each.row)} state={each.from} className="link inline-flex min-h-11 items-center">
            {each.row.orderNo}
          </Link>
        </td>
        <td className="py-3 pr-4">
          <span className="flex items-center gap-3">
            <GameArt picture={each.row.gamePicture} className="size-11 rounded-inline" />
            <span>
              <span className="wrap-anywhere block font-semibold">
                {goodsText(each.row.packageName, each.row.quantity)}
              </span>
              <span className="block text-ink-2 text-note">{each.row.gameName}</span>
            </span>
          </span>
        </td>
        <td className="py-3 pr-4">{each.row.playerId === NO_PLAYER ? '' : each.row.playerId}</td>
        <td className="py-3 pr-4 text-right font-semibold">
          <Amount satang={each.row.amountSatang} />
        </td>
        <td className="py-3 pr-4">
          <OrderTag order={each.row} />
        </td>
        <td className="py-3">
          <span className="flex items-center justify-end gap-3">
            {awaitsPayment(each.row) && <RowTimeLeft {...each} />}
            <RowAction {...each} />
          </span>
        </td>
      </tr>
    ))}
  </Table>
)
