import { useParams } from 'react-router-dom'
import { OrderPage } from './order-page.tsx'
import { useOrder } from './use-order.ts'

/** A signed-in buyer's order. */
export default function OrderScreen() {
  const { orderNo = '' } = useParams()
  return <OrderPage query={useOrder(orderNo)} />
}
