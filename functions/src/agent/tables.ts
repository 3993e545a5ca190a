import { sql } from 'drizzle-orm'
import { boolean, check, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { account } from '../account/tables.ts'
import { gamePackage } from '../catalogue/tables.ts'
import { satang } from '../database/columns.ts'

/** A class of agents: the limits of their wallets and orders; discounts are set for each class. */
export const agentTier = pgTable('agent_tier', {
  id: integer().primaryKey().generatedByDefaultAsIdentity(),
  name: text().notNull(),
  description: text().notNull().default(''),
  maxAmountSatang: satang('max_amount_satang').notNull(),
  minTopUpSatang: satang('min_top_up_satang').notNull(),
  maxAmountPerOrderSatang: satang('max_amount_per_order_satang').notNull(),
  maxItemPerOrder: integer('max_item_per_order').notNull(),
  isActive: boolean('is_active').notNull().default(true),
})

/** The amount that a tier pays less than a package's wallet price. */
export const discount = pgTable(
  'discount',
  {
    packageId: integer('package_id')
      .notNull()
      .references(() => gamePackage.id),
    tierId: integer('tier_id')
      .notNull()
      .references(() => agentTier.id),
    discountSatang: satang('discount_satang').notNull(),
    isActive: boolean('is_active').notNull().default(true),
  },
  t => [
    primaryKey({ columns: [t.packageId, t.tierId] }),
    check('discount_bounds', sql`${t.discountSatang} BETWEEN 0 AND 50000`),
  ],
)

/** The bank account an agent pays from. */
export const agentBank = pgTable('agent_bank', {
  uid: text()
    .primaryKey()
    .references(() => account.uid),
  bankCode: text('bank_code').notNull(),
  bankAccount: text('bank_account').notNull(),
})
