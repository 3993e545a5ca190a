import { listPaymentMethods, listReceivingAccounts } from '@shop/shared/catalogue/endpoints.ts'
import { CATALOGUE_VERSION } from '@shop/shared/catalogue-version.ts'

/** How the paths of what the shop sells and says begin: games, packages, banners and terms, ways to pay. */
const CATALOGUE = [
  '/romons.game/',
  '/romons.package/',
  '/romons.configuration/',
  listPaymentMethods.path,
  listReceivingAccounts.path,
]

export const isOfCatalogue = (path: string): boolean => CATALOGUE.some(beginning => path.startsWith(beginning))

/** What the server told last; 0 before it told anything. */
let newest = 0
/** What everything on the page is of at least. */
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

/** Everything is being read again, as of the newest version. */
export const beginAgain = (): void => set({ oldest: newest })

export const newestVersion = (): number => newest

/**
 * Every answer names the version that its server knows. One about the catalogue may come out of a cache on the way; where it
 * was asked for `asOf` a version it is of that one at least. `asOf` is null for answers about other things.
 */
export function noteVersion(answer: Response, asOf: number | null): void {
  const version = Number(answer.headers.get(CATALOGUE_VERSION))
  if (!(version > 0)) return
  set({ newest: Math.max(newest, version), oldest: asOf === null ? oldest : Math.min(oldest, Math.max(version, asOf)) })
}
