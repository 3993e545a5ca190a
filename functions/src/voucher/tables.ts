import type { VoucherState } from '@shop/shared/voucher/voucher.ts'
import { sql } from 'drizzle-orm'
import { check, date, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { gamePackage } from '../catalogue/tables.ts'
import { instant, satang } from '../database/columns.ts'

/** Codes of one file or one typing, with what each of them cost. */
export const voucherBatch = pgTable('voucher_batch', {
  /** UUIDv7. */
  id: uuid().primaryKey(),
  packageId: integer('package_id')
    .notNull()
    .references(() => gamePackage.id),
  name: text().notNull(),
  pieces: integer().notNull(),
  costSatang: satang('cost_satang').notNull(),
  importedBy: text('imported_by').notNull(),
  importedAt: instant('imported_at').notNull(),
})

/** A code that the shop has, or had until it was sold. */
export const voucher = pgTable(
  'voucher',
  {
    /** UUIDv7. */
    id: uuid().primaryKey(),
    packageId: integer('package_id')
      .notNull()
      .references(() => gamePackage.id),
    /** The batch it came with; null for one that was bought for its order. */
    batchId: uuid('batch_id').references(() => voucherBatch.id),
    /** The purchase that brought it; null for one of the shop's own stock. */
    attemptId: uuid('attempt_id'),
    orderId: uuid('order_id'),
    state: text().$type<VoucherState>().notNull(),
    /** Code, PIN and serial, encrypted for this row with one of VOUCHER_KEYS. */
    sealed: text().notNull(),
    /** A keyed hash of code and PIN. */
    hash: text().notNull().unique('voucher_hash'),
    /**
     * A keyed hash of the code alone, by which it is recognised wherever it comes from, with a PIN or without. null in a row of
     * a version before this column, until `nameCodes` has been there.
     */
    codeHash: text('code_hash'),
    /** The end of the code, which staff may see. */
    lastFour: text('last_four').notNull(),
    expiresOn: date('expires_on', { mode: 'string' }),
    region: text().notNull().default(''),
    costSatang: satang('cost_satang'),
    createdAt: instant('created_at').notNull(),
    reservedAt: instant('reserved_at'),
    soldAt: instant('sold_at'),
    /** When its buyer first saw it, and on what device. */
    revealedAt: instant('revealed_at'),
    revealedOn: text('revealed_on'),
    /** How often its buyer looked. */
    reveals: integer().notNull().default(0),
    /** When, by whom and why it was taken out of sale; one that a buyer had keeps its order. */
    withdrawnAt: instant('withdrawn_at'),
    withdrawnBy: text('withdrawn_by'),
    withdrawnReason: text('withdrawn_reason'),
    /** What showed that a code which its buyer had was bad: a picture, or the number of the complaint at its supplier. */
    evidenceSlipId: uuid('evidence_slip_id'),
    complaint: text(),
    /** The bad code whose place it took: both are the same piece of the order. */
    replacesId: uuid('replaces_id'),
    /** When it was held after a restore, because nobody knew whether it had been sold. */
    heldAt: instant('held_at'),
  },
  t => [
    index('voucher_of_package').on(t.packageId, t.id),
    index('voucher_of_batch').on(t.batchId).where(sql`${t.batchId} IS NOT NULL`),
    index('voucher_last_four').on(t.lastFour),
    index('voucher_code_hash').on(t.codeHash).concurrently(),
    index('voucher_unnamed').on(t.id).where(sql`${t.codeHash} IS NULL`).concurrently(),
    index('voucher_free').on(t.packageId, t.expiresOn, t.id).where(sql`${t.state} = 'free'`),
    // What strangers hold of a package.
    index('voucher_reserved').on(t.packageId).where(sql`${t.state} = 'reserved'`).concurrently(),
    index('voucher_order').on(t.orderId).where(sql`${t.orderId} IS NOT NULL`),
    // Tells for how many codes a complaint was named.
    index('voucher_complaint').on(t.complaint).where(sql`${t.complaint} IS NOT NULL`).concurrently(),
    check('voucher_owned', sql`${t.state} = 'withdrawn' OR (${t.state} = 'free') = (${t.orderId} IS NULL)`),
  ],
)

/** Where a guest can have the number that opens the codes of their order on another device. */
export const voucherAddress = pgTable(
  'voucher_address',
  {
    orderId: uuid('order_id').primaryKey(),
    address: text().notNull(),
    givenAt: instant('given_at').notNull(),
    /** A keyed hash of the last number that was sent, when that was, and how often a wrong one was tried since. */
    numberHash: text('number_hash'),
    sentAt: instant('sent_at'),
    tries: integer().notNull().default(0),
  },
  t => [index('voucher_address_given').on(t.givenAt)],
)
/** The codes of a file that somebody looks at before they are imported, all in one encrypted text. */
export const voucherDraft = pgTable('voucher_draft', {
  id: uuid().primaryKey(),
  packageId: integer('package_id')
    .notNull()
    .references(() => gamePackage.id),
  sealed: text().notNull(),
  madeBy: text('made_by').notNull(),
  madeAt: instant('made_at').notNull(),
})
