import * as z from 'zod'
import { LIMIT_NAMES, type LimitName, RATE_LIMIT } from './http/rate-limit.ts'

const LINE_API = 'https://api.line.me'
const LINE_ACCESS = 'https://access.line.me'

const environment = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  PORT: z.coerce.number().int().min(0).max(65535).default(8787),
  DATABASE_URL: z.string().min(1),
  DATABASE_CONNECTIONS: z.coerce.number().int().min(1).max(200).default(20),
  GCLOUD_PROJECT: z.string().default('demo-shop'),
  FIREBASE_AUTH_EMULATOR_HOST: z.string().optional(),
  /** Where the storefront is served; LINE sends people back to its /login. */
  STOREFRONT_URL: z.url().default('http://localhost:5173'),
  LINE_API_BASE_URL: z.url().default(LINE_API),
  /** LINE's authorize page; follows LINE_API_BASE_URL when that points to a stand-in. */
  LINE_ACCESS_BASE_URL: z.url().optional(),
  /** Without them nobody can sign in with LINE. */
  LINE_LOGIN_CHANNEL_ID: z.string().optional(),
  LINE_LOGIN_CHANNEL_SECRET: z.string().optional(),
  /** `email` may be added once LINE has granted it to the channel. */
  LINE_LOGIN_SCOPE: z.string().default('profile openid'),
  /** Base URL of the player lookup provider; without it ids are accepted as typed. */
  PLAYER_LOOKUP_URL: z.url().optional(),
  PLAYER_LOOKUP_TIMEOUT_MS: z.coerce.number().int().min(100).max(30_000).default(5000),
  /** Base URL of the queue system, whose games ours can be tied to; without it there are none. */
  QMS_URL: z.url().optional(),
  /** Folder for uploaded files; a bucket name takes its place in production. */
  FILES_DIR: z.string().default('.local/files'),
  FILES_BUCKET: z.string().optional(),
  /**
   * How many proxies of ours stand in front and append to X-Forwarded-For: the caller's address is that many entries from
   * the right. What stands further left the caller may have written.
   */
  PROXIES_IN_FRONT: z.coerce.number().int().min(0).max(10).default(0),
})

const limit = z.coerce.number().int().min(0)

export type Config = z.output<typeof environment> & {
  LINE_ACCESS_BASE_URL: string
  /** Calls per minute; tests and benchmarks raise them. */
  limits: Record<LimitName, number>
}

/**
 * Reads the configuration from environment variables; throws with every problem named.
 * Production refuses emulators of those who say who people are.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const parsed = environment.safeParse(env)
  if (!parsed.success) throw new Error(`configuration: ${z.prettifyError(parsed.error)}`)
  const { LINE_API_BASE_URL } = parsed.data
  const standInAccess = LINE_API_BASE_URL === LINE_API ? LINE_ACCESS : new URL(LINE_API_BASE_URL).origin
  const limits = Object.fromEntries(
    LIMIT_NAMES.map(name => [name, limit.parse(env[RATE_LIMIT[name].variable] ?? RATE_LIMIT[name].perMinute)]),
  ) as Config['limits']
  const config = { ...parsed.data, LINE_ACCESS_BASE_URL: parsed.data.LINE_ACCESS_BASE_URL ?? standInAccess, limits }
  if (config.NODE_ENV === 'production') refuseStandIns(config)
  return config
}

/** A stand-in for an issuer of identities accepts what anybody writes. */
function refuseStandIns(config: Config): void {
  if (config.FIREBASE_AUTH_EMULATOR_HOST) {
    throw new Error(
      'configuration: FIREBASE_AUTH_EMULATOR_HOST must not be set in production: the emulator accepts forged tokens',
    )
  }
  if (config.LINE_API_BASE_URL !== LINE_API || config.LINE_ACCESS_BASE_URL !== LINE_ACCESS) {
    throw new Error('configuration: LINE_API_BASE_URL and LINE_ACCESS_BASE_URL must be LINE itself in production')
  }
}
