import type { GamePackage } from '@shop/shared/catalogue/endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { confirmPrice, getPrice, type OrderView } from '@shop/shared/order/endpoints.ts'
import { api } from '../api.ts'
import { ensureGuestKey } from '../guest-key.ts'
import { type Draft, endPlacing, getPlacingKey, isPlacing, toOrderRequest } from './draft.ts'

/** What became of a confirmed selection: an order, or a price that is no longer the one the customer saw. */
export type Placed = { kind: 'placed'; order: OrderView } | { kind: 'price-changed'; priceSatang: number }

/** No answer is no refusal: the order may exist, and only the same request again can tell. */
export const isUnanswered = (error: unknown): boolean =>
  !(error instanceof AppError) || error.code === 'UNAVAILABLE' || error.code === 'INTERNAL'

/** Sends a request under its key, which stays the same until there is an answer. */
export async function sendOnce<T>(request: object, send: (idempotencyKey: string) => Promise<T>): Promise<T> {
  try {
    const reply = await send(getPlacingKey(request))
    endPlacing()
    return reply
  } catch (error) {
    if (!isUnanswered(error)) endPlacing()
    throw error
  }
}

/**
 * Places the bank order of a complete selection. Trying again after a lost connection gives the order of the first try.
 * Rejects with the server's `AppError`.
 */
export async function placeOrder(draft: Draft, chosen: GamePackage, termsVersion: string): Promise<Placed> {
  const request = toOrderRequest(draft, chosen.gameId, termsVersion)
  if (!request) throw new AppError('PAYMENT_METHOD_NOT_ALLOWED')
  ensureGuestKey()
  if (!isPlacing(request)) {
    const { priceSatang } = await api.call(getPrice, {
      params: { gameCode: draft.gameCode, packageId: chosen.id, playerId: draft.playerId, paymentCode: 'bank' },
    })
    if (priceSatang !== draft.actualPrice) return { kind: 'price-changed', priceSatang }
  }
  const send = (idempotencyKey: string) => api.call(confirmPrice, { body: request, idempotencyKey })
  return { kind: 'placed', order: await sendOnce(request, send) }
}
