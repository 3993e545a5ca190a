import { getBuyer } from '@shop/shared/credit/buyer-endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { can } from '@shop/shared/permissions.ts'
import { getStatement, getWallet, listOwnTransactions } from '@shop/shared/wallet/endpoints.ts'
import { getGatewayTopUp } from '@shop/shared/wallet/top-up-endpoints.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useSession } from '../account/session.tsx'
import { api } from '../api.ts'

/** The signed-in person's own wallet, read again whenever a page shows it. Nothing is read for people without one. */
export function useWallet() {
  const { me } = useSession()
  const mayHave = me !== null && can(me.role, 'wallet.own')
  return useQuery({ ...api.query(getWallet), enabled: mayHave, staleTime: 0 })
}

/** Whether the account has no wallet yet, because it was given no tier so far. That is no failure. */
export const isWithoutWallet = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'WALLET_NOT_FOUND'

const MOVING = [getBuyer.path, getWallet.path, listOwnTransactions.path, getStatement.path, getGatewayTopUp.path]

/** Reads everything again that shows the wallet's money; resolves when it has arrived. */
export function useRefreshWallet(): () => Promise<void> {
  const queries = useQueryClient()
  return useCallback(
    () => queries.invalidateQueries({ predicate: ({ queryKey }) => (MOVING as unknown[]).includes(queryKey[0]) }),
    [queries],
  )
}
