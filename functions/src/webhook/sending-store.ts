import { addSeconds } from '@shop/shared/time.ts'
import type { WebhookOff } from '@shop/shared/webhook/webhook.ts'
import type { Sql } from '../database/database.ts'
import { columns, sqlOf } from '../database/listing.ts'
import { webhookEndpoint, webhookMessage } from './tables.ts'

/** Every change locks the endpoint first, then its messages, then their jobs. */

type Endpoint = typeof webhookEndpoint.$inferSelect
type Message = typeof webhookMessage.$inferSelect

/** A message that waits, with what is known of where it goes. */
export interface WaitingMessage
  extends Pick<Message, 'id' | 'body' | 'tries'>,
    Pick<Endpoint, 'uid' | 'url' | 'secret' | 'oldSecret' | 'oldSecretUntil' | 'isOn' | 'restsUntil'> {
  endpointId: string
}

const WAITING = columns<WaitingMessage>({
  ...sqlOf(webhookMessage, 'm', 'id', 'body', 'tries'),
  ...sqlOf(webhookEndpoint, 'e', 'uid', 'url', 'secret', 'oldSecret', 'oldSecretUntil', 'isOn', 'restsUntil'),
  endpointId: 'e.id',
})

/** Returns a waiting message; null when it waits no longer, or was removed with its endpoint. */
export async function findWaiting(db: Sql, messageId: string): Promise<WaitingMessage | null> {
  const [row] = await db.query<WaitingMessage>({
    text: `SELECT ${WAITING} FROM webhook_message m JOIN webhook_endpoint e ON e.id = m.endpoint_id
      WHERE m.id = $1 AND m.state = 'waiting'`,
    values: [messageId],
  })
  return row ?? null
}

/** Tells whether somebody has a message sent again, now that its job is to end. */
export async function isWaiting(tx: Sql, messageId: string): Promise<boolean> {
  const [row] = await tx.query<{ state: string }>({
    text: 'SELECT state FROM webhook_message WHERE id = $1 FOR SHARE',
    values: [messageId],
  })
  return row?.state === 'waiting'
}

/**
 * Takes the turn at an endpoint that fails or is slow: until then nobody else sends there. One that has recovered needs
 * no turns any more. Returns false when it rests, or somebody else was faster.
 */
export async function takeTurn(db: Sql, endpointId: string, now: Date, until: Date): Promise<boolean> {
  const rows = await db.query({
    text: `UPDATE webhook_endpoint SET rests_until = CASE WHEN rests_until IS NOT NULL THEN $3::timestamptz END
      WHERE id = $1 AND (rests_until IS NULL OR rests_until <= $2) RETURNING id`,
    values: [endpointId, now, until],
  })
  return rows.length > 0
}

/** Returns until when an endpoint rests, as who changes it in this moment leaves it; a moment of the past when it does not. */
export async function findRest(tx: Sql, endpointId: string, now: Date): Promise<Date> {
  const [row] = await tx.query<{ until: Date }>({
    text: 'SELECT greatest(rests_until, $2) AS until FROM webhook_endpoint WHERE id = $1 FOR SHARE',
    values: [endpointId, now],
  })
  return row?.until ?? now
}

/** Keeps when a message that was not tried will be. */
export async function postpone(tx: Sql, messageId: string, until: Date): Promise<void> {
  await tx.query({
    text: `UPDATE webhook_message SET next_at = $2 WHERE id = $1 AND state = 'waiting'`,
    values: [messageId, until],
  })
}

/**
 * Keeps that a message arrived. Where nothing had arrived before, what waits goes out now.
 * @param isSlow whether others go there one after the other
 */
export async function saveDone(
  tx: Sql,
  message: WaitingMessage,
  { status, isSlow, now }: { status: number; isSlow: boolean; now: Date },
): Promise<void> {
  const [changed] = await tx.query<{ wasFailing: boolean }>({
    text: `WITH before AS (SELECT id, failing_since FROM webhook_endpoint
        WHERE id = $1 AND (failing_since IS NOT NULL OR rests_until IS NOT NULL OR $2::timestamptz IS NOT NULL) FOR NO KEY UPDATE)
      UPDATE webhook_endpoint e SET failing_since = NULL, rests_until = $2 FROM before WHERE e.id = before.id
      RETURNING before.failing_since IS NOT NULL AS "wasFailing"`,
    values: [message.endpointId, isSlow ? now : null],
  })
  await tx.query({
    text: `UPDATE webhook_message SET state = 'done', tries = tries + 1, last_status = $2, last_error = NULL,
        tried_at = $3, next_at = NULL, settled_at = $3 WHERE id = $1`,
    values: [message.id, status, now],
  })
  if (changed?.wasFailing) await wake(tx, message.endpointId, now)
}

/** Lets everything go that waits for an endpoint. */
async function wake(tx: Sql, endpointId: string, now: Date): Promise<void> {
  const woken = await tx.query<{ id: string }>({
    text: `UPDATE webhook_message SET next_at = $2 WHERE endpoint_id = $1 AND state = 'waiting' RETURNING id`,
    values: [endpointId, now],
  })
  // A statement of its own sees what those whose messages were waited for have just stored.
  await tx.query({
    text: `UPDATE outbox SET due_at = $2 WHERE kind = 'webhook.send' AND key = ANY($1) AND state = 'waiting' AND due_at > $2`,
    values: [woken.map(({ id }) => id), now],
  })
}

/** Ends a message that is not sent any more. */
export async function endUnsent(tx: Sql, messageId: string, now: Date): Promise<void> {
  await tx.query({
    text: `UPDATE webhook_message SET state = 'dead', next_at = NULL, settled_at = $2 WHERE id = $1 AND state = 'waiting'`,
    values: [messageId, now],
  })
}

/** What came of a try that failed. */
export interface FailedTry {
  /** null when there was no answer. */
  status: number | null
  /** null when there was one. */
  error: string | null
  now: Date
}

/** Keeps a failure and when the message is tried next; null for never. */
export async function saveFailed(
  tx: Sql,
  { id }: WaitingMessage,
  { status, error, now }: FailedTry,
  nextAt: Date | null,
): Promise<void> {
  await tx.query({
    text: `UPDATE webhook_message SET tries = tries + 1, last_status = $2, last_error = $3, tried_at = $4, next_at = $5,
        state = CASE WHEN $5::timestamptz IS NULL THEN 'dead' ELSE 'waiting' END,
        settled_at = CASE WHEN $5::timestamptz IS NULL THEN $4::timestamptz END
      WHERE id = $1 AND state = 'waiting'`,
    values: [id, status, error, now, nextAt],
  })
}

/** Locks the endpoint of a message, for what follows from a failure. Returns since when nothing arrives there, and whether it is on. */
export async function lockFailing(
  tx: Sql,
  endpointId: string,
  now: Date,
): Promise<Pick<Endpoint, 'failingSince' | 'isOn'>> {
  const [row] = await tx.query<Pick<Endpoint, 'failingSince' | 'isOn'>>({
    text: `UPDATE webhook_endpoint SET failing_since = coalesce(failing_since, $2) WHERE id = $1
      RETURNING failing_since AS "failingSince", is_on AS "isOn"`,
    values: [endpointId, now],
  })
  // It was removed while it was called: nothing more is sent there.
  return row ?? { failingSince: now, isOn: false }
}

/** Lets an endpoint rest. */
export async function saveRest(tx: Sql, endpointId: string, now: Date, seconds: number): Promise<void> {
  await tx.query({
    text: 'UPDATE webhook_endpoint SET rests_until = $2 WHERE id = $1',
    values: [endpointId, addSeconds(now, seconds)],
  })
}

/** Switches an endpoint off that is on; what waits for it is not sent any more. */
export async function switchOff(tx: Sql, endpointId: string, why: WebhookOff, now: Date): Promise<void> {
  await tx.query({
    text: `UPDATE webhook_endpoint SET is_on = false, off_for = $2, rests_until = NULL WHERE id = $1 AND is_on`,
    values: [endpointId, why],
  })
  await tx.query({
    text: `UPDATE webhook_message SET state = 'dead', next_at = NULL, settled_at = $2 WHERE endpoint_id = $1 AND state = 'waiting'`,
    values: [endpointId, now],
  })
}
