import { AppError } from '../errors.ts'
import type { Satang } from '../money.ts'
import { DAY_MS, startOfBangkokDay } from '../time.ts'

/** A price of one package for one payment method, as stored. Days are Bangkok days "YYYY-MM-DD". */
export interface PriceRow {
  priceSatang: Satang
  startDay: string
  /** Last day of sale, inclusive; null = no end. */
  endDay: string | null
  isActive: boolean
  /** The price that takes this one's place from a day on; both or neither. */
  nextPriceSatang: Satang | null
  nextDay: string | null
}

/** The list price at a moment: one set for later takes the other's place at 00:00 Bangkok of its day. */
export function listPriceAt(row: Pick<PriceRow, 'priceSatang' | 'nextPriceSatang' | 'nextDay'>, now: Date): Satang {
  const hasNext = row.nextDay !== null && row.nextPriceSatang !== null
  return hasNext && now >= startOfBangkokDay(row.nextDay!) ? row.nextPriceSatang! : row.priceSatang
}

/** The least it is or will be sold at, as far as it is known. */
export const lowestListPrice = (row: PriceRow, now: Date): Satang =>
  Math.min(listPriceAt(row, now), row.nextPriceSatang ?? Number.POSITIVE_INFINITY)

/** Whether the sale window holds: from 00:00 of the start day to the end of the end day, Asia/Bangkok. */
export function isOnSale(row: PriceRow, now: Date): boolean {
  if (!row.isActive || listPriceAt(row, now) <= 0) return false
  if (now < startOfBangkokDay(row.startDay)) return false
  return row.endDay === null || now.getTime() < startOfBangkokDay(row.endDay).getTime() + DAY_MS
}

/** What a buyer pays for one piece, in satang: the price less their discount, never below zero. */
export const sellingPriceOf = (each: { priceSatang: Satang; discountSatang: Satang }): Satang =>
  Math.max(0, each.priceSatang - each.discountSatang)

/**
 * The price in force: the enabled row whose window holds now, minus the caller's discount, never below zero.
 * Throws PACKAGE_NOT_ON_SALE when no row is on sale.
 */
export function priceInForce(row: PriceRow | null, discountSatang: Satang, now: Date): Satang {
  if (!row || !isOnSale(row, now)) throw new AppError('PACKAGE_NOT_ON_SALE')
  return sellingPriceOf({ priceSatang: listPriceAt(row, now), discountSatang })
}

/** What one piece of an order cost: the order's price, without the tail of its transfer, by its pieces. */
export const unitPriceOf = ({ priceSatang, quantity }: { priceSatang: Satang; quantity: number }): Satang =>
  Math.round(priceSatang / quantity)
