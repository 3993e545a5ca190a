import { Clock } from 'lucide-react'
import { Link } from 'react-router-dom'
import { Amount } from '../ui/amount.tsx'
import { formatRemaining, useRemainingSeconds } from '../ui/countdown.tsx'
import { type UnpaidOrder, useUnpaidOrders } from './unpaid-orders.ts'

interface BannerProps {
  orders: UnpaidOrder[]
  receivedAt: number
  /** On a page where another order could be made. */
  isBlocking?: boolean
}

/** The way back to an order that waits for its transfer. */
export function ResumeBanner({ orders, ...rest }: BannerProps) {
  return orders.map(order => <OneOrder key={order.orderNo} order={order} {...rest} />)
}

/** The same for a page that knows nothing of orders. */
export default function PageBanner() {
  return <ResumeBanner {...useUnpaidOrders()} />
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
          <span>{order.orderNo}</span>
          <TimeLeft order={order} receivedAt={receivedAt} />
        </span>
        {isBlocking && <span className="block">ต้องชำระหรือยกเลิกรายการนี้ก่อน จึงสั่งซื้อใหม่ได้</span>}
      </span>
      <span className="link whitespace-nowrap">ชำระต่อ</span>
    </Link>
  )
}

/** "เหลือเวลา 12:40 นาที", live by the server's clock. */
export function TimeLeft({ order, receivedAt }: { order: UnpaidOrder; receivedAt: number }) {
  const seconds = useRemainingSeconds({ serverNow: order.nowDate, receivedAt, expiresAt: order.expiresAt })
  return (
    <span className="tabular-nums">
      {seconds > 0 ? `เหลือเวลา ${formatRemaining(seconds)} นาที` : 'หมดเวลาแล้ว โอนแล้วกดแจ้งได้'}
    </span>
  )
}
