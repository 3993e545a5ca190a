import { MAX_DISCOUNT_SATANG } from '../agent/agent.ts'
import { type AgreedPackage, lossOf } from '../catalogue/loss.ts'
import type { PriceCode } from '../catalogue/payment-method.ts'
import { isPriceTarget, type PriceRule, type RuleTarget, ruledPrice, tierOf } from '../catalogue/price-rule.ts'
import { listPriceAt, lowestListPrice, type PriceRow } from '../catalogue/pricing.ts'
import type { Satang } from '../money.ts'
import { bangkokDay } from '../time.ts'

export interface TierDiscount {
  tierId: number
  discountSatang: Satang
  isActive: boolean
}
type Price = PriceRow & { payment: PriceCode }

/** A package as rules see it. */
export interface RuledPackage<P extends Price = Price> extends Omit<AgreedPackage, 'discountSatang' | 'prices'> {
  prices: readonly P[]
  discounts: readonly TierDiscount[]
}

/** What one piece is sold for by one target of the rules, before and after. */
interface RuledCell {
  target: RuleTarget
  beforeSatang: Satang
  afterSatang: Satang
}

export interface Plan<P extends Price = Price> {
  /** The prices and discounts that change. */
  prices: P[]
  discounts: TierDiscount[]
  cells: RuledCell[]
  /** Why the rules can't be applied to the package; then nothing of it changes. */
  problem: PlanProblem | null
  /** Whether its loss after it is larger than the agreed one, so that a second person must agree. */
  needsSecond: boolean
}

/** Why the rules leave a package as it is. */
export const PLAN_PROBLEM = {
  costUnknown: 'ไม่ทราบต้นทุน',
  tooHigh: 'ราคาที่ได้สูงเกินที่ตั้งได้',
  discount: 'ส่วนลดของ Tier เกินราคา Wallet ใหม่',
} as const
type PlanProblem = keyof typeof PLAN_PROBLEM

/** The largest discount of any tier. */
const largest = (discounts: readonly TierDiscount[]): Satang =>
  Math.max(0, ...discounts.filter(({ isActive }) => isActive).map(({ discountSatang }) => discountSatang))

/** Rules write only prices that are there and not over: whether something is sold is for people to decide. */
const isRuled = ({ endDay }: PriceRow, now: Date): boolean => endDay === null || endDay >= bangkokDay(now)

const withPrice = <P extends Price>(row: P, priceSatang: Satang, now: Date): P =>
  // A planned price whose day has come is the price of today.
  listPriceAt(row, now) === row.priceSatang
    ? { ...row, priceSatang }
    : { ...row, priceSatang, nextPriceSatang: null, nextDay: null }

/** Returns what rules make of a package's prices and discounts. A price that is planned for a later day stays. */
export function planOf<P extends Price>(sold: RuledPackage<P>, rules: readonly PriceRule[], now: Date): Plan<P> {
  const { costSatang } = sold
  const none = (problem: PlanProblem | null): Plan<P> => {
    const lossSatang = lossOf({ ...sold, discountSatang: largest(sold.discounts) }, now)
    return { prices: [], discounts: [], cells: [], problem, needsSecond: lossSatang > sold.agreedLossSatang }
  }
  if (rules.length === 0) return none(null)
  if (costSatang === null) return none('costUnknown')
  const amounts = new Map(rules.map(rule => [rule.target, ruledPrice(rule, costSatang)]))
  if ([...amounts.values()].includes(null)) return none('tooHigh')
  const of = (target: RuleTarget) => amounts.get(target) ?? null
  const after = sold.prices.map(row => {
    const amount = isRuled(row, now) ? of(row.payment) : null
    return amount === null ? row : withPrice(row, amount, now)
  })
  const wallet = after.find(({ payment }) => payment === 'wallet')
  const discounts = wallet ? discountsAfter(sold.discounts, rules, of, lowestListPrice(wallet, now)) : sold.discounts
  if (wallet && largest(discounts) > lowestListPrice(wallet, now)) return none('discount')
  const lossSatang = lossOf({ costSatang, prices: after, discountSatang: largest(discounts) }, now)
  return {
    prices: after.filter((row, at) => row !== sold.prices[at] && !isSame(row, sold.prices[at]!)),
    discounts: discounts.filter(cell => !sold.discounts.some(was => isSame(was, cell))),
    cells: cellsOf(sold, { prices: after, discounts }, rules, now),
    problem: null,
    needsSecond: lossSatang > sold.agreedLossSatang,
  }
}

const isSame = (a: object, b: object) => JSON.stringify(a) === JSON.stringify(b)

function discountsAfter(
  before: readonly TierDiscount[],
  rules: readonly PriceRule[],
  of: (target: RuleTarget) => Satang | null,
  walletSatang: Satang,
): TierDiscount[] {
  const ruled = rules.flatMap(({ target }): TierDiscount[] => {
    const tierId = tierOf(target)
    if (tierId === null) return []
    const discountSatang = Math.min(MAX_DISCOUNT_SATANG, Math.max(0, walletSatang - of(target)!))
    const was = before.find(cell => cell.tierId === tierId)
    // No discount where there is none is no change.
    if (discountSatang === 0 && !was?.isActive) return was ? [was] : []
    return [{ tierId, discountSatang, isActive: discountSatang > 0 }]
  })
  return [...before.filter(({ tierId }) => !ruled.some(cell => cell.tierId === tierId)), ...ruled]
}

interface Sides {
  prices: readonly Price[]
  discounts: readonly TierDiscount[]
}

function cellsOf(before: Sides, after: Sides, rules: readonly PriceRule[], now: Date): RuledCell[] {
  const soldFor = ({ prices, discounts }: Sides, target: RuleTarget): Satang | null => {
    const row = prices.find(({ payment }) => payment === (isPriceTarget(target) ? target : 'wallet'))
    if (!row) return null
    const off = discounts.find(({ tierId, isActive }) => isActive && tierId === tierOf(target))?.discountSatang ?? 0
    return listPriceAt(row, now) - off
  }
  return rules.flatMap(({ target }) => {
    const [beforeSatang, afterSatang] = [soldFor(before, target), soldFor(after, target)]
    return beforeSatang === null || afterSatang === null ? [] : [{ target, beforeSatang, afterSatang }]
  })
}
