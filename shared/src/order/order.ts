import type { PaymentCode } from '../catalogue/catalogue.ts'
import { AppError, invariant } from '../errors.ts'
import type { Satang } from '../money.ts'
import { can, isAdminSide } from '../permissions.ts'
import { addSeconds } from '../time.ts'
import type { Period, TransferUse } from '../transfer/transfer.ts'
import type { LedgerAccount, NewTransaction, Posting } from '../wallet/ledger.ts'
import type { Player } from './player.ts'
import { type Actor, type EventKind, ORDER_STATUS, type OrderMove, type OrderStatus, SYSTEM } from './status.ts'

/** An order expires this long after its deadline: a transfer made in the last second still arrives in time. */
export const EXPIRY_GRACE_SECONDS = 300
/** An amount can be given out again this long after its order ended. */
export const AMOUNT_GRACE_SECONDS = 300
/** A held amount that no order adopted is free again after this. */
export const HOLD_SECONDS = 300
/** The satang added to a bank price so that its transfer can be told from others: 1 to 99, ".00" is never given out. */
export const MAX_TAIL_SATANG = 99

export interface Order {
  id: string
  orderNo: string
  status: OrderStatus
  /** Counts changes; a save with an old version fails. */
  version: number
  buyerUid: string | null
  gameId: number
  packageId: number
  playerId: string
  playerName: string | null
  payment: PaymentCode
  quantity: number
  /** What is sold: unit price in force x quantity. */
  priceSatang: Satang
  /** Added so that the transfer can be told from others; 0 for wallet orders. */
  tailSatang: Satang
  /** What its pieces cost the shop when it was placed; null = was not known. Never shown to customers. */
  costSatang: Satang | null
  receivingAccountId: number | null
  walletId: string | null
  createdAt: Date
  /** Deadline shown to the customer; null for wallet orders. */
  expiresAt: Date | null
  /** From here on the expiry job may end the order; null once it can't expire. */
  expireAfter: Date | null
  transferReportedAt: Date | null
  slipId: string | null
  paidAt: Date | null
  claimedBy: string | null
  claimedAt: Date | null
  /** The claim's lease: past it the order is nobody's again. null where none runs. */
  claimUntil: Date | null
  endedAt: Date | null
  deliveryReference: string | null
  /** Why it was marked paid by hand, failed, cancelled or refunded: the latest reason given. */
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

/** Money that is to be sent back to somebody without a wallet; it stands in the ledger's `refunds`. */
export interface NewOwedRefund {
  /** The order that was refunded, or whose money came too much or too late. */
  orderId: string | null
  /** The statement line it is money of; null when an order is refunded. */
  lineId: string | null
  amountSatang: Satang
  reason: string
}

/** All that a decision leads to; the handler stores it in one transaction. */
export interface OrderOutcome {
  order: Order
  event: OrderEvent
  /** Money to post, if any moved. */
  ledger: NewTransaction | null
  /** The bank transfer that pays it. */
  uses?: TransferUse
  owed?: NewOwedRefund
  /** Whom its goods are for from now on, where that changes. */
  player?: Player
  /** Whom its buyer proposes instead; null takes a proposal away, undefined leaves it. */
  proposedPlayer?: Player | null
  /** When the order's transfer amount may be given out again; undefined leaves the reservation as it is. */
  amountReusableAt?: Date | null
}

/** The exact amount to pay, in satang. */
export function amountOf(order: Pick<Order, 'priceSatang' | 'tailSatang'>): Satang {
  return order.priceSatang + order.tailSatang
}

interface PaymentRules {
  /** Where the money of a paid order came from. */
  sourceOf(order: Order): LedgerAccount
  /** Where it goes when it is given back: to where it was, else it is owed to the customer. */
  refundTo(order: Order): LedgerAccount
  /** How a new order begins; a wallet order is paid the moment it exists, the debit is part of placing it. */
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

const PAYMENT_RULES: Record<PaymentCode, PaymentRules> = {
  bank: {
    sourceOf: receivingAccountOf,
    refundTo: () => 'refunds',
    begin(now, timeLimitMinutes) {
      const expiresAt = addSeconds(now, timeLimitMinutes * 60)
      const expireAfter = addSeconds(expiresAt, EXPIRY_GRACE_SECONDS)
      return { status: 'waiting_payment', expiresAt, expireAfter, paidAt: null }
    },
  },
  wallet: {
    sourceOf: walletOf,
    refundTo: walletOf,
    begin: now => ({ status: 'paid', expiresAt: null, expireAfter: null, paidAt: now }),
  },
}

/** Money on its way, or null when there is none: a package that a discount brings to zero moves nothing. */
function posted(
  kind: NewTransaction['kind'],
  order: Order,
  way: { from: LedgerAccount; to: LedgerAccount },
  reason: string | null,
): NewTransaction | null {
  const amountSatang = amountOf(order)
  return amountSatang === 0 ? null : { kind, postings: [{ ...way, amountSatang }], reason, reversesId: null }
}

const saleOf = (order: Order, reason: string | null) =>
  posted('order_paid', order, { from: PAYMENT_RULES[order.payment].sourceOf(order), to: 'sales' }, reason)

/** What a decision on a purchase settled; the rest of an order begins empty. */
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
>

/** Makes an order; how it begins is the payment method's. */
export function placeOrder(draft: NewOrder, timeLimitMinutes: number, actor: Actor, now: Date): OrderOutcome {
  const rules = PAYMENT_RULES[draft.payment]
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
  // Also of an order still to be paid: one that names no source could never be.
  const sale = saleOf(order, null)
  return { order, event, ledger: order.paidAt && sale }
}

const isStaff = ({ role }: Actor): boolean => role !== 'system' && isAdminSide(role)

/** Whether this person of the shop bought the order themselves: then others serve it. */
export function isOwnOrder(order: Pick<Order, 'buyerUid'>, actor: Actor): boolean {
  return isStaff(actor) && order.buyerUid === actor.uid
}

/** The one guarded change of state: who, when, from, to, why. */
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

/** Whether a claimed order is somebody else's to this actor; managers may take over, and what the shop itself has, anybody. */
export function isClaimedByOther(order: Pick<Order, 'status' | 'claimedBy'>, actor: Actor): boolean {
  if (order.status !== 'processing' || order.claimedBy === null || order.claimedBy === actor.uid) return false
  return actor.role !== 'system' && !can(actor.role, 'order.takeOver')
}

/** What must be written down with a change. */
export function required(text: string | null, code: 'REASON_REQUIRED' | 'DELIVERY_REFERENCE_REQUIRED'): string {
  const trimmed = text?.trim()
  if (!trimmed) throw new AppError(code)
  return trimmed
}

/** Clocks of banks and ours may differ by so much. */
const CLOCK_SECONDS = 120

/** When a transfer for a bank order can have been made. */
export function transferWindow(order: Pick<Order, 'createdAt' | 'expiresAt'>): Period {
  invariant(order.expiresAt, 'a bank order has a deadline')
  return { from: addSeconds(order.createdAt, -CLOCK_SECONDS), to: addSeconds(order.expiresAt, EXPIRY_GRACE_SECONDS) }
}

/** Ends an order whose money never came; its amount is free again after the grace. */
export function endUnpaid(outcome: OrderOutcome, now: Date): OrderOutcome {
  return {
    ...outcome,
    order: { ...outcome.order, endedAt: now, expireAfter: null },
    amountReusableAt: addSeconds(now, AMOUNT_GRACE_SECONDS),
  }
}

/** Whether the customer can still take the order back. */
export function canCancel(order: Pick<Order, 'status' | 'transferReportedAt'>): boolean {
  return order.status === 'waiting_payment' && order.transferReportedAt === null
}

/** An order that expired is over: what is left for staff to cancel is the report of a transfer that never came. */
export const isLeftToCancel = (order: { status: OrderStatus; transferReportedAt: Date | string | null }): boolean =>
  order.status !== 'expired' || order.transferReportedAt !== null

/** The buyer may cancel until they reported a transfer; staff may always, with a reason, a late report too. */
export function cancelOrder(order: Order, actor: Actor, reason: string | null, now: Date): OrderOutcome {
  const byStaff = isStaff(actor)
  if (!byStaff && order.status === 'waiting_payment' && !canCancel(order)) throw new AppError('ORDER_ALREADY_REPORTED')
  const isExpired = order.status === 'expired'
  const outcome = changeStatus(order, 'cancel', actor, now, byStaff ? required(reason, 'REASON_REQUIRED') : reason)
  if (isExpired && !(byStaff && isLeftToCancel(order)))
    throw new AppError('ORDER_STATUS_NOT_ALLOWED', { details: { status: order.status } })
  // When it ended, and its amount with it, was settled as it expired.
  return isExpired ? outcome : endUnpaid(outcome, now)
}

/** Ends an order whose time is over. Called by the expiry job only for orders past `expireAfter`. */
export function expireOrder(order: Order, now: Date): OrderOutcome {
  invariant(order.expireAfter && order.expireAfter <= now, 'only orders past their grace expire')
  return endUnpaid(changeStatus(order, 'expire', SYSTEM, now, null), now)
}

/** The transfer that pays an order on a slip's or somebody's word. @param toldAt when it was made, as a provider confirmed it */
export function transferOf(order: Order, toldAt: Date | null, now: Date): TransferUse {
  return {
    kind: 'order',
    subjectId: order.id,
    receivingAccountId: order.receivingAccountId,
    amountSatang: amountOf(order),
    made: { from: transferWindow(order).from, to: now },
    slipId: order.slipId,
    toldAt,
    lineId: null,
  }
}

/**
 * The money is there: told by the shop itself, or seen by staff with a reason. Also for one that had expired.
 * @param toldAt when a provider says that the transfer on its slip was made; null where none confirmed it
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

/** Marks an order paid by a sale that was decided on. */
export function payOrder(
  order: Order,
  actor: Actor,
  why: string | null,
  sale: NewTransaction | null,
  now: Date,
): OrderOutcome {
  const outcome = changeStatus(order, 'markPaid', actor, now, why)
  return {
    ...outcome,
    order: { ...outcome.order, paidAt: now, endedAt: null, expireAfter: null },
    ledger: sale,
    amountReusableAt: addSeconds(now, AMOUNT_GRACE_SECONDS),
  }
}

/** The top-up could not be made; the money stays with the shop until it is refunded. */
export function failOrder(order: Order, actor: Actor, reason: string | null, now: Date): OrderOutcome {
  const outcome = changeStatus(order, 'fail', actor, now, required(reason, 'REASON_REQUIRED'))
  return { ...outcome, order: { ...outcome.order, endedAt: now } }
}

/**
 * Gives the money back that came. Saving it names the sale that it takes back.
 * @param shortSatang how much less than its amount came for it
 */
export function refundOrder(
  order: Order,
  actor: Actor,
  reason: string | null,
  now: Date,
  shortSatang: Satang = 0,
): OrderOutcome {
  const why = required(reason, 'REASON_REQUIRED')
  const outcome = changeStatus(order, 'refund', actor, now, why)
  const to = PAYMENT_RULES[order.payment].refundTo(order)
  const ledger = posted('order_refunded', order, { from: 'sales', to }, why)
  const refunded = { ...outcome, order: { ...outcome.order, endedAt: now }, ledger }
  if (!ledger || to !== 'refunds') return refunded
  const amountSatang = amountOf(order) - shortSatang
  const postings: Posting[] = [{ from: 'sales', to, amountSatang }]
  if (shortSatang > 0) postings.push({ from: 'sales', to: 'differences', amountSatang: shortSatang })
  const owed = { orderId: order.id, lineId: null, amountSatang, reason: why }
  return { ...refunded, ledger: { ...ledger, postings }, owed }
}

/** "KT2611-04821937" from the Bangkok month and eight random digits: easy to read out, useless to guess. */
export function formatOrderNo(month: string, digits: number): string {
  invariant(digits >= 0 && digits < 100_000_000, 'eight digits')
  return `KT${month.slice(2, 4)}${month.slice(5, 7)}-${String(digits).padStart(8, '0')}`
}
