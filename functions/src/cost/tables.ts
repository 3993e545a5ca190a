import type { Delivers } from '@shop/shared/catalogue/delivers.ts'
import type { Rounding, RuleTarget } from '@shop/shared/catalogue/price-rule.ts'
import type { ProductChangeKind } from '@shop/shared/cost/product-change.ts'
import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { game } from '../catalogue/tables.ts'
import { instant, satang } from '../database/columns.ts'

/** How the reading of a supplier's list of products went; one row for each supplier. */
export const supplierList = pgTable('supplier_list', {
  supplier: text().primaryKey(),
  triedAt: instant('tried_at').notNull(),
  /** When the whole list was last read and believed. */
  readAt: instant('read_at'),
  /** When it could not be read; null since it could. */
  failedAt: instant('failed_at'),
  /** When it first lacked most of its products; the second time in a row it is believed. */
  doubtedAt: instant('doubted_at'),
})

/** A product of a supplier, as its list last told it. */
export const supplierProduct = pgTable(
  'supplier_product',
  {
    supplier: text().notNull(),
    sku: text().notNull(),
    name: text().notNull(),
    delivers: text().$type<Delivers>().notNull(),
    /** As the supplier writes it. */
    price: text().notNull(),
    currency: text().notNull(),
    /** null while the currency's rate is not known. */
    costSatang: satang('cost_satang'),
    isInStock: boolean('is_in_stock').notNull(),
    region: text().notNull(),
    fields: text().array().notNull(),
    seenAt: instant('seen_at').notNull(),
    changedAt: instant('changed_at').notNull(),
    /** Since when the list has lacked it. */
    goneAt: instant('gone_at'),
  },
  t => [primaryKey({ columns: [t.supplier, t.sku] })],
)

/** What changed about a product from one list to the next. */
export const supplierProductChange = pgTable(
  'supplier_product_change',
  {
    /** UUIDv7. */
    id: uuid().primaryKey(),
    supplier: text().notNull(),
    sku: text().notNull(),
    name: text().notNull(),
    kind: text().$type<ProductChangeKind>().notNull(),
    currency: text().notNull(),
    fromPrice: text('from_price'),
    toPrice: text('to_price'),
    fromSatang: satang('from_satang'),
    toSatang: satang('to_satang'),
    at: instant('at').notNull(),
  },
  t => [index('supplier_product_change_at').on(t.at, t.id)],
)

/** How a game's prices follow the costs of its packages. */
export const priceRule = pgTable(
  'price_rule',
  {
    gameId: integer('game_id')
      .notNull()
      .references(() => game.id),
    target: text().$type<RuleTarget>().notNull(),
    basisPoints: integer('basis_points').notNull(),
    fixedSatang: satang('fixed_satang').notNull(),
    leastSatang: satang('least_satang').notNull(),
    rounding: text().$type<Rounding>().notNull(),
  },
  t => [
    primaryKey({ columns: [t.gameId, t.target] }),
    check('price_rule_earns', sql`${t.basisPoints} >= 0 AND ${t.fixedSatang} >= 0 AND ${t.leastSatang} >= 0`),
  ],
)
