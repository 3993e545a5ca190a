import type { Sql } from '../database/database.ts'
import { personName } from '../database/listing.ts'
import { slipStateSql } from '../slipcheck/store.ts'

/**
 * The condition that a line `l` proves what an order `o` cost: the shop matched it, or its amount is exactly the
 * order's.
 */
const ofOrder = (o: string) => `l.order_id = ${o}.id
  AND (l.decided_by IS NULL OR l.amount_satang = ${o}.price_satang + ${o}.tail_satang)`

/** The file `f` that is the only source of an order's line and still waits for a second person. */
const waitingFile = (
  o: string,
) => `statement_line l JOIN statement_file f ON f.id = l.file_id AND f.needs_second AND f.confirmed_by IS NULL
  WHERE ${ofOrder(o)} AND l.confirmed_key_id IS NULL`

/**
 * Whose word alone the order `o` is paid by, as SQL; NULL where something else speaks for its money: its wallet, a line
 * that the shop itself matched or that brought its very amount, its own slip that the bank confirmed, or a second person
 * since. Another amount matched by hand may be a stranger's money. A line of a file that waits for a second person is the
 * word of who gave it.
 * Nothing of it is stored: what is taken away is missing from then on.
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

/**
 * Returns the SQL condition that the supplier would deliver the order `o` automatically but waits for proof of its
 * money.
 */
export const isHeldSql = (o: string): string => `${o}.status = 'paid' AND ${heldBySql(o)} IS NOT NULL
    AND EXISTS (SELECT FROM package p WHERE p.id = ${o}.package_id AND p.is_automatic)`

/** The person on whose word alone an order is paid. */
export interface HeldBy {
  uid: string
  name: string | null
  /** The file they uploaded, when that is what proves the payment. */
  file: { id: string; name: string } | null
}

/** Returns null when something else proves the money. */
export async function findHeldBy(db: Sql, orderId: string): Promise<HeldBy | null> {
  const [row] = await db.query<HeldBy>({
    text: `SELECT h.uid, ${personName('p')} AS name,
        (SELECT json_build_object('id', f.id, 'name', f.file_name) FROM orders o, LATERAL (SELECT f.* FROM ${waitingFile('o')}) f
          WHERE o.id = $1) AS file
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
 * Stores jobs that deliver orders that waited for proof of their money, after this transaction. When there is already a
 * purchase, its outcome decides; when the proof has gone by then, the delivery stops itself.
 */
export async function deliverProven(tx: Sql, orderIds: readonly string[], now: Date): Promise<void> {
  if (orderIds.length === 0) return
  await tx.query({
    text: `INSERT INTO outbox (id, kind, key, payload, due_at, created_at)
      SELECT gen_random_uuid(), 'supplier.deliver', o.id || ':proven:' || gen_random_uuid(),
        jsonb_build_object('orderId', o.id, 'after', NULL), $2, $2
      FROM orders o JOIN package p ON p.id = o.package_id AND p.is_automatic
      WHERE o.id = ANY($1::uuid[]) AND o.status = 'paid' AND NOT EXISTS (SELECT FROM supplier_attempt a WHERE a.order_id = o.id)`,
    values: [orderIds, now],
  })
}
