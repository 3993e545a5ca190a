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
  /** The price that replaces this one from a day on; both are set or neither. */
  nextPriceSatang: Satang | null
  nextDay: string | null
}

/** Returns the list price at a moment: a next price replaces the other one at 00:00 Bangkok of its day. */
export function listPriceAt(row: Pick<PriceRow, 'priceSatang' | 'nextPriceSatang' | 'nextDay'>, now: Date): Satang {
  const hasNext = row.nextDay !== null && row.nextPriceSatang !== null
  return hasNext && now >= startOfBangkokDay(row.nextDay!) ? row.nextPriceSatang! : row.priceSatang
}

/** Returns the lowest list price now or later, as far as it is known. */
export const lowestListPrice = (row: PriceRow, now: Date): Satang =>
  Math.min(listPriceAt(row, now), row.nextPriceSatang ?? Number.POSITIVE_INFINITY)

/** Tells whether the price is on sale: from 00:00 of the start day to the end of the end day, Bangkok time. */
export function isOnSale(row: PriceRow, now: Date): boolean {
  if (!row.isActive || listPriceAt(row, now) <= 0) return false
  if (now < startOfBangkokDay(row.startDay)) return false
  return row.endDay === null || now.getTime() < startOfBangkokDay(row.endDay).getTime() + DAY_MS
}

/** Returns what a buyer pays for one piece, in satang: the price minus their discount, never below zero. */
export const sellingPriceOf = (each: { priceSatang: Satang; discountSatang: Satang }): Satang =>
  Math.max(0, each.priceSatang - each.discountSatang)

/**
 * Returns the current price: that of the enabled row on sale now, minus the caller's discount, never below zero. Throws
 * PACKAGE_NOT_ON_SALE when no row is on sale.
 */
export function priceInForce(row: PriceRow | null, discountSatang: Satang, now: Date): Satang {
  if (!row || !isOnSale(row, now)) throw new AppError('PACKAGE_NOT_ON_SALE')
  return sellingPriceOf({ priceSatang: listPriceAt(row, now), discountSatang })
}

/**
 * Returns the price of one piece of an order: the order's price, without its transfer's tail, divided by its pieces.
 */
export const unitPriceOf = ({ priceSatang, quantity }: { priceSatang: Satang; quantity: number }): Satang =>
  Math.round(priceSatang / quantity)
