import { AppError, invariant } from '@shop/shared/errors.ts'
import type { Sql } from '../database/database.ts'
import { type Context, type Person, personOf } from '../http/route.ts'
import { type Account, findAccount } from './store.ts'
import type { TokenIdentity } from './token.ts'

const RECENT_SECONDS = 300

/** A person together with the sign-in of their session. */
export interface SignedIn extends Person {
  token: TokenIdentity
}

/** The signed-in person behind a request; only for endpoints that guests can't reach. */
export function signedInOf(context: Context): SignedIn {
  const { token } = context
  invariant(token, 'only signed-in people reach this')
  return { ...personOf(context), token }
}

/** Throws RECENT_SIGN_IN_REQUIRED unless the caller proved who they are within the last five minutes. */
export function mustBeRecent({ token, now }: SignedIn): void {
  if (now.getTime() - token.signedInAt.getTime() > RECENT_SECONDS * 1000) throw new AppError('RECENT_SIGN_IN_REQUIRED')
}

/** The caller's account as it is now. */
export async function ownAccount({ db }: { db: Sql }, { uid }: Person): Promise<Account> {
  const account = await findAccount(db, uid)
  if (!account) throw new AppError('NOT_FOUND')
  return account
}
