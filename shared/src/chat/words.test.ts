import { expect, test } from 'vitest'
import type { Action } from './flex.ts'
import { claimButton, completeButton, completeWords, formatCode, readPress, readText, statusButton } from './words.ts'

const orderNo = 'KT2611-04821937'
const dataOf = (action: Action) => (action.type === 'postback' ? action.data : '')

test('what our buttons carry is what they ask for', () => {
  expect(readPress(dataOf(claimButton(orderNo)))).toEqual({ ask: 'claim', orderNo })
  expect(readPress(dataOf(completeButton(orderNo)))).toEqual({ ask: 'complete', orderNo, reference: null })
  expect(readPress(dataOf(statusButton()))).toEqual({ ask: 'status' })
})

test.each(['', 'claim', 'claim KT2611-0482193', `claim ${orderNo} `, `refund ${orderNo}`, `claim ${orderNo}\nclaim`])(
  'data that no button of ours carries asks for nothing: %j',
  data => expect(readPress(data)).toBeNull(),
)

test('what the button types is read with the reference behind it', () => {
  expect(readText(`${completeWords(orderNo)}MB-88 213`)).toEqual({ ask: 'complete', orderNo, reference: 'MB-88 213' })
  expect(readText(completeWords(orderNo))).toBeNull()
})

test('a code is read as it is shown, and with what people write around it', () => {
  const code = '4829135702'
  for (const text of [code, formatCode(code), ` ผูก ${formatCode(code)} `])
    expect(readText(text)).toEqual({ ask: 'code', code })
})

test.each(['สถานะ', 'เช็คสถานะ', 'ตรวจสอบสถานะ', 'Status', ' สถานะ\n'])('%j asks for the status', text =>
  expect(readText(text)).toEqual({ ask: 'status' }),
)

test.each(['เสร็จ', 'สวัสดี', '0812345678 โทรกลับด้วย', '08123-45678 9', `ขอ ${orderNo} หน่อย`, 'ก'.repeat(5000)])(
  'what people say to each other asks for nothing: %s',
  text => expect(readText(text)).toBeNull(),
)
