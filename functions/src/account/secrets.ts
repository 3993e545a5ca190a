import { hash, verify } from '@node-rs/argon2'
import * as contract from '@shop/shared/account/endpoints.ts'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import { hasWallet } from '@shop/shared/permissions.ts'
import { type Context, limitKey, type Route, route } from '../http/route.ts'
import { editAccount, publish } from './management.ts'
import { mustBeRecent, ownAccount } from './own-account.ts'
import { checkPin, createOneTimePin, hashPin, setPin } from './pin.ts'
import { type AccountChange, findOneTimePasswordHash, saveAccount } from './store.ts'
import { claimsOf, meOf } from './view.ts'

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
    mustChangePassword: false,
    oneTimePasswordHash: null,
    tokensValidAfter: now,
  })
  const changed = await ownAccount(context)
  await shop.identityProvider.setClaims(account.uid, claimsOf(changed))
  await shop.identityProvider.revokeTokens(account.uid)
  return meOf(changed)
}

async function changePin(context: Context, { oldPin, pin }: { oldPin: string; pin: string }) {
  const { shop, now } = context
  const { uid } = await ownAccount(context)
  await shop.limits.take('pinTriesPerCaller', limitKey(context))
  if (oldPin === pin) throw new AppError('PIN_SAME')
  const error = await shop.db.transaction(async tx => {
    const refused = await checkPin(tx, uid, oldPin, now)
    if (refused) return refused
    await setPin(tx, uid, await hashPin(pin))
    await saveAccount(tx, uid, { mustChangePin: false })
    return null
  })
  if (error) throw error.code === 'PIN_WRONG' ? new AppError('OLD_PIN_WRONG') : error
  const changed = await ownAccount(context)
  await shop.identityProvider.setClaims(uid, claimsOf(changed))
  return meOf(changed)
}

async function updateUserAuthentication(context: Context, { uid, password }: { uid: string; password: string }) {
  const oneTimePasswordHash = await hash(password)
  await editAccount(context, uid, async ({ target, save }) => {
    if (!target.providers.includes('password')) throw new AppError('NO_PASSWORD_SIGN_IN')
    const forced = { mustChangePassword: true, tokensValidAfter: context.now }
    await save('account.resetPassword', { ...forced, oneTimePasswordHash }, { mustChangePassword: true })
  })
  await context.shop.identityProvider.updateUser(uid, { password })
  return publish(context, uid, true)
}

async function setCustomAgentClaims(context: Context, body: ParsedInput<typeof contract.setCustomAgentClaims>['body']) {
  const change: AccountChange = {
    ...(body.ispasswordchange !== undefined && { mustChangePassword: true }),
    ...(body.ispinchange !== undefined && { mustChangePin: true }),
  }
  await editAccount(context, body.uid, async ({ target, save }) => {
    if (target.role !== 'agent') throw new AppError('AGENT_NOT_FOUND')
    if (Object.keys(change).length > 0) await save('account.forceChange', change, change)
  })
  return publish(context, body.uid, false)
}

async function resetPin(context: Context, uid: string) {
  const pin = createOneTimePin()
  const pinHash = await hashPin(pin)
  await editAccount(context, uid, async ({ tx, target, save }) => {
    if (!hasWallet(target.role)) throw new AppError('WALLET_NOT_FOUND')
    await setPin(tx, uid, pinHash)
    await save('account.resetPin', { mustChangePin: true }, { mustChangePin: true })
  })
  await publish(context, uid, false)
  return { pin }
}

export const secretRoutes: Route[] = [
  route(contract.changePassword, ({ body }, context) => changePassword(context, body.password)),
  route(contract.changePin, ({ body }, context) => changePin(context, body)),
  route(contract.updateUserAuthentication, ({ body }, context) => updateUserAuthentication(context, body)),
  route(contract.setCustomAgentClaims, ({ body }, context) => setCustomAgentClaims(context, body)),
  route(contract.resetPin, ({ params }, context) => resetPin(context, params.uid)),
]
