import { expect, test } from 'vitest'
import { agrees, type ReconciliationSum, sumOf } from './reconciliation.ts'

const quiet: ReconciliationSum = {
  inSatang: 10_000,
  lines: 2,
  matchedSatang: 8_000,
  waitingSatang: 0,
  waiting: [],
  openSatang: 0,
  open: 0,
  unrelatedSatang: 2_000,
  withoutLineSatang: 0,
  withoutLine: 0,
  overdue: 0,
  ledgerSatang: 8_000,
  differenceSatang: 0,
}
const topUp = { id: '01a1f903-0005-7b09-91c6-000000000001', no: 'WT2611-00000001' }

test.each<[string, Partial<ReconciliationSum>, boolean]>([
  ['nothing is left', {}, true],
  ['the books differ', { differenceSatang: 1 }, false],
  ['money has no order yet', { open: 1, openSatang: 3_573 }, false],
  ['a top-up waits for approval', { waiting: [topUp], waitingSatang: 500 }, false],
  ['a booking has no line', { withoutLine: 1, withoutLineSatang: 149 }, false],
])('a day of which this holds: %s', (_, some, isRight) => {
  expect(agrees({ ...quiet, ...some })).toBe(isRight)
})

test('days that cancel out do not agree: each of what waits is kept', () => {
  const sum = sumOf([
    { ...quiet, differenceSatang: 5, withoutLine: 1, waiting: [topUp] },
    { ...quiet, differenceSatang: -5, open: 2 },
  ])
  expect(sum).toMatchObject({ inSatang: 20_000, lines: 4, differenceSatang: 0, open: 2, withoutLine: 1 })
  expect(sum.waiting).toEqual([topUp])
  expect(agrees(sum)).toBe(false)
})
