import { hash, verify } from '@node-rs/argon2'
import * as contract from '@shop/shared/account/endpoints.ts'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import { hasWallet } from '@shop/shared/permissions.ts'
import type { Sql } from '../database/database.ts'
import { limitKey, type Person, personOf, type Route, route } from '../http/route.ts'
import type { Shop } from '../shop.ts'
import { moveValue } from '../value/moving.ts'
import { removeLinks, unlinkStrays } from './link-removal.ts'
import { linksOf } from './links-of.ts'
import { editAccount, publish } from './management.ts'
import { isReached, tellOwner, viaOf } from './news.ts'
import { mustBeRecent, ownAccount, type SignedIn, signedInOf } from './own-account.ts'
import { checkPin, createOneTimePin, findPin, lockPin, setPin } from './pin.ts'
import {
  type Account,
  type AccountChange,
  findBalance,
  findOneTimePasswordHash,
  lockAccounts,
  saveAccount,
} from './store.ts'
import { meOf, pinStateOf } from './view.ts'

type Accounts = Pick<Shop, 'db' | 'identityProvider' | 'pins' | 'chat' | 'mail'>

/** The server sets the password itself, so that nobody can claim to have changed it without doing so. */
async function changePassword(shop: Accounts, by: SignedIn, password: string) {
  const account = await ownAccount(shop, by)
  if (!account.providers.includes('password')) throw new AppError('NO_PASSWORD_SIGN_IN')
  mustBeRecent(by)
  const given = await findOneTimePasswordHash(shop.db, account.uid)
  if (given && (await verify(given, password))) throw new AppError('PASSWORD_SAME')
  await shop.identityProvider.updateUser(account.uid, { password })
  await shop.db.transaction(async tx => {
    await tellOwner(tx, { uid: by.uid, kind: 'passwordChanged', byShop: false, facts: viaOf(by.token), at: by.now })
    const changed = { mustChangePassword: false, oneTimePasswordHash: null }
    await saveAccount(tx, account.uid, { ...changed, tokensValidAfter: by.now })
  })
  return publish(shop, account.uid, true)
}

/**
 * Customers set their first PIN themselves, once there is shop credit to guard; that of a wallet comes from staff. The lock
 * of the account's row lets one of two first ones win.
 */
async function mayBeFirst(tx: Sql, { uid, walletId }: Account): Promise<boolean> {
  await lockAccounts(tx, [uid])
  return walletId === null && (await lockPin(tx, uid)) === null
}

async function changePin(shop: Accounts, by: SignedIn, { oldPin, pin }: { oldPin?: string; pin: string }) {
  const { uid } = by
  const account = await ownAccount(shop, by)
  if (oldPin === pin) throw new AppError('PIN_SAME')
  const error = await shop.db.transaction(async tx => {
    const isFirst = oldPin === undefined && (await mayBeFirst(tx, account))
    const refused = isFirst ? null : await checkPin(tx, shop.pins, by, oldPin ?? '')
    if (refused) return refused
    await tellOwner(tx, { uid, kind: 'pinChanged', byShop: false, facts: viaOf(by.token), at: by.now })
    await setPin(tx, uid, shop.pins.hash(uid, pin))
    await saveAccount(tx, uid, { mustChangePin: false })
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
    if (!target.providers.includes('password')) throw new AppError('NO_PASSWORD_SIGN_IN')
    const told = await tellOwner(tx, { uid, kind: 'passwordReset', byShop: true, at: by.now })
    const foreign = linksOf(target).flatMap(({ provider }) => (keep.includes(provider) ? [] : [provider]))
    const { change, before, after } = await removeLinks(tx, target, foreign, by.now)
    const forced = { mustChangePassword: true, tokensValidAfter: by.now }
    const shown = { mustChangePassword: true, ...after }
    await save('account.resetPassword', { ...change, ...forced, oneTimePasswordHash }, shown, before)
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

/**
 * Checks whether the PIN may be reset: whoever holds it can spend what is on the wallet and in shop credit, so that needs a
 * second person where it is much. @throws SECOND_WORD_NEEDED
 */
async function movePin(tx: Sql, by: Person, { uid }: Account): Promise<void> {
  const amountSatang = await findBalance(tx, uid)
  if (amountSatang <= 0) return
  const about = {
    subject: `account:${uid}`,
    note: 'ยอดในกระเป๋าและเครดิตร้านที่ผู้ถือ PIN ใช้ได้',
    owners: [`u:${uid}`],
  } as const
  await moveValue(tx, by, { ...about, kind: 'pinReset', amountSatang })
}

async function resetPin(shop: Accounts, by: Person, uid: string) {
  const pin = createOneTimePin()
  const reach = await editAccount(shop, by, uid, async ({ tx, target, save }) => {
    // A customer's PIN guards their shop credit.
    if (!hasWallet(target.role) && !(await lockPin(tx, uid))) throw new AppError('WALLET_NOT_FOUND')
    await movePin(tx, by, target)
    const told = await tellOwner(tx, { uid, kind: 'pinReset', byShop: true, at: by.now })
    await setPin(tx, uid, shop.pins.hash(uid, pin))
    await save('account.resetPin', { mustChangePin: true }, { mustChangePin: true })
    return told
  })
  await publish(shop, uid, false)
  return { pin, isOwnerTold: isReached(shop, reach) }
}

export const secretRoutes: Route[] = [
  route(contract.changePassword, async ({ body }, context) =>
    meOf(await changePassword(context.shop, signedInOf(context), body.password)),
  ),
  route(contract.changePin, async ({ body }, context) => {
    await context.shop.limits.take('pinTriesPerCaller', limitKey(context))
    return meOf(await changePin(context.shop, signedInOf(context), body))
  }),
  route(contract.updateUserAuthentication, ({ body }, context) => givePassword(context.shop, personOf(context), body)),
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
