import { bangkokDay } from '@shop/shared/time.ts'
import type { Sql } from '../database/database.ts'
import { factsOf, log } from '../http/log.ts'
import { outsideRequests } from '../http/request-id.ts'

/** One call of a machine that was answered. */
interface Call {
  keyId: string
  /** From where. */
  address: string
  isError: boolean
  now: Date
}

/** Counts the calls of machines. What a process that dies had not stored yet, a few seconds of counts, is lost. */
export interface KeyUse {
  count(call: Call): void
  /** Stores what was counted. */
  flush(): Promise<void>
}

interface Counted {
  keyId: string
  day: string
  calls: number
  errors: number
  at: Date
  from: string
}

/** In between, calls are counted in memory: a row that each call wrote would be written hundreds of times a second. */
const FLUSH_MS = 5000

export function openKeyUse(db: Sql): KeyUse {
  let counted = new Map<string, Counted>()

  async function flush(): Promise<void> {
    const rows = [...counted.values()]
    counted = new Map()
    if (rows.length === 0) return
    await db.query({
      name: 'key_use',
      // In a fixed order, so that two processes never wait for each other.
      text: `INSERT INTO reseller_day AS d (key_id, day, calls, errors, last_used_at, last_used_from)
        SELECT r."keyId", r.day, r.calls, r.errors, r.at, r."from" FROM json_to_recordset($1)
          AS r ("keyId" text, day date, calls int, errors int, at timestamptz, "from" text)
          JOIN reseller_key k ON k.id = r."keyId" ORDER BY r."keyId", r.day
        ON CONFLICT (key_id, day) DO UPDATE SET calls = d.calls + excluded.calls, errors = d.errors + excluded.errors,
          last_used_at = greatest(d.last_used_at, excluded.last_used_at), last_used_from = excluded.last_used_from`,
      values: [JSON.stringify(rows)],
    })
  }

  const flushSoon = () =>
    outsideRequests(() =>
      flush().catch((error: unknown) => log('WARNING', 'key use not stored', { cause: factsOf(error) })),
    )

  return {
    count({ keyId, address, isError, now }) {
      const day = bangkokDay(now)
      const name = `${keyId} ${day}`
      const { calls = 0, errors = 0 } = counted.get(name) ?? {}
      counted.set(name, { keyId, day, calls: calls + 1, errors: errors + (isError ? 1 : 0), at: now, from: address })
      if (counted.size === 1 && calls === 0) setTimeout(flushSoon, FLUSH_MS).unref()
    },
    flush,
  }
}
