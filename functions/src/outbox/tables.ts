import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'
import type { OutboxKind } from './outbox.ts'

/**
 * Calls to outside services that a change needs. They are stored with the change, made after it, and repeated until
 * they are settled.
 */
export const outbox = pgTable(
  'outbox',
  {
    id: uuid().primaryKey(),
    kind: text().$type<OutboxKind>().notNull(),
    /** Identifies what the job is about; each kind has only one job for it. */
    key: text().notNull(),
    payload: jsonb().notNull(),
    state: text().$type<'waiting' | 'done' | 'dead'>().notNull().default('waiting'),
    dueAt: instant('due_at').notNull(),
    /** How often the job was taken. A run that sees another number has lost the job and stores nothing. */
    attempts: integer().notNull().default(0),
    /** Until then it belongs to the run that took it. */
    lockedUntil: instant('locked_until'),
    lastError: text('last_error'),
    /** The request, or the job before it, that caused it. */
    requestId: text('request_id'),
    createdAt: instant('created_at').notNull(),
    settledAt: instant('settled_at'),
  },
  t => [
    unique('outbox_once').on(t.kind, t.key),
    index('outbox_due').on(t.kind, t.dueAt).where(sql`${t.state} = 'waiting'`),
    index('outbox_dead').on(t.settledAt).concurrently().where(sql`${t.state} = 'dead'`),
    index('outbox_settled').on(t.settledAt).where(sql`${t.state} <> 'waiting'`),
  ],
)
