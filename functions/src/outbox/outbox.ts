import type { ChatEvent } from '@shop/shared/chat/chat.ts'
import type { Heard } from '@shop/shared/chat/heard.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { uuidv7 } from 'uuidv7'
import type { Sql } from '../database/database.ts'
import type { Values } from '../database/values.ts'
import { currentRequestId } from '../http/request-id.ts'
import { MAY_LEAVE } from './safe-mode.ts'

/** The payload of each kind of job. A new kind needs a line here and a handler in outbox-kind.ts. */
export interface OutboxPayload {
  'slip.check': { checkId: string }
  /**
   * `after` is the purchase before, which was refused or brought only a part; null for the first. `place` is the source
   * of the package that is asked next, the first one when it is missing.
   */
  'supplier.deliver': { orderId: string; after: string | null; place?: number }
  'supplier.ask': { attemptId: string }
  /** `turn` distinguishes events that happen more than once to the same thing. */
  'charge.ask': { chargeId: string }
  'charge.end': { chargeId: string }
  /** `byMail`: LINE brought it to nobody. */
  'chat.tell': { event: ChatEvent; id: string; turn: string; byMail?: true }
  'chat.send': { messageId: string }
  'chat.hear': Heard
  'owner.tell': { newsId: string }
  'mail.send': { mailId: string }
  'account.erase': { erasureId: string }
  'play.step': { orderId: string }
  'webhook.send': { messageId: string }
}
export type OutboxKind = keyof OutboxPayload

/** A job that this process works on until its lock is over. */
export interface Job<K extends OutboxKind = OutboxKind> {
  id: string
  kind: K
  payload: OutboxPayload[K]
  /** How often it was started, including this time. */
  attempts: number
  /** How many of these runs in a row did not end well, if this one does not. */
  faults: number
  createdAt: Date
  /** The request that caused it; null for jobs that are older than this column. */
  requestId: string | null
}

/** How a run of a job ended. */
export type Settlement =
  | { to: 'done' }
  | { to: 'waiting'; dueAt: Date; error: string | null }
  | { to: 'dead'; error: string }

/**
 * Stores a job in the transaction of the change that needs it; does nothing when one with the same key exists. Without
 * `dueAt` it is due at once.
 */
export async function enqueue<K extends OutboxKind>(
  tx: Sql,
  job: { kind: K; key: string; payload: OutboxPayload[K]; now: Date; dueAt?: Date },
): Promise<void> {
  await tx.query({
    text: `INSERT INTO outbox (id, kind, key, payload, due_at, created_at, request_id) VALUES ($1, $2, $3, $4, $5, $6, $7)
      ON CONFLICT ON CONSTRAINT outbox_once DO NOTHING`,
    values: [
      uuidv7(),
      job.kind,
      job.key,
      JSON.stringify(job.payload),
      job.dueAt ?? job.now,
      job.now,
      currentRequestId(),
    ],
  })
}

/** The placeholders of a job that a larger statement stores with its change. */
export interface JobSql {
  id: string
  at: string
  requestId: string
}
export const jobSql = (add: Values['add'], at: string): JobSql => ({
  id: add(uuidv7()),
  at,
  requestId: add(currentRequestId()),
})
/** The values of these placeholders. */
export const jobValues = (at: Date): Record<keyof JobSql, unknown> => ({
  id: uuidv7(),
  at,
  requestId: currentRequestId(),
})

/** Stores the job that sends a message in LINE about something, once for each `turn` of it. */
export const tell = (
  tx: Sql,
  told: { event: ChatEvent; id: string; turn?: string; now: Date; dueAt?: Date },
): Promise<void> => {
  const { event, id, turn = '', ...at } = told
  return enqueue(tx, { kind: 'chat.tell', key: `${event}:${id}:${turn}`, payload: { event, id, turn }, ...at })
}

/**
 * Takes due jobs of a kind, including those whose earlier run never finished. In safe mode it takes none: this is the
 * one gate before suppliers, messages, mails and slip questions, which all leave by the outbox, and what waits behind it
 * is not lost.
 */
export async function takeDue<K extends OutboxKind>(
  db: Sql,
  kind: K,
  { now, lockSeconds, limit }: { now: Date; lockSeconds: number; limit: number },
): Promise<Job<K>[]> {
  return db.query<Job<K>>({
    name: 'outbox_take',
    text: `UPDATE outbox SET attempts = attempts + 1, faults = faults + 1, locked_until = $3 WHERE id IN (
        SELECT id FROM outbox WHERE kind = $1 AND state = 'waiting' AND due_at <= $2
          AND (locked_until IS NULL OR locked_until <= $2) AND ${MAY_LEAVE}
        ORDER BY due_at LIMIT $4 FOR UPDATE SKIP LOCKED
      ) RETURNING id, kind, payload, attempts, faults, created_at AS "createdAt", request_id AS "requestId"`,
    values: [kind, now, addSeconds(now, lockSeconds), limit],
  })
}

/** The job ran longer than its lock and another run has taken it, so its result must not be stored. */
export class JobLost extends Error {
  override name = 'JobLost'
}

/**
 * Ends or postpones a job, in the transaction that stores its result. @param isFault whether its run failed, which counts
 * up to the end of the job; an answer that leads to another run does not. @throws JobLost
 */
export async function settle(tx: Sql, job: Job, settlement: Settlement, now: Date, isFault = false): Promise<void> {
  const isOver = settlement.to !== 'waiting'
  const settled = await tx.query({
    text: `UPDATE outbox SET state = $3, due_at = coalesce($4, due_at), last_error = coalesce($5, last_error),
        locked_until = NULL, settled_at = $6, faults = CASE WHEN $7 THEN faults ELSE 0 END
      WHERE id = $1 AND attempts = $2 AND state = 'waiting' RETURNING id`,
    values: [
      job.id,
      job.attempts,
      settlement.to,
      'dueAt' in settlement ? settlement.dueAt : null,
      'error' in settlement ? settlement.error : null,
      isOver ? now : null,
      isFault,
    ],
  })
  if (settled.length === 0) throw new JobLost()
}
