import { sql } from 'drizzle-orm'
import { index, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { instant, satang } from '../database/columns.ts'
import { slip } from '../upload/tables.ts'

/** Slips whose file is there but whose row was lost: somebody paid for something that the books do not know. */
export const lostSlip = pgTable(
  'lost_slip',
  {
    slipId: uuid('slip_id')
      .primaryKey()
      .references(() => slip.id),
    foundAt: instant('found_at').notNull(),
    /** Who dealt with it, and what they did; null while it waits. */
    closedBy: text('closed_by'),
    closedAt: instant('closed_at'),
    closedReason: text('closed_reason'),
  },
  t => [index('lost_slip_open').on(t.foundAt).where(sql`${t.closedAt} IS NULL`)],
)

/** Purchases that the supplier has and no order here knows: somebody's wallet paid for them in the lost time. */
export const lostPurchase = pgTable(
  'lost_purchase',
  {
    id: uuid().primaryKey(),
    supplier: text().notNull(),
    /** Our reference, and the supplier's own. */
    reference: text().notNull(),
    theirId: text('their_id'),
    /** When, what and for whom, as far as the supplier's list told. */
    boughtAt: instant('bought_at'),
    product: text(),
    player: text(),
    costSatang: satang('cost_satang'),
    foundAt: instant('found_at').notNull(),
    /** Who dealt with it, and what they did; null while it waits. */
    closedBy: text('closed_by'),
    closedAt: instant('closed_at'),
    closedReason: text('closed_reason'),
  },
  t => [
    unique('lost_purchase_once').on(t.supplier, t.reference),
    index('lost_purchase_open').on(t.foundAt).where(sql`${t.closedAt} IS NULL`),
  ],
)
