import { AppError } from '@shop/shared/errors.ts'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import type { Config } from '../config.ts'

export type LimitName =
  | 'ordersPerCaller'
  | 'ordersPerAddress'
  | 'lookupsPerCaller'
  | 'uploadsPerCaller'
  | 'signInsPerAddress'

/** Counts calls per key and minute in this process; throws RATE_LIMITED with the minutes to wait. */
export interface RateLimits {
  take(limit: LimitName, key: string): Promise<void>
}

export function createRateLimits(config: Config): RateLimits {
  const perMinute: Record<LimitName, number> = {
    ordersPerCaller: config.RATE_LIMIT_ORDERS_PER_CALLER,
    ordersPerAddress: config.RATE_LIMIT_ORDERS_PER_ADDRESS,
    lookupsPerCaller: config.RATE_LIMIT_LOOKUPS_PER_CALLER,
    uploadsPerCaller: config.RATE_LIMIT_UPLOADS_PER_CALLER,
    signInsPerAddress: config.RATE_LIMIT_SIGN_INS_PER_ADDRESS,
  }
  const limiters = Object.fromEntries(
    Object.entries(perMinute).map(([name, points]) => [name, new RateLimiterMemory({ points, duration: 60 })]),
  ) as Record<LimitName, RateLimiterMemory>

  return {
    async take(limit, key) {
      await limiters[limit].consume(key).catch((rejected: RateLimiterRes) => {
        throw new AppError('RATE_LIMITED', { values: { n: Math.max(1, Math.ceil(rejected.msBeforeNext / 60_000)) } })
      })
    },
  }
}
