import * as z from 'zod'
import { pin } from '../account/fields.ts'
import { PIN_ERRORS } from '../account/pin-endpoints.ts'
import { endpoint } from '../endpoint.ts'
import { KEY_MODES } from '../reseller/reseller.ts'
import { instant } from '../wire.ts'
import { chosenEvents, webhookMessageId, webhookUrl } from './fields.ts'
import { CHOSEN_EVENTS, MESSAGE_STATES, WEBHOOK_EVENTS, WEBHOOK_OFFS } from './webhook.ts'

const params = z.object({ id: z.uuid() })

const webhook = z.object({
  id: z.uuid(),
  mode: z.enum(KEY_MODES),
  url: z.string(),
  createdAt: instant,
  isOn: z.boolean(),
  /** Why it is off; null while it is on. */
  offFor: z.enum(WEBHOOK_OFFS).nullable(),
  /** The only events that are sent there; null for all, also those that come to be. */
  events: z.array(z.enum(CHOSEN_EVENTS)).nullable(),
  /** Since when nothing arrives there; null while it does. */
  failingSince: instant.nullable(),
  /** Until when deliveries are signed with the secret of before, too; null without one. */
  oldSecretUntil: instant.nullable(),
  /** What waits to be sent. */
  waiting: z.int(),
})
export type WebhookView = z.output<typeof webhook>

/** An endpoint with its secret, `whsec_` and base64, which is in this answer only. */
const withSecret = z.object({ webhook, secret: z.string() })

const SECRET_ERRORS = ['WEBHOOK_KEYS_MISSING', 'RATE_LIMITED'] as const

export const listWebhooks = endpoint({
  method: 'GET',
  path: '/romons.webhook/api/webhooks',
  summary: "Where the caller's own machines are told about events",
  allow: 'reseller.keys',
  reply: z.object({ webhooks: z.array(webhook), nowDate: instant }),
})

export const addWebhook = endpoint({
  method: 'POST',
  path: '/romons.webhook/api/webhooks',
  summary: 'Adds an endpoint: a public HTTPS address; its owner is told',
  allow: 'reseller.keys',
  body: z.object({ mode: z.enum(KEY_MODES), url: webhookUrl, pin }),
  reply: withSecret,
  errors: ['PIN_WRONG', ...PIN_ERRORS, 'WEBHOOK_TOO_MANY', 'WEBHOOK_ADDRESS_REFUSED', ...SECRET_ERRORS],
})

export const removeWebhook = endpoint({
  method: 'DELETE',
  path: '/romons.webhook/api/webhooks/:id',
  summary: 'Removes an endpoint with its log',
  allow: 'reseller.keys',
  params,
  reply: z.object({ id: z.uuid() }),
  errors: ['NOT_FOUND'],
})

export const switchWebhook = endpoint({
  method: 'POST',
  path: '/romons.webhook/api/webhooks/:id/switch',
  summary: 'Switches an endpoint on or off; what happens while it is off is not told later',
  allow: 'reseller.keys',
  params,
  body: z.object({ isOn: z.boolean() }),
  reply: webhook,
  errors: ['NOT_FOUND'],
})

export const chooseWebhookEvents = endpoint({
  method: 'POST',
  path: '/romons.webhook/api/webhooks/:id/events',
  summary: 'Chooses the events that are sent to an endpoint from now on; all of them is also those that come to be',
  allow: 'reseller.keys',
  params,
  body: z.object({ events: chosenEvents }),
  reply: webhook,
  errors: ['NOT_FOUND'],
})

export const renewWebhookSecret = endpoint({
  method: 'POST',
  path: '/romons.webhook/api/webhooks/:id/secret',
  summary: 'Makes a new secret; for a day deliveries are signed with the one of before, too. The owner is told',
  allow: 'reseller.keys',
  params,
  body: z.object({ pin }),
  reply: withSecret,
  errors: ['PIN_WRONG', ...PIN_ERRORS, 'NOT_FOUND', ...SECRET_ERRORS],
})

const message = z.object({
  /** The header `webhook-id` of each of its deliveries. */
  id: z.string(),
  type: z.enum(WEBHOOK_EVENTS),
  body: z.string(),
  state: z.enum(MESSAGE_STATES),
  tries: z.int(),
  /** The status of the last answer; null when there was none. */
  lastStatus: z.int().nullable(),
  lastError: z.string().nullable(),
  createdAt: instant,
  triedAt: instant.nullable(),
  /** When it is tried next; null when it is not. */
  nextAt: instant.nullable(),
})
export type WebhookMessageView = z.output<typeof message>

export const listWebhookMessages = endpoint({
  method: 'GET',
  path: '/romons.webhook/api/webhooks/:id/messages',
  summary: 'What was and will be sent to an endpoint, newest first',
  allow: 'reseller.keys',
  params,
  query: z.object({
    state: z.enum(MESSAGE_STATES).optional(),
    /** The last message of the page before. */
    after: webhookMessageId.optional(),
  }),
  reply: z.object({ messages: z.array(message), hasMore: z.boolean(), nowDate: instant }),
  errors: ['NOT_FOUND'],
})

export const resendWebhookMessage = endpoint({
  method: 'POST',
  path: '/romons.webhook/api/webhooks/:id/messages/:messageId/resend',
  summary: 'Sends a message again at once, with the same id',
  allow: 'reseller.keys',
  params: params.extend({ messageId: webhookMessageId }),
  reply: message,
  errors: ['NOT_FOUND', 'WEBHOOK_IS_OFF', 'RATE_LIMITED'],
})

export const testWebhook = endpoint({
  method: 'POST',
  path: '/romons.webhook/api/webhooks/:id/test',
  summary: 'Sends the event `endpoint.test`',
  allow: 'reseller.keys',
  params,
  reply: message,
  errors: ['NOT_FOUND', 'WEBHOOK_IS_OFF', 'RATE_LIMITED'],
})
