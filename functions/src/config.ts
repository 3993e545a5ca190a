import * as z from 'zod'
import { DEVELOPMENT_PIN_KEYS, isDevelopmentPinKey, pinKeys } from './account/pins.ts'
import { LIMITS } from './database/database.ts'
import { LIMIT_NAMES, type LimitName, RATE_LIMIT, windowOf } from './http/rate-limit.ts'
import { senderText } from './mail/sender.ts'

const LINE_API = 'https://api.line.me'
const LINE_ACCESS = 'https://access.line.me'
/** Projects of this name exist in emulators only. */
const DEMO_PROJECT = 'demo-shop'

const timeoutMs = (standard: number) => z.coerce.number().int().min(1).max(600_000).default(standard)

const environment = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  PORT: z.coerce.number().int().min(0).max(65535).default(8787),
  DATABASE_URL: z.string().min(1),
  DATABASE_CONNECTIONS: z.coerce.number().int().min(1).max(200).default(20),
  /** To get a connection; past it the caller is told to come back. */
  DATABASE_CONNECT_TIMEOUT_MS: timeoutMs(3000),
  /** Behind a pooler these three are the role's; `migrate` gives them to it, and the log tells of others. */
  DATABASE_STATEMENT_TIMEOUT_MS: timeoutMs(LIMITS.statement.standardMs),
  DATABASE_LOCK_TIMEOUT_MS: timeoutMs(LIMITS.lock.standardMs),
  DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_MS: timeoutMs(LIMITS.idleInTransaction.standardMs),
  /** `on` behind a pooler that keeps named statements (PgBouncer with max_prepared_statements); `auto` does without. */
  DATABASE_NAMED_STATEMENTS: z.enum(['auto', 'on', 'off']).default('auto'),
  /** How far the catalogue in memory may be behind what other processes wrote. */
  CATALOGUE_CHECK_MS: z.coerce.number().int().min(0).max(5000).default(2000),
  GCLOUD_PROJECT: z.string().default(DEMO_PROJECT),
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
  LINE_LOGIN_SCOPE: z.string().default('profile openid email'),
  /** Of the Messaging API's channel. Without the token nothing is said in LINE, without the secret nothing is heard. */
  LINE_CHANNEL_ACCESS_TOKEN: z.string().optional(),
  LINE_CHANNEL_SECRET: z.string().optional(),
  LINE_TIMEOUT_MS: z.coerce.number().int().min(100).max(30_000).default(10_000),
  /** With it links in chats open the shop inside LINE. */
  LINE_LIFF_ID: z.string().optional(),
  /** Where mail is handed in, e.g. smtps://user:password@smtp.example.com; without it the shop sends none. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  /** Whom mail is from: an address, or `Name <address>`. */
  MAIL_FROM: senderText.optional(),
  SMTP_TIMEOUT_MS: z.coerce.number().int().min(100).max(60_000).default(20_000),
  /** Where the back office is served, for links in chats. */
  ADMIN_URL: z.url().default('http://localhost:5174'),
  /** Encrypts the authenticator apps' secrets in the database. After a change of it no app that was enrolled is known. */
  TOTP_KEY: z.string().min(32).default('only for development, not a secret'),
  /** Names and secrets that PINs are hashed with, newest first; one that was removed makes the PINs kept with it unreadable. */
  PIN_KEYS: pinKeys.prefault(DEVELOPMENT_PIN_KEYS),
  /** Base URL of the player lookup provider; without it ids are accepted as typed. */
  PLAYER_LOOKUP_URL: z.url().optional(),
  PLAYER_LOOKUP_TIMEOUT_MS: z.coerce.number().int().min(100).max(30_000).default(5000),
  /** Base URL of the queue system, whose games ours can be tied to; without it there are none. */
  QMS_URL: z.url().optional(),
  /** Who checks slips; one of them needs its key. */
  SLIP_PROVIDER: z.enum(['off', 'slipok', 'easyslip']).default('off'),
  /** Slips are checked and the verdicts shown, but nothing is marked paid. */
  SLIP_SHADOW: z.stringbool().default(false),
  SLIPOK_BASE_URL: z.url().default('https://api.slipok.com/api/line/apikey'),
  SLIPOK_BRANCH_ID: z.string().optional(),
  SLIPOK_API_KEY: z.string().optional(),
  EASYSLIP_BASE_URL: z.url().default('https://api.easyslip.com/v2'),
  EASYSLIP_API_KEY: z.string().optional(),
  SLIP_TIMEOUT_MS: z.coerce.number().int().min(100).max(60_000).default(25_000),
  /** Checks that a Bangkok month has room for; further slips go to staff. */
  SLIP_MONTHLY_QUOTA: z.coerce.number().int().min(0).default(100),
  SLIP_CHECKS_PER_CUSTOMER_AND_DAY: z.coerce.number().int().min(0).default(20),
  /** Who delivers packages that are delivered by themselves; it needs its keys. */
  SUPPLIER: z.enum(['off', 'seagm']).default('off'),
  SEAGM_BASE_URL: z.url().default('https://openapi.seagm.com'),
  SEAGM_UID: z.string().optional(),
  SEAGM_SECRET_KEY: z.string().optional(),
  SUPPLIER_TIMEOUT_MS: z.coerce.number().int().min(100).max(60_000).default(25_000),
  /** Folder for uploaded files; a bucket name takes its place in production. */
  FILES_DIR: z.string().default('.local/files'),
  FILES_BUCKET: z.string().optional(),
  /**
   * How many proxies of ours stand in front and append to X-Forwarded-For: the caller's address is that many entries from
   * the right. What stands further left the caller may have written.
   */
  PROXIES_IN_FRONT: z.coerce.number().int().min(0).max(10).default(0),
  /**
   * What our front writes into X-Front-Secret, the newest first while it is changed: whoever comes without it is refused.
   * With more than one proxy it is needed, for the last one alone can be reached past the others.
   */
  FRONT_SECRET: z
    .string()
    .default('')
    .transform(text =>
      text
        .split(',')
        .map(secret => secret.trim())
        .filter(Boolean),
    )
    .refine(secrets => secrets.every(secret => secret.length >= 32), 'a secret has at least 32 characters'),
})

const limit = z.coerce.number().int().min(0)

export type Config = z.output<typeof environment> & {
  LINE_ACCESS_BASE_URL: string
  /** Calls per minute or hour; tests and benchmarks raise them. */
  limits: Record<LimitName, number>
}

/**
 * Reads the configuration from environment variables; throws with every problem named. A blank variable, as env files
 * write one that is not set, is an absent one.
 */
export function readConfig(variables: Record<string, string | undefined>): Config {
  const env = Object.fromEntries(Object.entries(variables).filter(([, value]) => value?.trim()))
  const parsed = environment.safeParse(env)
  if (!parsed.success) throw new Error(`configuration: ${z.prettifyError(parsed.error)}`)
  const { LINE_API_BASE_URL } = parsed.data
  const standInAccess = LINE_API_BASE_URL === LINE_API ? LINE_ACCESS : new URL(LINE_API_BASE_URL).origin
  const limits = Object.fromEntries(
    LIMIT_NAMES.map(name => [name, limit.parse(env[RATE_LIMIT[name].variable] ?? windowOf(name).calls)]),
  ) as Config['limits']
  if (env.SMTP_URL || env.MAIL_FROM) mustHaveKeys('mail', ['SMTP_URL', 'MAIL_FROM'], env)
  mustHaveKeys('SLIP_PROVIDER', SLIP_KEYS[parsed.data.SLIP_PROVIDER], env)
  mustHaveKeys('SUPPLIER', SUPPLIER_KEYS[parsed.data.SUPPLIER], env)
  const config = { ...parsed.data, LINE_ACCESS_BASE_URL: parsed.data.LINE_ACCESS_BASE_URL ?? standInAccess, limits }
  const flaws = config.NODE_ENV === 'production' ? productionFlaws(config, env) : []
  if (flaws.length > 0) throw new Error(`configuration: ${flaws.join('; ')}`)
  return config
}

/** What each checker of slips can't be asked without. */
const SLIP_KEYS = {
  off: [],
  slipok: ['SLIPOK_BRANCH_ID', 'SLIPOK_API_KEY'],
  easyslip: ['EASYSLIP_API_KEY'],
} as const satisfies Record<Config['SLIP_PROVIDER'], readonly (keyof Config)[]>

/** The same of suppliers. */
const SUPPLIER_KEYS = {
  off: [],
  seagm: ['SEAGM_UID', 'SEAGM_SECRET_KEY'],
} as const satisfies Record<Config['SUPPLIER'], readonly (keyof Config)[]>

function mustHaveKeys(chooser: string, keys: readonly string[], env: Record<string, unknown>): void {
  const keyless = keys.filter(name => env[name] === undefined)
  if (keyless.length > 0) throw new Error(`configuration: ${chooser} needs ${keyless.join(' and ')}`)
}

/** What must be chosen, because what stands in for it elsewhere would open the shop to anybody. */
const CHOSEN_IN_PRODUCTION = [
  'LINE_LOGIN_CHANNEL_ID',
  'LINE_LOGIN_CHANNEL_SECRET',
  'TOTP_KEY',
  'PIN_KEYS',
  'PROXIES_IN_FRONT',
  'STOREFRONT_URL',
] as const satisfies (keyof Config)[]

/** What must not be so in production. A stand-in for an issuer of identities accepts what anybody writes. */
function productionFlaws(config: Config, env: Record<string, unknown>): string[] {
  const isPlain = (url: string | undefined) => url !== undefined && new URL(url).protocol !== 'https:'
  const isLineItself = config.LINE_API_BASE_URL === LINE_API && config.LINE_ACCESS_BASE_URL === LINE_ACCESS
  const flaws: [boolean, string][] = [
    ...CHOSEN_IN_PRODUCTION.map((name): [boolean, string] => [env[name] === undefined, `${name} must be set`]),
    [
      config.FIREBASE_AUTH_EMULATOR_HOST !== undefined,
      'FIREBASE_AUTH_EMULATOR_HOST must not be set in production: the emulator accepts forged tokens',
    ],
    [config.GCLOUD_PROJECT === DEMO_PROJECT, `GCLOUD_PROJECT must name a project, not ${DEMO_PROJECT}`],
    [!isLineItself, 'LINE_API_BASE_URL and LINE_ACCESS_BASE_URL must be LINE itself in production'],
    [
      env.PIN_KEYS !== undefined && config.PIN_KEYS.some(isDevelopmentPinKey),
      'PIN_KEYS must not hold the secret of development',
    ],
    [
      config.PROXIES_IN_FRONT > 1 && config.FRONT_SECRET.length === 0,
      'PROXIES_IN_FRONT above 1 needs FRONT_SECRET: whoever goes past the first proxy would choose their address',
    ],
    [isPlain(config.PLAYER_LOOKUP_URL), 'PLAYER_LOOKUP_URL must be https'],
    [isPlain(config.STOREFRONT_URL), 'STOREFRONT_URL must be https'],
    [isPlain(config.ADMIN_URL) && env.ADMIN_URL !== undefined, 'ADMIN_URL must be https'],
    [
      config.LINE_CHANNEL_ACCESS_TOKEN !== undefined && env.ADMIN_URL === undefined,
      'LINE_CHANNEL_ACCESS_TOKEN needs ADMIN_URL',
    ],
    [config.SMTP_URL !== undefined && env.ADMIN_URL === undefined, 'SMTP_URL needs ADMIN_URL'],
    [isPlain(config.SLIPOK_BASE_URL), 'SLIPOK_BASE_URL must be https'],
    [isPlain(config.EASYSLIP_BASE_URL), 'EASYSLIP_BASE_URL must be https'],
    [isPlain(config.SEAGM_BASE_URL), 'SEAGM_BASE_URL must be https'],
  ]
  return flaws.filter(([isSo]) => isSo).map(([, message]) => message)
}
