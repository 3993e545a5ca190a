import { type Client, type ClientOptions, createClient } from '@shop/shared/client.ts'
import { createSession, type Session } from '@shop/web/session.ts'
import { getTrackToken } from './current-order.ts'
import { getGuestKey } from './guest-key.ts'
import { isRemembered } from './remembered.ts'
import { read } from './storage.ts'

/** Who is signed in. Firebase is fetched when somebody is remembered or signs in: a first visit never loads it. */
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

/** The client with another way to send, e.g. one that reports upload progress. */
export const createShopClient = (fetch?: ClientOptions['fetch']): Client =>
  createClient({
    baseUrl: '',
    headers: listHeaders,
    fetch,
    onUnauthenticated: session.hearRefusal,
    onForbidden: session.hearRefusal,
  })

declare global {
  /** Answers that index.html asked for before this code arrived, by path; each is used once. */
  var earlyAnswers: Record<string, Promise<Response>> | undefined
}

const fetchEarly: typeof fetch = async (url, init) => {
  const early = globalThis.earlyAnswers?.[String(url)]
  if (!early || (init?.method ?? 'GET') !== 'GET') return fetch(url, init)
  delete globalThis.earlyAnswers?.[String(url)]
  return early.catch(() => fetch(url, init))
}

export const api = createShopClient(fetchEarly)
