import { type LineProof, startLineSignIn } from '@shop/shared/account/endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { api } from '../api.ts'
import { type Guard, isText, orNone, read, remove, shapeOf, write } from '../storage.ts'

// Signing in with LINE on the web: LINE's page asks the person and leads back to /login.

export const LINE_DENIED = 'คุณยังไม่ได้อนุญาตให้ร้านใช้บัญชี LINE กรุณาลองอีกครั้ง หรือเลือกวิธีอื่น'

/** What the person went to LINE's page for. */
type LinePurpose = 'signIn' | 'link'
interface Attempt {
  attempt: string
  purpose: LinePurpose
  wayBack?: string
}

const isPurpose: Guard<LinePurpose> = (value): value is LinePurpose => value === 'signIn' || value === 'link'
const isAttempt = shapeOf<Attempt>({ attempt: isText, purpose: isPurpose, wayBack: orNone(isText) })

/**
 * Leaves for LINE's page, so the promise stays open; it rejects with an `AppError`. Afterwards the person is led to
 * `wayBack`, or without it to where every sign-in leads.
 */
export async function goToLine(purpose: LinePurpose, wayBack?: string): Promise<never> {
  const { authorizeUrl, attempt } = await api.call(startLineSignIn)
  write('lineAttempt', { attempt, purpose, wayBack } satisfies Attempt)
  location.assign(authorizeUrl)
  return new Promise(() => undefined)
}

type LineReturn = Pick<Attempt, 'purpose' | 'wayBack'> & ({ proof: LineProof } | { error: AppError })

/** Whether LINE's page has led to this visit of /login. */
export function isBackFromLine(): boolean {
  const query = new URLSearchParams(location.search)
  return query.has('state') && (query.has('code') || query.has('error')) && !query.has('liffClientId')
}

/** What LINE sent with this visit, or null. The secrets are removed from the address and given out only once. */
export function takeLineReturn(): LineReturn | null {
  if (!isBackFromLine()) return null
  const query = new URLSearchParams(location.search)
  const [code, state] = [query.get('code'), query.get('state')]
  const { attempt, purpose = 'signIn', wayBack } = read('lineAttempt', isAttempt) ?? {}
  remove('lineAttempt')
  history.replaceState(history.state, '', location.pathname)
  if (query.get('error')?.toUpperCase() === 'ACCESS_DENIED')
    return { purpose, wayBack, error: Object.assign(new AppError('SIGN_IN_FAILED'), { message: LINE_DENIED }) }
  if (!code || !state || !attempt) return { purpose, wayBack, error: new AppError('SIGN_IN_FAILED') }
  return { purpose, wayBack, proof: { code, state, attempt } }
}
