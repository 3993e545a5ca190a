import * as contract from '@shop/shared/audit/endpoints.ts'
import { referencesOf } from '@shop/shared/audit/field.ts'
import { inJson } from '../http/in-json.ts'
import { type Route, route } from '../http/route.ts'
import { findAudit, findNames } from './store.ts'

export const auditRoutes: Route[] = [
  route(contract.listAudit, async ({ query }, { shop, now }) => {
    const { rows, total } = await findAudit(shop.db, query)
    const references = rows.flatMap(({ before, after }) => [before, after].flatMap(referencesOf))
    const names = await findNames(shop.db, references)
    return { rows: rows.map(inJson), total, names, nowDate: now.toISOString() }
  }),
]
