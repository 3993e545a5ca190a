import type { EndpointInput } from '@shop/shared/endpoint.ts'
import { confirmOrder, type OrderView } from '@shop/shared/order/endpoints.ts'
import { api } from '../api.ts'
import { type Draft, getQuantity } from '../order/draft.ts'
import { sendOnce } from '../order/place-order.ts'

/** The PIN is never part of what is kept. */
export type WalletRequest = Omit<EndpointInput<typeof confirmOrder>['body'], 'pin'>

/** What is sent, but for the PIN, for a complete wallet selection; null while something is missing. */
export function toWalletRequest(draft: Draft, gameId: number, termsVersion: string): WalletRequest | null {
  const { playerId, field2, field3, field4, field5 } = draft
  if (draft.paymentMethod !== 'wallet' || !draft.package || !playerId) return null
  const player = { playerId, field2, field3, field4, field5 }
  return { gameId, packageId: draft.package, ...player, quantity: getQuantity(draft), termsVersion }
}

/**
 * Buys from the wallet. Trying again after a lost connection gives the order of the first try, with whatever PIN.
 * Rejects with the server's `AppError`.
 */
export const placeWalletOrder = (request: WalletRequest, pin: string): Promise<OrderView> =>
  sendOnce(request, idempotencyKey => api.call(confirmOrder, { body: { ...request, pin }, idempotencyKey }))
