import { account } from '../account/tables.ts'
import { gamePackage } from '../catalogue/tables.ts'
import type { Sql } from '../database/database.ts'
import { personName } from '../database/listing.ts'
import { as, json, orNull, outer, pick, row, sql, under } from '../database/sql.ts'
import { currentRequestId } from '../http/request-id.ts'
import { orderEvent, orders } from '../order/tables.ts'
import type { OutboxPayload } from '../outbox/payload.ts'
import { outbox } from '../outbox/tables.ts'
import { slipStateSql } from '../slipcheck/store.ts'
import { statementFile, statementLine } from '../statement/tables.ts'
import { dueSql } from '../transfer/order-money.ts'
import { supplierAttempt } from './tables.ts'

const [o, l, f] = [under(orders, 'o'), under(statementLine, 'l'), under(statementFile, 'f')]
const [said, paid, word] = [under(orderEvent, 'said'), under(orderEvent, 'paid'), under(orderEvent, 'word')]
const [p, a] = [under(gamePackage, 'p'), under(supplierAttempt, 'a')]
/** Where names stand alone. */
const [job, file] = [under(outbox), under(statementFile)]
/** Who paid on their word, whose account may be gone. */
const who = outer(account, 'p')

/**
 * The condition that a line `l` proves what an order `o` cost: the shop matched it, or its amount is exactly the
 * order's.
 */
const ofOrder = (o: string) => `${l.orderId} = ${o}.id
  AND (${l.decidedBy} IS NULL OR ${l.amountSatang} = ${dueSql(o)})`

/** The file `f` that is the only source of an order's line and still waits for a second person. */
const waitingFile = (
  o: string,
) => `${l} JOIN ${f} ON ${f.id} = ${l.fileId} AND ${f.needsSecond} AND ${f.confirmedBy} IS NULL
  WHERE ${ofOrder(o)} AND ${l.confirmedKeyId} IS NULL`

/**
 * Returns the SQL of the person on whose word alone an order `o` is paid; NULL when something else proves its money: the
 * wallet, a line that the shop matched or that has exactly the order's amount, a confirmed slip, or a second person. (A
 * line of another amount, matched by hand, may be a stranger's money.) A line of a file that waits for a second person is
 * the word of the file's uploader. Nothing of this is stored, so a proof that is taken back stops counting at once.
 */
export const heldBySql = (o: string): string => `(SELECT coalesce((SELECT ${f.givenBy} FROM ${waitingFile(o)}),
      CASE WHEN ${said.actorRole} <> 'system' AND NOT EXISTS (SELECT FROM ${l} WHERE ${ofOrder(o)}) THEN ${said.actorUid} END)
  FROM ${said}
  WHERE ${said.orderId} = ${o}.id AND ${said.version} = (
      SELECT max(${paid.version}) FROM ${paid} WHERE ${paid.orderId} = ${o}.id AND ${paid.toStatus} = 'paid'
        AND ${paid.fromStatus} IN ('waiting_payment', 'expired'))
    AND NOT EXISTS (SELECT FROM ${word}
      WHERE ${word.orderId} = ${o}.id AND ${word.kind} = 'money_confirmed' AND ${word.version} > ${said.version})
    AND ${slipStateSql(`${o}.id`, `${o}.slip_id`)} IS DISTINCT FROM 'confirmed')`

/** The condition that the supplier delivers the package `p` of an order `o`. */
export const isAutomatic = (o: string) => `${p.id} = ${o}.package_id AND ${p.isAutomatic}`

/**
 * Returns the SQL condition that the supplier would deliver the order `o` automatically but waits for proof of its
 * money.
 */
export const isHeldSql = (o: string): string => `${o}.status = 'paid' AND ${heldBySql(o)} IS NOT NULL
    AND EXISTS (SELECT FROM ${p} WHERE ${isAutomatic(o)})`

/** The person on whose word alone an order is paid. */
export interface HeldBy {
  uid: string
  name: string | null
  /** The file they uploaded, when that is what proves the payment. */
  file: { id: string; name: string } | null
}

/** Returns null when something else proves the money. */
export async function findHeldBy(db: Sql, orderId: string): Promise<HeldBy | null> {
  const waiting = json({ id: f.id, name: f.fileName })
  const heldBy = row<HeldBy>({
    uid: as.text('h.uid'),
    name: orNull(personName('p')),
    file: orNull(
      as.shape<NonNullable<HeldBy['file']>>(
        `(SELECT ${waiting} FROM ${o}, LATERAL (SELECT f.* FROM ${waitingFile('o')}) f WHERE ${o.id} = $1)`,
      ),
    ),
  })
  const [found] = await db.query({
    text: sql`SELECT ${heldBy}
      FROM (SELECT ${heldBySql('o')} AS uid FROM ${o} WHERE ${o.id} = $1) h LEFT JOIN ${who} ON ${who.uid} = h.uid
      WHERE h.uid IS NOT NULL`,
    values: [orderId],
  })
  return found ?? null
}

/**
 * Tells whether a locked order must wait. Somebody who is just confirming its file could not see it waiting yet, so
 * this is asked again after them.
 */
export async function mustWait(tx: Sql, orderId: string): Promise<boolean> {
  const held = await findHeldBy(tx, orderId)
  if (!held?.file) return held !== null
  await tx.query({ text: sql`SELECT FROM ${file} WHERE ${file.id} = $1 FOR SHARE`, values: [held.file.id] })
  return (await findHeldBy(tx, orderId)) !== null
}

/** Returns which of these orders are paid on one person's word alone. */
export async function findHeld(tx: Sql, orderIds: readonly string[]): Promise<string[]> {
  if (orderIds.length === 0) return []
  const rows = await tx.query({
    text: sql`SELECT ${row(pick(o, 'id'))} FROM ${o}
      WHERE ${o.id} = ANY($1::uuid[]) AND ${o.status} = 'paid' AND ${heldBySql('o')} IS NOT NULL`,
    values: [orderIds],
  })
  return rows.map(({ id }) => id)
}

/**
 * Stores the jobs that deliver the orders `o` which a FROM clause finds, after this transaction. @param after the SQL of
 * the purchase that was refused before
 */
export async function deliverAll(tx: Sql, from: string, values: unknown[], after: string, now: Date): Promise<void> {
  const payload = json<Omit<OutboxPayload['supplier.deliver'], 'place'>>({
    orderId: o.id,
    after: orNull(as.shape<string>(after)),
  })
  await tx.query({
    text: sql`INSERT INTO ${job}
        (${job.id}, ${job.kind}, ${job.key}, ${job.payload}, ${job.dueAt}, ${job.createdAt}, ${job.requestId})
      SELECT gen_random_uuid(), 'supplier.deliver', ${o.id} || ':' || gen_random_uuid(), ${payload}, $1, $1,
        $${values.length + 2}::text ${from}`,
    values: [now, ...values, currentRequestId()],
  })
}

/**
 * Has the supplier deliver orders that waited for proof of their money. When there is already a purchase, its outcome
 * decides; when the proof has gone by then, the delivery stops itself.
 */
export async function deliverProven(tx: Sql, orderIds: readonly string[], now: Date): Promise<void> {
  if (orderIds.length === 0) return
  const proven = `FROM ${o} JOIN ${p} ON ${isAutomatic('o')} WHERE ${o.id} = ANY($2::uuid[]) AND ${o.status} = 'paid'
    AND NOT EXISTS (SELECT FROM ${a} WHERE ${a.orderId} = ${o.id})`
  await deliverAll(tx, proven, [orderIds], 'NULL', now)
}
