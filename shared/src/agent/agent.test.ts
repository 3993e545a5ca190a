import { expect, test } from 'vitest'
import { checkDiscounts, checkOrderLimits, type Discount } from './agent.ts'

const limits = { maxAmountPerOrderSatang: 500_000, maxItemPerOrder: 10 }

test("an order exactly at the tier's limits goes through", () => {
  expect(() => checkOrderLimits({ amountSatang: 500_000, quantity: 10 }, limits)).not.toThrow()
})

test('one piece or one satang above the limit is refused, naming the limit', () => {
  expect(() => checkOrderLimits({ amountSatang: 100, quantity: 11 }, limits)).toThrow(
    expect.objectContaining({ code: 'QUANTITY_OVER_TIER_LIMIT', message: 'ซื้อได้ไม่เกิน 10 ชิ้นต่อคำสั่งซื้อ' }),
  )
  expect(() => checkOrderLimits({ amountSatang: 500_001, quantity: 1 }, limits)).toThrow(
    expect.objectContaining({ code: 'ORDER_OVER_TIER_LIMIT', message: 'ยอดต่อคำสั่งซื้อต้องไม่เกิน 5,000 บาท' }),
  )
})

const discount = (packageId: number, tierId: number, discountSatang: number): Discount => ({
  packageId,
  tierId,
  discountSatang,
  isActived: true,
})
const prices = new Map([
  [1, 10_000],
  [2, 2_000],
])

test('a discount may take the whole price', () => {
  expect(() => checkDiscounts([discount(1, 1, 10_000), discount(2, 1, 2_000), discount(2, 2, 0)], prices)).not.toThrow()
})

test('every discount above its price is named', () => {
  const discounts = [discount(1, 1, 10_001), discount(1, 2, 9_999), discount(2, 2, 2_001)]
  expect(() => checkDiscounts(discounts, prices)).toThrow(
    expect.objectContaining({
      code: 'DISCOUNT_ABOVE_PRICE',
      details: {
        cells: [
          { packageId: 1, tierId: 1 },
          { packageId: 2, tierId: 2 },
        ],
      },
    }),
  )
})

test('one package without a wallet price refuses the whole grid', () => {
  expect(() => checkDiscounts([discount(1, 1, 100), discount(3, 1, 0)], prices)).toThrow(
    expect.objectContaining({ code: 'PACKAGE_NOT_FOUND' }),
  )
})
