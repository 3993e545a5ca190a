/** The search parameter of a package list that opens the prices of one package. */
export const PRICES_OF = 'price'

/** The search parameter of a package list that opens the form of a new package. */
export const ADDING = 'add'

/** Returns the address of a game's package list, filtered by the package's name, with its prices open. */
export function placeOfPrices(sold: { gameId: number; packageId: number; packageName: string }): string {
  const query = new URLSearchParams({ name: sold.packageName, [PRICES_OF]: String(sold.packageId) })
  return `/management/package/${sold.gameId}?${query}`
}

/** Returns the address at which packages are added to a new game. */
export const placeOfFirstPackage = (gameId: number): string => `/management/package/${gameId}?${ADDING}=1`
