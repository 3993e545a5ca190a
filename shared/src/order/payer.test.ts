import { describe, expect, test } from 'vitest'
import { counterpartyIn, senderNameIn } from '../statement/counterparty.ts'
import type { Payee } from './payee.ts'
import {
  elsewhereText,
  fitOf,
  fitOfCredit,
  type Payer,
  payeeOfPayer,
  payerOf,
  payerText,
  shownAccount,
  shownName,
} from './payer.ts'

const OWN: Payee = { bankCode: '004', accountNo: '4051231234', accountName: 'สมชาย ใจดี' }
const to = (change: Partial<Payee> = {}): Payee => ({ ...OWN, ...change })
const from = (change: Partial<Payer> = {}): Payer => ({
  bankCode: '004',
  account: 'x1234',
  name: 'นาย สมชาย ใจดี',
  ...change,
})

describe('the account that paid', () => {
  test.each<[string, Partial<Payee>, Partial<Payer>]>([
    ['the last digits, as K BIZ and SCB write them', {}, {}],
    ['a name that was cut', {}, { name: 'นาย สมชาย ใ++' }],
    ['a name that is hidden', {}, { name: 'นาย สมชาย ใ***' }],
    ['Latin letters', {}, { name: 'MR. SOMCHAI J' }],
    ['Latin letters on both sides', { accountName: 'Somchai Jaidee' }, { name: 'MR SOMCHAI J' }],
    ['no title', { accountName: 'นายสมชาย  ใจดี' }, { name: 'สมชาย ใจดี' }],
    ['no name', {}, { name: null }],
    ['digits in the middle, as Krungsri and slips write them', { accountNo: '4051212345' }, { account: 'x1234x' }],
    ['a slip', { accountNo: '1234502093' }, { account: 'xxx-x-x0209-x' }],
    ['the first and last digits, as BBL writes them', { accountNo: '0942000148' }, { account: '0942x148' }],
    ['stars', {}, { account: '***1234' }],
    ['only the last digits, and nothing that says so', {}, { account: '1234' }],
    ['the whole number, however the name was typed', { accountName: 'แม่' }, { account: '4051231234' }],
    ['the whole number with lines', {}, { account: '405-1-23123-4' }],
    ['a number whose zeros a table has lost', { accountNo: '0051231234' }, { account: '51231234' }],
    ['an old code of the same bank', { bankCode: '011' }, { bankCode: '076' }],
    ['a bank that is not told', {}, { bankCode: null }],
    ['a PromptPay number that is told whole', { bankCode: null, accountNo: '0812345678' }, { account: '0812345678' }],
    ['a company', { accountName: 'บริษัท คราม จำกัด' }, { name: 'บจก. คราม' }],
    ['a company in Latin letters', { accountName: 'KHRAM CO., LTD.' }, { name: 'KHRAM CO.,L' }],
    ['a company, its bank in the other script', { accountName: 'บริษัท คราม จำกัด' }, { name: 'KHRAM CO., LTD.' }],
    ['น.ส. and นางสาว', { accountName: 'นางสาวมาลี ดี' }, { name: 'น.ส. มาลี ดี' }],
  ])('%s', (_, payee, payer) => {
    expect(fitOf(to(payee), from(payer))).toBe('payer')
  })
})

describe('another account', () => {
  test.each<[string, Partial<Payee>, Partial<Payer>, string]>([
    ['the same person at another bank', { bankCode: '014' }, {}, 'otherAccount'],
    ['the same digits at another bank, no name told', { bankCode: '014' }, { name: null }, 'otherAccount'],
    ['one wrong digit', { accountNo: '4051231235' }, {}, 'otherAccount'],
    ['one wrong digit of the whole', {}, { account: '4051231235' }, 'otherAccount'],
    ['a PromptPay number instead', { bankCode: null, accountNo: '0812345678' }, {}, 'otherAccount'],
    ['another name', { bankCode: '014', accountName: 'มานะ อดทน' }, {}, 'otherName'],
    ['another name with digits that happen to fit', { accountName: 'มานะ อดทน' }, {}, 'otherName'],
    ['a company of the same word', { bankCode: '014', accountName: 'บริษัท สมชาย ใจดี จำกัด' }, {}, 'otherName'],
    ['another first name of the family', { accountName: 'สมหญิง ใจดี' }, {}, 'otherName'],
    ['nobody told anything', {}, { bankCode: null, account: null, name: null }, 'unknown'],
    ['only a bank', {}, { account: null, name: null }, 'unknown'],
    ['only a bank, and it is another one', { bankCode: '014' }, { account: null, name: null }, 'unknown'],
    ['a name alone, which anybody can type', {}, { account: null }, 'unknown'],
    ['a name alone, and it is another one', { accountName: 'มานะ อดทน' }, { account: null }, 'otherName'],
    ['too few digits', {}, { account: 'x234' }, 'unknown'],
    ['a word instead of a number', {}, { account: 'TOKEN' }, 'unknown'],
  ])('%s', (_, payee, payer, fit) => {
    expect(fitOf(to(payee), from(payer))).toBe(fit)
  })
})

test('shop credit goes to a person of its payers’ name, of whichever bank; to nobody else, and not where one is unknown', () => {
  const scb = from({ bankCode: '014', account: 'x9999' })
  expect(fitOfCredit(OWN, [from(), scb])).toBe('payer')
  expect(fitOfCredit(to({ bankCode: '002', accountNo: '7770001111' }), [from(), scb])).toBe('payer')
  expect(fitOfCredit(OWN, [from(), from({ account: 'x5555', name: 'มานะ อดทน' })])).toBe('otherName')
  expect(fitOfCredit(OWN, [from(), null])).toBe('unknown')
  expect(fitOfCredit(OWN, [from(), from({ account: 'x5555', name: null })])).toBe('otherAccount')
  expect(fitOfCredit(OWN, [])).toBe('unknown')
})

test('of several sources the surest that tells an account, with the name of another where it tells none', () => {
  const ktb = { bankCode: '006', account: '9999991234', name: null }
  const slip = { bankCode: '006', account: 'xxx-x-x9123-x', name: 'นาย ก' }
  expect(payerOf([ktb, slip])).toEqual({ ...ktb, name: 'นาย ก' })
  expect(payerOf([{ bankCode: null, account: null, name: 'นาย ข' }, slip])).toEqual(slip)
  expect(payerOf([{ bankCode: '014', account: null, name: null }])).toMatchObject({ bankCode: '014' })
  expect(payerOf([])).toBeNull()
})

test('what is typed makes the account that paid whole, or nothing', () => {
  expect(payeeOfPayer(from(), { accountNo: OWN.accountNo })).toEqual(to({ accountName: 'นาย สมชาย ใจดี' }))
  expect(payeeOfPayer(from(), { accountNo: '4051231235' })).toBeNull()
  expect(payeeOfPayer(from({ account: OWN.accountNo }), {})).toMatchObject({ accountNo: OWN.accountNo })
  expect(payeeOfPayer(from({ account: OWN.accountNo, name: null }), {})).toBeNull()
  // What the bank tells counts, whatever is typed.
  expect(payeeOfPayer(from({ account: OWN.accountNo }), { accountNo: '9', accountName: 'มานะ' })).toMatchObject({
    accountNo: OWN.accountNo,
    accountName: 'นาย สมชาย ใจดี',
  })
  expect(payeeOfPayer(from({ bankCode: null }), { accountNo: OWN.accountNo })).toBeNull()
})

test.each([
  ['จาก X1234 นาย ทดสอบ หนึ่ง', 'นาย ทดสอบ หนึ่ง'],
  ['จาก SCB X2345 น.ส. ตัวอย่าง สองสา++', 'น.ส. ตัวอย่าง สองสา++'],
  ['From KTB X3456 MRS. SOMMUT THREE', 'MRS. SOMMUT THREE'],
  ['รับโอนจาก KBANK x2345 น.ส. ตัวอย่าง สองสา++', 'น.ส. ตัวอย่าง สองสา++'],
  ['รับโอนเงิน BAY นาย ทดสอบ หนึ่ง บัญชีต้นทาง XXX-X-X1234-X', 'นาย ทดสอบ หนึ่ง'],
  ['TN รับโอนเงิน BBL นาย จำลอง สี่ บัญชีต้นทาง XXX-X-X4567-X', 'นาย จำลอง สี่'],
  ['นาย ทดสอบ หนึ่ง (KTB) /X1234', 'นาย ทดสอบ หนึ่ง'],
  ['Transfer TESTER SHOP MR TESTER ONE', 'MR TESTER ONE'],
  ['NMPSDP 006-9999991234 Future Amount: 100.07', null],
  ['ฝากเงินสด CDM', null],
  ['', null],
])('the sender in "%s" is %s', (detail, name) => {
  expect(senderNameIn(detail)).toBe(name)
})

test('the digits of every bank’s form fit the account they are of', () => {
  for (const [detail, accountNo] of [
    ['จาก X1234 นาย ทดสอบ', '4051231234'],
    ['NMPSDP 006-9999991234 Future Amount: 100.07', '9999991234'],
    ['รับโอนเงิน BAY นาย ทดสอบ บัญชีต้นทาง XXX-X-X1234-X', '4059012349'],
  ] as const) {
    const { bank, account } = counterpartyIn(detail, '004')
    expect(fitOf({ bankCode: bank!, accountNo, accountName: 'ทดสอบ' }, { bankCode: bank, account, name: null })).toBe(
      'payer',
    )
  }
})

test('a payer in words: never the whole number, and to a buyer not the whole name', () => {
  expect(payerText(from({ account: '4051231234' }))).toBe('กสิกรไทย x1234 นาย สมชาย ใจดี')
  expect(payerText(null)).toBe('ไม่ทราบบัญชี')
  expect(['xxx-x-x0209-x', '0942XXX148', 'x1234', '405-1-23123-4'].map(shownAccount)).toEqual([
    'x0209x',
    '0942x148',
    'x1234',
    'x1234',
  ])
  expect(['นาย สมชาย ใจดี', 'นาย สมชาย ใ***', 'SOMCHAI J++', 'สมชาย'].map(shownName)).toEqual([
    'นาย สมชาย ใ***',
    'นาย สมชาย ใ***',
    'SOMCHAI J++',
    'สมชาย',
  ])
  expect(elsewhereText(to({ bankCode: '014' }), from(), 'otherAccount', 'บัญชีปิด')).toBe(
    'เงินมาจาก กสิกรไทย x1234 นาย สมชาย ใจดี → คืนไป ไทยพาณิชย์ x1234 สมชาย ใจดี (ไม่ใช่บัญชีที่โอนมา) · เหตุผล: บัญชีปิด',
  )
})
