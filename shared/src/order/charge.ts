import { type GatewayMethod, isGatewayMethod } from '../catalogue/payment-method.ts'
import { AppError, invariant } from '../errors.ts'
import { type Charge, GATEWAY_CLOCK_SECONDS, type ToldCharge } from '../gateway/gateway.ts'
import type { Satang } from '../money.ts'
import { addSeconds } from '../time.ts'
import { accountOfCharge, chargeFee, feesOf, gatewayFeeOf, type HeardCharge, hearTold } from '../wallet/hearing.ts'
import type { NewTransaction, Posting } from '../wallet/ledger.ts'
import { type Order, type OrderOutcome, payOrder, rulesOf } from './order.ts'
import { type Actor, SYSTEM } from './status.ts'

/** Everything that a gateway's word about an order's charge leads to; the money of an order that is paid stands in `pays`. */
export interface ChargeOutcome extends HeardCharge {
  /** The order that it pays. */
  pays: OrderOutcome | null
  /** Money that came although the order did not wait for it; the shop owes it. */
  owedSatang: Satang | null
}

/**
 * Decides what the gateway's word about an order's charge means. It may come any number of times, late, and in any order.
 * @param order as it is now, locked together with the charge
 */
export function hearCharge(charge: Charge, told: ToldCharge, order: Order, now: Date): ChargeOutcome {
  invariant(order.id === charge.orderId, 'a charge is decided with its own order')
  const heard = hearTold(charge, told, order.status === 'waiting_payment')
  return { ...heard, pays: null, owedSatang: null, ...(heard.isPaidNow && takeMoney(heard.charge, order, now)) }
}

/**
 * Tells whether money of that moment still pays an order: one that waits, and one whose time ran out while the gateway could
 * not be asked, if it was paid in time. Credit that was put aside for an expired order is back with its buyer.
 */
function canPay(order: Order, paidAt: Date): boolean {
  if (order.status === 'waiting_payment') return true
  const isInTime = order.expiresAt !== null && paidAt <= addSeconds(order.expiresAt, GATEWAY_CLOCK_SECONDS)
  return order.status === 'expired' && order.creditSatang === 0 && isInTime
}

/** The method that paid may be another one than the buyer's newest, who may even have gone over to a transfer. */
const asPaidBy = (order: Order, payment: GatewayMethod): Order => ({
  ...order,
  payment,
  tailSatang: 0,
  receivingAccountId: null,
})

/** The money is there: it pays the order if it still can, else the shop owes all of it. */
function takeMoney(
  charge: Charge,
  order: Order,
  now: Date,
): Pick<ChargeOutcome, 'ledger'> & Partial<Pick<ChargeOutcome, 'pays' | 'owedSatang'>> {
  const from = accountOfCharge(charge)
  const { amountSatang, surchargeSatang } = charge
  invariant(charge.paidAt, 'money has a moment')
  if (!canPay(order, charge.paidAt)) {
    const postings: Posting[] = [{ from, to: 'refunds', amountSatang }, ...gatewayFeeOf(charge)]
    return { owedSatang: amountSatang, ledger: { kind: 'charge_owed', postings, reason: null, reversesId: null } }
  }
  const sale: NewTransaction = {
    kind: 'order_paid',
    postings: [{ from, to: 'sales', amountSatang: amountSatang - surchargeSatang }],
    reason: null,
    reversesId: null,
  }
  return { pays: payOrder(asPaidBy(order, charge.method), SYSTEM, null, sale, now), ledger: chargeFee(feesOf(charge)) }
}

/**
 * Has an order that waits for a charge paid by a transfer instead, for which there is as much time as for a new order: what
 * was lost may have been lost at the gateway. A charge that is paid all the same pays it still.
 * @throws ORDER_STATUS_NOT_ALLOWED
 */
export function payByTransfer(
  order: Order,
  transfer: Pick<Order, 'receivingAccountId' | 'tailSatang'>,
  timeLimitMinutes: number,
  actor: Actor,
  now: Date,
): OrderOutcome {
  mustWaitForCharge(order, now)
  const { expiresAt, expireAfter } = rulesOf({ payment: 'bank' }).begin(now, timeLimitMinutes)
  const { status: from, version } = order
  return {
    order: { ...order, ...transfer, payment: 'bank', expiresAt, expireAfter, version: version + 1 },
    event: { kind: 'transfer_chosen', from, to: from, actor, at: now, reason: null },
    ledger: null,
  }
}

/** Returns the method by which an order waits for a charge, and until when. @throws ORDER_STATUS_NOT_ALLOWED */
export function mustWaitForCharge(
  { payment, status, expiresAt }: Pick<Order, 'payment' | 'status' | 'expiresAt'>,
  now: Date,
): { payment: GatewayMethod; expiresAt: Date } {
  if (!isGatewayMethod(payment) || status !== 'waiting_payment' || !expiresAt || expiresAt <= now)
    throw new AppError('ORDER_STATUS_NOT_ALLOWED', { details: { status } })
  return { payment, expiresAt }
}
