import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isOnSale, lowestListPrice, type PriceRow, priceInForce, sellingPriceOf, unitPriceOf } from './pricing.ts'

const row = (change: Partial<PriceRow> = {}): PriceRow => ({
  priceSatang: 14900,
  startDay: '2026-11-20',
  endDay: '2026-11-21',
  isActive: true,
  nextPriceSatang: null,
  nextDay: null,
  ...change,
})

test('the sale window runs from 00:00 of the first day to the end of the last day in Bangkok', () => {
  expect(isOnSale(row(), new Date('2026-11-19T16:59:59.999Z'))).toBe(false)
  expect(isOnSale(row(), new Date('2026-11-19T17:00:00Z'))).toBe(true)
  expect(isOnSale(row(), new Date('2026-11-21T16:59:59.999Z'))).toBe(true)
  expect(isOnSale(row(), new Date('2026-11-21T17:00:00Z'))).toBe(false)
  expect(isOnSale(row({ endDay: null }), new Date('2099-01-01T00:00:00Z'))).toBe(true)
})

test('a disabled or free row is never on sale', () => {
  const now = new Date('2026-11-20T05:00:00Z')
  expect(isOnSale(row({ isActive: false }), now)).toBe(false)
  expect(isOnSale(row({ priceSatang: 0 }), now)).toBe(false)
  expect(() => priceInForce(null, 0, now)).toThrow('สินค้านี้ไม่ได้เปิดขาย')
})

test('a discount comes off the price until nothing is left of it', () => {
  expect(sellingPriceOf({ priceSatang: 14_900, discountSatang: 0 })).toBe(14_900)
  expect(sellingPriceOf({ priceSatang: 14_900, discountSatang: 900 })).toBe(14_000)
  expect(sellingPriceOf({ priceSatang: 900, discountSatang: 900 })).toBe(0)
  expect(sellingPriceOf({ priceSatang: 900, discountSatang: 14_900 })).toBe(0)
})

test('the price in force is never negative, never above the list price, and no more is given away than the discount', () => {
  const now = new Date('2026-11-20T05:00:00Z')
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5_000_000 }),
      fc.integer({ min: 0, max: 50_000 }),
      (priceSatang, discount) => {
        const price = priceInForce(row({ priceSatang }), discount, now)
        expect(price).toBeGreaterThanOrEqual(0)
        expect(price).toBeLessThanOrEqual(priceSatang)
        expect(priceSatang - price).toBeLessThanOrEqual(discount)
      },
    ),
  )
})

describe('a window ends with its last second in Bangkok', () => {
  test.each([
    [
      'a leap day',
      { startDay: '2028-02-29', endDay: '2028-02-29' },
      '2028-02-28T17:00:00Z',
      '2028-02-29T16:59:59.999Z',
    ],
    [
      'the end of a year',
      { startDay: '2026-12-31', endDay: '2026-12-31' },
      '2026-12-30T17:00:00Z',
      '2026-12-31T16:59:59.999Z',
    ],
    [
      '28 February',
      { startDay: '2027-02-28', endDay: '2027-02-28' },
      '2027-02-27T17:00:00Z',
      '2027-02-28T16:59:59.999Z',
    ],
  ])('%s', (_, days, first, last) => {
    const at = (text: string, ms = 0) => isOnSale(row(days), new Date(Date.parse(text) + ms))
    expect([at(first, -1), at(first), at(last), at(last, 1)]).toEqual([false, true, true, false])
  })

  test('without an end it goes on', () => {
    expect(isOnSale(row({ endDay: null }), new Date('2999-12-31T23:59:59Z'))).toBe(true)
  })
})

test('the lowest price is the one now or the one to come', () => {
  const now = new Date('2026-11-20T05:00:00Z')
  const next = (nextPriceSatang: number, nextDay: string) => lowestListPrice(row({ nextPriceSatang, nextDay }), now)
  expect(lowestListPrice(row(), now)).toBe(14_900)
  expect([next(9_900, '2026-12-01'), next(19_900, '2026-12-01'), next(19_900, '2026-11-20')]).toEqual([
    9_900, 14_900, 19_900,
  ])
})

test('one piece of an order costs its share of the price, in whole satang', () => {
  expect(unitPriceOf({ priceSatang: 44_700, quantity: 3 })).toBe(14_900)
  expect(unitPriceOf({ priceSatang: 200, quantity: 3 })).toBe(67)
})
