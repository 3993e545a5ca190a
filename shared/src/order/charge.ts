import { invariant } from '../errors.ts'
import type { Charge, ToldCharge } from '../gateway/gateway.ts'
import type { Satang } from '../money.ts'
import type { LedgerAccount, NewTransaction, Posting } from '../wallet/ledger.ts'
import { dueOf, type Order, type OrderOutcome, payOrder } from './order.ts'
import { SYSTEM } from './status.ts'

/** Everything that a gateway's word about a charge leads to. */
export interface ChargeOutcome {
  charge: Charge
  /** The order that it pays. */
  pays: OrderOutcome | null
  /** Money that came although the order did not wait for it; the shop owes it. */
  owedSatang: Satang | null
  /** What is posted for the charge itself; the money of an order that is paid stands in `pays`. */
  ledger: NewTransaction | null
  /** Whether the gateway must be asked to end it. */
  mustEnd: boolean
  /** What can't be: staff must look. Nothing else happens then. */
  contradiction: string | null
}

const accountOf = ({ gateway }: Charge): LedgerAccount => `gateway:${gateway}`

const feePosting = (charge: Charge, amountSatang: Satang | null): Posting[] =>
  amountSatang ? [{ from: 'fees', to: accountOf(charge), amountSatang }] : []

/** Returns what does not agree between a charge and the gateway's word about it; null when all does. */
function contradictionOf(charge: Charge, told: ToldCharge): string | null {
  const expected = {
    chargeId: charge.id,
    reference: charge.reference ?? told.reference,
    amountSatang: charge.amountSatang,
    currency: 'thb',
    isLive: charge.isLive,
  }
  const fields = Object.keys(expected) as (keyof typeof expected)[]
  const differing = fields.find(field => told[field] !== expected[field])
  if (differing) return `${differing} is ${told[differing]}, not ${expected[differing]}`
  return charge.state === 'paid' && told.state.kind !== 'paid' ? `${told.state.kind} after it was paid` : null
}

/** Makes a charge for what an order still asks for. */
export function beginCharge(
  order: Order,
  ask: Pick<Charge, 'id' | 'gateway' | 'method' | 'surchargeSatang' | 'isLive'>,
  now: Date,
): Charge {
  invariant(order.expiresAt && order.status === 'waiting_payment', 'only an unpaid order is charged for')
  return {
    ...ask,
    orderId: order.id,
    amountSatang: dueOf(order) + ask.surchargeSatang,
    state: 'asking',
    reference: null,
    isWanted: true,
    createdAt: now,
    expiresAt: order.expiresAt,
    paidAt: null,
    feeSatang: null,
  }
}

/**
 * Decides what the gateway's word about a charge means. It may come any number of times, late, and in any order.
 * @param order as it is now, locked together with the charge
 */
export function hearCharge(charge: Charge, told: ToldCharge, order: Order, now: Date): ChargeOutcome {
  invariant(order.id === charge.orderId, 'a charge is decided with its own order')
  const nothing = { pays: null, owedSatang: null, ledger: null, mustEnd: false, contradiction: null }
  const contradiction = contradictionOf(charge, told)
  if (contradiction) return { ...nothing, charge, contradiction }
  const { state } = told
  if (state.kind === 'paid')
    return charge.state === 'paid'
      ? learnFee(charge, state.feeSatang)
      : takeMoney(charge, { ...told, state }, order, now)
  const heard: Charge = { ...charge, reference: told.reference, state: state.kind }
  const isWanted = charge.isWanted && order.status === 'waiting_payment'
  return { ...nothing, charge: heard, mustEnd: state.kind === 'waiting' && !isWanted }
}

/** The money is there: it pays the order if that still waits for it, else the shop owes all of it. */
function takeMoney(
  before: Charge,
  { reference, state }: ToldCharge & { state: { kind: 'paid'; at: Date; feeSatang: Satang | null } },
  order: Order,
  now: Date,
): ChargeOutcome {
  const charge: Charge = { ...before, reference, state: 'paid', paidAt: state.at, feeSatang: state.feeSatang }
  const from = accountOf(charge)
  const { amountSatang, surchargeSatang, feeSatang } = charge
  const fee = feePosting(charge, feeSatang)
  const nothing = { charge, mustEnd: false, contradiction: null }
  if (order.status !== 'waiting_payment') {
    const postings: Posting[] = [{ from, to: 'refunds', amountSatang }, ...fee]
    const ledger = { kind: 'charge_owed', postings, reason: null, reversesId: null } as const
    return { ...nothing, pays: null, owedSatang: amountSatang, ledger }
  }
  const sale: NewTransaction = {
    kind: 'order_paid',
    postings: [{ from, to: 'sales', amountSatang: amountSatang - surchargeSatang }],
    reason: null,
    reversesId: null,
  }
  const fees: Posting[] = [
    ...(surchargeSatang > 0 ? [{ from, to: 'fees', amountSatang: surchargeSatang } as const] : []),
    ...fee,
  ]
  const ledger =
    fees.length > 0 ? ({ kind: 'charge_fee', postings: fees, reason: null, reversesId: null } as const) : null
  return { ...nothing, pays: payOrder(order, SYSTEM, null, sale, now), owedSatang: null, ledger }
}

/** The gateway may tell its fee later than the payment. */
function learnFee(charge: Charge, feeSatang: Satang | null): ChargeOutcome {
  const isNew = charge.feeSatang === null && feeSatang !== null
  const postings = isNew ? feePosting(charge, feeSatang) : []
  return {
    charge: isNew ? { ...charge, feeSatang } : charge,
    pays: null,
    owedSatang: null,
    ledger: postings.length > 0 ? { kind: 'charge_fee', postings, reason: null, reversesId: null } : null,
    mustEnd: false,
    contradiction: null,
  }
}
