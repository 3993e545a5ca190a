import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAmount, readBangkokTime, readTime } from './reply.ts'

test.each([
  [20.37, 2037],
  ['20.37', 2037],
  [20.3, 2030],
  ['20', 2000],
  [0, 0],
  [20.375, null],
  ['20.370', null],
  ['20,37', null],
  ['1e3', null],
  [1e21, null],
  [-1, null],
  [Number.NaN, null],
  ['', null],
  [null, null],
  [true, null],
])('%o baht is %o satang', (value, satang) => {
  expect(readAmount(value)).toBe(satang)
})

test('every amount of whole satang is read exactly, as number and as text', () => {
  fc.assert(
    fc.property(fc.nat(2_000_000_000), satang => {
      const text = `${Math.trunc(satang / 100)}.${String(satang % 100).padStart(2, '0')}`
      expect(readAmount(text)).toBe(satang)
      expect(readAmount(Number(text))).toBe(satang)
    }),
  )
})

test('times are Bangkok unless they say otherwise', () => {
  const instant = '2026-11-20T07:13:05.000Z'
  expect(readTime('2026-11-20T14:13:05+07:00')?.toISOString()).toBe(instant)
  expect(readTime('2026-11-20T14:13:05')?.toISOString()).toBe(instant)
  expect(readTime(instant)?.toISOString()).toBe(instant)
  expect(readBangkokTime('20261120', '14:13:05')?.toISOString()).toBe(instant)
  for (const nothing of ['', 'yesterday', null, 20261120]) expect(readTime(nothing)).toBeNull()
  expect(readBangkokTime('20261320', '14:13:05')).toBeNull()
  expect(readBangkokTime('20261120', '14:13')).toBeNull()
})
