import type { Satang } from '../money.ts'
import { bangkokDay } from '../time.ts'
import type { PriceCode } from './payment-method.ts'
import { lowestListPrice, type PriceRow, sellingPriceOf } from './pricing.ts'

/** A package's prices, its cost and its largest discount. */
export interface SoldPackage {
  /** The cost of one piece; null when unknown. */
  costSatang: Satang | null
  prices: readonly (PriceRow & { payment: PriceCode })[]
  /** The largest discount of any tier. */
  discountSatang: Satang
}

/**
 * Returns the shop's loss with one piece in satang: its cost minus the lowest price that anybody pays now or will pay
 * by the prices already set; 0 without a loss. A package that is free for somebody loses at least its price, even when
 * its cost is unknown.
 */
export function lossOf({ costSatang, prices, discountSatang }: SoldPackage, now: Date): Satang {
  const today = bangkokDay(now)
  const losses = prices
    .filter(({ isActive, endDay }) => isActive && (endDay === null || endDay >= today))
    .map(row => {
      const priceSatang = lowestListPrice(row, now)
      const off = row.payment === 'wallet' ? discountSatang : 0
      const paysSatang = sellingPriceOf({ priceSatang, discountSatang: off })
      const cost = costSatang ?? 0
      return paysSatang === 0 ? Math.max(cost, priceSatang) : cost - paysSatang
    })
  return Math.max(0, ...losses)
}
