import type { ToldOrder } from '@shop/shared/chat/order-messages.ts'
import { NEAR } from '@shop/shared/order/queue.ts'
import type { Sql } from '../database/database.ts'
import { columns, lineId, type SqlOf, sqlOf } from '../database/listing.ts'
import { orders } from '../order/tables.ts'
import { isHeldSql } from '../supplier/proof-store.ts'

const TOLD: SqlOf<ToldOrder> = {
  ...sqlOf(orders, 'o', 'orderNo', 'status', 'queueNo', 'quantity', 'playerId', 'playerName', 'createdAt', 'paidAt'),
  ...sqlOf(orders, 'o', 'reason'),
  gameName: `o.snapshot->>'gameName'`,
  packageName: `o.snapshot->>'packageName'`,
  fields: `o.snapshot->'fields'`,
  amountSatang: 'o.price_satang + o.tail_satang',
  playerChange: `(SELECT e.reason FROM order_event e WHERE e.order_id = o.id AND e.kind = 'player_changed' AND NOT EXISTS (
    SELECT FROM order_event x WHERE x.order_id = o.id AND x.version > e.version AND x.from_status = 'failed' AND x.to_status = 'paid'
  ))`,
}

/** The facts of an order that chat messages use, and the LINE ids of its people. */
export interface OrderFacts extends ToldOrder {
  id: string
  claimedBy: string | null
  /** Whether the supplier waits for proof of its payment. */
  isHeld: boolean
  /** LINE id of the buyer; null for guests and people who never came with LINE. */
  buyerLineId: string | null
}

const BESIDE: SqlOf<Omit<OrderFacts, keyof ToldOrder>> = {
  ...sqlOf(orders, 'o', 'id', 'claimedBy'),
  isHeld: isHeldSql('o'),
  buyerLineId: lineId('b'),
}

export async function findToldOrder(db: Sql, by: { id: string } | { orderNo: string }): Promise<OrderFacts | null> {
  const [column, value] = 'id' in by ? ['id', by.id] : ['order_no', by.orderNo]
  const facts = columns<OrderFacts>({ ...TOLD, ...BESIDE })
  const [row] = await db.query<OrderFacts>({
    text: `SELECT ${facts}
      FROM orders o LEFT JOIN account b ON b.uid = o.buyer_uid WHERE o.${column} = $1`,
    values: [value],
  })
  return row ?? null
}

const MOST_TOLD = 4

/** Returns the latest orders of the person with a LINE id, newest first. */
export async function findOrdersOfLineId(db: Sql, id: string): Promise<ToldOrder[]> {
  return db.query<ToldOrder>({
    text: `SELECT ${columns<ToldOrder>(TOLD)} FROM orders o WHERE o.buyer_key IN (
        SELECT 'u:' || l.uid FROM linked_identity l WHERE l.provider = 'line' AND l.subject = $1
        UNION SELECT 'u:line:' || $1
      ) ORDER BY o.created_at DESC, o.id DESC LIMIT ${MOST_TOLD}`,
    values: [id],
  })
}

/** Returns paid orders of the last day that nobody has taken and that are nearly late. */
export async function findUnclaimed(db: Sql, now: Date): Promise<string[]> {
  const rows = await db.query<{ id: string }>({
    text: `SELECT o.id FROM orders o
      WHERE o.status = 'paid' AND o.paid_at > $1::timestamptz - interval '1 day'
        AND o.paid_at <= $1::timestamptz - $2 * interval '1 minute' * (o.snapshot->'usualMinutes'->>'to')::int
      ORDER BY o.paid_at LIMIT 200`,
    values: [now, NEAR],
  })
  return rows.map(({ id }) => id)
}
