import { expect, test } from 'vitest'
import { findOffReason, quantityLimitOf } from './wallet-limits.ts'

const limits = { balanceSatang: 1000_00, maxAmountPerOrderSatang: 600_00, maxItemPerOrder: 10 }

test.each([
  [600_00, undefined],
  [600_01, 'ยอดต่อคำสั่งซื้อต้องไม่เกิน 600 บาท'],
])('a price of %i satang is held against the limit of one order', (priceSatang, reason) => {
  expect(findOffReason(priceSatang, limits)).toBe(reason)
})

test('a price above the balance is off, the balance itself is not', () => {
  const poor = { ...limits, balanceSatang: 100_00 }
  expect(findOffReason(100_00, poor)).toBeUndefined()
  expect(findOffReason(100_01, poor)).toBe('ยอดไม่พอ')
})

test('the tightest of items, order amount and balance bounds the quantity and is named', () => {
  expect(quantityLimitOf(50_00, limits)).toEqual({ most: 10, reason: 'สูงสุด 10 ชิ้นต่อคำสั่งซื้อ' })
  expect(quantityLimitOf(100_00, limits)).toEqual({ most: 6, reason: 'วงเงินต่อคำสั่งซื้อพอสำหรับ 6 ชิ้น' })
  const poor = { ...limits, balanceSatang: 250_00 }
  expect(quantityLimitOf(100_00, poor)).toEqual({ most: 2, reason: 'ยอดคงเหลือพอสำหรับ 2 ชิ้น' })
  expect(quantityLimitOf(0, limits)).toEqual({ most: 10, reason: 'สูงสุด 10 ชิ้นต่อคำสั่งซื้อ' })
})
