import * as contract from '@shop/shared/statement/import-endpoints.ts'
import { type Route, route } from '../call/route.ts'
import { decideRoutes } from './decide.ts'
import { feedRoutes } from './feed.ts'
import { fileWordRoutes } from './file-word.ts'
import { fileRoutes } from './files.ts'
import { gatewayAccountRoutes } from './gateway-account.ts'
import { lineRoutes } from './lines.ts'
import { matchNext } from './matching.ts'
import { payeeRoutes } from './payee.ts'
import { reconciliationRoutes } from './reconciliation.ts'
import { refundRoutes } from './refunds.ts'
import { takeBackRoutes } from './take-back.ts'
import { trustRoutes } from './trust.ts'

export const statementRoutes: Route[] = [
  ...fileRoutes,
  ...fileWordRoutes,
  ...feedRoutes,
  ...lineRoutes,
  ...decideRoutes,
  ...trustRoutes,
  ...takeBackRoutes,
  ...refundRoutes,
  ...payeeRoutes,
  ...reconciliationRoutes,
  ...gatewayAccountRoutes,
  route(contract.matchStatementLines, ({ body }, { shop }) => matchNext(shop, body)),
]
