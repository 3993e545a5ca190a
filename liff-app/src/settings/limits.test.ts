import { expect, test } from 'vitest'
import { methodOf } from '../buying/testing.ts'
import { findOffReason, quantityLimitOf } from './limits.ts'

const limits = { balanceSatang: 550_00, maxAmountPerOrderSatang: 600_00, maxItemPerOrder: 10 }

test.each([
  ['wallet', 550_00, limits, undefined],
  ['wallet', 550_01, limits, 'ยอดไม่พอ'],
  ['wallet', 600_01, limits, 'ยอดต่อคำสั่งซื้อต้องไม่เกิน 600 บาท'],
  ['wallet', 0, null, 'ยังไม่มีกระเป๋าเงิน กรุณาติดต่อแอดมิน'],
  ['bank', 600_01, null, undefined],
] as const)('by %s, a price of %i satang against %j is off because: %s', (payment, priceSatang, wallet, reason) => {
  expect(findOffReason(methodOf(payment), priceSatang, wallet)).toBe(reason)
})

test.each([
  [50_00, limits, 'สูงสุด 10 ชิ้นต่อคำสั่งซื้อ'],
  [100_00, { ...limits, balanceSatang: 1000_00 }, 'วงเงินต่อคำสั่งซื้อพอสำหรับ 6 ชิ้น'],
  [100_00, limits, 'ยอดคงเหลือพอสำหรับ 5 ชิ้น'],
])('at %i satang with %j the stepper names what bounds it: %s', (priceSatang, wallet, reason) => {
  expect(quantityLimitOf(priceSatang, wallet).reason).toBe(reason)
})
