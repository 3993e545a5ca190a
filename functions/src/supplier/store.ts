import { createHash } from 'node:crypto'
import type { Delivery, Standing } from '@shop/shared/order/delivery.ts'
import type { AttemptFacts } from '@shop/shared/supplier/decision.ts'
import {
  ATTEMPT_STATE,
  type AttemptState,
  GOODS_STATES,
  OPEN_STATES,
  REJECTION,
  type Rejection,
} from '@shop/shared/supplier/supplier.ts'
import { and, desc, eq, getTableColumns, gte, inArray } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { gamePackage } from '../catalogue/tables.ts'
import { listSql } from '../database/columns.ts'
import type { Sql } from '../database/database.ts'
import { columns, sqlOf } from '../database/listing.ts'
import { deliverAll, heldBySql, isAutomatic } from './proof-store.ts'
import type { Purchase, Suppliers, Told } from './provider.ts'
import { IS_UNCLEAR, supplier, supplierAnswer, supplierAttempt, supplierBalance, supplierCallback } from './tables.ts'

export type Attempt = typeof supplierAttempt.$inferSelect
export type SupplierRow = typeof supplier.$inferSelect

/**
 * Returns the reference of an order's purchase, in the form that suppliers accept: A-Z, 0-9, at most 20 characters. It
 * follows from the order and from how many purchases there were before, so a shop that lost the purchase with its
 * database still knows what to ask the supplier for, and a supplier that refuses repeats refuses this one.
 */
export const referenceOf = (orderId: string, before: number): string =>
  `K${BigInt(`0x${createHash('sha256').update(`${orderId} ${before}`).digest('hex').slice(0, 24)}`)
    .toString(36)
    .toUpperCase()
    .padStart(19, '0')}`

/** Returns the supplier's row, which is made at its first use. */
export async function findSupplier(db: Sql, name: string): Promise<SupplierRow> {
  const [found] = await db.orm.select().from(supplier).where(eq(supplier.name, name))
  if (found) return found
  await db.orm.insert(supplier).values({ name }).onConflictDoNothing()
  return findSupplier(db, name)
}

export async function saveSupplier(db: Sql, name: string, change: Partial<SupplierRow>): Promise<void> {
  await db.orm
    .insert(supplier)
    .values({ ...change, name })
    .onConflictDoUpdate({ target: supplier.name, set: { ...change, name } })
}

/**
 * Stops purchases until a manager or a sufficient balance lets them go on. A second stop does not change the first
 * reason.
 */
export async function stopSupplier(tx: Sql, name: string, reason: Rejection, now: Date): Promise<void> {
  await tx.query({
    text: `UPDATE supplier SET stopped_at = $3, stopped_for = $2, last_error = $4, last_error_at = $3
      WHERE name = $1 AND stopped_at IS NULL`,
    values: [name, reason, now, REJECTION[reason].text],
  })
}

export async function keepBalance(db: Sql, name: string, balanceSatang: number, now: Date): Promise<void> {
  await saveSupplier(db, name, { balanceSatang, balanceAt: now })
  await db.orm.insert(supplierBalance).values({ id: uuidv7(), supplier: name, at: now, balanceSatang })
}

/** Returns how a package is delivered; null when it is not automatic. */
export async function findDelivery(db: Sql, packageId: number): Promise<Delivery | null> {
  const delivered = columns<Delivery>(sqlOf(gamePackage, 'p', 'costSatang', 'agreedLossSatang', 'delivers', 'sources'))
  const [row] = await db.query<Delivery>({
    text: `SELECT ${delivered} FROM package p WHERE p.id = $1 AND p.is_automatic`,
    values: [packageId],
  })
  return row ?? null
}

/** Reads which suppliers can deliver what, and which buy now: switched on, not stopped, not resting after unclear answers. */
export async function findStandings(db: Sql, suppliers: Suppliers, now: Date): Promise<Standing> {
  const rows = await db.query<{ name: string }>({
    text: `SELECT name FROM supplier WHERE name = ANY($1) AND is_on AND stopped_at IS NULL
      AND (broken_until IS NULL OR broken_until <= $2)`,
    values: [Object.keys(suppliers), now],
  })
  const buying = new Set(rows.map(({ name }) => name))
  return name => {
    const supplier = suppliers[name]
    return supplier ? { ...supplier.capabilities, buys: buying.has(name) } : null
  }
}

/** So many unclear answers to purchases within so many seconds break a supplier off for as long. */
const BREAKER = { unclear: 5, seconds: 600 } as const

/** Lets a supplier rest that gave too many unclear answers; returns whether this one began its rest. */
export async function breakOff(tx: Sql, name: string, now: Date): Promise<boolean> {
  // One after the other, so that the last of several answers at once counts them all.
  await tx.query({ text: 'SELECT FROM supplier WHERE name = $1 FOR NO KEY UPDATE', values: [name] })
  const rows = await tx.query({
    text: `UPDATE supplier SET broken_until = $3::timestamptz + make_interval(secs => $4) WHERE name = $1
        AND (broken_until IS NULL OR broken_until <= $3) AND (
          SELECT count(*) FROM supplier_attempt a WHERE a.supplier = $1
            AND a.sent_at > $3::timestamptz - make_interval(secs => $4)
            AND EXISTS (SELECT FROM supplier_answer n WHERE n.attempt_id = a.id AND n.asked = 'place'
              AND n.answer = 'unknown')) >= $2 RETURNING name`,
    values: [name, BREAKER.unclear, now, BREAKER.seconds],
  })
  return rows.length > 0
}

export async function insertAttempt(
  tx: Sql,
  bought: Purchase & { orderId: string; supplier: string; place: number; sentAt: Date },
): Promise<Attempt> {
  const [attempt] = await tx.orm
    .insert(supplierAttempt)
    .values({ ...bought, id: uuidv7(), state: 'sending' })
    .returning()
  return attempt!
}

export async function findAttempt(
  db: Sql,
  by: { id: string } | { supplier: string; reference: string },
): Promise<Attempt | null> {
  const where =
    'id' in by
      ? eq(supplierAttempt.id, by.id)
      : and(eq(supplierAttempt.supplier, by.supplier), eq(supplierAttempt.reference, by.reference))
  const [row] = await db.orm.select().from(supplierAttempt).where(where)
  return row ?? null
}

/** Returns the purchases for an order, newest first. */
export async function findAttempts(db: Sql, orderId: string): Promise<Attempt[]> {
  return db.orm
    .select()
    .from(supplierAttempt)
    .where(eq(supplierAttempt.orderId, orderId))
    .orderBy(desc(supplierAttempt.id))
}

/** Returns the purchase for an order whose outcome is open, unless staff went on in spite of it. */
export async function findOpenAttempt(db: Sql, orderId: string): Promise<Attempt | null> {
  const [row] = await db.orm
    .select()
    .from(supplierAttempt)
    .where(and(eq(supplierAttempt.orderId, orderId), inArray(supplierAttempt.state, OPEN_STATES)))
  return row ?? null
}

/** Tells whether the supplier delivered a purchase for an order after all, or still may. */
export async function mayHaveArrived(tx: Sql, orderId: string): Promise<boolean> {
  const attempts = await findAttempts(tx, orderId)
  return attempts.some(
    ({ state, contradiction }) =>
      ATTEMPT_STATE[state].isOpen || ATTEMPT_STATE[state].hasGoods || contradiction !== null,
  )
}

/** Stores the fields of a purchase that a decision changed, and facts from the answer. */
export async function saveAttempt(
  tx: Sql,
  before: Attempt,
  after: AttemptFacts,
  told: Pick<Attempt, 'rejection' | 'reason' | 'theirId' | 'costSatang' | 'broughtPieces'>,
  now: Date,
): Promise<void> {
  const { state, notFoundCount, firstNotFoundAt, isWithStaff, contradiction } = after
  const isSettled = before.settledAt === null && !OPEN_STATES.includes(state)
  await tx.orm
    .update(supplierAttempt)
    .set({
      state,
      notFoundCount,
      firstNotFoundAt,
      isWithStaff,
      contradiction,
      ...(isSettled && { settledAt: now, rejection: told.rejection, reason: told.reason }),
      broughtPieces: told.broughtPieces,
      theirId: told.theirId ?? before.theirId,
      costSatang: told.costSatang ?? before.costSatang,
    })
    .where(eq(supplierAttempt.id, before.id))
}

/** Records that the goods came although people had gone on by hand. */
export async function saveContradiction(tx: Sql, id: string, contradiction: AttemptState): Promise<void> {
  await tx.orm.update(supplierAttempt).set({ contradiction, isWithStaff: true }).where(eq(supplierAttempt.id, id))
}

export async function overruleAttempt(tx: Sql, id: string, uid: string, reason: string, now: Date): Promise<void> {
  const overruled = { overruledBy: uid, overruledAt: now, overruledReason: reason }
  await tx.orm.update(supplierAttempt).set(overruled).where(eq(supplierAttempt.id, id))
}

export async function insertAnswer(
  tx: Sql,
  attemptId: string,
  asked: 'place' | 'status',
  told: Told<{ kind: string }>,
  { tookMs, at }: { tookMs: number; at: Date },
): Promise<void> {
  const { answer, httpStatus, code, message } = told
  const kept = { httpStatus, code: code?.slice(0, 100) ?? null, message: message?.slice(0, 500) ?? null }
  await tx.orm
    .insert(supplierAnswer)
    .values({ id: uuidv7(), attemptId, asked, at, tookMs, answer: answer.kind, ...kept })
}

export async function findAnswers(db: Sql, attemptIds: string[]): Promise<(typeof supplierAnswer.$inferSelect)[]> {
  if (attemptIds.length === 0) return []
  return db.orm
    .select(getTableColumns(supplierAnswer))
    .from(supplierAnswer)
    .where(inArray(supplierAnswer.attemptId, attemptIds))
    .orderBy(supplierAnswer.id)
}

/** Stores a callback; returns false when the same one was received before. */
export async function takeCallback(
  tx: Sql,
  callback: { digest: string; supplier: string; reference: string; receivedAt: Date },
): Promise<boolean> {
  const rows = await tx.orm.insert(supplierCallback).values(callback).onConflictDoNothing().returning()
  return rows.length === 1
}

/** The reasons for which a supplier stops. */
const STOPPING = Object.entries(REJECTION).flatMap(([reason, { stops }]) => (stops ? [reason] : []))

/**
 * Paid orders `o` with proven money that are still to be delivered: never tried, or their last purchase `a` was refused
 * for one of the reasons that stop the supplier. @param stopping the placeholder of these reasons
 */
const waiting = (stopping: string) => `FROM orders o JOIN package p ON ${isAutomatic('o')}
  LEFT JOIN LATERAL (SELECT * FROM supplier_attempt WHERE order_id = o.id ORDER BY id DESC LIMIT 1) a ON true
  WHERE o.status = 'paid' AND (a.id IS NULL OR (a.state = 'rejected' AND a.rejection = ANY(${stopping}))) AND ${heldBySql('o')} IS NULL`

/** Continues the orders that waited while nothing could be bought. */
export const resumeWaiting = (tx: Sql, now: Date): Promise<void> =>
  deliverAll(tx, waiting('$2'), [STOPPING], 'a.id', now)

/** Counts the orders that would continue. */
export async function countWaiting(db: Sql): Promise<number> {
  const text = `SELECT count(*)::int AS n ${waiting('$1')}`
  const [row] = await db.query<{ n: number }>({ text, values: [STOPPING] })
  return row!.n
}

/** Returns the cost of the purchase that our balance was too low for. */
export async function findRefusedCost(db: Sql, name: string): Promise<number> {
  const [row] = await db.query<{ cost: number }>({
    text: `SELECT max_cost_satang * quantity AS cost FROM supplier_attempt
      WHERE supplier = $1 AND rejection = 'balance' ORDER BY id DESC LIMIT 1`,
    values: [name],
  })
  return row?.cost ?? 0
}

/** Returns the orders with a purchase that staff must look at, and whose it is, oldest first. */
export async function findUnclear(db: Sql): Promise<{ orderNo: string; supplier: string }[]> {
  return db.query<{ orderNo: string; supplier: string }>({
    text: `SELECT o.order_no AS "orderNo", a.supplier
      FROM (SELECT * FROM supplier_attempt WHERE ${IS_UNCLEAR} ORDER BY id LIMIT 50) a
      JOIN orders o ON o.id = a.order_id ORDER BY a.id`,
  })
}

interface Deliveries {
  day: { sent: number; delivered: number; settled: number }
  week: { sent: number; delivered: number; settled: number }
  /** From sending to the goods; null without any. */
  medianSeconds: number | null
}

/**
 * Counts a supplier's purchases since a moment, and of those since a later one the day's. It reads as many rows as were
 * sent since then, by `supplier_attempt_sent`.
 */
export async function countDeliveries(
  db: Sql,
  name: string,
  { weekFrom, dayFrom }: { weekFrom: Date; dayFrom: Date },
): Promise<Deliveries> {
  const isGood = `state IN (${listSql(GOODS_STATES)})`
  const isSettled = `state NOT IN (${listSql(OPEN_STATES)})`
  const counted = (when: string) =>
    `json_build_object('sent', count(*) FILTER (WHERE ${when}), 'delivered', count(*) FILTER (WHERE ${when} AND ${isGood}),
      'settled', count(*) FILTER (WHERE ${when} AND ${isSettled}))`
  const [row] = await db.query<Deliveries>({
    text: `SELECT ${counted('sent_at >= $3')} AS day, ${counted('true')} AS week,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM settled_at - sent_at)::float8) FILTER (WHERE ${isGood}) AS "medianSeconds"
      FROM supplier_attempt WHERE supplier = $1 AND sent_at >= $2`,
    values: [name, weekFrom, dayFrom],
  })
  return row!
}

export async function seeContradiction(tx: Sql, id: string, uid: string): Promise<void> {
  await tx.orm.update(supplierAttempt).set({ seenBy: uid }).where(eq(supplierAttempt.id, id))
}

export async function findAttemptsSince(db: Sql, name: string, from: Date): Promise<Attempt[]> {
  return db.orm
    .select()
    .from(supplierAttempt)
    .where(and(eq(supplierAttempt.supplier, name), gte(supplierAttempt.sentAt, from)))
    .orderBy(supplierAttempt.id)
}

/** Returns our last known balance at or before a moment; the first known one when none is older. */
export async function findBalanceBefore(
  db: Sql,
  name: string,
  from: Date,
): Promise<{ at: Date; balanceSatang: number } | null> {
  const [row] = await db.query<{ at: Date; balanceSatang: number }>({
    text: `SELECT at, balance_satang AS "balanceSatang" FROM supplier_balance WHERE supplier = $1
      ORDER BY at > $2, CASE WHEN at <= $2 THEN at END DESC, at LIMIT 1`,
    values: [name, from],
  })
  return row ?? null
}

/** Returns the sum of the delivered purchases that were sent after a moment. */
export async function sumDelivered(db: Sql, name: string, after: Date): Promise<number> {
  const [row] = await db.query<{ sum: number }>({
    text: `SELECT coalesce(sum(coalesce(cost_satang, max_cost_satang * CASE state WHEN 'part' THEN brought_pieces ELSE quantity END)), 0)::bigint AS sum FROM supplier_attempt
      WHERE supplier = $1 AND sent_at > $2 AND state IN (${listSql(GOODS_STATES)})`,
    values: [name, after],
  })
  return row!.sum
}
