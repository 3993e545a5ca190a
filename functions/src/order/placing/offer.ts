import { PAYMENT_METHOD, type PaymentCode } from '@shop/shared/catalogue/payment-method.ts'
import { listPriceAt } from '@shop/shared/catalogue/pricing.ts'
import type { Satang } from '@shop/shared/money.ts'
import type { Offer } from '@shop/shared/order/purchase.ts'
import { discountOf, isStoppedByCost } from '../../catalogue/on-sale.ts'
import type { Catalogue, CatalogueGame } from '../../catalogue/snapshot.ts'
import type { StoredAccount } from '../../catalogue/tables.ts'

/**
 * Returns the offer of a package by a payment method for a tier. It is missing when anything about it is not active; without
 * a price when its cost has passed it.
 */
export function offerOf(
  catalogue: Catalogue,
  ask: { game: CatalogueGame | undefined; packageId: number; payment: PaymentCode; tierId: number | null; now: Date },
): Offer<CatalogueGame> {
  const { game, packageId, payment, tierId, now } = ask
  const { price } = PAYMENT_METHOD[payment]
  const sold = catalogue.packages.get(packageId)
  return {
    game: game?.isActive ? game : null,
    package: sold?.isActive ? sold : null,
    price: sold && !isStoppedByCost(catalogue, sold, now) ? (sold.prices[price] ?? null) : null,
    discountSatang: discountOf(catalogue, { tierId, packageId, payment: price }),
  }
}

/** Returns the price in satang of one piece by bank transfer at a moment, on sale or not; null without a price. */
export function bankPriceOf({ packages }: Catalogue, packageId: number, now: Date): Satang | null {
  const price = packages.get(packageId)?.prices.bank
  return price ? listPriceAt(price, now) : null
}

/** Returns an account of the shop to which transfers may go; null when none is in use. */
export function receivingAccountOf({ receivingAccounts }: Catalogue, id: number | null): StoredAccount | null {
  const found = id === null ? undefined : receivingAccounts.get(id)
  if (!found?.isActive) return null
  const { isActive: _, ...account } = found
  return account
}
