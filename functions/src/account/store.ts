import type { AccountStatus } from '@shop/shared/account/account.ts'
import type { Role } from '@shop/shared/permissions.ts'
import { eq } from 'drizzle-orm'
import type { Sql } from '../database/database.ts'
import { COUNT_LIMIT, likePart } from '../database/listing.ts'
import { account } from './tables.ts'

export interface Account {
  uid: string
  username: string
  providers: string[]
  name: string
  surname: string
  tel: string | null
  email: string | null
  emailVerified: boolean
  reward: number
  status: AccountStatus
  role: Role
  isPasswordChange: boolean
  isPinChange: boolean
  tokensValidAfter: Date | null
  addingProvider: string | null
  addingUntil: Date | null
  createdAt: Date
  walletId: string | null
  tierId: number | null
}

const columns = `a.uid, a.username, a.providers, a.name, a.surname, a.tel, a.email, a.email_verified AS "emailVerified",
  a.reward, a.status, a.role, a.is_password_change AS "isPasswordChange", a.is_pin_change AS "isPinChange",
  a.tokens_valid_after AS "tokensValidAfter",
  a.adding_provider AS "addingProvider", a.adding_until AS "addingUntil", a.created_at AS "createdAt", w.id AS "walletId", w.tier_id AS "tierId"`

/** One account with its wallet's id and tier; runs on every signed-in request. */
export async function findAccount(db: Sql, uid: string): Promise<Account | null> {
  const [row] = await db.query<Account>({
    name: 'account_find',
    text: `SELECT ${columns} FROM account a LEFT JOIN wallet w ON w.uid = a.uid WHERE a.uid = $1`,
    values: [uid],
  })
  return row ?? null
}

/**
 * Whether a way to sign in is the account's own: one its owner added, or is adding in this moment. The identity provider
 * may merge accounts that share an email address; the shop never takes such a merge for a link.
 */
export function hasProvider(account: Account, provider: string, now: Date): boolean {
  if (account.providers.includes(provider)) return true
  return account.addingProvider === provider && account.addingUntil !== null && account.addingUntil > now
}

/** What a person said about themselves when they registered; kept when they sign in again. */
export interface Profile {
  username: string
  name: string
  surname: string
  tel: string | null
}

/**
 * Creates the account at first sign-in, else refreshes what the identity provider knows. The profile fills only what is
 * still empty, so that it arrives also when another tab's sign-in came first, and a repeat changes nothing.
 */
export async function upsertAccount(
  db: Sql,
  account: {
    uid: string
    providers: string[]
    /** null: the identity provider has none, what is there stays. */
    email: string | null
    emailVerified: boolean
    profile: Profile
    now: Date
  },
): Promise<void> {
  const { uid, providers, email, emailVerified, profile, now } = account
  await db.query({
    text: `INSERT INTO account (uid, username, providers, name, surname, tel, email, email_verified, created_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
      ON CONFLICT (uid) DO UPDATE SET
        username = CASE WHEN account.username IN ('', account.email) THEN coalesce(nullif($2, ''), account.username)
          ELSE account.username END,
        name = CASE WHEN account.name = '' AND account.surname = '' THEN excluded.name ELSE account.name END,
        surname = CASE WHEN account.name = '' AND account.surname = '' THEN excluded.surname ELSE account.surname END,
        tel = coalesce(account.tel, excluded.tel),
        email = coalesce(excluded.email, account.email),
        email_verified = CASE WHEN excluded.email IS NULL THEN account.email_verified ELSE excluded.email_verified END,
        providers = excluded.providers`,
    values: [uid, profile.username, providers, profile.name, profile.surname, profile.tel, email, emailVerified, now],
  })
}

/** Whether an account other than `uid` has this email address. */
export async function isEmailOfOther(db: Sql, email: string, uid: string): Promise<boolean> {
  const rows = await db.query({
    text: 'SELECT 1 FROM account WHERE lower(email) = lower($1) AND uid <> $2 LIMIT 1',
    values: [email, uid],
  })
  return rows.length > 0
}

/** Accounts by uid, locked until the transaction ends; those that are not there are left out. */
export async function lockAccounts(tx: Sql, uids: string[]): Promise<Map<string, Account>> {
  // Always in the same order: two people changing each other wait instead of deadlocking.
  await tx.query({ text: 'SELECT uid FROM account WHERE uid = ANY($1) ORDER BY uid FOR UPDATE', values: [uids] })
  const rows = await tx.query<Account>({
    text: `SELECT ${columns} FROM account a LEFT JOIN wallet w ON w.uid = a.uid WHERE a.uid = ANY($1)`,
    values: [uids],
  })
  return new Map(rows.map(row => [row.uid, row]))
}

/** The fields of an account that commands change. */
export type AccountChange = Partial<
  Pick<
    Account,
    | 'username'
    | 'name'
    | 'surname'
    | 'tel'
    | 'role'
    | 'status'
    | 'providers'
    | 'isPasswordChange'
    | 'isPinChange'
    | 'tokensValidAfter'
    | 'addingProvider'
    | 'addingUntil'
  > & { oneTimePasswordHash: string | null }
>

/** Saves the fields that are there and leaves the others. */
export async function saveAccount(tx: Sql, uid: string, change: AccountChange): Promise<void> {
  await tx.orm.update(account).set(change).where(eq(account.uid, uid))
}

export async function findOneTimePasswordHash(db: Sql, uid: string): Promise<string | null> {
  const [row] = await db.query<{ hash: string | null }>({
    text: 'SELECT one_time_password_hash AS hash FROM account WHERE uid = $1',
    values: [uid],
  })
  return row?.hash ?? null
}

/** A page of accounts, newest first, and how many match, at most 10,001. */
export async function findAccounts(
  db: Sql,
  filter: { name?: string; roles?: Role[]; page: number; pageSize: number },
): Promise<{ rows: Account[]; total: number }> {
  const values: unknown[] = []
  const conditions: string[] = ['true']
  if (filter.name) {
    values.push(likePart(filter.name))
    conditions.push(
      `(a.username || ' ' || a.name || ' ' || a.surname || ' ' || coalesce(a.email, '')) ILIKE $${values.length}`,
    )
  }
  if (filter.roles?.length) {
    values.push(filter.roles)
    conditions.push(`a.role = ANY($${values.length}::text[])`)
  }
  const matching = `FROM account a WHERE ${conditions.join(' AND ')}`
  const page = `LIMIT ${filter.pageSize} OFFSET ${(filter.page - 1) * filter.pageSize}`
  const [rows, [count]] = await Promise.all([
    db.query<Account>({
      text: `WITH page AS (SELECT a.* ${matching} ORDER BY a.created_at DESC, a.uid DESC ${page})
        SELECT ${columns} FROM page a LEFT JOIN wallet w ON w.uid = a.uid ORDER BY a.created_at DESC, a.uid DESC`,
      values,
    }),
    db.query<{ total: number }>({
      text: `SELECT count(*)::int AS total FROM (SELECT 1 ${matching} LIMIT ${COUNT_LIMIT}) counted`,
      values,
    }),
  ])
  return { rows, total: count!.total }
}

/** Records an acceptance of the terms; returns the first time this version was accepted. */
export async function insertTermsAcceptance(db: Sql, ownerKey: string, version: string, now: Date): Promise<Date> {
  const [row] = await db.query<{ acceptedAt: Date }>({
    text: `INSERT INTO terms_acceptance AS t (owner_key, version, accepted_at) VALUES ($1, $2, $3)
      ON CONFLICT (owner_key, version) DO UPDATE SET accepted_at = t.accepted_at RETURNING accepted_at AS "acceptedAt"`,
    values: [ownerKey, version, now],
  })
  return row!.acceptedAt
}
