import { useParams } from 'react-router-dom'
import { OrderPage } from './order-page.tsx'
import { useTrackedOrder } from './use-order.ts'

/** The order of a tracking link, for everybody who has the link. */
export default function TrackScreen() {
  const { token = '' } = useParams()
  return <OrderPage query={useTrackedOrder(token)} />
}
