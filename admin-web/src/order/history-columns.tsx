import type { Reply } from '@shop/shared/endpoint.ts'
import { formatBaht } from '@shop/shared/money.ts'
import type { listAllOrders } from '@shop/shared/order/endpoints.ts'
import { goodsText } from '@shop/shared/order/goods-text.ts'
import { ORDER_SORTS, type OrderSort, sortingOf } from '@shop/shared/order/history.ts'
import type { StaffCommand } from '@shop/shared/order/staff-command.ts'
import { ORDER_STATUS } from '@shop/shared/order/status.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import type { TableColumnsType } from 'antd'
import type { SorterResult } from 'antd/es/table/interface'
import type { ReactNode } from 'react'
import { Age } from '../account/age.tsx'
import { Art } from '../ui/art.tsx'
import { RowLink } from '../ui/row-link.tsx'
import { TwoLines } from '../ui/two-lines.tsx'
import type { SteadyRow } from '../ui/use-steady-rows.ts'
import type { HistoryFilters } from './history-filters.ts'
import { StatusMenu } from './status-menu.tsx'
import { StatusTag } from './status-tag.tsx'
import type { ChangeableOrder } from './use-order-change.tsx'

export type HistoryRow = Reply<typeof listAllOrders>['rows'][number]
export type ShownRow = SteadyRow<HistoryRow>

interface Props {
  filters: HistoryFilters
  /** The server's clock. */
  now: string
  busyOrderNo: string | null
  onOpen: (orderNo: string) => void
  onAsk: (order: ChangeableOrder, command: StaffCommand) => void
}

/** Opens the order beside the list; with a modifier key it opens the order's own page. */
function OrderLink({ orderNo, onOpen }: { orderNo: string; onOpen: (orderNo: string) => void }) {
  return (
    <RowLink to={`/management/details/${orderNo}`} className="number" onOpen={() => onOpen(orderNo)}>
      {orderNo}
    </RowLink>
  )
}

function Item({ row, about }: { row: HistoryRow; about: ReactNode }) {
  return (
    <div className="row">
      <Art picture={row.gamePicture} alt={row.gameName} />
      <div className="grow">
        <div className="strong">{goodsText(row.packageName, row.quantity)}</div>
        <div className="note muted">{about}</div>
      </div>
    </div>
  )
}

/** Whether the buyer has reported a transfer and nobody has decided on it yet. */
export const isReported = ({ status, transferReportedAt }: HistoryRow): boolean =>
  transferReportedAt !== null && (status === 'waiting_payment' || status === 'expired')

/** How long somebody waits; nothing for an order that is over. */
function Waiting({ row, now }: { row: HistoryRow; now: string }) {
  if (isReported(row))
    return <Age kind="reports" since={row.transferReportedAt!} now={now} prefix="แจ้งโอน " isPressing />
  if (ORDER_STATUS[row.status].isEnded) return null
  // The shop has nothing to do before the buyer has paid.
  return <Age kind="orders" since={row.createdAt} now={now} isCalm={row.status === 'waiting_payment'} />
}

type Column = TableColumnsType<ShownRow>[number]

const ORDER = { ascend: 'asc', descend: 'desc' } as const

/** The filters after a click on a heading; a third click goes back to the newest first. */
export function sortOf(sorter: SorterResult<ShownRow>): Pick<HistoryFilters, 'sort' | 'direction' | 'after'> {
  const { columnKey, order } = sorter
  const sort = ORDER_SORTS.find(each => each === columnKey)
  return order && sort ? { sort: [sort], direction: [ORDER[order]], after: '' } : { sort: [], direction: [], after: '' }
}

/** Lets people sort by a column, except in lists of waiting orders, whose order is fixed. */
function sortable(key: OrderSort, { sort: [asked], direction: [way], status, waiting }: HistoryFilters): Column {
  if (waiting.length > 0) return { key }
  const { sort, direction } = sortingOf({ sort: asked, direction: way, status })
  const order = direction === 'asc' ? 'ascend' : 'descend'
  return { key, sorter: true, sortDirections: ['descend', 'ascend'], sortOrder: sort === key ? order : null }
}

/** The status, with how long it has waited and who works on it. */
function Standing({ row, now }: { row: HistoryRow; now: string }) {
  return (
    <TwoLines note={row.claimedByName && `โดย ${row.claimedByName}`}>
      <span className="standing">
        <StatusTag status={row.status} />
        <Waiting row={row} now={now} />
      </span>
    </TwoLines>
  )
}

/** The day above the time. */
function Moment({ at }: { at: string }) {
  const [day, time] = formatDateTimeSeconds(at).split(' ')
  return (
    <TwoLines note={time}>
      <span className="small number">{day}</span>
    </TwoLines>
  )
}

const none = <span className="muted">–</span>

/** An id of LINE has 33 letters that nobody knows by sight; its ends tell it from others. */
const shortIdOf = (lineId: string): string =>
  lineId.length > 12 ? `${lineId.slice(0, 5)}…${lineId.slice(-4)}` : lineId

/** The columns while no order is open beside the list. */
export function wideColumns(props: Props): TableColumnsType<ShownRow> {
  const { filters, now, busyOrderNo, onOpen, onAsk } = props
  return [
    {
      title: 'คิว',
      width: 66,
      ...sortable('queueNo', filters),
      render: (_, { row }) => (row.queueNo === null ? none : <span className="number">{row.queueNo}</span>),
    },
    {
      title: 'เลขที่',
      width: 160,
      ...sortable('createdAt', filters),
      render: (_, { row }) => (
        <>
          <OrderLink orderNo={row.orderNo} onOpen={onOpen} />
          <div className="note muted number">{formatDateTimeSeconds(row.createdAt)}</div>
        </>
      ),
    },
    {
      title: 'รายการ',
      render: (_, { row }) => (
        <Item row={row} about={[row.gameName, row.playerId, row.playerName].filter(Boolean).join(' · ')} />
      ),
    },
    {
      title: 'ยอด (บาท)',
      align: 'right',
      width: 104,
      ...sortable('amount', filters),
      render: (_, { row }) => <span className="number">{formatBaht(row.amountSatang)}</span>,
    },
    { title: 'สถานะ', width: 128, render: (_, { row }) => <Standing row={row} now={now} /> },
    {
      title: 'ลูกค้า / LINE ID',
      width: 142,
      render: (_, { row }) => (
        <>
          {row.buyerName ?? <span className="muted">ไม่ได้เข้าสู่ระบบ</span>}
          {row.lineId && (
            <div className="note muted number one-line" title={row.lineId}>
              {shortIdOf(row.lineId)}
            </div>
          )}
        </>
      ),
    },
    {
      title: 'ชำระเมื่อ',
      width: 102,
      ...sortable('paidAt', filters),
      render: (_, { row }) => (row.paidAt ? <Moment at={row.paidAt} /> : none),
    },
    {
      title: <span className="sr-only">เปลี่ยนสถานะ</span>,
      width: 60,
      align: 'right',
      render: (_, { row, isGone }) => (
        <StatusMenu
          order={row}
          isBusy={busyOrderNo === row.orderNo}
          isFixed={isGone}
          onAsk={command => onAsk(row, command)}
        />
      ),
    },
  ]
}

/** The columns beside an open order: only what is needed to choose the next one. */
export function narrowColumns({ now, onOpen }: Props): TableColumnsType<ShownRow> {
  return [
    {
      title: 'รายการ',
      render: (_, { row }) => <Item row={row} about={<OrderLink orderNo={row.orderNo} onOpen={onOpen} />} />,
    },
    {
      title: 'ยอด (บาท) / สถานะ',
      width: 232,
      align: 'right',
      render: (_, { row }) => (
        <>
          <span className="number">{formatBaht(row.amountSatang)}</span>
          <Standing row={row} now={now} />
        </>
      ),
    },
  ]
}
