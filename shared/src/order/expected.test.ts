import { expect, test } from 'vitest'
import { expectedOf } from './expected.ts'
import type { OrderStatus } from './status.ts'

const at = (bangkok: string) => new Date(`2026-11-${bangkok}+07:00`)
const usualMinutes = { from: 5, to: 15 }
const paid = (bangkok: string) => ({ kind: 'status' as const, to: 'paid' as const, at: at(bangkok) })
const expected = (since: string, hours = '09:00-23:00', status: OrderStatus = 'paid') =>
  expectedOf({ status, events: [paid(since)], usualMinutes }, hours)

test.each([
  ['20T10:00', '', '20T10:05', '20T10:15'],
  ['20T10:00', '09:00-23:00', '20T10:05', '20T10:15'],
  ['20T08:20', '09:00-23:00', '20T09:05', '20T09:15'],
  ['20T23:30', '09:00-23:00', '21T09:05', '21T09:15'],
  ['20T22:50', '09:00-23:00', '20T22:55', '21T09:05'],
  ['21T01:50', '18:00-02:00', '21T01:55', '21T18:05'],
  ['20T23:50', '09:00-00:00', '20T23:55', '21T09:05'],
])('what was paid at %s in a shop open %s is expected from %s to %s', (since, hours, from, to) => {
  expect(expected(since, hours)).toEqual({ from: at(from), to: at(to) })
})

test('a usual time of more than a day of opening hours goes on day after day', () => {
  const slow = { status: 'paid' as const, events: [paid('20T10:00')], usualMinutes: { from: 60, to: 150 } }
  expect(expectedOf(slow, '10:00-11:00')).toEqual({ from: at('21T10:00'), to: at('22T10:30') })
})

test('only what waits for goods is expected, and a retry has its own time', () => {
  for (const status of ['waiting_payment', 'success', 'failed', 'refunding', 'cancel'] as const)
    expect(expected('20T10:00', '', status)).toBeNull()
  expect(expected('20T10:00', '', 'processing')?.to).toEqual(at('20T10:15'))
  const released = { kind: 'claim_released' as const, to: 'paid' as const, at: at('20T10:30') }
  const failed = { kind: 'status' as const, to: 'failed' as const, at: at('20T10:40') }
  const events = [paid('20T10:00'), released]
  expect(expectedOf({ status: 'paid', events, usualMinutes }, '')?.to).toEqual(at('20T10:15'))
  const again = { kind: 'player_changed' as const, to: 'paid' as const, at: at('20T12:00') }
  expect(expectedOf({ status: 'paid', events: [...events, failed, again], usualMinutes }, '')?.to).toEqual(
    at('20T12:15'),
  )
})
