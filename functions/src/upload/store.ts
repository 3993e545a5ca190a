import { BANKS } from '@shop/shared/catalogue/banks.ts'
import { AppError } from '@shop/shared/errors.ts'
import { TRUE_MONEY } from '@shop/shared/upload/slip-qr.ts'
import { eq } from 'drizzle-orm'
import type { Queries, Sql } from '../database/database.ts'
import { notNull, pick, row, sql, under } from '../database/sql.ts'
import { orders } from '../order/tables.ts'
import { owedRefund } from '../statement/tables.ts'
import { findPaidBySlip } from '../transfer/store.ts'
import { credit, topUp, wallet } from '../wallet/tables.ts'
import { slip as slipTable } from './tables.ts'

export type Slip = typeof slipTable.$inferSelect

const s = under(slipTable)
const [o, f, c] = [under(orders, 'o'), under(owedRefund, 'f'), under(credit, 'c')]
const [t, w] = [under(topUp, 't'), under(wallet, 'w')]

export async function insertSlip(db: Sql, slip: Slip): Promise<void> {
  await db.orm.insert(slipTable).values(slip)
}

/** Returns a slip, locked so that its use can't change during this transaction. */
export async function lockSlip(tx: Sql, id: string): Promise<Slip | null> {
  const [row] = await tx.orm.select().from(slipTable).where(eq(slipTable.id, id)).for('update')
  return row ?? null
}

export async function findSlip(db: Sql, id: string): Promise<Slip | null> {
  const [row] = await db.orm.select().from(slipTable).where(eq(slipTable.id, id))
  return row ?? null
}

/** Tells whether the order, refund or top-up that a slip was handed in for belongs to one of these owner keys. */
export async function isSubjectOf(db: Sql, subjectId: string, ownerKeys: string[]): Promise<boolean> {
  const rows = await db.query({
    text: sql`SELECT ${row(pick(o, 'id'))} FROM ${o} WHERE ${o.id} = $1 AND ${o.buyerKey} = ANY($2)
      UNION ALL SELECT ${f.id} FROM ${f} JOIN ${o} ON ${o.id} = ${f.orderId}
      WHERE ${f.id} = $1 AND ${f.fromCreditId} IS NULL AND ${o.buyerKey} = ANY($2)
      UNION ALL SELECT ${f.id} FROM ${f} JOIN ${c} ON ${c.id} = ${f.fromCreditId}
        WHERE ${f.id} = $1 AND 'u:' || ${c.uid} = ANY($2)
      UNION ALL SELECT ${t.id} FROM ${t} JOIN ${w} ON ${w.id} = ${t.walletId} WHERE ${t.id} = $1 AND 'u:' || ${w.uid} = ANY($2)`,
    values: [subjectId, ownerKeys],
  })
  return rows.length > 0
}

/** Tells apart what may be a bank's reference of a transfer from names and amounts. */
const SLIP_REFERENCE = /^(?=.*\d)[A-Za-z0-9]{10,40}$/
const SENDERS = [...BANKS.map(({ code }) => code), TRUE_MONEY]
const MOST_SUBJECTS = 50

/** Returns the orders and top-ups that slips with this reference, which is compared whole, were handed in for. */
export async function findSubjectsOfSlip(db: Queries, reference: string): Promise<string[]> {
  if (!SLIP_REFERENCE.test(reference)) return []
  const found = await db.query({
    text: sql`SELECT ${row({ id: notNull(s.usedFor) })} FROM ${s}
      WHERE ${s.sendingBank} = ANY($1::text[]) AND ${s.bankReference} = ANY($2::text[])
        AND ${s.usedFor} IS NOT NULL LIMIT ${MOST_SUBJECTS}`,
    values: [SENDERS, [reference, reference.toUpperCase()]],
  })
  return found.map(({ id }) => id)
}

/**
 * Hands a slip in for an order or top-up. A stored slip belongs to one thing; the same transfer may be handed in for
 * several, but pays only one. @throws SLIP_NOT_FOUND for another person's or an unknown slip, SLIP_REUSED when it
 * belongs to something else or its transfer paid something else
 */
export async function useSlip(tx: Sql, use: { slipId: string; uploaderKey: string; usedFor: string }): Promise<void> {
  const slip = await lockSlip(tx, use.slipId)
  if (!slip || slip.uploaderKey !== use.uploaderKey) throw new AppError('SLIP_NOT_FOUND')
  if (slip.usedFor !== null && slip.usedFor !== use.usedFor) throw new AppError('SLIP_REUSED')
  const spentFor = await findPaidBySlip(tx, use.slipId)
  if (spentFor !== null && spentFor !== use.usedFor) throw new AppError('SLIP_REUSED')
  await tx.orm.update(slipTable).set({ usedFor: use.usedFor }).where(eq(slipTable.id, use.slipId))
}

/**
 * Hands a picture in for one thing only, also where it was uploaded more than once. @throws SLIP_NOT_FOUND, SLIP_REUSED,
 * EVIDENCE_REUSED
 */
export async function useEvidence(tx: Sql, use: Parameters<typeof useSlip>[1]): Promise<void> {
  await useSlip(tx, use)
  const alike = await tx.query({
    text: sql`SELECT ${row(pick(s, 'usedFor'))} FROM ${s}
      WHERE ${s.pictureHash} = (SELECT ${s.pictureHash} FROM ${s} WHERE ${s.id} = $1) ORDER BY ${s.id} FOR UPDATE`,
    values: [use.slipId],
  })
  if (alike.some(({ usedFor }) => usedFor !== null && usedFor !== use.usedFor)) throw new AppError('EVIDENCE_REUSED')
}

/** Frees a slip from something that it will not pay, so that it can pay something else. */
export async function releaseSlip(tx: Sql, slipId: string | null, usedFor: string): Promise<void> {
  await tx.query({
    text: sql`UPDATE ${s} SET ${s.usedFor} = NULL WHERE ${s.id} = $1 AND ${s.usedFor} = $2`,
    values: [slipId, usedFor],
  })
}
