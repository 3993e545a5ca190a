import { AppError } from '../errors.ts'
import type { Satang } from '../money.ts'
import type { Posting } from '../wallet/ledger.ts'
import { changeStatus, creditOf, dueOf, type Order, type OrderOutcome, posted, required, rulesOf } from './order.ts'
import { endOfPayee, type Payee, payeeEndText } from './payee.ts'
import type { Actor } from './status.ts'

/** Within this many days of being told the account the shop sends a refund, as it tells buyers. */
export const REFUND_DAYS = 3

/** How often the buyer of an order may say where its money is to be sent. */
const MOST_PAYEES = 10

/**
 * The buyer of a failed order wants its money instead of another try, which takes back a player whom they proposed. No
 * money moves, because staff decide. @throws ORDER_STATUS_NOT_ALLOWED
 */
export function askRefund(order: Order, actor: Actor, now: Date): OrderOutcome {
  const { status } = order
  if (status !== 'failed') throw new AppError('ORDER_STATUS_NOT_ALLOWED', { details: { status } })
  return {
    order: { ...order, version: order.version + 1 },
    event: { kind: 'refund_asked', from: status, to: status, actor, at: now, reason: null },
    ledger: null,
    proposedPlayer: null,
  }
}

/** What comes back of an order by a transfer; a wallet and shop credit have their part at once. */
export const transferredBack = (order: Order): Satang =>
  rulesOf(order).refundTo(order) === 'refunds' ? dueOf(order) : 0

/** What staff write as the reason of a refund that its buyer asked for. */
export const ASKED_BY_BUYER = 'ลูกค้าขอคืนเงิน'

/** The reason of an end in words for its buyer, who does not read of "the customer". */
export const reasonForBuyer = (reason: string): string => (reason === ASKED_BY_BUYER ? 'คุณขอคืนเงินรายการนี้' : reason)

/**
 * The buyer says where the money that the shop owes them for an order is to be sent; its history names the account in
 * short; null when there is nothing left to name one for. @param owed what is open, and how often an account was given before
 * @throws NOTHING_TO_REFUND, PAYEE_CHANGED_TOO_OFTEN
 */
export function givePayee(
  order: Order,
  payee: Payee | null,
  actor: Actor,
  owed: { open: number; given: number },
  now: Date,
): OrderOutcome {
  if (owed.open === 0 || payee === null) throw new AppError('NOTHING_TO_REFUND')
  if (owed.given >= MOST_PAYEES) throw new AppError('PAYEE_CHANGED_TOO_OFTEN')
  const reason = payeeEndText(endOfPayee(payee))
  return {
    order: { ...order, version: order.version + 1 },
    event: { kind: 'payee_given', from: order.status, to: order.status, actor, at: now, reason },
    ledger: null,
  }
}

/**
 * Refunds the money that came: a wallet or shop credit has its part at once, other money is owed until it was sent, see
 * `sendRefund`. Saving it links the sale that it reverses. @param shortSatang by how much the received
 * money was less than what was due
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
  const to = rulesOf(order).refundTo(order)
  const amountSatang = dueOf(order) - shortSatang
  const parts: Posting[] = [
    { from: 'sales', to, amountSatang },
    { from: 'sales', to: 'differences', amountSatang: shortSatang },
    ...(order.creditSatang > 0
      ? [{ from: 'sales', to: creditOf(order), amountSatang: order.creditSatang } as const]
      : []),
  ]
  const ledger = posted('order_refunded', parts, why)
  const returned = { ...outcome, order: { ...outcome.order, endedAt: now }, ledger }
  if (amountSatang === 0 || to !== 'refunds') return refunded(returned)
  return { ...returned, owed: { orderId: order.id, lineId: null, amountSatang, reason: why } }
}

/** The same decision for an order whose buyer has the money already. */
const refunded = ({ order, event, ...rest }: OrderOutcome): OrderOutcome => ({
  ...rest,
  order: { ...order, status: 'refunded' },
  event: { ...event, to: 'refunded' },
})

/** The money that was owed for a refunded order was sent to its buyer. */
export const sendRefund = (order: Order, actor: Actor, now: Date): OrderOutcome =>
  changeStatus(order, 'sendRefund', actor, now, null)
