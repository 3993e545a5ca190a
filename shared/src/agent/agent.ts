import { AppError } from '../errors.ts'
import type { Satang } from '../money.ts'

/** The largest discount of a tier on one package. */
export const MAX_DISCOUNT_SATANG = 50_000

/** One cell of the discount grid. */
export interface Discount {
  packageId: number
  tierId: number
  discountSatang: Satang
  isActive: boolean
}

/** Tells whether a tier pays nothing for a package of this price. */
export const isFree = (discountSatang: Satang, isActive: boolean, priceSatang: Satang): boolean =>
  isActive && discountSatang > 0 && discountSatang === priceSatang

/**
 * @throws PACKAGE_NOT_FOUND for a package without a wallet price; DISCOUNT_ABOVE_PRICE and, unless free packages are
 * allowed, DISCOUNT_MAKES_FREE, naming the cells
 */
export function checkDiscounts(
  discounts: readonly Discount[],
  priceOfPackage: ReadonlyMap<number, Satang>,
  { allowsFree }: { allowsFree: boolean },
): void {
  if (discounts.some(({ packageId }) => !priceOfPackage.has(packageId))) throw new AppError('PACKAGE_NOT_FOUND')
  const priceOf = ({ packageId }: Discount) => priceOfPackage.get(packageId)!
  const refuse = (code: 'DISCOUNT_ABOVE_PRICE' | 'DISCOUNT_MAKES_FREE', wrong: readonly Discount[]) => {
    const cells = wrong.map(({ packageId, tierId }) => ({ packageId, tierId }))
    if (cells.length > 0) throw new AppError(code, { details: { cells } })
  }
  refuse(
    'DISCOUNT_ABOVE_PRICE',
    discounts.filter(each => each.discountSatang > priceOf(each)),
  )
  if (allowsFree) return
  refuse(
    'DISCOUNT_MAKES_FREE',
    discounts.filter(each => isFree(each.discountSatang, each.isActive, priceOf(each))),
  )
}
