import type { GatewayMethod } from '../catalogue/payment-method.ts'
import type { Satang } from '../money.ts'
import type { GatewayName } from '../provider-names.ts'
import { isOneOf } from '../table.ts'
import { addSeconds } from '../time.ts'

/**
 * How far a charge is. It is `asking` before the gateway is asked for it, and stays so while nobody knows whether the
 * gateway has it. Only `paid` is final: a charge that failed or expired may still turn out to be paid.
 */
export const CHARGE_STATES = ['asking', 'waiting', 'paid', 'failed', 'expired'] as const
export type ChargeState = (typeof CHARGE_STATES)[number]

/** One try to have an order or a top-up paid through a gateway. */
export interface Charge {
  /** The gateway keeps this id with the charge, so that it is found again when the answer is lost. */
  id: string
  /** What it pays: an order or a top-up, never both. */
  orderId: string | null
  topUpId: string | null
  gateway: GatewayName
  method: GatewayMethod
  /** All that the buyer pays: what is asked for and `surchargeSatang`. */
  amountSatang: Satang
  /** What the buyer pays for the method itself. */
  surchargeSatang: Satang
  /** Whether it was asked for with a key that moves real money. */
  isLive: boolean
  state: ChargeState
  /** The gateway's own id; null while it is not known. */
  reference: string | null
  /** Whether it may still be paid; if not, the gateway is asked to end it. */
  isWanted: boolean
  createdAt: Date
  expiresAt: Date
  paidAt: Date | null
  /** What the gateway keeps of the money, with tax; null while it is not known. */
  feeSatang: Satang | null
}

/** Makes a charge for what is asked for. */
export function beginCharge(
  due: Pick<Charge, 'orderId' | 'topUpId' | 'amountSatang' | 'expiresAt'>,
  ask: Pick<Charge, 'id' | 'gateway' | 'method' | 'surchargeSatang' | 'isLive'>,
  now: Date,
): Charge {
  return {
    ...ask,
    ...due,
    amountSatang: due.amountSatang + ask.surchargeSatang,
    state: 'asking',
    reference: null,
    isWanted: true,
    createdAt: now,
    paidAt: null,
    feeSatang: null,
  }
}

/** The states in which the gateway may take money for a charge without the shop knowing. */
export const OPEN_CHARGE_STATES = ['asking', 'waiting'] as const satisfies ChargeState[]
const isOpenCharge = (state: ChargeState): boolean => isOneOf(OPEN_CHARGE_STATES, state)

/** An open charge whose time has been over for so long, and of which nobody knows how it ended, is looked at by people. */
export const UNKNOWN_AFTER_SECONDS = 3600

/** A charge as a gateway tells it. Nothing of it is believed before it was compared with what the shop has asked for. */
export interface ToldCharge {
  reference: string
  /** The shop's own id that the gateway keeps with it; null for a charge that is not the shop's. */
  chargeId: string | null
  amountSatang: Satang
  /** In small letters: "thb". */
  currency: string
  /** Whether real money moves: false in the gateway's test mode. */
  isLive: boolean
  /**
   * What left it again at the gateway itself, by whoever works there or by a dispute; null for nothing. The shop pays back by
   * transfer alone, so that it would leave twice.
   */
  goneBack: { why: 'refunded' | 'disputed'; amountSatang: Satang } | null
  state:
    | { kind: 'waiting' }
    /** `feeSatang` has the fee and its tax; null when the gateway tells it later. */
    | { kind: 'paid'; at: Date; feeSatang: Satang | null }
    | { kind: 'failed' }
    | { kind: 'expired' }
}

/** What the owner of the shop has set for a payment method of the gateway. */
export interface MethodTerms {
  isOn: boolean
  /** The least and most that an order may cost; null for what the gateway itself allows. */
  leastSatang: Satang | null
  mostSatang: Satang | null
  /** What the method costs the buyer beside the price: a share in hundredths of a per cent, and a fixed amount. */
  surchargeBasisPoints: number
  surchargeSatang: Satang
  /** When it may be used, as the shop's own opening hours are written; '' for always. */
  openingHours: string
}

/** The clocks of the gateway and of the shop may differ by this much. */
export const GATEWAY_CLOCK_SECONDS = 120

/** Returns what a buyer pays for a method beside the order's amount; a part of a satang counts as a whole one. */
export const surchargeOf = (
  { surchargeBasisPoints, surchargeSatang }: Pick<MethodTerms, 'surchargeBasisPoints' | 'surchargeSatang'>,
  amountSatang: Satang,
): Satang => Math.ceil((amountSatang * surchargeBasisPoints) / 10_000) + surchargeSatang

/** The least and most that one charge may have. */
export interface ChargeLimits {
  leastSatang: Satang
  mostSatang: Satang
}

/** Returns what an order may cost for a method: within what the gateway takes and what the shop wants. */
export function limitsOf(terms: Pick<MethodTerms, 'leastSatang' | 'mostSatang'>, gateway: ChargeLimits): ChargeLimits {
  return {
    leastSatang: Math.max(gateway.leastSatang, terms.leastSatang ?? 0),
    mostSatang: Math.min(gateway.mostSatang, terms.mostSatang ?? Number.POSITIVE_INFINITY),
  }
}

/** How long after a charge was made the gateway is asked about it; then every `WHILE_OPEN_SECONDS` until its time is over. */
const ASK_AFTER_SECONDS = [30, 120, 300] as const
const WHILE_OPEN_SECONDS = 300
/** Money of the last second may be told this long after the charge is over. */
const AFTER_END_SECONDS = [5, 300, 900, 3600] as const
const MOST_BETWEEN_SECONDS = 24 * 3600

const secondsBetween = (from: Date, to: Date): number => (to.getTime() - from.getTime()) / 1000

/**
 * Returns when the gateway is to be asked again about a charge after it said how that stands; null when it was asked for
 * the last time. What the gateway itself calls open is asked about until it has ended, more and more rarely.
 */
export function nextAskAt(
  { createdAt, expiresAt, state }: Pick<Charge, 'createdAt' | 'expiresAt' | 'state'>,
  now: Date,
): Date | null {
  const inTime = ASK_AFTER_SECONDS.find(seconds => addSeconds(createdAt, seconds) > now)
  const next = inTime === undefined ? addSeconds(now, WHILE_OPEN_SECONDS) : addSeconds(createdAt, inTime)
  if (next < expiresAt) return next
  const atEnd = AFTER_END_SECONDS.find(seconds => addSeconds(expiresAt, seconds) > now)
  if (atEnd !== undefined) return addSeconds(expiresAt, atEnd)
  if (!isOpenCharge(state)) return null
  return addSeconds(now, Math.min(secondsBetween(expiresAt, now), MOST_BETWEEN_SECONDS))
}
