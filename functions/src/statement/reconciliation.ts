import { checkStatementPeriod, earliestStatementDay } from '@shop/shared/statement/period.ts'
import * as contract from '@shop/shared/statement/refund-endpoints.ts'
import { type Route, route } from '../call/route.ts'
import { inJson } from '../http/in-json.ts'
import { log } from '../http/log.ts'
import type { Shop } from '../shop/shop.ts'
import { countOverdue, findAccountDays, findBookedWithoutLine } from './reconciliation-store.ts'

/**
 * Tells the owner about payments on a slip's or a person's word that no statement line has confirmed within two days.
 */
export async function warnOfOverdue({
  db,
  now,
}: Pick<Shop, 'db' | 'now'>): Promise<{ orders: number; topUps: number }> {
  const overdue = await countOverdue(db, earliestStatementDay(now()), now())
  if (overdue.orders + overdue.topUps > 0) log('ERROR', 'what was paid has no statement line', overdue)
  return overdue
}

export const reconciliationRoutes: Route[] = [
  route(contract.getReconciliation, async ({ query }, { shop, now }) => {
    checkStatementPeriod(query, now)
    const days = await findAccountDays(shop.reports, query, now)
    const told = days.map(day => ({ ...day, differenceSatang: day.ledgerSatang - day.matchedSatang }))
    return { days: told, nowDate: now.toISOString() }
  }),
  route(contract.listBookedWithoutLine, async ({ query }, { shop, now }) => {
    const { rows, total } = await findBookedWithoutLine(shop.db, query, { since: earliestStatementDay(now), now })
    const told = rows.map(row => ({ ...inJson(row), by: row.by ?? '' }))
    return { rows: told, total, nowDate: now.toISOString() }
  }),
]
