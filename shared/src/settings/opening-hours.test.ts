import { expect, test } from 'vitest'
import { nextOpeningOf, openMsBetween } from './opening-hours.ts'

const at = (bangkok: string) => new Date(`${bangkok}+07:00`)
const next = (hours: string, bangkok: string) => nextOpeningOf(hours, at(bangkok))
const DAY = '09:00-23:00'
const NIGHT = '18:00-02:00'

test.each([
  [DAY, '2026-11-20T09:00:00.000'],
  [DAY, '2026-11-20T22:59:59.999'],
  [NIGHT, '2026-11-20T18:00:00.000'],
  [NIGHT, '2026-11-20T23:59:59.999'],
  [NIGHT, '2026-11-21T00:00:00.000'],
  [NIGHT, '2026-11-21T01:59:59.999'],
  ['09:00-00:00', '2026-11-20T23:59:59.999'],
  ['00:00-08:00', '2026-11-20T00:00:00.000'],
])('with %s the shop is open at %s', (hours, now) => {
  expect(next(hours, now)).toBeNull()
})

test.each([
  [DAY, '2026-11-20T08:59:59.999', '2026-11-20T09:00:00'],
  [DAY, '2026-11-20T23:00:00.000', '2026-11-21T09:00:00'],
  [DAY, '2026-11-20T00:00:00.000', '2026-11-20T09:00:00'],
  [DAY, '2026-12-31T23:30:00.000', '2027-01-01T09:00:00'],
  [DAY, '2028-02-28T23:30:00.000', '2028-02-29T09:00:00'],
  [NIGHT, '2026-11-21T02:00:00.000', '2026-11-21T18:00:00'],
  [NIGHT, '2026-11-21T17:59:59.999', '2026-11-21T18:00:00'],
  ['09:00-00:00', '2026-11-21T00:00:00.000', '2026-11-21T09:00:00'],
  ['00:00-08:00', '2026-11-20T08:00:00.000', '2026-11-21T00:00:00'],
])('with %s the shop is closed at %s and opens at %s', (hours, now, opening) => {
  expect(next(hours, now)).toEqual(at(opening))
})

test.each(['', '09:00-09:00', '00:00-00:00'])('with hours "%s" the shop never closes', hours => {
  for (const clock of ['00:00:00', '08:59:59', '09:00:00', '23:59:59'])
    expect(next(hours, `2026-11-20T${clock}`)).toBeNull()
})

const HOUR = 3_600_000

test.each([
  ['within a day', DAY, '2026-11-20T10:00', '2026-11-20T12:30', 2.5],
  ['before the opening', DAY, '2026-11-20T02:00', '2026-11-20T08:20', 0],
  ['over a night', DAY, '2026-11-20T22:00', '2026-11-21T10:00', 2],
  ['over three days', DAY, '2026-11-18T12:00', '2026-11-21T10:00', 11 + 14 + 14 + 1],
  ['past midnight', NIGHT, '2026-11-20T17:00', '2026-11-21T03:00', 8],
  ['after midnight only', NIGHT, '2026-11-21T01:00', '2026-11-21T04:00', 1],
  ['without hours', '', '2026-11-20T22:00', '2026-11-21T10:00', 12],
  ['backwards', DAY, '2026-11-20T12:00', '2026-11-20T11:00', 0],
])('the shop was open %s', (_, hours, from, to, open) => {
  expect(openMsBetween(hours, at(from), at(to)) / HOUR).toBe(open)
})
