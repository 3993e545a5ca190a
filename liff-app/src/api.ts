import { type ClientOptions, createClient } from '@shop/shared/client.ts'
import { AppError } from '@shop/shared/errors.ts'
import { QueryClient } from '@tanstack/react-query'
import { getIdToken } from './account/identity.ts'
import { getTrackToken } from './current-order.ts'
import { getGuestKey } from './guest-key.ts'

type Headers = Record<string, string>

async function listHeaders(): Promise<Headers> {
  const idToken = await getIdToken()
  const guestKey = getGuestKey()
  const trackToken = getTrackToken()
  return {
    ...(idToken && { authorization: `Bearer ${idToken}` }),
    ...(guestKey && { 'guest-key': guestKey }),
    ...(trackToken && { 'track-token': trackToken }),
  }
}

type Listener = (error: AppError) => void
let onUnauthenticated: Listener = () => undefined
let onForbidden: Listener = () => undefined

/** Tells one listener when the server no longer accepts the session. */
export function listenForUnauthenticated(listener: Listener): void {
  onUnauthenticated = listener
}

/** Tells one listener when the server refuses a signed-in person. */
export function listenForForbidden(listener: Listener): void {
  onForbidden = listener
}

/** The client with another way to send, e.g. one that reports upload progress. */
export const createShopClient = (fetch?: ClientOptions['fetch']) =>
  createClient({
    baseUrl: '',
    headers: listHeaders,
    fetch,
    onUnauthenticated: error => onUnauthenticated(error),
    onForbidden: error => onForbidden(error),
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

const RETRIES = 2
/** Only a server or network that is away is worth asking again. */
const mayPass = (error: Error) => error instanceof AppError && error.code === 'UNAVAILABLE'

export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: { staleTime: 30_000, retry: (count, error) => count < RETRIES && mayPass(error) },
      // Offline, a tap must fail in words instead of waiting silently.
      mutations: { networkMode: 'always' },
    },
  })
