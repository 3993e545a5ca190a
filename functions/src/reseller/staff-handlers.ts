import { AppError } from '@shop/shared/errors.ts'
import * as contract from '@shop/shared/reseller/key-endpoints.ts'
import { endKeys } from '../access/machines.ts'
import { editAccount } from '../access/management.ts'
import { tellOwner } from '../access/news.ts'
import { audit } from '../audit/store.ts'
import { type Context, personOf, type Route, route } from '../call/route.ts'
import { findKeys, findWritten } from './key-store.ts'
import { findAgentApis, findTold } from './staff-store.ts'

/** Ends an agent's key; their machines are refused from their next call on. @throws NOT_FOUND, FORBIDDEN */
async function endAgentKey(context: Context, { uid, id }: { uid: string; id: string }, reason: string) {
  const { db } = context.shop
  const person = personOf(context)
  const { now } = person
  await editAccount({ db }, person, uid, async ({ tx }) => {
    const [key] = await endKeys(tx, { uid, id, for: 'staff', by: person.uid, now })
    if (!key) throw new AppError('NOT_FOUND')
    const { name } = key
    await tellOwner(tx, { uid, kind: 'apiKeyEnded', byShop: true, at: now, facts: { keyName: name, why: reason } })
    await audit(tx, person, {
      action: 'apiKey.end',
      subject: `apiKey:${id}`,
      before: { name },
      after: { name, reason },
    })
  })
  return findWritten(db, uid, id, now)
}

/** What staff see of agents' machines. */
export const resellerStaffRoutes: Route[] = [
  route(contract.getAgentApi, async ({ params: { uid } }, { shop: { db, keyUse }, now }) => {
    await keyUse.flush()
    const [keys, webhooks] = await Promise.all([findKeys(db, uid, now), findTold(db, uid)])
    return { keys, webhooks, nowDate: now.toISOString() }
  }),
  route(contract.endAgentKey, ({ params, body }, context) => endAgentKey(context, params, body.reason)),
  route(contract.listAgentApis, async ({ query }, { shop: { db, keyUse }, now }) => {
    await keyUse.flush()
    return { ...(await findAgentApis(db, query, now)), nowDate: now.toISOString() }
  }),
]
