import { AppError, invariant } from '@shop/shared/errors.ts'
import type { Context } from '../http/route.ts'
import { type Account, findAccount } from './store.ts'

const RECENT_SECONDS = 300

/** Throws RECENT_SIGN_IN_REQUIRED unless the caller proved who they are within the last five minutes. */
export function mustBeRecent({ token, now }: Pick<Context, 'token' | 'now'>): void {
  invariant(token, 'only signed-in people can prove it again')
  if (now.getTime() - token.issuedAt.getTime() > RECENT_SECONDS * 1000) throw new AppError('RECENT_SIGN_IN_REQUIRED')
}

/** The caller's account as it is now. */
export async function ownAccount({ shop, uid }: Pick<Context, 'shop' | 'uid'>): Promise<Account> {
  const account = uid ? await findAccount(shop.db, uid) : null
  if (!account) throw new AppError('NOT_FOUND')
  return account
}
