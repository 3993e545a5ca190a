import type { KeyMode } from '@shop/shared/reseller/reseller.ts'
import { addSeconds } from '@shop/shared/time.ts'
import type { WebhookMessageView, WebhookView } from '@shop/shared/webhook/endpoints.ts'
import {
  type MessageState,
  MOST_WEBHOOKS,
  OLD_SECRET_SECONDS,
  type WebhookEvent,
} from '@shop/shared/webhook/webhook.ts'
import { uuidv7 } from 'uuidv7'
import type { Sql } from '../database/database.ts'
import { as, orNull, pick, type RowOf, row, sql, under } from '../database/sql.ts'
import { inJson } from '../http/in-json.ts'
import { currentRequestId } from '../http/request-id.ts'
import { outbox } from '../outbox/tables.ts'
import { webhookIdOf } from './sign.ts'
import { webhookEndpoint, webhookMessage } from './tables.ts'

export type Endpoint = typeof webhookEndpoint.$inferSelect

const e = under(webhookEndpoint, 'e')
const [m, a] = [under(webhookMessage, 'm'), under(webhookMessage, 'a')]
/** Where names stand alone. */
const [endpoints, messages] = [under(webhookEndpoint), under(webhookMessage)]
const [jobs, sent] = [under(outbox), under(outbox, 'excluded')]

/** How many messages wait for an endpoint `e`. */
export const WAITING_FOR = as.int(
  `(SELECT count(*) FROM ${m} WHERE ${m.endpointId} = ${e.id} AND ${m.state} = 'waiting')`,
)

const ENDPOINT = row({
  ...pick(e, 'id', 'mode', 'url', 'createdAt', 'isOn', 'offFor', 'failingSince', 'events'),
  oldSecretUntil: orNull(as.instant(`CASE WHEN ${e.oldSecretUntil} > $2 THEN ${e.oldSecretUntil} END`)),
  waiting: WAITING_FOR,
})

/** Somebody's endpoints, the oldest first. @param id the only one to find */
export async function findEndpoints(db: Sql, uid: string, now: Date, id: string | null = null): Promise<WebhookView[]> {
  const rows = await db.query({
    text: sql`SELECT ${ENDPOINT} FROM ${e} WHERE ${e.uid} = $1 AND ($3::uuid IS NULL OR ${e.id} = $3)
      ORDER BY ${e.createdAt}, ${e.id}`,
    values: [uid, now, id],
  })
  return rows.map(inJson)
}

/** Locks somebody's endpoint for a change in this transaction; null when the person has none with this id. */
export async function lockEndpoint(
  tx: Sql,
  uid: string,
  id: string,
): Promise<Pick<Endpoint, 'id' | 'mode' | 'isOn'> | null> {
  const [found] = await tx.query({
    text: sql`SELECT ${row(pick(endpoints, 'id', 'mode', 'isOn'))} FROM ${endpoints}
      WHERE ${endpoints.uid} = $1 AND ${endpoints.id} = $2 FOR NO KEY UPDATE`,
    values: [uid, id],
  })
  return found ?? null
}

/** Tells whether somebody, whose account is locked, may have one more endpoint of a mode. */
export async function hasRoomForEndpoint(tx: Sql, uid: string, mode: KeyMode): Promise<boolean> {
  const rows = await tx.query({
    text: sql`SELECT FROM ${endpoints} WHERE ${endpoints.uid} = $1 AND ${endpoints.mode} = $2`,
    values: [uid, mode],
  })
  return rows.length < MOST_WEBHOOKS
}

export async function insertEndpoint(
  tx: Sql,
  endpoint: Pick<Endpoint, 'id' | 'uid' | 'mode' | 'url' | 'secret' | 'createdAt'>,
): Promise<void> {
  await tx.orm.insert(webhookEndpoint).values(endpoint)
}

/** Removes somebody's endpoint with its messages; returns false when the person has none with this id. */
export async function removeEndpoint(tx: Sql, uid: string, id: string): Promise<boolean> {
  const rows = await tx.query({
    text: sql`DELETE FROM ${endpoints} WHERE ${endpoints.uid} = $1 AND ${endpoints.id} = $2
      RETURNING ${row(pick(endpoints, 'id'))}`,
    values: [uid, id],
  })
  return rows.length > 0
}

/** Switches an endpoint on, as if nothing had ever failed there. */
export async function switchOn(tx: Sql, id: string): Promise<void> {
  await tx.query({
    text: sql`UPDATE ${endpoints} SET ${endpoints.isOn} = true, ${endpoints.offFor} = NULL, ${endpoints.failingSince} = NULL,
      ${endpoints.restsUntil} = NULL
      WHERE ${endpoints.id} = $1`,
    values: [id],
  })
}

/** @param events the only ones that are sent there from now on; null for all */
export async function saveEvents(tx: Sql, id: string, events: WebhookEvent[] | null): Promise<void> {
  await tx.query({
    text: sql`UPDATE ${endpoints} SET ${endpoints.events} = $2::text[] WHERE ${endpoints.id} = $1`,
    values: [id, events],
  })
}

/** Replaces the secret of an endpoint; the one of before also signs for a day. @param secret encrypted for it */
export async function renewSecret(tx: Sql, id: string, secret: string, now: Date): Promise<void> {
  await tx.query({
    text: sql`UPDATE ${endpoints} SET ${endpoints.oldSecret} = ${endpoints.secret}, ${endpoints.oldSecretUntil} = $3,
      ${endpoints.secret} = $2
      WHERE ${endpoints.id} = $1`,
    values: [id, secret, addSeconds(now, OLD_SECRET_SECONDS)],
  })
}

const MESSAGE = row({
  ...pick(m, 'id', 'type', 'body', 'state', 'tries', 'lastStatus', 'lastError'),
  ...pick(m, 'createdAt', 'triedAt', 'nextAt'),
})
const viewOf = (message: RowOf<typeof MESSAGE>): WebhookMessageView =>
  inJson({ ...message, id: webhookIdOf(message.id) })

const PAGE = 50

/** The messages of an endpoint, the newest first. @param after the id of the last one of the page before */
export async function findMessages(
  db: Sql,
  endpointId: string,
  { state, after }: { state: MessageState | null; after: string | null },
): Promise<{ messages: WebhookMessageView[]; hasMore: boolean }> {
  const rows = await db.query({
    text: sql`SELECT ${MESSAGE} FROM ${m} WHERE ${m.endpointId} = $1 AND ($2::text IS NULL OR ${m.state} = $2)
        AND ($3::uuid IS NULL
          OR (${m.createdAt}, ${m.id}) < (SELECT ${a.createdAt}, ${a.id} FROM ${a} WHERE ${a.id} = $3))
      ORDER BY ${m.createdAt} DESC, ${m.id} DESC LIMIT ${PAGE + 1}`,
    values: [endpointId, state, after],
  })
  return { messages: rows.slice(0, PAGE).map(viewOf), hasMore: rows.length > PAGE }
}

export async function findMessage(db: Sql, id: string): Promise<WebhookMessageView> {
  const [found] = await db.query({
    text: sql`SELECT ${MESSAGE} FROM ${m} WHERE ${m.id} = $1`,
    values: [id],
  })
  return viewOf(found!)
}

/**
 * Lets a message of an endpoint be sent now, with all its tries before it, by the job that it has; returns false when
 * there is no such message. A job that was settled or cleaned up lives again, so that there is one for each message.
 */
export async function sendAgain(tx: Sql, endpointId: string, id: string, now: Date): Promise<boolean> {
  const rows = await tx.query({
    text: sql`UPDATE ${messages} SET ${messages.state} = 'waiting', ${messages.tries} = 0, ${messages.nextAt} = $3,
      ${messages.settledAt} = NULL
      WHERE ${messages.endpointId} = $1 AND ${messages.id} = $2 RETURNING ${row(pick(messages, 'id'))}`,
    values: [endpointId, id, now],
  })
  if (rows.length === 0) return false
  await tx.query({
    text: sql`INSERT INTO ${jobs} (${jobs.id}, ${jobs.kind}, ${jobs.key}, ${jobs.payload}, ${jobs.dueAt}, ${jobs.createdAt},
      ${jobs.requestId})
      VALUES ($1, 'webhook.send', $2::uuid::text, jsonb_build_object('messageId', $2::uuid), $3, $3, $4)
      ON CONFLICT ON CONSTRAINT outbox_once DO UPDATE SET ${jobs.state} = 'waiting', ${jobs.dueAt} = ${sent.dueAt},
        ${jobs.createdAt} = ${sent.createdAt}, ${jobs.requestId} = ${sent.requestId}, ${jobs.settledAt} = NULL`,
    values: [uuidv7(), id, now, currentRequestId()],
  })
  return true
}

/** Ends the rest of an endpoint, because somebody asks for a delivery. */
export async function endRest(tx: Sql, id: string, now: Date): Promise<void> {
  await tx.query({
    text: sql`UPDATE ${endpoints} SET ${endpoints.restsUntil} = $2 WHERE ${endpoints.id} = $1 AND ${endpoints.restsUntil} > $2`,
    values: [id, now],
  })
}
