import { AppError } from '@shop/shared/errors.ts'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Sql } from '../database/database.ts'

/**
 * Calls per minute and key, by the environment variable that changes them. `isShared` ones, which guard money, are
 * counted in the database by all processes together; the others by each process for itself.
 */
export const RATE_LIMIT = {
  ordersPerCaller: { perMinute: 20, isShared: true, variable: 'RATE_LIMIT_ORDERS_PER_CALLER' },
  ordersPerAddress: { perMinute: 600, isShared: true, variable: 'RATE_LIMIT_ORDERS_PER_ADDRESS' },
  topUpsPerCaller: { perMinute: 20, isShared: true, variable: 'RATE_LIMIT_TOP_UPS_PER_CALLER' },
  pinTriesPerCaller: { perMinute: 10, isShared: true, variable: 'RATE_LIMIT_PIN_TRIES_PER_CALLER' },
  lookupsPerCaller: { perMinute: 30, isShared: false, variable: 'RATE_LIMIT_LOOKUPS_PER_CALLER' },
  lookupsPerAddress: { perMinute: 120, isShared: false, variable: 'RATE_LIMIT_LOOKUPS_PER_ADDRESS' },
  uploadsPerCaller: { perMinute: 20, isShared: false, variable: 'RATE_LIMIT_UPLOADS_PER_CALLER' },
  uploadsPerAddress: { perMinute: 60, isShared: false, variable: 'RATE_LIMIT_UPLOADS_PER_ADDRESS' },
  signInsPerAddress: { perMinute: 300, isShared: false, variable: 'RATE_LIMIT_SIGN_INS_PER_ADDRESS' },
} satisfies Record<string, { perMinute: number; isShared: boolean; variable: `RATE_LIMIT_${string}` }>

export type LimitName = keyof typeof RATE_LIMIT
export const LIMIT_NAMES = Object.keys(RATE_LIMIT) as LimitName[]

/** Counts calls per key and minute; throws RATE_LIMITED with the time to wait. */
export interface RateLimits {
  take(limit: LimitName, key: string): Promise<void>
}

const WINDOW_SECONDS = 60

export function createRateLimits(perMinute: Record<LimitName, number>, db: Sql): RateLimits {
  const storeClient = { query: async (statement: Parameters<Sql['query']>[0]) => ({ rows: await db.query(statement) }) }
  const limiterOf = (name: LimitName) => {
    const options = { points: perMinute[name], duration: WINDOW_SECONDS, keyPrefix: name }
    if (!RATE_LIMIT[name].isShared) return new RateLimiterMemory(options)
    const store = { storeClient, storeType: 'client', tableName: 'rate_limit', tableCreated: true }
    // Who is refused already is refused without asking the database again.
    const block = { inMemoryBlockOnConsumed: perMinute[name] + 1 }
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

/** Deletes counts whose minute is over. */
export async function deleteExpiredCounts(db: Sql): Promise<void> {
  await db.query({ text: 'DELETE FROM rate_limit WHERE expire < $1', values: [Date.now() - WINDOW_SECONDS * 1000] })
}
