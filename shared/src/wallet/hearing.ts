import type { Charge, ToldCharge } from '../gateway/gateway.ts'
import type { Satang } from '../money.ts'
import { keysOf } from '../table.ts'
import type { LedgerAccount, NewTransaction, Posting } from './ledger.ts'

/** What a gateway's word means for a charge itself, whatever it pays. */
export interface HeardCharge {
  charge: Charge
  /** Its money is there since this word; what it pays decides what becomes of the money. */
  isPaidNow: boolean
  /** What is posted for the charge itself. */
  ledger: NewTransaction | null
  /** Whether the gateway must be asked to end it. */
  mustEnd: boolean
  /** What can't be: staff must look. Nothing else happens then. */
  contradiction: string | null
}

export const accountOfCharge = ({ gateway }: Pick<Charge, 'gateway'>): LedgerAccount => `gateway:${gateway}`

/** What the gateway keeps of a charge's money, as far as it is known. */
export const gatewayFeeOf = (charge: Charge): Posting[] =>
  charge.feeSatang ? [{ from: 'fees', to: accountOfCharge(charge), amountSatang: charge.feeSatang }] : []

/** What a gateway and a buyer pay for a charge. */
export function feesOf(charge: Charge): Posting[] {
  const { surchargeSatang } = charge
  const surcharge: Posting[] =
    surchargeSatang > 0 ? [{ from: accountOfCharge(charge), to: 'fees', amountSatang: surchargeSatang }] : []
  return [...surcharge, ...gatewayFeeOf(charge)]
}

export const chargeFee = (postings: Posting[]): NewTransaction | null =>
  postings.length > 0 ? { kind: 'charge_fee', postings, reason: null, reversesId: null } : null

/** Returns what does not agree between a charge and the gateway's word about it; null when all does. */
function contradictionOf(charge: Charge, told: ToldCharge): string | null {
  const expected = {
    chargeId: charge.id,
    reference: charge.reference ?? told.reference,
    amountSatang: charge.amountSatang,
    currency: 'thb',
    isLive: charge.isLive,
  }
  const fields = keysOf(expected)
  const differing = fields.find(field => told[field] !== expected[field])
  if (differing) return `${differing} is ${told[differing]}, not ${expected[differing]}`
  if (charge.state === 'paid' && told.state.kind !== 'paid') return `${told.state.kind} after it was paid`
  return told.goneBack && `${told.goneBack.amountSatang} satang of it were ${told.goneBack.why} at the gateway`
}

/**
 * Decides what the gateway's word means for a charge. It may come any number of times, late, and in any order.
 * @param isAwaited whether what it pays still waits for money
 */
export function hearTold(charge: Charge, told: ToldCharge, isAwaited: boolean): HeardCharge {
  const nothing = { isPaidNow: false, ledger: null, mustEnd: false, contradiction: null }
  const contradiction = contradictionOf(charge, told)
  if (contradiction) return { ...nothing, charge, contradiction }
  const { reference, state } = told
  if (state.kind === 'paid') {
    if (charge.state === 'paid') return { ...nothing, ...learnFee(charge, state.feeSatang) }
    const { at: paidAt, feeSatang } = state
    return { ...nothing, charge: { ...charge, reference, state: 'paid', paidAt, feeSatang }, isPaidNow: true }
  }
  const isWanted = charge.isWanted && isAwaited
  return {
    ...nothing,
    charge: { ...charge, reference, state: state.kind },
    mustEnd: state.kind === 'waiting' && !isWanted,
  }
}

/** The gateway may tell its fee later than the payment. */
function learnFee(charge: Charge, feeSatang: Satang | null): Pick<HeardCharge, 'charge' | 'ledger'> {
  if (charge.feeSatang !== null || feeSatang === null) return { charge, ledger: null }
  const known = { ...charge, feeSatang }
  return { charge: known, ledger: chargeFee(gatewayFeeOf(known)) }
}
