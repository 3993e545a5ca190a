import type { Sql } from '../database/database.ts'
import type { OutboxKind } from '../outbox/outbox.ts'

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

/** Each list is the end of an index, however many rows there are. */
const ENDS = {
  slip: `SELECT asked_at AS at, answer IN ('unreachable', 'refused', 'bankDown') AS "isFault" FROM slip_ask
    WHERE provider = $1 AND answer IS NOT NULL AND answer <> 'unknown' ORDER BY asked_at DESC LIMIT ${MOST}`,
  supplier: `SELECT n.at, n.http_status IS NULL AND n.answer = 'unknown' AS "isFault" FROM supplier_answer n
    JOIN supplier_attempt a ON a.id = n.attempt_id WHERE a.supplier = $1 ORDER BY n.id DESC LIMIT ${MOST}`,
  lineMessaging: `SELECT settled_at AS at, state = 'dead' AS "isFault" FROM chat_message
    WHERE settled_at IS NOT NULL AND (state = 'sent' OR (state = 'dead' AND reason = $1)) ORDER BY settled_at DESC LIMIT ${MOST}`,
  mail: `SELECT settled_at AS at, state = 'dead' AS "isFault" FROM mail_message
    WHERE settled_at IS NOT NULL AND (state = 'sent' OR reason LIKE $1 || '%') ORDER BY settled_at DESC LIMIT ${MOST}`,
}

export async function findTrace(db: Sql, service: keyof typeof ENDS, value: string): Promise<Trace> {
  return traceOf(await db.query<End>({ text: ENDS[service], values: [value] }))
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
  const [row] = await db.query<{ since: Date | null }>({
    text: `SELECT min(created_at) AS since FROM outbox
      WHERE state = 'waiting' AND kind = $1 AND last_error IS NOT NULL AND created_at > coalesce($2, '-infinity'::timestamptz)`,
    values: [kind, succeededAt],
  })
  return row!.since
}

/** Returns the moment since when the oldest due job waits, and when jobs last ended well or were given up. */
export async function findOutboxState(db: Sql, now: Date) {
  const [row] = await db.query<{ dueSince: Date | null; doneAt: Date | null; deadAt: Date | null }>({
    text: `SELECT (SELECT min(due_at) FROM outbox WHERE state = 'waiting' AND due_at <= $1) AS "dueSince",
        (SELECT settled_at FROM outbox WHERE state = 'done' AND settled_at IS NOT NULL ORDER BY settled_at DESC LIMIT 1) AS "doneAt",
        (SELECT max(settled_at) FROM outbox WHERE state = 'dead') AS "deadAt"`,
    values: [now],
  })
  return row!
}
