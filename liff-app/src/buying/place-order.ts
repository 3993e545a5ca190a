import { NO_PLAYER, type PlayerValues, playerValuesOf } from '@shop/shared/catalogue/catalogue.ts'
import { isGatewayMethod, PAYMENT_METHOD, type PaymentKind } from '@shop/shared/catalogue/payment-method.ts'
import { sellingPriceOf } from '@shop/shared/catalogue/pricing.ts'
import { confirmCredit } from '@shop/shared/credit/endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import type { Satang } from '@shop/shared/money.ts'
import { confirmCharge } from '@shop/shared/order/charge-endpoints.ts'
import { confirmOrder, confirmPrice, type OrderView } from '@shop/shared/order/endpoints.ts'
import { api } from '../api.ts'
import type { Draft } from '../draft.ts'
import { ensureGuestKey } from '../guest-key.ts'
import { isFlag, isNumber, isText, orNone, orNull, read, remove, shapeOf, write } from '../storage.ts'
import { isSameRequest } from '../unanswered.ts'
import { type CreditPlan, payingWith } from './credit-plan.ts'
import { quantityOf } from './selection.ts'
import type { OfferedPackage } from './use-offer.ts'

/** A complete selection, from which an order can be made. */
export interface Selection {
  draft: Draft
  chosen: OfferedPackage
  /** The version of the terms that the screen showed. */
  termsVersion: string
  /** What shop credit pays of it. */
  credit: CreditPlan | null
}

interface Goods extends PlayerValues {
  gameId: number
  packageId: number
  termsVersion: string
  acceptedWarning?: string
  /** The price of one piece on the screen. Requests that an earlier version of the shop has kept have none. */
  seenPriceSatang?: Satang | undefined
}

interface OrderRequest {
  /** What makes it the same request as another. It is kept in the browser, so the PIN is never part of it. */
  body: Goods
  send: (idempotencyKey: string, pin: string | undefined) => Promise<OrderView>
}

/** The request by the way that money comes, with what it adds to the goods; null while the selection lacks that. */
const REQUESTS: Record<PaymentKind, (goods: Goods, draft: Draft, creditSatang: Satang) => OrderRequest | null> = {
  bank: (goods, { bank }, creditSatang) => {
    if (!bank) return null
    const body = { ...goods, receivingAccountId: bank, creditSatang }
    const send: OrderRequest['send'] = (idempotencyKey, pin) => {
      ensureGuestKey()
      return api.call(confirmPrice, { body: { ...body, pin }, idempotencyKey })
    }
    return { body, send }
  },
  gateway: (goods, { paymentMethod }, creditSatang) => {
    if (!paymentMethod || !isGatewayMethod(paymentMethod)) return null
    const body = { ...goods, payment: paymentMethod, creditSatang }
    const send: OrderRequest['send'] = (idempotencyKey, pin) => {
      ensureGuestKey()
      return api.call(confirmCharge, { body: { ...body, pin }, idempotencyKey })
    }
    return { body, send }
  },
  wallet: (goods, draft) => {
    const body = { ...goods, quantity: quantityOf(draft) }
    const send: OrderRequest['send'] = (idempotencyKey, pin = '') =>
      api.call(confirmOrder, { body: { ...body, pin }, idempotencyKey })
    return { body, send }
  },
  credit: goods => ({
    body: goods,
    send: (idempotencyKey, pin) => api.call(confirmCredit, { body: { ...goods, pin }, idempotencyKey }),
  }),
}

/** The player whom it is for; codes are nobody's. */
const playerOf = (draft: Draft, { delivers }: OfferedPackage): PlayerValues =>
  delivers === 'code' ? { playerId: NO_PLAYER } : playerValuesOf(draft)

/** @throws PAYMENT_METHOD_NOT_ALLOWED while something is missing */
function requestOf(
  { draft, chosen, termsVersion, credit }: Selection,
  seenPriceSatang: Satang | undefined,
): OrderRequest {
  const { gameId, payment } = chosen
  const { package: packageId, paymentMethod, acceptedWarning } = draft
  const player = playerOf(draft, chosen)
  const agreed = { termsVersion, ...(acceptedWarning ? { acceptedWarning } : {}), seenPriceSatang }
  const goods = packageId && player.playerId && { gameId, packageId, ...player, ...agreed }
  const { kind } = PAYMENT_METHOD[payingWith(credit, payment)]
  const request = goods && paymentMethod === payment ? REQUESTS[kind](goods, draft, credit?.satang ?? 0) : null
  if (!request) throw new AppError('PAYMENT_METHOD_NOT_ALLOWED')
  return request
}

/** A request without an answer so far, as the browser keeps it. */
interface UnansweredRequest {
  key: string
  request: Goods
  /** When it was first sent. */
  at: number
  /** What shop credit was to pay; it may be spent by the very request whose answer was lost. */
  credit?: CreditPlan | null | undefined
}

const isUnansweredRequest = shapeOf<UnansweredRequest>({
  key: isText,
  at: isNumber,
  credit: orNone(orNull(shapeOf<CreditPlan>({ satang: isNumber, coversAll: isFlag }))),
  request: (value): value is Goods => (value as Goods | null)?.termsVersion !== undefined,
})

/** The server remembers its answers for seven days. An older request would be carried out again. */
const REMEMBERED_MS = 6 * 24 * 3_600_000

/** The unanswered request for the same selection, with its own terms, warning and price, or null. */
function findUnanswered(selection: Selection): (OrderRequest & Omit<UnansweredRequest, 'request'>) | null {
  const kept = read('placing', isUnansweredRequest)
  if (kept === null || Date.now() - kept.at >= REMEMBERED_MS) return null
  const { key, at, credit = null } = kept
  const { termsVersion, acceptedWarning, seenPriceSatang } = kept.request
  const wanted = { ...selection, draft: { ...selection.draft, acceptedWarning }, termsVersion, credit }
  const request = requestOf(wanted, seenPriceSatang)
  if (JSON.stringify(kept.request) !== JSON.stringify(request.body)) return null
  return { ...request, key, at, credit }
}

/** Whether the same selection was sent before and has had no answer yet. */
export const isPlacing = (selection: Selection): boolean => findUnanswered(selection) !== null

/**
 * Orders the selection under a key that stays the same until there is an answer, even over a reload. So another try
 * after a lost connection gives the order of the first try, whatever PIN it has. Rejects with the server's `AppError`.
 */
export async function placeOrder(selection: Selection, pin?: string): Promise<OrderView> {
  const { chosen, credit } = selection
  const fresh = () => ({
    ...requestOf(selection, sellingPriceOf(chosen)),
    key: crypto.randomUUID(),
    at: Date.now(),
    credit,
  })
  const { body, send, ...sent } = findUnanswered(selection) ?? fresh()
  write('placing', { ...sent, request: body } satisfies UnansweredRequest)
  try {
    const order = await send(sent.key, pin)
    remove('placing')
    return order
  } catch (error) {
    if (!isSameRequest(error)) remove('placing')
    throw error
  }
}

/** The failure to read the balance, before anything was sent. */
export class NotRead extends Error {
  override message = 'ดึงข้อมูลไม่สำเร็จ กรุณาลองใหม่อีกครั้ง'
}

/** The price of one piece for which the server has refused an order, since the buyer saw another; else null. */
export function findNewPrice(error: unknown): Satang | null {
  const isOther = error instanceof AppError && error.code === 'PRICE_CHANGED'
  const priceSatang = isOther ? error.details?.priceSatang : null
  return isNumber(priceSatang) ? priceSatang : null
}
