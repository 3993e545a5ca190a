import type { PaymentCode } from '@shop/shared/catalogue/payment-method.ts'
import { date, type ExtraConfigColumn, integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core'
import { gamePackage } from '../catalogue/tables.ts'
import { satang } from '../database/columns.ts'

const sums = () => ({
  /** For months, the first day of the month. */
  day: date({ mode: 'string' }).notNull(),
  packageId: integer('package_id')
    .notNull()
    .references(() => gamePackage.id),
  payment: text().$type<PaymentCode>().notNull(),
  /** 0..7, see `saleCtes`. */
  slot: smallint().notNull(),
  orders: integer().notNull(),
  /** The number of pieces sold. */
  quantity: integer().notNull(),
  revenueSatang: satang('revenue_satang').notNull(),
  /** The shop's cost, as far as it is known. */
  costSatang: satang('cost_satang').notNull(),
  /** The part of the revenue whose cost is unknown. */
  uncostedSatang: satang('uncosted_satang').notNull(),
})

const sumsOfBuyer = () => ({
  ...sums(),
  /** The uid of the reseller whose wallet paid, else the channel of the buyer; see `buyerOf`. */
  buyer: text().notNull(),
})

const keyOfBuyer = (t: Record<'day' | 'packageId' | 'payment' | 'buyer' | 'slot', ExtraConfigColumn>) => [
  primaryKey({ columns: [t.day, t.packageId, t.payment, t.buyer, t.slot] }),
]

/**
 * Sales by Bangkok day of payment, without refunded orders; the dashboards read these tables only. One day of one
 * package and buyer may be spread over several rows that add up, so that buyers at the same moment write to different
 * rows instead of waiting for each other. A single row may therefore be negative.
 */
export const soldDay = pgTable('sold_day', sumsOfBuyer(), keyOfBuyer)

/** Sales by month, so that a year is read as fast as a week. */
export const soldMonth = pgTable('sold_month', sumsOfBuyer(), keyOfBuyer)

const formerKey = (t: Record<'day' | 'packageId' | 'payment' | 'slot', ExtraConfigColumn>) => [
  primaryKey({ columns: [t.day, t.packageId, t.payment, t.slot] }),
]

/**
 * The same sums without their buyers, which nobody reads any more. Servers of the version before still write them while
 * a new one is deployed, so only a later migration can drop them.
 */
export const saleDay = pgTable('sale_day', sums(), formerKey)
export const saleMonth = pgTable('sale_month', sums(), formerKey)
