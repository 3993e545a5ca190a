import { GATEWAY_METHODS } from '@shop/shared/catalogue/payment-method.ts'
import type { LedgerTransaction } from '@shop/shared/wallet/ledger.ts'
import type { TopUpPayment, TopUpStatus } from '@shop/shared/wallet/top-up.ts'
import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { account } from '../account/tables.ts'
import { agentTier, receivingAccount } from '../catalogue/tables.ts'
import { instant, listSql, satang } from '../database/columns.ts'
import { slip } from '../upload/tables.ts'

/** Prepaid money of one person. The balance is the sum of its ledger entries, updated in the same transaction. */
export const wallet = pgTable(
  'wallet',
  {
    id: uuid().primaryKey(),
    uid: text()
      .notNull()
      .unique()
      .references(() => account.uid),
    tierId: integer('tier_id')
      .notNull()
      .references(() => agentTier.id),
    balanceSatang: satang('balance_satang').notNull().default(0),
    createdAt: instant('created_at').notNull(),
  },
  t => [check('wallet_balance_not_negative', sql`${t.balanceSatang} >= 0`), index('wallet_tier').on(t.tierId)],
)

/**
 * Shop credit of one person; nobody's once they are erased, which takes an empty one. The balance is the sum of its ledger
 * entries, updated in the same transaction.
 */
export const credit = pgTable(
  'credit',
  {
    id: uuid().primaryKey(),
    uid: text()
      .unique()
      .references(() => account.uid),
    balanceSatang: satang('balance_satang').notNull().default(0),
    /** All that ever left it, by whatever way. It only grows, so what left since the PIN was typed is a difference. */
    leftSatang: satang('left_satang').notNull().default(0),
    createdAt: instant('created_at').notNull(),
  },
  t => [check('credit_balance_not_negative', sql`${t.balanceSatang} >= 0`)],
)

/** Append-only. */
export const ledgerTransaction = pgTable(
  'ledger_transaction',
  {
    id: uuid().primaryKey(),
    kind: text().$type<LedgerTransaction['kind']>().notNull(),
    subjectId: uuid('subject_id').notNull(),
    reason: text(),
    reversesId: uuid('reverses_id'),
    at: instant('at').notNull(),
  },
  t => [
    index('ledger_transaction_subject').on(t.subjectId),
    index('ledger_transaction_corrections')
      .on(t.at)
      .where(sql`${t.kind} IN ('correction', 'line_booked', 'line_undone')`),
    // A transaction is reversed at most once.
    uniqueIndex('ledger_transaction_reverses').on(t.reversesId).where(sql`${t.reversesId} IS NOT NULL`),
    // Postings made in error and taken back. Besides the refunds there are few, so a short index separates them from
    // the valid ones.
    index('ledger_transaction_undone')
      .on(t.reversesId)
      .where(sql`${t.reversesId} IS NOT NULL AND ${t.kind} <> 'order_refunded'`),
  ],
)

/** Append-only; the entries of a transaction sum to zero. */
export const ledgerEntry = pgTable(
  'ledger_entry',
  {
    transactionId: uuid('transaction_id')
      .notNull()
      .references(() => ledgerTransaction.id),
    line: smallint().notNull(),
    account: text().notNull(),
    amountSatang: satang('amount_satang').notNull(),
    at: instant('at').notNull(),
  },
  t => [
    uniqueIndex('ledger_entry_line').on(t.transactionId, t.line),
    index('ledger_entry_account').on(t.account, t.at),
    index('ledger_entry_wallets').on(t.at).where(sql`${t.account} LIKE 'wallet:%'`),
    // Adds up what stands at a gateway without reading the entries themselves.
    index('ledger_entry_gateways')
      .on(t.account, t.at, t.amountSatang)
      .where(sql`${t.account} LIKE 'gateway:%'`)
      .concurrently(),
    check('ledger_entry_moves_money', sql`${t.amountSatang} <> 0`),
  ],
)

/** A request to put money on a wallet; the money moves when it is approved, by people or by the gateway's money. */
export const topUp = pgTable(
  'top_up',
  {
    id: uuid().primaryKey(),
    no: text().notNull(),
    walletId: uuid('wallet_id')
      .notNull()
      .references(() => wallet.id),
    amountSatang: satang('amount_satang').notNull(),
    payment: text().$type<TopUpPayment>().notNull().default('bank'),
    status: text().$type<TopUpStatus>().notNull(),
    version: integer().notNull(),
    slipId: uuid('slip_id').references(() => slip.id),
    receivingAccountId: integer('receiving_account_id').references(() => receivingAccount.id),
    expiresAt: instant('expires_at'),
    enteredBy: text('entered_by')
      .notNull()
      .references(() => account.uid),
    firstApprovedBy: text('first_approved_by'),
    decidedBy: text('decided_by'),
    decidedAt: instant('decided_at'),
    reason: text(),
    /** When a correction took its money back. */
    correctedAt: instant('corrected_at'),
    createdAt: instant('created_at').notNull(),
  },
  t => [
    check('top_up_amount', sql`${t.amountSatang} > 0`),
    check(
      'top_up_payment',
      sql`(${t.payment} = 'bank' AND ${t.expiresAt} IS NULL AND ${t.status} NOT IN ('waiting_payment', 'expired'))
       OR (${t.payment} IN (${sql.raw(listSql(GATEWAY_METHODS))}) AND ${t.expiresAt} IS NOT NULL AND ${t.slipId} IS NULL
         AND ${t.receivingAccountId} IS NULL AND ${t.status} NOT IN ('waiting_approve', 'reject'))`,
    ),
    // See orders_order_no.
    uniqueIndex('top_up_no').on(t.no.op('text_pattern_ops')),
    index('top_up_wallet').on(t.walletId, t.createdAt),
    // See orders_slip.
    index('top_up_slip').on(t.slipId).where(sql`${t.slipId} IS NOT NULL`).concurrently(),
    index('top_up_created').on(t.createdAt, t.id),
    index('top_up_amount').on(t.amountSatang, t.createdAt),
    index('top_up_status').on(t.status, t.createdAt),
    index('top_up_unpaid').on(t.expiresAt).where(sql`${t.status} = 'waiting_payment'`).concurrently(),
    // Finds approved top-ups that statement lines may belong to.
    index('top_up_booked').on(t.decidedAt, t.id).where(sql`${t.status} = 'approve' AND ${t.correctedAt} IS NULL`),
    // Finds top-ups by a part of their number.
    index('top_up_words').using('gin', sql`${t.no} gin_trgm_ops`),
  ],
)
