import { getOrder, type OrderView, trackOrder } from '@shop/shared/order/endpoints.ts'
import { isTerminal, ORDER_STATUS, type OrderStatus } from '@shop/shared/order/status.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'

const LIVE_MS = 3000
/** Ended, but staff may still act on it. */
const SLOW_MS = 15_000

/** How long to wait before asking about an order again; false once nothing can change any more. */
export function pollMsOf(status: OrderStatus | undefined): number | false {
  if (status === undefined) return LIVE_MS
  if (isTerminal(status)) return false
  return ORDER_STATUS[status].isEnded ? SLOW_MS : LIVE_MS
}

const following = {
  staleTime: 0,
  refetchInterval: (query: { state: { data?: OrderView } }) => pollMsOf(query.state.data?.status),
}

/** One of the caller's orders, followed until it is final. */
export const useOrder = (orderNo: string) => useQuery({ ...api.query(getOrder, { params: { orderNo } }), ...following })

/** The order behind a tracking link, followed until it is final; every call from its page carries the token. */
export const useTrackedOrder = (token: string) =>
  useQuery({ ...api.query(trackOrder), queryKey: [trackOrder.path, token], ...following })
