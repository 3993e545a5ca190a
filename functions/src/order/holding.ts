import type { PaymentCode } from '@shop/shared/catalogue/payment-method.ts'
import { AppError } from '@shop/shared/errors.ts'
import type { Satang } from '@shop/shared/money.ts'
import { HOLD_SECONDS } from '@shop/shared/order/order.ts'
import { freeTail, mustBeAllowed, quote } from '@shop/shared/order/purchase.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { uuidv7 } from 'uuidv7'
import type { Catalogue } from '../catalogue/snapshot.ts'
import type { Sql } from '../database/database.ts'
import { type Once, runOnce } from '../http/idempotency.ts'
import { mustTakeOrders } from '../outbox/safe-mode.ts'
import { findTakenTails } from './facts-store.ts'
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
    return holdablePrice(await shop.catalogue.latest(), buyer, ask, now)
  }
  const hold = async (tx: Sql, priceSatang: number) => {
    await store.releaseHold(tx, buyer.key)
    for (;;) {
      const taken = await findTakenTails(tx, { receivingAccountId, priceSatang, now })
      const tailSatang = freeTail(taken, buyer, Math.random())
      if (tailSatang === null) throw await amountsExhausted(tx, buyer, priceSatang, now)
      const id = uuidv7()
      const amount = { receivingAccountId, priceSatang, tailSatang }
      if (await store.holdAmount(tx, { id, ...amount, buyerKey: buyer.key, reusableAt, now }))
        return { id, point: tailSatang, priceSatang, heldUntil: reusableAt.toISOString() }
    }
  }
  return runOnce(shop.db, once, now, hold, prepare)
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
