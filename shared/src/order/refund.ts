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
 * The buyer says where the money that the shop owes them for an order is to be sent; its history names the account in
 * short. @param owed what is open, and how often an account was given before
 * @throws NOTHING_TO_REFUND, PAYEE_CHANGED_TOO_OFTEN
 */
export function givePayee(
  order: Order,
  payee: Payee,
  actor: Actor,
  owed: { open: number; given: number },
  now: Date,
): OrderOutcome {
  if (owed.open === 0) throw new AppError('NOTHING_TO_REFUND')
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
