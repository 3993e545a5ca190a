import { verify } from '@node-rs/argon2'
import * as contract from '@shop/shared/account/endpoints.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { type Context, type Route, route } from '../http/route.ts'
import { checkPin, hashPin, setPin } from './pin.ts'
import { findAccount, findOneTimePasswordHash, saveAccount } from './store.ts'
import { claimsOf, meOf } from './view.ts'

const RECENT_SECONDS = 300
const ADDING_SECONDS = 600

/** Throws RECENT_SIGN_IN_REQUIRED unless the caller proved who they are within the last five minutes. */
export function mustBeRecent({ token, now }: Context): void {
  invariant(token, 'only signed-in people can prove it again')
  if (now.getTime() - token.issuedAt.getTime() > RECENT_SECONDS * 1000) throw new AppError('RECENT_SIGN_IN_REQUIRED')
}

/** The caller's account as it is now. */
export async function ownAccount({ shop, uid }: Context) {
  const account = uid ? await findAccount(shop.db, uid) : null
  if (!account) throw new AppError('NOT_FOUND')
  return account
}

/** The server sets the password itself: only so "changed" can't be claimed without being true. */
async function changePassword(context: Context, password: string) {
  const { shop, now } = context
  const account = await ownAccount(context)
  if (!account.providers.includes('password')) throw new AppError('NO_PASSWORD_SIGN_IN')
  mustBeRecent(context)
  const given = await findOneTimePasswordHash(shop.db, account.uid)
  if (given && (await verify(given, password))) throw new AppError('PASSWORD_SAME')
  await shop.identityProvider.updateUser(account.uid, { password })
  await saveAccount(shop.db, account.uid, {
    isPasswordChange: true,
    oneTimePasswordHash: null,
    tokensValidAfter: now,
  })
  const changed = await ownAccount(context)
  await shop.identityProvider.setClaims(account.uid, claimsOf(changed))
  await shop.identityProvider.revokeTokens(account.uid)
  return meOf(changed)
}

/** Without this announcement a provider that the identity provider merged by itself stays closed. */
async function startLink(context: Context, provider: string) {
  mustBeRecent(context)
  const { shop, now } = context
  const { uid } = await ownAccount(context)
  await saveAccount(shop.db, uid, { addingProvider: provider, addingUntil: addSeconds(now, ADDING_SECONDS) })
  return meOf(await ownAccount(context))
}

async function changePin(context: Context, { oldPin, pin }: { oldPin: string; pin: string }) {
  const { shop, now } = context
  const { uid } = await ownAccount(context)
  if (oldPin === pin) throw new AppError('PIN_SAME')
  const error = await shop.db.transaction(async tx => {
    const refused = await checkPin(tx, uid, oldPin, now)
    if (refused) return refused
    await setPin(tx, uid, await hashPin(pin), false)
    await saveAccount(tx, uid, { isPinChange: true })
    return null
  })
  if (error) throw error.code === 'PIN_WRONG' ? new AppError('OLD_PIN_WRONG') : error
  const changed = await ownAccount(context)
  await shop.identityProvider.setClaims(uid, claimsOf(changed))
  return meOf(changed)
}

export const secretRoutes: Route[] = [
  route(contract.startLink, ({ body }, context) => startLink(context, body.provider)),
  route(contract.changePassword, ({ body }, context) => changePassword(context, body.password)),
  route(contract.changePin, ({ body }, context) => changePin(context, body)),
]
