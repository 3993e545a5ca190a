import { checkStatementPeriod, earliestStatementDay } from '@shop/shared/statement/period.ts'
import * as contract from '@shop/shared/statement/refund-endpoints.ts'
import { log } from '../http/log.ts'
import { type Route, route } from '../http/route.ts'
import type { Shop } from '../shop.ts'
import { countOverdueSlips, findAccountDays, findBookedWithoutLine } from './reconciliation-store.ts'

/** Tells the owner of orders that a slip service paid and no statement line has shown within two days. Returns how many. */
export async function warnOfOverdueSlips({ db, now }: Pick<Shop, 'db' | 'now'>): Promise<number> {
  const orders = await countOverdueSlips(db, earliestStatementDay(now()), now())
  if (orders > 0) log('ERROR', 'orders paid by slip have no statement line', { orders })
  return orders
}

export const reconciliationRoutes: Route[] = [
  route(contract.getReconciliation, async ({ query }, { shop, now }) => {
    checkStatementPeriod(query, now)
    const days = await findAccountDays(shop.db, query, now)
    const told = days.map(day => ({ ...day, differenceSatang: day.ledgerSatang - day.matchedSatang }))
    return { days: told, nowDate: now.toISOString() }
  }),
  route(contract.listBookedWithoutLine, async ({ query }, { shop, now }) => {
    const { rows, total } = await findBookedWithoutLine(shop.db, query, { since: earliestStatementDay(now), now })
    const told = rows.map(row => ({ ...row, by: row.by ?? '', bookedAt: row.bookedAt.toISOString() }))
    return { rows: told, total, nowDate: now.toISOString() }
  }),
]
