import type { Delivers } from '@shop/shared/catalogue/delivers.ts'
import { type AttemptState, OPEN_STATES, type Rejection } from '@shop/shared/supplier/supplier.ts'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, numeric, pgTable, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant, listSql, satang } from '../database/columns.ts'

/** The purchases that staff must look at, as the condition of the index `supplier_attempt_unclear`. */
export const IS_UNCLEAR = `((is_with_staff AND overruled_at IS NULL AND state IN (${listSql(OPEN_STATES)}))
  OR (contradiction IS NOT NULL AND seen_by IS NULL))`

/** One row for each supplier that was used. */
export const supplier = pgTable('supplier', {
  name: text().primaryKey(),
  /** A manager's switch; while it is off nothing is bought. */
  isOn: boolean('is_on').notNull().default(false),
  /** When it refused us for a reason that would hit every other order too; nothing is bought until that is over. */
  stoppedAt: instant('stopped_at'),
  stoppedFor: text('stopped_for').$type<Rejection>(),
  /** Our balance there, as last reported. */
  balanceSatang: satang('balance_satang'),
  balanceAt: instant('balance_at'),
  /** Staff are warned when the balance is below this. */
  lowBalanceSatang: satang('low_balance_satang').notNull().default(100_000),
  lastError: text('last_error'),
  lastErrorAt: instant('last_error_at'),
  /** It gave no clear answer too often, so nothing is bought from it until then. */
  brokenUntil: instant('broken_until'),
  lastCallbackAt: instant('last_callback_at'),
})

/** One purchase. The row is stored as "sending" before the call, so that a lost answer can be recognised. */
export const supplierAttempt = pgTable(
  'supplier_attempt',
  {
    /** UUIDv7. */
    id: uuid().primaryKey(),
    orderId: uuid('order_id').notNull(),
    supplier: text().notNull(),
    /** Our reference; A-Z and 0-9, at most 20 characters. */
    reference: text().notNull().unique('supplier_attempt_reference'),
    sku: text().notNull(),
    quantity: integer().notNull(),
    /** The place of its source in the package's list. */
    place: smallint().notNull().default(0),
    /** How many pieces it brought. */
    broughtPieces: integer('brought_pieces').notNull().default(0),
    delivers: text().$type<Delivers>().notNull().default('top_up'),
    /** The typed player data, in the order of the game's inputs. */
    fields: text().array().notNull(),
    /** The highest cost of one piece; a dearer product is not bought. */
    maxCostSatang: satang('max_cost_satang').notNull(),
    state: text().$type<AttemptState>().notNull(),
    /** Why the supplier refused it, or its message about a failure. */
    reason: text(),
    rejection: text().$type<Rejection>(),
    theirId: text('their_id'),
    /** The cost of all pieces together, if the supplier says it. */
    costSatang: satang('cost_satang'),
    sentAt: instant('sent_at').notNull(),
    notFoundCount: integer('not_found_count').notNull().default(0),
    firstNotFoundAt: instant('first_not_found_at'),
    isWithStaff: boolean('is_with_staff').notNull().default(false),
    contradiction: text().$type<AttemptState>(),
    /** Who has dealt with the contradiction. */
    seenBy: text('seen_by'),
    settledAt: instant('settled_at'),
    /** Who went on by hand while the outcome was open, and why. */
    overruledBy: text('overruled_by'),
    overruledAt: instant('overruled_at'),
    overruledReason: text('overruled_reason'),
  },
  t => [
    index('supplier_attempt_order').on(t.orderId, t.id),
    index('supplier_attempt_sent').on(t.supplier, t.sentAt),
    index('supplier_attempt_unanswered')
      .on(t.sentAt)
      .concurrently()
      .where(sql`${t.state} IN ('sending', 'unknown') AND NOT ${t.isWithStaff}`),
    // What staff must look at, however many purchases are settled.
    index('supplier_attempt_unclear').on(t.id).where(sql.raw(IS_UNCLEAR)).concurrently(),
    // Prevents a second purchase while the outcome of one is open, or after it was delivered.
    uniqueIndex('supplier_attempt_one')
      .on(t.orderId)
      .where(sql`${t.state} IN ('sending', 'unknown', 'accepted', 'delivered')`),
  ],
)

/** A supplier's answer about a purchase. */
export const supplierAnswer = pgTable(
  'supplier_answer',
  {
    /** UUIDv7. */
    id: uuid().primaryKey(),
    attemptId: uuid('attempt_id')
      .notNull()
      .references(() => supplierAttempt.id),
    asked: text().$type<'place' | 'status'>().notNull(),
    at: instant('at').notNull(),
    tookMs: integer('took_ms').notNull(),
    answer: text().notNull(),
    httpStatus: integer('http_status'),
    code: text(),
    message: text(),
  },
  t => [index('supplier_answer_attempt').on(t.attemptId, t.id)],
)

/** Callbacks that were received, by the hash of their content, so that a repeat is recognised. */
export const supplierCallback = pgTable(
  'supplier_callback',
  {
    digest: text().primaryKey(),
    supplier: text().notNull(),
    reference: text().notNull(),
    receivedAt: instant('received_at').notNull(),
  },
  t => [index('supplier_callback_received').on(t.receivedAt).concurrently()],
)

/** The history of our balance at a supplier. */
export const supplierBalance = pgTable(
  'supplier_balance',
  {
    /** UUIDv7. */
    id: uuid().primaryKey(),
    supplier: text().notNull(),
    at: instant('at').notNull(),
    balanceSatang: satang('balance_satang').notNull(),
  },
  t => [index('supplier_balance_at').on(t.supplier, t.at)],
)

/** What a unit of a currency costs. */
export const currencyRate = pgTable('currency_rate', {
  /** ISO 4217, e.g. "USD". */
  currency: text().primaryKey(),
  satangPerUnit: numeric('satang_per_unit').notNull(),
  /** Who told it: a source's name, or the person who typed it. */
  source: text().notNull(),
  at: instant('at').notNull(),
})
