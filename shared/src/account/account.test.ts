import { expect, test } from 'vitest'
import { AppError } from '../errors.ts'
import { parsePhone, showPhone } from './account.ts'

test.each([
  ['0812345678', '+66812345678'],
  [' 081-234 5678 ', '+66812345678'],
  ['+66 81 234 5678', '+66812345678'],
  ['0612345678', '+66612345678'],
  ['021234567', '+6621234567'],
  ['', null],
  [null, null],
])('%j is stored as %j', (text, stored) => {
  expect(parsePhone(text)).toBe(stored)
})

test.each([
  '12345',
  '081234567',
  '08123456789',
  '+66081234567',
  '+660812345678',
  '66812345678',
  '+16502530000',
  'abc',
  '๐๘๑๒๓๔๕๖๗๘',
])('%j is refused', text => {
  expect(() => parsePhone(text)).toThrow(AppError)
})

test('is shown in the local form', () => {
  expect([showPhone('+66812345678'), showPhone(null)]).toEqual(['0812345678', ''])
})
