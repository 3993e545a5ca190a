import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lossOf } from '../catalogue/loss.ts'
import type { PriceCode } from '../catalogue/payment-method.ts'
import { type PriceRule, ROUNDINGS, type RuleTarget } from '../catalogue/price-rule.ts'
import type { PriceRow } from '../catalogue/pricing.ts'
import { planOf, type RuledPackage } from './plan.ts'
import { changesOf, fellFar, hasLostMost, type KnownProduct } from './product-change.ts'

const now = new Date('2026-11-20T05:00:00Z')
const row = (payment: PriceCode, change: Partial<PriceRow> = {}) => ({
  payment,
  priceSatang: 10_000,
  startDay: '2026-11-01',
  endDay: null,
  isActive: true,
  nextPriceSatang: null,
  nextDay: null,
  ...change,
})
const rule = (target: RuleTarget, change: Partial<PriceRule> = {}): PriceRule => ({
  target,
  basisPoints: 1000,
  fixedSatang: 0,
  leastSatang: 0,
  rounding: 'baht',
  ...change,
})
const sold = (change: Partial<RuledPackage> = {}): RuledPackage => ({
  costSatang: 8000,
  prices: [row('bank'), row('wallet')],
  discounts: [],
  agreedLossSatang: 0,
  ...change,
})

test('only what has a rule changes, and only prices that are there and not over', () => {
  const plan = planOf(sold(), [rule('bank')], now)
  expect(plan.prices.map(({ payment, priceSatang }) => [payment, priceSatang])).toEqual([['bank', 8800]])
  expect(planOf(sold({ prices: [row('bank', { endDay: '2026-11-19' })] }), [rule('bank')], now).prices).toEqual([])
  expect(planOf(sold({ prices: [] }), [rule('bank')], now)).toMatchObject({ prices: [], problem: null })
  expect(planOf(sold({ costSatang: null }), [rule('bank')], now)).toMatchObject({ prices: [], problem: 'costUnknown' })
})

test('a planned price stays; one whose day has come is the price that changes', () => {
  const later = { nextPriceSatang: 9900, nextDay: '2026-12-01' }
  const [planned] = planOf(sold({ prices: [row('bank', later)] }), [rule('bank')], now).prices
  expect(planned).toMatchObject({ priceSatang: 8800, ...later })
  const [come] = planOf(
    sold({ prices: [row('bank', { ...later, nextDay: '2026-11-20' })] }),
    [rule('bank')],
    now,
  ).prices
  expect(come).toMatchObject({ priceSatang: 8800, nextPriceSatang: null, nextDay: null })
})

test('whatever rules for all targets make of a package, nobody buys below cost and the least margin', () => {
  const terms = fc.record({
    basisPoints: fc.integer({ min: 0, max: 5000 }),
    fixedSatang: fc.integer({ min: 0, max: 5000 }),
    leastSatang: fc.integer({ min: 0, max: 5000 }),
    rounding: fc.constantFrom(...ROUNDINGS),
  })
  const amount = fc.integer({ min: 1, max: 1000 }).map(baht => baht * 100)
  const all = fc.record({
    bank: terms,
    wallet: terms,
    tier: terms,
    cost: fc.integer({ min: 1, max: 100_000 }),
    was: amount,
  })
  fc.assert(
    fc.property(all, ({ bank, wallet, tier, cost, was }) => {
      const rules = [rule('bank', bank), rule('wallet', wallet), rule('tier:1', tier)]
      const before = sold({
        costSatang: cost,
        prices: [row('bank', { priceSatang: was }), row('wallet', { priceSatang: was })],
        discounts: [{ tierId: 1, discountSatang: Math.min(was, 50_000), isActive: true }],
      })
      const plan = planOf(before, rules, now)
      expect(plan.problem).toBe(null)
      expect(plan.needsSecond).toBe(false)
      for (const { target, afterSatang } of plan.cells)
        expect(afterSatang - cost).toBeGreaterThanOrEqual(
          Math.min(
            ...rules.filter(each => target === 'tier:1' || each.target === target).map(each => each.leastSatang),
          ),
        )
      const prices = before.prices.map(old => plan.prices.find(({ payment }) => payment === old.payment) ?? old)
      const [cell = before.discounts[0]!] = plan.discounts
      const discountSatang = cell.isActive ? cell.discountSatang : 0
      expect(lossOf({ costSatang: cost, prices, discountSatang }, now)).toBe(0)
    }),
  )
})

const known = (sku: string, change: Partial<KnownProduct> = {}): KnownProduct => ({
  sku,
  name: `UC ${sku}`,
  price: '1.50',
  currency: 'USD',
  costSatang: 5000,
  isInStock: true,
  isGone: false,
  ...change,
})
const kinds = (before: KnownProduct[], after: KnownProduct[]) => changesOf(before, after).map(({ kind }) => kind)

test('a list says what changed of each product; a moved rate of exchange is no change', () => {
  expect(kinds([known('1')], [known('1', { price: '1.5', costSatang: 5100 })])).toEqual([])
  expect(kinds([known('1')], [known('1', { price: '1.6' })])).toEqual(['costUp'])
  expect(kinds([known('1')], [known('1', { price: '1.4', isInStock: false })])).toEqual(['costDown', 'outOfStock'])
  expect(kinds([known('1')], [known('1', { currency: 'EUR', costSatang: 4000 })])).toEqual(['costDown'])
  expect(kinds([known('1', { isGone: true, isInStock: false })], [known('1')])).toEqual(['back', 'inStock'])
  expect(kinds([known('1')], [known('2')])).toEqual(['added', 'gone'])
  expect(kinds([known('1', { isGone: true })], [])).toEqual([])
})

test('a list that lacks most of many products is doubted; a few may go', () => {
  const all = ['1', '2', '3', '4', '5', '6', '7'].map(sku => known(sku))
  expect(hasLostMost(all, all.slice(3))).toBe(false)
  expect(hasLostMost(all, all.slice(4))).toBe(true)
  expect(hasLostMost(all.slice(0, 3), [])).toBe(false)
  expect(
    hasLostMost(
      all.map(each => ({ ...each, isGone: true })),
      [],
    ),
  ).toBe(false)
  expect([fellFar(1000, 499), fellFar(1000, 500), fellFar(null, 5), fellFar(null, 0)]).toEqual([
    true,
    false,
    false,
    true,
  ])
})
