import type { Queries, Sql } from '../database/database.ts'
import { as, pick, row, sql, under } from '../database/sql.ts'
import { valueMove } from '../value/tables.ts'
import { pickedSql, type Voucher } from './store.ts'
import { voucher } from './tables.ts'

/** What becomes of the codes of an order when one of them is bad. */

const [v, codes] = [under(voucher, 'v'), under(voucher)]
const [bad, next] = [under(voucher, 'bad'), under(voucher, 'next')]
const m = under(valueMove, 'm')

/** The condition that somebody has looked at the whole code `v`: its buyer in any way, or one of the staff. */
export const IS_SEEN = `(${v.revealedAt} IS NOT NULL
  OR EXISTS (SELECT FROM ${m} WHERE ${m.subject} = 'voucher:' || ${v.id} AND ${m.kind} = 'codeSeen'))`

/**
 * The condition that the code `v` took the place of another. Where a bad one of its order has no successor, a server of
 * before replaced it and did not say by which, so that it may have been any.
 */
export const IS_REPLACEMENT = `(${v.orderId} IS NOT NULL AND (${v.replacesId} IS NOT NULL
  OR EXISTS (SELECT FROM ${bad} WHERE ${bad.orderId} = ${v.orderId} AND ${bad.id} <> ${v.id} AND ${bad.state} = 'withdrawn'
    AND NOT EXISTS (SELECT FROM ${next} WHERE ${next.orderId} = ${bad.orderId} AND ${next.replacesId} = ${bad.id}))))`

interface BadCode extends Pick<Voucher, 'lastFour'> {
  isSeen: boolean
  isReplacement: boolean
}

const BAD = row<BadCode>({
  ...pick(v, 'lastFour'),
  isSeen: as.bool(IS_SEEN),
  isReplacement: as.bool(IS_REPLACEMENT),
})

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
  const [gone] = await tx.query({
    text: sql`UPDATE ${v} SET ${codes.state} = 'withdrawn', ${codes.withdrawnAt} = $3, ${codes.withdrawnBy} = $4,
        ${codes.withdrawnReason} = $5, ${codes.evidenceSlipId} = $6, ${codes.complaint} = $7
      WHERE ${v.id} = $1 AND ${v.orderId} = $2 AND ${v.state} = 'sold'
      RETURNING ${BAD}`,
    values: [of.id, of.orderId, now, uid, reason, evidenceSlipId, complaint],
  })
  return gone ?? null
}

/** Returns for how many other codes a complaint was named. */
export async function countComplaints(
  db: Queries,
  { complaint, id }: { complaint: string; id: string },
): Promise<number> {
  const [found] = await db.query({
    text: sql`SELECT ${row({ pieces: as.int('count(*)') })} FROM ${codes} WHERE ${codes.complaint} = $1 AND ${codes.id} <> $2`,
    values: [complaint, id],
  })
  return found!.pieces
}

/** Hands an order one free code of its package in the place of a bad one; returns null when there is none. */
export async function sellInstead(
  tx: Sql,
  of: { orderId: string; packageId: number; replacesId: string; day: string; now: Date },
): Promise<Pick<Voucher, 'lastFour' | 'costSatang'> | null> {
  const [sold] = await tx.query({
    text: sql`UPDATE ${v} SET ${codes.state} = 'sold', ${codes.orderId} = $1, ${codes.replacesId} = $5,
        ${codes.reservedAt} = $4, ${codes.soldAt} = $4
      WHERE ${v.id} IN (${pickedSql('$2', '1', '$3')})
      RETURNING ${row(pick(v, 'lastFour', 'costSatang'))}`,
    values: [of.orderId, of.packageId, of.day, of.now, of.replacesId],
  })
  return sold ?? null
}
