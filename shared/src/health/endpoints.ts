import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { chargeForStaff } from '../gateway/fields.ts'
import { line } from '../line.ts'
import { target } from '../statement/endpoints.ts'
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

/** The order or top-up that something is about; null where only its kind is known. */
const about = { target: target.nullable() }

const unknownCharge = chargeForStaff.extend({
  ...about,
  /** Since when nobody knows whether its money came, or what the gateway said of it can't be. */
  since: instant,
  /** What the gateway said that can't be; null while it only gives no answer. */
  contradiction: z.string().nullable(),
})
export type UnknownCharge = z.output<typeof unknownCharge>

const deadJob = z.object({
  id: z.uuid(),
  /** What it does, in words for staff. */
  label: z.string(),
  ...about,
  createdAt: instant,
  deadAt: instant,
  /** Why its last run failed, as the log calls it. */
  lastError: z.string().nullable(),
})
export type DeadJob = z.output<typeof deadJob>

export const getUnfinished = endpoint({
  method: 'GET',
  path: '/romons.health/api/unfinished',
  summary: 'What nobody outside has answered, and jobs that were given up: work of people. The oldest first',
  allow: 'health.look',
  reply: z.object({
    charges: z.array(unknownCharge),
    jobs: z.array(deadJob),
    /** How many there are of each; the lists end at some number. */
    counts: z.object({ charges: z.int(), jobs: z.int() }),
    nowDate: instant,
  }),
})
export type Unfinished = z.output<typeof getUnfinished.reply>

const params = z.object({ id: z.uuid() })
const body = z.object({ reason: line(500).min(1) })
const reply = params

export const closeCharge = endpoint({
  method: 'POST',
  path: '/romons.health/api/charge/:id/close',
  summary:
    'Says that a charge is not paid or was dealt with; should the gateway tell of its money later, that still counts',
  allow: 'health.mend',
  params,
  body,
  reply,
  errors: ['NOT_FOUND'],
})

export const retryJob = endpoint({
  method: 'POST',
  path: '/romons.health/api/job/:id/retry',
  summary: 'Starts a job again that was given up',
  allow: 'health.mend',
  params,
  reply,
  errors: ['NOT_FOUND'],
})

export const closeJob = endpoint({
  method: 'POST',
  path: '/romons.health/api/job/:id/close',
  summary: 'Says that what a job was to do has been done otherwise, or is not wanted any more',
  allow: 'health.mend',
  params,
  body,
  reply,
  errors: ['NOT_FOUND'],
})
