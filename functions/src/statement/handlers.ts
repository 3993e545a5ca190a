import type { Route } from '../http/route.ts'
import { decideRoutes } from './decide.ts'
import { lineRoutes } from './lines.ts'
import { refundRoutes } from './refunds.ts'

export const statementRoutes: Route[] = [...lineRoutes, ...decideRoutes, ...refundRoutes]
