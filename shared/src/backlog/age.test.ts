import { expect, test } from 'vitest'
import { addSeconds } from '../time.ts'
import { byLateness, latenessOf, latenessOfOrder } from './age.ts'

const at = (bangkok: string) => new Date(`2026-11-${bangkok}:00+07:00`)
const HOURS = '09:00-23:00'

test('an order that came in the night is not late before the shop opens, and its own minutes count then', () => {
  const order = (now: string) => latenessOfOrder(at('20T02:00'), { to: 20 }, at(now), HOURS)
  expect(order('20T08:59')).toBe('fine')
  expect(order('20T09:14')).toBe('fine')
  expect(order('20T09:15')).toBe('near')
  expect(order('20T09:21')).toBe('overdue')
})

test.each([
  [0, 'fine'],
  [449, 'fine'],
  [450, 'near'],
  [600, 'near'],
  [601, 'overdue'],
])('an order of a game that takes 5 to 10 minutes is after %i s %s', (seconds, lateness) => {
  expect(latenessOfOrder(at('20T14:00'), { to: 10 }, addSeconds(at('20T14:00'), seconds), HOURS)).toBe(lateness)
})

test('minutes make a top-up late and days a refund or a bank line', () => {
  const late = (kind: Parameters<typeof latenessOf>[0], since: string) =>
    latenessOf(kind, at(since), at('23T12:00'), HOURS)
  expect(late('topUps', '23T11:28')).toBe('overdue')
  expect(late('refunds', '23T11:28')).toBe('fine')
  expect(late('refunds', '21T12:00')).toBe('near')
  expect(late('refunds', '20T11:59')).toBe('overdue')
  expect(late('lines', '21T11:59')).toBe('overdue')
})

test('days are late on any day, whether the shop was open or not', () => {
  expect(latenessOf('refunds', at('20T12:00'), at('23T12:01'), '09:00-09:30')).toBe('overdue')
})

test('what is late comes first', () => {
  expect((['fine', 'overdue', 'near', 'fine'] as const).toSorted(byLateness)).toEqual([
    'overdue',
    'near',
    'fine',
    'fine',
  ])
})
