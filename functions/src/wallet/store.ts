import { invariant } from '@shop/shared/errors.ts'
import type { Satang } from '@shop/shared/money.ts'
import { entriesOf, type LedgerTransaction } from '@shop/shared/wallet/ledger.ts'
import type { TopUpLimits } from '@shop/shared/wallet/top-up.ts'
import { type PinJson, pinJson, pinOf, type StoredPin } from '../access/pin.ts'
import { account } from '../account/tables.ts'
import { agentTier } from '../catalogue/tables.ts'
import type { Queries, Sql } from '../database/database.ts'
import { fullName, likePart, personWords } from '../database/listing.ts'
import { as, type Fields, json, orNull, pick, row, sql, under } from '../database/sql.ts'
import { type Placeholders, Values } from '../database/values.ts'
import { currentRequestId } from '../http/request-id.ts'
import { toldKindOf, walletCtes } from '../webhook/emit.ts'
import { credit, ledgerEntry, ledgerTransaction, topUp, wallet } from './tables.ts'

/** Where names stand alone. */
const [posted, written, purse, owed] = [under(ledgerTransaction), under(ledgerEntry), under(wallet), under(credit)]
/** Where they must be told from those of `sums`. */
const [its, owned] = [under(wallet, 'wallet'), under(credit, 'credit')]

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
      INSERT INTO ${posted} (${posted.id}, ${posted.kind}, ${posted.subjectId}, ${posted.reason}, ${posted.reversesId}, ${posted.at})
      SELECT ${id}, ${kind}, ${subjectId}, ${reason}, ${reversesId}, moment.at FROM moment, ${only}
    ), written AS (
      INSERT INTO ${written} (${written.transactionId}, ${written.line}, ${written.account}, ${written.amountSatang}, ${written.at})
      SELECT ${id}, line, account, amount, moment.at FROM moment, entry
    ), moved AS (
      UPDATE ${purse} SET ${purse.balanceSatang} = ${purse.balanceSatang} + sums.amount
      FROM (
        SELECT substr(account, 8)::uuid AS id, sum(amount) AS amount FROM entry WHERE account LIKE 'wallet:%' GROUP BY 1
      ) sums
      WHERE ${its.id} = sums.id RETURNING ${its.id}, ${its.uid}, sums.amount, ${its.balanceSatang} AS balance
    ), moved_credit AS (
      UPDATE ${owed} SET ${owed.balanceSatang} = ${owed.balanceSatang} + sums.amount, ${owed.leftSatang} = ${owed.leftSatang} + greatest(-sums.amount, 0)
      FROM (
        SELECT substr(account, 8)::uuid AS id, sum(amount) AS amount FROM entry WHERE account LIKE 'credit:%' GROUP BY 1
      ) sums
      WHERE ${owned.id} = sums.id RETURNING ${owned.id}
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
  await tx.query({ name: 'ledger_post', text: sql`WITH ${ledgerCtes(sent)}, ${telling} SELECT`, values })
}

const [x, e] = [under(ledgerTransaction, 'x'), under(ledgerEntry, 'e')]
const reversal = under(ledgerTransaction, 'r')
/** The account is one of those that a posting names. */
interface EntryRow {
  account: never
  amount: Satang
}
/** The entries of a transaction `x`. */
const ENTRIES = as.shape<EntryRow[]>(
  `(SELECT json_agg(${json({ account: e.account, amount: e.amountSatang })} ORDER BY ${e.line}) FROM ${e} WHERE ${e.transactionId} = ${x.id})`,
)

/**
 * Returns the transaction of a kind that moved money for a subject and was not reversed, with its postings; null
 * without one.
 */
export async function findLedgerTransaction(
  db: Sql,
  of: { subjectId: string; kind: LedgerTransaction['kind'] },
): Promise<LedgerTransaction | null> {
  const [found] = await db.query({
    text: sql`SELECT ${row<Omit<LedgerTransaction, 'postings'> & { entries: EntryRow[] }>({
      ...pick(x, 'id', 'kind', 'subjectId', 'reason', 'reversesId', 'at'),
      entries: ENTRIES,
    })}
      FROM ${x} WHERE ${x.subjectId} = $1 AND ${x.kind} = $2
        AND NOT EXISTS (SELECT 1 FROM ${reversal} WHERE ${reversal.reversesId} = ${x.id})`,
    values: [of.subjectId, of.kind],
  })
  if (!found) return null
  const { entries, ...transaction } = found
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

const [w, t, a, u] = [under(wallet, 'w'), under(agentTier, 't'), under(account, 'a'), under(topUp, 'u')]
const WALLET: Fields<Wallet> = {
  ...pick(w, 'id', 'uid', 'balanceSatang'),
  ...pick(t, 'maxAmountSatang', 'minTopUpSatang', 'maxAmountPerOrderSatang', 'maxItemPerOrder'),
  tierId: t.id,
  tierName: t.name,
}
const JOINED = sql`${w} JOIN ${t} ON ${t.id} = ${w.tierId}`
const BY_ID = sql`SELECT ${row<Wallet>(WALLET)} FROM ${JOINED} WHERE ${w.id} = $1`

export async function findWallet(db: Sql, walletId: string): Promise<Wallet | null> {
  const [found] = await db.query({ text: BY_ID, values: [walletId] })
  return found ?? null
}

/** Returns a wallet, locked for a change in this transaction. */
export async function lockWallet(tx: Sql, walletId: string): Promise<Wallet> {
  const [found] = await tx.query({ text: sql`${BY_ID} FOR UPDATE OF w`, values: [walletId] })
  invariant(found, 'a top-up names a wallet')
  return found
}

/** Returns the id of an account's wallet; null without one. */
export async function findWalletOf(db: Sql, uid: string): Promise<string | null> {
  const [found] = await db.query({
    text: sql`SELECT ${row(pick(w, 'id'))} FROM ${w} WHERE ${w.uid} = $1`,
    values: [uid],
  })
  return found?.id ?? null
}

/** What waits for approval on a wallet, and the sum approved of the top-ups entered in a month. */
interface TopUpSums {
  waitingSatang: Satang
  waiting: number
  approvedSatang: Satang
}

const IS_WAITING = `${u.status} = 'waiting_approve'`
/** For the wallet $1 and the month [$2, $3). */
const TOP_UP_SUMS = sql`SELECT ${row<TopUpSums>({
  waitingSatang: as.satang(`coalesce(sum(${u.amountSatang}) FILTER (WHERE ${IS_WAITING}), 0)`),
  waiting: as.int(`count(*) FILTER (WHERE ${IS_WAITING})`),
  approvedSatang:
    as.satang(`coalesce(sum(${u.amountSatang}) FILTER (WHERE ${u.status} = 'approve' AND ${u.correctedAt} IS NULL
    AND ${u.createdAt} >= $2 AND ${u.createdAt} < $3), 0)`),
})}
  FROM ${u} WHERE ${u.walletId} = $1 AND (${IS_WAITING} OR ${u.createdAt} >= $2)`

export async function findTopUpSums(db: Sql, walletId: string, month: { from: Date; to: Date }): Promise<TopUpSums> {
  const [sums] = await db.query({ text: TOP_UP_SUMS, values: [walletId, month.from, month.to] })
  return sums!
}

const WALLET_FACTS = sql`SELECT ${row({
  ...WALLET,
  waitingSatang: as.satang('sums."waitingSatang"'),
  waiting: as.int('sums.waiting'),
  approvedSatang: as.satang('sums."approvedSatang"'),
  pin: orNull(as.shape<PinJson>(pinJson(`${w.uid}`))),
})} FROM ${JOINED} CROSS JOIN (${TOP_UP_SUMS.text}) sums WHERE ${w.id} = $1`

/** Returns what its owner is told of a wallet, in one statement: with their PIN, which is null when none is set. */
export async function findWalletFacts(
  db: Sql,
  walletId: string,
  month: { from: Date; to: Date },
): Promise<{ wallet: Wallet; sums: TopUpSums; pin: StoredPin | null }> {
  const values = [walletId, month.from, month.to]
  const [found] = await db.query({ name: 'wallet_facts', text: WALLET_FACTS, values })
  invariant(found, 'the wallet of an account exists')
  const { pin, waitingSatang, waiting, approvedSatang, ...wallet } = found
  return { wallet, sums: { waitingSatang, waiting, approvedSatang }, pin: pin && pinOf(pin) }
}

const RECEIVED = sql`SELECT ${row({
  received:
    as.satang(`(SELECT coalesce(sum(${u.amountSatang}), 0) FROM ${u} WHERE ${u.walletId} = $1 AND ${u.status} = 'approve'
      AND ${u.payment} = 'bank' AND ${u.correctedAt} IS NULL AND ${u.decidedAt} >= $2 AND ${u.id} IS DISTINCT FROM $3::uuid)
    + (SELECT coalesce(sum(${e.amountSatang}), 0) FROM ${e} JOIN ${x} ON ${x.id} = ${e.transactionId}
      WHERE ${e.account} = 'wallet:' || $1::uuid AND ${e.at} >= $2 AND ${x.kind} IN ('line_booked', 'line_undone'))`),
})}`

/** Returns what people let a wallet receive since a moment: by valid top-ups, except one, and directly from statement lines. */
export async function findReceivedSince(
  db: Sql,
  { walletId, since, except }: { walletId: string; since: Date; except: string | null },
): Promise<Satang> {
  const [found] = await db.query({
    text: RECEIVED,
    values: [walletId, since, except],
  })
  return found!.received
}

/** Returns the sum of a wallet's entries before a moment. */
export async function findBalanceBefore(db: Sql, walletId: string, before: Date): Promise<Satang> {
  const balance = as.satang(`coalesce(sum(${e.amountSatang}), 0)`)
  const [found] = await db.query({
    text: sql`SELECT ${row({ balance })} FROM ${e} WHERE ${e.account} = $1 AND ${e.at} < $2`,
    values: [`wallet:${walletId}`, before],
  })
  return found!.balance
}

/** Finds people with a wallet whose name or email contains a text. */
export async function findWallets(
  db: Queries,
  name: string,
  limit: number,
): Promise<(Wallet & { name: string; email: string | null })[]> {
  return db.query({
    text: sql`SELECT ${row({
      ...WALLET,
      email: a.email,
      name: as.text(`${a.username} || coalesce(nullif(' · ' || ${fullName('a')}, ' · '), '')`),
    })}
      FROM ${JOINED} JOIN ${a} ON ${a.uid} = ${w.uid}
      WHERE ${personWords('a')} ILIKE $1
      ORDER BY ${a.username} LIMIT $2`,
    values: [likePart(name), limit],
  })
}
