import { useParams } from 'react-router-dom'
import { OrderPage } from './order-page.tsx'
import { useTrackedOrder } from './use-order.ts'

/** The order behind a tracking link, for whoever holds the link. */
export default function TrackScreen() {
  const { token = '' } = useParams()
  return <OrderPage query={useTrackedOrder(token)} />
}
