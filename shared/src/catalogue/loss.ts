import type { Satang } from '../money.ts'
import { bangkokDay } from '../time.ts'
import type { PriceCode } from './payment-method.ts'
import { isOnSale, listPriceAt, lowestListPrice, type PriceRow, sellingPriceOf } from './pricing.ts'

/** A package's prices, its cost and its largest discount. */
export interface SoldPackage {
  /** The cost of one piece; null when unknown. */
  costSatang: Satang | null
  prices: readonly (PriceRow & { payment: PriceCode })[]
  /** The largest discount of any tier. */
  discountSatang: Satang
}

/** The loss with one piece at a price of a payment method. */
function lossAt({ costSatang, discountSatang }: SoldPackage, payment: PriceCode, priceSatang: Satang): Satang {
  const off = payment === 'wallet' ? discountSatang : 0
  const paysSatang = sellingPriceOf({ priceSatang, discountSatang: off })
  const cost = costSatang ?? 0
  return paysSatang === 0 ? Math.max(cost, priceSatang) : cost - paysSatang
}

/**
 * Returns the shop's loss with one piece in satang: its cost minus the lowest price that anybody pays now or will pay
 * by the prices already set; 0 without a loss. A package that is free for somebody loses at least its price, even when
 * its cost is unknown.
 */
export function lossOf(sold: SoldPackage, now: Date): Satang {
  const today = bangkokDay(now)
  const losses = sold.prices
    .filter(({ isActive, endDay }) => isActive && (endDay === null || endDay >= today))
    .map(row => lossAt(sold, row.payment, lowestListPrice(row, now)))
  return Math.max(0, ...losses)
}

/** A package with the loss for one piece that somebody agreed to. */
export interface AgreedPackage extends SoldPackage {
  agreedLossSatang: Satang
}

/**
 * Tells whether a package would be sold now at a loss that nobody agreed to, because its cost has passed its price. It
 * is not sold then; it goes on by itself when the cost falls or the price rises.
 */
export function isBelowCost(sold: AgreedPackage, now: Date): boolean {
  if (sold.costSatang === null) return false
  const losses = sold.prices
    .filter(row => isOnSale(row, now))
    .map(row => lossAt(sold, row.payment, listPriceAt(row, now)))
  return Math.max(0, ...losses) > sold.agreedLossSatang
}
