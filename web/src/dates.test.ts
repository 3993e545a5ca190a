import * as core from '@shop/shared/time.ts'
import dayjs from 'dayjs'
import { expect, test, vi } from 'vitest'
import {
  dayAfter,
  formatClock,
  formatDateTime,
  formatDateTimeSeconds,
  formatDay,
  formatMonth,
  formatShort,
  formatStep,
  fromBangkokClock,
  listRecentMonths,
  toBangkokClock,
} from './dates.ts'

const AFTERNOON = '2026-11-20T07:13:05.000Z'
/** Already the new year in Bangkok. */
const NEW_YEAR = new Date('2026-12-31T17:00:00.000Z')

test('instants are shown in Bangkok, whatever zone the device is in', () => {
  expect(formatDateTimeSeconds(AFTERNOON)).toBe('20/11/2026 14:13:05')
  expect(formatDateTime(NEW_YEAR)).toBe('01/01/2027 00:00')
  expect(formatClock(AFTERNOON)).toBe('14:13 น.')
  expect(formatShort(AFTERNOON)).toBe('20 พ.ย. · 14:13 น.')
  expect(formatShort(NEW_YEAR)).toBe('1 ม.ค. · 00:00 น.')
})

test('days and months are shown as they are written', () => {
  expect(formatDay('2026-02-01')).toBe('01/02/2026')
  expect([formatStep('2026-11-03'), formatStep('2026-11')]).toEqual(['3 พ.ย.', 'พ.ย.'])
  expect(formatMonth('2026-12')).toBe('ธ.ค. 2026')
})

test('a field that takes an instant shows the clock in Bangkok', () => {
  expect(toBangkokClock(AFTERNOON).format('DD/MM/YYYY HH:mm:ss')).toBe('20/11/2026 14:13:05')
  expect(fromBangkokClock(toBangkokClock(AFTERNOON)).toISOString()).toBe(AFTERNOON)
  expect(fromBangkokClock(dayjs('2027-01-01T00:00:00'))).toEqual(NEW_YEAR)
})

test('days and months are counted in Bangkok', () => {
  expect(dayAfter('2026-11-20T16:59:59.999Z')).toBe('2026-11-21')
  expect(dayAfter(NEW_YEAR)).toBe('2027-01-02')
  expect(listRecentMonths(NEW_YEAR, 3)).toEqual(['2027-01', '2026-12', '2026-11'])
  expect(listRecentMonths('2026-03-31T10:00:00.000Z', 3)).toEqual(['2026-03', '2026-02', '2026-01'])
})

test('and are the same in a browser that changes its clocks', () => {
  vi.stubEnv('TZ', 'Pacific/Auckland')
  const hours = Array.from({ length: 365 * 24 }, (_, hour) => NEW_YEAR.getTime() + hour * 3_600_000)
  const wrong = hours.filter(hour => dayAfter(hour) !== core.bangkokDay(new Date(hour + core.DAY_MS)))
  vi.unstubAllEnvs()
  expect(wrong).toEqual([])
})

test('the sites show an instant as the server writes it in its own messages', () => {
  for (let month = 0; month < 12; month++) {
    const instant = new Date(Date.UTC(2026, month, 28, 17, 30, 9))
    expect(formatDateTimeSeconds(instant)).toBe(core.formatDateTimeSeconds(instant))
    expect(formatDateTime(instant)).toBe(core.formatDateTime(instant))
    expect(formatShort(instant)).toBe(core.formatShort(instant))
    expect(formatClock(instant)).toBe(core.formatClock(instant))
  }
})
