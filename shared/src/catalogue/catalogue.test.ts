import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isOnSale, type PriceRow, paymentMethodsFor, priceInForce } from './catalogue.ts'

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
  expect(() => priceInForce(null, 0, now)).toThrow('แพ็กเกจนี้ไม่ได้เปิดขาย')
})

test('the price in force is never negative and never above the list price', () => {
  const now = new Date('2026-11-20T05:00:00Z')
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5_000_000 }),
      fc.integer({ min: 0, max: 50_000 }),
      (priceSatang, discount) => {
        const price = priceInForce(row({ priceSatang }), discount, now)
        expect(price).toBeGreaterThanOrEqual(0)
        expect(price).toBe(Math.max(0, priceSatang - discount))
      },
    ),
  )
})

test('an agent buys from the wallet alone, customers and guests never, the admin side either way', () => {
  expect(paymentMethodsFor('agent')).toEqual(['wallet'])
  for (const caller of ['guest', 'customer'] as const) expect(paymentMethodsFor(caller)).toEqual(['bank'])
  for (const caller of ['staff', 'manager', 'admin'] as const)
    expect(paymentMethodsFor(caller)).toEqual(['bank', 'wallet'])
})
