import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addSeconds,
  bangkokDay,
  bangkokMonth,
  bangkokMonthOf,
  formatClock,
  formatDateTime,
  formatDateTimeSeconds,
  formatShort,
  startOfBangkokDay,
} from './time.ts'

test('a Bangkok day begins at 17:00 UTC of the day before', () => {
  expect(startOfBangkokDay('2026-11-20').toISOString()).toBe('2026-11-19T17:00:00.000Z')
  expect(bangkokDay(new Date('2026-11-19T16:59:59.999Z'))).toBe('2026-11-19')
  expect(bangkokDay(new Date('2026-11-19T17:00:00.000Z'))).toBe('2026-11-20')
})

test('every instant lies inside its own day and month', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }), instant => {
      const day = bangkokDay(instant)
      expect(startOfBangkokDay(day).getTime()).toBeLessThanOrEqual(instant.getTime())
      const { from, to } = bangkokMonth(day.slice(0, 7))
      expect(from <= instant && instant < to).toBe(true)
    }),
  )
})

test('December rolls into January of the next year', () => {
  expect(bangkokMonth('2026-12').to.toISOString()).toBe('2026-12-31T17:00:00.000Z')
})

test('months follow each other without gap or overlap', () => {
  const months = Array.from(
    { length: 24 },
    (_, i) => `${2026 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}`,
  )
  for (const [earlier, later] of months.slice(1).map((month, i) => [months[i]!, month] as const)) {
    expect(bangkokMonth(earlier).to).toEqual(bangkokMonth(later).from)
    expect(bangkokMonthOf(bangkokMonth(later).from)).toBe(later)
    expect(bangkokMonthOf(new Date(bangkokMonth(later).from.getTime() - 1))).toBe(earlier)
  }
})

test('people see Bangkok time and CE years', () => {
  expect(formatDateTimeSeconds('2026-11-20T07:13:05Z')).toBe('20/11/2026 14:13:05')
  expect(formatDateTime(new Date('2026-11-20T17:59:59Z'))).toBe('21/11/2026 00:59')
  expect(formatClock('2026-11-20T17:00:00Z')).toBe('00:00 น.')
  expect(formatShort('2026-11-05T07:13:05Z')).toBe('5 พ.ย. · 14:13 น.')
  expect(formatShort('2026-12-31T17:00:00Z')).toBe('1 ม.ค. · 00:00 น.')
})

test('seconds are added as seconds', () => {
  expect(addSeconds(new Date('2026-11-20T16:59:00Z'), 61)).toEqual(new Date('2026-11-20T17:00:01Z'))
})
