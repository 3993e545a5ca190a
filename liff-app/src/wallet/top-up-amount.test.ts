import { expect, test } from 'vitest'
import { findTypedProblem, listQuickAmounts } from './top-up-amount.ts'

const wallet = { balanceSatang: 34_285_00, maxAmountSatang: 50_000_00, minTopUpSatang: 500_00 }

test.each([
  ['20,000', 'คุณสามารถเติมเงินได้สูงสุด 15,715 บาท'],
  ['15715.01', 'คุณสามารถเติมเงินได้สูงสุด 15,715 บาท'],
  ['15,715', undefined],
  ['500', undefined],
  ['499.99', 'คุณสามารถเติมเงินได้ต่ำสุด 500 บาท'],
  ['', 'คุณสามารถเติมเงินได้ต่ำสุด 500 บาท'],
  ['abc', 'กรุณากรอกจำนวนเงินเป็นตัวเลข'],
  ['5 00', 'กรุณากรอกจำนวนเงินเป็นตัวเลข'],
  ['-500', 'ต้องไม่ติดลบ'],
  ['5,00', '“5,00” หมายถึงเท่าไร กรุณาพิมพ์ 5.00 หรือ 500'],
  ['๕๐๐', undefined],
  ['1,500.234', 'ทศนิยมได้ไม่เกิน 2 ตำแหน่ง'],
])('%j is judged as typed, then against room and minimum', (typed, problem) => {
  expect(findTypedProblem(typed, wallet)).toBe(problem)
})

test('a full wallet has no room, whatever is typed', () => {
  const full = { ...wallet, balanceSatang: 50_000_00 }
  expect(findTypedProblem('500', full)).toBe('คุณสามารถเติมเงินได้สูงสุด 0 บาท')
  expect(listQuickAmounts(full)).toEqual([])
})

test('quick amounts keep to room and minimum', () => {
  expect(listQuickAmounts(wallet)).toEqual([500_00, 1000_00, 3000_00, 5000_00])
  expect(listQuickAmounts({ ...wallet, minTopUpSatang: 1000_00, balanceSatang: 46_000_00 })).toEqual([1000_00, 3000_00])
})
