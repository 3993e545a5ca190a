import { chatMessage } from '../chat/tables.ts'
import type { Sql } from '../database/database.ts'
import { as, type Expr, notNull, orNull, row, sql, under } from '../database/sql.ts'
import { mailMessage } from '../mail/tables.ts'
import type { OutboxKind } from '../outbox/payload.ts'
import { outbox } from '../outbox/tables.ts'
import { slipAsk } from '../slipcheck/tables.ts'
import { supplierAnswer, supplierAttempt } from '../supplier/tables.ts'

const jobs = under(outbox)

/** How something ended, newest first. */
interface End {
  at: Date
  isFault: boolean
}

/** When something last worked and failed, and since when it has only failed. */
export interface Trace {
  succeededAt: Date | null
  failedAt: Date | null
  failingSince: Date | null
}
export const NO_TRACE: Trace = { succeededAt: null, failedAt: null, failingSince: null }

/** Reads the trace from the last ends of a service. */
export function traceOf(ends: readonly End[]): Trace {
  const firstGood = ends.findIndex(({ isFault }) => !isFault)
  const failing = firstGood === -1 ? ends : ends.slice(0, firstGood)
  return {
    succeededAt: ends[firstGood]?.at ?? null,
    failedAt: ends.find(({ isFault }) => isFault)?.at ?? null,
    failingSince: failing.at(-1)?.at ?? null,
  }
}

/** A list of `MOST` ends tells since when a service fails, unless it failed more often than that. */
const MOST = 200

const [asked, pushed, mailed] = [under(slipAsk), under(chatMessage), under(mailMessage)]
const [n, a] = [under(supplierAnswer, 'n'), under(supplierAttempt, 'a')]

/** How a message or a mail ended that has. */
const endOf = ({ settledAt, state }: { settledAt: Expr<Date | null>; state: Expr<string> }) =>
  row<End>({ at: notNull(settledAt), isFault: as.bool(`${state} = 'dead'`) })

/** Each list is the end of an index, however many rows there are. */
const ENDS = {
  slip: sql`SELECT ${row<End>({
    at: asked.askedAt,
    isFault: as.bool(`${asked.answer} IN ('unreachable', 'refused', 'bankDown')`),
  })} FROM ${asked}
    WHERE ${asked.provider} = $1 AND ${asked.answer} IS NOT NULL AND ${asked.answer} <> 'unknown'
    ORDER BY ${asked.askedAt} DESC LIMIT ${MOST}`,
  supplier: sql`SELECT ${row<End>({
    at: n.at,
    isFault: as.bool(`${n.httpStatus} IS NULL AND ${n.answer} = 'unknown'`),
  })} FROM ${n}
    JOIN ${a} ON ${a.id} = ${n.attemptId} WHERE ${a.supplier} = $1 ORDER BY ${n.id} DESC LIMIT ${MOST}`,
  lineMessaging: sql`SELECT ${endOf(pushed)} FROM ${pushed}
    WHERE ${pushed.settledAt} IS NOT NULL
      AND (${pushed.state} = 'sent' OR (${pushed.state} = 'dead' AND ${pushed.reason} = $1))
    ORDER BY ${pushed.settledAt} DESC LIMIT ${MOST}`,
  mail: sql`SELECT ${endOf(mailed)} FROM ${mailed}
    WHERE ${mailed.settledAt} IS NOT NULL AND (${mailed.state} = 'sent' OR ${mailed.reason} LIKE $1 || '%')
    ORDER BY ${mailed.settledAt} DESC LIMIT ${MOST}`,
}

export async function findTrace(db: Sql, service: keyof typeof ENDS, value: string): Promise<Trace> {
  return traceOf(await db.query({ text: ENDS[service], values: [value] }))
}

/** Adds a failure that has left no end yet; it counts when it is the latest news. */
export function withFailure(trace: Trace, since: Date | null): Trace {
  if (!since) return trace
  const failedAt = trace.failedAt && trace.failedAt > since ? trace.failedAt : since
  if (trace.succeededAt && trace.succeededAt > since) return { ...trace, failedAt }
  const failingSince = trace.failingSince && trace.failingSince < since ? trace.failingSince : since
  return { ...trace, failedAt, failingSince }
}

/** Returns since when jobs of a kind fail and are tried again, of those that were stored after the last success. */
export async function findRetriedSince(db: Sql, kind: OutboxKind, succeededAt: Date | null): Promise<Date | null> {
  const [found] = await db.query({
    text: sql`SELECT ${row({ since: orNull(as.instant(`min(${jobs.createdAt})`)) })} FROM ${jobs}
      WHERE ${jobs.state} = 'waiting' AND ${jobs.kind} = $1 AND ${jobs.lastError} IS NOT NULL
        AND ${jobs.createdAt} > coalesce($2, '-infinity'::timestamptz)`,
    values: [kind, succeededAt],
  })
  return found!.since
}

/** Returns the moment since when the oldest due job waits, and when jobs last ended well or were given up. */
export async function findOutboxState(db: Sql, now: Date) {
  const moment = (select: string) => orNull(as.instant(`(SELECT ${select})`))
  const [found] = await db.query({
    text: sql`SELECT ${row({
      dueSince: moment(`min(${jobs.dueAt}) FROM ${jobs} WHERE ${jobs.state} = 'waiting' AND ${jobs.dueAt} <= $1`),
      doneAt: moment(`${jobs.settledAt} FROM ${jobs} WHERE ${jobs.state} = 'done' AND ${jobs.settledAt} IS NOT NULL
        ORDER BY ${jobs.settledAt} DESC LIMIT 1`),
      deadAt: moment(`max(${jobs.settledAt}) FROM ${jobs} WHERE ${jobs.state} = 'dead'`),
    })}`,
    values: [now],
  })
  return found!
}
