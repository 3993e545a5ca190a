import { expect, test } from 'vitest'
import { marginOf, salePeriod, stockDays } from './dashboard.ts'

const at = (moment: string) => new Date(moment)

test.each([
  ['today', { from: '2026-12-31', to: '2026-12-31' }, { from: '2026-12-30', to: '2026-12-30' }],
  ['last7days', { from: '2026-12-25', to: '2026-12-31' }, { from: '2026-12-18', to: '2026-12-24' }],
  ['thismonth', { from: '2026-12-01', to: '2026-12-31' }, { from: '2026-11-01', to: '2026-11-30' }],
  ['thisyear', { from: '2026-01-01', to: '2026-12-31' }, { from: '2025-01-01', to: '2025-12-31' }],
] as const)('%s a minute before a year ends in Bangkok', (period, days, before) => {
  expect(salePeriod(period, at('2026-12-31T16:59:00Z'))).toMatchObject({ days, before })
})

test('a minute later another year has begun', () => {
  const { days, steps } = salePeriod('thisyear', at('2026-12-31T17:00:00Z'))
  expect(days).toEqual({ from: '2027-01-01', to: '2027-01-01' })
  expect(steps).toEqual(['2027-01'])
})

test('steps are days or months without a gap; the day before a leap day is compared with itself', () => {
  expect(salePeriod('last7days', at('2028-03-02T05:00:00Z')).steps).toEqual([
    '2028-02-25',
    '2028-02-26',
    '2028-02-27',
    '2028-02-28',
    '2028-02-29',
    '2028-03-01',
    '2028-03-02',
  ])
  expect(salePeriod('thisyear', at('2026-03-02T05:00:00Z')).steps).toEqual(['2026-01', '2026-02', '2026-03'])
  expect(salePeriod('thisyear', at('2028-02-29T05:00:00Z')).before.to).toBe('2027-02-28')
})

test('the stock looks ahead', () => {
  const now = at('2026-12-28T05:00:00Z')
  expect(stockDays('today', now)).toEqual({ from: '2026-12-28', to: '2026-12-28' })
  expect(stockDays('last7days', now)).toEqual({ from: '2026-12-28', to: '2027-01-04' })
  expect(stockDays('thisyear', now)).toEqual({ from: '2026-12-28', to: '2026-12-31' })
})

test('a margin is of what has a cost', () => {
  const of = (revenueSatang: number, costSatang: number, uncostedSatang: number, feeSatang = 0) =>
    marginOf({ revenueSatang, costSatang, uncostedSatang, feeSatang })
  expect(of(300, 80, 200)).toEqual({ satang: 20, share: 0.2 })
  expect(of(100, 120, 0)?.share).toBeCloseTo(-0.2)
  expect(of(200, 0, 200)).toBeNull()
})

test('a margin is less by the fees, and more where buyers pay more for the method than the gateway keeps', () => {
  const of = (feeSatang: number) => marginOf({ revenueSatang: 100, costSatang: 80, uncostedSatang: 0, feeSatang })
  expect(of(5)).toEqual({ satang: 15, share: 0.15 })
  expect(of(-5)).toEqual({ satang: 25, share: 0.25 })
})
