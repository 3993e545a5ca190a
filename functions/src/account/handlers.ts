import { parsePhone, ROLE_LABELS } from '@shop/shared/account/account.ts'
import type { Me } from '@shop/shared/account/endpoints.ts'
import * as contract from '@shop/shared/account/endpoints.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import { type Context, type Route, route } from '../http/route.ts'
import { type Account, findAccount, upsertAccount } from './store.ts'

/** An account as its owner sees it. */
export function meOf(account: Account): Me {
  const displayName = `${account.name} ${account.surname}`.trim() || account.username || account.email || 'ลูกค้า'
  return {
    uid: account.uid,
    username: account.username,
    providers: account.providers,
    name: account.name,
    surname: account.surname,
    displayName,
    tel: account.tel,
    email: account.email,
    emailVerified: account.emailVerified,
    reward: account.reward,
    createdDate: account.createdAt.toISOString(),
    isActived: account.status === 'pending' ? null : account.status === 'active',
    role: account.role,
    roleName: ROLE_LABELS[account.role],
    isPasswordChange: account.isPasswordChange,
    isPinChange: account.isPinChange,
    hasWallet: account.walletId !== null,
  }
}

async function syncAccount(
  context: Context,
  body: { username?: string; name?: string; surname?: string; tel?: string },
) {
  const { token, shop, now } = context
  invariant(token, 'only signed-in people may sync')
  const [firstName, ...rest] = (token.name ?? '').split(' ')
  await upsertAccount(shop.db, {
    uid: token.uid,
    provider: token.provider,
    email: token.email,
    emailVerified: token.emailVerified,
    profile: {
      username: body.username || token.email || token.name || '',
      name: body.name ?? firstName ?? '',
      surname: body.surname ?? rest.join(' '),
      tel: parsePhone(body.tel),
    },
    now,
  })
  const account = await findAccount(shop.db, token.uid)
  invariant(account, 'the account was just stored')
  return meOf(account)
}

export const accountRoutes: Route[] = [
  route(contract.syncAccount, ({ body }, context) => syncAccount(context, body)),
  route(contract.getMe, async (_, { account }) => {
    if (!account) throw new AppError('NOT_FOUND')
    return meOf(account)
  }),
]
