import type { ToldOrder } from '@shop/shared/chat/order-messages.ts'
import { NEAR } from '@shop/shared/order/queue.ts'
import { afterOpenTime, nextOpeningOf } from '@shop/shared/settings/opening-hours.ts'
import { account, linkedIdentity } from '../account/tables.ts'
import { game, gamePackage } from '../catalogue/tables.ts'
import type { Sql } from '../database/database.ts'
import { lineId } from '../database/listing.ts'
import { as, type Fields, orNull, outer, pick, row, sql, under } from '../database/sql.ts'
import { CREDIT_BACK, IS_REFUND_ASKED } from '../order/money-back-store.ts'
import { orderEvent, orders } from '../order/tables.ts'
import { isHeldSql } from '../supplier/proof-store.ts'
import { WORTH } from '../transfer/order-money.ts'
import { CODES_OF_ORDER } from '../voucher/reveal-store.ts'

const [o, b] = [under(orders, 'o'), outer(account, 'b')]
const [e, later] = [under(orderEvent, 'e'), under(orderEvent, 'x')]
const [g, p] = [under(game, 'g'), under(gamePackage, 'p')]
const l = under(linkedIdentity, 'l')
/** An order where names stand alone. */
const own = under(orders)

/** The events that gave the order its statuses. */
const STATUS_EVENTS = `${e} WHERE ${e.orderId} = ${o.id} AND ${e.fromStatus} IS DISTINCT FROM ${e.toStatus}`

const TOLD: Fields<ToldOrder> = {
  ...pick(o, 'orderNo', 'status', 'queueNo', 'quantity', 'playerName', 'createdAt', 'paidAt'),
  ...pick(o, 'playerId', 'reason', 'deliveryReference', 'payment'),
  creditBackSatang: as.satang(`${CREDIT_BACK}`),
  statusAt: as.instant(`(SELECT max(${e.at}) FROM ${STATUS_EVENTS})`),
  redone: as.int(`(SELECT count(*) FROM ${STATUS_EVENTS} AND ${e.fromStatus} = 'failed' AND ${e.toStatus} = 'paid')`),
  gameCode: as.text(`(SELECT ${g.code} FROM ${g} WHERE ${g.id} = ${o.gameId})`),
  bankCode: orNull(as.text(`${o.snapshot}->'receivingAccount'->>'code'`)),
  delivers: as.text(`(SELECT ${p.delivers} FROM ${p} WHERE ${p.id} = ${o.packageId})`),
  gameName: as.text(`${o.snapshot}->>'gameName'`),
  packageName: as.text(`${o.snapshot}->>'packageName'`),
  fields: as.shape(`${o.snapshot}->'fields'`),
  amountSatang: as.satang(`${WORTH}`),
  playerChange: orNull(
    as.text(`(SELECT ${e.reason} FROM ${e} WHERE ${e.orderId} = ${o.id} AND ${e.kind} = 'player_changed' AND NOT EXISTS (
    SELECT FROM ${later} WHERE ${later.orderId} = ${o.id} AND ${later.version} > ${e.version}
      AND ${later.fromStatus} = 'failed' AND ${later.toStatus} = 'paid'
  ))`),
  ),
  reduction: orNull(as.text(`(SELECT ${e.reason} FROM ${e} WHERE ${e.orderId} = ${o.id} AND ${e.kind} = 'reduced')`)),
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

const BESIDE: Fields<Omit<OrderFacts, keyof ToldOrder>> = {
  ...pick(o, 'id', 'claimedBy', 'trackToken'),
  isRefundAsked: as.bool(`${IS_REFUND_ASKED}`),
  guestAddress: orNull(as.text(`${CODES_OF_ORDER.codeAddress}`)),
  turn: as.int(`(SELECT max(${e.version}) FROM ${STATUS_EVENTS})`),
  isHeld: as.bool(isHeldSql('o')),
  isRevived: as.bool(
    `(SELECT ${e.fromStatus} IS NOT DISTINCT FROM 'expired' FROM ${STATUS_EVENTS} ORDER BY ${e.version} DESC LIMIT 1)`,
  ),
  buyerLineId: lineId('b'),
}
const FACTS = row<OrderFacts>({ ...TOLD, ...BESIDE })

export async function findToldOrder(db: Sql, by: { id: string } | { orderNo: string }): Promise<OrderFacts | null> {
  const [column, value] = 'id' in by ? [o.id, by.id] : [o.orderNo, by.orderNo]
  const [found] = await db.query({
    text: sql`SELECT ${FACTS}
      FROM ${o} LEFT JOIN ${b} ON ${b.uid} = ${o.buyerUid} WHERE ${column} = $1`,
    values: [value],
  })
  return found ?? null
}

/** Returns the player whom the buyer of an order proposed last, and the version at which they did. */
export async function findProposed(
  db: Sql,
  id: string,
): Promise<{ fields: readonly { label: string; value: string }[]; turn: number } | null> {
  const [found] = await db.query({
    text: sql`SELECT ${row({
      fields: as.shape<{ label: string; value: string }[]>(`${o.proposedPlayer}->'fields'`),
      turn: as.int(`max(${e.version})`),
    })}
      FROM ${o} JOIN ${e} ON ${e.orderId} = ${o.id} AND ${e.kind} = 'player_proposed'
      WHERE ${o.id} = $1 AND ${o.proposedPlayer} IS NOT NULL GROUP BY ${o.id}`,
    values: [id],
  })
  return found ?? null
}

const MOST_TOLD = 4

/** Returns the latest orders of the person with a LINE id, newest first, but the one they name before all. */
export async function findOrdersOfLineId(db: Sql, id: string, firstNo: string | null = null): Promise<ToldOrder[]> {
  return db.query({
    text: sql`SELECT ${row<ToldOrder>(TOLD)} FROM ${o} WHERE ${o.buyerKey} IN (
        SELECT 'u:' || ${l.uid} FROM ${l} WHERE ${l.provider} = 'line' AND ${l.subject} = $1
        UNION SELECT 'u:line:' || $1
      ) ORDER BY (${o.orderNo} = $2) IS TRUE DESC, ${o.createdAt} DESC, ${o.id} DESC LIMIT ${MOST_TOLD}`,
    values: [id, firstNo],
  })
}

/** Returns the numbers of orders under way that end with these digits, the oldest first. */
export async function findEndingWith(db: Sql, digits: string): Promise<string[]> {
  const rows = await db.query({
    text: sql`SELECT ${row(pick(own, 'orderNo'))} FROM ${own}
      WHERE ${own.status} IN ('paid', 'processing') AND ${own.orderNo} LIKE '%' || $1
      ORDER BY ${own.paidAt}, ${own.id} LIMIT 3`,
    values: [digits],
  })
  return rows.map(({ orderNo }) => orderNo)
}

/** Returns orders that wait for staff, oldest first. */
export async function findWaitingForStaff(db: Sql, limit: number): Promise<{ id: string; turn: number }[]> {
  return db.query({
    text: sql`SELECT ${row(pick(BESIDE, 'id', 'turn'))} FROM ${o}
      WHERE ${o.status} = 'paid' ORDER BY ${o.paidAt}, ${o.id} LIMIT $1`,
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
  const rows = await db.query({
    text: sql`SELECT ${row({ ...pick(BESIDE, 'id', 'turn'), since: TOLD.statusAt, usualMinutes: as.int('u.minutes') })}
      FROM ${o} CROSS JOIN LATERAL (SELECT (${o.snapshot}->'usualMinutes'->>'to')::int AS minutes) u
      WHERE ${o.status} = 'paid' AND ${TOLD.statusAt} > $1::timestamptz - interval '1 day'
        AND ${TOLD.statusAt} <= $1::timestamptz - $2 * interval '1 minute' * u.minutes
      ORDER BY ${o.paidAt} LIMIT 200`,
    values: [now, share],
  })
  return rows
    .map(({ since, usualMinutes, ...row }) => ({
      ...row,
      dueAt: afterOpenTime(hours, since, share * usualMinutes * 60_000),
    }))
    .filter(({ dueAt }) => dueAt <= now)
}
