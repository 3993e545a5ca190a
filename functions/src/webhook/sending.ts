import { invariant } from '@shop/shared/errors.ts'
import { addSeconds } from '@shop/shared/time.ts'
import {
  askedPause,
  MOST_FAILING_SECONDS,
  restAfter,
  retryAfter,
  WEBHOOK_OFF,
  type WebhookOff,
} from '@shop/shared/webhook/webhook.ts'
import { tellOwner } from '../access/news.ts'
import type { Sql } from '../database/database.ts'
import type { OutboxHandler } from '../outbox/drain.ts'
import type { Settlement } from '../outbox/outbox.ts'
import type { Answer } from './post.ts'
import type { TextKeys } from './reseal.ts'
import * as store from './sending-store.ts'
import { signedHeaders, webhookIdOf } from './sign.ts'

/** Above the time of a call, so that nobody else begins one meanwhile. */
const TURN_SECONDS = 20
/** Who takes longer gets one delivery after the other, so that it has one of the places that all share. */
const SLOW_SECONDS = 5
const KEYS_SECONDS = 600

type Save = Awaited<ReturnType<OutboxHandler<'webhook.send'>['run']>>

const isDone = (answer: Answer): answer is { status: number; retryAfter: string | null } =>
  'status' in answer && answer.status >= 200 && answer.status < 300

/** Keeps a message for later, untried. */
const wait =
  ({ id }: store.WaitingMessage, untilOf: (tx: Sql) => Promise<Date>): Save =>
  async tx => {
    const dueAt = await untilOf(tx)
    await store.postpone(tx, id, dueAt)
    return { to: 'waiting', dueAt, error: null }
  }

/** Returns what a message is signed with, the newest first; null when none of the shop's keys reads it. */
function secretsOf(
  { vouchers, now }: { vouchers: TextKeys | null; now: () => Date },
  message: store.WaitingMessage,
): string[] | null {
  const { endpointId, secret, oldSecret, oldSecretUntil } = message
  const open = (sealed: string) => vouchers?.openText(endpointId, sealed) ?? null
  const current = open(secret)
  if (current === null) return null
  const isOldValid = oldSecret !== null && oldSecretUntil !== null && oldSecretUntil > now()
  const old = isOldValid ? open(oldSecret) : null
  return old === null ? [current] : [current, old]
}

/** Switches an endpoint off by itself and tells its owner. */
async function giveUp(
  tx: Sql,
  message: store.WaitingMessage,
  why: Exclude<WebhookOff, 'owner'>,
  now: Date,
): Promise<void> {
  const { uid, url, endpointId } = message
  const facts = { url, why: WEBHOOK_OFF[why].label }
  await tellOwner(tx, { uid, kind: 'webhookOff', byShop: true, at: now, facts })
  await store.switchOff(tx, endpointId, why, now)
}

/** Keeps a failure: the message is tried again, or it was the last time. */
async function fail(tx: Sql, message: store.WaitingMessage, answer: Answer, now: Date): Promise<Settlement> {
  const { endpointId, tries } = message
  const [status, error] = 'status' in answer ? [answer.status, null] : [null, answer.error]
  const { failingSince, isOn } = await store.lockFailing(tx, endpointId, now)
  invariant(failingSince, 'it has just failed')
  const failingSeconds = (now.getTime() - failingSince.getTime()) / 1000
  const pause = status === 410 || !isOn ? null : retryAfter(tries + 1, status, Math.random())
  if (pause === null || failingSeconds >= MOST_FAILING_SECONDS) {
    await store.saveFailed(tx, message, { status, error, now }, null)
    if (isOn) await giveUp(tx, message, status === 410 ? 'gone' : 'failing', now)
    return { to: 'done' }
  }
  const asked = askedPause(status, 'status' in answer ? answer.retryAfter : null, now)
  const dueAt = addSeconds(now, Math.max(pause, asked))
  await store.saveRest(tx, endpointId, now, Math.max(restAfter(failingSeconds), asked))
  await store.saveFailed(tx, message, { status, error, now }, dueAt)
  return { to: 'waiting', dueAt, error: error ?? String(status) }
}

/**
 * Sends one message outside any transaction and stores the answer. When the process dies in between, it is sent again
 * with the same id, by which its receiver knows it.
 */
export const webhookSendHandler: OutboxHandler<'webhook.send'> = {
  concurrency: 8,
  lockSeconds: 60,
  mostFaults: 60,
  async run(shop, { messageId }) {
    const { db, webhooks, now } = shop
    const message = await store.findWaiting(db, messageId)
    if (!message)
      return async tx =>
        (await store.isWaiting(tx, messageId)) ? { to: 'waiting', dueAt: now(), error: null } : { to: 'done' }
    const { endpointId, url, body, restsUntil } = message
    if (!message.isOn)
      return async tx => {
        await store.endUnsent(tx, messageId, now())
        return { to: 'done' }
      }
    const secrets = secretsOf(shop, message)
    if (!secrets) return wait(message, async () => addSeconds(now(), KEYS_SECONDS))
    const turnEnds = addSeconds(now(), TURN_SECONDS)
    if (restsUntil !== null && !(await store.takeTurn(db, endpointId, now(), turnEnds)))
      return wait(message, tx => store.findRest(tx, endpointId, now()))
    const headers = signedHeaders(secrets, { webhookId: webhookIdOf(messageId), at: now(), body })
    const began = performance.now()
    const answer = await webhooks.send({ url, headers, body })
    const isSlow = performance.now() - began > SLOW_SECONDS * 1000
    return async tx => {
      if (!isDone(answer)) return fail(tx, message, answer, now())
      await store.saveDone(tx, message, { status: answer.status, isSlow, now: now() })
      return { to: 'done' }
    }
  },
  async giveUp(tx, { messageId }, now) {
    await store.endUnsent(tx, messageId, now)
  },
}
