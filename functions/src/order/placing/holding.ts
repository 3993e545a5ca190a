import type { PaymentCode } from '@shop/shared/catalogue/payment-method.ts'
import { AppError } from '@shop/shared/errors.ts'
import type { Satang } from '@shop/shared/money.ts'
import { HOLD_SECONDS } from '@shop/shared/order/order.ts'
import { freeTail, mustBeAllowed, quote } from '@shop/shared/order/purchase.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { uuidv7 } from 'uuidv7'
import type { Catalogue } from '../../catalogue/snapshot.ts'
import type { Sql } from '../../database/database.ts'
import { type Once, runOnce } from '../../http/idempotency.ts'
import { mustTakeOrders } from '../../outbox/safe-mode.ts'
import { findCreditBalance, findTakenTails } from './facts-store.ts'
import { offerOf, receivingAccountOf } from './offer.ts'
import { amountsExhausted, limitsOf, type Parts, type PlacingBuyer } from './placing.ts'
import * as store from './placing-store.ts'

export interface HoldRequest {
  gameCode: string
  packageId: number
  paymentCode: PaymentCode
  receivingAccountId: number
  /** Shop credit that the order is to use. */
  creditSatang: Satang
}

/**
 * Holds a transfer amount for this buyer for five minutes, until their order uses it; it replaces their earlier hold.
 */
export async function holdAmount(shop: Parts, buyer: PlacingBuyer, ask: HoldRequest, once: Once, now: Date) {
  const { receivingAccountId } = ask
  const reusableAt = addSeconds(now, HOLD_SECONDS)
  const prepare = async () => {
    const { options } = await shop.catalogue.atLeast(0)
    await shop.limits.takeShared(limitsOf(buyer, !buyer.isProven, options))
    await mustTakeOrders(shop.db)
    await mustHaveCredit(shop.db, buyer, ask.creditSatang)
    return holdablePrice(await shop.catalogue.latest(), buyer, ask, now)
  }
  const hold = async (tx: Sql, priceSatang: number) => {
    await store.releaseHold(tx, buyer.key)
    const taken = await takeFreeAmount(tx, buyer, { receivingAccountId, priceSatang, orderId: null, reusableAt }, now)
    if (!taken) throw await amountsExhausted(tx, buyer, priceSatang, now)
    return { id: taken.id, point: taken.tailSatang, priceSatang, heldUntil: reusableAt.toISOString() }
  }
  return runOnce(shop.db, once, now, hold, prepare)
}

/** Takes one of the amounts of an account that are free for this buyer; null when there is none. */
export async function takeFreeAmount(
  tx: Sql,
  buyer: Pick<PlacingBuyer, 'key' | 'caller' | 'isProven'>,
  want: { receivingAccountId: number; priceSatang: Satang; orderId: string | null; reusableAt: Date | null },
  now: Date,
): Promise<{ id: string; tailSatang: Satang } | null> {
  for (;;) {
    const tailSatang = freeTail(await findTakenTails(tx, { ...want, now }), buyer, Math.random())
    if (tailSatang === null) return null
    const id = uuidv7()
    if (await store.takeAmount(tx, { ...want, id, tailSatang, buyerKey: buyer.key, now })) return { id, tailSatang }
  }
}

/** Refuses credit that the buyer does not have; guests have none. @throws CREDIT_TOO_LOW */
async function mustHaveCredit(db: Sql, { uid }: PlacingBuyer, creditSatang: Satang): Promise<void> {
  if (creditSatang > (uid === null ? 0 : await findCreditBalance(db, uid))) throw new AppError('CREDIT_TOO_LOW')
}

/** Returns the price that an amount may be held for. */
function holdablePrice(catalogue: Catalogue, buyer: PlacingBuyer, ask: HoldRequest, now: Date): Satang {
  const { gameCode, packageId, paymentCode: payment, receivingAccountId, creditSatang } = ask
  if (payment !== 'bank') throw new AppError('PAYMENT_METHOD_NOT_ALLOWED')
  mustBeAllowed(buyer.caller, catalogue.options.ALLOW_GUEST_CHECKOUT)
  const game = catalogue.gamesByCode.get(gameCode)
  const offer = offerOf(catalogue, { game, packageId, payment, tierId: null, now })
  if (!receivingAccountOf(catalogue, receivingAccountId)) throw new AppError('RECEIVING_ACCOUNT_NOT_FOUND')
  const dueSatang = quote(buyer.caller, payment, offer, now).unitPriceSatang - creditSatang
  if (dueSatang <= 0) throw new AppError('CREDIT_COVERS_ALL')
  return dueSatang
}
