import { Clock } from 'lucide-react'
import { Link } from 'react-router-dom'
import { Amount } from '../ui/amount.tsx'
import { formatRemaining, useRemainingSeconds } from '../ui/countdown.tsx'
import type { UnpaidOrder } from './unpaid-orders.ts'

interface BannerProps {
  orders: UnpaidOrder[]
  receivedAt: number
  /** The page could make another order, which this one prevents. */
  isBlocking?: boolean
}

/** Links to the orders that wait for their transfer. */
export function ResumeBanner({ orders, ...rest }: BannerProps) {
  return orders.map(order => <OneOrder key={order.orderNo} order={order} {...rest} />)
}

function OneOrder({ order, receivedAt, isBlocking }: Omit<BannerProps, 'orders'> & { order: UnpaidOrder }) {
  return (
    <Link
      to={`/payment?order=${order.orderNo}`}
      className="mb-4 flex flex-wrap items-center justify-end gap-2.5 rounded-control bg-warn-tint px-3.5 py-3 text-small"
    >
      <Clock size={20} className="flex-none text-warn" />
      <span className="min-w-[min(10rem,calc(100%-2rem))] flex-1">
        <b className="block font-semibold">
          รอชำระ <span className="wrap-anywhere">{order.gameName}</span> · {order.packageName}
        </b>
        <span className="flex flex-wrap gap-x-2.5">
          <Amount satang={order.amountSatang} className="font-semibold" />
          <span translate="no">{order.orderNo}</span>
          <TimeLeft order={order} receivedAt={receivedAt} />
        </span>
        {isBlocking && <span className="block">ต้องชำระหรือยกเลิกรายการนี้ก่อน จึงสั่งซื้อใหม่ได้</span>}
      </span>
      <span className="link whitespace-nowrap">ชำระต่อ</span>
    </Link>
  )
}

/** The time left by the server's clock: "เหลือเวลา 12:40 นาที". */
export function TimeLeft({ order, receivedAt }: { order: UnpaidOrder; receivedAt: number }) {
  const seconds = useRemainingSeconds({ serverNow: order.nowDate, receivedAt, expiresAt: order.expiresAt })
  return (
    <span className="tabular-nums">
      {seconds > 0 ? `เหลือเวลา ${formatRemaining(seconds)} นาที` : 'หมดเวลาแล้ว โอนแล้วกดแจ้งได้'}
    </span>
  )
}
