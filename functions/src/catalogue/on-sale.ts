import { isOnSale, listPriceAt, paymentMethodsFor, playerFieldsOf } from '@shop/shared/catalogue/catalogue.ts'
import type { Game, GamePackage } from '@shop/shared/catalogue/endpoints.ts'
import type { Caller } from '@shop/shared/permissions.ts'
import type { Catalogue, CatalogueGame } from './snapshot.ts'

/** Whom something is offered to, and when. */
export interface Viewer {
  caller: Caller
  tierId: number | null
  now: Date
}

/** Packages of an active game on sale to somebody, one row per payment method, with their tier's discounts. */
export function packagesOnSale(
  catalogue: Catalogue,
  game: CatalogueGame,
  { caller, tierId, now }: Viewer,
): GamePackage[] {
  if (!game.isActive) return []
  const payments = paymentMethodsFor(caller).toSorted()
  const discounts = tierId === null ? undefined : catalogue.discounts.get(tierId)
  return (catalogue.packagesByGame.get(game.id) ?? []).flatMap(({ id, name, description: desc, isActive, prices }) =>
    payments.flatMap(payment => {
      const price = prices[payment]
      if (!isActive || !price || !isOnSale(price, now)) return []
      const priceSatang = listPriceAt(price, now)
      const set = payment === 'wallet' ? (discounts?.get(id) ?? 0) : 0
      const discountSatang = Math.min(set, priceSatang)
      return [{ id, gameId: game.id, gameCode: game.code, name, desc, payment, priceSatang, discountSatang }]
    }),
  )
}

export const allPackagesOnSale = (catalogue: Catalogue, viewer: Viewer): GamePackage[] =>
  [...catalogue.games.values()].flatMap(game => packagesOnSale(catalogue, game, viewer))

/** Only games that have something the viewer can buy. */
export function gamesOnSale(catalogue: Catalogue, viewer: Viewer): Game[] {
  const sold = [...catalogue.games.values()].filter(game => packagesOnSale(catalogue, game, viewer).length > 0)
  return sold.map(({ description: desc, fieldLabels, fieldFormats, playerCheck, isActive: _, ...game }) => ({
    ...game,
    desc,
    fields: playerFieldsOf({ fieldLabels, fieldFormats }),
    isPlayerChecked: playerCheck !== null && catalogue.options.CHECK_MIDASBUY,
  }))
}
