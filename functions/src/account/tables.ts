import type { AccountStatus } from '@shop/shared/account/account.ts'
import type { NewsFacts, OwnerNewsKind } from '@shop/shared/account/news.ts'
import type { CodeCount } from '@shop/shared/account/totp.ts'
import type { Role } from '@shop/shared/permissions.ts'
import type { KeyEnd, KeyMode, KeyScope } from '@shop/shared/reseller/reseller.ts'
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { instant, satang } from '../database/columns.ts'

/** One row per person; the identity provider holds the credentials, this row holds what the shop decides. */
export const account = pgTable(
  'account',
  {
    uid: text().primaryKey(),
    username: text().notNull(),
    /** The identity provider's ways to sign in that the account has. LINE is not among them: see `linkedIdentity`. */
    providers: text().array().notNull(),
    /** Since when the account has each of them, as ISO instants. Ways that are older than this column have no entry. */
    providersSince: jsonb('providers_since').$type<Record<string, string>>().notNull().default({}),
    givenName: text('given_name').notNull().default(''),
    familyName: text('family_name').notNull().default(''),
    /** E.164 */
    phone: text(),
    email: text(),
    emailVerified: boolean('email_verified').notNull().default(false),
    status: text().$type<AccountStatus>().notNull().default('pending'),
    role: text().$type<Role>().notNull().default('customer'),
    /** Staff chose the password, so its owner must change it before anything else. */
    mustChangePassword: boolean('must_change_password').notNull().default(false),
    mustChangePin: boolean('must_change_pin').notNull().default(false),
    /**
     * argon2id of the password that staff gave, to check that the owner chooses another one; null once it was changed.
     */
    oneTimePasswordHash: text('one_time_password_hash'),
    /** The way to sign in that the owner is adding just now, and until when. */
    addingProvider: text('adding_provider'),
    addingUntil: instant('adding_until'),
    /** Tokens issued before this are refused. */
    tokensValidAfter: instant('tokens_valid_after'),
    /** The last `tokensValidAfter` seen at the identity provider. When it has moved, the password was reset by mail. */
    providerValidAfter: instant('provider_valid_after'),
    createdAt: instant('created_at').notNull(),
  },
  t => [
    index('account_role_created').on(t.role, t.createdAt),
    index('account_created').on(t.createdAt, t.uid),
    index('account_phone').on(t.phone).where(sql`${t.phone} IS NOT NULL`).concurrently(),
    index('account_email').on(sql`lower(${t.email})`),
    // `personWords` in listing.ts must name the same columns.
    index('account_words').using(
      'gin',
      sql`(${t.username} || ' ' || ${t.givenName} || ' ' || ${t.familyName} || ' ' || coalesce(${t.email}, '')) gin_trgm_ops`,
    ),
  ],
)

/** The PIN that confirms spending from a wallet. */
export const pin = pgTable('pin', {
  uid: text()
    .primaryKey()
    .references(() => account.uid),
  /** `v1$<HMAC-SHA-256>`, with the key of that name in PIN_KEYS; argon2id until the next right PIN. */
  hash: text().notNull(),
  wrongTries: smallint('wrong_tries').notNull().default(0),
  /** The last Bangkok day with a wrong try, "YYYY-MM-DD". */
  day: text(),
  dayTries: smallint('day_tries').notNull().default(0),
  locks: smallint().notNull().default(0),
  lockedAt: instant('locked_at'),
  /** null although `locked_at` is set: the lock lasts until staff give a new PIN. */
  lockedUntil: instant('locked_until'),
  version: integer().notNull().default(0),
  /** What had left the person's shop credit when they last typed it for that; see `credit.left_satang`. */
  creditLeftSatang: satang('credit_left_satang').notNull().default(0),
})

/**
 * The last code that the shop sent to the owner of an account, to an address or a LINE identity from before the last
 * changes.
 */
export const ownerCode = pgTable('owner_code', {
  uid: text()
    .primaryKey()
    .references(() => account.uid),
  /** Like the hash of a PIN, with the same keys. */
  hash: text().notNull(),
  sentAt: instant('sent_at').notNull(),
  tries: smallint().notNull().default(0),
})

/** The authenticator app of somebody in the back office. */
export const accountTotp = pgTable('account_totp', {
  uid: text()
    .primaryKey()
    .references(() => account.uid),
  /** Encrypted with a key of TOTP_KEY; null until the first right code. */
  secret: text(),
  /** The 30-second step, counted from 1970, of the last accepted code; it makes every code work only once. */
  usedStep: integer('used_step').notNull().default(0),
})

/**
 * Second-factor sessions. Each belongs to the one browser that has its secret, and is either confirmed with a code or
 * about to enrol an app.
 */
export const totpSession = pgTable(
  'totp_session',
  {
    /** SHA-256 of the browser's secret. */
    keyHash: text('key_hash').primaryKey(),
    uid: text()
      .notNull()
      .references(() => account.uid),
    /** The session is valid only for tokens of this sign-in. */
    signedInAt: instant('signed_in_at').notNull(),
    /** null while the person's first app waits for its first code. */
    confirmedAt: instant('confirmed_at'),
    /**
     * The secret of an app that this session is enrolling and that still waits for its first code; encrypted with
     * TOTP_KEY.
     */
    pendingSecret: text('pending_secret'),
    pendingUntil: instant('pending_until'),
  },
  t => [index('totp_session_account').on(t.uid)],
)

/**
 * Browsers from which the person once gave a right code. Wrong codes that strangers type elsewhere do not count against
 * them.
 */
export const totpBrowser = pgTable(
  'totp_browser',
  {
    uid: text()
      .notNull()
      .references(() => account.uid),
    /** SHA-256 of the random name that the browser gave itself. */
    keyHash: text('key_hash').notNull(),
    knownUntil: instant('known_until').notNull(),
  },
  t => [primaryKey({ name: 'totp_browser_known', columns: [t.uid, t.keyHash] })],
)

/** Counters of wrong codes in a row. */
export const totpTry = pgTable(
  'totp_try',
  {
    uid: text()
      .notNull()
      .references(() => account.uid),
    count: text().$type<CodeCount>().notNull(),
    /** The browser or sign-in that is counted; empty for a counter that exists once per person. */
    counted: text().notNull(),
    wrongTries: smallint('wrong_tries').notNull(),
    lockedUntil: instant('locked_until'),
    triedAt: instant('tried_at').notNull(),
  },
  t => [primaryKey({ name: 'totp_try_counted', columns: [t.uid, t.count, t.counted] })],
)

/** A chat-app identity that signs in to an account other than its own. */
export const linkedIdentity = pgTable(
  'linked_identity',
  {
    provider: text().$type<'line'>().notNull(),
    /** The provider's id of the person: LINE's `sub`. */
    subject: text().notNull(),
    uid: text()
      .notNull()
      .references(() => account.uid),
    linkedAt: instant('linked_at').notNull(),
  },
  t => [
    primaryKey({ name: 'linked_identity_subject', columns: [t.provider, t.subject] }),
    unique('linked_identity_account').on(t.uid, t.provider),
  ],
)

/** A sign-in with LINE on the web that has started and not returned; its first return deletes it. */
export const signInAttempt = pgTable(
  'sign_in_attempt',
  {
    /** SHA-256 of the state that went to LINE. */
    stateHash: text('state_hash').primaryKey(),
    /** SHA-256 of the secret that stayed in the browser. */
    browserHash: text('browser_hash').notNull(),
    nonce: text().notNull(),
    codeVerifier: text('code_verifier').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  t => [index('sign_in_attempt_expiry').on(t.expiresAt)],
)

/** SHA-256 of the signed part of ID tokens that were used once and must not be used again; kept until they expire. */
export const usedIdToken = pgTable(
  'used_id_token',
  { tokenHash: text('token_hash').primaryKey(), expiresAt: instant('expires_at').notNull() },
  t => [index('used_id_token_expiry').on(t.expiresAt)],
)

/**
 * Security news for the owner of an account, with the address and the LINE identity from just before the change:
 * somebody who takes the account over can change those, but not these rows.
 */
export const ownerNews = pgTable(
  'owner_news',
  {
    /** UUIDv7. */
    id: uuid().primaryKey(),
    uid: text()
      .notNull()
      .references(() => account.uid),
    kind: text().$type<OwnerNewsKind>().notNull(),
    /** The order's number or the day that such news are sent once for; else the row's own id. */
    about: text().notNull(),
    byShop: boolean('by_shop').notNull(),
    facts: jsonb().$type<NewsFacts>().notNull(),
    /** null when the account had no address, or a customer had not proven it. */
    email: text(),
    lineId: text('line_id'),
    at: instant('at').notNull(),
  },
  t => [unique('owner_news_once').on(t.uid, t.kind, t.about), index('owner_news_at').on(t.at)],
)

/** Who accepted which version of the terms. */
export const termsAcceptance = pgTable(
  'terms_acceptance',
  {
    /** `u:<uid>` or `g:<hash of the guest key>`. */
    ownerKey: text('owner_key').notNull(),
    version: text().notNull(),
    acceptedAt: instant('accepted_at').notNull(),
  },
  t => [
    primaryKey({ name: 'terms_acceptance_once', columns: [t.ownerKey, t.version] }),
    // What the clean-up looks at: versions that no longer exist, and guests of a month ago.
    index('terms_acceptance_version').on(t.version).concurrently(),
    index('terms_acceptance_guest').on(t.acceptedAt).where(sql`${t.ownerKey} NOT LIKE 'u:%'`).concurrently(),
  ],
)

/** A key of an agent's machine. Nothing of it changes but that it ends. */
export const resellerKey = pgTable(
  'reseller_key',
  {
    /** The public part, with the mode in it. */
    id: text().primaryKey(),
    uid: text()
      .notNull()
      .references(() => account.uid),
    name: text().notNull(),
    mode: text().$type<KeyMode>().notNull(),
    /** SHA-256 of the secret part. */
    secretHash: text('secret_hash').notNull(),
    scopes: text().array().$type<KeyScope[]>().notNull(),
    /** Addresses and networks that may use it; empty for all. */
    addresses: text().array().notNull(),
    dailyLimitSatang: satang('daily_limit_satang'),
    createdAt: instant('created_at').notNull(),
    endedAt: instant('ended_at'),
    endedFor: text('ended_for').$type<KeyEnd>(),
    endedBy: text('ended_by'),
  },
  t => [
    index('reseller_key_owner').on(t.uid, t.createdAt),
    check('reseller_key_end', sql`(${t.endedAt} IS NULL) = (${t.endedFor} IS NULL)`),
  ],
)
