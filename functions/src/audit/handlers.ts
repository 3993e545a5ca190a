import * as contract from '@shop/shared/audit/endpoints.ts'
import { type Route, route } from '../http/route.ts'
import { findAudit } from './store.ts'

export const auditRoutes: Route[] = [
  route(contract.listAudit, async ({ query }, { shop, now }) => {
    const { rows, total } = await findAudit(shop.db, query)
    return { rows: rows.map(row => ({ ...row, at: row.at.toISOString() })), total, nowDate: now.toISOString() }
  }),
]
