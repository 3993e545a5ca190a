import { SLIP_PROVIDER_NAMES, SUPPLIER_NAMES } from '@shop/shared/provider-names.ts'
import * as z from 'zod'
import { DEVELOPMENT_PIN_KEYS, pinKeys } from './account/pins.ts'
import { LIMITS } from './database/database.ts'
import { senderText } from './mail/sender.ts'

export const LINE_API = 'https://api.line.me'
/** Projects of this name exist in emulators only. */
export const DEMO_PROJECT = 'demo-shop'

const timeoutMs = (standard: number) => z.coerce.number().int().min(1).max(600_000).default(standard)

/** The variables that the server is configured by, each for itself. */
export const environment = z.object({
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
  /** Who checks slips; slipcheck/providers.ts has the variables of each. */
  SLIP_PROVIDER: z.enum(['off', ...SLIP_PROVIDER_NAMES]).default('off'),
  /** Slips are checked and the verdicts shown, but nothing is marked paid. */
  SLIP_SHADOW: z.stringbool().default(false),
  SLIP_TIMEOUT_MS: z.coerce.number().int().min(100).max(60_000).default(25_000),
  /** Checks that a Bangkok month has room for; further slips go to staff. */
  SLIP_MONTHLY_QUOTA: z.coerce.number().int().min(0).default(100),
  SLIP_CHECKS_PER_CUSTOMER_AND_DAY: z.coerce.number().int().min(0).default(20),
  /** Who delivers packages that are delivered by themselves; supplier/suppliers.ts has the variables of each. */
  SUPPLIER: z.enum(['off', ...SUPPLIER_NAMES]).default('off'),
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

export type Environment = z.output<typeof environment>
