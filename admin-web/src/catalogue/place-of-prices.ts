/** The search parameter of a package list that opens the prices of one package. */
export const PRICES_OF = 'price'

/** Returns the address of a game's package list, filtered by the package's name, with its prices open. */
export function placeOfPrices(sold: { gameId: number; packageId: number; packageName: string }): string {
  const query = new URLSearchParams({ name: sold.packageName, [PRICES_OF]: String(sold.packageId) })
  return `/management/package/${sold.gameId}?${query}`
}
