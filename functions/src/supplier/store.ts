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
import { as, notNull, orNull, outer, pick, row, sql, under } from '../database/sql.ts'
import { orders } from '../order/tables.ts'
import { deliverAll, heldBySql, isAutomatic } from './proof-store.ts'
import type { Purchase, Suppliers, Told } from './provider.ts'
import { IS_UNCLEAR, supplier, supplierAnswer, supplierAttempt, supplierBalance, supplierCallback } from './tables.ts'

const [p, o, a] = [under(gamePackage, 'p'), under(orders, 'o'), under(supplierAttempt, 'a')]
const [n, last] = [under(supplierAnswer, 'n'), outer(supplierAttempt, 'a')]
/** Where names stand alone. */
const [s, bought, balance] = [under(supplier), under(supplierAttempt), under(supplierBalance)]

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
    text: sql`UPDATE ${s} SET ${s.stoppedAt} = $3, ${s.stoppedFor} = $2, ${s.lastError} = $4, ${s.lastErrorAt} = $3
      WHERE ${s.name} = $1 AND ${s.stoppedAt} IS NULL`,
    values: [name, reason, now, REJECTION[reason].text],
  })
}

export async function keepBalance(db: Sql, name: string, balanceSatang: number, now: Date): Promise<void> {
  await saveSupplier(db, name, { balanceSatang, balanceAt: now })
  await db.orm.insert(supplierBalance).values({ id: uuidv7(), supplier: name, at: now, balanceSatang })
}

/** Returns how a package is delivered; null when it is not automatic. */
export async function findDelivery(db: Sql, packageId: number): Promise<Delivery | null> {
  const delivered = row<Delivery>({
    ...pick(p, 'agreedLossSatang', 'delivers', 'sources'),
    // Without a cost nothing is bought automatically.
    costSatang: notNull(p.costSatang),
  })
  const [found] = await db.query({
    text: sql`SELECT ${delivered} FROM ${p} WHERE ${p.id} = $1 AND ${p.isAutomatic}`,
    values: [packageId],
  })
  return found ?? null
}

/** Reads which suppliers can deliver what, and which buy now: switched on, not stopped, not resting after unclear answers. */
export async function findStandings(db: Sql, suppliers: Suppliers, now: Date): Promise<Standing> {
  const rows = await db.query({
    text: sql`SELECT ${row(pick(s, 'name'))} FROM ${s} WHERE ${s.name} = ANY($1) AND ${s.isOn} AND ${s.stoppedAt} IS NULL
      AND (${s.brokenUntil} IS NULL OR ${s.brokenUntil} <= $2)`,
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
  await tx.query({ text: sql`SELECT FROM ${s} WHERE ${s.name} = $1 FOR NO KEY UPDATE`, values: [name] })
  const rows = await tx.query({
    text: sql`UPDATE ${s} SET ${s.brokenUntil} = $3::timestamptz + make_interval(secs => $4) WHERE ${s.name} = $1
        AND (${s.brokenUntil} IS NULL OR ${s.brokenUntil} <= $3) AND (
          SELECT count(*) FROM ${a} WHERE ${a.supplier} = $1
            AND ${a.sentAt} > $3::timestamptz - make_interval(secs => $4)
            AND EXISTS (SELECT FROM ${n} WHERE ${n.attemptId} = ${a.id} AND ${n.asked} = 'place'
              AND ${n.answer} = 'unknown')) >= $2 RETURNING ${row(pick(s, 'name'))}`,
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
const waiting = (stopping: string) => `FROM ${o} JOIN ${p} ON ${isAutomatic('o')}
  LEFT JOIN LATERAL (SELECT * FROM ${bought} WHERE ${bought.orderId} = ${o.id} ORDER BY ${bought.id} DESC LIMIT 1) a ON true
  WHERE ${o.status} = 'paid' AND (${last.id} IS NULL OR (${last.state} = 'rejected' AND ${last.rejection} = ANY(${stopping})))
    AND ${heldBySql('o')} IS NULL`

/** Continues the orders that waited while nothing could be bought. */
export const resumeWaiting = (tx: Sql, now: Date): Promise<void> =>
  deliverAll(tx, waiting('$2'), [STOPPING], `${last.id}`, now)

/** Counts the orders that would continue. */
export async function countWaiting(db: Sql): Promise<number> {
  const text = sql`SELECT ${row({ n: as.int('count(*)') })} ${waiting('$1')}`
  const [found] = await db.query({ text, values: [STOPPING] })
  return found!.n
}

/** Returns the cost of the purchase that our balance was too low for. */
export async function findRefusedCost(db: Sql, name: string): Promise<number> {
  const cost = as.satang(`${bought.maxCostSatang} * ${bought.quantity}`)
  const [found] = await db.query({
    text: sql`SELECT ${row({ cost })} FROM ${bought}
      WHERE ${bought.supplier} = $1 AND ${bought.rejection} = 'balance' ORDER BY ${bought.id} DESC LIMIT 1`,
    values: [name],
  })
  return found?.cost ?? 0
}

/** Returns the orders with a purchase that staff must look at, and whose it is, oldest first. */
export async function findUnclear(db: Sql): Promise<{ orderNo: string; supplier: string }[]> {
  return db.query({
    text: sql`SELECT ${row({ ...pick(o, 'orderNo'), ...pick(a, 'supplier') })}
      FROM (SELECT * FROM ${bought} WHERE ${IS_UNCLEAR} ORDER BY ${bought.id} LIMIT 50) a
      JOIN ${o} ON ${o.id} = ${a.orderId} ORDER BY ${a.id}`,
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
  const isGood = `${bought.state} IN (${listSql(GOODS_STATES)})`
  const isSettled = `${bought.state} NOT IN (${listSql(OPEN_STATES)})`
  const counted = (when: string) =>
    as.shape<Deliveries['day']>(
      `json_build_object('sent', count(*) FILTER (WHERE ${when}), 'delivered', count(*) FILTER (WHERE ${when} AND ${isGood}),
      'settled', count(*) FILTER (WHERE ${when} AND ${isSettled}))`,
    )
  const deliveries = row<Deliveries>({
    day: counted(`${bought.sentAt} >= $3`),
    week: counted('true'),
    medianSeconds: orNull(
      as.shape<number>(
        `percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM ${bought.settledAt} - ${bought.sentAt})::float8) FILTER (WHERE ${isGood})`,
      ),
    ),
  })
  const [found] = await db.query({
    text: sql`SELECT ${deliveries} FROM ${bought} WHERE ${bought.supplier} = $1 AND ${bought.sentAt} >= $2`,
    values: [name, weekFrom, dayFrom],
  })
  return found!
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
  const [found] = await db.query({
    text: sql`SELECT ${row(pick(balance, 'at', 'balanceSatang'))} FROM ${balance} WHERE ${balance.supplier} = $1
      ORDER BY ${balance.at} > $2, CASE WHEN ${balance.at} <= $2 THEN ${balance.at} END DESC, ${balance.at} LIMIT 1`,
    values: [name, from],
  })
  return found ?? null
}

/** Returns the sum of the delivered purchases that were sent after a moment. */
export async function sumDelivered(db: Sql, name: string, after: Date): Promise<number> {
  const sum = as.satang(
    `coalesce(sum(coalesce(${bought.costSatang}, ${bought.maxCostSatang} * CASE ${bought.state} WHEN 'part' THEN ${bought.broughtPieces} ELSE ${bought.quantity} END)), 0)`,
  )
  const [found] = await db.query({
    text: sql`SELECT ${row({ sum })} FROM ${bought}
      WHERE ${bought.supplier} = $1 AND ${bought.sentAt} > $2 AND ${bought.state} IN (${listSql(GOODS_STATES)})`,
    values: [name, after],
  })
  return found!.sum
}
