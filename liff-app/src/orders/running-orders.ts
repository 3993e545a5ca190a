import { listRunningOrders } from '@shop/shared/order/own-endpoints.ts'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../account/session.tsx'
import { api } from '../api.ts'
import { getGuestKey } from '../guest-key.ts'

export const FOLLOW_MS = 15_000

/** The unfinished orders of the person and of this browser. A guest who never ordered has none, so nothing is read. */
export function useRunningOrders() {
  const { me } = useSession()
  const query = useQuery({
    ...api.query(listRunningOrders),
    enabled: me !== null || getGuestKey() !== null,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.rows.length ? FOLLOW_MS : false),
  })
  const { data, isLoading, refetch } = query
  return { rows: data?.rows ?? [], nowDate: data?.nowDate ?? '', receivedAt: query.dataUpdatedAt, isLoading, refetch }
}
