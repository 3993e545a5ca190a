import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assertSatang, formatBaht, formatBahtShort, parseBaht, splitBaht, toDecimalText } from './money.ts'

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
  expect(formatBahtShort(50000)).toBe('500')
  expect(formatBahtShort(123456)).toBe('1,234.56')
})

test('people may type baht alone, one decimal, separators and spaces around', () => {
  expect(['5', '5.', '5.2', '5.02', ' 1,234.50 ', '0', '999999999999'].map(parseBaht)).toEqual([
    500, 500, 520, 502, 123_450, 0, 99_999_999_999_900,
  ])
})

test('what is not an amount is refused, never rounded', () => {
  for (const text of ['', '-1', '1.234', 'abc', '1e5', '١٢', '1.2.3', '9'.repeat(13)])
    expect(parseBaht(text)).toBeNull()
  expect(() => assertSatang(1.5)).toThrow()
  for (const show of [formatBaht, formatBahtShort, toDecimalText, splitBaht]) {
    expect(() => show(149.5)).toThrow()
    expect(() => show(Number.NaN)).toThrow()
  }
})
