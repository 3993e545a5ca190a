import type { FoundTopUp } from '@shop/shared/order/finding-endpoints.ts'
import type { TopUpForStaff } from '@shop/shared/wallet/endpoints.ts'
import type { TopUp } from '@shop/shared/wallet/top-up.ts'
import { getTableColumns } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { account } from '../account/tables.ts'
import { agentBank } from '../agent/tables.ts'
import type { Queries, Sql } from '../database/database.ts'
import { fullName, personName } from '../database/listing.ts'
import { as, type Fields, json, notNull, orNull, outer, pick, row, sql, under, when } from '../database/sql.ts'
import { type Changing, insertSql, setSql, Values } from '../database/values.ts'
import { chargeJson, type StoredCharge } from '../gateway/store.ts'
import { statementFile, statementLine } from '../statement/tables.ts'
import { slip } from '../upload/tables.ts'
import { valueMove } from '../value/tables.ts'
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

const [l, b, f] = [under(statementLine, 'l'), under(statementLine, 'b'), outer(statementFile, 'f')]
const [earlier, m] = [under(topUp, 'e'), under(valueMove, 'm')]

/** Returns null while no line is matched to it. */
export async function findStatementLine(db: Sql, topUpId: string): Promise<TopUpMoney | null> {
  const money = row<TopUpMoney>({
    ...pick(l, 'id', 'receivingAccountId'),
    givenBy: f.givenBy,
    wasThere: as.bool(`${l.createdAt} < ${u.createdAt}`),
    isKnownSender: as.bool(`EXISTS (SELECT FROM ${earlier} JOIN ${b} ON ${b.topUpId} = ${earlier.id}
      WHERE ${earlier.walletId} = ${u.walletId} AND ${earlier.id} <> ${u.id} AND ${earlier.status} = 'approve' AND ${earlier.correctedAt} IS NULL
        AND (${b.fromBank}, ${b.fromAccount}) = (${l.fromBank}, ${l.fromAccount}))`),
    isCounted: as.bool(`EXISTS (SELECT FROM ${m} WHERE ${m.subject} = 'statementLine:' || ${l.id})`),
  })
  const [found] = await db.query({
    text: sql`SELECT ${money} FROM ${l} JOIN ${u} ON ${u.id} = ${l.topUpId}
      LEFT JOIN ${f} ON ${f.id} = ${l.fileId} WHERE ${l.topUpId} = $1`,
    values: [topUpId],
  })
  return found ?? null
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

const [has, s, matched] = [outer(agentBank, 'b'), outer(slip, 's'), outer(statementLine, 'l')]
const [enterer, first, decider] = [under(account, 'e'), outer(account, 'f'), outer(account, 'd')]
const BY_ID = sql`SELECT ${row<TopUp & Omit<TopUpRecord, 'topUp'>>({
  ...TOP_UP,
  agentName: a.username,
  fullName: as.text(fullName('a')),
  ...pick(a, 'phone', 'email'),
  ...pick(has, 'bankCode', 'bankAccount'),
  slipReference: when(
    `${s.bankReference} IS NOT NULL`,
    // Both are stored at once.
    json({ sendingBank: notNull(s.sendingBank), reference: notNull(s.bankReference) }),
  ),
  statementLine: when(
    `${matched.id} IS NOT NULL`,
    json({
      id: notNull(matched.id),
      no: notNull(matched.no),
      day: notNull(matched.day),
      receivingAccountId: notNull(matched.receivingAccountId),
      ...pick(matched, 'at', 'fromBank', 'fromAccount'),
    }),
  ),
  enteredByName: personName('e'),
  firstApprovedByName: orNull(personName('f')),
  decidedByName: orNull(personName('d')),
})}
  FROM ${WITH_WALLET} JOIN ${a} ON ${a.uid} = ${w.uid}
  JOIN ${enterer} ON ${enterer.uid} = ${u.enteredBy}
  LEFT JOIN ${has} ON ${has.uid} = ${a.uid} LEFT JOIN ${s} ON ${s.id} = ${u.slipId}
  LEFT JOIN ${matched} ON ${matched.topUpId} = ${u.id}
  LEFT JOIN ${first} ON ${first.uid} = ${u.firstApprovedBy} LEFT JOIN ${decider} ON ${decider.uid} = ${u.decidedBy}
  WHERE ${u.id} = $1`

/** Returns those of these that are top-ups, as a search shows them, newest first. */
export const findTopUpsOf = (db: Queries, ids: string[]): Promise<FoundTopUp[]> =>
  db.query({
    text: sql`SELECT ${row<FoundTopUp>({ ...pick(u, 'id', 'no', 'status', 'amountSatang'), ownerName: personName('a') })}
      FROM ${WITH_WALLET} JOIN ${a} ON ${a.uid} = ${w.uid}
      WHERE ${u.id} = ANY($1::uuid[]) ORDER BY ${u.createdAt} DESC, ${u.id} DESC`,
    values: [ids],
  })

export async function findTopUp(db: Sql, id: string): Promise<TopUpRecord | null> {
  const [found] = await db.query({ text: BY_ID, values: [id] })
  if (!found) return null
  const { agentName, fullName, phone, email, bankCode, bankAccount, slipReference, statementLine, ...its } = found
  const { enteredByName, firstApprovedByName, decidedByName, ...topUp } = its
  const of = { agentName, fullName, phone, email, bankCode, bankAccount, slipReference }
  const by = { enteredByName, firstApprovedByName, decidedByName }
  const at = statementLine?.at ? new Date(statementLine.at).toISOString() : null
  return { topUp, ...of, ...by, statementLine: statementLine && { ...statementLine, at } }
}
