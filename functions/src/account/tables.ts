import type { AccountStatus } from '@shop/shared/account/account.ts'
import type { NewsFacts, OwnerNewsKind } from '@shop/shared/account/news.ts'
import type { CodeCount } from '@shop/shared/account/totp.ts'
import type { Role } from '@shop/shared/permissions.ts'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, smallint, text, unique, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'

/** One row per person; the identity provider holds the credentials, this row holds what the shop decides. */
export const account = pgTable(
  'account',
  {
    uid: text().primaryKey(),
    username: text().notNull(),
    /** The identity provider's ways that are the account's own. LINE is not among them: see `linkedIdentity`. */
    providers: text().array().notNull(),
    /** Since when each of them is, as ISO instants; nothing of those from before the shop kept it. */
    providersSince: jsonb('providers_since').$type<Record<string, string>>().notNull().default({}),
    givenName: text('given_name').notNull().default(''),
    familyName: text('family_name').notNull().default(''),
    /** E.164 */
    phone: text(),
    email: text(),
    emailVerified: boolean('email_verified').notNull().default(false),
    status: text().$type<AccountStatus>().notNull().default('pending'),
    role: text().$type<Role>().notNull().default('customer'),
    /** Staff gave it, so its owner must change it before anything else. */
    mustChangePassword: boolean('must_change_password').notNull().default(false),
    mustChangePin: boolean('must_change_pin').notNull().default(false),
    /** argon2id of the password staff gave, so that the owner's own one must differ; null once it was changed. */
    oneTimePasswordHash: text('one_time_password_hash'),
    /** The way to sign in that the owner is adding just now, and until when. */
    addingProvider: text('adding_provider'),
    addingUntil: instant('adding_until'),
    /** Tokens issued before this are refused. */
    tokensValidAfter: instant('tokens_valid_after'),
    /** The identity provider's own such moment, as last seen: when it has moved, the password was reset by mail. */
    providerValidAfter: instant('provider_valid_after'),
    createdAt: instant('created_at').notNull(),
  },
  t => [
    index('account_role_created').on(t.role, t.createdAt),
    index('account_created').on(t.createdAt, t.uid),
    index('account_email').on(sql`lower(${t.email})`),
    // `personWords` in listing.ts names the same.
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
  /** null with `locked_at`: until staff give a new PIN. */
  lockedUntil: instant('locked_until'),
  version: integer().notNull().default(0),
})

/** The authenticator app of somebody in the back office. */
export const accountTotp = pgTable('account_totp', {
  uid: text()
    .primaryKey()
    .references(() => account.uid),
  /** Encrypted with TOTP_KEY; null until the first right code. */
  secret: text(),
  /** The 30 seconds, counted from 1970, whose code was accepted last: a code works once. */
  usedStep: integer('used_step').notNull().default(0),
})

/** Sessions of one browser, which alone has the secret: confirmed with a code, or about to enrol an app. */
export const totpSession = pgTable(
  'totp_session',
  {
    /** SHA-256 of the browser's secret. */
    keyHash: text('key_hash').primaryKey(),
    uid: text()
      .notNull()
      .references(() => account.uid),
    /** The sign-in whose tokens it holds for, and no others. */
    signedInAt: instant('signed_in_at').notNull(),
    /** null while the person's first app waits for its first code. */
    confirmedAt: instant('confirmed_at'),
    /** Of an app that was begun in this session and waits for its first code; encrypted with TOTP_KEY. */
    pendingSecret: text('pending_secret'),
    pendingUntil: instant('pending_until'),
  },
  t => [index('totp_session_account').on(t.uid)],
)

/** Browsers from which somebody once gave a right code: what strangers type wrong elsewhere is not counted against them. */
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

/** Wrong codes in a row, by what counts them. */
export const totpTry = pgTable(
  'totp_try',
  {
    uid: text()
      .notNull()
      .references(() => account.uid),
    count: text().$type<CodeCount>().notNull(),
    /** Which browser or sign-in; empty where there is only one. */
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

/** A sign-in with LINE on the web between its start and its return; taken out by the first return. */
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

/** SHA-256 of what LINE signed in ID tokens that were exchanged once and must not be again; kept until they expire by themselves. */
export const usedIdToken = pgTable(
  'used_id_token',
  { tokenHash: text('token_hash').primaryKey(), expiresAt: instant('expires_at').notNull() },
  t => [index('used_id_token_expiry').on(t.expiresAt)],
)

/**
 * What the owner of an account is told of it, with the address and the LINE identity that were the account's just before:
 * whoever takes an account over can change both, and not what is written here.
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
    /** An order's number or a day, of which there is one such news; else the row's own id. */
    about: text().notNull(),
    byShop: boolean('by_shop').notNull(),
    facts: jsonb().$type<NewsFacts>().notNull(),
    /** null where there was none, or a customer only claimed it. */
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
  t => [primaryKey({ name: 'terms_acceptance_once', columns: [t.ownerKey, t.version] })],
)
