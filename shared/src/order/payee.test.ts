import { expect, test } from 'vitest'
import { payee } from './fields.ts'
import { endOfPayee, payeeEndText } from './payee.ts'

const asked = (bankCode: string | null, accountNo: string, accountName = 'ใจดี มีสุข') =>
  payee.safeParse({ bankCode, accountNo, accountName })

test.each([
  ['004', '012-3-45678-9', '0123456789'],
  ['030', '๐๒๐ ๑๒๓๔๕๖๗๘๙', '020123456789'],
  [null, '081-234-5678', '0812345678'],
  [null, '1 1002 00345 67 8', '1100200345678'],
])('%s %s is kept as its digits', (bankCode, typed, kept) => {
  expect(asked(bankCode, typed).data).toMatchObject({ bankCode, accountNo: kept })
})

test.each([
  ['004', '01234567', 'accountNo'],
  ['004', '01234567x9', 'accountNo'],
  [null, '1812345678', 'accountNo'],
  ['999', '0123456789', 'bankCode'],
])('%s %s is no account', (bankCode, typed, field) => {
  expect(asked(bankCode, typed).error!.issues[0]!.path).toEqual([field])
})

test('an account needs its owner’s name', () => {
  expect(asked('004', '0123456789', ' ').success).toBe(false)
})

test('of an account others see the bank and the last digits', () => {
  const full = { bankCode: '004', accountNo: '0123456789', accountName: 'ใจดี มีสุข' }
  expect(endOfPayee(full)).toEqual({ bankCode: '004', end: '6789' })
  expect(payeeEndText(endOfPayee(full))).toBe('กสิกรไทย x6789')
  expect(payeeEndText(endOfPayee({ ...full, bankCode: null }))).toBe('พร้อมเพย์ x6789')
})
