import { addSeconds } from '@shop/shared/time.ts'
import type { WebhookOff } from '@shop/shared/webhook/webhook.ts'
import type { Sql } from '../database/database.ts'
import { as, pick, row, sql, under } from '../database/sql.ts'
import { outbox } from '../outbox/tables.ts'
import { webhookEndpoint, webhookMessage } from './tables.ts'

/** Every change locks the endpoint first, then its messages, then their jobs. */

const [e, before] = [under(webhookEndpoint, 'e'), under(webhookEndpoint, 'before')]
const m = under(webhookMessage, 'm')
/** Where names stand alone. */
const [endpoints, messages, jobs] = [under(webhookEndpoint), under(webhookMessage), under(outbox)]

type Endpoint = typeof webhookEndpoint.$inferSelect
type Message = typeof webhookMessage.$inferSelect

/** A message that waits, with what is known of where it goes. */
export interface WaitingMessage
  extends Pick<Message, 'id' | 'body' | 'tries'>,
    Pick<Endpoint, 'uid' | 'url' | 'secret' | 'oldSecret' | 'oldSecretUntil' | 'isOn' | 'restsUntil'> {
  endpointId: string
}

const WAITING = row<WaitingMessage>({
  ...pick(m, 'id', 'body', 'tries'),
  ...pick(e, 'uid', 'url', 'secret', 'oldSecret', 'oldSecretUntil', 'isOn', 'restsUntil'),
  endpointId: e.id,
})

/** Returns a waiting message; null when it waits no longer, or was removed with its endpoint. */
export async function findWaiting(db: Sql, messageId: string): Promise<WaitingMessage | null> {
  const [found] = await db.query({
    text: sql`SELECT ${WAITING} FROM ${m} JOIN ${e} ON ${e.id} = ${m.endpointId}
      WHERE ${m.id} = $1 AND ${m.state} = 'waiting'`,
    values: [messageId],
  })
  return found ?? null
}

/** Tells whether somebody has a message sent again, now that its job is to end. */
export async function isWaiting(tx: Sql, messageId: string): Promise<boolean> {
  const [found] = await tx.query({
    text: sql`SELECT ${row(pick(messages, 'state'))} FROM ${messages} WHERE ${messages.id} = $1 FOR SHARE`,
    values: [messageId],
  })
  return found?.state === 'waiting'
}

/**
 * Takes the turn at an endpoint that fails or is slow: until then nobody else sends there. One that has recovered needs
 * no turns any more. Returns false when it rests, or somebody else was faster.
 */
export async function takeTurn(db: Sql, endpointId: string, now: Date, until: Date): Promise<boolean> {
  const rows = await db.query({
    text: sql`UPDATE ${endpoints} SET ${endpoints.restsUntil} = CASE WHEN ${endpoints.restsUntil} IS NOT NULL THEN $3::timestamptz END
      WHERE ${endpoints.id} = $1 AND (${endpoints.restsUntil} IS NULL OR ${endpoints.restsUntil} <= $2)
        RETURNING ${row(pick(endpoints, 'id'))}`,
    values: [endpointId, now, until],
  })
  return rows.length > 0
}

/** Returns until when an endpoint rests, as who changes it in this moment leaves it; a moment of the past when it does not. */
export async function findRest(tx: Sql, endpointId: string, now: Date): Promise<Date> {
  const [found] = await tx.query({
    text: sql`SELECT ${row({ until: as.instant(`greatest(${endpoints.restsUntil}, $2)`) })} FROM ${endpoints}
      WHERE ${endpoints.id} = $1 FOR SHARE`,
    values: [endpointId, now],
  })
  return found?.until ?? now
}

/** Keeps when a message that was not tried will be. */
export async function postpone(tx: Sql, messageId: string, until: Date): Promise<void> {
  await tx.query({
    text: sql`UPDATE ${messages} SET ${messages.nextAt} = $2 WHERE ${messages.id} = $1 AND ${messages.state} = 'waiting'`,
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
  const [changed] = await tx.query({
    text: sql`WITH before AS (SELECT ${endpoints.id}, ${endpoints.failingSince} FROM ${endpoints}
        WHERE ${endpoints.id} = $1 AND (${endpoints.failingSince} IS NOT NULL OR ${endpoints.restsUntil} IS NOT NULL
          OR $2::timestamptz IS NOT NULL) FOR NO KEY UPDATE)
      UPDATE ${e} SET ${endpoints.failingSince} = NULL, ${endpoints.restsUntil} = $2 FROM before WHERE ${e.id} = ${before.id}
      RETURNING ${row({ wasFailing: as.bool(`${before.failingSince} IS NOT NULL`) })}`,
    values: [message.endpointId, isSlow ? now : null],
  })
  await tx.query({
    text: sql`UPDATE ${messages} SET ${messages.state} = 'done', ${messages.tries} = ${messages.tries} + 1,
      ${messages.lastStatus} = $2,
      ${messages.lastError} = NULL,
        ${messages.triedAt} = $3, ${messages.nextAt} = NULL, ${messages.settledAt} = $3 WHERE ${messages.id} = $1`,
    values: [message.id, status, now],
  })
  if (changed?.wasFailing) await wake(tx, message.endpointId, now)
}

/** Lets everything go that waits for an endpoint. */
async function wake(tx: Sql, endpointId: string, now: Date): Promise<void> {
  const woken = await tx.query({
    text: sql`UPDATE ${messages} SET ${messages.nextAt} = $2 WHERE ${messages.endpointId} = $1 AND ${messages.state} = 'waiting'
      RETURNING ${row(pick(messages, 'id'))}`,
    values: [endpointId, now],
  })
  // A statement of its own sees what those whose messages were waited for have just stored.
  await tx.query({
    text: sql`UPDATE ${jobs} SET ${jobs.dueAt} = $2
      WHERE ${jobs.kind} = 'webhook.send' AND ${jobs.key} = ANY($1) AND ${jobs.state} = 'waiting' AND ${jobs.dueAt} > $2`,
    values: [woken.map(({ id }) => id), now],
  })
}

/** Ends a message that is not sent any more. */
export async function endUnsent(tx: Sql, messageId: string, now: Date): Promise<void> {
  await tx.query({
    text: sql`UPDATE ${messages} SET ${messages.state} = 'dead', ${messages.nextAt} = NULL, ${messages.settledAt} = $2
      WHERE ${messages.id} = $1 AND ${messages.state} = 'waiting'`,
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
    text: sql`UPDATE ${messages} SET ${messages.tries} = ${messages.tries} + 1, ${messages.lastStatus} = $2,
      ${messages.lastError} = $3,
      ${messages.triedAt} = $4, ${messages.nextAt} = $5,
        ${messages.state} = CASE WHEN $5::timestamptz IS NULL THEN 'dead' ELSE 'waiting' END,
        ${messages.settledAt} = CASE WHEN $5::timestamptz IS NULL THEN $4::timestamptz END
      WHERE ${messages.id} = $1 AND ${messages.state} = 'waiting'`,
    values: [id, status, error, now, nextAt],
  })
}

/** Locks the endpoint of a message, for what follows from a failure. Returns since when nothing arrives there, and whether it is on. */
export async function lockFailing(
  tx: Sql,
  endpointId: string,
  now: Date,
): Promise<Pick<Endpoint, 'failingSince' | 'isOn'>> {
  const [found] = await tx.query({
    text: sql`UPDATE ${endpoints} SET ${endpoints.failingSince} = coalesce(${endpoints.failingSince}, $2) WHERE ${endpoints.id} = $1
      RETURNING ${row(pick(endpoints, 'failingSince', 'isOn'))}`,
    values: [endpointId, now],
  })
  // It was removed while it was called: nothing more is sent there.
  return found ?? { failingSince: now, isOn: false }
}

/** Lets an endpoint rest. */
export async function saveRest(tx: Sql, endpointId: string, now: Date, seconds: number): Promise<void> {
  await tx.query({
    text: sql`UPDATE ${endpoints} SET ${endpoints.restsUntil} = $2 WHERE ${endpoints.id} = $1`,
    values: [endpointId, addSeconds(now, seconds)],
  })
}

/** Switches an endpoint off that is on; what waits for it is not sent any more. */
export async function switchOff(tx: Sql, endpointId: string, why: WebhookOff, now: Date): Promise<void> {
  await tx.query({
    text: sql`UPDATE ${endpoints} SET ${endpoints.isOn} = false, ${endpoints.offFor} = $2, ${endpoints.restsUntil} = NULL
      WHERE ${endpoints.id} = $1 AND ${endpoints.isOn}`,
    values: [endpointId, why],
  })
  await tx.query({
    text: sql`UPDATE ${messages} SET ${messages.state} = 'dead', ${messages.nextAt} = NULL, ${messages.settledAt} = $2
      WHERE ${messages.endpointId} = $1 AND ${messages.state} = 'waiting'`,
    values: [endpointId, now],
  })
}
