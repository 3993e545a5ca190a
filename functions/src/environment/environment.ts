import { GATEWAY_NAMES, SLIP_PROVIDER_NAMES, SUPPLIER_NAMES } from '@shop/shared/provider-names.ts'
import * as z from 'zod'
import { DEVELOPMENT_PIN_KEYS, pinKeys } from '../account/pins.ts'
import { listOfSecrets, valuesOf } from '../asking/keys.ts'
import { LIMITS } from '../database/database.ts'
import { flawOfUrl } from '../database/reach.ts'
import type { LimitName } from '../http/rate-limit.ts'
import { senderText } from './sender.ts'

declare module '../shop/shop.ts' {
  interface Shop {
    /** What the installation sets, and the limits of calls that it changes. */
    config: Environment & { limits: Record<LimitName, number> }
  }
}

export const LINE_API = 'https://api.line.me'
/** Projects with this name exist in emulators only. */
export const DEMO_PROJECT = 'demo-shop'

/** Known to everybody who reads this. */
export const DEVELOPMENT_TOTP_KEY = 'only for development, not a secret'

const timeoutMs = (standard: number) => z.coerce.number().int().min(1).max(600_000).default(standard)

/** What `deploy/env.example` says of a variable. */
export interface About {
  /** What it is for, in one or two sentences. */
  about: string
  /** It goes into the file of secrets, and no log or report may show it. */
  isSecret?: true
  /** Only development and the platform set it, so it stands in no file of an installation. */
  isOurs?: true
}

/** A variable with what it is for. This comes last, because zod keeps it with the finished schema. */
const variable = <Schema extends z.ZodType>(about: string, schema: Schema, more: Omit<About, 'about'> = {}): Schema =>
  schema.meta({ about, ...more })
/** Known to the compiler, so that it misses a secret that nobody said how to change (config/rotation.ts). */
interface SecretMark {
  readonly isSecret?: true
}
const secret = <Schema extends z.ZodType>(about: string, schema: Schema): Schema & Required<SecretMark> =>
  variable(about, schema, { isSecret: true }) as Schema & Required<SecretMark>

export const aboutOf = (schema: z.ZodType): About => schema.meta() as unknown as About

const LIMITS_ABOUT =
  'Behind a pooler the role must have the same limit: `migrate` sets it, and the log says when it differs.'

const databaseUrl = z
  .string()
  .min(1)
  .refine(text => flawOfUrl(text) === null, { error: ({ input }) => flawOfUrl(String(input)) ?? undefined })

/** Of the secrets that we choose ourselves. */
const LEAST_LENGTH = 32

/**
 * One key, or several, the newest first. Before there were several, a key could have a comma in it: such a text is read
 * as one key, too.
 */
const totpKeys = z
  .string()
  .min(LEAST_LENGTH)
  .default(DEVELOPMENT_TOTP_KEY)
  .transform(text => {
    const several = valuesOf(text)
    return several.every(({ length }) => length >= LEAST_LENGTH) ? [...new Set([...several, text])] : [text]
  })

/** The variables that configure the server, each checked alone. */
export const environment = z.object({
  NODE_ENV: variable(
    'Production refuses everything that is meant for development. It need not be set: only where the Auth emulator or the demo project is named, the standard is development.',
    z.enum(['development', 'production', 'test']).default('production'),
    { isOurs: true },
  ),
  PORT: variable('The port of the one process.', z.coerce.number().int().min(0).max(65535).default(8787), {
    isOurs: true,
  }),
  HOST: variable(
    'The address at which the one process listens. Whoever reaches it past the front may write any address as the caller: beyond this machine only where nobody but the front can.',
    z.string().min(1).default('127.0.0.1'),
    { isOurs: true },
  ),
  GCLOUD_PROJECT: variable(
    'The Firebase project. Functions set it themselves; elsewhere VITE_FIREBASE_PROJECT_ID stands for it.',
    z.string().default(DEMO_PROJECT),
    { isOurs: true },
  ),
  FIREBASE_AUTH_EMULATOR_HOST: variable('The Auth emulator; never in production.', z.string().optional(), {
    isOurs: true,
  }),
  DATABASE_URL: secret(
    'The database, as the role shop_app: postgresql://shop_app:password@host:5432/shop',
    databaseUrl,
  ),
  DATABASE_READ_URL: secret(
    'A streaming replica of the database, as the same role. Dashboards, reports, exports and nightly checks read from it, and from the database itself while it is away or too old.',
    databaseUrl.optional(),
  ),
  DATABASE_READ_MAX_SECONDS: variable(
    'How old at most what is read from the replica may be.',
    z.coerce.number().int().min(2).max(60).default(5),
  ),
  DATABASE_CA: variable(
    "The database server's own certificate authority (PEM). With it the connection is encrypted and the server proved, as Cloud SQL needs.",
    z
      .string()
      .transform(text => text.replaceAll('\\n', '\n'))
      .optional(),
  ),
  DATABASE_CONNECTIONS: variable(
    'The most connections of one process or instance.',
    z.coerce.number().int().min(1).max(200).default(20),
  ),
  DATABASE_CONNECT_TIMEOUT_MS: variable(
    'The time to get a connection; afterwards the caller is asked to come back.',
    timeoutMs(3000),
  ),
  DATABASE_STATEMENT_TIMEOUT_MS: variable(LIMITS_ABOUT, timeoutMs(LIMITS.statement.standardMs)),
  DATABASE_LOCK_TIMEOUT_MS: variable(LIMITS_ABOUT, timeoutMs(LIMITS.lock.standardMs)),
  DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_MS: variable(LIMITS_ABOUT, timeoutMs(LIMITS.idleInTransaction.standardMs)),
  DATABASE_NAMED_STATEMENTS: variable(
    '`on` suits a pooler that keeps named statements (PgBouncer with max_prepared_statements); with `auto` a pooler gets none.',
    z.enum(['auto', 'on', 'off']).default('auto'),
  ),
  CATALOGUE_CHECK_MS: variable(
    "How old the catalogue in memory may be compared with other processes' writes.",
    z.coerce.number().int().min(0).max(5000).default(2000),
  ),
  STOREFRONT_URL: variable(
    "The shop's address for customers, like https://shop.example. LINE sends people back to its /login.",
    z.url().default('http://localhost:5173'),
  ),
  ADMIN_URL: variable(
    "The back office's address, like https://office.shop.example, for links in chats and mail.",
    z.url().default('http://localhost:5174'),
  ),
  LINE_LOGIN_CHANNEL_ID: variable('The LINE Login channel.', z.string().optional()),
  LINE_LOGIN_CHANNEL_SECRET: secret(
    'The secret of the LINE Login channel, the newest first while it is changed.',
    listOfSecrets(),
  ),
  LINE_LOGIN_SCOPE: variable(
    'What is asked of people who sign in with LINE. `email` may be added once LINE has granted it to the channel.',
    z.string().default('profile openid email'),
  ),
  LINE_LIFF_ID: variable(
    'The LIFF app of the Login channel; with it, links in chats open the shop inside LINE.',
    z.string().optional(),
  ),
  LINE_CHANNEL_ACCESS_TOKEN: secret(
    'A long-lived access token of the Messaging API channel, the newest first while it is changed; without it the shop sends nothing in LINE.',
    listOfSecrets(),
  ),
  LINE_CHANNEL_SECRET: secret(
    'The secret of the Messaging API channel, which signs what LINE sends to the shop, the newest first while it is changed.',
    listOfSecrets(),
  ),
  LINE_TIMEOUT_MS: variable(
    'The time for one question to LINE.',
    z.coerce.number().int().min(100).max(30_000).default(10_000),
  ),
  LINE_API_BASE_URL: variable('LINE itself; another address only in development.', z.url().default(LINE_API), {
    isOurs: true,
  }),
  DEMO_BANK_URL: variable(
    "The page of the demo shop's bank. With it the back office shows newcomers their first steps; never in production.",
    z.url().optional(),
    { isOurs: true },
  ),
  WEBHOOK_LOCAL_ORIGIN: variable(
    "A receiver of webhooks on this machine, like http://127.0.0.1:4801, for which resellers' addresses need not be public or https; never in production.",
    z
      .url({ protocol: /^https?$/ })
      .transform(url => new URL(url).origin)
      .optional(),
    { isOurs: true },
  ),
  LINE_ACCESS_BASE_URL: variable(
    "LINE's authorize page; follows LINE_API_BASE_URL when that points to a stand-in.",
    z.url().optional(),
    { isOurs: true },
  ),
  TOTP_KEY: secret(
    "Encrypts the authenticator apps' secrets in the database: at least 32 characters, without commas; the newest first while it is changed. Apps whose key was removed must be enrolled again.",
    totpKeys,
  ),
  PIN_KEYS: secret(
    "Names and secrets that PINs are hashed with, newest first, like v1:<32 characters or more>. PINs stored with a removed key can't be read any more.",
    pinKeys.prefault(DEVELOPMENT_PIN_KEYS),
  ),
  VOUCHER_KEYS: secret(
    'Encrypts the codes that the shop sells: at least 32 characters, the newest first while it is changed. Without it the shop has no codes.',
    listOfSecrets(LEAST_LENGTH),
  ),
  PROXIES_IN_FRONT: variable(
    "The number of our own proxies that append to X-Forwarded-For: the caller's address is that many entries from the right. The caller may have written anything further left.",
    z.coerce.number().int().min(0).max(10).default(0),
  ),
  FRONT_SECRET: secret(
    'What our front writes into X-Front-Secret, the newest first while it is changed: whoever comes without it is refused. With more than one proxy it is needed, for the last one alone can be reached past the others.',
    listOfSecrets(LEAST_LENGTH),
  ),
  PULSE_KEYS: secret(
    'Who sends one of these to /pulse as `Authorization: Bearer <key>` is told everything that was measured, the newest first while it is changed. Others are told only whether all is well.',
    listOfSecrets(LEAST_LENGTH),
  ),
  FILES_BUCKET: variable('The Cloud Storage bucket for slips, pictures and bank files.', z.string().optional()),
  FILES_DIR: variable(
    'Instead of a bucket, a folder of the one process: a whole path on a disk that is backed up.',
    z.string().default('.local/files'),
  ),
  DISKS: variable(
    "Folders, separated by commas, whose disks are watched beside FILES_DIR's: the database's, where this machine sees it.",
    z.string().default('').transform(valuesOf),
  ),
  PATRONI_URLS: variable(
    "Patroni's address on each of the database's machines, separated by commas, like http://10.0.0.1:8008. What is wrong there is told by name.",
    z
      .string()
      .default('')
      .transform(valuesOf)
      .pipe(z.array(z.url({ protocol: /^https?$/ }))),
  ),
  SMTP_URL: secret(
    'The mail server, like smtps://user:password@smtp.example.com, the newest first while it is changed; without it the shop sends no mail.',
    z
      .string()
      .default('')
      .transform(valuesOf)
      .pipe(z.array(z.url({ protocol: /^smtps?$/ }))),
  ),
  MAIL_FROM: variable('The sender of mail: an address, or `Name <address>`.', senderText.optional()),
  SMTP_TIMEOUT_MS: variable(
    'The time to hand over one mail.',
    z.coerce.number().int().min(100).max(60_000).default(20_000),
  ),
  OTEL_METRICS_EXPORTER: variable(
    'Where metrics go: `prometheus` waits at a port of its own to be scraped, `otlp` sends them to a collector every minute.',
    z.enum(['none', 'prometheus', 'otlp']).default('none'),
  ),
  OTEL_EXPORTER_PROMETHEUS_HOST: variable(
    'The address at which Prometheus may scrape. Everybody who reaches it may read, so that it must not be a public one.',
    z.string().default('127.0.0.1'),
  ),
  OTEL_EXPORTER_PROMETHEUS_PORT: variable(
    'The port at which Prometheus may scrape; each process of a machine needs its own.',
    z.coerce.number().int().min(1).max(65535).default(9464),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(
    'The collector that metrics are sent to.',
    z.url({ protocol: /^https?$/ }).default('http://localhost:4318'),
  ),
  PLAYER_LOOKUP_URL: variable(
    'The address of the player lookup provider; without it any player id is accepted.',
    z.url().optional(),
  ),
  G2BULK_URL: variable(
    'The address of G2Bulk, whose free player check can be asked, too: https://api.g2bulk.com/v1.',
    z.url().optional(),
  ),
  PLAYER_LOOKUP_TIMEOUT_MS: variable(
    'The time for one lookup by any of those who are asked for players.',
    z.coerce.number().int().min(100).max(30_000).default(5000),
  ),
  QMS_URL: variable(
    'The address of the queue system, whose games can be tied to ours; without it there are none.',
    z.url().optional(),
  ),
  SLIP_PROVIDER: variable('The service that checks slips.', z.enum(['off', ...SLIP_PROVIDER_NAMES]).default('off')),
  SLIP_SHADOW: variable(
    'When true, slips are checked and the verdicts shown, but no order is marked as paid.',
    z.stringbool().default(false),
  ),
  SLIP_TIMEOUT_MS: variable('The time for one slip.', z.coerce.number().int().min(100).max(60_000).default(25_000)),
  SLIP_MONTHLY_QUOTA: variable(
    'The number of checks that a Bangkok month allows; further slips go to staff.',
    z.coerce.number().int().min(0).default(100),
  ),
  SLIP_CHECKS_PER_CUSTOMER_AND_DAY: variable(
    'The checks of one customer on a day; further slips go to staff.',
    z.coerce.number().int().min(0).default(20),
  ),
  SUPPLIER: variable(
    'The suppliers that deliver automatic packages, separated by commas, or off.',
    z
      .string()
      .default('off')
      .transform(text => (text === 'off' ? [] : valuesOf(text)))
      .pipe(z.array(z.enum(SUPPLIER_NAMES))),
  ),
  SUPPLIER_TIMEOUT_MS: variable(
    'The time for one question to a supplier.',
    z.coerce.number().int().min(100).max(60_000).default(25_000),
  ),
  BOT_API_URL: variable(
    "The Bank of Thailand's service for rates of exchange.",
    z.url().default('https://gateway.api.bot.or.th'),
  ),
  BOT_API_KEY: secret(
    'The key for the Bank of Thailand\'s "Average Exchange Rate", the newest first while it is changed; without it rates are typed in the back office.',
    listOfSecrets(),
  ),
  GATEWAY: variable(
    'The payment gateway that collects by PromptPay and wallets of others, beside bank transfers.',
    z.enum(['off', ...GATEWAY_NAMES]).default('off'),
  ),
  GATEWAY_TIMEOUT_MS: variable(
    'The time for one question to the payment gateway.',
    z.coerce.number().int().min(100).max(30_000).default(8000),
  ),
})

export type Environment = z.output<typeof environment>

/** The names of the server's own secrets. */
export type OwnSecret = {
  [Name in keyof typeof environment.shape]: (typeof environment.shape)[Name] extends Required<SecretMark> ? Name : never
}[keyof typeof environment.shape]
