import { AppError } from '@shop/shared/errors.ts'
import type { LiffOutcome } from '../liff.ts'
import { inLiff } from '../shop.ts'
import { isText, read, removeAll, write } from '../storage.ts'

// Signing in inside LINE, where LINE tells who the person is without showing a page.

const liffId = import.meta.env.VITE_LIFF_ID
const START_TIMEOUT_MS = 10_000
const LOGGED_OUT = 'lineSignedOut'

/** Whether this visit concerns LIFF; only then its SDK (25 kB) is loaded. */
export function needsLiff(search = location.search): boolean {
  if (!liffId) return false
  const query = new URLSearchParams(search)
  const isReturn = query.has('liffClientId') || query.has('liffOAuth2Error')
  return inLiff || isReturn || [...query.keys()].some(name => name.startsWith('liff.'))
}

const loadLiff = () => import('../liff.ts')

let outcome: LiffOutcome | null = null
let isKnown = false

/** Forgets everything when LINE belongs to somebody else than at the last visit: nothing that is kept is theirs. */
function forgetAnother(subject: string | null): void {
  const before = read('lineSubject', isText)
  if (before && subject && before !== subject) removeAll()
}

/**
 * Starts LIFF for a visit that concerns it. The shop must not change the address before this resolves, which takes ten
 * seconds at most. It never rejects.
 */
export async function openInLine(): Promise<void> {
  if (!liffId) return
  const start = async () => {
    const liff = await loadLiff()
    const how = await liff.startLiff(liffId)
    isKnown = how === 'ready' && liff.isLoggedIn()
    if (isKnown) forgetAnother(liff.getSubject())
    return how
  }
  const timeout = new Promise<LiffOutcome>(resolve => setTimeout(resolve, START_TIMEOUT_MS, 'failed'))
  outcome = await Promise.race([start().catch((): LiffOutcome => 'failed'), timeout])
}

/** Why LINE did not let the person in, or null. */
export const getLineTrouble = (): Exclude<LiffOutcome, 'ready'> | null =>
  outcome === null || outcome === 'ready' ? null : outcome

/** Whether LINE knows this person and they did not sign out in this visit. */
export const canSignInSilently = (): boolean => isKnown && sessionStorage.getItem(LOGGED_OUT) === null

/** After a sign-out only a tap on the LINE button signs in again, until this LINE window closes. */
export function staySignedOut(): void {
  if (inLiff) sessionStorage.setItem(LOGGED_OUT, '1')
}

/** Whether LINE itself answers the LINE button, without its web page. */
export const isLineHere = (): boolean => Boolean(liffId) && inLiff

/** Loads the page again, so that LIFF starts anew. */
export function reopenInLine(): void {
  void loadLiff()
    .then(liff => liff.allowLogin())
    .finally(() => location.reload())
}

/** Whether the server refused a token because it was used before or is too old. LINE then gives a new one. */
const isWornOut = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'SIGN_IN_REPLAYED' || error.code === 'SIGN_IN_FAILED')

/**
 * Calls `use` with LINE's ID token. If the token is worn out, LINE's login opens and leads back to this page; the promise
 * then stays open.
 */
export async function withIdToken<T>(use: (proof: { idToken: string }) => Promise<T>): Promise<T> {
  const liff = await loadLiff()
  if (!liffId || (await liff.startLiff(liffId)) !== 'ready') throw new AppError('LINE_UNAVAILABLE')
  sessionStorage.removeItem(LOGGED_OUT)
  const idToken = await liff.getIdToken()
  try {
    const result = await use({ idToken })
    write('lineSubject', liff.getSubject())
    return result
  } catch (error) {
    if (isWornOut(error)) return liff.loginAgain()
    throw error
  }
}
