import { AppError } from '../errors.ts'
import { formatBahtShort, type Satang } from '../money.ts'

/** The most a tier can get off one package. */
export const MAX_DISCOUNT_SATANG = 50_000

/** What one order of a tier's agent may be. */
export interface OrderLimits {
  maxAmountPerOrderSatang: Satang
  maxItemPerOrder: number
}

/** @throws QUANTITY_OVER_TIER_LIMIT, ORDER_OVER_TIER_LIMIT */
export function checkOrderLimits(order: { amountSatang: Satang; quantity: number }, limits: OrderLimits): void {
  if (order.quantity > limits.maxItemPerOrder)
    throw new AppError('QUANTITY_OVER_TIER_LIMIT', { values: { n: limits.maxItemPerOrder } })
  if (order.amountSatang > limits.maxAmountPerOrderSatang)
    throw new AppError('ORDER_OVER_TIER_LIMIT', { values: { n: formatBahtShort(limits.maxAmountPerOrderSatang) } })
}

/** One cell of the benefit grid. */
export interface Discount {
  packageId: number
  tierId: number
  discountSatang: Satang
  isActived: boolean
}

/** @throws PACKAGE_NOT_FOUND for a package without a wallet price, DISCOUNT_ABOVE_PRICE naming the cells. */
export function checkDiscounts(discounts: readonly Discount[], priceOfPackage: ReadonlyMap<number, Satang>): void {
  if (discounts.some(({ packageId }) => !priceOfPackage.has(packageId))) throw new AppError('PACKAGE_NOT_FOUND')
  const above = discounts.filter(({ packageId, discountSatang }) => discountSatang > priceOfPackage.get(packageId)!)
  if (above.length === 0) return
  const cells = above.map(({ packageId, tierId }) => ({ packageId, tierId }))
  throw new AppError('DISCOUNT_ABOVE_PRICE', { details: { cells } })
}
