import type { TransferUserKind } from '@shop/shared/transfer/transfer.ts'
import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant, satang } from '../database/columns.ts'

/**
 * A bank transfer that was used: one row for each thing that has its money, whatever told of it. A reference and a
 * statement line each stand once, so that no transfer pays twice by the same word; `mayBeSame` holds the others apart.
 */
export const usedTransfer = pgTable(
  'used_transfer',
  {
    /** The order or top-up; the statement line itself where its money is on a wallet or owed back. */
    subjectId: uuid('subject_id').primaryKey(),
    kind: text().$type<TransferUserKind>().notNull(),
    /** null where nobody named one. */
    receivingAccountId: integer('receiving_account_id'),
    amountSatang: satang('amount_satang').notNull(),
    /** When it can have been made, by what was known when it was used. */
    madeFrom: instant('made_from').notNull(),
    madeTo: instant('made_to').notNull(),
    /** Of the slip that was handed in for it. */
    sendingBank: text('sending_bank'),
    bankReference: text('bank_reference'),
    /** When a provider says that the transfer of that reference was made; null: it confirmed none. */
    toldAt: instant('told_at'),
    lineId: uuid('line_id'),
    usedAt: instant('used_at').notNull(),
  },
  t => [
    uniqueIndex('used_transfer_reference')
      .on(t.sendingBank, t.bankReference)
      .where(sql`${t.bankReference} IS NOT NULL`),
    uniqueIndex('used_transfer_line').on(t.lineId).where(sql`${t.lineId} IS NOT NULL`),
    index('used_transfer_amount').on(t.amountSatang, t.usedAt),
    check('used_transfer_told_reference', sql`${t.toldAt} IS NULL OR ${t.bankReference} IS NOT NULL`),
    check('used_transfer_line_of_itself', sql`${t.kind} <> 'line' OR ${t.lineId} IS NOT DISTINCT FROM ${t.subjectId}`),
  ],
)
