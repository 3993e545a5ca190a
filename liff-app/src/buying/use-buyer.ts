import { getBuyer } from '@shop/shared/credit/buyer-endpoints.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../account/session.tsx'
import { api } from '../api.ts'
import { getGuestKey } from '../guest-key.ts'
import { FOLLOW_MS } from '../orders/running-orders.ts'
import { unpaidOf } from '../orders/unpaid-orders.ts'

/** How old what the page before has read may be: the server decides by what is so when it orders. */
const OF_PAGE_BEFORE_MS = 300_000

/**
 * What a purchase has to know of its buyer, read again whenever the purchase page is opened. A guest who never ordered
 * has nothing that could be read.
 */
export function useBuyer(gameCode: string, { isOfPageBefore = false } = {}) {
  const { me } = useSession()
  // A key that is made on this page is of an order that is under way here.
  const [hadKey] = useState(() => getGuestKey() !== null)
  const query = useQuery({
    ...api.query(getBuyer, { params: { gameCode } }),
    enabled: me !== null || hadKey,
    staleTime: isOfPageBefore ? OF_PAGE_BEFORE_MS : 0,
    refetchInterval: ({ state }) => (state.data?.running.rows.length ? FOLLOW_MS : false),
  })
  const { data, dataUpdatedAt, isLoading, isLoadingError, error, refetch } = query
  return {
    wallet: data?.wallet ?? null,
    credit: data?.credit ?? null,
    deliveries: data?.deliveries ?? [],
    acceptedTerms: data?.acceptedTerms ?? null,
    unpaid: { orders: data ? unpaidOf(data.running) : [], receivedAt: dataUpdatedAt, refetch },
    isLoading,
    isLoadingError,
    error,
    refetch,
  }
}
export type Buyer = ReturnType<typeof useBuyer>
