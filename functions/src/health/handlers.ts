import { getHealth } from '@shop/shared/health/endpoints.ts'
import { inJson } from '../http/in-json.ts'
import { type Route, route } from '../http/route.ts'
import { findChecks } from './checks.ts'
import { findHealth } from './service-health.ts'

export const healthRoutes: Route[] = [
  route(getHealth, async (_, { shop, now }) => {
    const [found, checks] = await Promise.all([findHealth(shop, now), findChecks(shop, now)])
    const services = found.map(({ name, state, failingSince, succeededAt, failedAt, detail }) =>
      inJson({ name, state, failingSince, succeededAt, failedAt, detail }),
    )
    return { services, checks, nowDate: now.toISOString() }
  }),
]
