import { expect, test } from 'vitest'
import { bankCode, counterpartyIn, visibleAccount } from './counterparty.ts'

test.each([
  ['จาก X1234 นาย ทดสอบ', '004', '004', 'x1234'],
  ['รับโอนเงิน จาก SCB X2345 น.ส. ตัวอย่าง สองสา++', '004', '014', 'x2345'],
  ['Transfer Deposit From KTB X0052 MR. A', '004', '006', 'x0052'],
  ['รับโอนจาก KBANK x2345 น.ส. ตัวอย่าง', '014', '004', 'x2345'],
  ['นาง สมมุติ สาม (KTB) /X3456', '014', '006', 'x3456'],
  ['NMPSDP 006-9999991234 Future Amount: 100.07 Tra', '006', '006', '9999991234'],
  ['IORSDT 014-9999992345', '006', '014', '9999992345'],
  ['TN รับโอนเงิน BBL นาย จำลอง สี่ บัญชีต้นทาง XXX-X-X4567-X', '025', '002', 'x4567x'],
  // The bank's own words are kept even where we don't know the bank.
  ['จาก ABC X2345 name', '004', null, 'x2345'],
])('%s', (detail, ownBank, bank, account) => {
  expect(counterpartyIn(detail, ownBank)).toEqual({ bank, account })
})

test.each(['', 'ดอกเบี้ย', 'จาก ร้านค้า', 'TR to 999999876', 'โอนไป SCB X9876 บจก. ขายโค้ด', 'Future Amount: 100.07'])(
  'no sender in "%s"',
  detail => {
    expect(counterpartyIn(detail, '004')).toEqual({ bank: null, account: null })
  },
)

test('banks by code, short name, names of old and in Thai', () => {
  expect(['014', 'scb', ' KBANK ', 'TMB', 'บัญชีธนาคารกสิกรไทย', 'ธนาคารกรุงเทพ จำกัด', 'อื่นๆ', ''].map(bankCode)).toEqual([
    '014',
    '014',
    '004',
    '011',
    '004',
    '002',
    null,
    null,
  ])
})

test('of an account what can be seen', () => {
  expect(
    ['XXX-X-XX861-4', '0942XXX148', '999-9-99999-9', '***1234', 'XXX', '12', 'no 1234'].map(visibleAccount),
  ).toEqual(['x8614', '0942x148', '9999999999', 'x1234', null, null, null])
})
