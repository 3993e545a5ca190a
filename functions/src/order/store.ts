import { isGatewayMethod } from '@shop/shared/catalogue/payment-method.ts'
import { ENDING_STATUSES } from '@shop/shared/chat/buyer-messages.ts'
import type { ChatEvent } from '@shop/shared/chat/chat.ts'
import { invariant } from '@shop/shared/errors.ts'
import { dueOf, type NewOwedRefund, type Order, type OrderEvent, type OrderOutcome } from '@shop/shared/order/order.ts'
import type { Player } from '@shop/shared/order/player.ts'
import type { OrderStatus } from '@shop/shared/order/status.ts'
import type { SlipCheckState } from '@shop/shared/slipcheck/slip-check.ts'
import { uuidv7 } from 'uuidv7'
import { countSale, isSold, type SoldAs } from '../dashboard/sale-day.ts'
import type { Sql } from '../database/database.ts'
import { columns, jsonObject, lineId, nest, personName, type SqlOf, selectList, sqlOf } from '../database/listing.ts'
import { setSql, Values } from '../database/values.ts'
import { chargeJson, endCharges, type StoredCharge } from '../gateway/store.ts'
import { type JobSql, jobSql } from '../outbox/outbox.ts'
import { slipStateSql } from '../slipcheck/store.ts'
import { freeTransfer, useTransfer } from '../transfer/store.ts'
import { CODES_OF_ORDER, type CodesOfOrder } from '../voucher/reveal-store.ts'
import { freedSql } from '../voucher/store.ts'
import { findLedgerTransaction, postLedger } from '../wallet/store.ts'
import { orderCtes, toldStatusOf } from '../webhook/emit.ts'
import { ORDER_CHANGING, ORDER_COLUMNS } from './columns.ts'
import {
  CREDIT_BACK,
  endRequest,
  REFUND_REQUEST,
  REFUNDS,
  type RefundRequest,
  type StoredRefund,
} from './money-back-store.ts'
import { type OrderSnapshot, orderEvent, playerOfGame, slottedPlayer, waitingBuyer } from './tables.ts'

/** The data stored with an order beside the order itself: its owner, its token and names. */
export interface Kept {
  trackToken: string
  /** `u:<uid>` or `g:<hash of the guest key>`. */
  buyerKey: string
  snapshot: OrderSnapshot
}

/** The buyer of an order, by the current account; all fields are empty for guests. */
export interface BuyerContact {
  name: string | null
  email: string | null
  phone: string | null
  lineId: string | null
  /** Ways to sign in of the buyer's account. */
  providers: string[]
}

/** An order with everything that its pages show. */
export interface OrderRecord extends Kept, CodesOfOrder {
  order: Order
  /** The current code of its game. */
  gameCode: string
  buyer: BuyerContact
  claimedByName: string | null
  /** When its buyer accepted these terms, if that is still known. */
  termsAcceptedAt: Date
  /** Assigned when the order is first paid. */
  queueNo: number | null
  /** How many orders that were paid earlier are still to be delivered, up to 100; null unless it waits for that itself. */
  ahead: number | null
  /** For a failed order: the player that the buyer proposes instead. */
  proposedPlayer: Player | null
  /** The state of its slip's check; null when there was none. */
  slipCheck: SlipCheckState | null
  refunds: StoredRefund[]
  /** For a failed order: what its buyer asked for. */
  refundRequest: RefundRequest | null
  creditBackSatang: number
  /** The newest try to pay it through the gateway. */
  charge: StoredCharge | null
  events: (OrderEvent & { actorName: string | null })[]
}

type StoredEvent = Omit<OrderEvent, 'at'> & { at: string; actorName: string | null }

const EVENT = jsonObject<StoredEvent>({
  ...sqlOf(orderEvent, 'e', 'kind', 'reason', 'at'),
  from: 'e.from_status',
  to: 'e.to_status',
  actor: jsonObject<OrderEvent['actor']>({ uid: 'e.actor_uid', role: 'e.actor_role' }),
  actorName: personName('p'),
})
const eventsSql = (orderId: string) => `(SELECT json_agg(${EVENT} ORDER BY e.version)
  FROM order_event e LEFT JOIN account p ON p.uid = e.actor_uid WHERE e.order_id = ${orderId})`

const eventOf = (event: StoredEvent) => ({ ...event, at: new Date(event.at) })

/** Returns the events of an order, oldest first. */
export async function findOrderEvents(db: Sql, orderId: string): Promise<OrderEvent[]> {
  const [row] = await db.query<{ events: StoredEvent[] }>({
    text: `SELECT ${eventsSql('$1')} AS events`,
    values: [orderId],
  })
  return row!.events.map(eventOf)
}

const KEPT: SqlOf<Kept> = { trackToken: 'o.track_token', buyerKey: 'o.buyer_key', snapshot: 'o.snapshot' }

/** A buyer behind more orders than that is not told how many. */
const MOST_AHEAD = 100

const RECORD = columns<Omit<OrderRecord, 'order'>>({
  ...KEPT,
  ...CODES_OF_ORDER,
  queueNo: 'o.queue_no',
  ahead: `CASE WHEN o.status = 'paid' THEN (SELECT count(*)::int FROM (SELECT 1 FROM orders q
    WHERE q.status IN ('paid', 'processing') AND (q.paid_at, q.id) < (o.paid_at, o.id) LIMIT ${MOST_AHEAD}) AS earlier) END`,
  proposedPlayer: 'o.proposed_player',
  gameCode: 'g.code',
  buyer: jsonObject<BuyerContact>({
    name: personName('b'),
    email: 'b.email',
    phone: 'b.phone',
    lineId: lineId('b'),
    providers: `coalesce(b.providers, '{}')`,
  }),
  claimedByName: personName('c'),
  termsAcceptedAt: `coalesce((SELECT t.accepted_at FROM terms_acceptance t WHERE t.owner_key = o.buyer_key
    AND t.version = o.snapshot->>'termsVersion'), o.created_at)`,
  slipCheck: slipStateSql('o.id', 'o.slip_id'),
  refunds: REFUNDS,
  refundRequest: REFUND_REQUEST,
  creditBackSatang: CREDIT_BACK,
  charge: chargeJson('order_id', 'o.id'),
  events: eventsSql('o.id'),
})
const RECORD_SQL = `SELECT ${selectList(ORDER_COLUMNS, 'o', 'order')}, ${RECORD}
  FROM orders o
  JOIN game g ON g.id = o.game_id
  LEFT JOIN account b ON b.uid = o.buyer_uid
  LEFT JOIN account c ON c.uid = o.claimed_by`

export async function findOrder(
  db: Sql,
  by: { orderNo: string } | { trackToken: string },
): Promise<OrderRecord | null> {
  const [column, value] = 'orderNo' in by ? ['order_no', by.orderNo] : ['track_token', by.trackToken]
  const [row] = await db.query<Record<string, unknown>>({
    name: `order_by_${column}`,
    text: `${RECORD_SQL} WHERE o.${column} = $1`,
    values: [value],
  })
  if (!row) return null
  const { events, ...record } = nest<Omit<OrderRecord, 'events'> & { events: StoredEvent[] }>(row)
  return { ...record, events: events.map(eventOf) }
}

/** Returns the player that the buyer of a failed order proposes instead; null without a proposal. */
export async function findProposedPlayer(db: Sql, orderId: string): Promise<Player | null> {
  const [row] = await db.query<{ proposed: Player | null }>({
    text: 'SELECT proposed_player AS proposed FROM orders WHERE id = $1',
    values: [orderId],
  })
  return row?.proposed ?? null
}

/** Returns the name of the person who has claimed an order. */
export async function findClaimerName(db: Sql, orderNo: string): Promise<string | null> {
  const [row] = await db.query<{ name: string }>({
    text: `SELECT ${personName('c')} AS name FROM orders o JOIN account c ON c.uid = o.claimed_by WHERE o.order_no = $1`,
    values: [orderNo],
  })
  return row?.name ?? null
}

/** Locks an order for a change in this transaction. */
export async function lockOrder(
  tx: Sql,
  by: { orderNo: string } | { id: string },
): Promise<({ order: Order } & Kept) | null> {
  const [column, value] = 'orderNo' in by ? ['order_no', by.orderNo] : ['id', by.id]
  const [row] = await tx.query<Record<string, unknown>>({
    name: `order_lock_by_${column}`,
    text: `SELECT ${selectList(ORDER_COLUMNS, 'o', 'order')}, ${columns<Kept>(KEPT)}
      FROM orders o WHERE o.${column} = $1 FOR UPDATE`,
    values: [value],
  })
  return row ? nest<{ order: Order } & Kept>(row) : null
}

/**
 * Locks orders whose time is over; skips those that another job works on. The status is compared as an expression, or
 * all orders that wait might be read to find those whose time is over.
 */
export async function lockExpired(tx: Sql, now: Date, limit: number): Promise<Order[]> {
  return tx.query<Order>({
    text: `SELECT ${selectList(ORDER_COLUMNS, 'o')} FROM orders o
      WHERE o.expire_after <= $1 AND (o.status || '') = 'waiting_payment' ORDER BY o.expire_after LIMIT $2 FOR UPDATE SKIP LOCKED`,
    values: [now, limit],
  })
}

/** Keeps an unpaid order and its amount at least until this moment. */
export async function keepAmount(tx: Sql, id: string, until: Date): Promise<void> {
  await tx.query({
    text: `UPDATE orders SET expire_after = GREATEST(expire_after, $2) WHERE id = $1 AND status = 'waiting_payment'`,
    values: [id, until],
  })
}

/** Locks claimed orders whose lease is over; skips those that another job or a person works on. */
export async function lockLapsed(tx: Sql, now: Date, limit: number): Promise<Order[]> {
  return tx.query<Order>({
    text: `SELECT ${selectList(ORDER_COLUMNS, 'o')} FROM orders o
      WHERE o.claim_until <= $1 ORDER BY o.claim_until LIMIT $2 FOR UPDATE SKIP LOCKED`,
    values: [now, limit],
  })
}

/** Returns the number of another order that now has this order's transfer amount; null when there is none. */
export async function findSameAmountOrder(db: Sql, order: Order, now: Date): Promise<string | null> {
  const [row] = await db.query<{ orderNo: string }>({
    text: `SELECT o.order_no AS "orderNo" FROM reserved_amount r JOIN orders o ON o.id = r.order_id
      WHERE r.receiving_account_id = $1 AND r.amount_satang = $2 AND r.order_id <> $3
        AND (r.reusable_at IS NULL OR r.reusable_at > $4)`,
    values: [order.receivingAccountId, dueOf(order), order.id, now],
  })
  return row?.orderNo ?? null
}

/**
 * Tells whether a paid order could become unpaid again: its amount is still reserved and its buyer has no other unpaid
 * order. The amount stays reserved until this transaction ends.
 */
export async function canWaitAgain(tx: Sql, orderId: string): Promise<boolean> {
  const amounts = await tx.query({
    text: 'SELECT 1 FROM reserved_amount WHERE order_id = $1 FOR UPDATE',
    values: [orderId],
  })
  if (amounts.length === 0) return false
  const others = await tx.query({
    text: `SELECT 1 FROM orders o WHERE o.id = $1 AND o.transfer_reported_at IS NULL AND (
        EXISTS (SELECT FROM orders x
          WHERE ${waitingBuyer('x')} = o.buyer_key AND x.transfer_reported_at IS NULL AND x.id <> o.id)
        OR EXISTS (SELECT FROM orders x WHERE ${slottedPlayer('x')} = ${playerOfGame('o.game_id', 'o.player_id')}
          AND x.guest_slot = o.guest_slot AND x.id <> o.id))`,
    values: [orderId],
  })
  return others.length === 0
}

/** Returns the SQL of an order's queue number: the one it has, else the next one at its first payment. */
export const queueNoSql = (had: string, paidAt: string): string =>
  `CASE WHEN ${had} IS NULL AND ${paidAt}::timestamptz IS NOT NULL THEN nextval('order_queue_no') ELSE ${had} END`

/** Tells whether this payment has just made the order ready to be delivered. */
const isNewlyPaid = ({ order, event }: OrderOutcome): boolean =>
  order.status === 'paid' && (event.kind === 'created' || event.from === 'waiting_payment' || event.from === 'expired')

/**
 * Stores the job that makes the supplier deliver an order of an automatic package, once for each time that it was paid.
 * It runs after the commit. @param saved the rows (id, package_id, version) of the order that was stored
 */
export const deliverySql = (saved: string, isPaid: string, { id, at, requestId }: JobSql): string => `
  INSERT INTO outbox (id, kind, key, payload, due_at, created_at, request_id)
  SELECT ${id}::uuid, 'supplier.deliver', ${saved}.id || ':' || ${saved}.version,
    jsonb_build_object('orderId', ${saved}.id, 'after', NULL), ${at}, ${at}, ${requestId}::text
  FROM ${saved} JOIN package p ON p.id = ${saved}.package_id
  WHERE ${isPaid}::boolean AND p.is_automatic
  ON CONFLICT ON CONSTRAINT outbox_once DO NOTHING`

/** Returns the message in LINE that a decision causes, and the key that tells it from earlier ones; null for none. */
function toldOf({ order, event }: OrderOutcome): { event: ChatEvent; turn: string } | null {
  const turn = String(order.version)
  if (event.kind === 'player_proposed') return { event: 'orderCorrected', turn }
  if (event.kind === 'refund_asked') return { event: 'refundAsked', turn }
  if (event.from === order.status) return null
  // It waits for staff: its money came, a claim ended, or it is tried again.
  if (order.status === 'paid') return { event: 'orderPaid', turn }
  // A failed order may be delivered later after all, fail again, or be refunded: each is news of its own.
  const hasEnded = (ENDING_STATUSES as OrderStatus[]).includes(order.status)
  return hasEnded ? { event: 'orderEnded', turn } : null
}

/**
 * Stores the job that sends a message in LINE after the commit. @param saved the rows (id) of the order that was stored
 */
export const tellSql = (saved: string, event: string, turn: string, { id, at, requestId }: JobSql): string => `
  INSERT INTO outbox (id, kind, key, payload, due_at, created_at, request_id)
  SELECT ${id}::uuid, 'chat.tell', ${event}::text || ':' || ${saved}.id || ':' || ${turn}::text,
    jsonb_build_object('event', ${event}::text, 'id', ${saved}.id, 'turn', ${turn}::text), ${at}, ${at}, ${requestId}::text
  FROM ${saved} WHERE ${event}::text IS NOT NULL
  ON CONFLICT ON CONSTRAINT outbox_once DO NOTHING`

/**
 * Stores a decision about an existing order: its new state, the event, the release of its amount, the money and the
 * sale. @param postedAt only for an order of the past, see `PostedTransaction`
 */
export async function saveOutcome(tx: Sql, outcome: OrderOutcome, postedAt?: Date): Promise<void> {
  const { order, event, ledger, credit, uses, owed, amountReusableAt } = outcome
  const told = postedAt ? null : toldOf(outcome)
  const { all: values, add } = new Values()
  const [version, at] = [add(order.version), add(event.at)]
  const telling = jobSql(add, at)
  const toldEvent = add(told?.event ?? null)
  const toldStatus = add(postedAt ? null : toldStatusOf(outcome))
  const saved = await tx.query<SoldAs>({
    name: 'order_save',
    text: `WITH saved AS (
        UPDATE orders SET ${setSql(ORDER_COLUMNS, ORDER_CHANGING, order, add)}, queue_no = ${queueNoSql('queue_no', add(order.paidAt))}
        WHERE id = ${add(order.id)} AND version = ${version}::int - 1 RETURNING id, package_id, status, version
      ), happened AS (
        INSERT INTO order_event (order_id, version, kind, from_status, to_status, actor_uid, actor_role, reason, at)
        SELECT id, version, ${add(event.kind)}, ${add(event.from)}, status, ${add(event.actor.uid)}, ${add(event.actor.role)},
          ${add(event.reason)}, ${at}::timestamptz FROM saved
      ), released AS (
        UPDATE reserved_amount SET reusable_at = ${add(amountReusableAt ?? null)} FROM saved
        WHERE ${add(amountReusableAt !== undefined)} AND order_id = saved.id
      ), delivering AS (${deliverySql('saved', add(isNewlyPaid(outcome) && !postedAt), jobSql(add, at))}),
      freed AS (${freedSql('saved')}),
      -- Who orders by machine is told by machine; a guest by mail, who gave an address.
      told AS (SELECT id FROM saved WHERE ${toldEvent}::text <> 'orderEnded'
        OR (${add(order.buyerUid !== null)} AND NOT EXISTS (SELECT FROM reseller_order r WHERE r.order_id = saved.id))
        OR EXISTS (SELECT FROM voucher_address a WHERE a.order_id = saved.id)),
      telling AS (${tellSql('told', toldEvent, add(told?.turn ?? null), telling)}),
      ${orderCtes('saved', { orderNo: add(order.orderNo), status: toldStatus, at, requestId: telling.requestId })}
      -- As it was before this statement.
      SELECT o.paid_at AS "paidAt", o.quantity, o.price_satang AS "priceSatang", o.cost_satang AS "costSatang"
      FROM saved JOIN orders o USING (id)`,
    values,
  })
  invariant(saved.length === 1, 'an order is saved from the version it was loaded at')
  if (isGatewayMethod(order.payment) && event.from === 'waiting_payment' && order.status !== event.from)
    await endCharges(tx, { orderId: order.id }, event.at)
  await savePlayers(tx, outcome)
  const refundId = owed ? await insertOwedRefund(tx, owed, event.at) : null
  if (event.from === 'failed' && (order.status !== 'failed' || event.kind === 'player_proposed'))
    await endRequest(tx, order.id, refundId)
  if (uses) await useTransfer(tx, uses, event.at)
  if (ledger) {
    if (ledger.kind === 'order_payment_undone') await freeTransfer(tx, order.id)
    const reversesId = ledger.kind === 'order_refunded' ? await findSaleId(tx, order) : ledger.reversesId
    await postLedger(tx, { ...ledger, id: uuidv7(), subjectId: order.id, reversesId, at: postedAt })
  }
  if (credit) await postLedger(tx, { ...credit, id: uuidv7(), subjectId: order.id, at: postedAt })
  await saveSale(tx, outcome, saved[0]!)
}

/** Saves the typed player of the order and the one that its buyer proposes, when either changes. */
async function savePlayers(tx: Sql, { order, player, proposedPlayer }: OrderOutcome): Promise<void> {
  if (proposedPlayer !== undefined)
    await tx.query({
      text: 'UPDATE orders SET proposed_player = $2::jsonb WHERE id = $1',
      values: [order.id, proposedPlayer && JSON.stringify(proposedPlayer)],
    })
  if (player)
    await tx.query({
      text: `UPDATE orders SET snapshot = jsonb_set(snapshot, '{fields}', $2::jsonb) WHERE id = $1`,
      values: [order.id, JSON.stringify(player.fields)],
    })
}

/** Counts a new sale, and takes off one that is no more, or not as it was. */
async function saveSale(tx: Sql, { order, event }: OrderOutcome, before: SoldAs): Promise<void> {
  const wasSold = event.from !== null && isSold(event.from)
  if (wasSold === isSold(order.status) && order.quantity === before.quantity) return
  if (wasSold) await countSale(tx, { ...order, ...before }, -1)
  if (isSold(order.status)) await countSale(tx, order, 1)
}

/** Returns the posted sale that a refund reverses. */
async function findSaleId(tx: Sql, order: Order): Promise<string> {
  const sale = await findLedgerTransaction(tx, { subjectId: order.id, kind: 'order_paid' })
  invariant(sale, 'money that is given back was posted as sold')
  return sale.id
}

/** Stores money that is owed from now on, and returns its id. */
export async function insertOwedRefund(tx: Sql, owed: NewOwedRefund, at: Date): Promise<string> {
  const { orderId, lineId, chargeId = null, fromCreditId = null, amountSatang, reason } = owed
  const id = uuidv7()
  await tx.query({
    text: `INSERT INTO owed_refund (id, order_id, line_id, charge_id, from_credit_id, amount_satang, reason, created_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [id, orderId, lineId, chargeId, fromCreditId, amountSatang, reason, at],
  })
  return id
}
