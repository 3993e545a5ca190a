import type { FoundTopUp } from '@shop/shared/order/finding-endpoints.ts'
import type { TopUpForStaff } from '@shop/shared/wallet/endpoints.ts'
import type { TopUp } from '@shop/shared/wallet/top-up.ts'
import { getTableColumns } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { account } from '../account/tables.ts'
import type { Queries, Sql } from '../database/database.ts'
import { columns, fullName, jsonObject, nest, personName, selectList } from '../database/listing.ts'
import { as, type Fields, orNull, pick, row, sql, under } from '../database/sql.ts'
import { type Changing, insertSql, setSql, Values } from '../database/values.ts'
import { chargeJson, type StoredCharge } from '../gateway/store.ts'
import { topUp, wallet } from './tables.ts'

/** The columns of the row; the owner is stored with the wallet. */
type TopUpRow = Omit<TopUp, 'ownerUid'>

const TOP_UP_COLUMNS = getTableColumns(topUp) satisfies Record<keyof TopUpRow, AnyPgColumn>

/** The fields that a decision about a top-up may change. */
const CHANGING: Changing<TopUpRow> = {
  id: 'fixed',
  no: 'fixed',
  walletId: 'fixed',
  amountSatang: 'changes',
  payment: 'changes',
  status: 'changes',
  version: 'changes',
  slipId: 'changes',
  receivingAccountId: 'changes',
  expiresAt: 'fixed',
  enteredBy: 'fixed',
  firstApprovedBy: 'changes',
  decidedBy: 'changes',
  decidedAt: 'changes',
  reason: 'changes',
  correctedAt: 'changes',
  createdAt: 'fixed',
}

const stored = under(topUp)

/** Returns false when the number is taken; then another one must be drawn. */
export async function insertTopUp(tx: Sql, topUp: TopUp): Promise<boolean> {
  const { all: values, add } = new Values()
  const made = await tx.query({
    text: sql`INSERT INTO ${stored} ${insertSql<TopUpRow>(TOP_UP_COLUMNS, topUp, add)}
      ON CONFLICT (${stored.no}) DO NOTHING RETURNING ${row(pick(stored, 'id'))}`,
    values,
  })
  return made.length === 1
}

const [u, w, a] = [under(topUp, 'u'), under(wallet, 'w'), under(account, 'a')]
const WITH_WALLET = sql`${u} JOIN ${w} ON ${w.id} = ${u.walletId}`
const TOP_UP: Fields<TopUp> = { ...u, ownerUid: w.uid }
const TOP_UPS = sql`SELECT ${row<TopUp>(TOP_UP)} FROM ${WITH_WALLET}`

/** Returns a top-up, locked for a change in this transaction. */
export async function lockTopUp(tx: Sql, id: string): Promise<TopUp | null> {
  const [found] = await tx.query({ text: sql`${TOP_UPS} WHERE ${u.id} = $1 FOR UPDATE OF u`, values: [id] })
  return found ?? null
}

/** Locks top-ups whose time to be paid is over; skips those that another job or a payment works on. */
export const lockUnpaidTopUps = (tx: Sql, now: Date, limit: number): Promise<TopUp[]> =>
  tx.query({
    text: sql`${TOP_UPS} WHERE ${u.status} = 'waiting_payment' AND ${u.expiresAt} <= $1
      ORDER BY ${u.expiresAt} LIMIT $2 FOR UPDATE OF u SKIP LOCKED`,
    values: [now, limit],
  })

/** Returns what the unpaid top-ups of a wallet ask for. */
export async function findAskedSatang(db: Sql, walletId: string): Promise<number> {
  const asked = as.satang(`coalesce(sum(${u.amountSatang}), 0)`)
  const [found] = await db.query({
    text: sql`SELECT ${row({ asked })} FROM ${u} WHERE ${u.walletId} = $1 AND ${u.status} = 'waiting_payment'`,
    values: [walletId],
  })
  return found!.asked
}

/** A top-up with its newest charge and what is on its wallet. */
export interface ChargedTopUp extends TopUp {
  charge: StoredCharge | null
  balanceSatang: number
}

/** Returns a top-up that is paid through the gateway. */
export async function findChargedTopUp(db: Sql, id: string): Promise<ChargedTopUp | null> {
  const [found] = await db.query({
    text: sql`SELECT ${row<ChargedTopUp>({
      ...TOP_UP,
      balanceSatang: w.balanceSatang,
      charge: orNull(as.shape<StoredCharge>(chargeJson('top_up_id', `${u.id}`))),
    })}
      FROM ${WITH_WALLET} WHERE ${u.id} = $1 AND ${u.payment} <> 'bank'`,
    values: [id],
  })
  return found ?? null
}

/** The statement line with the money of a top-up. */
export interface TopUpMoney {
  id: string
  receivingAccountId: number
  /** Who uploaded its file; null for a feed's line. */
  givenBy: string | null
  /**
   * The line was known before the top-up was entered, so somebody who saw it could have entered a top-up of its amount.
   */
  wasThere: boolean
  /** The wallet was topped up from the same account before. */
  isKnownSender: boolean
  /** It counted towards the day of the person who matched it by hand. */
  isCounted: boolean
}

/** Returns null while no line is matched to it. */
export async function findStatementLine(db: Sql, topUpId: string): Promise<TopUpMoney | null> {
  const columnsOfLine = columns<TopUpMoney>({
    id: 'l.id',
    receivingAccountId: 'l.receiving_account_id',
    givenBy: 'f.given_by',
    wasThere: 'l.created_at < u.created_at',
    isKnownSender: `EXISTS (SELECT FROM top_up e JOIN statement_line b ON b.top_up_id = e.id
      WHERE e.wallet_id = u.wallet_id AND e.id <> u.id AND e.status = 'approve' AND e.corrected_at IS NULL
        AND (b.from_bank, b.from_account) = (l.from_bank, l.from_account))`,
    isCounted: `EXISTS (SELECT FROM value_move m WHERE m.subject = 'statementLine:' || l.id)`,
  })
  const [line] = await db.query<TopUpMoney>({
    text: `SELECT ${columnsOfLine} FROM statement_line l JOIN top_up u ON u.id = l.top_up_id
      LEFT JOIN statement_file f ON f.id = l.file_id WHERE l.top_up_id = $1`,
    values: [topUpId],
  })
  return line ?? null
}

/** Stores a decision about a top-up that `lockTopUp` returned. */
export async function saveTopUp(tx: Sql, topUp: TopUp): Promise<void> {
  const { all: values, add } = new Values()
  const set = setSql<TopUpRow>(TOP_UP_COLUMNS, CHANGING, topUp, add)
  await tx.query({ text: sql`UPDATE ${stored} SET ${set} WHERE ${stored.id} = ${add(topUp.id)}`, values })
}

type TopUpLine = NonNullable<TopUpForStaff['statementLine']>

interface SlipReference {
  sendingBank: string
  reference: string
}

/** A top-up with all facts that its approval is decided by. */
export interface TopUpRecord {
  topUp: TopUp
  agentName: string
  fullName: string
  phone: string | null
  email: string | null
  bankCode: string | null
  bankAccount: string | null
  slipReference: SlipReference | null
  statementLine: TopUpLine | null
  enteredByName: string
  firstApprovedByName: string | null
  decidedByName: string | null
}

const RECORD = columns<Omit<TopUpRecord, 'topUp'>>({
  agentName: 'a.username',
  fullName: fullName('a'),
  phone: 'a.phone',
  email: 'a.email',
  bankCode: 'b.bank_code',
  bankAccount: 'b.bank_account',
  slipReference: `CASE WHEN s.bank_reference IS NOT NULL THEN ${jsonObject<SlipReference>({
    sendingBank: 's.sending_bank',
    reference: 's.bank_reference',
  })} END`,
  statementLine: `CASE WHEN l.id IS NOT NULL THEN ${jsonObject<TopUpLine>({
    id: 'l.id',
    no: 'l.no',
    day: 'l.day',
    at: 'l.at',
    receivingAccountId: 'l.receiving_account_id',
    fromBank: 'l.from_bank',
    fromAccount: 'l.from_account',
  })} END`,
  enteredByName: personName('e'),
  firstApprovedByName: personName('f'),
  decidedByName: personName('d'),
})

/** Returns those of these that are top-ups, as a search shows them, newest first. */
export const findTopUpsOf = (db: Queries, ids: string[]): Promise<FoundTopUp[]> =>
  db.query({
    text: sql`SELECT ${row<FoundTopUp>({ ...pick(u, 'id', 'no', 'status', 'amountSatang'), ownerName: as.text(personName('a')) })}
      FROM ${WITH_WALLET} JOIN ${a} ON ${a.uid} = ${w.uid}
      WHERE ${u.id} = ANY($1::uuid[]) ORDER BY ${u.createdAt} DESC, ${u.id} DESC`,
    values: [ids],
  })

export async function findTopUp(db: Sql, id: string): Promise<TopUpRecord | null> {
  const [row] = await db.query<Record<string, unknown>>({
    text: `SELECT ${selectList(TOP_UP_COLUMNS, 'u', 'topUp')}, w.uid AS "topUp.ownerUid", ${RECORD}
      FROM top_up u JOIN wallet w ON w.id = u.wallet_id JOIN account a ON a.uid = w.uid
      JOIN account e ON e.uid = u.entered_by
      LEFT JOIN agent_bank b ON b.uid = a.uid LEFT JOIN slip s ON s.id = u.slip_id
      LEFT JOIN statement_line l ON l.top_up_id = u.id
      LEFT JOIN account f ON f.uid = u.first_approved_by LEFT JOIN account d ON d.uid = u.decided_by
      WHERE u.id = $1`,
    values: [id],
  })
  if (!row) return null
  const record = nest<TopUpRecord>(row)
  const line = record.statementLine
  return { ...record, statementLine: line && { ...line, at: line.at && new Date(line.at).toISOString() } }
}
