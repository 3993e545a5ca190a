import { getBuyer } from '@shop/shared/credit/buyer-endpoints.ts'
import { getCredit, listCreditMoves } from '@shop/shared/credit/endpoints.ts'
import { can } from '@shop/shared/permissions.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { api } from '../api.ts'
import { useSession } from './session.tsx'

/**
 * The signed-in person's shop credit, read again whenever a page shows it. Nothing is read for guests.
 * @param isShown whether the page shows it to them
 */
export function useCredit(isShown = true) {
  const { me } = useSession()
  const mayHave = isShown && me !== null && can(me.role, 'credit.own')
  return useQuery({ ...api.query(getCredit), enabled: mayHave, staleTime: 0 })
}

const MOVING = [getBuyer.path, getCredit.path, listCreditMoves.path]

/** Reads everything again that shows shop credit; resolves when it has arrived. */
export function useRefreshCredit(): () => Promise<void> {
  const queries = useQueryClient()
  return useCallback(
    () => queries.invalidateQueries({ predicate: ({ queryKey }) => (MOVING as unknown[]).includes(queryKey[0]) }),
    [queries],
  )
}
