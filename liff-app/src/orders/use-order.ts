import { getOrder, type OrderView, trackOrder } from '@shop/shared/order/endpoints.ts'
import { isTerminal, ORDER_STATUS, type OrderStatus } from '@shop/shared/order/status.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'

export const LIVE_MS = 3000
/** While the buyer looks at a QR, or comes back from where they pay. */
const CHARGED_MS = 1000
/** For an order that has ended, but on which staff may still act. */
const SLOW_MS = 15_000

/** How long to wait before reading an order again; false when it can no longer change. */
export function pollMsOf(status: OrderStatus | undefined): number | false {
  if (status === undefined) return LIVE_MS
  if (isTerminal(status)) return false
  return ORDER_STATUS[status].isEnded ? SLOW_MS : LIVE_MS
}

/** The same for an order with the newest try to pay it. */
function orderPollMsOf(order: OrderView | undefined): number | false {
  const isCharged = order?.status === 'waiting_payment' && order.charge?.state === 'waiting'
  return isCharged ? CHARGED_MS : pollMsOf(order?.status)
}

const following = {
  staleTime: 0,
  refetchInterval: (query: { state: { data?: OrderView } }) => orderPollMsOf(query.state.data),
}

/**
 * One of the caller's orders, read again and again until it is final. @param staleTime how old an answer may be that is
 * there already; the one that places an order is such an answer
 */
export const useOrder = (orderNo: string, staleTime = 0) =>
  useQuery({ ...api.query(getOrder, { params: { orderNo } }), ...following, staleTime })

/** The order of a tracking link, read until it is final. The token is sent as a header of every call from its page. */
export const useTrackedOrder = (token: string) =>
  useQuery({ ...api.query(trackOrder), queryKey: [trackOrder.path, token], ...following })
