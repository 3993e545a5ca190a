import type { Queries, Sql } from '../database/database.ts'
import { pickedSql, type Voucher } from './store.ts'

/** What becomes of the codes of an order when one of them is bad. */

/** The condition that somebody has looked at the whole code `v`: its buyer in any way, or one of the staff. */
export const IS_SEEN = `(v.revealed_at IS NOT NULL
  OR EXISTS (SELECT FROM value_move m WHERE m.subject = 'voucher:' || v.id AND m.kind = 'codeSeen'))`

/**
 * The condition that the code `v` took the place of another. Where a bad one of its order has no successor, a server of
 * before replaced it and did not say by which, so that it may have been any.
 */
export const IS_REPLACEMENT = `(v.order_id IS NOT NULL AND (v.replaces_id IS NOT NULL
  OR EXISTS (SELECT FROM voucher bad WHERE bad.order_id = v.order_id AND bad.id <> v.id AND bad.state = 'withdrawn'
    AND NOT EXISTS (SELECT FROM voucher next WHERE next.order_id = bad.order_id AND next.replaces_id = bad.id))))`

interface BadCode extends Pick<Voucher, 'lastFour'> {
  isSeen: boolean
  isReplacement: boolean
}

interface Withdrawal {
  uid: string
  reason: string
  evidenceSlipId: string | null
  complaint: string | null
  now: Date
}

/** Takes back a code that an order has and returns what is known of it; null when the order has it no more. */
export async function withdrawSold(
  tx: Sql,
  of: { id: string; orderId: string },
  { uid, reason, evidenceSlipId, complaint, now }: Withdrawal,
): Promise<BadCode | null> {
  const [gone] = await tx.query<BadCode>({
    text: `UPDATE voucher v SET state = 'withdrawn', withdrawn_at = $3, withdrawn_by = $4, withdrawn_reason = $5,
        evidence_slip_id = $6, complaint = $7
      WHERE v.id = $1 AND v.order_id = $2 AND v.state = 'sold'
      RETURNING v.last_four AS "lastFour", ${IS_SEEN} AS "isSeen", ${IS_REPLACEMENT} AS "isReplacement"`,
    values: [of.id, of.orderId, now, uid, reason, evidenceSlipId, complaint],
  })
  return gone ?? null
}

/** Returns for how many other codes a complaint was named. */
export async function countComplaints(
  db: Queries,
  { complaint, id }: { complaint: string; id: string },
): Promise<number> {
  const [row] = await db.query<{ pieces: number }>({
    text: 'SELECT count(*)::int AS pieces FROM voucher WHERE complaint = $1 AND id <> $2',
    values: [complaint, id],
  })
  return row!.pieces
}

/** Hands an order one free code of its package in the place of a bad one; returns null when there is none. */
export async function sellInstead(
  tx: Sql,
  of: { orderId: string; packageId: number; replacesId: string; day: string; now: Date },
): Promise<Pick<Voucher, 'lastFour' | 'costSatang'> | null> {
  const [sold] = await tx.query<Pick<Voucher, 'lastFour' | 'costSatang'>>({
    text: `UPDATE voucher v SET state = 'sold', order_id = $1, replaces_id = $5, reserved_at = $4, sold_at = $4
      WHERE v.id IN (${pickedSql('$2', '1', '$3')}) RETURNING v.last_four AS "lastFour", v.cost_satang AS "costSatang"`,
    values: [of.orderId, of.packageId, of.day, of.now, of.replacesId],
  })
  return sold ?? null
}
