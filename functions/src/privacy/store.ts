import { type ErasureBarrier, LATE_TRANSFER_DAYS } from '@shop/shared/privacy/erasure.ts'
import { DAY_MS } from '@shop/shared/time.ts'
import { uuidv7 } from 'uuidv7'
import type { Sql } from '../database/database.ts'
import { columns, Filter, findPage, personName, sqlOf } from '../database/listing.ts'
import { IS_OPEN_CHARGE } from '../gateway/tables.ts'
import { RUNNING_STATUS_LIST } from '../order/tables.ts'
import { erasure } from './tables.ts'

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
  const rows = await db.query<{ uid: string }>({
    text: `SELECT a.uid FROM linked_identity l JOIN account a ON a.uid = 'line:' || l.subject
      WHERE l.uid = $1 AND l.provider = 'line' AND a.uid <> $1`,
    values: [uid],
  })
  return [uid, ...rows.map(row => row.uid)]
}

const ROW = columns<ErasureRow>(
  sqlOf(erasure, 'e', 'id', 'uids', 'guestHash', 'state', 'askedAt', 'approvedAt', 'closedAt', 'endedAt'),
)
const IS_OPEN = `e.state IN ('asked', 'approved')`

/** Returns an account's request that waits or is under way; null without one. */
export async function findOpenErasure(db: Sql, uid: string): Promise<ErasureRow | null> {
  const [row] = await db.query<ErasureRow>({
    text: `SELECT ${ROW} FROM erasure e WHERE e.uids[1] = $1 AND ${IS_OPEN}`,
    values: [uid],
  })
  return row ?? null
}

/** Returns a request; `lock` keeps it until the transaction ends. */
export async function findErasure(db: Sql, id: string, lock = false): Promise<ErasureRow | null> {
  const [row] = await db.query<ErasureRow>({
    text: `SELECT ${ROW} FROM erasure e WHERE e.id = $1 ${lock ? 'FOR UPDATE' : ''}`,
    values: [id],
  })
  return row ?? null
}

/** Stores a request; one that is open already stays as it is. Returns whether it is new. */
export async function insertErasure(tx: Sql, { uids, guestHash }: Whose, now: Date): Promise<boolean> {
  const stored = await tx.query({
    text: `INSERT INTO erasure (id, uids, guest_hash, state, asked_at) VALUES ($1, $2, $3, 'asked', $4)
      ON CONFLICT DO NOTHING RETURNING id`,
    values: [uuidv7(), uids, guestHash, now],
  })
  return stored.length > 0
}

/** Takes an account's waiting request back; returns false when there is none that waits. */
export async function withdrawErasure(tx: Sql, uid: string, now: Date): Promise<boolean> {
  const done = await tx.query({
    text: `UPDATE erasure SET state = 'withdrawn', ended_at = $2, guest_hash = NULL
      WHERE uids[1] = $1 AND state = 'asked' RETURNING id`,
    values: [uid, now],
  })
  return done.length > 0
}

/** Marks a locked request as approved, for these accounts. */
export async function saveApproval(tx: Sql, id: string, uids: readonly string[], now: Date): Promise<void> {
  await tx.query({
    text: `UPDATE erasure SET state = 'approved', approved_at = $3, uids = $2 WHERE id = $1`,
    values: [id, uids, now],
  })
}

/** Records that no more tokens are given out for the accounts of a request. */
export const saveClosing = (tx: Sql, id: string, now: Date) =>
  tx.query({ text: 'UPDATE erasure SET closed_at = $2 WHERE id = $1', values: [id, now] })

/** Tells whether all accounts of a request are still closed: staff may have opened one again. */
export async function areClosed(db: Sql, { uids }: Whose): Promise<boolean> {
  const open = await db.query({
    text: `SELECT 1 FROM account WHERE uid = ANY($1) AND status <> 'inactive'`,
    values: [uids],
  })
  return open.length === 0
}

/** Each is a condition over $1 (owner keys), $2 (uids) and $3 (since when late transfers count). */
const BARRED: Record<ErasureBarrier, string> = {
  staff: `EXISTS (SELECT FROM account WHERE uid = ANY($2) AND role NOT IN ('customer', 'agent'))`,
  balance: 'EXISTS (SELECT FROM wallet WHERE uid = ANY($2) AND balance_satang <> 0)',
  credit: 'EXISTS (SELECT FROM credit WHERE uid = ANY($2) AND balance_satang <> 0)',
  order: `EXISTS (SELECT FROM orders WHERE buyer_key = ANY($1) AND status IN (${RUNNING_STATUS_LIST}))`,
  // A gateway may still take the money of a charge that nobody closed, also when its order or top-up is over.
  lateTransfer: `EXISTS (SELECT FROM orders WHERE buyer_key = ANY($1) AND status = 'expired'
    AND transfer_reported_at IS NOT NULL AND created_at > $3)
    OR EXISTS (SELECT FROM orders o JOIN charge c ON c.order_id = o.id
    WHERE o.buyer_key = ANY($1) AND c.${IS_OPEN_CHARGE} AND c.created_at > $3)
    OR EXISTS (SELECT FROM wallet w JOIN top_up t ON t.wallet_id = w.id JOIN charge c ON c.top_up_id = t.id
    WHERE w.uid = ANY($2) AND c.${IS_OPEN_CHARGE} AND c.created_at > $3)`,
  // What came above the amount of a top-up is owed by its bank line alone.
  refund: `EXISTS (SELECT FROM orders o JOIN owed_refund r ON r.order_id = o.id
    WHERE o.buyer_key = ANY($1) AND r.sent_at IS NULL AND r.undone_at IS NULL)
    OR EXISTS (SELECT FROM credit c JOIN owed_refund r ON r.from_credit_id = c.id
    WHERE c.uid = ANY($2) AND r.sent_at IS NULL AND r.undone_at IS NULL)
    OR EXISTS (SELECT FROM wallet w JOIN top_up t ON t.wallet_id = w.id JOIN statement_line l ON l.top_up_id = t.id
    JOIN owed_refund r ON r.line_id = l.id WHERE w.uid = ANY($2) AND r.sent_at IS NULL AND r.undone_at IS NULL)`,
  topUp: `EXISTS (SELECT FROM wallet w JOIN top_up t ON t.wallet_id = w.id
    WHERE w.uid = ANY($2) AND t.status IN ('waiting_payment', 'waiting_approve'))`,
  // The question whether this very request may be approved is no reason against it.
  word: `EXISTS (SELECT FROM second_word WHERE state = 'waiting' AND kind <> 'accountErased' AND owners && $1)`,
}
const BARRIERS = Object.entries(BARRED).map(([barrier, condition]) => `CASE WHEN ${condition} THEN '${barrier}' END`)

/** Returns what stands against an erasure. */
export async function findBarriers(db: Sql, whose: Whose, now: Date): Promise<ErasureBarrier[]> {
  const [row] = await db.query<{ barriers: ErasureBarrier[] }>({
    text: `SELECT array_remove(ARRAY[${BARRIERS}], NULL) AS barriers`,
    values: [keysOf(whose), whose.uids, new Date(now.getTime() - LATE_TRANSFER_DAYS * DAY_MS)],
  })
  return row!.barriers
}

/** A request in the form that admins see. */
export interface ListedErasure extends ErasureRow {
  name: string | null
  approvedByName: string | null
  secondByName: string | null
}

const LISTED = `SELECT ${ROW}, ${personName('a')} AS name, ${personName('f')} AS "approvedByName",
    ${personName('s')} AS "secondByName"
  FROM page e LEFT JOIN account a ON a.uid = e.uids[1]
    LEFT JOIN LATERAL (SELECT actor_uid, second_uid FROM value_move
      WHERE subject = 'erasure:' || e.id AND kind = 'accountErased' ORDER BY at LIMIT 1) m ON true
    LEFT JOIN account f ON f.uid = m.actor_uid LEFT JOIN account s ON s.uid = m.second_uid`

/** A page of requests: those that are open, oldest first; or those that are over, newest first. */
export function findErasures(
  db: Sql,
  isOpen: boolean,
  paging: { page: number; pageSize: number },
): Promise<{ rows: ListedErasure[]; total: number }> {
  const filter = new Filter()
  filter.where(isOpen ? ['asked', 'approved'] : ['done', 'withdrawn'], states => `e.state = ANY(${states}::text[])`)
  const order = isOpen ? 'e.asked_at, e.id' : 'e.asked_at DESC, e.id DESC'
  return findPage(db, { from: 'erasure e', filter, order, select: LISTED }, paging)
}
