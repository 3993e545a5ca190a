import { createHmac, randomUUID } from 'node:crypto'
import { createSecretText, createUlid, type State, type WebhookDelivery, type WebhookEvent } from './state.ts'

const replyTokenMs = 60 * 1000
const redeliveredReplyTokenMaxAgeMs = 20 * 60 * 1000

export type EventSource = { type: 'user'; userId: string } | { type: 'group'; groupId: string; userId?: string }

/** How a webhook call differs from a usual one. */
export interface WebhookOptions {
  signature?: 'valid' | 'wrong' | 'missing'
  /** `compact` is LINE's usual JSON. `escaped` writes each non-ASCII letter as `\uXXXX`. All are signed as sent. */
  encoding?: 'compact' | 'pretty' | 'escaped'
  isRedelivery?: boolean
}

export interface EventOptions {
  mode?: 'active' | 'standby'
  hasReplyToken?: boolean
}

/** Creates a webhook event. It has a new reply token, except in standby mode or with `hasReplyToken` false. */
export function createEvent(
  state: State,
  type: string,
  source: EventSource,
  fields: Record<string, unknown> = {},
  { mode = 'active', hasReplyToken = true }: EventOptions = {},
): WebhookEvent {
  const now = state.clock.now()
  const event: WebhookEvent = {
    type,
    mode,
    timestamp: now,
    source,
    webhookEventId: createUlid(now),
    deliveryContext: { isRedelivery: false },
    ...fields,
  }
  if (!hasReplyToken || mode === 'standby') return event
  const replyToken = createSecretText(16)
  const chatId = source.type === 'user' ? source.userId : source.groupId
  state.replyTokens.set(replyToken, { chatId, issuedAt: now, expiresAt: now + replyTokenMs, used: false })
  return { ...event, replyToken }
}

/**
 * Sends events in one call, and resolves when the bot has answered. If it does not answer with 200, they are sent again
 * later, unless `options` name a signature. While events are held back it only keeps them.
 */
export async function sendEvents(
  state: State,
  events: WebhookEvent[],
  options: WebhookOptions = {},
): Promise<WebhookDelivery | undefined> {
  for (const event of events) state.sentEvents.set(event.webhookEventId, event)
  if (state.heldEvents) {
    state.heldEvents.push(...events)
    return undefined
  }
  const delivery = await post(state, events, options)
  if (delivery.outcome !== 'ok' && options.signature === undefined) scheduleRedelivery(state, events, 1)
  return delivery
}

/** Sends events again, with the same ids and timestamps and with `isRedelivery` true. */
export function redeliverEvents(
  state: State,
  events: WebhookEvent[],
  options: WebhookOptions = {},
): Promise<WebhookDelivery> {
  const now = state.clock.now()
  for (const { replyToken, timestamp } of events) {
    const token = state.replyTokens.get(replyToken ?? '')
    if (token && !token.used && now - timestamp <= redeliveredReplyTokenMaxAgeMs) token.expiresAt = now + replyTokenMs
  }
  const repeated = events.map(event => ({ ...event, deliveryContext: { isRedelivery: true } }))
  return post(state, repeated, { ...options, isRedelivery: true })
}

function scheduleRedelivery(state: State, events: WebhookEvent[], attempt: number): void {
  const { redeliveries, redeliveryDelaySeconds } = state.webhookDelivery
  if (attempt > redeliveries) return
  const timer = setTimeout(async () => {
    // After a reset the events are no longer known, and must not be sent again.
    if (!events.every(event => state.sentEvents.has(event.webhookEventId))) return
    const delivery = await redeliverEvents(state, events)
    if (delivery.outcome !== 'ok') scheduleRedelivery(state, events, attempt + 1)
  }, redeliveryDelaySeconds * 1000)
  timer.unref()
}

function encode(body: object, encoding: WebhookOptions['encoding']): string {
  if (encoding === 'pretty') return JSON.stringify(body, null, 2)
  const text = JSON.stringify(body)
  if (encoding !== 'escaped') return text
  return text.replace(/[^\x20-\x7e]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Returns the value of the `x-line-signature` header for the exact text of a body. */
function signBody(body: string, channelSecret: string): string {
  return createHmac('sha256', channelSecret).update(body).digest('base64')
}

async function post(state: State, events: WebhookEvent[], options: WebhookOptions): Promise<WebhookDelivery> {
  const { signature = 'valid', encoding, isRedelivery = false } = options
  const body = encode({ destination: state.officialAccount.userId, events }, encoding)
  const secret = signature === 'wrong' ? 'not-the-channel-secret' : state.messagingChannel.secret
  const headers: Record<string, string> = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'LineBotWebhook/2.0',
  }
  if (signature !== 'missing') headers['x-line-signature'] = signBody(body, secret)
  const answer = await call(state.webhookUrl, { headers, body, timeoutSeconds: state.webhookDelivery.timeoutSeconds })
  const delivery: WebhookDelivery = {
    id: randomUUID(),
    at: state.clock.now(),
    url: state.webhookUrl,
    eventIds: events.map(event => event.webhookEventId),
    eventTypes: events.map(event => event.type),
    isRedelivery,
    signature,
    ...answer,
  }
  state.deliveries.push(delivery)
  state.version += 1
  return delivery
}

interface Call {
  headers: Record<string, string>
  body: string
  timeoutSeconds: number
}
type Answer = Pick<WebhookDelivery, 'outcome' | 'statusCode' | 'durationMs'>

async function call(url: string, { headers, body, timeoutSeconds }: Call): Promise<Answer> {
  const startedAt = performance.now()
  const getDuration = () => Math.round(performance.now() - startedAt)
  try {
    const signal = AbortSignal.timeout(timeoutSeconds * 1000)
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
    await response.body?.cancel()
    const outcome = response.status === 200 ? 'ok' : 'error_status_code'
    return { outcome, statusCode: response.status, durationMs: getDuration() }
  } catch (error) {
    const isTimeout = error instanceof DOMException && error.name === 'TimeoutError'
    return { outcome: isTimeout ? 'request_timeout' : 'could_not_connect', durationMs: getDuration() }
  }
}

/** Calls the webhook without events, as LINE's "verify" button does, and returns the result. */
export async function testWebhook(state: State) {
  const body = JSON.stringify({ destination: state.officialAccount.userId, events: [] })
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'x-line-signature': signBody(body, state.messagingChannel.secret),
  }
  const { timeoutSeconds } = state.webhookDelivery
  const { outcome, statusCode = 0 } = await call(state.webhookUrl, { headers, body, timeoutSeconds })
  return {
    success: outcome === 'ok',
    timestamp: new Date(state.clock.now()).toISOString(),
    statusCode,
    reason: outcome === 'ok' ? 'OK' : outcome.toUpperCase(),
    detail: statusCode ? String(statusCode) : outcome.replaceAll('_', ' '),
  }
}
