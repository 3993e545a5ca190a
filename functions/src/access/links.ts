import { isOwnLineAccount, uidOfLine } from '@shop/shared/account/account.ts'
import * as contract from '@shop/shared/account/endpoints.ts'
import type { NewsFacts } from '@shop/shared/account/news.ts'
import { AppError } from '@shop/shared/errors.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { deleteLineLink, insertLineLink } from '../account/line-store.ts'
import { mustBeProven } from '../account/session.ts'
import { type Account, findAccount, findBalance, lockAccounts, saveAccount } from '../account/store.ts'
import { type Route, route } from '../call/route.ts'
import { violatedConstraint } from '../database/database.ts'
import type { Shop } from '../shop/shop.ts'
import { endAccess, setByOwner } from './access-ends.ts'
import { withProof } from './line-sign-in.ts'
import { tellOwner, viaOf, wayOf } from './news.ts'
import { mustBeRecent, ownAccount, type SignedIn, signedInOf } from './own-account.ts'
import { meOf, signInWaysOf } from './view.ts'

const ADDING_SECONDS = 600

type Accounts = Pick<Shop, 'db' | 'identityProvider'>

/**
 * Announces that the owner is about to add a provider. Unless it was announced, a provider that the identity provider
 * merged by itself can't be used to sign in.
 */
async function startLink(shop: Accounts, by: SignedIn, provider: string): Promise<Account> {
  mustBeRecent(by)
  const account = await ownAccount(shop, by)
  mustBeProven(account)
  const announcement = { addingProvider: provider, addingUntil: addSeconds(by.now, ADDING_SECONDS) }
  await saveAccount(shop.db, account.uid, announcement)
  return { ...account, ...announcement }
}

/**
 * A LINE account that has money or a role can't be linked to another account. An empty one can, and is unused until the
 * link is removed.
 */
async function mustBeFree({ db }: Accounts, sub: string): Promise<void> {
  const own = await findAccount(db, uidOfLine(sub))
  if (!own) return
  const hasMoney = own.walletId !== null || (await findBalance(db, own.uid)) !== 0
  if (hasMoney || own.role !== 'customer' || own.status === 'inactive') throw new AppError('ALREADY_LINKED')
}

/**
 * Links a LINE identity to the account; the caller has already checked whose identity it is. @throws ALREADY_LINKED,
 * EMAIL_UNPROVEN, NOT_FOUND
 */
export async function linkLine(
  shop: Accounts,
  { uid, sub, now, via }: { uid: string; sub: string; now: Date; via?: Pick<NewsFacts, 'via'> },
): Promise<void> {
  if (uid === uidOfLine(sub)) throw new AppError('ALREADY_LINKED')
  await mustBeFree(shop, sub)
  try {
    await shop.db.transaction(async tx => {
      const account = (await lockAccounts(tx, [uid])).get(uid)
      if (!account) throw new AppError('NOT_FOUND')
      mustBeProven(account)
      await tellOwner(tx, { uid, kind: 'signInLinked', byShop: false, facts: { way: 'line', ...via }, at: now })
      await insertLineLink(tx, { sub, uid, now })
    })
  } catch (error) {
    if (violatedConstraint(error)?.startsWith('linked_identity_')) throw new AppError('ALREADY_LINKED')
    throw error
  }
}

/** Puts a provider back into the shop's record when the identity provider could not remove it. */
async function keepProvider({ db }: Accounts, uid: string, provider: string): Promise<void> {
  await db.transaction(async tx => {
    const providers = (await lockAccounts(tx, [uid])).get(uid)?.providers ?? []
    if (!providers.includes(provider)) await saveAccount(tx, uid, { providers: [...providers, provider] })
  })
}

/**
 * Refuses to remove the last way to sign in. The account is read under lock, so that two removals at once can't remove
 * the last two.
 */
function mustBeSpare(account: Account | undefined, provider: string): void {
  const ways = account ? signInWaysOf(account) : []
  if (!ways.includes(provider)) throw new AppError('NOT_FOUND')
  if (ways.length === 1) throw new AppError('LAST_SIGN_IN_METHOD')
}

async function unlink(shop: Accounts, by: SignedIn, provider: string): Promise<Account> {
  mustBeRecent(by)
  const { uid } = by
  if (provider === 'line' && isOwnLineAccount(uid)) throw new AppError('ACCOUNT_IS_LINE')
  await shop.db.transaction(async tx => {
    const account = (await lockAccounts(tx, [uid])).get(uid)
    mustBeSpare(account, provider)
    const facts = { ...wayOf(provider), ...viaOf(by.token) }
    await tellOwner(tx, { uid, kind: 'signInUnlinked', byShop: false, facts, at: by.now })
    const ended = await endAccess(tx, setByOwner('link', account!, by.now))
    if (provider === 'line') await deleteLineLink(tx, uid)
    await saveAccount(tx, uid, { ...ended, providers: account!.providers.filter(each => each !== provider) })
  })
  if (provider !== 'line') {
    await shop.identityProvider.unlinkProviders(uid, [provider]).catch(async error => {
      await keepProvider(shop, uid, provider)
      throw error
    })
  }
  return ownAccount(shop, by)
}

export const linkRoutes: Route[] = [
  route(contract.startLink, async ({ body }, context) =>
    meOf(await startLink(context.shop, signedInOf(context), body.provider)),
  ),
  route(contract.linkLine, async ({ body }, context) => {
    const by = signedInOf(context)
    mustBeRecent(by)
    // Checked first, so that a refusal does not use up the proof.
    mustBeProven(await ownAccount(context.shop, by))
    return withProof(context.shop, body, async ({ sub }) => {
      await linkLine(context.shop, { uid: by.uid, sub, now: by.now, via: viaOf(by.token) })
      return meOf(await ownAccount(context.shop, by))
    })
  }),
  route(contract.unlinkProvider, async ({ params }, context) =>
    meOf(await unlink(context.shop, signedInOf(context), params.provider)),
  ),
]
