import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MOST_PRICE_SATANG } from './price-editing.ts'
import { type PriceRule, ROUNDINGS, ruledPrice } from './price-rule.ts'

type Terms = Omit<PriceRule, 'target'>
const terms: fc.Arbitrary<Terms> = fc.record({
  basisPoints: fc.integer({ min: 0, max: 100_000 }),
  fixedSatang: fc.integer({ min: 0, max: 100_000 }),
  leastSatang: fc.integer({ min: 0, max: 100_000 }),
  rounding: fc.constantFrom(...ROUNDINGS),
})
const cost = fc.integer({ min: 0, max: MOST_PRICE_SATANG })

test('a price is whole baht and leaves the least margin; none is above what a price may be', () => {
  fc.assert(
    fc.property(terms, cost, (rule, costSatang) => {
      const price = ruledPrice(rule, costSatang)
      if (price === null) return
      expect(price % 100).toBe(0)
      expect(price).toBeGreaterThan(0)
      expect(price).toBeLessThanOrEqual(MOST_PRICE_SATANG)
      expect(price - costSatang).toBeGreaterThanOrEqual(rule.leastSatang)
      expect((price - costSatang - rule.fixedSatang) * 10_000).toBeGreaterThanOrEqual(costSatang * rule.basisPoints)
    }),
  )
})

test('what costs more never sells for less', () => {
  fc.assert(
    fc.property(terms, cost, cost, (rule, one, other) => {
      const [low, high] = [Math.min(one, other), Math.max(one, other)]
      const [from, to] = [ruledPrice(rule, low), ruledPrice(rule, high)]
      if (from === null) expect(to).toBe(null)
      else if (to !== null) expect(to).toBeGreaterThanOrEqual(from)
    }),
  )
})

test('prices end as shops write them', () => {
  const plain = { basisPoints: 600, fixedSatang: 0, leastSatang: 500 }
  const priced = (costSatang: number) => ROUNDINGS.map(rounding => ruledPrice({ ...plain, rounding }, costSatang))
  // 100 baht and 6 % of it; 20 baht and the least margin; 103 baht end in 9 only at 109.
  expect(priced(10_000)).toEqual([10_600, 11_000, 11_000, 10_900])
  expect(priced(2_000)).toEqual([2_500, 2_500, 3_000, 2_900])
  expect(ruledPrice({ ...plain, basisPoints: 0, leastSatang: 0, rounding: 'nine' }, 10_900)).toBe(10_900)
  expect(ruledPrice({ ...plain, basisPoints: 0, leastSatang: 0, rounding: 'nine' }, 10_901)).toBe(11_900)
  expect(ruledPrice({ ...plain, rounding: 'baht' }, MOST_PRICE_SATANG)).toBe(null)
})
