import { expect, test } from 'vitest'
import { digestTimeOf, isChatQuotaLow } from './digest-time.ts'

const noon = new Date('2026-11-20T05:07:00.000Z')
const night = new Date('2026-11-20T19:30:00.000Z')
const ask = { hours: '', everyMinutes: 0, mayWait: true, quota: { limit: 300, used: 10 } }

test('by day each thing is told at once', () => {
  expect(digestTimeOf(ask, noon)).toBeNull()
  expect(digestTimeOf({ ...ask, hours: '08:00-23:00' }, noon)).toBeNull()
})

test('outside of the hours all is told when they begin, whatever it is', () => {
  for (const mayWait of [true, false])
    expect(digestTimeOf({ ...ask, mayWait, hours: '08:00-23:00' }, night)).toEqual(new Date('2026-11-21T01:00:00.000Z'))
})

test('where a digest is wanted, what may wait comes with the next one', () => {
  expect(digestTimeOf({ ...ask, everyMinutes: 10 }, noon)).toEqual(new Date('2026-11-20T05:10:00.000Z'))
  expect(digestTimeOf({ ...ask, everyMinutes: 10, mayWait: false }, noon)).toBeNull()
})

test("when the month's messages run out, what may wait is told every half hour", () => {
  const quota = { limit: 300, used: 240 }
  expect(digestTimeOf({ ...ask, quota }, noon)).toEqual(new Date('2026-11-20T05:30:00.000Z'))
  expect(digestTimeOf({ ...ask, quota, everyMinutes: 60 }, noon)).toEqual(new Date('2026-11-20T06:00:00.000Z'))
  expect([isChatQuotaLow({ limit: 300, used: 239 }), isChatQuotaLow({ limit: null, used: 9999 })]).toEqual([
    false,
    false,
  ])
})
