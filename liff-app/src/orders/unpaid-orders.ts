import type { Reply } from '@shop/shared/endpoint.ts'
import { listWaitingOrders } from '@shop/shared/order/endpoints.ts'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../account/session.tsx'
import { api } from '../api.ts'
import { getGuestKey } from '../guest-key.ts'

export type UnpaidOrder = Reply<typeof listWaitingOrders>[number]

/** Orders that wait for a transfer the customer has not reported yet; a browser that never ordered is not asked. */
export function useUnpaidOrders() {
  const { me } = useSession()
  const query = useQuery({
    ...api.query(listWaitingOrders),
    enabled: me !== null || getGuestKey() !== null,
    staleTime: 0,
  })
  const orders = (query.data ?? []).filter(order => order.transferReportedAt === null)
  return { orders, receivedAt: query.dataUpdatedAt, isLoading: query.isLoading, refetch: query.refetch }
}
