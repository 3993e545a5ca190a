import * as contract from '@shop/shared/health/endpoints.ts'
import { type Route, route } from '../call/route.ts'
import { inJson } from '../http/in-json.ts'
import { findChecks } from './checks.ts'
import { findHealth } from './service-health.ts'
import { mend, viewUnfinished } from './unfinished.ts'

export const healthRoutes: Route[] = [
  route(contract.getHealth, async (_, { shop, now }) => {
    const [found, checks] = await Promise.all([findHealth(shop, now), findChecks(shop, now)])
    const services = found.map(({ name, state, failingSince, succeededAt, failedAt, detail }) =>
      inJson({ name, state, failingSince, succeededAt, failedAt, detail }),
    )
    return { services, checks, nowDate: now.toISOString() }
  }),
  route(contract.getUnfinished, (_, context) => viewUnfinished(context)),
  route(contract.closeCharge, ({ params, body }, context) => mend(context, 'charge.close', params.id, body.reason)),
  route(contract.retryJob, ({ params }, context) => mend(context, 'job.retry', params.id, null)),
  route(contract.closeJob, ({ params, body }, context) => mend(context, 'job.close', params.id, body.reason)),
]
