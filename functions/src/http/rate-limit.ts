import { AppError } from '@shop/shared/errors.ts'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'

/** Calls of one key within a minute or an hour, and the environment variable that changes how many. */
type RateLimit = ({ perMinute: number } | { perHour: number }) & { variable: `RATE_LIMIT_${string}` }

export const RATE_LIMIT = {
  ordersPerCaller: { perMinute: 20, variable: 'RATE_LIMIT_ORDERS_PER_CALLER' },
  ordersPerAddress: { perMinute: 600, variable: 'RATE_LIMIT_ORDERS_PER_ADDRESS' },
  /** Orders and held amounts of all guests at an address: they choose their keys, which tell nobody apart. */
  guestOrdersPerAddress: { perMinute: 10, variable: 'RATE_LIMIT_GUEST_ORDERS_PER_ADDRESS' },
  guestOrdersPerAddressAndHour: { perHour: 30, variable: 'RATE_LIMIT_GUEST_ORDERS_PER_ADDRESS_AND_HOUR' },
  lookupsPerCaller: { perMinute: 30, variable: 'RATE_LIMIT_LOOKUPS_PER_CALLER' },
  uploadsPerCaller: { perMinute: 20, variable: 'RATE_LIMIT_UPLOADS_PER_CALLER' },
  termsPerAddress: { perMinute: 60, variable: 'RATE_LIMIT_TERMS_PER_ADDRESS' },
  signInsPerAddress: { perMinute: 300, variable: 'RATE_LIMIT_SIGN_INS_PER_ADDRESS' },
} satisfies Record<string, RateLimit>

export type LimitName = keyof typeof RATE_LIMIT
export const LIMIT_NAMES = Object.keys(RATE_LIMIT) as LimitName[]

/** How many calls a limit lets pass, and within how long. */
export function windowOf(name: LimitName): { calls: number; seconds: number } {
  const limit: RateLimit = RATE_LIMIT[name]
  return 'perHour' in limit ? { calls: limit.perHour, seconds: 3600 } : { calls: limit.perMinute, seconds: 60 }
}

/** Counts calls per key in this process; throws RATE_LIMITED with the minutes to wait. */
export interface RateLimits {
  take(limit: LimitName, key: string): Promise<void>
}

export function createRateLimits(calls: Record<LimitName, number>): RateLimits {
  const limiters = Object.fromEntries(
    LIMIT_NAMES.map(name => [name, new RateLimiterMemory({ points: calls[name], duration: windowOf(name).seconds })]),
  ) as Record<LimitName, RateLimiterMemory>
  return {
    async take(limit, key) {
      await limiters[limit].consume(key).catch((rejected: RateLimiterRes) => {
        throw new AppError('RATE_LIMITED', { values: { n: Math.max(1, Math.ceil(rejected.msBeforeNext / 60_000)) } })
      })
    },
  }
}
