import type { ManagedPackage } from '@shop/shared/catalogue/manage-endpoints.ts'
import type { PriceCode } from '@shop/shared/catalogue/payment-method.ts'
import type { PriceRow } from '@shop/shared/catalogue/pricing.ts'

/** Returns a listed package as its sale is judged; a price that was never completed sells nothing. */
export const soldAs = ({
  isActive,
  isBelowCost,
  masterPackage,
}: Pick<ManagedPackage, 'isActive' | 'isBelowCost' | 'masterPackage'>) => ({
  isActive,
  isBelowCost,
  prices: masterPackage.flatMap(({ priceSatang, startDay, ...rest }): (PriceRow & { payment: PriceCode })[] =>
    priceSatang === null || startDay === null ? [] : [{ priceSatang, startDay, ...rest }],
  ),
})
