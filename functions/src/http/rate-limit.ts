import { AppError } from '@shop/shared/errors.ts'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Sql } from '../database/database.ts'

/**
 * Calls of one key within a minute or an hour, and the environment variable that changes how many. `isShared` ones,
 * which guard money, are counted in the database by all processes together; the others by each process for itself.
 */
type RateLimit = ({ perMinute: number } | { perHour: number }) & { isShared: boolean; variable: `RATE_LIMIT_${string}` }

export const RATE_LIMIT = {
  ordersPerCaller: { perMinute: 20, isShared: true, variable: 'RATE_LIMIT_ORDERS_PER_CALLER' },
  /** Of all who are signed in there. */
  ordersPerAddress: { perMinute: 600, isShared: true, variable: 'RATE_LIMIT_ORDERS_PER_ADDRESS' },
  /** Orders and held amounts of all guests at an address: they choose their keys, which tell nobody apart. */
  guestOrdersPerAddress: { perMinute: 10, isShared: true, variable: 'RATE_LIMIT_GUEST_ORDERS_PER_ADDRESS' },
  guestOrdersPerAddressAndHour: {
    perHour: 30,
    isShared: true,
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

/** Counts calls per key; throws RATE_LIMITED with the time to wait. */
export interface RateLimits {
  take(limit: LimitName, key: string): Promise<void>
}

export function createRateLimits(calls: Record<LimitName, number>, db: Sql): RateLimits {
  const storeClient = { query: async (statement: Parameters<Sql['query']>[0]) => ({ rows: await db.query(statement) }) }
  const limiterOf = (name: LimitName) => {
    const options = { points: calls[name], duration: windowOf(name).seconds, keyPrefix: name }
    if (!RATE_LIMIT[name].isShared) return new RateLimiterMemory(options)
    const store = { storeClient, storeType: 'client', tableName: 'rate_limit', tableCreated: true }
    // Who is refused already is refused without asking the database again.
    const block = { inMemoryBlockOnConsumed: calls[name] + 1 }
    return new RateLimiterPostgres({ ...options, ...store, ...block, clearExpiredByTimeout: false })
  }
  const limiters = Object.fromEntries(LIMIT_NAMES.map(name => [name, limiterOf(name)]))
  return {
    async take(limit, key) {
      await limiters[limit]!.consume(key).catch((rejected: unknown) => {
        if (!(rejected instanceof RateLimiterRes)) throw rejected
        const retryAfterSeconds = Math.max(1, Math.ceil(rejected.msBeforeNext / 1000))
        throw new AppError('RATE_LIMITED', { values: { n: Math.ceil(retryAfterSeconds / 60) }, retryAfterSeconds })
      })
    },
  }
}
