import { AppError } from '@shop/shared/errors.ts'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'

/** Calls per minute and key, by the environment variable that changes them. */
export const RATE_LIMIT = {
  ordersPerCaller: { perMinute: 20, variable: 'RATE_LIMIT_ORDERS_PER_CALLER' },
  ordersPerAddress: { perMinute: 600, variable: 'RATE_LIMIT_ORDERS_PER_ADDRESS' },
  lookupsPerCaller: { perMinute: 30, variable: 'RATE_LIMIT_LOOKUPS_PER_CALLER' },
  uploadsPerCaller: { perMinute: 20, variable: 'RATE_LIMIT_UPLOADS_PER_CALLER' },
  signInsPerAddress: { perMinute: 300, variable: 'RATE_LIMIT_SIGN_INS_PER_ADDRESS' },
} satisfies Record<string, { perMinute: number; variable: `RATE_LIMIT_${string}` }>

export type LimitName = keyof typeof RATE_LIMIT
export const LIMIT_NAMES = Object.keys(RATE_LIMIT) as LimitName[]

/** Counts calls per key and minute in this process; throws RATE_LIMITED with the minutes to wait. */
export interface RateLimits {
  take(limit: LimitName, key: string): Promise<void>
}

export function createRateLimits(perMinute: Record<LimitName, number>): RateLimits {
  const limiters = Object.fromEntries(
    LIMIT_NAMES.map(name => [name, new RateLimiterMemory({ points: perMinute[name], duration: 60 })]),
  ) as Record<LimitName, RateLimiterMemory>
  return {
    async take(limit, key) {
      await limiters[limit].consume(key).catch((rejected: RateLimiterRes) => {
        throw new AppError('RATE_LIMITED', { values: { n: Math.max(1, Math.ceil(rejected.msBeforeNext / 60_000)) } })
      })
    },
  }
}
