import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assertSatang, formatBaht, formatBahtShort, formatMoney, splitBaht, toDecimalText } from './money.ts'
import { commaQuestion, parseBaht } from './typed-baht.ts'

test('every amount survives being shown and typed back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000_000_000 }), satang => {
      expect(parseBaht(formatBaht(satang))).toBe(satang)
      expect(parseBaht(toDecimalText(satang))).toBe(satang)
      expect(parseBaht(formatBahtShort(satang))).toBe(satang)
    }),
  )
})

test('amounts are shown with separators and always two decimals', () => {
  expect(formatBaht(12345637)).toBe('123,456.37')
  expect(formatBaht(-32200)).toBe('−322.00')
  expect(splitBaht(14907)).toEqual({ sign: '', baht: '149', satang: '07' })
  expect(toDecimalText(-14937)).toBe('-149.37')
  expect([formatBaht(0), toDecimalText(0)]).toEqual(['0.00', '0.00'])
  expect([formatMoney(-240), formatMoney(123456)]).toEqual(['−฿2.40', '฿1,234.56'])
  expect(formatBahtShort(50000)).toBe('500')
  expect(formatBahtShort(123456)).toBe('1,234.56')
})

test('people may type baht alone, one decimal, separators and spaces around', () => {
  expect(['5', '5.', '5.2', '5.02', ' 1,234.50 ', '0', '999999999999'].map(parseBaht)).toEqual([
    500, 500, 520, 502, 123_450, 0, 99_999_999_999_900,
  ])
})

test('what is not an amount is refused, never rounded', () => {
  for (const text of [
    '',
    '-1',
    '1.234',
    '12,50',
    '1,2345',
    ',5',
    '12345,678',
    'abc',
    '1e5',
    '١٢',
    '1.2.3',
    '9'.repeat(13),
  ])
    expect(parseBaht(text)).toBeNull()
  expect(() => assertSatang(1.5)).toThrow()
  for (const show of [formatBaht, formatBahtShort, toDecimalText, splitBaht]) {
    expect(() => show(149.5)).toThrow()
    expect(() => show(Number.NaN)).toThrow()
  }
})

test('Thai digits are digits', () => {
  expect([parseBaht('๓๕'), parseBaht('๑,๒๓๔.๕')]).toEqual([3500, 123_450])
})

test('a comma that groups nothing is asked about', () => {
  expect(commaQuestion('12,50')).toBe('“12,50” หมายถึงเท่าไร กรุณาพิมพ์ 12.50 หรือ 1250')
  expect(commaQuestion('๑๒,๕')).toContain('12.5 หรือ 125')
  expect(commaQuestion('1,2345')).toContain('กรุณาพิมพ์ 12345')
  for (const clear of ['1,250', '12.50', '', 'abc', '1,250,000.5']) expect(commaQuestion(clear)).toBeNull()
})
