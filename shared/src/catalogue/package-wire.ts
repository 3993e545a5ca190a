import * as z from 'zod'
import { line } from '../line.ts'
import { satang } from '../wire.ts'
import { SOURCE_NAMES } from './delivers.ts'
import { PRICE_CODES } from './payment-method.ts'
import { MOST_PRICE_SATANG } from './price-editing.ts'

/** Parts of a package as calls hold them. */

const day = z.iso.date()

export const priceEdit = z.object({
  payment: z.enum(PRICE_CODES),
  priceSatang: satang.min(0).max(MOST_PRICE_SATANG).nullable(),
  startDay: day.nullable(),
  /** null = no end. */
  endDay: day.nullable(),
  isActive: z.boolean(),
  /** A price that replaces this one at 00:00 Bangkok of a day. */
  nextPriceSatang: satang.min(0).max(MOST_PRICE_SATANG).nullable(),
  nextDay: day.nullable(),
})

export const source = z.object({
  supplier: z.enum(SOURCE_NAMES),
  /** Empty for the shop's own stock. */
  sku: line(60),
  /** The most that one piece may cost there; null takes the package's cost. */
  costSatang: satang.min(0).max(MOST_PRICE_SATANG).nullable(),
})
