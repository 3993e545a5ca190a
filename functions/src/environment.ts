import { SLIP_PROVIDER_NAMES, SUPPLIER_NAMES } from '@shop/shared/provider-names.ts'
import * as z from 'zod'
import { DEVELOPMENT_PIN_KEYS, pinKeys } from './account/pins.ts'
import { LIMITS } from './database/database.ts'
import { senderText } from './mail/sender.ts'

export const LINE_API = 'https://api.line.me'
/** Projects with this name exist in emulators only. */
export const DEMO_PROJECT = 'demo-shop'

const timeoutMs = (standard: number) => z.coerce.number().int().min(1).max(600_000).default(standard)

/** The variables that configure the server, each checked alone. */
export const environment = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  PORT: z.coerce.number().int().min(0).max(65535).default(8787),
  DATABASE_URL: z.string().min(1),
  DATABASE_CONNECTIONS: z.coerce.number().int().min(1).max(200).default(20),
  /** The time to get a connection; afterwards the caller is asked to come back. */
  DATABASE_CONNECT_TIMEOUT_MS: timeoutMs(3000),
  /**
   * Behind a pooler the role must have these three limits: `migrate` sets them, and the log reports when they differ.
   */
  DATABASE_STATEMENT_TIMEOUT_MS: timeoutMs(LIMITS.statement.standardMs),
  DATABASE_LOCK_TIMEOUT_MS: timeoutMs(LIMITS.lock.standardMs),
  DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_MS: timeoutMs(LIMITS.idleInTransaction.standardMs),
  /**
   * `on` suits a pooler that keeps named statements (PgBouncer with max_prepared_statements); with `auto` a pooler gets
   * none.
   */
  DATABASE_NAMED_STATEMENTS: z.enum(['auto', 'on', 'off']).default('auto'),
  /** How old the catalogue in memory may be compared with other processes' writes. */
  CATALOGUE_CHECK_MS: z.coerce.number().int().min(0).max(5000).default(2000),
  GCLOUD_PROJECT: z.string().default(DEMO_PROJECT),
  FIREBASE_AUTH_EMULATOR_HOST: z.string().optional(),
  /** The storefront's address; LINE sends people back to its /login. */
  STOREFRONT_URL: z.url().default('http://localhost:5173'),
  LINE_API_BASE_URL: z.url().default(LINE_API),
  /** LINE's authorize page; follows LINE_API_BASE_URL when that points to a stand-in. */
  LINE_ACCESS_BASE_URL: z.url().optional(),
  /** Without these nobody can sign in with LINE. */
  LINE_LOGIN_CHANNEL_ID: z.string().optional(),
  LINE_LOGIN_CHANNEL_SECRET: z.string().optional(),
  /** `email` may be added once LINE has granted it to the channel. */
  LINE_LOGIN_SCOPE: z.string().default('profile openid email'),
  /**
   * The Messaging API's channel. Without the token the shop can't send messages in LINE, without the secret it receives
   * none.
   */
  LINE_CHANNEL_ACCESS_TOKEN: z.string().optional(),
  LINE_CHANNEL_SECRET: z.string().optional(),
  LINE_TIMEOUT_MS: z.coerce.number().int().min(100).max(30_000).default(10_000),
  /** When it is set, links in chats open the shop inside LINE. */
  LINE_LIFF_ID: z.string().optional(),
  /** The mail server, e.g. smtps://user:password@smtp.example.com; without it the shop sends no mail. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  /** The sender of mail: an address, or `Name <address>`. */
  MAIL_FROM: senderText.optional(),
  SMTP_TIMEOUT_MS: z.coerce.number().int().min(100).max(60_000).default(20_000),
  /** The back office's address, for links in chats. */
  ADMIN_URL: z.url().default('http://localhost:5174'),
  /**
   * Encrypts the authenticator apps' secrets in the database. After it changes, all enrolled apps must be enrolled
   * again.
   */
  TOTP_KEY: z.string().min(32).default('only for development, not a secret'),
  /**
   * Names and secrets that PINs are hashed with, newest first. PINs stored with a removed key can't be read any more.
   */
  PIN_KEYS: pinKeys.prefault(DEVELOPMENT_PIN_KEYS),
  /** Base URL of the player lookup provider; without it any player id is accepted. */
  PLAYER_LOOKUP_URL: z.url().optional(),
  PLAYER_LOOKUP_TIMEOUT_MS: z.coerce.number().int().min(100).max(30_000).default(5000),
  /** Base URL of the queue system, whose games can be tied to ours; without it there are none. */
  QMS_URL: z.url().optional(),
  /** The service that checks slips; slipcheck/providers.ts has the variables of each. */
  SLIP_PROVIDER: z.enum(['off', ...SLIP_PROVIDER_NAMES]).default('off'),
  /** When true, slips are checked and the verdicts shown, but no order is marked as paid. */
  SLIP_SHADOW: z.stringbool().default(false),
  SLIP_TIMEOUT_MS: z.coerce.number().int().min(100).max(60_000).default(25_000),
  /** The number of checks that a Bangkok month allows; further slips go to staff. */
  SLIP_MONTHLY_QUOTA: z.coerce.number().int().min(0).default(100),
  SLIP_CHECKS_PER_CUSTOMER_AND_DAY: z.coerce.number().int().min(0).default(20),
  /** The supplier that delivers automatic packages; supplier/suppliers.ts has the variables of each. */
  SUPPLIER: z.enum(['off', ...SUPPLIER_NAMES]).default('off'),
  SUPPLIER_TIMEOUT_MS: z.coerce.number().int().min(100).max(60_000).default(25_000),
  /** The folder for uploaded files; production sets a bucket name instead. */
  FILES_DIR: z.string().default('.local/files'),
  FILES_BUCKET: z.string().optional(),
  /**
   * The number of our own proxies that append to X-Forwarded-For: the caller's address is that many entries from the
   * right. The caller may have written anything further left.
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

export type Environment = z.output<typeof environment>
