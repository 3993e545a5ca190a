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
import { columns, sqlOf } from '../database/listing.ts'
import { inJson } from '../http/in-json.ts'
import { currentRequestId } from '../http/request-id.ts'
import { webhookIdOf } from './sign.ts'
import { webhookEndpoint, webhookMessage } from './tables.ts'

export type Endpoint = typeof webhookEndpoint.$inferSelect

type Moments<View, Name extends keyof View> = Omit<View, Name> & Record<Name, Date>

const ENDPOINT = columns<Moments<WebhookView, 'createdAt' | 'failingSince' | 'oldSecretUntil'>>({
  ...sqlOf(webhookEndpoint, 'e', 'id', 'mode', 'url', 'createdAt', 'isOn', 'offFor', 'failingSince', 'events'),
  oldSecretUntil: 'CASE WHEN e.old_secret_until > $2 THEN e.old_secret_until END',
  waiting: `(SELECT count(*)::int FROM webhook_message m WHERE m.endpoint_id = e.id AND m.state = 'waiting')`,
})

/** Somebody's endpoints, the oldest first. @param id the only one to find */
export async function findEndpoints(db: Sql, uid: string, now: Date, id: string | null = null): Promise<WebhookView[]> {
  const rows = await db.query<WebhookView>({
    text: `SELECT ${ENDPOINT} FROM webhook_endpoint e WHERE e.uid = $1 AND ($3::uuid IS NULL OR e.id = $3)
      ORDER BY e.created_at, e.id`,
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
  const [row] = await tx.query<Pick<Endpoint, 'id' | 'mode' | 'isOn'>>({
    text: `SELECT id, mode, is_on AS "isOn" FROM webhook_endpoint WHERE uid = $1 AND id = $2 FOR NO KEY UPDATE`,
    values: [uid, id],
  })
  return row ?? null
}

/** Tells whether somebody, whose account is locked, may have one more endpoint of a mode. */
export async function hasRoomForEndpoint(tx: Sql, uid: string, mode: KeyMode): Promise<boolean> {
  const rows = await tx.query({
    text: 'SELECT 1 FROM webhook_endpoint WHERE uid = $1 AND mode = $2',
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
    text: 'DELETE FROM webhook_endpoint WHERE uid = $1 AND id = $2 RETURNING id',
    values: [uid, id],
  })
  return rows.length > 0
}

/** Switches an endpoint on, as if nothing had ever failed there. */
export async function switchOn(tx: Sql, id: string): Promise<void> {
  await tx.query({
    text: `UPDATE webhook_endpoint SET is_on = true, off_for = NULL, failing_since = NULL, rests_until = NULL WHERE id = $1`,
    values: [id],
  })
}

/** @param events the only ones that are sent there from now on; null for all */
export async function saveEvents(tx: Sql, id: string, events: WebhookEvent[] | null): Promise<void> {
  await tx.query({ text: 'UPDATE webhook_endpoint SET events = $2::text[] WHERE id = $1', values: [id, events] })
}

/** Replaces the secret of an endpoint; the one of before also signs for a day. @param secret encrypted for it */
export async function renewSecret(tx: Sql, id: string, secret: string, now: Date): Promise<void> {
  await tx.query({
    text: `UPDATE webhook_endpoint SET old_secret = secret, old_secret_until = $3, secret = $2 WHERE id = $1`,
    values: [id, secret, addSeconds(now, OLD_SECRET_SECONDS)],
  })
}

const MESSAGE = columns<Moments<WebhookMessageView, 'createdAt' | 'triedAt' | 'nextAt'>>({
  ...sqlOf(webhookMessage, 'm', 'id', 'type', 'body', 'state', 'tries', 'lastStatus', 'lastError'),
  ...sqlOf(webhookMessage, 'm', 'createdAt', 'triedAt', 'nextAt'),
})
const viewOf = (row: WebhookMessageView): WebhookMessageView => inJson({ ...row, id: webhookIdOf(row.id) })

const PAGE = 50

/** The messages of an endpoint, the newest first. @param after the id of the last one of the page before */
export async function findMessages(
  db: Sql,
  endpointId: string,
  { state, after }: { state: MessageState | null; after: string | null },
): Promise<{ messages: WebhookMessageView[]; hasMore: boolean }> {
  const rows = await db.query<WebhookMessageView>({
    text: `SELECT ${MESSAGE} FROM webhook_message m WHERE m.endpoint_id = $1 AND ($2::text IS NULL OR m.state = $2)
        AND ($3::uuid IS NULL OR (m.created_at, m.id) < (SELECT a.created_at, a.id FROM webhook_message a WHERE a.id = $3))
      ORDER BY m.created_at DESC, m.id DESC LIMIT ${PAGE + 1}`,
    values: [endpointId, state, after],
  })
  return { messages: rows.slice(0, PAGE).map(viewOf), hasMore: rows.length > PAGE }
}

export async function findMessage(db: Sql, id: string): Promise<WebhookMessageView> {
  const [row] = await db.query<WebhookMessageView>({
    text: `SELECT ${MESSAGE} FROM webhook_message m WHERE m.id = $1`,
    values: [id],
  })
  return viewOf(row!)
}

/**
 * Lets a message of an endpoint be sent now, with all its tries before it, by the job that it has; returns false when
 * there is no such message. A job that was settled or cleaned up lives again, so that there is one for each message.
 */
export async function sendAgain(tx: Sql, endpointId: string, id: string, now: Date): Promise<boolean> {
  const rows = await tx.query({
    text: `UPDATE webhook_message SET state = 'waiting', tries = 0, next_at = $3, settled_at = NULL
      WHERE endpoint_id = $1 AND id = $2 RETURNING id`,
    values: [endpointId, id, now],
  })
  if (rows.length === 0) return false
  await tx.query({
    text: `INSERT INTO outbox (id, kind, key, payload, due_at, created_at, request_id)
      VALUES ($1, 'webhook.send', $2::uuid::text, jsonb_build_object('messageId', $2::uuid), $3, $3, $4)
      ON CONFLICT ON CONSTRAINT outbox_once DO UPDATE SET state = 'waiting', due_at = excluded.due_at,
        created_at = excluded.created_at, request_id = excluded.request_id, settled_at = NULL`,
    values: [uuidv7(), id, now, currentRequestId()],
  })
  return true
}

/** Ends the rest of an endpoint, because somebody asks for a delivery. */
export async function endRest(tx: Sql, id: string, now: Date): Promise<void> {
  await tx.query({
    text: 'UPDATE webhook_endpoint SET rests_until = $2 WHERE id = $1 AND rests_until > $2',
    values: [id, now],
  })
}
