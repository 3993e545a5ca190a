import { expect, test } from 'vitest'
import { accountOf, endDigits, isSameAccount } from './file-account.ts'
import { emptyMapping } from './mapping.ts'

const mapping = { ...emptyMapping(null, { order: 'dmy', era: 'CE' }), amount: { style: 'signed' as const, column: 1 } }

test.each([
  [['Account Number', '999-9-99999-1'], '9999999991'],
  [['', 'เลขที่บัญชีเงินฝาก', '', 'XXX-X-XX861-4'], '8614'],
  [['Account number : 1234567890'], '1234567890'],
  [['Account No.', '123-4-56789-0'], '1234567890'],
  [['Account Name', 'SHOP 12345'], null],
  [['เลขที่อ้างอิง', '00001234'], null],
])('the account above the table: %j', (cells, digits) => {
  expect(accountOf([['a bank'], cells, ['วันที่']], mapping, 3)).toEqual({ digits, checks: [] })
})

test('the account in a column, and one that a spreadsheet spoilt', () => {
  const inColumn = { ...mapping, accountColumn: 0 }
  expect(accountOf([['No.'], ['', 'x'], ['999-9-99999-1']], inColumn, 1).digits).toBe('9999999991')
  const spoilt = accountOf([['No.'], ['1.23E+09']], inColumn, 1)
  expect(spoilt.digits).toBeNull()
  expect(spoilt.checks).toEqual([{ ok: false, text: expect.stringContaining('1.23E+09') }])
})

test('accounts are one when what can be seen of both ends alike', () => {
  expect(isSameAccount('999-9-98614-1', 'XXX-X-XX614-1')).toBe(true)
  expect(isSameAccount('0123456789', '123456789')).toBe(true)
  expect(isSameAccount('0123456789', '0123456780')).toBe(false)
  expect(isSameAccount('0123456789', '')).toBe(false)
  expect(endDigits('x12')).toBeNull()
  expect(endDigits('XXX-X-X1234-X')).toBeNull()
})
