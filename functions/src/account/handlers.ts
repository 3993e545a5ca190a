import { parsePhone, ROLE_LABELS } from '@shop/shared/account/account.ts'
import * as contract from '@shop/shared/account/endpoints.ts'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import { isAdminSide, ROLES } from '@shop/shared/permissions.ts'
import { type Context, callerKey, type Route, route } from '../http/route.ts'
import { isPublishedTerms } from '../settings/store.ts'
import { lineSignInRoutes } from './line-sign-in.ts'
import { linkRoutes } from './links.ts'
import { managementRoutes } from './management.ts'
import { secretRoutes } from './secrets.ts'
import { findAccount, findAccounts, hasProvider, insertTermsAcceptance, upsertAccount } from './store.ts'
import { claimsOf, isOwnLineAccount, meOf } from './view.ts'

type Registration = ParsedInput<typeof contract.syncAccount>['body']

/** The ways to sign in that an account has: the identity provider's, and LINE, which only the shop knows of. */
async function providersOf({ token, account, shop, now }: Context): Promise<string[]> {
  invariant(token, 'only signed-in people have providers')
  const user = await shop.identityProvider.findUser(token.uid)
  const all = user?.providers ?? (token.provider === 'custom' ? [] : [token.provider])
  const own = account ? all.filter(provider => hasProvider(account, provider, now)) : all
  // A merge may also have taken the owner's way away; what the shop recorded stays until they change it.
  const known = own.length > 0 || !account ? own : account.providers
  const hasLine = account?.providers.includes('line') || isOwnLineAccount(token.uid)
  return hasLine ? [...known.filter(provider => provider !== 'line'), 'line'] : known
}

async function syncAccount(context: Context, body: Registration) {
  const { token, shop, now } = context
  invariant(token, 'only signed-in people may sync')
  const [givenName, ...rest] = (token.name ?? '').split(' ')
  const providers = await providersOf(context)
  await upsertAccount(shop.db, {
    uid: token.uid,
    providers,
    email: token.email,
    emailVerified: token.emailVerified,
    profile: {
      username: body.username || token.email || token.name || '',
      givenName: body.name ?? givenName ?? '',
      familyName: body.surname ?? rest.join(' '),
      phone: parsePhone(body.tel),
    },
    now,
  })
  const account = await findAccount(shop.db, token.uid)
  invariant(account, 'the account was just stored')
  if (!context.account) await shop.identityProvider.setClaims(account.uid, claimsOf(account))
  return meOf(account)
}

/** Another person's account is not there for anybody but staff. */
async function getUser({ uid, caller, shop }: Context, wanted: string) {
  const account = uid === wanted || isAdminSide(caller) ? await findAccount(shop.db, wanted) : null
  if (!account) throw new AppError('NOT_FOUND')
  return meOf(account)
}

export const accountRoutes: Route[] = [
  route(contract.syncAccount, ({ body }, context) => syncAccount(context, body)),
  route(contract.getMe, async (_, { account }) => {
    if (!account) throw new AppError('NOT_FOUND')
    return meOf(account)
  }),
  route(contract.searchUsers, async ({ query }, { shop, now }) => {
    const { rows, total } = await findAccounts(shop.db, query)
    return { rows: rows.map(meOf), total, nowDate: now.toISOString() }
  }),
  route(contract.listRoles, async () => ROLES.map(id => ({ id, name: ROLE_LABELS[id] }))),
  route(contract.acceptTerms, async ({ body }, context) => {
    if (!(await isPublishedTerms(context.shop.db, body.version))) throw new AppError('TERMS_CHANGED')
    const acceptedAt = await insertTermsAcceptance(context.shop.db, callerKey(context), body.version, context.now)
    return { version: body.version, acceptedAt: acceptedAt.toISOString() }
  }),
  ...secretRoutes,
  ...lineSignInRoutes,
  ...linkRoutes,
  ...managementRoutes,
  // Last of the GETs under /user/: its parameter would take their paths.
  route(contract.getUser, ({ params }, context) => getUser(context, params.uid)),
]
