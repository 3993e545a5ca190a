import type { LineTarget } from '@shop/shared/statement/statement.ts'
import type { Sql } from '../database/database.ts'
import { TARGET } from '../gateway/store.ts'
import { KINDS_FOR_PEOPLE } from '../outbox/job-kind.ts'
import type { OutboxKind } from '../outbox/payload.ts'

/** A job that was given up and is somebody's work, with what it is about. */
export interface DeadJobRow {
  id: string
  kind: OutboxKind
  target: LineTarget | null
  createdAt: Date
  deadAt: Date
  lastError: string | null
}

const IS_FOR_PEOPLE = `j.state = 'dead' AND j.kind = ANY($1)`

const idIn = (field: string, ...kinds: OutboxKind[]): string =>
  `CASE WHEN j.kind IN (${kinds.map(kind => `'${kind}'`).join(', ')}) THEN (j.payload->>'${field}')::uuid END`
/** The thing that a message is about, where the name of its event begins so. */
const toldId = (start: string): string =>
  `CASE WHEN j.kind = 'chat.tell' AND j.payload->>'event' LIKE '${start}%' THEN (j.payload->>'id')::uuid END`

/** Returns jobs that were given up and wait for a person, the oldest first. */
export const findDeadJobs = (db: Sql, limit: number): Promise<DeadJobRow[]> =>
  db.query<DeadJobRow>({
    text: `SELECT j.id, j.kind, ${TARGET} AS target, j.created_at AS "createdAt",
        j.settled_at AS "deadAt", j.last_error AS "lastError"
      FROM outbox j
      LEFT JOIN slip_check s ON s.id = ${idIn('checkId', 'slip.check')}
      LEFT JOIN supplier_attempt a ON a.id = ${idIn('attemptId', 'supplier.ask')}
      LEFT JOIN charge c ON c.id = ${idIn('chargeId', 'charge.ask', 'charge.end')}
      LEFT JOIN orders o ON o.id = coalesce(${idIn('orderId', 'supplier.deliver')}, a.order_id, c.order_id,
        CASE WHEN s.subject = 'order' THEN s.subject_id END, ${toldId('order')})
      LEFT JOIN top_up t ON t.id = coalesce(c.top_up_id, CASE WHEN s.subject = 'topUp' THEN s.subject_id END, ${toldId('topUp')})
      WHERE ${IS_FOR_PEOPLE} ORDER BY j.settled_at, j.id LIMIT $2`,
    values: [KINDS_FOR_PEOPLE, limit],
  })

/** Returns how many jobs wait for a person, and since when the oldest was given up. */
export async function countDeadJobs(db: Sql): Promise<{ count: number; since: Date | null }> {
  const [row] = await db.query<{ count: number; since: Date | null }>({
    text: `SELECT count(*)::int AS count, min(j.settled_at) AS since FROM outbox j WHERE ${IS_FOR_PEOPLE}`,
    values: [KINDS_FOR_PEOPLE],
  })
  return row!
}

async function save(tx: Sql, id: string, change: string, values: unknown[]): Promise<boolean> {
  const saved = await tx.query({
    text: `UPDATE outbox j SET ${change} WHERE j.id = $2 AND ${IS_FOR_PEOPLE} RETURNING j.id`,
    values: [KINDS_FOR_PEOPLE, id, ...values],
  })
  return saved.length > 0
}

/** Starts a job again that was given up; false when it does not wait for a person any more. */
export const retryDeadJob = (tx: Sql, id: string, now: Date): Promise<boolean> =>
  save(tx, id, `state = 'waiting', due_at = $3, settled_at = NULL, faults = 0`, [now])

/** Closes a job that was given up: it is done otherwise, or not wanted any more. */
export const closeDeadJob = (tx: Sql, id: string, now: Date): Promise<boolean> =>
  save(tx, id, `state = 'closed', settled_at = $3`, [now])
