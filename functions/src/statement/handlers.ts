import * as contract from '@shop/shared/statement/import-endpoints.ts'
import { type Route, route } from '../http/route.ts'
import { feedRoutes } from './feed.ts'
import { fileRoutes } from './files.ts'
import { lineRoutes } from './lines.ts'
import { matchNext } from './matching.ts'

export const statementRoutes: Route[] = [
  ...fileRoutes,
  ...feedRoutes,
  ...lineRoutes,
  route(contract.matchStatementLines, ({ body }, { shop }) => matchNext(shop, body.receivingAccountId)),
]
