import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  isOnSale,
  PLAYER_FIELD_NAMES,
  type PriceRow,
  paymentMethodsFor,
  playerFieldsOf,
  playerValuesOf,
  priceInForce,
  sellingPriceOf,
} from './catalogue.ts'

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

test('a game asks for the inputs that have a label, the player id first', () => {
  const digits = { kind: 'digits', min: 5, max: 12 } as const
  expect(playerFieldsOf({ fieldLabels: ['Player ID', '', 'Zone', '', ''], fieldFormats: [digits] })).toEqual([
    { name: 'field1', label: 'Player ID', format: digits },
    { name: 'field3', label: 'Zone', format: null },
  ])
  const all = playerFieldsOf({ fieldLabels: PLAYER_FIELD_NAMES, fieldFormats: [] })
  expect(all.map(({ name }) => name)).toEqual(PLAYER_FIELD_NAMES)
})

test('what a player typed is carried over whole, and nothing beside it', () => {
  const typed = { playerId: '51', field2: 'z', field3: 'y', field4: 'x', field5: 'w' }
  expect(playerValuesOf({ ...typed, gameId: 1, priceSatang: 1 } as typeof typed)).toEqual(typed)
  expect(playerValuesOf({ playerId: '51', field3: 'y' })).toEqual({ playerId: '51', field3: 'y' })
})

test('an agent buys from the wallet alone, customers and guests never, the admin side either way', () => {
  expect(paymentMethodsFor('agent')).toEqual(['wallet'])
  for (const caller of ['guest', 'customer'] as const) expect(paymentMethodsFor(caller)).toEqual(['bank'])
  for (const caller of ['staff', 'manager', 'admin'] as const)
    expect(paymentMethodsFor(caller)).toEqual(['bank', 'wallet'])
})
