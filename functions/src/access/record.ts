import { type AccountRecord, getAccountRecord } from '@shop/shared/account/record-endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { findAccount, findHoldings } from '../account/store.ts'
import { type Route, route } from '../call/route.ts'
import type { Shop } from '../shop/shop.ts'

async function recordOf(
  { db, identityProvider }: Pick<Shop, 'db' | 'identityProvider'>,
  uid: string,
): Promise<AccountRecord> {
  if (!(await findAccount(db, uid))) throw new AppError('NOT_FOUND')
  const [holdings, user] = await Promise.all([findHoldings(db, uid), identityProvider.findUser(uid)])
  return { ...holdings, lastSignInAt: user?.lastSignInAt?.toISOString() ?? null }
}

export const recordRoutes: Route[] = [route(getAccountRecord, ({ params }, { shop }) => recordOf(shop, params.uid))]
