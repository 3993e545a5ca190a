import { expect, test } from 'vitest'
import type { Action } from './flex.ts'
import {
  claimButton,
  completeButton,
  completeWords,
  formatCode,
  readPress,
  readText,
  statusButton,
  wordsOfWhich,
} from './words.ts'

const orderNo = 'KT2611-04821937'
const dataOf = (action: Action) => (action.type === 'postback' ? action.data : '')

test('what our buttons carry is what they ask for', () => {
  const shown = { orderNo, redone: 2 }
  expect(readPress(dataOf(claimButton(shown)))).toEqual({ ask: 'claim', ...shown })
  expect(readPress(dataOf(completeButton(shown)))).toEqual({ ask: 'complete', ...shown, reference: null })
  expect(readPress(dataOf(statusButton()))).toEqual({ ask: 'status', orderNo: null })
  expect(readPress(`claim ${orderNo}`)).toEqual({ ask: 'claim', orderNo, redone: 0 })
})

test.each(['', 'claim', 'claim KT2611-0482193', `claim ${orderNo} `, `refund ${orderNo}`, `claim ${orderNo}\nclaim`])(
  'data that no button of ours carries asks for nothing: %j',
  data => expect(readPress(data)).toBeNull(),
)

const done = (reference: string | null) => ({ ask: 'complete', orderNo, reference, redone: null })

test('what the button types is read with the reference behind it, and without one', () => {
  expect(readText(`${completeWords(orderNo)}MB-88 213`)).toEqual(done('MB-88 213'))
  expect(readText(completeWords(orderNo))).toEqual(done(null))
})

test.each([
  `เสร็จแล้ว ${orderNo} X-1`,
  `เสร็จ${orderNo} X-1`,
  `เสร็จแล้วค่ะ ${orderNo.toLowerCase()}  X-1`,
  `เติมเสร็จแล้วครับ ${orderNo}: X-1`,
  `สำเร็จ ${orderNo}\nX-1`,
  `Done ${orderNo} X-1`,
])('%j says that it is done', text => expect(readText(text)).toEqual(done('X-1')))

test('a reference that is too long is kept only as far as it takes to say so', () => {
  expect(readText(`เสร็จ ${orderNo} ${'9'.repeat(5000)}`)).toEqual(done('9'.repeat(400)))
})

test.each([`รับเรื่อง ${orderNo}`, `รับ ${orderNo.toLowerCase()} ค่ะ`, `รับเรื่องแล้ว${orderNo}`])('%j claims', text =>
  expect(readText(text)).toEqual({ ask: 'claim', orderNo, redone: null }),
)

test.each([
  ['เสร็จ 09491283 REF-778', '09491283'],
  ['เสร็จแล้วค่ะ 91283: REF-778', '91283'],
  ['Done KT2611 09491283 REF-778', '09491283'],
  ['เสร็จ KT261109491283 REF-778', '09491283'],
  ['เสร็จ 2611–09491283\nREF-778', '09491283'],
])('%j names an order by the end of its number', (text, digits) => {
  const which = { ask: 'which', digits, of: { ask: 'complete', reference: 'REF-778' } } as const
  expect(readText(text)).toEqual(which)
  expect(readText(wordsOfWhich(which, orderNo))).toEqual(done('REF-778'))
})

test('so does who takes it; an amount of money or a telephone number names none', () => {
  expect(readText('รับ 09491283 ค่ะ')).toEqual({ ask: 'which', digits: '09491283', of: { ask: 'claim' } })
  expect(readText('เสร็จ 09491283')).toMatchObject({ of: { ask: 'complete', reference: null } })
  for (const text of ['เสร็จ 5 รายการ', 'รับ 500 บาท', 'เสร็จ 0812345678 X-1', 'เสร็จ 5,000 บาท'])
    expect(readText(text)).toBeNull()
})

test('a code is read as it is shown, and with what people write around it', () => {
  const code = '4829135702'
  for (const text of [formatCode(code), `ผูก ${code}`, ` ผูก ${formatCode(code)} `])
    expect(readText(text)).toEqual({ ask: 'code', code })
})

test.each(['สถานะ', 'สถานะค่ะ', 'สถานะครับ', 'ขอเช็คสถานะหน่อยค่ะ', 'ถึงไหนแล้ว', 'ตรวจสอบสถานะ', 'Status', ' สถานะ\n'])(
  '%j asks for the status',
  text => expect(readText(text)).toEqual({ ask: 'status', orderNo: null }),
)

test('the status of an order is asked for by its number', () => {
  expect(readText(`สถานะ ${orderNo.toLowerCase()}`)).toEqual({ ask: 'status', orderNo })
})

test.each([
  'เสร็จ',
  'สวัสดี',
  '0812345678',
  '0812345678 โทรกลับด้วย',
  '08123-45678 9',
  `ขอ ${orderNo} หน่อย`,
  'ก'.repeat(5000),
])('what people say to each other asks for nothing: %s', text => expect(readText(text)).toBeNull())
