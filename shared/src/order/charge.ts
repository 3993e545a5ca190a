import { invariant } from '../errors.ts'
import type { Charge, ToldCharge } from '../gateway/gateway.ts'
import type { Satang } from '../money.ts'
import { accountOfCharge, chargeFee, feesOf, gatewayFeeOf, type HeardCharge, hearTold } from '../wallet/hearing.ts'
import type { NewTransaction, Posting } from '../wallet/ledger.ts'
import { type Order, type OrderOutcome, payOrder } from './order.ts'
import { SYSTEM } from './status.ts'

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

/** The money is there: it pays the order if that still waits for it, else the shop owes all of it. */
function takeMoney(
  charge: Charge,
  order: Order,
  now: Date,
): Pick<ChargeOutcome, 'ledger'> & Partial<Pick<ChargeOutcome, 'pays' | 'owedSatang'>> {
  const from = accountOfCharge(charge)
  const { amountSatang, surchargeSatang } = charge
  if (order.status !== 'waiting_payment') {
    const postings: Posting[] = [{ from, to: 'refunds', amountSatang }, ...gatewayFeeOf(charge)]
    return { owedSatang: amountSatang, ledger: { kind: 'charge_owed', postings, reason: null, reversesId: null } }
  }
  const sale: NewTransaction = {
    kind: 'order_paid',
    postings: [{ from, to: 'sales', amountSatang: amountSatang - surchargeSatang }],
    reason: null,
    reversesId: null,
  }
  return { pays: payOrder(order, SYSTEM, null, sale, now), ledger: chargeFee(feesOf(charge)) }
}
