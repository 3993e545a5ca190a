import { isActivedOf, isOwnLineAccount, ROLE_LABELS, subjectOfLine } from '@shop/shared/account/account.ts'
import type { Me } from '@shop/shared/account/endpoints.ts'
import { pinLockOf, pinTriesOn } from '@shop/shared/account/pin.ts'
import type { PinState } from '@shop/shared/account/pin-endpoints.ts'
import { isAdminSide } from '@shop/shared/permissions.ts'
import { DAY_MS } from '@shop/shared/time.ts'
import type { Claims } from '../account/identity-provider.ts'
import { type Account, personNameOf } from '../account/store.ts'
import type { StoredPin } from './pin.ts'

/**
 * Returns the ways to sign in that an account has: those of the identity provider, and LINE, which only the shop knows.
 */
export function signInWaysOf({ uid, providers, lineLinkedAt }: Account): string[] {
  return lineLinkedAt !== null || isOwnLineAccount(uid) ? [...providers, 'line'] : providers
}

/** Returns LINE's id of the person; null when they never came with LINE. */
export const lineIdOf = ({ uid, lineSubject }: Account): string | null => lineSubject ?? subjectOfLine(uid)

/** The owner still sees an expired lock for this long, because somebody else may have typed the wrong PINs. */
const LOCK_SHOWN_DAYS = 7

export function pinStateOf(pin: StoredPin, now: Date): PinState {
  const { wrongTries, lockedAt, lockedUntil } = pin
  const isHolding = pinLockOf(pin, now) !== null
  const isShown = lockedAt !== null && (isHolding || now.getTime() - lockedAt.getTime() < LOCK_SHOWN_DAYS * DAY_MS)
  const lock = isShown ? { at: lockedAt.toISOString(), until: lockedUntil?.toISOString() ?? null, isHolding } : null
  return { wrongTries, wrongToday: pinTriesOn(pin, now), lock }
}

/** Returns an account in the API's form, for its owner and for staff. */
export function meOf(account: Account): Me {
  return {
    uid: account.uid,
    username: account.username,
    providers: signInWaysOf(account),
    name: account.givenName,
    surname: account.familyName,
    displayName: personNameOf(account) || account.email || 'ลูกค้า',
    tel: account.phone,
    email: account.email,
    emailVerified: account.emailVerified,
    // Nothing earns points yet, so the reward is always 0.
    reward: 0,
    createdDate: account.createdAt.toISOString(),
    isActived: isActivedOf(account.status),
    role: account.role,
    roleName: ROLE_LABELS[account.role],
    mustChangePassword: account.mustChangePassword,
    // Staff are asked to change the PIN only when they want to spend.
    mustChangePin: account.mustChangePin && !isAdminSide(account.role),
    hasWallet: account.walletId !== null,
  }
}

/** Returns the claims that the account's tokens carry. The two flags say what was done, not what is still to do. */
export function claimsOf({ role, mustChangePassword, mustChangePin }: Account): Claims {
  return { role, ispasswordchange: !mustChangePassword, ispinchange: !mustChangePin }
}
