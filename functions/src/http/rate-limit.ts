import { AppError, type ErrorCode } from '@shop/shared/errors.ts'
import { keysOf } from '@shop/shared/table.ts'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Sql } from '../database/database.ts'
import { as, row, sql, under } from '../database/sql.ts'
import { rateLimit } from './tables.ts'

declare module '../shop/shop.ts' {
  interface Shop {
    limits: RateLimits
  }
}

/**
 * A limit on the calls of one key within a minute or an hour, and the environment variable that changes it. Limits with
 * `isShared` guard money, so the database counts them over all processes; each process counts the others for itself.
 */
type RateLimit = ({ perMinute: number } | { perHour: number }) & {
  isShared: boolean
  variable: `RATE_LIMIT_${string}`
  /** What a refused caller is told, when there is something better to do than to wait. */
  refusal?: ErrorCode
}

export const RATE_LIMIT = {
  ordersPerCaller: { perMinute: 20, isShared: true, variable: 'RATE_LIMIT_ORDERS_PER_CALLER' },
  /** Counts all signed-in callers at an address. */
  ordersPerAddress: { perMinute: 600, isShared: true, variable: 'RATE_LIMIT_ORDERS_PER_ADDRESS' },
  /** Counts the orders and held amounts of all guests at an address, because guests choose their keys themselves. */
  guestOrdersPerAddress: {
    perMinute: 10,
    isShared: true,
    variable: 'RATE_LIMIT_GUEST_ORDERS_PER_ADDRESS',
    refusal: 'GUEST_LIMIT_REACHED',
  },
  guestOrdersPerAddressAndHour: {
    perHour: 30,
    isShared: true,
    variable: 'RATE_LIMIT_GUEST_ORDERS_PER_ADDRESS_AND_HOUR',
    refusal: 'GUEST_LIMIT_REACHED',
  },
  topUpsPerCaller: { perMinute: 20, isShared: true, variable: 'RATE_LIMIT_TOP_UPS_PER_CALLER' },
  pinTriesPerCaller: { perMinute: 10, isShared: true, variable: 'RATE_LIMIT_PIN_TRIES_PER_CALLER' },
  lookupsPerCaller: { perMinute: 30, isShared: false, variable: 'RATE_LIMIT_LOOKUPS_PER_CALLER' },
  lookupsPerAddress: { perMinute: 120, isShared: false, variable: 'RATE_LIMIT_LOOKUPS_PER_ADDRESS' },
  uploadsPerCaller: { perMinute: 20, isShared: false, variable: 'RATE_LIMIT_UPLOADS_PER_CALLER' },
  uploadsPerAddress: { perMinute: 60, isShared: false, variable: 'RATE_LIMIT_UPLOADS_PER_ADDRESS' },
  /** Bounds what is stored for an address, whatever keys its guests make. */
  uploadsPerAddressAndHour: { perHour: 120, isShared: true, variable: 'RATE_LIMIT_UPLOADS_PER_ADDRESS_AND_HOUR' },
  /** Each try to pay asks the gateway for a charge. */
  chargesPerCaller: { perMinute: 10, isShared: true, variable: 'RATE_LIMIT_CHARGES_PER_CALLER' },
  /** Takes of refunds as credit, and credit that is wanted back as money. */
  creditPerCaller: { perMinute: 10, isShared: true, variable: 'RATE_LIMIT_CREDIT_PER_CALLER' },
  /** Looks at codes, and addresses given for them. */
  codesPerCaller: { perMinute: 30, isShared: true, variable: 'RATE_LIMIT_CODES_PER_CALLER' },
  /** Each number is a mail, and as many more tries at guessing it. */
  codeNumbersPerOrder: { perHour: 5, isShared: true, variable: 'RATE_LIMIT_CODE_NUMBERS_PER_ORDER' },
  codeNumbersPerCaller: { perHour: 10, isShared: true, variable: 'RATE_LIMIT_CODE_NUMBERS_PER_CALLER' },
  /** Each code is a message to the owner of an account, and as many more tries at guessing it. */
  ownerCodesPerCaller: { perHour: 5, isShared: true, variable: 'RATE_LIMIT_OWNER_CODES_PER_CALLER' },
  /** Every paper is laid out and drawn anew. */
  papersPerCaller: { perMinute: 30, isShared: false, variable: 'RATE_LIMIT_PAPERS_PER_CALLER' },
  /** A copy of one's data reads everything that the shop keeps of a person. */
  copiesPerCaller: { perHour: 6, isShared: true, variable: 'RATE_LIMIT_COPIES_PER_CALLER' },
  /** Files of codes that are read: each is compared with all codes that there ever were. */
  codeFilesPerCaller: { perMinute: 20, isShared: false, variable: 'RATE_LIMIT_CODE_FILES_PER_CALLER' },
  /** Whole codes that one member of the staff may look at. */
  seenCodesPerCaller: { perHour: 20, isShared: true, variable: 'RATE_LIMIT_SEEN_CODES_PER_CALLER' },
  /** Endpoints that are added, new secrets, and messages that are sent because somebody asks for it. */
  webhooksPerCaller: { perMinute: 20, isShared: true, variable: 'RATE_LIMIT_WEBHOOKS_PER_CALLER' },
  /** One call of a feed holds many lines. */
  feedsPerKey: { perMinute: 60, isShared: true, variable: 'RATE_LIMIT_FEEDS_PER_KEY' },
  /** Also counts callers who guess keys. */
  feedsPerAddress: { perMinute: 120, isShared: false, variable: 'RATE_LIMIT_FEEDS_PER_ADDRESS' },
  /** Keys that are made. */
  keysPerCaller: { perHour: 20, isShared: true, variable: 'RATE_LIMIT_KEYS_PER_CALLER' },
  /** Calls of an agent's machine, by its key. */
  apiReadsPerKey: { perMinute: 600, isShared: false, variable: 'RATE_LIMIT_API_READS_PER_KEY' },
  /** Each answer has all prices. */
  apiPricesPerKey: { perMinute: 60, isShared: false, variable: 'RATE_LIMIT_API_PRICES_PER_KEY' },
  apiChecksPerKey: { perMinute: 60, isShared: false, variable: 'RATE_LIMIT_API_CHECKS_PER_KEY' },
  apiOrdersPerKey: { perMinute: 300, isShared: true, variable: 'RATE_LIMIT_API_ORDERS_PER_KEY' },
  apiCodesPerKey: { perMinute: 120, isShared: true, variable: 'RATE_LIMIT_API_CODES_PER_KEY' },
  /** Calls with unknown keys. */
  wrongKeysPerAddress: { perMinute: 30, isShared: false, variable: 'RATE_LIMIT_WRONG_KEYS_PER_ADDRESS' },
  termsPerAddress: { perMinute: 60, isShared: false, variable: 'RATE_LIMIT_TERMS_PER_ADDRESS' },
  signInsPerAddress: { perMinute: 300, isShared: false, variable: 'RATE_LIMIT_SIGN_INS_PER_ADDRESS' },
} satisfies Record<string, RateLimit>

export type LimitName = keyof typeof RATE_LIMIT
export const LIMIT_NAMES = keysOf(RATE_LIMIT)

/** Returns how many calls a limit allows and in how many seconds. */
export function windowOf(name: LimitName): { calls: number; seconds: number } {
  const limit: RateLimit = RATE_LIMIT[name]
  return 'perHour' in limit ? { calls: limit.perHour, seconds: 3600 } : { calls: limit.perMinute, seconds: 60 }
}

/** When a process remembers more refused callers than this, it removes those whose time is over. */
const MOST_REFUSED = 10_000

/** The clocks of two processes may differ by this much. */
const CLOCK_MS = 60_000

/** One call that counts against a limit. */
export interface Call {
  limit: LimitName
  key: string
  /** How many calls a shared limit allows, where the shop's people have set it; it overrides the variable. */
  most?: number | undefined
}

/** The points and the end of each count in turn; null where nothing was counted. */
export type Counts = (number | null)[] | null

/** A try that is counted by a statement which also does other things. */
export interface Counting {
  /** The statement's input about it; see `countingCtes`. */
  record: CountedTry
  /** @throws the limit's refusal, also when nothing was counted because an earlier call is still refused */
  judge(counts: Counts): void
}

/**
 * Lists with one element for each limit: the key that is counted, the end in ms if this is its first call, and the
 * allowed number.
 */
interface CountedTry {
  countKeys: string[]
  countUntil: number[]
  countMost: number[]
  /** False for a try that is already refused. */
  isCounted: boolean
}

export const COUNTED_TRY = {
  countKeys: 'text[]',
  countUntil: 'bigint[]',
  countMost: 'bigint[]',
  isCounted: 'boolean',
} satisfies Record<keyof CountedTry, string>

const [counter, c, counted] = [under(rateLimit), under(rateLimit, 'c'), under(rateLimit, 'excluded')]

/**
 * Returns CTEs that count the tries in `asked` (an `nth` and the columns of `COUNTED_TRY`) against their limits. A try
 * that one limit refuses is not counted by the next; `counts` holds the results. The counters stay locked until the
 * transaction ends, so it must lock nothing after them. @param only the condition on a try `ask` for being counted
 */
export function countingCtes(limits: number, only: string, now: string): string {
  const steps = Array.from({ length: limits }, (_, step) => {
    const key = `"countKeys"[${step + 1}]`
    const passed = `counted_${step - 1} JOIN asked USING (nth) WHERE points <= "countMost"[${step}]`
    // Nothing ends later than what begins now, unless a clock was ahead then.
    const isOver = `(${c.expire} <= ${now} OR ${c.expire} > ${counted.expire} + ${CLOCK_MS})`
    return `tried_${step} AS (
        SELECT nth, ${key} AS key, "countUntil"[${step + 1}] AS until,
          row_number() OVER (PARTITION BY ${key} ORDER BY nth DESC) AS nth_last
        FROM ${step === 0 ? `asked ask WHERE "isCounted" AND ${only}` : passed}
      ), added_${step} AS (
        INSERT INTO ${counter} AS c (${counter.key}, ${counter.points}, ${counter.expire}) SELECT key, count(*), max(until) FROM tried_${step} GROUP BY key ORDER BY key
        ON CONFLICT (${counter.key}) DO UPDATE SET ${counter.points} = CASE WHEN ${isOver} THEN 0 ELSE ${c.points} END + ${counted.points},
          ${counter.expire} = CASE WHEN ${isOver} THEN ${counted.expire} ELSE ${c.expire} END
        RETURNING ${counter.key}, ${counter.points}, ${counter.expire}
      ), counted_${step} AS (
        SELECT nth, points + 1 - nth_last AS points, expire FROM tried_${step} JOIN added_${step} USING (key)
      )`
  })
  const others = Array.from({ length: limits - 1 }, (_, n) => `LEFT JOIN counted_${n + 1} USING (nth)`)
  const results = steps.flatMap((_, step) => [`counted_${step}.points`, `counted_${step}.expire`])
  return `${steps.join(', ')}, counts AS (
    SELECT nth, ARRAY[${results}]::float8[] AS counts FROM counted_0 ${others.join(' ')})`
}

export interface RateLimits {
  /** Counts a call. @throws RATE_LIMITED with the time to wait */
  take(limit: LimitName, key: string): Promise<void>
  /** Counts calls against several shared limits at once. @throws the refusal of the limit that holds longest */
  takeShared(calls: Call[]): Promise<void>
  /** Prepares calls to be counted by a statement of the caller's own. */
  countShared(calls: Call[]): Counting
}

function rateLimited(name: LimitName, waitMs: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000))
  const { refusal = 'RATE_LIMITED' }: RateLimit = RATE_LIMIT[name]
  return new AppError(refusal, { values: { n: Math.ceil(retryAfterSeconds / 60) }, retryAfterSeconds })
}

/**
 * Counts shared limits in the database. A refused caller is refused from this process's memory until the time is over.
 */
function createSharedLimits(configured: Record<LimitName, number>): RateLimits['countShared'] {
  // The key names the allowed number as well, so that nobody stays refused by a number that was raised since.
  const refusedUntil = new Map<string, number>()
  const refuse = (key: string, until: number, now: number) => {
    if (refusedUntil.size >= MOST_REFUSED)
      for (const [old, end] of refusedUntil) if (end <= now) refusedUntil.delete(old)
    refusedUntil.set(key, until)
  }
  return calls => {
    const now = Date.now()
    const countKeys = calls.map(({ limit, key }) => `${limit}:${key}`)
    const countMost = calls.map(({ limit, most }) => most ?? configured[limit])
    const refusedKeys = countKeys.map((key, index) => `${key}/${countMost[index]}`)
    const countUntil = calls.map(({ limit }) => now + windowOf(limit).seconds * 1000)
    const refused = refusedKeys.map((key, index) => {
      const until = refusedUntil.get(key) ?? 0
      return until > countUntil[index]! + CLOCK_MS ? 0 : until
    })
    return {
      record: {
        countKeys,
        countUntil,
        countMost,
        isCounted: Math.max(...refused) <= now,
      },
      judge(counts) {
        const ends = refused.map((before, index) => {
          const [points, end] = [counts?.[2 * index] ?? 0, counts?.[2 * index + 1] ?? 0]
          if (points <= countMost[index]!) return before
          refuse(refusedKeys[index]!, end, now)
          return Math.max(before, end)
        })
        const until = Math.max(...ends)
        if (until > now) throw rateLimited(calls[ends.indexOf(until)]!.limit, until - now)
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
    const { record, judge } = countShared(tries)
    judge(null)
    const [found] = await db.query({
      name: `rate_${tries.length}`,
      text: sql`WITH asked AS (SELECT 0 AS nth, $1::text[] AS "countKeys", $2::bigint[] AS "countUntil", $3::bigint[] AS "countMost",
        true AS "isCounted"), ${countingCtes(tries.length, 'true', '$4')} SELECT ${row({ counts: as.shape<Counts>('counts') })} FROM counts`,
      values: [record.countKeys, record.countUntil, record.countMost, Date.now()],
    })
    judge(found!.counts)
  }
  return {
    countShared,
    takeShared,
    async take(limit, key) {
      if (RATE_LIMIT[limit].isShared) return takeShared([{ limit, key }])
      await limiters[limit]!.consume(key).catch((rejected: unknown) => {
        throw rejected instanceof RateLimiterRes ? rateLimited(limit, rejected.msBeforeNext) : rejected
      })
    },
  }
}
