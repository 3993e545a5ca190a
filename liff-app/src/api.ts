import { type Client, type ClientOptions, createClient } from '@shop/shared/client.ts'
import { createSession, type Session } from '@shop/web/session.ts'
import { isOfCatalogue, newestVersion, noteVersion } from './catalogue-version.ts'
import { getTrackToken } from './current-order.ts'
import { getGuestKey } from './guest-key.ts'
import { isRemembered } from './remembered.ts'
import { read } from './storage.ts'

/** Who is signed in. Firebase is loaded only when somebody is remembered or signs in, never on a first visit. */
export const session: Session<typeof import('./firebase.ts')> = createSession({
  loadProvider: () => import('./firebase.ts'),
  getClient: () => api,
  recall: () => read('user', isRemembered),
})

async function listHeaders(): Promise<Record<string, string>> {
  const guestKey = getGuestKey()
  const trackToken = getTrackToken()
  return {
    ...(await session.headers()),
    ...(guestKey && { 'guest-key': guestKey }),
    ...(trackToken && { 'track-token': trackToken }),
  }
}

/** Creates a client of the API. `fetch` replaces the browser's, for example by one that reports upload progress. */
export const createShopClient = (fetch?: ClientOptions['fetch']): Client =>
  createClient({
    baseUrl: '',
    headers: listHeaders,
    fetch,
    onUnauthenticated: session.hearRefusal,
    onForbidden: session.hearRefusal,
  })

declare global {
  /** Answers that index.html has asked for before this code arrived, by path. Each is used once. */
  var earlyAnswers: Record<string, Promise<Response>> | undefined
}

function takeEarly(path: string): Promise<Response> | undefined {
  const early = globalThis.earlyAnswers?.[path]
  delete globalThis.earlyAnswers?.[path]
  return early
}

/** Adds the newest version to reads of the catalogue, so that no cache on the way can answer them with an older one. */
const fetchOfNewest: typeof fetch = async (url, init) => {
  const path = String(url)
  const isRead = (init?.method ?? 'GET') === 'GET'
  const isCatalogue = isRead && isOfCatalogue(path)
  const early = isRead ? takeEarly(path) : undefined
  const asOf = newestVersion()
  const ask = () => fetch(isCatalogue && asOf > 0 ? `${path}?version=${asOf}` : path, init)
  const answer = await (early ? early.catch(ask) : ask())
  noteVersion(answer, isCatalogue ? (early ? 0 : asOf) : null)
  return answer
}

export const api = createShopClient(fetchOfNewest)
