import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { parseBaht } from '@shop/shared/money.ts'
import * as contract from '@shop/shared/order/endpoints.ts'
import { exportAllOrders, searchOrders } from '@shop/shared/order/finding-endpoints.ts'
import { FOUND_BY } from '@shop/shared/order/history.ts'
import { staffCommandsOf } from '@shop/shared/order/staff-command.ts'
import { bangkokMonth } from '@shop/shared/time.ts'
import { placeText } from '../database/listing.ts'
import { isOwner, mustHaveKey } from '../http/caller.ts'
import { csvReply } from '../http/csv.ts'
import { type Context, personOf, type Route, route } from '../http/route.ts'
import { findTwoPersonAmount } from '../settings/store.ts'
import {
  countOpenBefore,
  findBySearch,
  findOrders,
  findOwnOrders,
  type HistoryRow,
  readOrders,
} from './history-store.ts'
import { HISTORY_SHEET, viewHistoryRow } from './history-view.ts'

async function listOwn(context: Context, query: ParsedInput<typeof contract.listOwnOrders>['query']) {
  const { rows, total } = await findOwnOrders(context.shop.db, mustHaveKey(context), query)
  return { rows: rows.map(viewHistoryRow), total, nowDate: context.now.toISOString() }
}

/** The next page follows the last row of a full one. */
const nextOf = (rows: HistoryRow[], pageSize: number): string | null =>
  rows.length === pageSize ? placeText(rows.at(-1)!.place) : null

async function listForStaff(context: Context, query: ParsedInput<typeof contract.listAllOrders>['query']) {
  const { db } = context.shop
  const person = personOf(context)
  const actor = { uid: person.uid, role: person.role }
  const [largeAboveSatang, { rows, total }, openBefore] = await Promise.all([
    findTwoPersonAmount(db),
    findOrders(db, query, person.uid),
    query.month ? countOpenBefore(db, bangkokMonth(query.month).from) : 0,
  ])
  const page = rows.map(row => ({
    ...viewHistoryRow(row),
    commands: isOwner(context, row.buyerKey) ? [] : staffCommandsOf(row, actor, largeAboveSatang),
  }))
  return { rows: page, total, next: nextOf(rows, query.pageSize), openBefore, nowDate: context.now.toISOString() }
}

async function search(context: Context, text: string) {
  const found = await findBySearch(context.shop.db, text, parseBaht(text))
  return {
    groups: FOUND_BY.map(by => ({ by, rows: found[by].map(viewHistoryRow) })).filter(({ rows }) => rows.length > 0),
  }
}

export const historyRoutes: Route[] = [
  route(contract.listOwnOrders, ({ query }, context) => listOwn(context, query)),
  route(contract.listAllOrders, ({ query }, context) => listForStaff(context, query)),
  route(searchOrders, ({ query }, context) => search(context, query.text)),
  route(exportAllOrders, ({ query }, context) =>
    csvReply(HISTORY_SHEET, readOrders(context.shop.db, query, personOf(context).uid), context.now),
  ),
]
