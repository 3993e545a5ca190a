import { invariant } from '@shop/shared/errors.ts'
import type { Satang } from '@shop/shared/money.ts'
import { entriesOf, type LedgerTransaction } from '@shop/shared/wallet/ledger.ts'
import type { TopUpLimits } from '@shop/shared/wallet/top-up.ts'
import { type PinJson, pinJson, pinOf, type StoredPin } from '../access/pin.ts'
import { agentTier } from '../agent/tables.ts'
import type { Queries, Sql } from '../database/database.ts'
import { columns, fullName, likePart, personWords, sqlOf } from '../database/listing.ts'
import { type Placeholders, Values } from '../database/values.ts'
import { currentRequestId } from '../http/request-id.ts'
import { toldKindOf, walletCtes } from '../webhook/emit.ts'
import { wallet } from './tables.ts'

/**
 * Returns the CTEs of a statement that post a transaction: its entries, and the balance of every wallet and shop credit it
 * touches. `only` names the CTE of another write in the same statement; without its row nothing is posted. The moment is the database's own and taken late, so that a server whose
 * clock is slow can't post into a closed month.
 */
export function ledgerCtes(sent: Placeholders<LedgerValues>, only = '(VALUES (1)) AS always'): string {
  const { id, kind, subjectId, reason, reversesId, at, accounts, amounts } = sent
  return `moment AS MATERIALIZED (
      SELECT coalesce(${at}::timestamptz, clock_timestamp()) AS at
    ), entry AS (
      SELECT line, account, amount FROM unnest(${accounts}::text[], ${amounts}::bigint[]) WITH ORDINALITY AS e (account, amount, line), ${only}
    ), posted AS (
      INSERT INTO ledger_transaction (id, kind, subject_id, reason, reverses_id, at)
      SELECT ${id}, ${kind}, ${subjectId}, ${reason}, ${reversesId}, moment.at FROM moment, ${only}
    ), written AS (
      INSERT INTO ledger_entry (transaction_id, line, account, amount_satang, at)
      SELECT ${id}, line, account, amount, moment.at FROM moment, entry
    ), moved AS (
      UPDATE wallet SET balance_satang = balance_satang + sums.amount
      FROM (
        SELECT substr(account, 8)::uuid AS id, sum(amount) AS amount FROM entry WHERE account LIKE 'wallet:%' GROUP BY 1
      ) sums
      WHERE wallet.id = sums.id RETURNING wallet.id, wallet.uid, sums.amount, wallet.balance_satang AS balance
    ), moved_credit AS (
      UPDATE credit SET balance_satang = balance_satang + sums.amount, left_satang = left_satang + greatest(-sums.amount, 0)
      FROM (
        SELECT substr(account, 8)::uuid AS id, sum(amount) AS amount FROM entry WHERE account LIKE 'credit:%' GROUP BY 1
      ) sums
      WHERE credit.id = sums.id RETURNING credit.id
    )`
}

/** A transaction to be posted. Only one from the past, as in demo data, gives its own moment. */
export type PostedTransaction = Omit<LedgerTransaction, 'at'> & { at?: Date }

type LedgerValues = ReturnType<typeof ledgerValues>

export function ledgerValues({ id, kind, subjectId, reason, reversesId, at, postings }: PostedTransaction) {
  const entries = entriesOf(postings)
  const accounts = entries.map(entry => entry.account)
  return { id, kind, subjectId, reason, reversesId, at, accounts, amounts: entries.map(entry => entry.amountSatang) }
}

/**
 * Posts a transaction in one statement, and tells the machines of the wallets' owners.
 * A wallet that would go below zero violates `wallet_balance_not_negative`, shop credit `credit_balance_not_negative`.
 */
export async function postLedger(tx: Sql, transaction: PostedTransaction): Promise<void> {
  const { all: values, add, addAll } = new Values()
  const sent = addAll(ledgerValues(transaction))
  // What happened in the past is no news.
  const told = add(transaction.at ? null : toldKindOf(transaction.kind))
  const telling = walletCtes('moved', 'moment', { id: sent.id, kind: told, requestId: add(currentRequestId()) })
  await tx.query({ name: 'ledger_post', text: `WITH ${ledgerCtes(sent)}, ${telling} SELECT 1`, values })
}

/**
 * Returns the transaction of a kind that moved money for a subject and was not reversed, with its postings; null
 * without one.
 */
export async function findLedgerTransaction(
  db: Sql,
  of: { subjectId: string; kind: LedgerTransaction['kind'] },
): Promise<LedgerTransaction | null> {
  type Row = Omit<LedgerTransaction, 'postings'> & { entries: { account: never; amount: number }[] }
  const [row] = await db.query<Row>({
    text: `SELECT t.id, t.kind, t.subject_id AS "subjectId", t.reason, t.reverses_id AS "reversesId", t.at,
        (SELECT json_agg(json_build_object('account', e.account, 'amount', e.amount_satang) ORDER BY e.line)
          FROM ledger_entry e WHERE e.transaction_id = t.id) AS entries
      FROM ledger_transaction t WHERE t.subject_id = $1 AND t.kind = $2
        AND NOT EXISTS (SELECT 1 FROM ledger_transaction r WHERE r.reverses_id = t.id)`,
    values: [of.subjectId, of.kind],
  })
  if (!row) return null
  const { entries, ...transaction } = row
  // Entries come in pairs: the account that the money left, and the one where it arrived.
  const postings = entries.flatMap((entry, line) =>
    line % 2 === 0 ? [{ from: entry.account, to: entries[line + 1]!.account, amountSatang: -entry.amount }] : [],
  )
  return { ...transaction, postings }
}

/** A wallet with its owner and the limits of the owner's tier. */
export interface Wallet extends TopUpLimits {
  id: string
  uid: string
  tierId: number
  tierName: string
  maxAmountPerOrderSatang: Satang
  maxItemPerOrder: number
}

const WALLET = columns<Wallet>({
  ...sqlOf(wallet, 'w', 'id', 'uid', 'balanceSatang'),
  ...sqlOf(agentTier, 't', 'maxAmountSatang', 'minTopUpSatang', 'maxAmountPerOrderSatang', 'maxItemPerOrder'),
  tierId: 't.id',
  tierName: 't.name',
})
const WITH_TIER = 'FROM wallet w JOIN agent_tier t ON t.id = w.tier_id'
const WALLET_SQL = `SELECT ${WALLET} ${WITH_TIER}`

export async function findWallet(db: Sql, walletId: string): Promise<Wallet | null> {
  const [row] = await db.query<Wallet>({ text: `${WALLET_SQL} WHERE w.id = $1`, values: [walletId] })
  return row ?? null
}

/** Returns a wallet, locked for a change in this transaction. */
export async function lockWallet(tx: Sql, walletId: string): Promise<Wallet> {
  const [row] = await tx.query<Wallet>({ text: `${WALLET_SQL} WHERE w.id = $1 FOR UPDATE OF w`, values: [walletId] })
  invariant(row, 'a top-up names a wallet')
  return row
}

/** Returns the id of an account's wallet; null without one. */
export async function findWalletOf(db: Sql, uid: string): Promise<string | null> {
  const [row] = await db.query<{ id: string }>({ text: 'SELECT id FROM wallet WHERE uid = $1', values: [uid] })
  return row?.id ?? null
}

/** What waits for approval on a wallet, and the sum approved of the top-ups entered in a month. */
interface TopUpSums {
  waitingSatang: Satang
  waiting: number
  approvedSatang: Satang
}

/** For the wallet $1 and the month [$2, $3). */
const TOP_UP_SUMS = `SELECT coalesce(sum(amount_satang) FILTER (WHERE status = 'waiting_approve'), 0)::bigint AS "waitingSatang",
    count(*) FILTER (WHERE status = 'waiting_approve')::int AS waiting,
    coalesce(sum(amount_satang) FILTER (WHERE status = 'approve' AND corrected_at IS NULL
      AND created_at >= $2 AND created_at < $3), 0)::bigint AS "approvedSatang"
  FROM top_up WHERE wallet_id = $1 AND (status = 'waiting_approve' OR created_at >= $2)`

export async function findTopUpSums(db: Sql, walletId: string, month: { from: Date; to: Date }): Promise<TopUpSums> {
  const [row] = await db.query<TopUpSums>({ text: TOP_UP_SUMS, values: [walletId, month.from, month.to] })
  return row!
}

/** Returns what its owner is told of a wallet, in one statement: with their PIN, which is null when none is set. */
export async function findWalletFacts(
  db: Sql,
  walletId: string,
  month: { from: Date; to: Date },
): Promise<{ wallet: Wallet; sums: TopUpSums; pin: StoredPin | null }> {
  const [row] = await db.query<Wallet & TopUpSums & { pin: PinJson | null }>({
    name: 'wallet_facts',
    text: `SELECT ${WALLET}, sums.*, ${pinJson('w.uid')} AS pin ${WITH_TIER} CROSS JOIN (${TOP_UP_SUMS}) sums WHERE w.id = $1`,
    values: [walletId, month.from, month.to],
  })
  invariant(row, 'the wallet of an account exists')
  const { pin, waitingSatang, waiting, approvedSatang, ...wallet } = row
  return { wallet, sums: { waitingSatang, waiting, approvedSatang }, pin: pin && pinOf(pin) }
}

/** Returns what people let a wallet receive since a moment: by valid top-ups, except one, and directly from statement lines. */
export async function findReceivedSince(
  db: Sql,
  { walletId, since, except }: { walletId: string; since: Date; except: string | null },
): Promise<Satang> {
  const [row] = await db.query<{ received: Satang }>({
    text: `SELECT ((SELECT coalesce(sum(amount_satang), 0) FROM top_up WHERE wallet_id = $1 AND status = 'approve'
            AND payment = 'bank' AND corrected_at IS NULL AND decided_at >= $2 AND id IS DISTINCT FROM $3::uuid)
        + (SELECT coalesce(sum(e.amount_satang), 0) FROM ledger_entry e JOIN ledger_transaction t ON t.id = e.transaction_id
          WHERE e.account = 'wallet:' || $1::uuid AND e.at >= $2 AND t.kind IN ('line_booked', 'line_undone')))::bigint AS received`,
    values: [walletId, since, except],
  })
  return row!.received
}

/** Returns the sum of a wallet's entries before a moment. */
export async function findBalanceBefore(db: Sql, walletId: string, before: Date): Promise<Satang> {
  const [row] = await db.query<{ balance: Satang }>({
    text: `SELECT coalesce(sum(amount_satang), 0)::bigint AS balance FROM ledger_entry WHERE account = $1 AND at < $2`,
    values: [`wallet:${walletId}`, before],
  })
  return row!.balance
}

/** Finds people with a wallet whose name or email contains a text. */
export async function findWallets(
  db: Queries,
  name: string,
  limit: number,
): Promise<(Wallet & { name: string; email: string | null })[]> {
  return db.query({
    text: `SELECT w.*, a.email, a.username || coalesce(nullif(' · ' || ${fullName('a')}, ' · '), '') AS name
      FROM (${WALLET_SQL}) w JOIN account a ON a.uid = w.uid
      WHERE ${personWords('a')} ILIKE $1
      ORDER BY a.username LIMIT $2`,
    values: [likePart(name), limit],
  })
}
