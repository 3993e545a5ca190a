import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'
import type { OutboxKind } from './payload.ts'

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
    /** A `dead` one was given up and waits for a person, who starts it again or closes it. */
    state: text().$type<'waiting' | 'done' | 'dead' | 'closed'>().notNull().default('waiting'),
    dueAt: instant('due_at').notNull(),
    /** How often the job was taken. A run that sees another number has lost the job and stores nothing. */
    attempts: integer().notNull().default(0),
    /** How many runs in a row ended without being settled: they failed, or their process died. */
    faults: integer().notNull().default(0),
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

/**
 * Whether the shop may act outside of itself: one row. A database that came back from a backup, or whose server was
 * replaced by a copy that lacks something, is another one than a person last said go to, and so it may not.
 */
export const safeMode = pgTable(
  'safe_mode',
  {
    one: boolean().primaryKey().default(true),
    /** The database to which a person last said go, or that took its place with nothing lost; see `IDENTITY` in safe-mode.ts. */
    identity: text().notNull(),
    /** When a person switched safe mode on; null while nobody has. */
    orderedAt: instant('ordered_at'),
    orderedBy: text('ordered_by'),
    orderedFor: text('ordered_for'),
    /** The other database that the shop found itself on, and when it did. */
    noticedIdentity: text('noticed_identity'),
    noticedAt: instant('noticed_at'),
    /** The moment up to which the database was restored, as far as it is known. What came after it is lost. */
    lostFrom: instant('lost_from'),
    /** When everything that must be compared before go was compared; null until then. */
    comparedAt: instant('compared_at'),
    wentAt: instant('went_at'),
    wentBy: text('went_by'),
    /** A number that grows at most once a minute and is then kept in the file store, too, see restore/witness.ts. */
    witness: bigint({ mode: 'number' }).notNull().default(0),
    /** When it last grew, by the database's clock. */
    witnessAt: instant('witness_at'),
    /** The start of the server, in seconds since 1970, after which the two were last compared; null while they never were. */
    witnessedStart: text('witnessed_start'),
    /** A number that grows every second while a server works, see restore/promotion.ts. */
    beat: bigint({ mode: 'number' }).notNull().default(0),
    beatAt: instant('beat_at'),
    /** Whether what was written at that beat was on a second machine before it was acknowledged. */
    beatSynced: boolean('beat_synced').notNull().default(false),
    /** When a standby last took the place of the database with nothing lost. */
    promotedAt: instant('promoted_at'),
  },
  t => [check('safe_mode_one', sql`${t.one}`)],
)
