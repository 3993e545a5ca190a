import { expect, test } from 'vitest'
import { addSeconds } from '../time.ts'
import { type CheckedSlip, keptUntil } from './hold.ts'

const reportedAt = new Date('2026-11-20T07:00:00.000Z')
const after = (minutes: number) => addSeconds(reportedAt, minutes * 60)
const order = { status: 'waiting_payment', transferReportedAt: reportedAt } as const
const slip: CheckedSlip = { handedInAt: reportedAt, isConfirmed: false, askedAgainAt: null }

test.each<[string, Partial<CheckedSlip>, Date | null]>([
  ['nothing that speaks for it', {}, null],
  ['a transfer that the bank knows: a day from the report', { isConfirmed: true }, after(24 * 60)],
  ['a slow bank: until it answered again', { askedAgainAt: after(28) }, after(30)],
  ['a bank that is slow for ever: half an hour and a bit', { askedAgainAt: after(45) }, after(35)],
])('%s', (_, change, until) => {
  expect(keptUntil(order, { ...slip, ...change })).toEqual(until)
})

test('an order that does not wait, or was not reported, is kept by no slip', () => {
  const confirmed = { ...slip, isConfirmed: true }
  expect(keptUntil({ ...order, status: 'expired' }, confirmed)).toBeNull()
  expect(keptUntil({ ...order, transferReportedAt: null }, confirmed)).toBeNull()
})
