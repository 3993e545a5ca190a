/** Prices that follow what a package costs. */

import type { Satang } from '../money.ts'
import { isOneOf, keysOf } from '../table.ts'
import { PRICE_CODES, type PriceCode } from './payment-method.ts'
import { MOST_PRICE_SATANG } from './price-editing.ts'

interface RoundingEntry {
  label: string
  /** The least price in whole baht, of those that shops write so, that is not below a number of baht. */
  up(baht: number): number
}

const toMultipleOf =
  (step: number) =>
  (baht: number): number =>
    Math.ceil(baht / step) * step

/** How shops write their prices. All of them round up, so that no margin is lost by it. */
export const ROUNDING = {
  baht: { label: 'เต็มบาท', up: toMultipleOf(1) },
  five: { label: 'ลงท้าย 0 หรือ 5', up: toMultipleOf(5) },
  ten: { label: 'ลงท้าย 0', up: toMultipleOf(10) },
  nine: { label: 'ลงท้าย 9', up: baht => toMultipleOf(10)(baht + 1) - 1 },
} as const satisfies Record<string, RoundingEntry>
export type Rounding = keyof typeof ROUNDING
export const ROUNDINGS = keysOf(ROUNDING)

/** What a rule sets: the list price of a way to pay, or what a tier of agents pays from the wallet. */
export type RuleTarget = PriceCode | `tier:${number}`

/** The tier of a target; null for a list price. */
export const tierOf = (target: RuleTarget): number | null =>
  target.startsWith('tier:') ? Number(target.slice('tier:'.length)) : null

export const isPriceTarget = (target: RuleTarget): target is PriceCode => isOneOf(PRICE_CODES, target)

export interface PriceRule {
  target: RuleTarget
  /** How much is added to the cost, in hundredths of a per cent. */
  basisPoints: number
  /** What is added on top, however much it costs. */
  fixedSatang: Satang
  /** The least that one piece earns. */
  leastSatang: Satang
  rounding: Rounding
}

/** The most that a rule may add, in hundredths of a per cent. */
export const MOST_BASIS_POINTS = 100_000

/**
 * Returns the price of one piece that costs so much, in whole baht; never below the cost with the least margin. null when
 * no price may be so high.
 */
export function ruledPrice(rule: Omit<PriceRule, 'target'>, costSatang: Satang): Satang | null {
  const { basisPoints, fixedSatang, leastSatang, rounding } = rule
  const wanted = Math.ceil((costSatang * (10_000 + basisPoints)) / 10_000) + fixedSatang
  const satang = Math.max(wanted, costSatang + leastSatang, 100)
  const price = ROUNDING[rounding].up(Math.ceil(satang / 100)) * 100
  return price <= MOST_PRICE_SATANG ? price : null
}
