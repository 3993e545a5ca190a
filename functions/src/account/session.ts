import { type Address, isOwnLineAccount, isUnproven } from '@shop/shared/account/account.ts'
import { AppError } from '@shop/shared/errors.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { type Account, hasProvider } from './store.ts'
import type { TokenIdentity } from './token.ts'

/** A session of the back office ends with the working day, however long its tokens can be renewed. */
export const STAFF_SESSION_SECONDS = 12 * 3600

/** Throws EMAIL_UNPROVEN, because nothing may be attached to an address before its owner is known. */
export function mustBeProven(account: Address): void {
  if (isUnproven(account)) throw new AppError('EMAIL_UNPROVEN')
}

/**
 * The first moment at which a revocation ends the sessions of a sign-in. Tokens carry whole seconds, so a revocation in
 * the second of the sign-in counts as earlier.
 */
export const revocableFrom = ({ signedInAt }: Pick<TokenIdentity, 'signedInAt'>): Date => addSeconds(signedInAt, 1)

/** Tells whether a sign-in happened before a moment. */
export const cameBefore = (session: Pick<TokenIdentity, 'signedInAt'>, moment: Date | null): boolean =>
  moment !== null && revocableFrom(session) <= moment

/** Tells whether the person signed in with LINE: only they get custom tokens. */
export const cameFromLine = (token: TokenIdentity): boolean => token.provider === 'custom'

/**
 * Tells whether a visitor has proven an address or a LINE identity. Guests and accounts with an unproven address cost
 * nothing to make.
 */
export const isProven = (token: TokenIdentity | null): boolean =>
  token !== null && (token.emailVerified || cameFromLine(token))

/**
 * Tells whether a session signed in by a way that the account has. A session through a linked LINE identity ends when
 * that link does.
 */
export function isOwnWay(account: Account, token: TokenIdentity, now: Date): boolean {
  if (!cameFromLine(token)) return hasProvider(account, token.provider, now)
  if (isOwnLineAccount(account.uid)) return true
  return !isUnproven(account) && account.lineLinkedAt?.getTime() === token.lineLink
}
