import type { PaymentCode } from '@shop/shared/catalogue/catalogue.ts'
import { date, type ExtraConfigColumn, integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core'
import { gamePackage } from '../catalogue/tables.ts'
import { satang } from '../database/columns.ts'

const columns = () => ({
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

const key = (t: Record<'day' | 'packageId' | 'payment' | 'slot', ExtraConfigColumn>) => [
  primaryKey({ columns: [t.day, t.packageId, t.payment, t.slot] }),
]

/**
 * Sales by Bangkok day of payment, without refunded orders; the dashboards read these tables only. One day of one
 * package may be spread over several rows that add up, so that buyers at the same moment write to different rows
 * instead of waiting for each other. A single row may therefore be negative.
 */
export const saleDay = pgTable('sale_day', columns(), key)

/** Sales by month, so that a year is read as fast as a week. */
export const saleMonth = pgTable('sale_month', columns(), key)
