/** The part of a package list's address that opens the prices of one of its packages. */
export const PRICES_OF = 'price'

/** Where the prices of a package are open, found by its name among its game's. */
export function placeOfPrices(sold: { gameId: number; packageId: number; packageName: string }): string {
  const query = new URLSearchParams({ name: sold.packageName, [PRICES_OF]: String(sold.packageId) })
  return `/management/package/${sold.gameId}?${query}`
}
