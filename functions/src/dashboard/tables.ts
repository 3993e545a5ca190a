import type { PaymentCode } from '@shop/shared/catalogue/catalogue.ts'
import { date, type ExtraConfigColumn, integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core'
import { gamePackage } from '../catalogue/tables.ts'
import { satang } from '../database/columns.ts'

const columns = () => ({
  /** Of a month its first day. */
  day: date({ mode: 'string' }).notNull(),
  packageId: integer('package_id')
    .notNull()
    .references(() => gamePackage.id),
  payment: text().$type<PaymentCode>().notNull(),
  /** 0..7, see `saleCtes`. */
  slot: smallint().notNull(),
  orders: integer().notNull(),
  /** Pieces. */
  quantity: integer().notNull(),
  revenueSatang: satang('revenue_satang').notNull(),
  /** What the shop paid, as far as that is known. */
  costSatang: satang('cost_satang').notNull(),
  /** The part of the revenue whose cost is not known. */
  uncostedSatang: satang('uncosted_satang').notNull(),
})

const key = (t: Record<'day' | 'packageId' | 'payment' | 'slot', ExtraConfigColumn>) => [
  primaryKey({ columns: [t.day, t.packageId, t.payment, t.slot] }),
]

/**
 * What was sold on a Bangkok day and not given back: the dashboards read nothing else. A sale is of the day on which it
 * was paid. One day of one package may be told in several rows, which add up: buyers of the same moment write to
 * different ones instead of waiting for each other, so a single row may also be below zero.
 */
export const saleDay = pgTable('sale_day', columns(), key)

/** The same of months, so that a year is read as fast as a week. */
export const saleMonth = pgTable('sale_month', columns(), key)
