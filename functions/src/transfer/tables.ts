import type { TransferUserKind } from '@shop/shared/transfer/transfer.ts'
import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant, satang } from '../database/columns.ts'

/**
 * A bank transfer that was used: one row for each thing that has its money, from whatever source. A reference and a
 * statement line can each be in only one row, so that neither pays twice; `mayBeSame` compares rows that share neither.
 */
export const usedTransfer = pgTable(
  'used_transfer',
  {
    /** The order or top-up; the statement line itself when its money went to a wallet or is owed back. */
    subjectId: uuid('subject_id').primaryKey(),
    kind: text().$type<TransferUserKind>().notNull(),
    /** null when nobody named an account. */
    receivingAccountId: integer('receiving_account_id'),
    amountSatang: satang('amount_satang').notNull(),
    /** The earliest moment at which it can have been made, as known when it was used. */
    madeFrom: instant('made_from').notNull(),
    madeTo: instant('made_to').notNull(),
    /** The sending bank on the slip that was handed in for it. */
    sendingBank: text('sending_bank'),
    bankReference: text('bank_reference'),
    /** When the transfer with that reference was made according to a provider; null when none confirmed it. */
    toldAt: instant('told_at'),
    lineId: uuid('line_id'),
    /** The thing that might have had this transfer already, until a person said that it had another one. */
    apartFrom: uuid('apart_from'),
    /** While there is no line: since when its money has been in the books. */
    usedAt: instant('used_at').notNull(),
  },
  t => [
    uniqueIndex('used_transfer_reference')
      .on(t.sendingBank, t.bankReference)
      .where(sql`${t.bankReference} IS NOT NULL`),
    uniqueIndex('used_transfer_line').on(t.lineId).where(sql`${t.lineId} IS NOT NULL`),
    // What is in the books without a line, however much has been explained by one.
    index('used_transfer_without_line')
      .on(t.kind, t.usedAt, t.subjectId)
      .where(sql`${t.lineId} IS NULL`)
      .concurrently(),
    index('used_transfer_amount').on(t.amountSatang, t.usedAt),
    index('used_transfer_apart').on(t.apartFrom).where(sql`${t.apartFrom} IS NOT NULL`).concurrently(),
    check('used_transfer_told_reference', sql`${t.toldAt} IS NULL OR ${t.bankReference} IS NOT NULL`),
    check('used_transfer_line_of_itself', sql`${t.kind} <> 'line' OR ${t.lineId} IS NOT DISTINCT FROM ${t.subjectId}`),
  ],
)
