import type { Sql } from '../database/database.ts'
import { personName } from '../database/listing.ts'
import { slipStateSql } from '../slipcheck/store.ts'

/**
 * Whose word alone the order `o` is paid by, as SQL; NULL where something else speaks for its money: its wallet, a line
 * that the shop itself matched or that brought its very amount, its own slip that the bank confirmed, or a second person
 * since. Another amount matched by hand may be a stranger's money.
 * Nothing of it is stored: what is taken away is missing from then on.
 */
export const heldBySql = (o: string): string => `(SELECT said.actor_uid FROM order_event said
  WHERE said.order_id = ${o}.id AND said.actor_role <> 'system' AND said.version = (
      SELECT max(paid.version) FROM order_event paid WHERE paid.order_id = ${o}.id AND paid.to_status = 'paid'
        AND paid.from_status IN ('waiting_payment', 'expired'))
    AND NOT EXISTS (SELECT FROM order_event word
      WHERE word.order_id = ${o}.id AND word.kind = 'money_confirmed' AND word.version > said.version)
    AND NOT EXISTS (SELECT FROM statement_line l WHERE l.order_id = ${o}.id
      AND (l.decided_by IS NULL OR l.amount_satang = ${o}.price_satang + ${o}.tail_satang))
    AND ${slipStateSql(`${o}.id`, `${o}.slip_id`)} IS DISTINCT FROM 'confirmed')`

/** Whose word alone an order is paid by; null when something else speaks for its money. */
export async function findHeldBy(db: Sql, orderId: string): Promise<{ uid: string; name: string | null } | null> {
  const [row] = await db.query<{ uid: string; name: string | null }>({
    text: `SELECT h.uid, ${personName('p')} AS name
      FROM (SELECT ${heldBySql('o')} AS uid FROM orders o WHERE o.id = $1) h LEFT JOIN account p ON p.uid = h.uid
      WHERE h.uid IS NOT NULL`,
    values: [orderId],
  })
  return row ?? null
}

/** Which of some orders are paid by somebody's word alone. */
export async function findHeld(tx: Sql, orderIds: readonly string[]): Promise<string[]> {
  if (orderIds.length === 0) return []
  const rows = await tx.query<{ id: string }>({
    text: `SELECT o.id FROM orders o WHERE o.id = ANY($1::uuid[]) AND o.status = 'paid' AND ${heldBySql('o')} IS NOT NULL`,
    values: [orderIds],
  })
  return rows.map(({ id }) => id)
}

/**
 * Has the supplier deliver orders that waited for proof of their money, once the transaction is through. Where there was
 * a purchase already, its outcome leads on; where the proof is gone again by then, the delivery itself stops.
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
