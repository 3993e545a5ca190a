import { sql } from 'drizzle-orm'
import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'
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
