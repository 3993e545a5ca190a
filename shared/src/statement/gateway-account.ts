import type { Satang } from '../money.ts'
import type { GatewayDay } from './gateway-account-endpoints.ts'

type Sums = Omit<GatewayDay, 'day'>

/** Returns by how much some days changed what a gateway holds. */
export const changeOf = (of: Sums): Satang =>
  of.chargeSatang + of.surchargeSatang + of.owedSatang + of.otherSatang - of.feeSatang - of.payoutSatang

/** Adds up days of one gateway. */
export function sumOfGateway(days: readonly Sums[]): Sums {
  const add = (field: keyof Sums) => days.reduce((sum, day) => sum + day[field], 0)
  return {
    charges: add('charges'),
    chargeSatang: add('chargeSatang'),
    surchargeSatang: add('surchargeSatang'),
    owed: add('owed'),
    owedSatang: add('owedSatang'),
    feeSatang: add('feeSatang'),
    payouts: add('payouts'),
    payoutSatang: add('payoutSatang'),
    otherSatang: add('otherSatang'),
  }
}

/** Returns what a gateway held after each of its days; `days` are latest first, and so is what is returned. */
export function heldAfter(openingSatang: Satang, days: readonly Sums[]): Satang[] {
  let held = openingSatang
  return days
    .toReversed()
    .map(day => (held += changeOf(day)))
    .toReversed()
}
