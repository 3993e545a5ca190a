import type { Route } from '../http/route.ts'
import { lineRoutes } from './lines.ts'

export const statementRoutes: Route[] = [...lineRoutes]
