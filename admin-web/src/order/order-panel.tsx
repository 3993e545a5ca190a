import { goodsText } from '@shop/shared/order/goods-text.ts'
import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { useClient } from '../account/session.tsx'
import { DeliveryCard } from '../supplier/delivery-card.tsx'
import { CloseButton } from '../ui/close-button.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { OrderCodes } from '../voucher/order-codes.tsx'
import { DetailsLink } from './details-link.tsx'
import { HoldCard } from './hold-card.tsx'
import { OrderActions, type OrderKeys } from './order-actions.tsx'
import { Evidence, PlayerFacts } from './order-facts.tsx'
import { OrderTimeline } from './order-timeline.tsx'
import { RedoCard } from './redo-card.tsx'
import { RefundAskedNote } from './refund-asked-note.tsx'
import { StatusTag } from './status-tag.tsx'
import type { OnOrderChanged } from './use-order-change.tsx'

const POLL_MS = 5000

/** Reads one order as staff see it, again and again. */
export function useOrder(orderNo: string, enabled = true) {
  const client = useClient()
  return useQuery({
    ...client.query(getOrderForStaff, { params: { orderNo } }),
    enabled,
    refetchInterval: query => (query.state.data ? POLL_MS : false),
  })
}

/** Asks for an order before its panel is drawn. */
export function useAskOrder(): (orderNo: string) => void {
  const client = useClient()
  const queries = useQueryClient()
  return orderNo => void queries.prefetchQuery(client.query(getOrderForStaff, { params: { orderNo } }))
}

/** Shows an order beside the list it was opened from. */
export function OrderPanel(props: {
  orderNo: string
  /** The order is being claimed: it is asked for once that is known. */
  isClaiming?: boolean
  onClose: () => void
  onChanged: OnOrderChanged
  /** Only the queue has keys. */
  keys?: OrderKeys
}) {
  const { orderNo, isClaiming = false, onClose, onChanged, keys } = props
  const query = useOrder(orderNo, !isClaiming)
  const order = isClaiming && query.data?.claimedBy === null ? undefined : query.data
  // The panel stands there at once; what it is full of follows, so that a click or a key is answered before it is drawn.
  const data = useDeferredValue(order, undefined)
  return (
    <aside className="card" tabIndex={-1} aria-label={`รายละเอียดคำสั่งซื้อ ${orderNo}`}>
      <header>
        <div className="grow">
          <span className="note muted number">
            {order?.queueNo != null && `คิว ${order.queueNo} · `}
            {orderNo}
          </span>
          <h2 style={{ fontSize: '1rem' }}>
            {order ? `${order.game.name} · ${goodsText(order.package.name, order.quantity)}` : ' '}
          </h2>
        </div>
        {order && <StatusTag status={order.status} />}
        <DetailsLink orderNo={orderNo} />
        <CloseButton label="ปิดรายละเอียด" onClick={onClose} />
      </header>
      <Loaded query={{ data, error: query.error, refetch: query.refetch }} rows={8}>
        {order => (
          <>
            <PlayerFacts order={order} copyKeys={keys?.copy} />
            <Evidence order={order} />
            <HoldCard order={order} />
            <DeliveryCard orderNo={orderNo} delivery={order.delivery} onChanged={() => query.refetch()} />
            {order.hasCodes && <OrderCodes orderNo={orderNo} quantity={order.quantity} />}
            <RefundAskedNote order={order} />
            <RedoCard order={order} />
            <div className="card-part" style={{ borderTop: '1px solid var(--line)' }}>
              <h3 className="note muted" style={{ marginBottom: 8 }}>
                ความเคลื่อนไหว
              </h3>
              <OrderTimeline order={order} />
            </div>
            <OrderActions order={order} onChanged={onChanged} keys={keys} />
          </>
        )}
      </Loaded>
    </aside>
  )
}
