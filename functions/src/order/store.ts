import { isGatewayMethod } from '@shop/shared/catalogue/payment-method.ts'
import { ENDING_STATUSES } from '@shop/shared/chat/buyer-messages.ts'
import type { ChatEvent } from '@shop/shared/chat/chat.ts'
import { invariant } from '@shop/shared/errors.ts'
import { dueOf, type NewOwedRefund, type Order, type OrderEvent, type OrderOutcome } from '@shop/shared/order/order.ts'
import type { Player } from '@shop/shared/order/player.ts'
import type { OrderStatus } from '@shop/shared/order/status.ts'
import type { SlipCheckState } from '@shop/shared/slipcheck/slip-check.ts'
import { uuidv7 } from 'uuidv7'
import { account, termsAcceptance } from '../account/tables.ts'
import { game } from '../catalogue/tables.ts'
import { countSale, isSold, type SoldAs } from '../dashboard/sale-day.ts'
import type { Sql } from '../database/database.ts'
import { lineId, personName } from '../database/listing.ts'
import { as, type Fields, json, orNull, outer, pick, row, sql, under, type ValueOf } from '../database/sql.ts'
import { setSql, Values } from '../database/values.ts'
import { chargeJson, endCharges, type StoredCharge } from '../gateway/store.ts'
import { jobSql } from '../outbox/outbox.ts'
import { resellerOrder } from '../reseller/tables.ts'
import { slipStateSql } from '../slipcheck/store.ts'
import { owedRefund } from '../statement/tables.ts'
import { freeTransfer, useTransfer } from '../transfer/store.ts'
import { CODES_OF_ORDER, type CodesOfOrder } from '../voucher/reveal-store.ts'
import { freedSql } from '../voucher/store.ts'
import { voucherAddress } from '../voucher/tables.ts'
import { findLedgerTransaction, postLedger } from '../wallet/store.ts'
import { orderCtes, toldStatusOf } from '../webhook/emit.ts'
import { ORDER_CHANGING, ORDER_COLUMNS, orderUnder, splitOrder } from './columns.ts'
import { deliverySql, tellSql } from './jobs-store.ts'
import {
  CREDIT_BACK,
  endRequest,
  REFUND_REQUEST,
  REFUNDS,
  type RefundRequest,
  type StoredRefund,
} from './money-back-store.ts'
import {
  type OrderSnapshot,
  orderEvent,
  orders,
  playerOfGame,
  reservedAmount,
  slottedPlayer,
  waitingBuyer,
} from './tables.ts'

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

const [o, q, x, bare] = [under(orders, 'o'), under(orders, 'q'), under(orders, 'x'), under(orders)]
const [g, t, r] = [under(game, 'g'), under(termsAcceptance, 't'), under(reservedAmount, 'r')]
/** The buyer, who has claimed it, and who did something to it. */
const [b, c, p] = [outer(account, 'b'), outer(account, 'c'), outer(account, 'p')]
const e = under(orderEvent, 'e')

const EVENT = json({
  ...pick(e, 'kind', 'reason', 'at'),
  from: e.fromStatus,
  to: e.toStatus,
  actor: json({ uid: e.actorUid, role: e.actorRole }),
  actorName: orNull(personName('p')),
})
type StoredEvent = ValueOf<typeof EVENT>
const eventsSql = (orderId: string) =>
  as.shape<StoredEvent[]>(`(SELECT json_agg(${EVENT} ORDER BY ${e.version})
  FROM ${e} LEFT JOIN ${p} ON ${p.uid} = ${e.actorUid} WHERE ${e.orderId} = ${orderId})`)

const eventOf = (event: StoredEvent) => ({ ...event, at: new Date(event.at) })

/** Returns the events of an order, oldest first. */
export async function findOrderEvents(db: Sql, orderId: string): Promise<OrderEvent[]> {
  const [found] = await db.query({
    text: sql`SELECT ${row({ events: eventsSql('$1') })}`,
    values: [orderId],
  })
  return found!.events.map(eventOf)
}

const KEPT: Fields<Kept> = pick(o, 'trackToken', 'buyerKey', 'snapshot')

/** A buyer behind more orders than that is not told how many. */
const MOST_AHEAD = 100

const RECORD = sql`SELECT ${row<Order & Omit<OrderRecord, 'order' | 'events'> & { events: StoredEvent[] }>({
  ...orderUnder('o'),
  ...KEPT,
  ...CODES_OF_ORDER,
  ...pick(o, 'queueNo', 'proposedPlayer'),
  ahead: orNull(
    as.int(`CASE WHEN ${o.status} = 'paid' THEN (SELECT count(*) FROM (SELECT 1 FROM ${q}
    WHERE ${q.status} IN ('paid', 'processing') AND (${q.paidAt}, ${q.id}) < (${o.paidAt}, ${o.id}) LIMIT ${MOST_AHEAD}) AS earlier) END`),
  ),
  gameCode: g.code,
  buyer: json<BuyerContact>({
    ...pick(b, 'email', 'phone'),
    name: orNull(personName('b')),
    lineId: lineId('b'),
    providers: as.shape(`coalesce(${b.providers}, '{}')`),
  }),
  claimedByName: orNull(personName('c')),
  termsAcceptedAt: as.instant(`coalesce((SELECT ${t.acceptedAt} FROM ${t} WHERE ${t.ownerKey} = ${o.buyerKey}
    AND ${t.version} = ${o.snapshot}->>'termsVersion'), ${o.createdAt})`),
  slipCheck: orNull(as.text<SlipCheckState>(slipStateSql(o.id.sql, o.slipId.sql))),
  refunds: REFUNDS,
  refundRequest: REFUND_REQUEST,
  creditBackSatang: CREDIT_BACK,
  charge: orNull(as.shape<StoredCharge>(chargeJson('order_id', o.id.sql))),
  events: eventsSql(o.id.sql),
})}
  FROM ${o}
  JOIN ${g} ON ${g.id} = ${o.gameId}
  LEFT JOIN ${b} ON ${b.uid} = ${o.buyerUid}
  LEFT JOIN ${c} ON ${c.uid} = ${o.claimedBy}`

export async function findOrder(
  db: Sql,
  by: { orderNo: string } | { trackToken: string },
): Promise<OrderRecord | null> {
  const [name, column, value] =
    'orderNo' in by
      ? ['order_by_order_no', o.orderNo, by.orderNo]
      : ['order_by_track_token', o.trackToken, by.trackToken]
  const [found] = await db.query({ name, text: sql`${RECORD} WHERE ${column} = $1`, values: [value] })
  if (!found) return null
  const { order, rest } = splitOrder(found)
  return { ...rest, order, events: rest.events.map(eventOf) }
}

/** Returns the player that the buyer of a failed order proposes instead; null without a proposal. */
export async function findProposedPlayer(db: Sql, orderId: string): Promise<Player | null> {
  const [found] = await db.query({
    text: sql`SELECT ${row(pick(bare, 'proposedPlayer'))} FROM ${bare} WHERE ${bare.id} = $1`,
    values: [orderId],
  })
  return found?.proposedPlayer ?? null
}

/** Returns the name of the person who has claimed an order. */
export async function findClaimerName(db: Sql, orderNo: string): Promise<string | null> {
  const claimer = under(account, 'c')
  const [found] = await db.query({
    text: sql`SELECT ${row({ name: personName('c') })} FROM ${o} JOIN ${claimer} ON ${claimer.uid} = ${o.claimedBy} WHERE ${o.orderNo} = $1`,
    values: [orderNo],
  })
  return found?.name ?? null
}

const LOCKED = row<Order & Kept>({ ...orderUnder('o'), ...KEPT })

/** Locks an order for a change in this transaction. */
export async function lockOrder(
  tx: Sql,
  by: { orderNo: string } | { id: string },
): Promise<({ order: Order } & Kept) | null> {
  const [name, column, value] =
    'orderNo' in by ? ['order_lock_by_order_no', o.orderNo, by.orderNo] : ['order_lock_by_id', o.id, by.id]
  const [found] = await tx.query({
    name,
    text: sql`SELECT ${LOCKED}
      FROM ${o} WHERE ${column} = $1 FOR UPDATE`,
    values: [value],
  })
  if (!found) return null
  const { order, rest } = splitOrder(found)
  return { order, ...rest }
}

const ORDER = row<Order>(orderUnder('o'))

/**
 * Locks orders whose time is over; skips those that another job works on. The status is compared as an expression, or
 * all orders that wait might be read to find those whose time is over.
 */
export async function lockExpired(tx: Sql, now: Date, limit: number): Promise<Order[]> {
  return tx.query({
    text: sql`SELECT ${ORDER} FROM ${o}
      WHERE ${o.expireAfter} <= $1 AND (${o.status} || '') = 'waiting_payment' ORDER BY ${o.expireAfter} LIMIT $2 FOR UPDATE SKIP LOCKED`,
    values: [now, limit],
  })
}

/** Keeps an unpaid order and its amount at least until this moment. */
export async function keepAmount(tx: Sql, id: string, until: Date): Promise<void> {
  await tx.query({
    text: sql`UPDATE ${bare} SET ${bare.expireAfter} = GREATEST(${bare.expireAfter}, $2)
      WHERE ${bare.id} = $1 AND ${bare.status} = 'waiting_payment'`,
    values: [id, until],
  })
}

/** Locks claimed orders whose lease is over; skips those that another job or a person works on. */
export async function lockLapsed(tx: Sql, now: Date, limit: number): Promise<Order[]> {
  return tx.query({
    text: sql`SELECT ${ORDER} FROM ${o}
      WHERE ${o.claimUntil} <= $1 ORDER BY ${o.claimUntil} LIMIT $2 FOR UPDATE SKIP LOCKED`,
    values: [now, limit],
  })
}

/** Returns the number of another order that now has this order's transfer amount; null when there is none. */
export async function findSameAmountOrder(db: Sql, order: Order, now: Date): Promise<string | null> {
  const [found] = await db.query({
    text: sql`SELECT ${row(pick(o, 'orderNo'))} FROM ${r} JOIN ${o} ON ${o.id} = ${r.orderId}
      WHERE ${r.receivingAccountId} = $1 AND ${r.amountSatang} = $2 AND ${r.orderId} <> $3
        AND (${r.reusableAt} IS NULL OR ${r.reusableAt} > $4)`,
    values: [order.receivingAccountId, dueOf(order), order.id, now],
  })
  return found?.orderNo ?? null
}

/**
 * Tells whether a paid order could become unpaid again: its amount is still reserved and its buyer has no other unpaid
 * order. The amount stays reserved until this transaction ends.
 */
export async function canWaitAgain(tx: Sql, orderId: string): Promise<boolean> {
  const amounts = await tx.query({
    text: sql`SELECT FROM ${r} WHERE ${r.orderId} = $1 FOR UPDATE`,
    values: [orderId],
  })
  if (amounts.length === 0) return false
  const others = await tx.query({
    text: sql`SELECT FROM ${o} WHERE ${o.id} = $1 AND ${o.transferReportedAt} IS NULL AND (
        EXISTS (SELECT FROM ${x}
          WHERE ${waitingBuyer('x')} = ${o.buyerKey} AND ${x.transferReportedAt} IS NULL AND ${x.id} <> ${o.id})
        OR EXISTS (SELECT FROM ${x} WHERE ${slottedPlayer('x')} = ${playerOfGame(o.gameId.sql, o.playerId.sql)}
          AND ${x.guestSlot} = ${o.guestSlot} AND ${x.id} <> ${o.id}))`,
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

const f = under(owedRefund)
const s = under(orders, 'saved')
const [events, reserved] = [under(orderEvent), under(reservedAmount)]
const EVENT_ROW = {
  ...pick(events, 'orderId', 'version', 'kind', 'fromStatus', 'toStatus'),
  ...pick(events, 'actorUid', 'actorRole', 'reason', 'at'),
}
const [byMachine, mailed] = [under(resellerOrder, 'r'), under(voucherAddress, 'a')]

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
  const saved = await tx.query({
    name: 'order_save',
    text: sql`WITH saved AS (
        UPDATE ${bare} SET ${setSql(ORDER_COLUMNS, ORDER_CHANGING, order, add)}, ${bare.queueNo} = ${queueNoSql(bare.queueNo.sql, add(order.paidAt))}
        WHERE ${bare.id} = ${add(order.id)} AND ${bare.version} = ${version}::int - 1
        RETURNING ${bare.id}, ${bare.packageId}, ${bare.status}, ${bare.version}
      ), happened AS (
        INSERT INTO ${events} (${Object.values(EVENT_ROW)})
        SELECT ${bare.id}, ${bare.version}, ${add(event.kind)}, ${add(event.from)}, ${bare.status}, ${add(event.actor.uid)}, ${add(event.actor.role)},
          ${add(event.reason)}, ${at}::timestamptz FROM saved
      ), released AS (
        UPDATE ${reserved} SET ${reserved.reusableAt} = ${add(amountReusableAt ?? null)} FROM saved
        WHERE ${add(amountReusableAt !== undefined)} AND ${reserved.orderId} = ${s.id}
      ), delivering AS (${deliverySql('saved', add(isNewlyPaid(outcome) && !postedAt), jobSql(add, at))}),
      freed AS (${freedSql('saved')}),
      -- Who orders by machine is told by machine; a guest by mail, who gave an address.
      told AS (SELECT ${bare.id} FROM saved WHERE ${toldEvent}::text <> 'orderEnded'
        OR (${add(order.buyerUid !== null)} AND NOT EXISTS (SELECT FROM ${byMachine} WHERE ${byMachine.orderId} = ${s.id}))
        OR EXISTS (SELECT FROM ${mailed} WHERE ${mailed.orderId} = ${s.id})),
      telling AS (${tellSql('told', toldEvent, add(told?.turn ?? null), telling)}),
      ${orderCtes('saved', { orderNo: add(order.orderNo), status: toldStatus, at, requestId: telling.requestId })}
      -- As it was before this statement.
      SELECT ${row<SoldAs>(pick(o, 'paidAt', 'quantity', 'priceSatang', 'costSatang'))}
      FROM saved JOIN ${o} USING (id)`,
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
      text: sql`UPDATE ${bare} SET ${bare.proposedPlayer} = $2::jsonb WHERE ${bare.id} = $1`,
      values: [order.id, proposedPlayer && JSON.stringify(proposedPlayer)],
    })
  if (player)
    await tx.query({
      text: sql`UPDATE ${bare} SET ${bare.snapshot} = jsonb_set(${bare.snapshot}, '{fields}', $2::jsonb) WHERE ${bare.id} = $1`,
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
    text: sql`INSERT INTO ${f} (${f.id}, ${f.orderId}, ${f.lineId}, ${f.chargeId}, ${f.fromCreditId}, ${f.amountSatang}, ${f.reason}, ${f.createdAt})
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [id, orderId, lineId, chargeId, fromCreditId, amountSatang, reason, at],
  })
  return id
}
