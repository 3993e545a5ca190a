import type { Reply } from '@shop/shared/endpoint.ts'
import { listOwnOrders } from '@shop/shared/order/own-endpoints.ts'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../account/session.tsx'
import { api } from '../api.ts'

export type RecentOrder = Reply<typeof listOwnOrders>['rows'][number]

/** The last two different successful purchases of the person, newest first. */
export function useRecentOrders() {
  const { me } = useSession()
  const query = useQuery({
    ...api.query(listOwnOrders, { query: { status: ['success'], pageSize: 10 } }),
    enabled: me !== null,
  })
  const seen = new Map<string, RecentOrder>()
  for (const order of query.data?.rows ?? []) {
    const key = `${order.gameCode}/${order.packageName}/${order.playerId}`
    if (!seen.has(key)) seen.set(key, order)
  }
  return { orders: [...seen.values()].slice(0, 2), isLoading: query.isLoading }
}
