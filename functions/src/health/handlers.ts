import { getHealth } from '@shop/shared/health/endpoints.ts'
import { inJson } from '../http/in-json.ts'
import { type Route, route } from '../http/route.ts'
import { findHealth } from './service-health.ts'

export const healthRoutes: Route[] = [
  route(getHealth, async (_, { shop, now }) => {
    const found = await findHealth(shop, now)
    const services = found.map(({ name, state, failingSince, succeededAt, failedAt, detail }) =>
      inJson({ name, state, failingSince, succeededAt, failedAt, detail }),
    )
    return { services, nowDate: now.toISOString() }
  }),
]
