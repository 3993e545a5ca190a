import fc from 'fast-check'
import { expect, test } from 'vitest'
import { holdAgainstMask } from './mask.ts'

test.each([
  ['1234502093', 'xxx-x-x0209-x', 'fits'],
  ['123-4-50209-3', 'XXX X X0209 X', 'fits'],
  ['123456785678', '1234xxxx5678', 'fits'],
  ['0812341966', 'xxx-xxx-1966', 'fits'],
  ['1234502093', 'xxx-x-x0208-x', 'differs'],
  ['1234502093', 'xxx-x-xx209-x', 'unclear'],
  ['1234502093', 'xxx-x-x0209', 'unclear'],
  ['1234502093', 'x0209x', 'unclear'],
  ['1234502093', 'TOKEN', 'unclear'],
  ['1234502093', '', 'unclear'],
  ['1234502093', null, 'unclear'],
  ['', '', 'unclear'],
])('%s against %s: %s', (number, mask, expected) => {
  expect(holdAgainstMask(number, mask)).toBe(expected)
})

const digits = fc.stringMatching(/^\d{10}$/)

test('a number fits every mask of itself that shows four digits, and no mask that shows another digit', () => {
  fc.assert(
    fc.property(digits, fc.uniqueArray(fc.nat(9), { minLength: 4 }), fc.nat(9), (number, shown, wrong) => {
      const mask = [...number].map((digit, place) => (shown.includes(place) ? digit : 'x'))
      expect(holdAgainstMask(number, mask.join(''))).toBe('fits')
      const other = String((Number(number[shown[0]!]) + 1 + (wrong % 9)) % 10)
      mask[shown[0]!] = other
      expect(holdAgainstMask(number, mask.join(''))).toBe('differs')
    }),
  )
})
