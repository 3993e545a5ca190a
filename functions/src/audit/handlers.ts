import * as contract from '@shop/shared/audit/endpoints.ts'
import { type Route, route } from '../call/route.ts'
import { csvReply } from '../http/csv.ts'
import { inJson } from '../http/in-json.ts'
import { AUDIT_SHEET } from './sheet.ts'
import { findAudit, findNamesOf, readAudit } from './store.ts'

export const auditRoutes: Route[] = [
  route(contract.listAudit, async ({ query }, { shop, now }) => {
    const { rows, total } = await findAudit(shop.reports, query)
    const shown = rows.map(({ cursor: _, ...row }) => inJson(row))
    return { rows: shown, total, names: await findNamesOf(shop.reports, rows), nowDate: now.toISOString() }
  }),
  route(contract.exportAudit, ({ query }, { shop, now }) => csvReply(AUDIT_SHEET, readAudit(shop.reports, query), now)),
]
