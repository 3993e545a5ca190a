import { hash, verify } from '@node-rs/argon2'
import * as contract from '@shop/shared/account/endpoints.ts'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import { hasWallet } from '@shop/shared/permissions.ts'
import { limitKey, type Person, personOf, type Route, route } from '../http/route.ts'
import type { Shop } from '../shop.ts'
import { editAccount, publish } from './management.ts'
import { mustBeRecent, ownAccount, type SignedIn, signedInOf } from './own-account.ts'
import { checkPin, createOneTimePin, findPin, setPin } from './pin.ts'
import { type AccountChange, findOneTimePasswordHash, saveAccount } from './store.ts'
import { meOf, pinStateOf } from './view.ts'

type Accounts = Pick<Shop, 'db' | 'identityProvider' | 'pins'>

/** The server sets the password itself: only so "changed" can't be claimed without being true. */
async function changePassword(shop: Accounts, by: SignedIn, password: string) {
  const account = await ownAccount(shop, by)
  if (!account.providers.includes('password')) throw new AppError('NO_PASSWORD_SIGN_IN')
  mustBeRecent(by)
  const given = await findOneTimePasswordHash(shop.db, account.uid)
  if (given && (await verify(given, password))) throw new AppError('PASSWORD_SAME')
  await shop.identityProvider.updateUser(account.uid, { password })
  await saveAccount(shop.db, account.uid, {
    mustChangePassword: false,
    oneTimePasswordHash: null,
    tokensValidAfter: by.now,
  })
  return publish(shop, account.uid, true)
}

async function changePin(shop: Accounts, by: Person, { oldPin, pin }: { oldPin: string; pin: string }) {
  const { uid } = by
  await ownAccount(shop, by)
  if (oldPin === pin) throw new AppError('PIN_SAME')
  const error = await shop.db.transaction(async tx => {
    const refused = await checkPin(tx, shop.pins, by, oldPin)
    if (refused) return refused
    await setPin(tx, uid, shop.pins.hash(uid, pin))
    await saveAccount(tx, uid, { mustChangePin: false })
    return null
  })
  if (error) throw error.code === 'PIN_WRONG' ? new AppError('OLD_PIN_WRONG') : error
  return publish(shop, uid, false)
}

async function givePassword(shop: Accounts, by: Person, { uid, password }: { uid: string; password: string }) {
  const oneTimePasswordHash = await hash(password)
  await editAccount(shop, by, uid, async ({ target, save }) => {
    if (!target.providers.includes('password')) throw new AppError('NO_PASSWORD_SIGN_IN')
    const forced = { mustChangePassword: true, tokensValidAfter: by.now }
    await save('account.resetPassword', { ...forced, oneTimePasswordHash }, { mustChangePassword: true })
  })
  await shop.identityProvider.updateUser(uid, { password })
  return publish(shop, uid, true)
}

type ClaimsInput = ParsedInput<typeof contract.setCustomAgentClaims>['body']

async function forceChange(shop: Accounts, by: Person, { uid, ispasswordchange, ispinchange }: ClaimsInput) {
  const change: AccountChange = {
    ...(ispasswordchange !== undefined && { mustChangePassword: true }),
    ...(ispinchange !== undefined && { mustChangePin: true }),
  }
  await editAccount(shop, by, uid, async ({ target, save }) => {
    if (target.role !== 'agent') throw new AppError('AGENT_NOT_FOUND')
    if (Object.keys(change).length > 0) await save('account.forceChange', change, change)
  })
  return publish(shop, uid, false)
}

async function resetPin(shop: Accounts, by: Person, uid: string) {
  const pin = createOneTimePin()
  await editAccount(shop, by, uid, async ({ tx, target, save }) => {
    if (!hasWallet(target.role)) throw new AppError('WALLET_NOT_FOUND')
    await setPin(tx, uid, shop.pins.hash(uid, pin))
    await save('account.resetPin', { mustChangePin: true }, { mustChangePin: true })
  })
  await publish(shop, uid, false)
  return { pin }
}

export const secretRoutes: Route[] = [
  route(contract.changePassword, async ({ body }, context) =>
    meOf(await changePassword(context.shop, signedInOf(context), body.password)),
  ),
  route(contract.changePin, async ({ body }, context) => {
    await context.shop.limits.take('pinTriesPerCaller', limitKey(context))
    return meOf(await changePin(context.shop, personOf(context), body))
  }),
  route(contract.updateUserAuthentication, async ({ body }, context) =>
    meOf(await givePassword(context.shop, personOf(context), body)),
  ),
  route(contract.setCustomAgentClaims, async ({ body }, context) =>
    meOf(await forceChange(context.shop, personOf(context), body)),
  ),
  route(contract.getPinState, async ({ params }, { shop, now }) => {
    const stored = await findPin(shop.db, params.uid)
    if (!stored) throw new AppError('PIN_NOT_SET')
    return pinStateOf(stored, now)
  }),
  route(contract.resetPin, ({ params }, context) => resetPin(context.shop, personOf(context), params.uid)),
]
