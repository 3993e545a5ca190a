import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { instant } from '../wire.ts'
import { CHECK_NAMES } from './check.ts'
import { HEALTH_STATES, SERVICE_NAMES } from './health.ts'

const serviceHealth = z.object({
  name: z.enum(SERVICE_NAMES),
  state: z.enum(HEALTH_STATES),
  /** Since when it fails; null while it does not. */
  failingSince: instant.nullable(),
  /** When it last worked and last failed, as far as that is kept. */
  succeededAt: instant.nullable(),
  failedAt: instant.nullable(),
  /** What else is to be known, in words for staff. */
  detail: z.string().nullable(),
})
export type ServiceHealth = z.output<typeof serviceHealth>

const healthCheck = z.object({
  name: z.enum(CHECK_NAMES),
  isRed: z.boolean(),
  facts: z.array(
    z.object({
      of: z.string().nullable(),
      label: z.string().nullable(),
      value: z.number().nullable(),
      limit: z.number().nullable(),
    }),
  ),
})
export type HealthCheck = z.output<typeof healthCheck>

export const getHealth = endpoint({
  method: 'GET',
  path: '/romons.health/api/health',
  summary:
    'How the services do that the shop depends on, and what is watched, from what the shop has seen; nothing outside is called',
  allow: 'health.look',
  reply: z.object({ services: z.array(serviceHealth), checks: z.array(healthCheck), nowDate: instant }),
})
