import { AppError } from '@shop/shared/errors.ts'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Sql } from '../database/database.ts'
import { Values } from '../database/values.ts'

/**
 * Calls of one key within a minute or an hour, and the environment variable that changes how many. `isShared` ones,
 * which guard money, are counted in the database by all processes together; the others by each process for itself.
 * What the limit `after` refuses is not counted here.
 */
type RateLimit = ({ perMinute: number } | { perHour: number }) & {
  isShared: boolean
  after?: string
  variable: `RATE_LIMIT_${string}`
}

export const RATE_LIMIT = {
  ordersPerCaller: { perMinute: 20, isShared: true, variable: 'RATE_LIMIT_ORDERS_PER_CALLER' },
  /** Of all who are signed in there. */
  ordersPerAddress: { perMinute: 600, isShared: true, variable: 'RATE_LIMIT_ORDERS_PER_ADDRESS' },
  /** Orders and held amounts of all guests at an address: they choose their keys, which tell nobody apart. */
  guestOrdersPerAddress: { perMinute: 10, isShared: true, variable: 'RATE_LIMIT_GUEST_ORDERS_PER_ADDRESS' },
  guestOrdersPerAddressAndHour: {
    perHour: 30,
    isShared: true,
    after: 'guestOrdersPerAddress',
    variable: 'RATE_LIMIT_GUEST_ORDERS_PER_ADDRESS_AND_HOUR',
  },
  topUpsPerCaller: { perMinute: 20, isShared: true, variable: 'RATE_LIMIT_TOP_UPS_PER_CALLER' },
  pinTriesPerCaller: { perMinute: 10, isShared: true, variable: 'RATE_LIMIT_PIN_TRIES_PER_CALLER' },
  lookupsPerCaller: { perMinute: 30, isShared: false, variable: 'RATE_LIMIT_LOOKUPS_PER_CALLER' },
  lookupsPerAddress: { perMinute: 120, isShared: false, variable: 'RATE_LIMIT_LOOKUPS_PER_ADDRESS' },
  uploadsPerCaller: { perMinute: 20, isShared: false, variable: 'RATE_LIMIT_UPLOADS_PER_CALLER' },
  uploadsPerAddress: { perMinute: 60, isShared: false, variable: 'RATE_LIMIT_UPLOADS_PER_ADDRESS' },
  /** Each is set and drawn anew. */
  papersPerCaller: { perMinute: 30, isShared: false, variable: 'RATE_LIMIT_PAPERS_PER_CALLER' },
  /** A feed sends many lines in one call. */
  feedsPerKey: { perMinute: 60, isShared: true, variable: 'RATE_LIMIT_FEEDS_PER_KEY' },
  /** Also of those who guess keys. */
  feedsPerAddress: { perMinute: 120, isShared: false, variable: 'RATE_LIMIT_FEEDS_PER_ADDRESS' },
  termsPerAddress: { perMinute: 60, isShared: false, variable: 'RATE_LIMIT_TERMS_PER_ADDRESS' },
  signInsPerAddress: { perMinute: 300, isShared: false, variable: 'RATE_LIMIT_SIGN_INS_PER_ADDRESS' },
} satisfies Record<string, RateLimit>

export type LimitName = keyof typeof RATE_LIMIT
export const LIMIT_NAMES = Object.keys(RATE_LIMIT) as LimitName[]

/** How many calls a limit lets pass, and within how long. */
export function windowOf(name: LimitName): { calls: number; seconds: number } {
  const limit: RateLimit = RATE_LIMIT[name]
  return 'perHour' in limit ? { calls: limit.perHour, seconds: 3600 } : { calls: limit.perMinute, seconds: 60 }
}

/** This many callers a process refuses from memory before it clears away those whose time is over. */
const MOST_REFUSED = 10_000

/** One call that counts against a limit. */
export interface Call {
  limit: LimitName
  key: string
}

/** What `Counting.result` gave: points and end of each count, null for what was not counted. */
export type Counts = (number | null)[]

/** Calls that a statement counts along with what else it does. */
export interface Counting {
  /**
   * The parts of that statement: CTEs, and an expression for what they counted. The counts stay locked from there on, so
   * it stands last.
   * @param only a condition without which nothing is counted
   */
  parts(values: Values, only: string): { ctes: string; result: string }
  /** @throws RATE_LIMITED, also where nothing was counted since an earlier call was refused */
  judge(counts: Counts): void
}

export interface RateLimits {
  /** Counts a call. @throws RATE_LIMITED with the time to wait */
  take(limit: LimitName, key: string): Promise<void>
  /** The same of several shared limits at once. */
  takeShared(calls: Call[]): Promise<void>
  /** The same in a statement of the caller's own. */
  countShared(calls: Call[]): Counting
}

function rateLimited(waitMs: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new AppError('RATE_LIMITED', { values: { n: Math.ceil(retryAfterSeconds / 60) }, retryAfterSeconds })
}

/** Counts one call in a row that a limit and a key have until `end`: then the next call begins anew. */
const countSql = (values: Values, { key, end, now }: { key: string; end: number; now: number }, from: string) => {
  const isOver = `c.expire <= ${values.add(now)}`
  return `INSERT INTO rate_limit AS c (key, points, expire) SELECT ${values.add(key)}, 1, ${values.add(end)}::bigint ${from}
    ON CONFLICT (key) DO UPDATE SET points = CASE WHEN ${isOver} THEN 1 ELSE c.points + 1 END,
      expire = CASE WHEN ${isOver} THEN excluded.expire ELSE c.expire END
    RETURNING points, expire`
}

/** Keeps shared counts. Whoever is refused stays refused by this process until then, without the database being asked. */
function createSharedLimits(most: Record<LimitName, number>): RateLimits['countShared'] {
  const refusedUntil = new Map<string, number>()
  const refuse = (key: string, until: number, now: number) => {
    if (refusedUntil.size >= MOST_REFUSED)
      for (const [old, end] of refusedUntil) if (end <= now) refusedUntil.delete(old)
    refusedUntil.set(key, until)
  }
  return calls => {
    const now = Date.now()
    const counted = calls.map(({ limit, key }) => ({ limit, key: `${limit}:${key}` }))
    const refused = Math.max(...counted.map(({ key }) => refusedUntil.get(key) ?? 0))
    return {
      parts(values, only) {
        const condition = `${values.add(refused <= now)}::boolean AND ${only}`
        const ctes = counted.map(({ limit, key }, index) => {
          const { after }: RateLimit = RATE_LIMIT[limit]
          const before = counted.findIndex(call => call.limit === after)
          const passed = () =>
            `FROM counted_${before} WHERE points <= ${values.add(most[counted[before]!.limit], '::bigint')}`
          const end = now + windowOf(limit).seconds * 1000
          const from = before < 0 ? `WHERE ${condition}` : passed()
          return `counted_${index} AS (${countSql(values, { key, end, now }, from)})`
        })
        const results = ctes.flatMap((_, index) => [
          `(SELECT points FROM counted_${index})`,
          `(SELECT expire FROM counted_${index})`,
        ])
        return { ctes: ctes.join(', '), result: `ARRAY[${results}]::float8[]` }
      },
      judge(counts) {
        let until = refused
        counted.forEach(({ limit, key }, index) => {
          const [points, end] = [counts[2 * index] ?? 0, counts[2 * index + 1] ?? 0]
          if (points <= most[limit]) return
          refuse(key, end, now)
          until = Math.max(until, end)
        })
        if (until > now) throw rateLimited(until - now)
      },
    }
  }
}

export function createRateLimits(calls: Record<LimitName, number>, db: Sql): RateLimits {
  const limiters = Object.fromEntries(
    LIMIT_NAMES.filter(name => !RATE_LIMIT[name].isShared).map(name => [
      name,
      new RateLimiterMemory({ points: calls[name], duration: windowOf(name).seconds, keyPrefix: name }),
    ]),
  )
  const countShared = createSharedLimits(calls)
  async function takeShared(tries: Call[]): Promise<void> {
    const counting = countShared(tries)
    counting.judge([])
    const values = new Values()
    const { ctes, result } = counting.parts(values, 'true')
    const name = ['rate', ...tries.map(({ limit }) => limit)].join('_')
    const text = `WITH ${ctes} SELECT ${result} AS counts`
    const [row] = await db.query<{ counts: Counts }>({ name, text, values: values.all })
    counting.judge(row!.counts)
  }
  return {
    countShared,
    takeShared,
    async take(limit, key) {
      if (RATE_LIMIT[limit].isShared) return takeShared([{ limit, key }])
      await limiters[limit]!.consume(key).catch((rejected: unknown) => {
        throw rejected instanceof RateLimiterRes ? rateLimited(rejected.msBeforeNext) : rejected
      })
    },
  }
}
