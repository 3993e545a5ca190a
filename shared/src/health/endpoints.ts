import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { instant } from '../wire.ts'
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

export const getHealth = endpoint({
  method: 'GET',
  path: '/romons.health/api/health',
  summary: 'How the services do that the shop depends on, from what the shop has seen; nothing outside is called',
  allow: 'health.look',
  reply: z.object({ services: z.array(serviceHealth), nowDate: instant }),
})
