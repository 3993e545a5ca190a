import { type ErasureBarrier, LATE_TRANSFER_DAYS } from '@shop/shared/privacy/erasure.ts'
import { DAY_MS } from '@shop/shared/time.ts'
import { uuidv7 } from 'uuidv7'
import { account, linkedIdentity } from '../account/tables.ts'
import type { Sql } from '../database/database.ts'
import { Filter, findPage, personName } from '../database/listing.ts'
import { as, orNull, outer, pick, row, sql, under } from '../database/sql.ts'
import { charge, IS_OPEN_CHARGE } from '../gateway/tables.ts'
import { orders, RUNNING_STATUS_LIST } from '../order/tables.ts'
import { owedRefund, statementLine } from '../statement/tables.ts'
import { secondWord, valueMove } from '../value/tables.ts'
import { credit, topUp, wallet } from '../wallet/tables.ts'
import { erasure } from './tables.ts'

const [e, asked] = [under(erasure, 'e'), under(erasure)]

export type ErasureRow = typeof erasure.$inferSelect

/** What goes with an account when it is erased. */
export type Whose = Pick<ErasureRow, 'uids' | 'guestHash'>

/** The owner keys of everything that is erased. */
export const keysOf = ({ uids, guestHash }: Whose): string[] => [
  ...uids.map(uid => `u:${uid}`),
  ...(guestHash ? [`g:${guestHash}`] : []),
]

/** The audited name of a request: it tells of no person, also before they are erased. */
export const subjectOf = (id: string) => `erasure:${id}` as const

/** Returns the account, and the one of their own that a LINE identity left to rest when it was linked to it. */
export async function findOwnUids(db: Sql, uid: string): Promise<string[]> {
  const [a, l] = [under(account, 'a'), under(linkedIdentity, 'l')]
  const rows = await db.query({
    text: sql`SELECT ${row(pick(a, 'uid'))} FROM ${l} JOIN ${a} ON ${a.uid} = 'line:' || ${l.subject}
      WHERE ${l.uid} = $1 AND ${l.provider} = 'line' AND ${a.uid} <> $1`,
    values: [uid],
  })
  return [uid, ...rows.map(each => each.uid)]
}

const ROW = row<ErasureRow>(e)
const IS_OPEN = `${e.state} IN ('asked', 'approved')`

/** Returns an account's request that waits or is under way; null without one. */
export async function findOpenErasure(db: Sql, uid: string): Promise<ErasureRow | null> {
  const [open] = await db.query({
    text: sql`SELECT ${ROW} FROM ${e} WHERE ${e.uids}[1] = $1 AND ${IS_OPEN}`,
    values: [uid],
  })
  return open ?? null
}

/** Returns a request; `lock` keeps it until the transaction ends. */
export async function findErasure(db: Sql, id: string, lock = false): Promise<ErasureRow | null> {
  const [found] = await db.query({
    text: sql`SELECT ${ROW} FROM ${e} WHERE ${e.id} = $1 ${lock ? 'FOR UPDATE' : ''}`,
    values: [id],
  })
  return found ?? null
}

/** Stores a request; one that is open already stays as it is. Returns whether it is new. */
export async function insertErasure(tx: Sql, { uids, guestHash }: Whose, now: Date): Promise<boolean> {
  const stored = await tx.query({
    text: sql`INSERT INTO ${asked} (${asked.id}, ${asked.uids}, ${asked.guestHash}, ${asked.state}, ${asked.askedAt}) VALUES ($1, $2, $3, 'asked', $4)
      ON CONFLICT DO NOTHING RETURNING ${row(pick(asked, 'id'))}`,
    values: [uuidv7(), uids, guestHash, now],
  })
  return stored.length > 0
}

/** Takes an account's waiting request back; returns false when there is none that waits. */
export async function withdrawErasure(tx: Sql, uid: string, now: Date): Promise<boolean> {
  const done = await tx.query({
    text: sql`UPDATE ${asked} SET ${asked.state} = 'withdrawn', ${asked.endedAt} = $2, ${asked.guestHash} = NULL
      WHERE ${asked.uids}[1] = $1 AND ${asked.state} = 'asked' RETURNING ${row(pick(asked, 'id'))}`,
    values: [uid, now],
  })
  return done.length > 0
}

/** Marks a locked request as approved, for these accounts. */
export async function saveApproval(tx: Sql, id: string, uids: readonly string[], now: Date): Promise<void> {
  await tx.query({
    text: sql`UPDATE ${asked} SET ${asked.state} = 'approved', ${asked.approvedAt} = $3, ${asked.uids} = $2 WHERE ${asked.id} = $1`,
    values: [id, uids, now],
  })
}

/** Records that no more tokens are given out for the accounts of a request. */
export const saveClosing = (tx: Sql, id: string, now: Date) =>
  tx.query({ text: sql`UPDATE ${asked} SET ${asked.closedAt} = $2 WHERE ${asked.id} = $1`, values: [id, now] })

/** Tells whether all accounts of a request are still closed: staff may have opened one again. */
export async function areClosed(db: Sql, { uids }: Whose): Promise<boolean> {
  const open = await db.query({
    text: sql`SELECT FROM ${persons} WHERE ${persons.uid} = ANY($1) AND ${persons.status} <> 'inactive'`,
    values: [uids],
  })
  return open.length === 0
}

const [persons, wallets, credits, ordered, words] = [
  under(account),
  under(wallet),
  under(credit),
  under(orders),
  under(secondWord),
]
const [o, c, w, t] = [under(orders, 'o'), under(charge, 'c'), under(wallet, 'w'), under(topUp, 't')]
const [r, owed, l] = [under(owedRefund, 'r'), under(credit, 'c'), under(statementLine, 'l')]

/** Each is a condition over $1 (owner keys), $2 (uids) and $3 (since when late transfers count). */
const BARRED: Record<ErasureBarrier, string> = {
  staff: `EXISTS (SELECT FROM ${persons} WHERE ${persons.uid} = ANY($2) AND ${persons.role} NOT IN ('customer', 'agent'))`,
  balance: `EXISTS (SELECT FROM ${wallets} WHERE ${wallets.uid} = ANY($2) AND ${wallets.balanceSatang} <> 0)`,
  credit: `EXISTS (SELECT FROM ${credits} WHERE ${credits.uid} = ANY($2) AND ${credits.balanceSatang} <> 0)`,
  order: `EXISTS (SELECT FROM ${ordered} WHERE ${ordered.buyerKey} = ANY($1) AND ${ordered.status} IN (${RUNNING_STATUS_LIST}))`,
  // A gateway may still take the money of a charge that nobody closed, also when its order or top-up is over.
  lateTransfer: `EXISTS (SELECT FROM ${ordered} WHERE ${ordered.buyerKey} = ANY($1) AND ${ordered.status} = 'expired'
    AND ${ordered.transferReportedAt} IS NOT NULL AND ${ordered.createdAt} > $3)
    OR EXISTS (SELECT FROM ${o} JOIN ${c} ON ${c.orderId} = ${o.id}
    WHERE ${o.buyerKey} = ANY($1) AND c.${IS_OPEN_CHARGE} AND ${c.createdAt} > $3)
    OR EXISTS (SELECT FROM ${w} JOIN ${t} ON ${t.walletId} = ${w.id} JOIN ${c} ON ${c.topUpId} = ${t.id}
    WHERE ${w.uid} = ANY($2) AND c.${IS_OPEN_CHARGE} AND ${c.createdAt} > $3)`,
  // What came above the amount of a top-up is owed by its bank line alone.
  refund: `EXISTS (SELECT FROM ${o} JOIN ${r} ON ${r.orderId} = ${o.id}
    WHERE ${o.buyerKey} = ANY($1) AND ${r.sentAt} IS NULL AND ${r.undoneAt} IS NULL)
    OR EXISTS (SELECT FROM ${owed} JOIN ${r} ON ${r.fromCreditId} = ${owed.id}
    WHERE ${owed.uid} = ANY($2) AND ${r.sentAt} IS NULL AND ${r.undoneAt} IS NULL)
    OR EXISTS (SELECT FROM ${w} JOIN ${t} ON ${t.walletId} = ${w.id} JOIN ${l} ON ${l.topUpId} = ${t.id}
    JOIN ${r} ON ${r.lineId} = ${l.id} WHERE ${w.uid} = ANY($2) AND ${r.sentAt} IS NULL AND ${r.undoneAt} IS NULL)`,
  topUp: `EXISTS (SELECT FROM ${w} JOIN ${t} ON ${t.walletId} = ${w.id}
    WHERE ${w.uid} = ANY($2) AND ${t.status} IN ('waiting_payment', 'waiting_approve'))`,
  // The question whether this very request may be approved is no reason against it.
  word: `EXISTS (SELECT FROM ${words} WHERE ${words.state} = 'waiting' AND ${words.kind} <> 'accountErased' AND ${words.owners} && $1)`,
}
const BARRIERS = Object.entries(BARRED).map(([barrier, condition]) => `CASE WHEN ${condition} THEN '${barrier}' END`)

/** Returns what stands against an erasure. */
export async function findBarriers(db: Sql, whose: Whose, now: Date): Promise<ErasureBarrier[]> {
  const barriers = as.shape<ErasureBarrier[]>(`array_remove(ARRAY[${BARRIERS}], NULL)`)
  const [found] = await db.query({
    text: sql`SELECT ${row({ barriers })}`,
    values: [keysOf(whose), whose.uids, new Date(now.getTime() - LATE_TRANSFER_DAYS * DAY_MS)],
  })
  return found!.barriers
}

/** A request in the form that admins see. */
export interface ListedErasure extends ErasureRow {
  name: string | null
  approvedByName: string | null
  secondByName: string | null
}

const [owner, first, second] = [outer(account, 'a'), outer(account, 'f'), outer(account, 's')]
const [move, m] = [under(valueMove), under(valueMove, 'm')]
const LISTED = sql`SELECT ${row<ListedErasure>({
  ...e,
  name: orNull(personName('a')),
  approvedByName: orNull(personName('f')),
  secondByName: orNull(personName('s')),
})}
  FROM page e LEFT JOIN ${owner} ON ${owner.uid} = ${e.uids}[1]
    LEFT JOIN LATERAL (SELECT ${move.actorUid}, ${move.secondUid} FROM ${move}
      WHERE ${move.subject} = 'erasure:' || ${e.id} AND ${move.kind} = 'accountErased' ORDER BY ${move.at} LIMIT 1) m ON true
    LEFT JOIN ${first} ON ${first.uid} = ${m.actorUid} LEFT JOIN ${second} ON ${second.uid} = ${m.secondUid}`

/** A page of requests: those that are open, oldest first; or those that are over, newest first. */
export function findErasures(
  db: Sql,
  isOpen: boolean,
  paging: { page: number; pageSize: number },
): Promise<{ rows: ListedErasure[]; total: number }> {
  const filter = new Filter()
  filter.where(isOpen ? ['asked', 'approved'] : ['done', 'withdrawn'], states => `${e.state} = ANY(${states}::text[])`)
  const order = isOpen ? `${e.askedAt}, ${e.id}` : `${e.askedAt} DESC, ${e.id} DESC`
  return findPage(db, { from: `${e}`, filter, order, select: LISTED }, paging)
}
