import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import { claimUntilFrom } from '@shop/shared/order/claim.ts'
import * as contract from '@shop/shared/order/queue-endpoints.ts'
import { type Context, personOf, type Route, route } from '../../call/route.ts'
import { inJson } from '../../http/in-json.ts'
import { twoPersonAmountOf } from '../../settings/store.ts'
import { hasSuppliers } from '../../supplier/provider.ts'
import { findQueue, findQueueVersion, renewClaims } from './queue-store.ts'
import { commandsOf, updateStatus } from './status-handlers.ts'

type QueueQuery = ParsedInput<typeof contract.listQueue>['query']

async function list(context: Context, { since, ...ask }: QueueQuery) {
  const { db } = context.shop
  // The version is read first, so that a change between the two reads is reported by the next answer.
  const version = await findQueueVersion(db)
  const nowDate = context.now.toISOString()
  if (since === version) return { version, list: null, nowDate }
  const { rows, counts } = await findQueue(db, { ...ask, uid: personOf(context).uid })
  const largeAboveSatang = twoPersonAmountOf((await context.shop.catalogue.latest()).options)
  const shown = rows.map(row => ({
    ...inJson(row),
    isHeld: row.isHeld && hasSuppliers(context.shop),
    commands: commandsOf(context, row, largeAboveSatang),
  }))
  return { version, list: { rows: shown, counts }, nowDate }
}

/** Claims each order in its own transaction, so that one that fails does not affect the others. */
async function claimEach(context: Context, orderNos: readonly string[]) {
  const claimed: string[] = []
  const refused: { orderNo: string; code: string; message: string }[] = []
  for (const orderNo of new Set(orderNos)) {
    try {
      await updateStatus(context, { orderNo, status: 'processing' })
      claimed.push(orderNo)
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      refused.push({ orderNo, code: error.code, message: error.message })
    }
  }
  return { claimed, refused }
}

async function renew(context: Context, orderNo: string) {
  const { shop, now } = context
  const until = await renewClaims(shop.db, { orderNo, uid: personOf(context).uid, until: claimUntilFrom(now) })
  return { claimUntil: until?.toISOString() ?? null }
}

export const queueRoutes: Route[] = [
  route(contract.listQueue, ({ query }, context) => list(context, query)),
  route(contract.claimOrders, ({ body }, context) => claimEach(context, body.orderNos)),
  route(contract.renewClaim, ({ body }, context) => renew(context, body.orderNo)),
]
