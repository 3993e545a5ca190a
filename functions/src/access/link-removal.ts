import { isOwnLineAccount, type Linkable, SIGN_IN_PROVIDER } from '@shop/shared/account/account.ts'
import * as contract from '@shop/shared/account/endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { findAccount } from '../account/store.ts'
import { type Person, personOf, type Route, route } from '../call/route.ts'
import type { Shop } from '../shop/shop.ts'
import { endAccess, removeLinks, setByShop } from './access-ends.ts'
import { linksOf, waysWithout } from './links-of.ts'
import { editAccount, publish } from './management.ts'
import { type Channels, isReached } from './news.ts'
import { endAdmin } from './rank.ts'
import { meOf } from './view.ts'

type Accounts = Pick<Shop, 'db' | 'identityProvider'> & Channels

/**
 * Removes from the identity provider every way to sign in that the account does not have, whether the shop knew of it
 * or not.
 */
export async function unlinkStrays({ db, identityProvider }: Accounts, uid: string): Promise<void> {
  const [user, account] = [await identityProvider.findUser(uid), await findAccount(db, uid)]
  const strays = (user?.providers ?? []).filter(provider => !account?.providers.includes(provider))
  if (strays.length > 0) await identityProvider.unlinkProviders(uid, strays)
}

async function removeLink(shop: Accounts, by: Person, uid: string, provider: Linkable) {
  const [reach] = await editAccount(shop, by, uid, async ({ tx, target, save }) => {
    if (!linksOf(target).some(link => link.provider === provider))
      throw new AppError(provider === 'line' && isOwnLineAccount(uid) ? 'ACCOUNT_IS_LINE' : 'NOT_FOUND')
    if (waysWithout(target, [provider]).length === 0) throw new AppError('LAST_SIGN_IN_METHOD')
    if (target.role === 'admin') await endAdmin(tx, by, target, `นำวิธีเข้าสู่ระบบออก: ${SIGN_IN_PROVIDER[provider].name}`)
    const ended = await endAccess(tx, setByShop('link', target, by))
    const { change, before, after, reaches } = await removeLinks(tx, target, [provider], { byShop: true, at: by.now })
    await save('account.removeLink', { ...ended, ...change }, after, before)
    return reaches
  })
  await unlinkStrays(shop, uid)
  return { ...meOf(await publish(shop, uid, true)), isOwnerTold: isReached(shop, reach!) }
}

/** Lists the account's links with the email address that each provider reports, which may be somebody else's. */
async function listLinks({ db, identityProvider }: Accounts, uid: string) {
  const account = await findAccount(db, uid)
  if (!account) throw new AppError('NOT_FOUND')
  const user = await identityProvider.findUser(uid)
  return linksOf(account).map(({ provider, linkedAt }) => ({
    provider,
    linkedAt: linkedAt?.toISOString() ?? null,
    email: user?.saidBy[provider]?.email ?? null,
  }))
}

export const linkRemovalRoutes: Route[] = [
  route(contract.listLinks, ({ params }, { shop }) => listLinks(shop, params.uid)),
  route(contract.removeLink, ({ params }, context) =>
    removeLink(context.shop, personOf(context), params.uid, params.provider),
  ),
]
