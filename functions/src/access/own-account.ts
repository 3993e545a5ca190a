import { AppError, invariant } from '@shop/shared/errors.ts'
import type { Action } from '@shop/shared/permissions.ts'
import { authorise, identityOf } from '../account/caller.ts'
import { type Account, findAccount, lockAccounts } from '../account/store.ts'
import type { TokenIdentity } from '../account/token.ts'
import { type Context, type Person, personOf } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import { checkPin } from './pin.ts'

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

/**
 * Locks the account of somebody who makes what goes on by itself, lets them in again and tries their PIN, so that nothing
 * outlives an account that is closed, or a secret that is changed, at this moment. Returns what is wrong with the PIN,
 * for the caller to throw AFTER the commit.
 */
export async function lockMaker(tx: Sql, context: Context, action: Action, typedPin: string): Promise<AppError | null> {
  const person = personOf(context)
  const account = (await lockAccounts(tx, [person.uid])).get(person.uid) ?? null
  authorise(identityOf(context, account, person.now), action)
  return checkPin(tx, context.shop.pins, person, typedPin)
}

/** The caller's account as it is now. */
export async function ownAccount({ db }: { db: Sql }, { uid }: Person): Promise<Account> {
  const account = await findAccount(db, uid)
  if (!account) throw new AppError('NOT_FOUND')
  return account
}
