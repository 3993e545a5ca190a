import { PAYMENT_METHOD, type PaymentCode, type PaymentKind } from '../catalogue/payment-method.ts'
import { AppError, invariant } from '../errors.ts'
import type { Satang } from '../money.ts'
import { can, isAdminSide } from '../permissions.ts'
import { addSeconds } from '../time.ts'
import type { Period, TransferUse } from '../transfer/transfer.ts'
import type { LedgerAccount, NewTransaction, Posting } from '../wallet/ledger.ts'
import type { Player } from './player.ts'
import { type Actor, type EventKind, ORDER_STATUS, type OrderMove, type OrderStatus, SYSTEM } from './status.ts'

/** An order expires this long after its deadline, so that a transfer of the last second still arrives in time. */
export const EXPIRY_GRACE_SECONDS = 300
/** So long after its order was paid or ended, an amount that comes again may still be that order's. */
export const AMOUNT_GRACE_SECONDS = 300
/** An amount can be used again this long after its order was paid or ended: banks tell minutes, so one of both would fit two orders. */
export const AMOUNT_REST_SECONDS = AMOUNT_GRACE_SECONDS + 60
/** A held amount that no order used is free again after this time. */
export const HOLD_SECONDS = 300
/** The satang added to a bank price to distinguish its transfer from others: 1 to 99; ".00" is never used. */
export const MAX_TAIL_SATANG = 99

export interface Order {
  id: string
  orderNo: string
  status: OrderStatus
  /** Counts changes; a save based on an old version fails. */
  version: number
  buyerUid: string | null
  gameId: number
  packageId: number
  playerId: string
  playerName: string | null
  payment: PaymentCode
  quantity: number
  /** The price of all pieces: current unit price x quantity. */
  priceSatang: Satang
  /** Added to distinguish its transfer from others; 0 for wallet orders. */
  tailSatang: Satang
  /** The shop's cost of its pieces when it was placed; null when unknown. Never shown to customers. */
  costSatang: Satang | null
  receivingAccountId: number | null
  walletId: string | null
  /** The shop credit that pays a part of it, or all; null without. */
  creditId: string | null
  creditSatang: Satang
  createdAt: Date
  /** The deadline shown to the customer; null for wallet orders. */
  expiresAt: Date | null
  /** The expiry job may end the order after this moment; null once it can't expire. */
  expireAfter: Date | null
  transferReportedAt: Date | null
  slipId: string | null
  paidAt: Date | null
  claimedBy: string | null
  claimedAt: Date | null
  /** The end of the claim, after which the order is free again; null for none, and for the shop's own. */
  claimUntil: Date | null
  endedAt: Date | null
  deliveryReference: string | null
  /** The latest reason why it was marked paid by hand, failed, was cancelled or refunded. */
  reason: string | null
}

/** One line of an order's history. `kind` is "status" for a change of state. */
export interface OrderEvent {
  kind: EventKind
  from: OrderStatus | null
  to: OrderStatus
  actor: Actor
  at: Date
  reason: string | null
}

/** Money to be sent back to somebody without a wallet; the ledger's `refunds` account holds its sum. */
export interface NewOwedRefund {
  /** The order that was refunded, or that received too much money or received it too late. */
  orderId: string | null
  /** The statement line with the money; null when an order is refunded. */
  lineId: string | null
  /** The charge with the money that its order no longer waited for. */
  chargeId?: string
  /** The shop credit that it was, when its owner wants a transfer after all. */
  fromCreditId?: string
  amountSatang: Satang
  reason: string
}

/** All results of a decision, which the handler stores in one transaction. */
export interface OrderOutcome {
  order: Order
  event: OrderEvent
  /** The money to post; null when none moved. */
  ledger: NewTransaction | null
  /** Shop credit that is put aside for the unpaid order, or given back to its buyer. */
  credit?: NewTransaction
  /** The bank transfer that pays it. */
  uses?: TransferUse
  owed?: NewOwedRefund
  /** The new player, if the order's player changes. */
  player?: Player
  /** The player whom its buyer proposes; null removes a proposal, undefined leaves it unchanged. */
  proposedPlayer?: Player | null
  /** When the order's transfer amount becomes free; undefined leaves its reservation unchanged. */
  amountReusableAt?: Date | null
}

/** All that an order brings, in satang. */
export function amountOf(order: Pick<Order, 'priceSatang' | 'tailSatang'>): Satang {
  return order.priceSatang + order.tailSatang
}

/** The exact amount that comes beside shop credit, in satang. */
export function dueOf(order: Pick<Order, 'priceSatang' | 'tailSatang' | 'creditSatang'>): Satang {
  return amountOf(order) - order.creditSatang
}

interface PaymentRules {
  /**
   * The account that the money of a paid order came from, beside shop credit; null when only a gateway's word about a charge
   * tells it.
   */
  sourceOf: ((order: Order) => LedgerAccount) | null
  /** The account that it goes back to: where it came from, else the one of refunds that are owed. */
  refundTo(order: Order): LedgerAccount
  /** The first state of a new order. A wallet order is paid at once, because placing it includes the debit. */
  begin(now: Date, timeLimitMinutes: number): Pick<Order, 'status' | 'expiresAt' | 'expireAfter' | 'paidAt'>
}

function walletOf(order: Order): LedgerAccount {
  invariant(order.walletId && order.tailSatang === 0, 'a wallet order names its wallet and has no tail')
  return `wallet:${order.walletId}`
}

function receivingAccountOf(order: Order): LedgerAccount {
  invariant(order.receivingAccountId, 'a bank order names its receiving account')
  invariant(order.tailSatang >= 1 && order.tailSatang <= MAX_TAIL_SATANG, 'a bank order carries 1 to 99 satang')
  return `bank:${order.receivingAccountId}`
}

export function creditOf(order: Order): LedgerAccount {
  invariant(order.creditId, 'an order with credit names it')
  return `credit:${order.creditId}`
}

/** The order waits for its money. */
const wait: PaymentRules['begin'] = (now, timeLimitMinutes) => {
  const expiresAt = addSeconds(now, timeLimitMinutes * 60)
  const expireAfter = addSeconds(expiresAt, EXPIRY_GRACE_SECONDS)
  return { status: 'waiting_payment', expiresAt, expireAfter, paidAt: null }
}

/** Placing the order takes its money. */
const pay: PaymentRules['begin'] = now => ({ status: 'paid', expiresAt: null, expireAfter: null, paidAt: now })

const PAYMENT_RULES: Record<PaymentKind, PaymentRules> = {
  bank: { sourceOf: receivingAccountOf, refundTo: () => 'refunds', begin: wait },
  gateway: { sourceOf: null, refundTo: () => 'refunds', begin: wait },
  wallet: { sourceOf: walletOf, refundTo: walletOf, begin: pay },
  credit: { sourceOf: creditOf, refundTo: creditOf, begin: pay },
}

/** Returns what its payment method means for an order's money. */
export const rulesOf = ({ payment }: Pick<Order, 'payment'>): PaymentRules =>
  PAYMENT_RULES[PAYMENT_METHOD[payment].kind]

/** Returns the transaction of what moves, or null for an order that a discount made free. */
export function posted(kind: NewTransaction['kind'], parts: Posting[], reason: string | null): NewTransaction | null {
  const postings = parts.filter(({ amountSatang }) => amountSatang > 0)
  return postings.length === 0 ? null : { kind, postings, reason, reversesId: null }
}

/** Shop credit of an unpaid order is put aside, so that it is not spent twice. */
const holdCredit = (order: Order): NewTransaction | null =>
  order.creditSatang === 0
    ? null
    : posted('credit_held', [{ from: creditOf(order), to: 'held', amountSatang: order.creditSatang }], null)

const returnCredit = (order: Order): NewTransaction | null =>
  order.creditSatang === 0
    ? null
    : posted('credit_returned', [{ from: 'held', to: creditOf(order), amountSatang: order.creditSatang }], null)

/** @throws PAID_THROUGH_GATEWAY when no person can say where the money came from */
function saleOf(order: Order, reason: string | null): NewTransaction | null {
  const { sourceOf } = rulesOf(order)
  if (!sourceOf) throw new AppError('PAID_THROUGH_GATEWAY')
  return posted('order_paid', [{ from: sourceOf(order), to: 'sales', amountSatang: dueOf(order) }], reason)
}

/** The fields of an order that a decided purchase sets; the others begin empty. */
export type NewOrder = Pick<
  Order,
  | 'id'
  | 'orderNo'
  | 'buyerUid'
  | 'gameId'
  | 'packageId'
  | 'playerId'
  | 'playerName'
  | 'payment'
  | 'quantity'
  | 'priceSatang'
  | 'tailSatang'
  | 'costSatang'
  | 'receivingAccountId'
  | 'walletId'
  | 'creditId'
  | 'creditSatang'
>

/** Makes an order; its payment method decides how it begins. */
export function placeOrder(draft: NewOrder, timeLimitMinutes: number, actor: Actor, now: Date): OrderOutcome {
  const rules = rulesOf(draft)
  const order: Order = {
    ...draft,
    ...rules.begin(now, timeLimitMinutes),
    version: 1,
    createdAt: now,
    transferReportedAt: null,
    slipId: null,
    claimedBy: null,
    claimedAt: null,
    claimUntil: null,
    endedAt: null,
    deliveryReference: null,
    reason: null,
  }
  const event: OrderEvent = { kind: 'created', from: null, to: order.status, actor, at: now, reason: null }
  // Checked even for an unpaid order, because one without a source of its money could never be paid.
  const sale = rules.sourceOf && saleOf(order, null)
  if (order.paidAt) return { order, event, ledger: sale }
  const credit = holdCredit(order)
  return { order, event, ledger: null, ...(credit && { credit }) }
}

const isStaff = ({ role }: Actor): boolean => role !== 'system' && isAdminSide(role)

/** Tells whether this member of the staff bought the order themselves; then somebody else must serve it. */
export function isOwnOrder(order: Pick<Order, 'buyerUid'>, actor: Actor): boolean {
  return isStaff(actor) && order.buyerUid === actor.uid
}

/** The only guarded change of state. It records who, when, from, to and why. */
export function changeStatus(
  order: Order,
  move: OrderMove,
  actor: Actor,
  now: Date,
  reason: string | null,
): OrderOutcome {
  if (isOwnOrder(order, actor)) throw new AppError('OWN_ORDER')
  const to = ORDER_STATUS[order.status].moves[move]
  if (!to) throw new AppError('ORDER_STATUS_NOT_ALLOWED', { details: { status: order.status, move } })
  if (isClaimedByOther(order, actor)) throw new AppError('ORDER_CLAIMED_BY_OTHER')
  return {
    order: { ...order, status: to, version: order.version + 1, reason: reason ?? order.reason, claimUntil: null },
    event: { kind: 'status', from: order.status, to, actor, at: now, reason },
    ledger: null,
  }
}

/**
 * Tells whether somebody else has claimed the order. Managers may take over any order, and anybody may take over from
 * the shop itself.
 */
export function isClaimedByOther(order: Pick<Order, 'status' | 'claimedBy'>, actor: Actor): boolean {
  if (order.status !== 'processing' || order.claimedBy === null || order.claimedBy === actor.uid) return false
  return actor.role !== 'system' && !can(actor.role, 'order.takeOver')
}

/** Returns a text that a change needs, or throws when it is missing. */
export function required(text: string | null, code: 'REASON_REQUIRED' | 'DELIVERY_REFERENCE_REQUIRED'): string {
  const trimmed = text?.trim()
  if (!trimmed) throw new AppError(code)
  return trimmed
}

/** The clocks of banks may differ from ours by this much. */
const CLOCK_SECONDS = 120

/** Returns the time in which a transfer for a bank order can have been made. */
export function transferWindow(order: Pick<Order, 'createdAt' | 'expiresAt'>): Period {
  invariant(order.expiresAt, 'a bank order has a deadline')
  return { from: addSeconds(order.createdAt, -CLOCK_SECONDS), to: addSeconds(order.expiresAt, EXPIRY_GRACE_SECONDS) }
}

/** Ends an order that was never paid; its amount becomes free after the grace time, and its credit at once. */
export function endUnpaid(outcome: OrderOutcome, now: Date): OrderOutcome {
  const credit = returnCredit(outcome.order)
  return {
    ...outcome,
    ...(credit && { credit }),
    order: { ...outcome.order, endedAt: now, expireAfter: null },
    amountReusableAt: addSeconds(now, AMOUNT_REST_SECONDS),
  }
}

/** Tells whether the customer can still cancel the order. */
export function canCancel(order: Pick<Order, 'status' | 'transferReportedAt'>): boolean {
  return order.status === 'waiting_payment' && order.transferReportedAt === null
}

/** An expired order has ended already; staff can only cancel the report of a transfer that never came. */
export const isLeftToCancel = (order: { status: OrderStatus; transferReportedAt: Date | string | null }): boolean =>
  order.status !== 'expired' || order.transferReportedAt !== null

/**
 * Cancels an order. The buyer may do so until they reported a transfer; staff always may, with a reason, even after a
 * late report.
 */
export function cancelOrder(order: Order, actor: Actor, reason: string | null, now: Date): OrderOutcome {
  const byStaff = isStaff(actor)
  if (!byStaff && order.status === 'waiting_payment' && !canCancel(order)) throw new AppError('ORDER_ALREADY_REPORTED')
  const isExpired = order.status === 'expired'
  const outcome = changeStatus(order, 'cancel', actor, now, byStaff ? required(reason, 'REASON_REQUIRED') : reason)
  if (isExpired && !(byStaff && isLeftToCancel(order)))
    throw new AppError('ORDER_STATUS_NOT_ALLOWED', { details: { status: order.status } })
  // Its end, and the release of its amount, were decided when it expired.
  return isExpired ? outcome : endUnpaid(outcome, now)
}

/** Ends an order whose time is over. The expiry job calls it only for orders past `expireAfter`. */
export function expireOrder(order: Order, now: Date): OrderOutcome {
  invariant(order.expireAfter && order.expireAfter <= now, 'only orders past their grace expire')
  return endUnpaid(changeStatus(order, 'expire', SYSTEM, now, null), now)
}

/**
 * Returns the transfer that pays an order on a slip's or a person's word. @param toldAt when it was made, if a provider
 * confirmed it
 */
export function transferOf(order: Order, toldAt: Date | null, now: Date): TransferUse {
  return {
    kind: 'order',
    subjectId: order.id,
    receivingAccountId: order.receivingAccountId,
    amountSatang: dueOf(order),
    made: { from: transferWindow(order).from, to: now },
    slipId: order.slipId,
    toldAt,
    lineId: null,
    apartFrom: null,
  }
}

/**
 * Marks an order paid, by the shop itself or by staff with a reason; also an expired one. @param toldAt when the
 * transfer on its slip was made according to a provider; null when none confirmed it
 */
export function markPaid(
  order: Order,
  actor: Actor,
  reason: string | null,
  now: Date,
  toldAt: Date | null = null,
): OrderOutcome {
  const why = actor.role === 'system' ? reason : required(reason, 'REASON_REQUIRED')
  return { ...payOrder(order, actor, why, saleOf(order, why), now), uses: transferOf(order, toldAt, now) }
}

/**
 * Marks an order paid by a given sale of what was due; credit that was put aside for it is sold with it. @throws
 * CREDIT_RETURNED when it ended and its credit went back to its buyer, who may have spent it
 */
export function payOrder(
  order: Order,
  actor: Actor,
  why: string | null,
  sale: NewTransaction | null,
  now: Date,
): OrderOutcome {
  const outcome = changeStatus(order, 'markPaid', actor, now, why)
  const { creditSatang } = order
  if (creditSatang > 0 && order.status !== 'waiting_payment') throw new AppError('CREDIT_RETURNED')
  const fromCredit: Posting[] = creditSatang > 0 ? [{ from: 'held', to: 'sales', amountSatang: creditSatang }] : []
  return {
    ...outcome,
    order: { ...outcome.order, paidAt: now, endedAt: null, expireAfter: null },
    ledger: sale && { ...sale, postings: [...sale.postings, ...fromCredit] },
    amountReusableAt: addSeconds(now, AMOUNT_REST_SECONDS),
  }
}

/** Marks an order failed; the shop keeps its money until it is refunded. */
export function failOrder(order: Order, actor: Actor, reason: string | null, now: Date): OrderOutcome {
  const outcome = changeStatus(order, 'fail', actor, now, required(reason, 'REASON_REQUIRED'))
  return { ...outcome, order: { ...outcome.order, endedAt: now } }
}

/** Formats "KT2611-04821937" from the Bangkok month and eight random digits: easy to read out, impossible to guess. */
export function formatOrderNo(month: string, digits: number): string {
  invariant(digits >= 0 && digits < 100_000_000, 'eight digits')
  return `KT${month.slice(2, 4)}${month.slice(5, 7)}-${String(digits).padStart(8, '0')}`
}
