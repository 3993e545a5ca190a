import { bankOf } from '@shop/shared/catalogue/banks.ts'
import { playerFieldsOf } from '@shop/shared/catalogue/catalogue.ts'
import type { Game, GamePackage, ReceivingAccount } from '@shop/shared/catalogue/endpoints.ts'
import { isBelowCost } from '@shop/shared/catalogue/loss.ts'
import {
  type GatewayMethod,
  isGatewayMethod,
  PRICE_CODES,
  type PriceCode,
  paymentMethodsFor,
} from '@shop/shared/catalogue/payment-method.ts'
import { isOnSale, listPriceAt, sellingPriceOf } from '@shop/shared/catalogue/pricing.ts'
import { type ChargeLimits, limitsOf } from '@shop/shared/gateway/gateway.ts'
import type { Satang } from '@shop/shared/money.ts'
import type { Caller } from '@shop/shared/permissions.ts'
import { isPlayerChecked } from './player-check.ts'
import type { Catalogue, CatalogueGame, CataloguePackage } from './snapshot.ts'
import type { StoredAccount } from './tables.ts'

/** The person and the moment for which offers are computed. */
export interface Viewer {
  caller: Caller
  tierId: number | null
  now: Date
}

/** Returns a receiving account as customers see it. */
export const viewAccount = ({ promptPayId, ...account }: StoredAccount): ReceivingAccount => ({
  ...account,
  bankName: bankOf(account.code).niceName,
  hasPromptPay: promptPayId !== null,
})

/** Returns what a tier pays less for one piece; a discount applies to the wallet price only. */
export function discountOf(
  { discounts }: Catalogue,
  of: { tierId: number | null; packageId: number; payment: PriceCode },
): Satang {
  if (of.payment !== 'wallet' || of.tierId === null) return 0
  return discounts.get(of.tierId)?.get(of.packageId) ?? 0
}

/** Tells whether a package is not sold although it is switched on, because its cost has passed its price. */
export function isStoppedByCost({ discounts }: Catalogue, sold: CataloguePackage, now: Date): boolean {
  const prices = PRICE_CODES.flatMap(payment => {
    const price = sold.prices[payment]
    return price ? [{ ...price, payment }] : []
  })
  const ofTiers = [...discounts.values()].map(tier => tier.get(sold.id) ?? 0)
  return isBelowCost({ ...sold, prices, discountSatang: Math.max(0, ...ofTiers) }, now)
}

/**
 * Returns the packages of an active game that a viewer can buy, one row for each payment method, with their tier's
 * discounts.
 */
export function packagesOnSale(
  catalogue: Catalogue,
  game: CatalogueGame,
  { caller, tierId, now }: Viewer,
): GamePackage[] {
  if (!game.isActive) return []
  const payments = PRICE_CODES.filter(code => paymentMethodsFor(caller).includes(code)).toSorted()
  const onSale = (catalogue.packagesByGame.get(game.id) ?? []).filter(
    each => each.isActive && !isStoppedByCost(catalogue, each, now),
  )
  return onSale.flatMap(sold => {
    const { id, name, description: desc, delivers, warning, isOut } = sold
    const shown = { id, gameId: game.id, gameCode: game.code, name, desc, delivers, warning, isOut }
    return payments.flatMap(payment => {
      const price = sold.prices[payment]
      if (!price || !isOnSale(price, now)) return []
      const priceSatang = listPriceAt(price, now)
      const discountSatang = Math.min(discountOf(catalogue, { tierId, packageId: id, payment }), priceSatang)
      return [{ ...shown, payment, priceSatang, discountSatang }]
    })
  })
}

export const allPackagesOnSale = (catalogue: Catalogue, viewer: Viewer): GamePackage[] =>
  [...catalogue.games.values()].flatMap(game => packagesOnSale(catalogue, game, viewer))

/** Returns a game with what of it the viewer can buy; null for nothing. */
export function gameOnSale(
  catalogue: Catalogue,
  game: CatalogueGame,
  viewer: Viewer,
): { game: Game; packages: GamePackage[] } | null {
  const packages = packagesOnSale(catalogue, game, viewer)
  if (packages.length === 0) return null
  const { description: desc, fieldsOn, fieldLabels, fieldFormats, playerChecks, isActive: _, ...shown } = game
  const view = {
    ...shown,
    desc,
    fields: playerFieldsOf({ fieldsOn, fieldLabels, fieldFormats }),
    isPlayerChecked: isPlayerChecked({ playerChecks }, catalogue.options),
    fromSatang: Math.min(...packages.map(sellingPriceOf)),
  }
  return { game: view, packages }
}

/** Returns only games with something that the viewer can buy. */
export const gamesOnSale = (catalogue: Catalogue, viewer: Viewer): Game[] =>
  [...catalogue.games.values()].flatMap(game => gameOnSale(catalogue, game, viewer)?.game ?? [])

/** What a gateway collects by, with what it takes. */
interface Collecting {
  methods: Readonly<Partial<Record<GatewayMethod, ChargeLimits>>>
}

/** Returns the methods that the shop offers and its gateway collects by, with the least and most that both take. */
export function gatewayMethodsOnSale({ paymentMethods }: Catalogue, gateway: Collecting | null) {
  return paymentMethods.flatMap(({ code, name, image, isOn, leastSatang, mostSatang, ...terms }) => {
    const takes = isGatewayMethod(code) ? gateway?.methods[code] : undefined
    if (!isGatewayMethod(code) || !isOn || !takes) return []
    return [{ code, name, image, terms: { ...terms, ...limitsOf({ leastSatang, mostSatang }, takes) } }]
  })
}
