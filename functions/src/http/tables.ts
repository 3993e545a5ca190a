import { jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'

/** Replies of calls that must happen once, kept so that a repeat gets the same answer. */
export const idempotencyKey = pgTable(
  'idempotency_key',
  {
    /** The caller's key: `u:<uid>` or `g:<hash of the guest key>`. */
    scope: text().notNull(),
    key: text().notNull(),
    /** SHA-256 of method, path and body. */
    requestHash: text('request_hash').notNull(),
    reply: jsonb().notNull(),
    createdAt: instant('created_at').notNull(),
  },
  t => [primaryKey({ name: 'idempotency_key_once', columns: [t.scope, t.key] })],
)
