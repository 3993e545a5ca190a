import type { ToldOrder } from '@shop/shared/chat/order-messages.ts'
import { NEAR } from '@shop/shared/order/queue.ts'
import { afterOpenTime, nextOpeningOf } from '@shop/shared/settings/opening-hours.ts'
import type { Sql } from '../database/database.ts'
import { columns, lineId, type SqlOf, sqlOf } from '../database/listing.ts'
import { CREDIT_BACK, IS_REFUND_ASKED } from '../order/money-back-store.ts'
import { orders } from '../order/tables.ts'
import { isHeldSql } from '../supplier/proof-store.ts'
import { WORTH } from '../transfer/order-money.ts'
import { CODES_OF_ORDER } from '../voucher/reveal-store.ts'

/** The events that gave the order its statuses. */
const STATUS_EVENTS = `order_event e WHERE e.order_id = o.id AND e.from_status IS DISTINCT FROM e.to_status`

const TOLD: SqlOf<ToldOrder> = {
  ...sqlOf(orders, 'o', 'orderNo', 'status', 'queueNo', 'quantity', 'playerId', 'playerName', 'createdAt', 'paidAt'),
  ...sqlOf(orders, 'o', 'reason', 'deliveryReference', 'payment'),
  creditBackSatang: CREDIT_BACK,
  statusAt: `(SELECT max(e.at) FROM ${STATUS_EVENTS})`,
  redone: `(SELECT count(*)::int FROM ${STATUS_EVENTS} AND e.from_status = 'failed' AND e.to_status = 'paid')`,
  gameCode: '(SELECT g.code FROM game g WHERE g.id = o.game_id)',
  bankCode: `o.snapshot->'receivingAccount'->>'code'`,
  delivers: '(SELECT p.delivers FROM package p WHERE p.id = o.package_id)',
  gameName: `o.snapshot->>'gameName'`,
  packageName: `o.snapshot->>'packageName'`,
  fields: `o.snapshot->'fields'`,
  amountSatang: WORTH,
  playerChange: `(SELECT e.reason FROM order_event e WHERE e.order_id = o.id AND e.kind = 'player_changed' AND NOT EXISTS (
    SELECT FROM order_event x WHERE x.order_id = o.id AND x.version > e.version AND x.from_status = 'failed' AND x.to_status = 'paid'
  ))`,
  reduction: `(SELECT e.reason FROM order_event e WHERE e.order_id = o.id AND e.kind = 'reduced')`,
}

/** The facts of an order that chat messages use, and the LINE ids of its people. */
export interface OrderFacts extends ToldOrder {
  id: string
  /** The version at which it got its status; it tells one end, or one payment, from the next. */
  turn: number
  claimedBy: string | null
  /** Whether the supplier waits for proof of its payment. */
  isHeld: boolean
  /** Whether its money was found after its time had run out, which its buyer was shown. */
  isRevived: boolean
  /** Whether it failed and its buyer asked for the money. */
  isRefundAsked: boolean
  trackToken: string
  /** Where its guest wants to be told by mail; null without. */
  guestAddress: string | null
  /** LINE id of the buyer; null for guests and people who never came with LINE. */
  buyerLineId: string | null
}

const BESIDE: SqlOf<Omit<OrderFacts, keyof ToldOrder>> = {
  ...sqlOf(orders, 'o', 'id', 'claimedBy', 'trackToken'),
  isRefundAsked: IS_REFUND_ASKED,
  guestAddress: CODES_OF_ORDER.codeAddress,
  turn: `(SELECT max(e.version) FROM ${STATUS_EVENTS})`,
  isHeld: isHeldSql('o'),
  isRevived: `(SELECT e.from_status = 'expired' FROM ${STATUS_EVENTS} ORDER BY e.version DESC LIMIT 1)`,
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

/** Returns the player whom the buyer of an order proposed last, and the version at which they did. */
export async function findProposed(
  db: Sql,
  id: string,
): Promise<{ fields: readonly { label: string; value: string }[]; turn: number } | null> {
  const [row] = await db.query<{ fields: { label: string; value: string }[]; turn: number }>({
    text: `SELECT o.proposed_player->'fields' AS fields, max(e.version) AS turn
      FROM orders o JOIN order_event e ON e.order_id = o.id AND e.kind = 'player_proposed'
      WHERE o.id = $1 AND o.proposed_player IS NOT NULL GROUP BY o.id`,
    values: [id],
  })
  return row ?? null
}

const MOST_TOLD = 4

/** Returns the latest orders of the person with a LINE id, newest first, but the one they name before all. */
export async function findOrdersOfLineId(db: Sql, id: string, firstNo: string | null = null): Promise<ToldOrder[]> {
  return db.query<ToldOrder>({
    text: `SELECT ${columns<ToldOrder>(TOLD)} FROM orders o WHERE o.buyer_key IN (
        SELECT 'u:' || l.uid FROM linked_identity l WHERE l.provider = 'line' AND l.subject = $1
        UNION SELECT 'u:line:' || $1
      ) ORDER BY (o.order_no = $2) IS TRUE DESC, o.created_at DESC, o.id DESC LIMIT ${MOST_TOLD}`,
    values: [id, firstNo],
  })
}

/** Returns the numbers of orders under way that end with these digits, the oldest first. */
export async function findEndingWith(db: Sql, digits: string): Promise<string[]> {
  const rows = await db.query<{ orderNo: string }>({
    text: `SELECT order_no AS "orderNo" FROM orders WHERE status IN ('paid', 'processing') AND order_no LIKE '%' || $1
      ORDER BY paid_at, id LIMIT 3`,
    values: [digits],
  })
  return rows.map(({ orderNo }) => orderNo)
}

/** Returns orders that wait for staff, oldest first. */
export async function findWaitingForStaff(db: Sql, limit: number): Promise<{ id: string; turn: number }[]> {
  return db.query<{ id: string; turn: number }>({
    text: `SELECT o.id, ${BESIDE.turn} AS turn FROM orders o WHERE o.status = 'paid' ORDER BY o.paid_at, o.id LIMIT $1`,
    values: [limit],
  })
}

/**
 * Returns paid orders of the last day that nobody has taken and that are nearly late, as their buyers were promised: by
 * the time in which the shop was open since they began to wait. While it is closed there are none. @param share of the
 * promised time that has gone by; 1 for those that are late
 */
export async function findUnclaimed(
  db: Sql,
  hours: string,
  now: Date,
  share: number = NEAR,
): Promise<{ id: string; turn: number; dueAt: Date }[]> {
  if (nextOpeningOf(hours, now)) return []
  const rows = await db.query<{ id: string; turn: number; since: Date; usualMinutes: number }>({
    text: `SELECT o.id, ${BESIDE.turn} AS turn, ${TOLD.statusAt} AS since, u.minutes AS "usualMinutes"
      FROM orders o CROSS JOIN LATERAL (SELECT (o.snapshot->'usualMinutes'->>'to')::int AS minutes) u
      WHERE o.status = 'paid' AND ${TOLD.statusAt} > $1::timestamptz - interval '1 day'
        AND ${TOLD.statusAt} <= $1::timestamptz - $2 * interval '1 minute' * u.minutes
      ORDER BY o.paid_at LIMIT 200`,
    values: [now, share],
  })
  return rows
    .map(({ since, usualMinutes, ...row }) => ({
      ...row,
      dueAt: afterOpenTime(hours, since, share * usualMinutes * 60_000),
    }))
    .filter(({ dueAt }) => dueAt <= now)
}
