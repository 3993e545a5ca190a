import { bigint, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'

/** Replies to idempotent calls, kept so that a repeat gets the same answer. */
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
  t => [
    primaryKey({ name: 'idempotency_key_once', columns: [t.scope, t.key] }),
    index('idempotency_key_created').on(t.createdAt).concurrently(),
  ],
)

/**
 * Calls counted against the limits that all processes share. The table is unlogged (see the migration): after a crash
 * of the database all counts start from zero.
 */
export const rateLimit = pgTable('rate_limit', {
  /** The limit's name, ":", and the caller's uid or network. */
  key: text().primaryKey(),
  points: integer().notNull().default(0),
  /** Milliseconds since 1970, by the clock of the process that counted first. */
  expire: bigint({ mode: 'number' }),
})
