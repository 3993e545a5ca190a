import { AppError } from '../errors.ts'
import type { Satang } from '../money.ts'
import { type Caller, isAdminSide } from '../permissions.ts'
import { DAY_MS, startOfBangkokDay } from '../time.ts'

export const PAYMENT_CODES = ['bank', 'wallet'] as const
export type PaymentCode = (typeof PAYMENT_CODES)[number]

/** The game whose player id can be checked with its publisher. */
export const VERIFIABLE_GAME_CODE = 'pubg'

/** A label for one of the player's inputs; the first one is the player id. */
export interface PlayerField {
  name: 'field1' | 'field2' | 'field3' | 'field4' | 'field5'
  label: string
}

/** A price of one package for one payment method, as stored. Days are Bangkok days "YYYY-MM-DD". */
export interface PriceRow {
  priceSatang: Satang
  startDay: string
  /** Last day of sale, inclusive; null = no end. */
  endDay: string | null
  isActive: boolean
}

/** Whether the sale window holds: from 00:00 of the start day to the end of the end day, Asia/Bangkok. */
export function isOnSale(row: PriceRow, now: Date): boolean {
  if (!row.isActive || row.priceSatang <= 0) return false
  if (now < startOfBangkokDay(row.startDay)) return false
  return row.endDay === null || now.getTime() < startOfBangkokDay(row.endDay).getTime() + DAY_MS
}

/**
 * The price in force: the enabled row whose window holds now, minus the caller's discount, never below zero.
 * Throws PACKAGE_NOT_ON_SALE when no row is on sale.
 */
export function priceInForce(row: PriceRow | null, discountSatang: Satang, now: Date): Satang {
  if (!row || !isOnSale(row, now)) throw new AppError('PACKAGE_NOT_ON_SALE')
  return Math.max(0, row.priceSatang - discountSatang)
}

/**
 * Which payment methods a caller may buy with: agents only from the wallet, customers and guests never,
 * the admin side all of them.
 */
export function paymentMethodsFor(caller: Caller): PaymentCode[] {
  if (caller === 'agent') return ['wallet']
  return isAdminSide(caller) ? [...PAYMENT_CODES] : ['bank']
}
