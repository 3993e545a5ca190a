import type { ErasureState } from '@shop/shared/privacy/erasure.ts'
import { sql } from 'drizzle-orm'
import { index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'

/**
 * Requests of owners to be erased. Who approved one stands in `value_move`, under the subject `erasure:<id>`.
 */
export const erasure = pgTable(
  'erasure',
  {
    /** UUIDv7. What stays of the account goes by `erased:<id>`. */
    id: uuid().primaryKey(),
    /** The account, then the resting account of its LINE identity; empty once they are erased. */
    uids: text().array().notNull(),
    /** What was bought as a guest in the browser that asked is erased, too. */
    guestHash: text('guest_hash'),
    state: text().$type<ErasureState>().notNull(),
    askedAt: instant('asked_at').notNull(),
    approvedAt: instant('approved_at'),
    /** Since when the identity provider gives out no more tokens for it. */
    closedAt: instant('closed_at'),
    endedAt: instant('ended_at'),
  },
  t => [
    uniqueIndex('erasure_open').on(sql`(${t.uids}[1])`).where(sql`${t.state} IN ('asked', 'approved')`),
    index('erasure_state').on(t.state, t.askedAt, t.id),
  ],
)
