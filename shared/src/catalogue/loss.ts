import type { Satang } from '../money.ts'
import { bangkokDay } from '../time.ts'
import type { PaymentCode } from './catalogue.ts'
import { lowestListPrice, type PriceRow, sellingPriceOf } from './pricing.ts'

/** What a package is sold for, and what it costs the shop. */
export interface SoldPackage {
  /** Of one piece; null = not known. */
  costSatang: Satang | null
  prices: readonly (PriceRow & { payment: PaymentCode })[]
  /** The most that any tier gets off it. */
  discountSatang: Satang
}

/**
 * What the shop loses with one piece, in satang: its cost less the least that anybody pays for it now, or will by what is set
 * already; 0 where nothing is lost. What is given away loses at least what it is priced at, its cost known or not.
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
