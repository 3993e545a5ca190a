import liff from '@line/liff/core'
import GetAccessToken from '@line/liff/get-access-token'
import GetDecodedIDToken from '@line/liff/get-decoded-id-token'
import GetIDToken from '@line/liff/get-id-token'
import IsApiAvailable from '@line/liff/is-api-available'
import IsLoggedIn from '@line/liff/is-logged-in'
import Login from '@line/liff/login'
import Logout from '@line/liff/logout'
import OpenWindow from '@line/liff/open-window'
import ShareTargetPicker from '@line/liff/share-target-picker'
import type { LineMessage } from '@shop/shared/chat/flex.ts'
import { AppError } from '@shop/shared/errors.ts'

liff.use(new IsLoggedIn())
liff.use(new GetAccessToken())
liff.use(new GetIDToken())
liff.use(new GetDecodedIDToken())
liff.use(new Login())
liff.use(new Logout())
liff.use(new IsApiAvailable())
liff.use(new ShareTargetPicker())
liff.use(new OpenWindow())

/**
 * How LINE let the shop in: `ready`; `denied`: the person did not agree to share their account; `clock`: the device's
 * clock is so wrong that nothing LINE signs seems valid; `failed`: anything else.
 */
export type LiffOutcome = 'ready' | 'denied' | 'clock' | 'failed'

/** What LINE adds to the address when it leads back. `code` would break the next start and must not be shared. */
const RETURN_PARAMETERS = [
  'code',
  'state',
  'error',
  'error_description',
  'liffClientId',
  'liffRedirectUri',
  'liffOAuth2Error',
  'friendship_status_changed',
]

function dropFromAddress(isDropped: (name: string) => boolean): void {
  const url = new URL(location.href)
  const names = [...url.searchParams.keys()].filter(isDropped)
  for (const name of names) url.searchParams.delete(name)
  if (names.length > 0) history.replaceState(history.state, '', url)
}

const dropReturn = () => dropFromAddress(name => RETURN_PARAMETERS.includes(name))

/** Removes what LINE added to the address. A deep link that LIFF did not follow becomes the address. */
export function cleanAddress(): void {
  const url = new URL(location.href)
  const deepPath = url.searchParams.get('liff.state')
  const deep = deepPath?.startsWith('/') ? new URL(deepPath, location.origin) : null
  if (deep?.origin === location.origin) history.replaceState(history.state, '', deep)
  else if (url.hash.includes('access_token=')) history.replaceState(history.state, '', url.pathname + url.search)
  dropFromAddress(name => RETURN_PARAMETERS.includes(name) || name.startsWith('liff.'))
}

let starting: Promise<LiffOutcome> | undefined

/**
 * Starts LIFF once, however often it is called, because a second `liff.init` would send the same code again. Never
 * rejects. Nothing may change the address before it resolves. On a deep link it does not resolve: LIFF loads the page
 * once more.
 */
export function startLiff(liffId: string): Promise<LiffOutcome> {
  starting ??= start(liffId).finally(cleanAddress)
  return starting
}

async function start(liffId: string): Promise<LiffOutcome> {
  const query = new URLSearchParams(location.search)
  try {
    await liff.init({ liffId })
    return 'ready'
  } catch (error) {
    const refusal = query.has('liffOAuth2Error') && query.get('error')
    if (refusal) return refusal.toUpperCase() === 'ACCESS_DENIED' ? 'denied' : 'failed'
    if (isExpired(error)) return renew()
  }
  // A parameter left over from another visit makes the first start fail, but not a second one without it.
  dropReturn()
  return liff.init({ liffId }).then(
    (): LiffOutcome => 'ready',
    error => (isExpired(error) ? renew() : 'failed'),
  )
}

/** Gets a new ID token by a login inside LINE. If that has expired at once too, the device's clock is wrong. */
async function renew(): Promise<LiffOutcome> {
  if (!('liff' in document.documentElement.dataset)) return 'clock'
  return loginAgain().catch((): LiffOutcome => 'clock')
}

/** Whether LIFF found the ID token expired, which it judges by the device's clock. */
const isExpired = (error: unknown): boolean => {
  const { code, message } = error as { code?: string; message?: string }
  return code === 'INVALID_ID_TOKEN' && /exp/i.test(message ?? '')
}

/** An ID token that expires sooner than this might have expired by the time the server checks it. */
const MARGIN_MS = 30_000

const isFresh = (): boolean => (liff.getDecodedIDToken()?.exp ?? 0) * 1000 > Date.now() + MARGIN_MS

/** Whether LINE has told in this browser who the person is. */
export const isLoggedIn = (): boolean => liff.isLoggedIn()

/** LINE's id of the person, or null. It only tells people apart in this browser; the server demands signatures. */
export const getSubject = (): string | null => liff.getDecodedIDToken()?.sub ?? null

/**
 * Gives the ID token that LINE has signed for this person. LIFF never renews it: an expired one leads to LINE's login
 * and back to this page, and the promise stays open. Rejects with SIGN_IN_FAILED when a login within the last minute
 * did not help.
 */
export async function getIdToken(): Promise<string> {
  const idToken = liff.isLoggedIn() && isFresh() ? liff.getIDToken() : null
  return idToken ?? loginAgain()
}

/** The token by which the server asks LINE about this person; null outside a login. */
export const getAccessToken = (): string | null => liff.getAccessToken()

/** Opens an address in the phone's own browser, outside LINE. */
export const openOutside = (url: string): void => liff.openWindow({ url, external: true })

const LAST_LOGIN = 'lineLoginAt'
const LOGIN_PAUSE_MS = 60_000

/** Allows another login at once, because the person has asked for it. */
export const allowLogin = (): void => sessionStorage.removeItem(LAST_LOGIN)

/** Opens LINE's login, which leads back to this page. It refuses a second time within a minute, to stop a loop. */
export function loginAgain(): Promise<never> {
  const sinceLastMs = Math.abs(Date.now() - Number(sessionStorage.getItem(LAST_LOGIN) ?? 0))
  if (sinceLastMs < LOGIN_PAUSE_MS) return Promise.reject(new AppError('SIGN_IN_FAILED'))
  sessionStorage.setItem(LAST_LOGIN, String(Date.now()))
  if (liff.isLoggedIn()) liff.logout()
  cleanAddress()
  liff.login({ redirectUri: location.href })
  return new Promise(() => undefined)
}

type Shareable = Parameters<typeof liff.shareTargetPicker>[0][number]

/** Sends a message in the person's name to chats that they choose; gives 'unavailable' where LINE does not offer this. */
export async function pickChats(message: LineMessage): Promise<'sent' | 'cancelled' | 'unavailable'> {
  if (!liff.isApiAvailable('shareTargetPicker')) return 'unavailable'
  const result = await liff.shareTargetPicker([message as Shareable], { isMultiple: true })
  return result?.status === 'success' ? 'sent' : 'cancelled'
}
