import type { PaymentCode } from '../catalogue/catalogue.ts'
import { AppError, invariant } from '../errors.ts'
import type { Satang } from '../money.ts'
import { type Caller, isAdminSide, isManagerLevel } from '../permissions.ts'
import { addSeconds } from '../time.ts'
import type { LedgerAccount, LedgerTransaction, Posting } from '../wallet/ledger.ts'

export const ORDER_STATUSES = [
  'waiting_payment',
  'paid',
  'processing',
  'success',
  'cancel',
  'expired',
  'failed',
  'refunded',
] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

export const ORDER_STATUS_LABELS: Record<OrderStatus, string> = {
  waiting_payment: 'รอชำระเงิน',
  paid: 'ได้รับเงินแล้ว',
  processing: 'กำลังเติม',
  success: 'สำเร็จ',
  cancel: 'ยกเลิก',
  expired: 'หมดเวลา',
  failed: 'เติมไม่สำเร็จ',
  refunded: 'คืนเงินแล้ว',
}

/** Every legal change. Anything else is ORDER_STATUS_NOT_ALLOWED. */
export const TRANSITIONS: Record<OrderStatus, readonly OrderStatus[]> = {
  waiting_payment: ['paid', 'cancel', 'expired'],
  paid: ['processing', 'failed', 'refunded', 'waiting_payment', 'expired'],
  processing: ['success', 'failed', 'refunded', 'paid'],
  failed: ['refunded'],
  expired: ['paid'],
  success: [],
  cancel: [],
  refunded: [],
}

/** An order expires this long after its deadline: a transfer made in the last second still arrives in time. */
export const EXPIRY_GRACE_SECONDS = 300
/** An amount can be given out again this long after its order ended. */
export const AMOUNT_GRACE_SECONDS = 300
/** A held amount that no order adopted is free again after this. */
export const HOLD_SECONDS = 300
/** How long a reported transfer waits for staff. */
const REPORTED_SECONDS = 24 * 3600
const GUEST_REPORTED_WITHOUT_SLIP_SECONDS = 30 * 60
/** The satang added to a bank price: 1 to 99, so ".00" is never given out. */
export const POINTS = 99
/** A guest may have this many unpaid orders for one player id of a game, whatever browser they come from. */
export const GUEST_UNPAID_PER_PLAYER = 3
/** Reported but undecided orders a buyer may have before they must wait for staff. */
export const REPORTED_PER_BUYER = 3

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
  /** Satang added so that the transfer can be told from others; 0 for wallet orders. */
  pointSatang: Satang
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
  endedAt: Date | null
  deliveryReference: string | null
  /** Why it was marked paid by hand, failed, cancelled or refunded: the latest reason given. */
  reason: string | null
}

export interface Actor {
  uid: string | null
  role: Caller | 'system'
}
export const SYSTEM: Actor = { uid: null, role: 'system' }

/** One line of an order's history. `kind` is "status" for a change of state. */
export interface OrderEvent {
  kind: 'created' | 'status' | 'transfer_reported' | 'claim_released'
  from: OrderStatus | null
  to: OrderStatus
  actor: Actor
  at: Date
  reason: string | null
}

/** All that a decision leads to; the handler stores it in one transaction. */
export interface OrderOutcome {
  order: Order
  event: OrderEvent
  /** Money to post, if any moved. */
  ledger: Omit<LedgerTransaction, 'id' | 'at' | 'subjectId'> | null
  /** When the order's transfer amount may be given out again; undefined leaves the reservation as it is. */
  amountReusableAt?: Date | null
}

/** The exact amount to pay, in satang. */
export function amountOf(order: Pick<Order, 'priceSatang' | 'pointSatang'>): Satang {
  return order.priceSatang + order.pointSatang
}

export function isTerminal(status: OrderStatus): boolean {
  return TRANSITIONS[status].length === 0
}

/** The one guarded change of state: who, when, from, to, why. */
function change(order: Order, to: OrderStatus, actor: Actor, now: Date, reason: string | null): OrderOutcome {
  if (!TRANSITIONS[order.status].includes(to)) {
    throw new AppError('ORDER_STATUS_NOT_ALLOWED', { details: { status: order.status, to } })
  }
  return {
    order: { ...order, status: to, version: order.version + 1, reason: reason ?? order.reason },
    event: { kind: 'status', from: order.status, to, actor, at: now, reason },
    ledger: null,
  }
}

function required(text: string | null | undefined, code: 'REASON_REQUIRED' | 'DELIVERY_REFERENCE_REQUIRED'): string {
  const trimmed = text?.trim()
  if (!trimmed) throw new AppError(code)
  return trimmed
}

/** Where the money of a paid order came from. */
function moneySource(order: Order): LedgerAccount {
  if (order.payment === 'wallet') {
    invariant(order.walletId, 'a wallet order names its wallet')
    return `wallet:${order.walletId}`
  }
  invariant(order.receivingAccountId, 'a bank order names its receiving account')
  return `bank:${order.receivingAccountId}`
}

function saleOf(order: Order): Posting[] {
  return [{ from: moneySource(order), to: 'sales', amountSatang: amountOf(order) }]
}

type NewOrder = Pick<
  Order,
  'id' | 'orderNo' | 'buyerUid' | 'gameId' | 'packageId' | 'playerId' | 'playerName' | 'priceSatang'
>

const blank = {
  version: 1,
  transferReportedAt: null,
  slipId: null,
  paidAt: null,
  claimedBy: null,
  claimedAt: null,
  endedAt: null,
  deliveryReference: null,
  reason: null,
} as const

/** A bank order waits for exactly `priceSatang + pointSatang` on one receiving account. */
export function placeBankOrder(
  draft: NewOrder & { pointSatang: Satang; receivingAccountId: number; timeLimitMinutes: number },
  actor: Actor,
  now: Date,
): OrderOutcome {
  const { timeLimitMinutes, ...sold } = draft
  invariant(sold.pointSatang >= 1 && sold.pointSatang <= POINTS, 'a bank order carries 1 to 99 satang')
  const expiresAt = addSeconds(now, timeLimitMinutes * 60)
  const order: Order = {
    ...blank,
    ...sold,
    status: 'waiting_payment',
    payment: 'bank',
    quantity: 1,
    walletId: null,
    createdAt: now,
    expiresAt,
    expireAfter: addSeconds(expiresAt, EXPIRY_GRACE_SECONDS),
  }
  const event: OrderEvent = { kind: 'created', from: null, to: order.status, actor, at: now, reason: null }
  return { order, event, ledger: null, amountReusableAt: null }
}

/** A wallet order is paid the moment it exists: the debit is part of placing it. */
export function placeWalletOrder(
  draft: NewOrder & { walletId: string; quantity: number },
  actor: Actor,
  now: Date,
): OrderOutcome {
  const order: Order = {
    ...blank,
    ...draft,
    status: 'paid',
    payment: 'wallet',
    pointSatang: 0,
    receivingAccountId: null,
    createdAt: now,
    expiresAt: null,
    expireAfter: null,
    paidAt: now,
  }
  const event: OrderEvent = { kind: 'created', from: null, to: order.status, actor, at: now, reason: null }
  // A package that a discount brings to zero moves no money.
  const ledger =
    amountOf(order) > 0
      ? { kind: 'order_paid' as const, postings: saleOf(order), reason: null, reversesId: null }
      : null
  return { order, event, ledger }
}

/** Whether the customer can still say "I have transferred". */
export function canReport(order: Order): boolean {
  return (
    order.payment === 'bank' &&
    order.transferReportedAt === null &&
    (order.status === 'waiting_payment' || order.status === 'expired')
  )
}

/** Stamps the customer's "I have transferred": stops automatic expiry until staff or matching decide. */
export function reportTransfer(order: Order, slipId: string | null, actor: Actor, now: Date): OrderOutcome {
  if (!canReport(order)) throw new AppError('ORDER_STATUS_NOT_ALLOWED', { details: { status: order.status } })
  const seconds = order.buyerUid === null && slipId === null ? GUEST_REPORTED_WITHOUT_SLIP_SECONDS : REPORTED_SECONDS
  const waiting = order.status === 'waiting_payment'
  return {
    order: {
      ...order,
      version: order.version + 1,
      transferReportedAt: now,
      slipId: slipId ?? order.slipId,
      expireAfter: waiting ? addSeconds(now, seconds) : null,
    },
    event: { kind: 'transfer_reported', from: order.status, to: order.status, actor, at: now, reason: null },
    ledger: null,
  }
}

function end(outcome: OrderOutcome, now: Date): OrderOutcome {
  return {
    ...outcome,
    order: { ...outcome.order, endedAt: now, expireAfter: null },
    amountReusableAt: addSeconds(now, AMOUNT_GRACE_SECONDS),
  }
}

/** Cancels an unpaid order. A customer can't after reporting a transfer; staff must say why. */
export function cancelOrder(order: Order, actor: Actor, reason: string | null, now: Date): OrderOutcome {
  const byStaff = actor.role !== 'system' && isAdminSide(actor.role)
  if (byStaff) required(reason, 'REASON_REQUIRED')
  else if (order.status === 'waiting_payment' && order.transferReportedAt) throw new AppError('ORDER_ALREADY_REPORTED')
  return end(change(order, 'cancel', actor, now, reason), now)
}

/** Ends an order whose time ran out; does nothing before `expireAfter`. */
export function expireOrder(order: Order, now: Date): OrderOutcome {
  invariant(order.expireAfter !== null && order.expireAfter <= now, 'an order expires only after its grace')
  return end(change(order, 'expired', SYSTEM, now, null), now)
}

/** The money is there. By hand it needs a reason; an expired order can be paid late. */
export function markPaid(order: Order, actor: Actor, reason: string | null, now: Date): OrderOutcome {
  const why = actor.role === 'system' ? reason : required(reason, 'REASON_REQUIRED')
  const outcome = change(order, 'paid', actor, now, why)
  if (order.status === 'processing') throw new AppError('ORDER_STATUS_NOT_ALLOWED')
  return {
    ...outcome,
    order: { ...outcome.order, paidAt: now, endedAt: null, expireAfter: null },
    ledger: { kind: 'order_paid', postings: saleOf(order), reason: why, reversesId: null },
    amountReusableAt: addSeconds(now, AMOUNT_GRACE_SECONDS),
  }
}

/** A staff member takes a paid order; the first one wins. */
export function claimOrder(order: Order, actor: Actor, now: Date): OrderOutcome {
  if (order.status === 'processing' && order.claimedBy !== actor.uid) throw new AppError('ORDER_CLAIMED_BY_OTHER')
  const outcome = change(order, 'processing', actor, now, null)
  return { ...outcome, order: { ...outcome.order, claimedBy: actor.uid, claimedAt: now } }
}

function mustHoldClaim(order: Order, actor: Actor): void {
  if (order.status !== 'processing' || order.claimedBy === actor.uid) return
  if (actor.role === 'system' || isManagerLevel(actor.role)) return
  throw new AppError('ORDER_CLAIMED_BY_OTHER')
}

/** Puts a claimed order back for others. */
export function releaseClaim(order: Order, actor: Actor, now: Date): OrderOutcome {
  mustHoldClaim(order, actor)
  if (order.status !== 'processing')
    throw new AppError('ORDER_STATUS_NOT_ALLOWED', { details: { status: order.status } })
  const outcome = change(order, 'paid', actor, now, null)
  return {
    ...outcome,
    order: { ...outcome.order, claimedBy: null, claimedAt: null },
    event: { ...outcome.event, kind: 'claim_released' },
  }
}

/** The player has the goods; the reference says how it was delivered. */
export function completeOrder(order: Order, actor: Actor, deliveryReference: string | null, now: Date): OrderOutcome {
  mustHoldClaim(order, actor)
  const reference = required(deliveryReference, 'DELIVERY_REFERENCE_REQUIRED')
  const outcome = change(order, 'success', actor, now, null)
  return { ...outcome, order: { ...outcome.order, deliveryReference: reference, endedAt: now } }
}

/** The top-up could not be made; the money stays with the shop until it is refunded. */
export function failOrder(order: Order, actor: Actor, reason: string | null, now: Date): OrderOutcome {
  mustHoldClaim(order, actor)
  const outcome = change(order, 'failed', actor, now, required(reason, 'REASON_REQUIRED'))
  return { ...outcome, order: { ...outcome.order, endedAt: now } }
}

/** Gives the money back: to the wallet it came from, else it is owed to the customer. */
export function refundOrder(order: Order, actor: Actor, reason: string | null, now: Date): OrderOutcome {
  mustHoldClaim(order, actor)
  const why = required(reason, 'REASON_REQUIRED')
  const outcome = change(order, 'refunded', actor, now, why)
  const to: LedgerAccount = order.payment === 'wallet' ? moneySource(order) : 'refunds'
  const amountSatang = amountOf(order)
  return {
    ...outcome,
    order: { ...outcome.order, endedAt: now },
    ledger:
      amountSatang > 0
        ? { kind: 'order_refunded', postings: [{ from: 'sales', to, amountSatang }], reason: why, reversesId: null }
        : null,
  }
}

/** What staff can ask for by naming the status they want; `release` is told from `paid` by where the order stands. */
export function changeByStaff(
  order: Order,
  to: OrderStatus,
  input: { reason: string | null; deliveryReference: string | null },
  actor: Actor,
  now: Date,
): OrderOutcome {
  if (to === 'cancel') return cancelOrder(order, actor, input.reason, now)
  if (to === 'paid') {
    return order.status === 'processing' ? releaseClaim(order, actor, now) : markPaid(order, actor, input.reason, now)
  }
  if (to === 'processing') return claimOrder(order, actor, now)
  if (to === 'success') return completeOrder(order, actor, input.deliveryReference, now)
  if (to === 'failed') return failOrder(order, actor, input.reason, now)
  if (to === 'refunded') return refundOrder(order, actor, input.reason, now)
  throw new AppError('ORDER_STATUS_NOT_ALLOWED', { details: { status: order.status, to } })
}

/** The changes a staff member's buttons may offer for an order. */
export function staffChanges(order: Pick<Order, 'status' | 'claimedBy'>, actor: Actor): OrderStatus[] {
  const offered = TRANSITIONS[order.status].filter(to => to !== 'expired' && to !== 'waiting_payment')
  const foreign = order.status === 'processing' && order.claimedBy !== actor.uid
  const mayTakeOver = actor.role !== 'system' && isManagerLevel(actor.role)
  return foreign && !mayTakeOver ? [] : offered
}

/** "KT2611-04821937" from the Bangkok month and eight random digits: easy to read out, useless to guess. */
export function formatOrderNo(month: string, digits: number): string {
  invariant(digits >= 0 && digits < 100_000_000, 'eight digits')
  return `KT${month.slice(2, 4)}${month.slice(5, 7)}-${String(digits).padStart(8, '0')}`
}
