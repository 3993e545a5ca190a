import { AppError } from '../errors.ts'
import type { Satang } from '../money.ts'

/** The most a tier can get off one package. */
export const MAX_DISCOUNT_SATANG = 50_000

/** One cell of the discount grid. */
export interface Discount {
  packageId: number
  tierId: number
  discountSatang: Satang
  isActive: boolean
}

/** @throws PACKAGE_NOT_FOUND for a package without a wallet price, DISCOUNT_ABOVE_PRICE naming the cells. */
export function checkDiscounts(discounts: readonly Discount[], priceOfPackage: ReadonlyMap<number, Satang>): void {
  if (discounts.some(({ packageId }) => !priceOfPackage.has(packageId))) throw new AppError('PACKAGE_NOT_FOUND')
  const above = discounts.filter(({ packageId, discountSatang }) => discountSatang > priceOfPackage.get(packageId)!)
  if (above.length === 0) return
  const cells = above.map(({ packageId, tierId }) => ({ packageId, tierId }))
  throw new AppError('DISCOUNT_ABOVE_PRICE', { details: { cells } })
}
