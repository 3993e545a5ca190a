import { bangkokDay } from '@shop/shared/time.ts'
import { uuidv7 } from 'uuidv7'
import { resellerKey } from '../account/tables.ts'
import type { Sql } from '../database/database.ts'
import { sql, under } from '../database/sql.ts'
import { factsOf, log } from '../http/log.ts'
import { outsideRequests } from '../http/request-id.ts'
import { resellerCall, resellerDay } from './tables.ts'

const k = under(resellerKey, 'k')
const d = under(resellerDay, 'd')
/** Where names stand alone, and what an INSERT brings. */
const [day, sent, call] = [under(resellerDay), under(resellerDay, 'excluded'), under(resellerCall)]

declare module '../shop/shop.ts' {
  interface Shop {
    /** Counts what is done with the keys of agents' machines. */
    keyUse: KeyUse
  }
}

/** One call of a machine that was answered. */
interface Call {
  keyId: string
  /** From where. */
  address: string
  /** The call's name in the API's document: "createOrder". */
  call: string
  status: number
  /** The code of its error; null for what went well. */
  code: string | null
  /** What the caller names the order by, or the order's number; null for a call that is about none. */
  ref: string | null
  now: Date
}

/**
 * Counts the calls of machines, and keeps what each was for its owner to read. What a process that dies had not stored yet,
 * a few seconds of it, is lost.
 */
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
  /** Those that are kept one by one. */
  kept: (Call & { id: string })[]
}

/** In between, calls are counted in memory: a row that each call wrote would be written hundreds of times a second. */
const FLUSH_MS = 5000
/** So many calls of a key are kept of each such time. A machine that calls more often makes the same mistake in all of them. */
const MOST_KEPT = 100

export function openKeyUse(db: Sql): KeyUse {
  let counted = new Map<string, Counted>()

  async function flush(): Promise<void> {
    const rows = [...counted.values()]
    counted = new Map()
    if (rows.length === 0) return
    await db.query({
      name: 'key_use',
      // In a fixed order, so that two processes never wait for each other.
      text: sql`INSERT INTO ${day} AS d (${day.keyId}, ${day.day}, ${day.calls}, ${day.errors}, ${day.lastUsedAt},
          ${day.lastUsedFrom})
        SELECT r."keyId", r.day, r.calls, r.errors, r.at, r."from" FROM json_to_recordset($1)
          AS r ("keyId" text, day date, calls int, errors int, at timestamptz, "from" text)
          JOIN ${k} ON ${k.id} = r."keyId" ORDER BY r."keyId", r.day
        ON CONFLICT (${day.keyId}, ${day.day}) DO UPDATE SET ${day.calls} = ${d.calls} + ${sent.calls},
          ${day.errors} = ${d.errors} + ${sent.errors},
          ${day.lastUsedAt} = greatest(${d.lastUsedAt}, ${sent.lastUsedAt}), ${day.lastUsedFrom} = ${sent.lastUsedFrom}`,
      values: [JSON.stringify(rows.map(({ kept: _, ...row }) => row))],
    })
    await db.query({
      name: 'key_calls',
      text: sql`INSERT INTO ${call} (${call.id}, ${call.keyId}, ${call.at}, ${call.call}, ${call.status}, ${call.code},
          ${call.ref}, ${call.address})
        SELECT r.id, r."keyId", r.now, r.call, r.status, r.code, r.ref, r.address FROM json_to_recordset($1)
          AS r (id uuid, "keyId" text, now timestamptz, call text, status int, code text, ref text, address text)
          JOIN ${k} ON ${k.id} = r."keyId"`,
      values: [JSON.stringify(rows.flatMap(({ kept }) => kept))],
    })
  }

  const flushSoon = () =>
    outsideRequests(() =>
      flush().catch((error: unknown) => log('WARNING', 'key use not stored', { cause: factsOf(error) })),
    )

  return {
    count(call) {
      const { keyId, address: from, now: at } = call
      const day = bangkokDay(at)
      const name = `${keyId} ${day}`
      const { calls = 0, errors = 0, kept = [] } = counted.get(name) ?? {}
      if (kept.length < MOST_KEPT) kept.push({ ...call, id: uuidv7() })
      const isError = call.code !== null
      counted.set(name, { keyId, day, calls: calls + 1, errors: errors + (isError ? 1 : 0), at, from, kept })
      if (counted.size === 1 && calls === 0) setTimeout(flushSoon, FLUSH_MS).unref()
    },
    flush,
  }
}
