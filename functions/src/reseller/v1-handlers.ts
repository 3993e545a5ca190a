import * as v1 from '@shop/shared/reseller/v1-endpoints.ts'
import { findAccountOfKey } from '../account/key-ring.ts'
import { type Arrival, type Context, enteringRoute, type Route, route } from '../call/route.ts'
import { type ApiOrderBody, type Desk, machineOf } from './desk.ts'
import { live, placeByKey } from './live.ts'
import { machineRoute } from './machine-route.ts'
import { placePlay, play } from './play.ts'
import { gamesRoute, packagesRoute } from './price-list.ts'

const deskOf = (context: Context): Desk => (machineOf(context).key.mode === 'live' ? live : play)

async function place(arrival: Arrival, body: ApiOrderBody) {
  const { key } = machineOf(arrival)
  if (key.mode === 'live') return placeByKey(arrival, body)
  return placePlay(arrival.enter(await findAccountOfKey(arrival.shop.db, key.id)), body)
}

/** The calls of agents' machines. */
export const apiRoutes: Route[] = [
  machineRoute(gamesRoute, 'apiPricesPerKey'),
  machineRoute(packagesRoute, 'apiPricesPerKey'),
  machineRoute(
    route(v1.checkApiPlayer, ({ body }, context) => deskOf(context).checkPlayer(context, body)),
    'apiChecksPerKey',
  ),
  machineRoute(
    route(v1.getApiWallet, (_, context) => deskOf(context).wallet(context)),
    'apiReadsPerKey',
  ),
  machineRoute(
    route(v1.listApiEntries, ({ query }, context) => deskOf(context).entries(context, query)),
    'apiReadsPerKey',
  ),
  // Orders are counted together with the other facts of a purchase.
  machineRoute(
    enteringRoute(v1.createApiOrder, ({ body }, arrival) => place(arrival, body)),
    null,
  ),
  machineRoute(
    route(v1.listApiOrders, ({ query }, context) => deskOf(context).list(context, query)),
    'apiReadsPerKey',
  ),
  machineRoute(
    route(v1.getApiOrderByRef, ({ params }, context) => deskOf(context).find(context, params)),
    'apiReadsPerKey',
  ),
  machineRoute(
    route(v1.getApiOrder, ({ params }, context) => deskOf(context).find(context, { orderNo: params.id })),
    'apiReadsPerKey',
  ),
  machineRoute(
    route(v1.cancelApiOrder, ({ params }, context) => deskOf(context).cancel(context, params.id)),
    'apiOrdersPerKey',
  ),
  machineRoute(
    route(v1.getApiCodes, ({ params }, context) => deskOf(context).codes(context, params.id)),
    'apiCodesPerKey',
  ),
]
