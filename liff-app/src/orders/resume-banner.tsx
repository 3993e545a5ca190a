import { Clock } from 'lucide-react'
import { Link } from 'react-router-dom'
import { Amount } from '../ui/amount.tsx'
import { formatRemaining, useRemainingSeconds } from '../ui/countdown.tsx'
import type { UnpaidOrder } from './unpaid-orders.ts'

/** The way back to an order that waits for its transfer. */
export function ResumeBanner({ orders, receivedAt }: { orders: UnpaidOrder[]; receivedAt: number }) {
  return orders.map(order => <OneOrder key={order.orderNo} order={order} receivedAt={receivedAt} />)
}

function OneOrder({ order, receivedAt }: { order: UnpaidOrder; receivedAt: number }) {
  return (
    <Link
      to={`/payment?order=${order.orderNo}`}
      className="mb-4 flex items-center gap-2.5 rounded-control bg-warn-tint px-3.5 py-3 text-small"
    >
      <Clock size={20} strokeWidth={1.75} className="flex-none text-warn" aria-hidden />
      <span className="min-w-0 flex-1">
        <b className="block font-semibold">
          มีคำสั่งซื้อรอชำระ <Amount satang={order.amountSatang} />
        </b>
        <TimeLeft order={order} receivedAt={receivedAt} />
      </span>
      <span className="link whitespace-nowrap">ชำระต่อ</span>
    </Link>
  )
}

/** "เหลือเวลา 12:40 นาที", live by the server's clock. */
export function TimeLeft({ order, receivedAt }: { order: UnpaidOrder; receivedAt: number }) {
  const seconds = useRemainingSeconds({ serverNow: order.nowDate, receivedAt, expiresAt: order.expiresAt })
  return (
    <span className="whitespace-nowrap tabular-nums">
      {seconds > 0 ? `เหลือเวลา ${formatRemaining(seconds)} นาที` : 'หมดเวลาแล้ว โอนแล้วกดแจ้งได้'}
    </span>
  )
}
