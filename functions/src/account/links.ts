import type { Me } from '@shop/shared/account/endpoints.ts'
import * as contract from '@shop/shared/account/endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { violatedConstraint } from '../database/database.ts'
import { type Context, type Route, route } from '../http/route.ts'
import type { LinePerson } from './line-login.ts'
import { withProof } from './line-sign-in.ts'
import { deleteLineLink, insertLineLink } from './line-store.ts'
import { mustBeRecent, ownAccount } from './own-account.ts'
import { findAccount, lockAccounts, saveAccount } from './store.ts'
import { isOwnLineAccount, meOf, uidOfLine } from './view.ts'

const ADDING_SECONDS = 600

/** Without this announcement a provider that the identity provider merged by itself stays closed. */
async function startLink(context: Context, provider: string) {
  mustBeRecent(context)
  const { shop, now } = context
  const { uid } = await ownAccount(context)
  await saveAccount(shop.db, uid, { addingProvider: provider, addingUntil: addSeconds(now, ADDING_SECONDS) })
  return meOf(await ownAccount(context))
}

/** A LINE account with money or a role of its own stays itself. An empty one rests until the link is taken away. */
async function mustBeFree({ shop }: Context, sub: string): Promise<void> {
  const own = await findAccount(shop.db, uidOfLine(sub))
  if (own && (own.walletId || own.role !== 'customer' || own.status === 'inactive'))
    throw new AppError('ALREADY_LINKED')
}

async function linkLine(context: Context, { sub }: LinePerson): Promise<Me> {
  const { shop, now } = context
  const { uid } = await ownAccount(context)
  if (uid === uidOfLine(sub)) throw new AppError('ALREADY_LINKED')
  await mustBeFree(context, sub)
  try {
    await shop.db.transaction(async tx => {
      const account = (await lockAccounts(tx, [uid])).get(uid)
      if (!account || account.providers.includes('line')) throw new AppError('ALREADY_LINKED')
      await insertLineLink(tx, { sub, uid, now })
      await saveAccount(tx, uid, { providers: [...account.providers, 'line'] })
    })
  } catch (error) {
    if (violatedConstraint(error)?.startsWith('linked_identity_')) throw new AppError('ALREADY_LINKED')
    throw error
  }
  return meOf(await ownAccount(context))
}

async function unlink(context: Context, provider: string): Promise<Me> {
  mustBeRecent(context)
  const { shop } = context
  const { uid } = await ownAccount(context)
  if (provider === 'line' && isOwnLineAccount(uid)) throw new AppError('ACCOUNT_IS_LINE')
  await shop.db.transaction(async tx => {
    const providers = (await lockAccounts(tx, [uid])).get(uid)?.providers ?? []
    if (!providers.includes(provider)) throw new AppError('NOT_FOUND')
    if (providers.length === 1) throw new AppError('LAST_SIGN_IN_METHOD')
    if (provider === 'line') await deleteLineLink(tx, uid)
    await saveAccount(tx, uid, { providers: providers.filter(each => each !== provider) })
    // Inside the transaction: what the provider refuses is still there, for the shop too.
    if (provider !== 'line') await shop.identityProvider.unlinkProvider(uid, provider)
  })
  return meOf(await ownAccount(context))
}

export const linkRoutes: Route[] = [
  route(contract.startLink, ({ body }, context) => startLink(context, body.provider)),
  route(contract.linkLine, ({ body }, context) => {
    mustBeRecent(context)
    return withProof(context, body, person => linkLine(context, person))
  }),
  route(contract.unlinkProvider, ({ params }, context) => unlink(context, params.provider)),
]
