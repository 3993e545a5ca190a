import { ArrowLeft } from 'lucide-react'
import { Link, useParams } from 'react-router-dom'
import { useWayBack } from './history-place.ts'
import { OrderPage } from './order-page.tsx'
import { useOrder } from './use-order.ts'

/** An order of this person, or of this browser. */
export default function OrderScreen() {
  const { orderNo = '' } = useParams()
  return (
    <>
      <Link to={useWayBack()} className="link mb-2 inline-flex min-h-11 items-center gap-1.5">
        <ArrowLeft size={20} />
        คำสั่งซื้อทั้งหมด
      </Link>
      <OrderPage query={useOrder(orderNo)} />
    </>
  )
}
