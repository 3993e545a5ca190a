import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { isCorrectable } from '@shop/shared/order/correction.ts'
import * as contract from '@shop/shared/order/endpoints.ts'
import { exportAllOrders, searchOrders } from '@shop/shared/order/finding-endpoints.ts'
import { FOUND_BY, isCarriedOver } from '@shop/shared/order/history.ts'
import { canCancel } from '@shop/shared/order/order.ts'
import { listOwnOrders, listRunningOrders, type OwnOrder } from '@shop/shared/order/own-endpoints.ts'
import { staffCommandsOf } from '@shop/shared/order/staff-command.ts'
import { bangkokMonth, DAY_MS } from '@shop/shared/time.ts'
import { parseBaht } from '@shop/shared/typed-baht.ts'
import { isOwner, may, ownerKey, ownerKeys } from '../../account/caller.ts'
import { type Context, personOf, type Route, route } from '../../call/route.ts'
import { cursorText } from '../../database/listing.ts'
import { csvReply } from '../../http/csv.ts'
import { inJson } from '../../http/in-json.ts'
import { twoPersonAmountOf } from '../../settings/store.ts'
import { findSubjectsOfSlip } from '../../upload/store.ts'
import { findTopUpsOf } from '../../wallet/top-up-store.ts'
import { countOpenBefore, findBySearch, findOrders, type HistoryRow, readOrders } from './history-store.ts'
import { historySheet } from './history-view.ts'
import { findBuyerOrders, findOwnOrders, findRunningOrders, NO_ORDERS } from './own-store.ts'

async function listOwn(context: Context, query: ParsedInput<typeof listOwnOrders>['query']) {
  const key = ownerKey(context)
  // A browser that never ordered has no key yet, and so no orders.
  const { rows, counts } = key ? await findOwnOrders(context.shop.db, key, query) : { rows: [], counts: NO_ORDERS }
  return { rows: rows.map(viewOwn), total: counts[query.tab ?? 'all'], counts, nowDate: context.now.toISOString() }
}

/** Says what an order waits for that only its buyer can say. */
function asksOf(row: HistoryRow): OwnOrder['asks'] {
  if (isCorrectable(row) && !row.isProposed && !row.isRefundAsked) return 'player'
  return row.isPayeeMissing ? 'payee' : null
}

const viewOwn = (row: HistoryRow) => ({
  ...inJson(row),
  asks: asksOf(row),
  isCorrected: isCorrectable(row) && row.isProposed,
})

/**
 * For this many days a failed order, or one with a late transfer that nobody has found, is shown beside those under
 * way.
 */
const BAD_END_DAYS = 7

const badEndsAfter = (now: Date): Date => new Date(now.getTime() - BAD_END_DAYS * DAY_MS)

function viewRunning({ now, ...identity }: Context, rows: HistoryRow[]) {
  const ownKey = ownerKey(identity)
  return {
    rows: rows.map(row => {
      const isInHistory = row.buyerKey === ownKey
      return { ...viewOwn(row), isInHistory, isBlocking: isInHistory && canCancel(row) }
    }),
    nowDate: now.toISOString(),
  }
}

async function listRunning(context: Context) {
  return viewRunning(context, await findRunningOrders(context.shop.db, ownerKeys(context), badEndsAfter(context.now)))
}

/** Returns the same with the last deliveries of a game to the caller's account; a guest has none. */
export async function listOfBuyer(context: Context, gameId: number | undefined) {
  if (!context.uid || gameId === undefined) return { running: await listRunning(context), deliveries: [] }
  const asked = { buyerKeys: ownerKeys(context), endedAfter: badEndsAfter(context.now), gameId }
  const { running, deliveries } = await findBuyerOrders(context.shop.db, asked)
  return { running: viewRunning(context, running), deliveries: deliveries.map(viewOwn) }
}

/** When a page is full, the next one begins after its last row. */
const nextOf = (rows: HistoryRow[], pageSize: number): string | null =>
  rows.length === pageSize ? cursorText(rows.at(-1)!.cursor) : null

async function listForStaff(context: Context, query: ParsedInput<typeof contract.listAllOrders>['query']) {
  const { db } = context.shop
  const person = personOf(context)
  const actor = { uid: person.uid, role: person.role }
  const [{ options }, { rows, total }, openBefore] = await Promise.all([
    context.shop.catalogue.latest(),
    findOrders(db, query, person.uid),
    query.month
      ? countOpenBefore(db, bangkokMonth(query.month).from, isCarriedOver(query.status) ? query.status! : [])
      : 0,
  ])
  const page = rows.map(row => ({
    ...inJson(row),
    commands: isOwner(context, row.buyerKey) ? [] : staffCommandsOf(row, actor, twoPersonAmountOf(options)),
  }))
  return { rows: page, total, next: nextOf(rows, query.pageSize), openBefore, nowDate: context.now.toISOString() }
}

async function search(context: Context, text: string) {
  const { db } = context.shop
  const ofSlip = await findSubjectsOfSlip(db, text)
  const [found, topUps] = await Promise.all([
    findBySearch(db, text, { amountSatang: parseBaht(text), ofSlip }),
    ofSlip.length > 0 && may(context, 'wallet.look') ? findTopUpsOf(db, ofSlip) : [],
  ])
  const groups = FOUND_BY.map(by => ({ by, rows: found[by].map(inJson) })).filter(({ rows }) => rows.length > 0)
  return { groups, topUps }
}

export const historyRoutes: Route[] = [
  route(listOwnOrders, ({ query }, context) => listOwn(context, query)),
  route(listRunningOrders, (_, context) => listRunning(context)),
  route(contract.listAllOrders, ({ query }, context) => listForStaff(context, query)),
  route(searchOrders, ({ query }, context) => search(context, query.text)),
  route(exportAllOrders, ({ query }, context) => {
    const { uid } = personOf(context)
    return csvReply(
      historySheet({ seesCosts: may(context, 'supplier.manage') }),
      readOrders(context.shop.reports, query, uid),
      context.now,
    )
  }),
]
