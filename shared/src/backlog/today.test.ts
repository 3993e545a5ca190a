import { expect, test } from 'vitest'
import { compareHours, DAYS_AGO, dayAgo, hourOf } from './today.ts'

const at = (bangkok: string) => new Date(`${bangkok}+07:00`)

test.each([
  ['in the afternoon', '2026-11-20T14:12:00', '2026-11-20', '2026-11-13T14:12:00'],
  ['at midnight a day has just begun', '2026-11-20T00:00:00', '2026-11-20', '2026-11-13T00:00:00'],
  [
    'a millisecond earlier it is still the day before',
    '2026-11-19T23:59:59.999',
    '2026-11-19',
    '2026-11-12T23:59:59.999',
  ],
  ['over the end of a year', '2027-01-03T08:00:00', '2027-01-03', '2026-12-27T08:00:00'],
  // Clocks of other countries change on these days; Bangkok's never do.
  ['over a change of clocks in Europe', '2026-10-27T02:30:00', '2026-10-27', '2026-10-20T02:30:00'],
])('%s', (_, now, today, lastWeek) => {
  expect(dayAgo(0, at(now))).toEqual({
    from: at(`${today}T00:00:00`),
    to: new Date(at(`${today}T00:00:00`).getTime() + 86_400_000),
    soFar: at(now),
  })
  const weekAgo = dayAgo(DAYS_AGO.lastWeek, at(now))
  expect(weekAgo.soFar).toEqual(at(lastWeek))
  expect(weekAgo.from).toEqual(at(`${lastWeek.slice(0, 10)}T00:00:00`))
})

test('hours are those of Bangkok', () => {
  expect(hourOf(at('2026-11-20T00:00:00'))).toBe(0)
  expect(hourOf(at('2026-11-20T06:59:59'))).toBe(6)
  expect(hourOf(at('2026-11-20T23:59:59.999'))).toBe(23)
})

const sold = (orders: number) => ({ orders, revenueSatang: orders * 10_000 })
const until = at('2026-11-19T08:00:00')
const long = at('2026-01-01T08:00:00')
const compare = (now: number, then: number, firstSaleAt: Date | null = long) =>
  compareHours({ now: sold(now), before: sold(then), of: 'revenueSatang' }, firstSaleAt, until)

test('a share needs some orders on both sides, so that an early morning never reads as a fall', () => {
  expect(compare(0, 40)).toEqual({ kind: 'few' })
  expect(compare(9, 40)).toEqual({ kind: 'few' })
  expect(compare(40, 9)).toEqual({ kind: 'few' })
  expect(compare(15, 10)).toEqual({ kind: 'share', change: 0.5 })
  expect(compare(10, 20)).toEqual({ kind: 'share', change: -0.5 })
  expect(compare(20, 20)).toEqual({ kind: 'share', change: 0 })
})

test('hours without a sale are told apart from those before the first one', () => {
  expect(compare(12, 0)).toEqual({ kind: 'nothing' })
  expect(compare(12, 0, at('2026-11-20T07:00:00'))).toEqual({ kind: 'notBegun' })
  expect(compare(0, 0, null)).toEqual({ kind: 'notBegun' })
  expect(compare(12, 0, until)).toEqual({ kind: 'nothing' })
})

test('orders that cost nothing have no share', () => {
  const free = { orders: 20, revenueSatang: 0 }
  expect(compareHours({ now: sold(20), before: free, of: 'revenueSatang' }, long, until)).toEqual({ kind: 'few' })
})
