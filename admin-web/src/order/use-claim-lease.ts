import { renewClaim } from '@shop/shared/order/queue-endpoints.ts'
import { getOrderForStaff, type StaffOrderView } from '@shop/shared/order/staff-endpoints.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useClient, useMe } from '../account/session.tsx'

const RENEW_MS = 60_000

/** Renews the caller's claim on an order while it is open in a visible window. */
export function useClaimLease({ orderNo, status, claimedBy }: StaffOrderView): void {
  const client = useClient()
  const queries = useQueryClient()
  const isMine = useMe().uid === claimedBy && status === 'processing'
  useEffect(() => {
    if (!isMine) return
    const renew = async () => {
      if (document.visibilityState !== 'visible') return
      // One failed call does no harm, because a claim lasts many times as long.
      const renewed = await client.call(renewClaim, { body: { orderNo } }).catch(() => undefined)
      if (renewed?.claimUntil === null)
        void queries.invalidateQueries({ queryKey: [getOrderForStaff.path, { orderNo }] })
    }
    void renew()
    const timer = setInterval(renew, RENEW_MS)
    document.addEventListener('visibilitychange', renew)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', renew)
    }
  }, [client, queries, orderNo, isMine])
}
