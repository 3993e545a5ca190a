import * as z from 'zod'

const flag = z.enum(['true', 'false']).transform(value => value === 'true')

const environment = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  PORT: z.coerce.number().int().min(0).max(65535).default(8787),
  DATABASE_URL: z.string().min(1),
  DATABASE_CONNECTIONS: z.coerce.number().int().min(1).max(200).default(20),
  GCLOUD_PROJECT: z.string().default('demo-shop'),
  FIREBASE_AUTH_EMULATOR_HOST: z.string().optional(),
  /** Base URL of the player lookup provider; without it ids are accepted as typed. */
  PLAYER_LOOKUP_URL: z.url().optional(),
  PLAYER_LOOKUP_TIMEOUT_MS: z.coerce.number().int().min(100).max(30_000).default(5000),
  /** Folder for uploaded files; a bucket name takes its place in production. */
  FILES_DIR: z.string().default('.local/files'),
  FILES_BUCKET: z.string().optional(),
  /** Counts of calls per minute; tests and benchmarks raise them. */
  RATE_LIMIT_ORDERS_PER_CALLER: z.coerce.number().int().default(20),
  RATE_LIMIT_ORDERS_PER_ADDRESS: z.coerce.number().int().default(600),
  RATE_LIMIT_LOOKUPS_PER_CALLER: z.coerce.number().int().default(30),
  RATE_LIMIT_UPLOADS_PER_CALLER: z.coerce.number().int().default(20),
  /** Behind Hosting or a load balancer the caller's address is the first X-Forwarded-For entry. */
  TRUST_PROXY: flag.default(false),
})

export type Config = z.output<typeof environment>

/**
 * Reads the configuration from environment variables; throws with every problem named.
 * Production refuses the Auth emulator: it accepts tokens anybody can write.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const parsed = environment.safeParse(env)
  if (!parsed.success) throw new Error(`configuration: ${z.prettifyError(parsed.error)}`)
  const config = parsed.data
  if (config.NODE_ENV === 'production' && config.FIREBASE_AUTH_EMULATOR_HOST) {
    throw new Error(
      'configuration: FIREBASE_AUTH_EMULATOR_HOST must not be set in production: the emulator accepts forged tokens',
    )
  }
  return config
}
