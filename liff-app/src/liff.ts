import liff from '@line/liff/core'
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

/** What LINE adds to the address of a return; `code` would break the next start and must not be shared. */
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

/** The page the person asked for, without anything of LINE's: a deep link that LIFF did not follow is followed here. */
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
 * Starts LIFF once, however often it is called: a second `liff.init` would send the same code again. Never rejects.
 * Nothing may change the address before it resolves; on a deep link it does not resolve, the page loads once more.
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
  // A parameter left over from another visit fails the first start only.
  dropReturn()
  return liff.init({ liffId }).then(
    (): LiffOutcome => 'ready',
    error => (isExpired(error) ? renew() : 'failed'),
  )
}

/** The ID token has expired: inside LINE a login gives another one. One that has expired again tells of the clock. */
async function renew(): Promise<LiffOutcome> {
  if (!('liff' in document.documentElement.dataset)) return 'clock'
  return loginAgain().catch((): LiffOutcome => 'clock')
}

/** LIFF compares an ID token's expiry with the device's clock. */
const isExpired = (error: unknown): boolean => {
  const { code, message } = error as { code?: string; message?: string }
  return code === 'INVALID_ID_TOKEN' && /exp/i.test(message ?? '')
}

/** An ID token that ends sooner than this might be refused by the time the server looks at it. */
const MARGIN_MS = 30_000

const isFresh = (): boolean => (liff.getDecodedIDToken()?.exp ?? 0) * 1000 > Date.now() + MARGIN_MS

/** Whether LINE has said who this is, in this browser. */
export const isLoggedIn = (): boolean => liff.isLoggedIn()

/** LINE's id of whoever holds the phone, or null. It only tells people apart here; the server believes signatures. */
export const getSubject = (): string | null => liff.getDecodedIDToken()?.sub ?? null

/**
 * What LINE signed about this person. LIFF never renews it: an expired one leads through LINE's login and back to this
 * page, so the promise stays open. Rejects with SIGN_IN_FAILED when LINE was just asked and the token is no better.
 */
export async function getIdToken(): Promise<string> {
  const idToken = liff.isLoggedIn() && isFresh() ? liff.getIDToken() : null
  return idToken ?? loginAgain()
}

/** Leaves LINE for the phone's own browser. */
export const openOutside = (url: string): void => liff.openWindow({ url, external: true })

const LAST_LOGIN = 'lineLoginAt'
const LOGIN_PAUSE_MS = 60_000

/** The person asked for another try themselves. */
export const allowLogin = (): void => sessionStorage.removeItem(LAST_LOGIN)

/** Asks LINE for a new login that comes back to this page; never twice within a minute, which would be a loop. */
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

/** Sends a message in the person's own name to chats that they choose; 'unavailable' where LINE does not offer it. */
export async function pickChats(message: LineMessage): Promise<'sent' | 'cancelled' | 'unavailable'> {
  if (!liff.isApiAvailable('shareTargetPicker')) return 'unavailable'
  const result = await liff.shareTargetPicker([message as Shareable], { isMultiple: true })
  return result?.status === 'success' ? 'sent' : 'cancelled'
}
