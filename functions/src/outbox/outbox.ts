import type { ChatEvent } from '@shop/shared/chat/chat.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { uuidv7 } from 'uuidv7'
import type { Sql } from '../database/database.ts'
import { as, pick, row, sql, under } from '../database/sql.ts'
import type { Values } from '../database/values.ts'
import { currentRequestId } from '../http/request-id.ts'
import type { OutboxKind, OutboxPayload } from './payload.ts'
import { MAY_LEAVE } from './safe-mode.ts'
import { outbox } from './tables.ts'

const jobs = under(outbox)

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
    text: sql`INSERT INTO ${jobs} (${jobs.id}, ${jobs.kind}, ${jobs.key}, ${jobs.payload}, ${jobs.dueAt}, ${jobs.createdAt},
        ${jobs.requestId}) VALUES ($1, $2, $3, $4, $5, $6, $7)
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
  return db.query({
    name: 'outbox_take',
    text: sql`UPDATE ${jobs} SET ${jobs.attempts} = ${jobs.attempts} + 1, ${jobs.faults} = ${jobs.faults} + 1,
        ${jobs.lockedUntil} = $3 WHERE ${jobs.id} IN (
        SELECT ${jobs.id} FROM ${jobs} WHERE ${jobs.kind} = $1 AND ${jobs.state} = 'waiting' AND ${jobs.dueAt} <= $2
          AND (${jobs.lockedUntil} IS NULL OR ${jobs.lockedUntil} <= $2) AND ${MAY_LEAVE}
        ORDER BY ${jobs.dueAt} LIMIT $4 FOR UPDATE SKIP LOCKED
      ) RETURNING ${row<Job<K>>({
        ...pick(jobs, 'id', 'attempts', 'faults', 'createdAt', 'requestId'),
        kind: as.shape(jobs.kind.sql),
        payload: as.shape(jobs.payload.sql),
      })}`,
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
    text: sql`UPDATE ${jobs} SET ${jobs.state} = $3, ${jobs.dueAt} = coalesce($4, ${jobs.dueAt}),
        ${jobs.lastError} = coalesce($5, ${jobs.lastError}),
        ${jobs.lockedUntil} = NULL, ${jobs.settledAt} = $6, ${jobs.faults} = CASE WHEN $7 THEN ${jobs.faults} ELSE 0 END
      WHERE ${jobs.id} = $1 AND ${jobs.attempts} = $2 AND ${jobs.state} = 'waiting'
      RETURNING ${row(pick(jobs, 'id'))}`,
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
