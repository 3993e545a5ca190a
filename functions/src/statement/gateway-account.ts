import { GATEWAY_NAMES, type GatewayName } from '@shop/shared/provider-names.ts'
import * as contract from '@shop/shared/statement/gateway-account-endpoints.ts'
import { checkStatementPeriod } from '@shop/shared/statement/period.ts'
import { startOfBangkokDay } from '@shop/shared/time.ts'
import { type Route, route } from '../call/route.ts'
import type { Queries } from '../database/database.ts'
import { findCollectors, findHeldAt } from '../gateway/store.ts'
import { inJson } from '../http/in-json.ts'
import { findGatewayDays, findGatewayMoves, findLastCheck, findOrdersOf } from './gateway-account-store.ts'

type Accounts = contract.GatewayAccounts['accounts']

async function findAccount(
  db: Queries,
  gateway: GatewayName,
  period: { from: string; to: string },
): Promise<Accounts[number]> {
  const openingSatang = await findHeldAt(db, gateway, startOfBangkokDay(period.from))
  return { gateway, openingSatang, days: await findGatewayDays(db, gateway, period) }
}

/** Returns what the last night found, with the orders whose charges it names. */
async function findCheck(db: Queries): Promise<contract.GatewayAccounts['check']> {
  const last = await findLastCheck(db)
  if (!last) return null
  const named = last.what.map(text => ({ text, reference: text.slice(0, text.indexOf(': ')) }))
  const orders = await findOrdersOf(
    db,
    named.map(({ reference }) => reference),
  )
  const what = named.map(({ text, reference }) => ({ text, orderNo: orders.get(reference) ?? null }))
  return { at: last.at.toISOString(), differences: last.differences, what }
}

export const gatewayAccountRoutes: Route[] = [
  route(contract.getGatewayAccounts, async ({ query }, { shop, now }) => {
    checkStatementPeriod(query, now)
    const collectors = await findCollectors(shop.reports)
    const accounts: Accounts = []
    // One after the other: each adds up a whole account.
    for (const gateway of GATEWAY_NAMES.filter(name => collectors.includes(name)))
      accounts.push(await findAccount(shop.reports, gateway, query))
    const shown = accounts.filter(({ openingSatang, days }) => openingSatang !== 0 || days.length > 0)
    return { accounts: shown, check: await findCheck(shop.reports), nowDate: now.toISOString() }
  }),
  route(contract.listGatewayMoves, async ({ query }, { shop, now }) => {
    checkStatementPeriod({ from: query.day, to: query.day }, now)
    const { rows, total } = await findGatewayMoves(shop.reports, query)
    return { rows: rows.map(inJson), total, nowDate: now.toISOString() }
  }),
]
