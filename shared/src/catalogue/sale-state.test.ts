import { describe, expect, test } from 'vitest'
import type { PriceRow } from './pricing.ts'
import {
  gameSaleOf,
  packageSaleOf,
  priceNotesOf,
  SALE_GAPS,
  type SoldAs,
  saleGapText,
  saleGapTodo,
} from './sale-state.ts'

const now = new Date('2026-11-20T05:00:00Z')
const row = (change: Partial<PriceRow> = {}): PriceRow => ({
  priceSatang: 35_00,
  startDay: '2026-11-01',
  endDay: null,
  isActive: true,
  nextPriceSatang: null,
  nextDay: null,
  ...change,
})
const sold = (...prices: PriceRow[]): SoldAs => ({ isActive: true, prices, isBelowCost: false })

describe('a package', () => {
  test.each<[string, SoldAs, string | null, string | null]>([
    ['with a price on sale', sold(row()), null, null],
    ['whose cost has passed its price', { ...sold(row()), isBelowCost: true }, 'belowCost', null],
    ['that is dear and not sold anyway', { ...sold(row({ isActive: false })), isBelowCost: true }, 'pricesOff', null],
    ['with one of two', sold(row({ isActive: false }), row()), null, null],
    ['that is switched off', { ...sold(row()), isActive: false }, 'packageOff', null],
    ['without prices', sold(), 'noPrices', null],
    ['with the standard price of nothing', sold(row({ priceSatang: 0, isActive: false })), 'noPrices', null],
    ['with a price that is switched off', sold(row({ isActive: false })), 'pricesOff', null],
    ['whose sale is over', sold(row({ endDay: '2026-11-19' })), 'over', null],
    [
      'whose sale begins',
      sold(row({ startDay: '2026-12-02' }), row({ startDay: '2026-11-25' })),
      'notBegun',
      '2026-11-25',
    ],
    [
      'that is over here and begins there',
      sold(row({ endDay: '2026-11-19' }), row({ startDay: '2026-11-25' })),
      'notBegun',
      '2026-11-25',
    ],
  ])('%s', (_, pack, gap, fromDay) => {
    expect(packageSaleOf(pack, now)).toEqual({ gap, fromDay })
  })
})

describe('a game', () => {
  const on = { isActive: true }
  test.each<[string, { isActive: boolean }, SoldAs[], string | null]>([
    ['without packages', on, [], 'noPackages'],
    ['with one on sale', on, [sold(), sold(row())], null],
    ['that is switched off, ready', { isActive: false }, [sold(row())], 'gameOff'],
    ['that is switched off, empty', { isActive: false }, [], 'noPackages'],
    ['whose best package lacks a switch', on, [sold(), sold(row({ isActive: false }))], 'pricesOff'],
    ['that begins', on, [sold(), sold(row({ startDay: '2026-11-25' }))], 'notBegun'],
  ])('%s', (_, game, packages, gap) => {
    expect(gameSaleOf(game, packages, now).gap).toBe(gap)
  })

  test('begins with the first of its packages', () => {
    const packages = [sold(row({ startDay: '2026-12-02' })), sold(row({ startDay: '2026-11-25' }))]
    expect(gameSaleOf(on, packages, now).fromDay).toBe('2026-11-25')
  })
})

test('each gap has words for what it is and what to do', () => {
  for (const gap of SALE_GAPS) expect([saleGapText(gap, null), saleGapTodo(gap)].every(Boolean)).toBe(true)
  expect(saleGapText('notBegun', '2026-11-25')).toBe('เริ่มขาย 25/11/2026')
})

test('a price tells what it will be and why nobody pays it', () => {
  expect(priceNotesOf(row(), now)).toEqual([])
  expect(priceNotesOf(row({ isActive: false }), now)).toEqual(['ปิดขาย'])
  expect(priceNotesOf(row({ endDay: '2026-11-19' }), now)).toEqual(['หมดช่วงขาย 19/11/2026'])
  expect(priceNotesOf(row({ startDay: '2026-11-25' }), now)).toEqual(['เริ่ม 25/11/2026'])
  const planned = row({ nextPriceSatang: 39_00, nextDay: '2026-12-15', endDay: '2026-12-31' })
  expect(priceNotesOf(planned, now)).toEqual(['39 ตั้งแต่ 15/12/2026', 'ถึง 31/12/2026'])
  expect(priceNotesOf(row({ endDay: '2027-12-31' }), now)).toEqual([])
})
