import type { Payee } from '@shop/shared/order/payee.ts'
import type { ChainState } from '@shop/shared/statement/chain.ts'
import type { ColumnMapping } from '@shop/shared/statement/mapping.ts'
import type { AgreedAs } from '@shop/shared/statement/refund-endpoints.ts'
import type { LineEventStep, LineState, TargetKind } from '@shop/shared/statement/statement.ts'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { receivingAccount } from '../catalogue/tables.ts'
import { instant, satang } from '../database/columns.ts'
import { charge } from '../gateway/tables.ts'
import { orders } from '../order/tables.ts'
import { slip } from '../upload/tables.ts'
import { credit, topUp, wallet } from '../wallet/tables.ts'

/** A bank's file that somebody uploaded, private to the back office. Its lines exist once it is imported. */
export const statementFile = pgTable(
  'statement_file',
  {
    id: uuid().primaryKey(),
    receivingAccountId: integer('receiving_account_id')
      .notNull()
      .references(() => receivingAccount.id),
    fileName: text('file_name').notNull(),
    /** null once the file itself was deleted. */
    fileKey: text('file_key'),
    givenBy: text('given_by').notNull(),
    createdAt: instant('created_at').notNull(),
    importedAt: instant('imported_at'),
    /**
     * The file holds more money than its uploader alone may vouch for. Until somebody else confirms it, its lines prove
     * no order's payment.
     */
    needsSecond: boolean('needs_second').notNull().default(false),
    confirmedBy: text('confirmed_by'),
    confirmedAt: instant('confirmed_at'),
  },
  t => [
    index('statement_file_kept').on(t.createdAt).where(sql`${t.fileKey} IS NOT NULL`),
    index('statement_file_waiting').on(t.importedAt).where(sql`${t.needsSecond} AND ${t.confirmedBy} IS NULL`),
  ],
)

/** Columns that a person chose for a file, found again by the file's headings. */
export const statementMapping = pgTable(
  'statement_mapping',
  {
    receivingAccountId: integer('receiving_account_id')
      .notNull()
      .references(() => receivingAccount.id),
    headerHash: text('header_hash').notNull(),
    mapping: jsonb().$type<ColumnMapping>().notNull(),
    savedBy: text('saved_by').notNull(),
    savedAt: instant('saved_at').notNull(),
  },
  t => [primaryKey({ columns: [t.receivingAccountId, t.headerHash] })],
)

/**
 * Keys of machines that send statement lines, each for one account. Only their hash and first characters are stored.
 */
export const feedKey = pgTable(
  'feed_key',
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    keyHash: text('key_hash').notNull().unique('feed_key_hash'),
    /** null for keys that are older than this column. */
    prefix: text(),
    receivingAccountId: integer('receiving_account_id').references(() => receivingAccount.id),
    createdBy: text('created_by').notNull(),
    createdAt: instant('created_at').notNull(),
    lastUsedAt: instant('last_used_at'),
    /** null: the key works until somebody ends it. */
    expiresAt: instant('expires_at'),
    revokedAt: instant('revoked_at'),
  },
  t => [check('feed_key_account', sql`${t.receivingAccountId} IS NOT NULL OR ${t.revokedAt} IS NOT NULL`)],
)

/** One movement on a receiving account as the bank reported it, with the shop's decision what it is for. */
export const statementLine = pgTable(
  'statement_line',
  {
    id: uuid().primaryKey(),
    no: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    receivingAccountId: integer('receiving_account_id')
      .notNull()
      .references(() => receivingAccount.id),
    /** Identifies a line across overlapping files, see `lineKeys`. */
    key: text().notNull(),
    day: date().notNull(),
    at: instant('at'),
    precisionSeconds: smallint('precision_seconds'),
    amountSatang: satang('amount_satang').notNull(),
    balanceSatang: satang('balance_satang'),
    detail: text().notNull(),
    fromBank: text('from_bank'),
    fromAccount: text('from_account'),
    /** The sender's account as a keyed hash; null where the bank does not tell its whole number. */
    payerHash: text('payer_hash'),
    channel: text(),
    /** The file it came from; null for a feed's line. */
    fileId: uuid('file_id').references(() => statementFile.id),
    /** The key that sent it; null for files, and for lines that are older than this column. */
    feedKeyId: uuid('feed_key_id').references(() => feedKey.id),
    /** The first file, and the first other key, that also reported it. */
    confirmedFileId: uuid('confirmed_file_id').references(() => statementFile.id),
    confirmedKeyId: uuid('confirmed_key_id').references(() => feedKey.id),
    /** Whether its balance follows from the lines before it, see `chain.ts`. */
    chain: text().$type<ChainState>().notNull().default('unknown'),
    /**
     * When its key's lines were taken back although the effect of this one could not be undone; null once somebody
     * settled that.
     */
    disputedAt: instant('disputed_at'),
    createdAt: instant('created_at').notNull(),
    state: text().$type<LineState>().notNull(),
    version: integer().notNull(),
    /** When matching last tried it; null when it never did. */
    triedAt: instant('tried_at'),
    orderId: uuid('order_id').references(() => orders.id),
    topUpId: uuid('top_up_id').references(() => topUp.id),
    walletId: uuid('wallet_id').references(() => wallet.id),
    /** Whether its match is what paid the order. */
    hasPaid: boolean('has_paid').notNull().default(false),
    /** null when the shop itself decided. */
    decidedBy: text('decided_by'),
    decidedAt: instant('decided_at'),
    reason: text(),
  },
  t => [
    uniqueIndex('statement_line_key').on(t.receivingAccountId, t.key),
    index('statement_line_latest').on(t.receivingAccountId, t.day, sql`coalesce(${t.at}, '-infinity')`, t.no),
    index('statement_line_untried')
      .on(t.receivingAccountId, t.day, t.at, t.no)
      .where(sql`${t.triedAt} IS NULL AND ${t.state} = 'unmatched'`),
    index('statement_line_gap').on(t.receivingAccountId, t.day).where(sql`${t.chain} = 'gap'`),
    index('statement_line_feed_key').on(t.feedKeyId, t.no).where(sql`${t.feedKeyId} IS NOT NULL`),
    // The lines of a file: asked for each one that is swept away, also by its foreign keys.
    index('statement_line_file').on(t.fileId).where(sql`${t.fileId} IS NOT NULL`).concurrently(),
    index('statement_line_confirmed_file')
      .on(t.confirmedFileId)
      .where(sql`${t.confirmedFileId} IS NOT NULL`)
      .concurrently(),
    index('statement_line_payer').on(t.payerHash).where(sql`${t.payerHash} IS NOT NULL`).concurrently(),
    index('statement_line_disputed').on(t.disputedAt).where(sql`${t.disputedAt} IS NOT NULL`),
    index('statement_line_open').on(t.receivingAccountId, t.amountSatang).where(sql`${t.state} = 'unmatched'`),
    // An order or top-up is paid by one line only; money that comes a second time is something else.
    uniqueIndex('statement_line_order').on(t.orderId).where(sql`${t.orderId} IS NOT NULL`),
    uniqueIndex('statement_line_top_up').on(t.topUpId).where(sql`${t.topUpId} IS NOT NULL`),
    check('statement_line_one_target', sql`num_nonnulls(${t.orderId}, ${t.topUpId}, ${t.walletId}) <= 1`),
    check('statement_line_moves_money', sql`${t.amountSatang} <> 0`),
  ],
)

/** Who decided what about a line, when and why. Append-only; `version` is the line's after the decision. */
export const statementEvent = pgTable(
  'statement_event',
  {
    lineId: uuid('line_id')
      .notNull()
      .references(() => statementLine.id),
    version: integer().notNull(),
    step: text().$type<LineEventStep>().notNull(),
    targetKind: text('target_kind').$type<TargetKind>(),
    targetId: uuid('target_id'),
    actorUid: text('actor_uid'),
    reason: text(),
    at: instant('at').notNull(),
  },
  t => [primaryKey({ columns: [t.lineId, t.version] })],
)

/** Money to be sent back to somebody without a wallet. The ledger's `refunds` account holds its sum. */
export const owedRefund = pgTable(
  'owed_refund',
  {
    id: uuid().primaryKey(),
    /** The order that was refunded, or that received too much money or received it too late. */
    orderId: uuid('order_id').references(() => orders.id),
    lineId: uuid('line_id').references(() => statementLine.id),
    /** The charge whose money came when its order no longer waited for it. */
    chargeId: uuid('charge_id').references(() => charge.id),
    amountSatang: satang('amount_satang').notNull(),
    reason: text().notNull(),
    createdAt: instant('created_at').notNull(),
    sentAt: instant('sent_at'),
    sentBy: text('sent_by'),
    sentFromId: integer('sent_from_id').references(() => receivingAccount.id),
    reference: text(),
    /** The slip of the transfer that sent it. */
    sentSlipId: uuid('sent_slip_id').references(() => slip.id),
    /** Where it is to be sent, or was. */
    payee: jsonb().$type<Payee>(),
    payeeVersion: integer('payee_version').notNull().default(0),
    payeeAt: instant('payee_at'),
    /** The member of the staff who wrote it down; null when its owner named it themselves. */
    payeeBy: text('payee_by'),
    /** The payee's number as a keyed hash, by which it is recognised in other refunds and payments. */
    payeeHash: text('payee_hash'),
    /** Why it is not the account that paid, as its owner says. */
    payeeReason: text('payee_reason'),
    /** The buyer's slip of their own transfer, where the shop does not know who paid. */
    paidSlipId: uuid('paid_slip_id'),
    /** The version of the payee that somebody agreed to, who, and as what. */
    agreedVersion: integer('agreed_version'),
    agreedBy: text('agreed_by'),
    agreedAs: text('agreed_as').$type<AgreedAs>(),
    /** The shop credit that its owner wants it on, or has it on. */
    creditId: uuid('credit_id').references(() => credit.id),
    /**
     * The shop credit that it was taken from, because its owner wants a transfer after all. It belongs to that account and
     * is of no order; only rows of older versions name one.
     */
    fromCreditId: uuid('from_credit_id').references(() => credit.id),
    /** When the decision that caused it was taken back. */
    undoneAt: instant('undone_at'),
  },
  t => [
    check('owed_refund_amount', sql`${t.amountSatang} > 0`),
    check('owed_refund_sent_or_undone', sql`${t.sentAt} IS NULL OR ${t.undoneAt} IS NULL`),
    check(
      'owed_refund_sent',
      sql`num_nonnulls(${t.sentAt}, ${t.sentBy}, ${t.sentFromId}, ${t.reference}) IN (0, 4)
        OR (${t.sentAt} IS NOT NULL AND ${t.creditId} IS NOT NULL AND num_nonnulls(${t.sentFromId}, ${t.reference}) = 0)`,
    ),
    index('owed_refund_open').on(t.createdAt, t.id).where(sql`${t.sentAt} IS NULL AND ${t.undoneAt} IS NULL`),
    index('owed_refund_sent_at').on(t.sentAt, t.id).where(sql`${t.sentAt} IS NOT NULL`),
    // See orders_slip.
    index('owed_refund_slip').on(t.sentSlipId).where(sql`${t.sentSlipId} IS NOT NULL`).concurrently(),
    index('owed_refund_payee').on(t.payeeHash).where(sql`${t.payeeHash} IS NOT NULL`).concurrently(),
    index('owed_refund_credit').on(t.creditId).where(sql`${t.creditId} IS NOT NULL`).concurrently(),
    index('owed_refund_order').on(t.orderId),
    index('owed_refund_line').on(t.lineId),
    // The withdrawals of somebody's shop credit.
    index('owed_refund_from_credit')
      .on(t.fromCreditId, t.createdAt)
      .where(sql`${t.fromCreditId} IS NOT NULL`)
      .concurrently(),
    // A charge is owed back once.
    uniqueIndex('owed_refund_charge').on(t.chargeId).where(sql`${t.chargeId} IS NOT NULL`).concurrently(),
    // `WORDS` in refund-store.ts must use the same expression.
    index('owed_refund_words').using('gin', sql`(${t.reason} || ' ' || coalesce(${t.reference}, '')) gin_trgm_ops`),
  ],
)
