import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatBaht, toDecimalText } from '../money.ts'
import { readAmount } from './cell-amount.ts'

const satang = fc.integer({ min: -99_999_999_999_999, max: 99_999_999_999_999 })

test('every amount is read back from every way banks write it', () => {
  fc.assert(
    fc.property(satang, amount => {
      const absolute = formatBaht(Math.abs(amount))
      const ways = [formatBaht(amount), toDecimalText(amount), ` ${formatBaht(amount)} THB `, `฿${formatBaht(amount)}`]
      const negative = [`(${absolute})`, `${absolute}-`, `-${absolute} บาท`, `-฿${absolute}`, `–${absolute}`]
      const positive = [`+${absolute}`, `+ ${absolute}`, absolute.replaceAll(',', '\u00a0')]
      for (const text of [...ways, ...(amount < 0 ? negative : positive)])
        expect(readAmount(text), text).toEqual({ satang: amount })
    }),
  )
})

test.each([
  ['0.00', 0],
  ['-0.00', 0],
  ['(0)', 0],
  ['5', 500],
  ['5.', 500],
  ['5.2', 520],
  ['0.07', 7],
  ['999', 99_900],
  ['1,000', 100_000],
  ['12,345,678.90', 1_234_567_890],
  ['1 234.56', 123_456],
  ['๑,๒๓๔.๕๖', 123_456],
  ['-5.00 THB', -500],
  ['THB 59.03', 5903],
  ['5.00 baht', 500],
])('%s is an amount', (text, amount) => {
  const read = readAmount(text)
  expect(read).toEqual({ satang: amount })
  expect(Object.is('satang' in read && read.satang, -0)).toBe(false)
})

test.each(['', ' ', '\u00a0', '-', '–', '—'])('"%s" is no amount', text => {
  expect(readAmount(text)).toEqual({ satang: null })
})

test.each([
  ['1.234', 'AMOUNT_DECIMALS'],
  ['0.001', 'AMOUNT_DECIMALS'],
  ['100.070', 'AMOUNT_DECIMALS'],
  // A comma for decimals would make it a hundred times as much.
  ['100,07', 'AMOUNT_INVALID'],
  ['1,0000', 'AMOUNT_INVALID'],
  ['1234,567', 'AMOUNT_INVALID'],
  ['1.234,56', 'AMOUNT_INVALID'],
  ['1.2.3', 'AMOUNT_INVALID'],
  ['.5', 'AMOUNT_INVALID'],
  ['(5.00', 'AMOUNT_INVALID'],
  ['5.00)', 'AMOUNT_INVALID'],
  ['(-5.00)', 'AMOUNT_INVALID'],
  ['-5.00-', 'AMOUNT_INVALID'],
  ['+5.00-', 'AMOUNT_INVALID'],
  ['--5', 'AMOUNT_INVALID'],
  ['5 5', 'AMOUNT_INVALID'],
  ['1.2E+05', 'AMOUNT_INVALID'],
  ['5 CR', 'AMOUNT_INVALID'],
  ['1234567890123', 'AMOUNT_INVALID'],
  ['18/11/2026', 'AMOUNT_INVALID'],
  ['5=5', 'AMOUNT_INVALID'],
  ['5THB5', 'AMOUNT_INVALID'],
  ['USD 5.00', 'AMOUNT_FOREIGN'],
  ['5.00 usd', 'AMOUNT_FOREIGN'],
  ['$5.00', 'AMOUNT_FOREIGN'],
  ['€5', 'AMOUNT_FOREIGN'],
  ['=5+5', 'AMOUNT_FORMULA'],
  ['#REF!', 'AMOUNT_FORMULA'],
  ['@SUM(A1)', 'AMOUNT_FORMULA'],
])('%s is refused: %s', (text, problem) => {
  expect(readAmount(text)).toEqual({ problem })
})

test('no text becomes an amount that a person would not read in it', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0123456789,.-+() E'), maxLength: 12 }), text => {
      const read = readAmount(text)
      if (!('satang' in read) || read.satang === null) return
      const digits = text.replace(/\.\d*/, '').replace(/\D/g, '')
      expect(Math.trunc(Math.abs(read.satang) / 100)).toBe(Number(digits))
    }),
  )
})
