import { type Address, isOwnLineAccount, isUnproven } from '@shop/shared/account/account.ts'
import { AppError } from '@shop/shared/errors.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { type Account, hasProvider } from './store.ts'
import type { TokenIdentity } from './token.ts'

/** A session of the back office ends with the working day, however long its tokens can be renewed. */
export const STAFF_SESSION_SECONDS = 12 * 3600

/** Throws EMAIL_UNPROVEN: nothing is hung on an address before its owner is known. */
export function mustBeProven(account: Address): void {
  if (isUnproven(account)) throw new AppError('EMAIL_UNPROVEN')
}

/** From this moment on a revocation ends the sessions of a sign-in. Tokens carry whole seconds: one of the same is the later. */
export const revocableFrom = ({ signedInAt }: Pick<TokenIdentity, 'signedInAt'>): Date => addSeconds(signedInAt, 1)

/** Whether a sign-in came before a moment. */
export const cameBefore = (session: Pick<TokenIdentity, 'signedInAt'>, moment: Date | null): boolean =>
  moment !== null && revocableFrom(session) <= moment

/** Custom tokens are made for people from LINE alone. */
export const cameFromLine = (token: TokenIdentity): boolean => token.provider === 'custom'

/** Whether a visitor has proven an address or LINE: guests and accounts with a claimed address are to be had for nothing. */
export const isProven = (token: TokenIdentity | null): boolean =>
  token !== null && (token.emailVerified || cameFromLine(token))

/** Whether the way a session came in by is the account's own. A linked LINE's ends with the link that it came by. */
export function isOwnWay(account: Account, token: TokenIdentity, now: Date): boolean {
  if (!cameFromLine(token)) return hasProvider(account, token.provider, now)
  if (isOwnLineAccount(account.uid)) return true
  return !isUnproven(account) && account.lineLinkedAt?.getTime() === token.lineLink
}
