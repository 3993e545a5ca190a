import type { LineTarget } from '@shop/shared/statement/statement.ts'
import type { Sql } from '../database/database.ts'
import { as, notNull, orNull, outer, pick, row, sql, under } from '../database/sql.ts'
import { TARGET } from '../gateway/store.ts'
import { charge } from '../gateway/tables.ts'
import { orders } from '../order/tables.ts'
import { KINDS_FOR_PEOPLE } from '../outbox/job-kind.ts'
import type { OutboxKind } from '../outbox/payload.ts'
import { outbox } from '../outbox/tables.ts'
import { slipCheck } from '../slipcheck/tables.ts'
import { supplierAttempt } from '../supplier/tables.ts'
import { topUp } from '../wallet/tables.ts'

const [j, bare] = [under(outbox, 'j'), under(outbox)]
/** What it is about. */
const [s, a, c] = [outer(slipCheck, 's'), outer(supplierAttempt, 'a'), outer(charge, 'c')]
const [o, t] = [outer(orders, 'o'), outer(topUp, 't')]

/** A job that was given up and is somebody's work, with what it is about. */
export interface DeadJobRow {
  id: string
  kind: OutboxKind
  target: LineTarget | null
  createdAt: Date
  deadAt: Date
  lastError: string | null
}

const IS_FOR_PEOPLE = `${j.state} = 'dead' AND ${j.kind} = ANY($1)`

const idIn = (field: string, ...kinds: OutboxKind[]): string =>
  `CASE WHEN ${j.kind} IN (${kinds.map(kind => `'${kind}'`).join(', ')}) THEN (${j.payload}->>'${field}')::uuid END`
/** The thing that a message is about, where the name of its event begins so. */
const toldId = (start: string): string =>
  `CASE WHEN ${j.kind} = 'chat.tell' AND ${j.payload}->>'event' LIKE '${start}%' THEN (${j.payload}->>'id')::uuid END`

/** Returns jobs that were given up and wait for a person, the oldest first. */
export const findDeadJobs = (db: Sql, limit: number): Promise<DeadJobRow[]> =>
  db.query({
    text: sql`SELECT ${row<DeadJobRow>({
      ...pick(j, 'id', 'kind', 'createdAt', 'lastError'),
      target: orNull(as.shape<LineTarget>(TARGET)),
      deadAt: notNull(j.settledAt),
    })}
      FROM ${j}
      LEFT JOIN ${s} ON ${s.id} = ${idIn('checkId', 'slip.check')}
      LEFT JOIN ${a} ON ${a.id} = ${idIn('attemptId', 'supplier.ask')}
      LEFT JOIN ${c} ON ${c.id} = ${idIn('chargeId', 'charge.ask', 'charge.end')}
      LEFT JOIN ${o} ON ${o.id} = coalesce(${idIn('orderId', 'supplier.deliver')}, ${a.orderId}, ${c.orderId},
        CASE WHEN ${s.subject} = 'order' THEN ${s.subjectId} END, ${toldId('order')})
      LEFT JOIN ${t} ON ${t.id} = coalesce(${c.topUpId}, CASE WHEN ${s.subject} = 'topUp' THEN ${s.subjectId} END, ${toldId('topUp')})
      WHERE ${IS_FOR_PEOPLE} ORDER BY ${j.settledAt}, ${j.id} LIMIT $2`,
    values: [KINDS_FOR_PEOPLE, limit],
  })

/** Returns how many jobs wait for a person, and since when the oldest was given up. */
export async function countDeadJobs(db: Sql): Promise<{ count: number; since: Date | null }> {
  const since = orNull(as.instant(`min(${j.settledAt})`))
  const [found] = await db.query({
    text: sql`SELECT ${row({ count: as.int('count(*)'), since })} FROM ${j} WHERE ${IS_FOR_PEOPLE}`,
    values: [KINDS_FOR_PEOPLE],
  })
  return found!
}

async function save(tx: Sql, id: string, change: string, values: unknown[]): Promise<boolean> {
  const saved = await tx.query({
    text: sql`UPDATE ${j} SET ${change} WHERE ${j.id} = $2 AND ${IS_FOR_PEOPLE} RETURNING ${row(pick(j, 'id'))}`,
    values: [KINDS_FOR_PEOPLE, id, ...values],
  })
  return saved.length > 0
}

/** Starts a job again that was given up; false when it does not wait for a person any more. */
export const retryDeadJob = (tx: Sql, id: string, now: Date): Promise<boolean> =>
  save(tx, id, `${bare.state} = 'waiting', ${bare.dueAt} = $3, ${bare.settledAt} = NULL, ${bare.faults} = 0`, [now])

/** Closes a job that was given up: it is done otherwise, or not wanted any more. */
export const closeDeadJob = (tx: Sql, id: string, now: Date): Promise<boolean> =>
  save(tx, id, `${bare.state} = 'closed', ${bare.settledAt} = $3`, [now])
