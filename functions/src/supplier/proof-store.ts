import type { Sql } from '../database/database.ts'
import { columns, jsonObject, personName } from '../database/listing.ts'
import { currentRequestId } from '../http/request-id.ts'
import type { OutboxPayload } from '../outbox/payload.ts'
import { slipStateSql } from '../slipcheck/store.ts'
import { dueSql } from '../transfer/order-money.ts'

/**
 * The condition that a line `l` proves what an order `o` cost: the shop matched it, or its amount is exactly the
 * order's.
 */
const ofOrder = (o: string) => `l.order_id = ${o}.id
  AND (l.decided_by IS NULL OR l.amount_satang = ${dueSql(o)})`

/** The file `f` that is the only source of an order's line and still waits for a second person. */
const waitingFile = (
  o: string,
) => `statement_line l JOIN statement_file f ON f.id = l.file_id AND f.needs_second AND f.confirmed_by IS NULL
  WHERE ${ofOrder(o)} AND l.confirmed_key_id IS NULL`

/**
 * Returns the SQL of the person on whose word alone an order `o` is paid; NULL when something else proves its money: the
 * wallet, a line that the shop matched or that has exactly the order's amount, a confirmed slip, or a second person. (A
 * line of another amount, matched by hand, may be a stranger's money.) A line of a file that waits for a second person is
 * the word of the file's uploader. Nothing of this is stored, so a proof that is taken back stops counting at once.
 */
export const heldBySql = (o: string): string => `(SELECT coalesce((SELECT f.given_by FROM ${waitingFile(o)}),
      CASE WHEN said.actor_role <> 'system' AND NOT EXISTS (SELECT FROM statement_line l WHERE ${ofOrder(o)}) THEN said.actor_uid END)
  FROM order_event said
  WHERE said.order_id = ${o}.id AND said.version = (
      SELECT max(paid.version) FROM order_event paid WHERE paid.order_id = ${o}.id AND paid.to_status = 'paid'
        AND paid.from_status IN ('waiting_payment', 'expired'))
    AND NOT EXISTS (SELECT FROM order_event word
      WHERE word.order_id = ${o}.id AND word.kind = 'money_confirmed' AND word.version > said.version)
    AND ${slipStateSql(`${o}.id`, `${o}.slip_id`)} IS DISTINCT FROM 'confirmed')`

/** The condition that the supplier delivers the package `p` of an order `o`. */
export const isAutomatic = (o: string) => `p.id = ${o}.package_id AND p.is_automatic`

/**
 * Returns the SQL condition that the supplier would deliver the order `o` automatically but waits for proof of its
 * money.
 */
export const isHeldSql = (o: string): string => `${o}.status = 'paid' AND ${heldBySql(o)} IS NOT NULL
    AND EXISTS (SELECT FROM package p WHERE ${isAutomatic(o)})`

/** The person on whose word alone an order is paid. */
export interface HeldBy {
  uid: string
  name: string | null
  /** The file they uploaded, when that is what proves the payment. */
  file: { id: string; name: string } | null
}

/** Returns null when something else proves the money. */
export async function findHeldBy(db: Sql, orderId: string): Promise<HeldBy | null> {
  const file = jsonObject<NonNullable<HeldBy['file']>>({ id: 'f.id', name: 'f.file_name' })
  const heldBy = columns<HeldBy>({
    uid: 'h.uid',
    name: personName('p'),
    file: `(SELECT ${file} FROM orders o, LATERAL (SELECT f.* FROM ${waitingFile('o')}) f WHERE o.id = $1)`,
  })
  const [row] = await db.query<HeldBy>({
    text: `SELECT ${heldBy}
      FROM (SELECT ${heldBySql('o')} AS uid FROM orders o WHERE o.id = $1) h LEFT JOIN account p ON p.uid = h.uid
      WHERE h.uid IS NOT NULL`,
    values: [orderId],
  })
  return row ?? null
}

/**
 * Tells whether a locked order must wait. Somebody who is just confirming its file could not see it waiting yet, so
 * this is asked again after them.
 */
export async function mustWait(tx: Sql, orderId: string): Promise<boolean> {
  const held = await findHeldBy(tx, orderId)
  if (!held?.file) return held !== null
  await tx.query({ text: 'SELECT FROM statement_file WHERE id = $1 FOR SHARE', values: [held.file.id] })
  return (await findHeldBy(tx, orderId)) !== null
}

/** Returns which of these orders are paid on one person's word alone. */
export async function findHeld(tx: Sql, orderIds: readonly string[]): Promise<string[]> {
  if (orderIds.length === 0) return []
  const rows = await tx.query<{ id: string }>({
    text: `SELECT o.id FROM orders o WHERE o.id = ANY($1::uuid[]) AND o.status = 'paid' AND ${heldBySql('o')} IS NOT NULL`,
    values: [orderIds],
  })
  return rows.map(({ id }) => id)
}

/**
 * Stores the jobs that deliver the orders `o` which a FROM clause finds, after this transaction. @param after the SQL of
 * the purchase that was refused before
 */
export async function deliverAll(tx: Sql, from: string, values: unknown[], after: string, now: Date): Promise<void> {
  const payload = jsonObject<Omit<OutboxPayload['supplier.deliver'], 'place'>>({ orderId: 'o.id', after })
  await tx.query({
    text: `INSERT INTO outbox (id, kind, key, payload, due_at, created_at, request_id)
      SELECT gen_random_uuid(), 'supplier.deliver', o.id || ':' || gen_random_uuid(), ${payload}, $1, $1,
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
  const proven = `FROM orders o JOIN package p ON ${isAutomatic('o')} WHERE o.id = ANY($2::uuid[]) AND o.status = 'paid'
    AND NOT EXISTS (SELECT FROM supplier_attempt a WHERE a.order_id = o.id)`
  await deliverAll(tx, proven, [orderIds], 'NULL', now)
}
