import type { Reply } from '@shop/shared/endpoint.ts'
import { formatBaht } from '@shop/shared/money.ts'
import type { listAllOrders } from '@shop/shared/order/endpoints.ts'
import type { StaffCommand } from '@shop/shared/order/staff-command.ts'
import { ORDER_STATUS } from '@shop/shared/order/status.ts'
import { formatDateTime } from '@shop/shared/time.ts'
import type { TableColumnsType } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { Avatar } from '../ui/avatar.tsx'
import type { SteadyRow } from '../ui/use-steady-rows.ts'
import { Age } from './age.tsx'
import { StatusSelect } from './status-select.tsx'
import type { ChangeableOrder } from './use-order-change.tsx'

export type Row = Reply<typeof listAllOrders>['rows'][number]
export type ShownRow = SteadyRow<Row>

interface Props {
  /** The server's clock. */
  now: string
  busyOrderNo: string | null
  onOpen: (orderNo: string) => void
  onAsk: (order: ChangeableOrder, command: StaffCommand) => void
}

/** Opens the panel; with a modifier key, as any link, the order's own page. */
function OrderLink({ orderNo, onOpen }: { orderNo: string; onOpen: (orderNo: string) => void }) {
  return (
    <Link
      to={`/management/details/${orderNo}`}
      className="number"
      onClick={event => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        onOpen(orderNo)
      }}
    >
      {orderNo}
    </Link>
  )
}

function Item({ row, about }: { row: Row; about: ReactNode }) {
  return (
    <div className="row">
      <img className="art" src={row.gamePicture} alt={row.gameName} width={32} height={32} />
      <div className="grow">
        <div className="strong">{row.packageName}</div>
        <div className="note muted">{about}</div>
      </div>
    </div>
  )
}

function Waiting({ row, now }: { row: Row; now: string }) {
  const isUndecided = row.status === 'waiting_payment' || row.status === 'expired'
  if (row.transferReportedAt && isUndecided) return <Age since={row.transferReportedAt} now={now} prefix="แจ้งโอน " />
  return ORDER_STATUS[row.status].isEnded ? <span className="muted">–</span> : <Age since={row.createdAt} now={now} />
}

function sharedColumns({
  now,
  busyOrderNo,
  onAsk,
}: Props): Record<'amount' | 'status' | 'age', TableColumnsType<ShownRow>[number]> {
  return {
    amount: {
      title: 'ยอด (บาท)',
      align: 'right',
      width: 116,
      render: (_, { row }) => <span className="number">{formatBaht(row.amountSatang)}</span>,
    },
    status: {
      title: 'สถานะ',
      width: 172,
      render: (_, { row, isGone }) => (
        <StatusSelect
          order={row}
          isBusy={busyOrderNo === row.orderNo}
          isFixed={isGone}
          onAsk={command => onAsk(row, command)}
        />
      ),
    },
    age: { title: 'รอ', width: 132, render: (_, { row }) => <Waiting row={row} now={now} /> },
  }
}

/** Beside nothing: everything at a glance. */
export function wideColumns(props: Props): TableColumnsType<ShownRow> {
  const { amount, status, age } = sharedColumns(props)
  return [
    {
      title: 'เลขที่',
      width: 168,
      render: (_, { row }) => (
        <>
          <OrderLink orderNo={row.orderNo} onOpen={props.onOpen} />
          <div className="note muted number">{formatDateTime(row.createdAt)}</div>
        </>
      ),
    },
    { title: 'รายการ', render: (_, { row }) => <Item row={row} about={`${row.gameName} · ${row.playerId}`} /> },
    {
      title: 'ลูกค้า',
      width: 150,
      responsive: ['xl'],
      render: (_, { row }) => row.buyerName ?? <span className="muted">ไม่ได้เข้าสู่ระบบ</span>,
    },
    amount!,
    status!,
    age!,
    {
      title: 'ผู้รับเรื่อง',
      width: 150,
      responsive: ['xl'],
      render: (_, { row }) =>
        row.claimedByName && (
          <span className="row small">
            <Avatar name={row.claimedByName} isSmall />
            <span className="grow">{row.claimedByName}</span>
          </span>
        ),
    },
  ]
}

/** Beside the open order: what is needed to choose the next one. */
export function narrowColumns(props: Props): TableColumnsType<ShownRow> {
  const { amount, status, age } = sharedColumns(props)
  return [
    {
      title: 'รายการ',
      render: (_, { row }) => <Item row={row} about={<OrderLink orderNo={row.orderNo} onOpen={props.onOpen} />} />,
    },
    amount!,
    status!,
    age!,
  ]
}
