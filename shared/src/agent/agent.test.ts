import { expect, test } from 'vitest'
import { checkDiscounts, type Discount } from './agent.ts'

const discount = (packageId: number, tierId: number, discountSatang: number): Discount => ({
  packageId,
  tierId,
  discountSatang,
  isActive: true,
})
const prices = new Map([
  [1, 10_000],
  [2, 2_000],
])

const check = (discounts: Discount[], allowsFree = false) => checkDiscounts(discounts, prices, { allowsFree })

test('a discount may take the whole price where somebody was asked; one that is off takes nothing', () => {
  const free = [discount(1, 1, 10_000), discount(2, 1, 1_999), discount(2, 2, 0)]
  expect(() => check(free, true)).not.toThrow()
  expect(() => check(free)).toThrow(
    expect.objectContaining({ code: 'DISCOUNT_MAKES_FREE', details: { cells: [{ packageId: 1, tierId: 1 }] } }),
  )
  expect(() => check(free.map(each => ({ ...each, isActive: false })))).not.toThrow()
})

test('every discount above its price is named', () => {
  const discounts = [discount(1, 1, 10_001), discount(1, 2, 9_999), discount(2, 2, 2_001)]
  expect(() => check(discounts)).toThrow(
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
  expect(() => check([discount(1, 1, 100), discount(3, 1, 0)])).toThrow(
    expect.objectContaining({ code: 'PACKAGE_NOT_FOUND' }),
  )
})
