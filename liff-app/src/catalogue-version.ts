import { listPaymentMethods, listReceivingAccounts } from '@shop/shared/catalogue/endpoints.ts'
import { CATALOGUE_VERSION } from '@shop/shared/catalogue-version.ts'

/** How the paths of the catalogue begin: games, packages, banners, terms and ways to pay. */
const CATALOGUE = [
  '/romons.game/',
  '/romons.package/',
  '/romons.configuration/',
  listPaymentMethods.path,
  listReceivingAccounts.path,
]

export const isOfCatalogue = (path: string): boolean => CATALOGUE.some(beginning => path.startsWith(beginning))

/** The newest version that the server has named; 0 before it has named any. */
let newest = 0
/** Everything on the page is of this version or of a newer one. */
let oldest = Number.POSITIVE_INFINITY
const watchers = new Set<() => void>()

function set(versions: { newest?: number; oldest?: number }): void {
  newest = versions.newest ?? newest
  oldest = versions.oldest ?? oldest
  for (const tell of watchers) tell()
}

/** Whether something on the page is of an older catalogue than the server has. */
export const isBehind = (): boolean => oldest < newest

export function watchVersions(tell: () => void): () => void {
  watchers.add(tell)
  return () => void watchers.delete(tell)
}

export const hearVersion = (told: number): void => set({ newest: told })

/** To be called when everything is read again, as of the newest version. */
export const beginAgain = (): void => set({ oldest: newest })

export const newestVersion = (): number => newest

/**
 * Notes the version that an answer names. An answer about the catalogue may come out of a cache, but it is never older
 * than the version `asOf` that was asked for; `asOf` is null for answers about other things.
 */
export function noteVersion(answer: Response, asOf: number | null): void {
  const version = Number(answer.headers.get(CATALOGUE_VERSION))
  if (!(version > 0)) return
  set({ newest: Math.max(newest, version), oldest: asOf === null ? oldest : Math.min(oldest, Math.max(version, asOf)) })
}
