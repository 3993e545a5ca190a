import { ROLE_LABELS } from '@shop/shared/account/account.ts'
import * as contract from '@shop/shared/account/endpoints.ts'
import { listRoles } from '@shop/shared/account/rank-endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { ROLES } from '@shop/shared/permissions.ts'
import { authoriseForeign, mustHaveKey } from '../account/caller.ts'
import { findAcceptedTerms, findAccount, findAccounts, insertTermsAcceptance } from '../account/store.ts'
import { type Context, type Route, route } from '../call/route.ts'
import { isPublishedTerms } from '../settings/store.ts'
import { accessRoutes } from './access-ends.ts'
import { lineSignInRoutes } from './line-sign-in.ts'
import { linkRemovalRoutes } from './link-removal.ts'
import { linkRoutes } from './links.ts'
import { managementRoutes } from './management.ts'
import { signedInOf } from './own-account.ts'
import { recordRoutes } from './record.ts'
import { secretRoutes } from './secrets.ts'
import { syncSignIn } from './sync.ts'
import { totpRoutes } from './totp.ts'
import { meOf } from './view.ts'

/** Only staff may look at another person's account; everybody else is told that it does not exist. */
async function getUser(context: Context, wanted: string) {
  if (context.uid !== wanted) authoriseForeign(context, 'account.list', 'NOT_FOUND')
  const account = await findAccount(context.shop.db, wanted)
  if (!account) throw new AppError('NOT_FOUND')
  return meOf(account)
}

export const accountRoutes: Route[] = [
  route(contract.syncAccount, async ({ body }, context) =>
    meOf(await syncSignIn(context.shop, signedInOf(context), body)),
  ),
  route(contract.getMe, async (_, { account }) => {
    if (!account) throw new AppError('NOT_FOUND')
    return meOf(account)
  }),
  route(contract.searchUsers, async ({ query }, { shop, now }) => {
    const { rows, total } = await findAccounts(shop.db, query)
    const told = rows.map(row => {
      const { orders, spentSatang, lastOrderAt } = row
      return { ...meOf(row), orders, spentSatang, lastOrderAt: lastOrderAt?.toISOString() ?? null }
    })
    return { rows: told, total, nowDate: now.toISOString() }
  }),
  route(listRoles, async () => ROLES.map(id => ({ id, name: ROLE_LABELS[id] }))),
  route(contract.acceptTerms, async ({ body }, context) => {
    await context.shop.limits.take('termsPerAddress', context.address)
    if (!(await isPublishedTerms(context.shop.db, body.version))) throw new AppError('TERMS_CHANGED')
    const acceptedAt = await insertTermsAcceptance(context.shop.db, mustHaveKey(context), body.version, context.now)
    return { version: body.version, acceptedAt: acceptedAt.toISOString() }
  }),
  route(contract.getAcceptedTerms, async (_, context) => ({
    version: await findAcceptedTerms(context.shop.db, mustHaveKey(context)),
  })),
  ...secretRoutes,
  ...lineSignInRoutes,
  ...linkRoutes,
  ...linkRemovalRoutes,
  ...managementRoutes,
  ...totpRoutes,
  ...accessRoutes,
  ...recordRoutes,
  // This is the last of the GETs under /user/, because its parameter would match their paths.
  route(contract.getUser, ({ params }, context) => getUser(context, params.uid)),
]
