import { hash, verify } from '@node-rs/argon2'
import * as contract from '@shop/shared/account/endpoints.ts'
import * as pins from '@shop/shared/account/pin-endpoints.ts'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import { hasWallet } from '@shop/shared/permissions.ts'
import {
  type Account,
  type AccountChange,
  findOneTimePasswordHash,
  lockAccounts,
  saveAccount,
} from '../account/store.ts'
import { limitKey, type Person, personOf, type Route, route } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import type { Shop } from '../shop/shop.ts'
import { endAccess, mustBeDecided, setByOwner, setByShop } from './access-ends.ts'
import { unlinkStrays } from './link-removal.ts'
import { linksOf, waysWithout } from './links-of.ts'
import { editAccount, publish } from './management.ts'
import { type Channels, isReached, tellOwner, viaOf } from './news.ts'
import { moveOpening } from './opening.ts'
import { mustBeRecent, ownAccount, type SignedIn, signedInOf } from './own-account.ts'
import { proveOwner, sendCode } from './owner-proof.ts'
import { checkPin, createOneTimePin, findPin, lockPin, markCreditPin, setPin } from './pin.ts'
import { meOf, pinStateOf, signInWaysOf } from './view.ts'

type Accounts = Pick<Shop, 'db' | 'identityProvider' | 'pins'> & Channels

type OwnPassword = ParsedInput<typeof contract.changePassword>['body']
type OwnPin = ParsedInput<typeof pins.changePin>['body']

/** The server sets the password itself, so that nobody can claim to have changed it without doing so. */
async function changePassword(shop: Accounts, by: SignedIn, { password, keep }: OwnPassword) {
  const account = await ownAccount(shop, by)
  if (!account.providers.includes('password')) throw new AppError('NO_PASSWORD_SIGN_IN')
  mustBeRecent(by)
  const given = await findOneTimePasswordHash(shop.db, account.uid)
  if (given && (await verify(given, password))) throw new AppError('PASSWORD_SAME')
  await mustBeDecided(shop.db, account, { secret: 'password', keep })
  await shop.identityProvider.updateUser(account.uid, { password })
  const unlinks = await shop.db.transaction(async tx => {
    // No key is made meanwhile, and none in a session of before afterwards.
    const locked = (await lockAccounts(tx, [by.uid])).get(by.uid)!
    await tellOwner(tx, { uid: by.uid, kind: 'passwordChanged', byShop: false, facts: viaOf(by.token), at: by.now })
    await saveAccount(tx, by.uid, await endAccess(tx, setByOwner('password', locked, by.now, keep)))
    return linksOf(locked).some(({ provider }) => !keep?.links.includes(provider))
  })
  if (unlinks) await unlinkStrays(shop, by.uid)
  return publish(shop, account.uid, true)
}

/**
 * Customers set their first PIN themselves, once there is shop credit to guard; that of a wallet comes from staff. The
 * account is locked, so that one of two first ones wins.
 */
async function mayBeFirst(tx: Sql, { uid, walletId }: Account): Promise<boolean> {
  return walletId === null && (await lockPin(tx, uid)) === null
}

/** A first PIN takes proof, because it opens what lies in shop credit; any other takes the one before. */
async function mayChange(tx: Sql, shop: Accounts, by: SignedIn, account: Account, { oldPin, code }: OwnPin) {
  if (oldPin === undefined && (await mayBeFirst(tx, account))) return proveOwner(tx, shop, by, { account, code })
  // Somebody set a first one meanwhile, as in another tab: nothing was typed that could be wrong.
  if (oldPin === undefined && account.walletId === null) return new AppError('PIN_ALREADY_SET')
  return checkPin(tx, shop.pins, by, oldPin ?? '')
}

async function changePin(shop: Accounts, by: SignedIn, input: OwnPin) {
  const { oldPin, pin, keep } = input
  const { uid } = by
  const account = await ownAccount(shop, by)
  if (oldPin === pin) throw new AppError('PIN_SAME')
  await mustBeDecided(shop.db, account, { secret: 'pin', keep })
  const error = await shop.db.transaction(async tx => {
    const locked = (await lockAccounts(tx, [uid])).get(uid)!
    const refused = await mayChange(tx, shop, by, locked, input)
    if (refused) return refused
    await tellOwner(tx, { uid, kind: 'pinChanged', byShop: false, facts: viaOf(by.token), at: by.now })
    await setPin(tx, uid, shop.pins.hash(uid, pin))
    await markCreditPin(tx, uid)
    await saveAccount(tx, uid, await endAccess(tx, setByOwner('pin', locked, by.now, keep)))
    return null
  })
  if (error) throw error.code === 'PIN_WRONG' ? new AppError('OLD_PIN_WRONG') : error
  return publish(shop, uid, false)
}

type PasswordInput = ParsedInput<typeof contract.updateUserAuthentication>['body']

/**
 * Sets a new password. Somebody else may have known the old one and added their own way to sign in, so all other ways
 * are removed except those that the caller knows to be the owner's (`keep`).
 */
async function givePassword(shop: Accounts, by: Person, { uid, password, keep = [] }: PasswordInput) {
  const oneTimePasswordHash = await hash(password)
  const reach = await editAccount(shop, by, uid, async ({ tx, target, save }) => {
    // Whoever knows an admin's password is half that admin, who could else step down in their name.
    if (target.role === 'admin') throw new AppError('ADMIN_PASSWORD')
    if (!target.providers.includes('password')) throw new AppError('NO_PASSWORD_SIGN_IN')
    await moveOpening(tx, by, uid, 'passwordSet')
    const told = await tellOwner(tx, { uid, kind: 'passwordReset', byShop: true, at: by.now })
    const removed = linksOf(target).flatMap(({ provider }) => (keep.includes(provider) ? [] : [provider]))
    const set = setByShop('password', target, by)
    const ended = await endAccess(tx, { ...set, kept: { ...set.kept, links: keep } })
    const shown = { mustChangePassword: true, providers: waysWithout(target, removed) }
    const change = { ...ended, mustChangePassword: true, oneTimePasswordHash }
    await save('account.resetPassword', change, shown, { providers: signInWaysOf(target) })
    return told
  })
  await shop.identityProvider.updateUser(uid, { password })
  await unlinkStrays(shop, uid)
  return { ...meOf(await publish(shop, uid, true)), isOwnerTold: isReached(shop, reach) }
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
  const reach = await editAccount(shop, by, uid, async ({ tx, target, save }) => {
    // A customer's PIN guards their shop credit.
    if (!hasWallet(target.role) && !(await lockPin(tx, uid))) throw new AppError('WALLET_NOT_FOUND')
    await moveOpening(tx, by, uid, 'pinReset')
    const told = await tellOwner(tx, { uid, kind: 'pinReset', byShop: true, at: by.now })
    await setPin(tx, uid, shop.pins.hash(uid, pin))
    const ended = await endAccess(tx, setByShop('pin', target, by))
    await save('account.resetPin', { ...ended, mustChangePin: true }, { mustChangePin: true })
    return told
  })
  await publish(shop, uid, false)
  return { pin, isOwnerTold: isReached(shop, reach) }
}

export const secretRoutes: Route[] = [
  route(contract.changePassword, async ({ body }, context) =>
    meOf(await changePassword(context.shop, signedInOf(context), body)),
  ),
  route(pins.changePin, async ({ body }, context) => {
    await context.shop.limits.take('pinTriesPerCaller', limitKey(context))
    return meOf(await changePin(context.shop, signedInOf(context), body))
  }),
  route(pins.sendOwnerCode, async (_, context) => {
    await context.shop.limits.take('ownerCodesPerCaller', limitKey(context))
    return sendCode(context.shop, signedInOf(context))
  }),
  route(contract.updateUserAuthentication, ({ body }, context) => givePassword(context.shop, personOf(context), body)),
  route(contract.setCustomAgentClaims, async ({ body }, context) =>
    meOf(await forceChange(context.shop, personOf(context), body)),
  ),
  route(pins.getPinState, async ({ params }, { shop, now }) => {
    const stored = await findPin(shop.db, params.uid)
    if (!stored) throw new AppError('PIN_NOT_SET')
    return pinStateOf(stored, now)
  }),
  route(pins.resetPin, ({ params }, context) => resetPin(context.shop, personOf(context), params.uid)),
]
