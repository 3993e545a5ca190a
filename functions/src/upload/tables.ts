import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'

/** A picture of a payment slip, or of what a game refused; private to its uploader and staff. */
export const slip = pgTable(
  'slip',
  {
    id: uuid().primaryKey(),
    /** `u:<uid>` or `g:<hash of the guest key>`. */
    uploaderKey: text('uploader_key').notNull(),
    fileKey: text('file_key').notNull(),
    width: integer().notNull(),
    height: integer().notNull(),
    byteSize: integer('byte_size').notNull(),
    /** Sending bank and reference from the mini QR code; null when none was readable. */
    sendingBank: text('sending_bank'),
    bankReference: text('bank_reference'),
    /** The text of the mini QR code. */
    qrText: text('qr_text'),
    /** SHA-256 of the stored picture; null for slips that are older than this column. */
    pictureHash: text('picture_hash'),
    /** The order, top-up, refund or code that the slip was handed in for; null before that. */
    usedFor: uuid('used_for'),
    createdAt: instant('created_at').notNull(),
  },
  t => [
    // Slips that nobody has handed in yet; most of them are swept away.
    index('slip_unused').on(t.createdAt).where(sql`${t.usedFor} IS NULL`).concurrently(),
    index('slip_uploader').on(t.uploaderKey, t.createdAt),
    index('slip_picture').on(t.pictureHash).where(sql`${t.pictureHash} IS NOT NULL`).concurrently(),
    index('slip_reference').on(t.sendingBank, t.bankReference).where(sql`${t.bankReference} IS NOT NULL`),
  ],
)
