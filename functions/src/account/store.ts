import { MOST_COUNTED } from '@shop/shared/list-count.ts'
import type { Role } from '@shop/shared/permissions.ts'
import { eq, getTableColumns } from 'drizzle-orm'
import type { Sql } from '../database/database.ts'
import { Filter, findPage, likePart, personWords, selectList } from '../database/listing.ts'
import { account } from './tables.ts'

/** A person as the shop knows them: the row of their account, with the wallet and the LINE identity they have. */
export interface Account extends Omit<typeof account.$inferSelect, 'oneTimePasswordHash'> {
  walletId: string | null
  tierId: number | null
  /** When a LINE identity was linked that signs in here; null without one. */
  lineLinkedAt: Date | null
  /** LINE's id of that identity. */
  lineSubject: string | null
}

const { oneTimePasswordHash: _hash, ...shown } = getTableColumns(account)
const selectAccounts = (table: string) => `SELECT ${selectList(shown, 'a')},
    w.id AS "walletId", w.tier_id AS "tierId", l.linked_at AS "lineLinkedAt", l.subject AS "lineSubject"
  FROM ${table} a LEFT JOIN wallet w ON w.uid = a.uid
    LEFT JOIN linked_identity l ON l.uid = a.uid AND l.provider = 'line'`

/** Given and family name, else the sign-in name. */
export const personNameOf = ({ givenName, familyName, username }: Account): string =>
  `${givenName} ${familyName}`.trim() || username

/** The account with a uid, for the FROM of a statement that reads more. */
export const accountSql = (uid: string) => `(${selectAccounts('account')} WHERE a.uid = ${uid})`

/** Runs on every signed-in request, but for those whose handlers read the account along. */
export async function findAccount(db: Sql, uid: string): Promise<Account | null> {
  const [row] = await db.query<Account>({
    name: 'account_find',
    text: `${selectAccounts('account')} WHERE a.uid = $1`,
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
  givenName: string
  familyName: string
  phone: string | null
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
    providersSince: Record<string, string>
    /** null: the identity provider has none, what is there stays. */
    email: string | null
    emailVerified: boolean
    providerValidAfter: Date | null
    profile: Profile
    now: Date
  },
): Promise<void> {
  const { uid, providers, providersSince, email, emailVerified, providerValidAfter, profile, now } = account
  const { username, givenName, familyName, phone } = profile
  const isNameless = `account.given_name = '' AND account.family_name = ''`
  await db.query({
    text: `INSERT INTO account (uid, username, providers, given_name, family_name, phone, email, email_verified,
        provider_valid_after, created_at, providers_since)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
      ON CONFLICT (uid) DO UPDATE SET
        username = CASE WHEN account.username IN ('', account.email) THEN coalesce(nullif($2, ''), account.username)
          ELSE account.username END,
        given_name = CASE WHEN ${isNameless} THEN excluded.given_name ELSE account.given_name END,
        family_name = CASE WHEN ${isNameless} THEN excluded.family_name ELSE account.family_name END,
        phone = coalesce(account.phone, excluded.phone),
        email = coalesce(excluded.email, account.email),
        email_verified = CASE WHEN excluded.email IS NULL THEN account.email_verified ELSE excluded.email_verified END,
        provider_valid_after = coalesce(excluded.provider_valid_after, account.provider_valid_after),
        providers = excluded.providers,
        providers_since = excluded.providers_since`,
    values: [
      uid,
      username,
      providers,
      givenName,
      familyName,
      phone,
      email,
      emailVerified,
      providerValidAfter,
      now,
      providersSince,
    ],
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

/**
 * Whether an account other than `uid` has this email address for good: its owner showed that it is theirs, or staff gave
 * them a role. Anybody can register with an address; that alone keeps nobody out.
 */
export async function isEmailTaken(db: Sql, email: string, uid: string): Promise<boolean> {
  const rows = await db.query({
    text: `SELECT 1 FROM account WHERE lower(email) = lower($1) AND uid <> $2
      AND (email_verified OR role <> 'customer') LIMIT 1`,
    values: [email, uid],
  })
  return rows.length > 0
}

/** Accounts by uid, locked until the transaction ends; those that are not there are left out. */
export async function lockAccounts(tx: Sql, uids: string[]): Promise<Map<string, Account>> {
  // Always in the same order: two people changing each other wait instead of deadlocking.
  await tx.query({ text: 'SELECT uid FROM account WHERE uid = ANY($1) ORDER BY uid FOR UPDATE', values: [uids] })
  const rows = await tx.query<Account>({
    text: `${selectAccounts('account')} WHERE a.uid = ANY($1)`,
    values: [uids],
  })
  return new Map(rows.map(row => [row.uid, row]))
}

/** The fields of an account that commands change. */
export type AccountChange = Partial<Omit<typeof account.$inferSelect, 'uid' | 'email' | 'emailVerified' | 'createdAt'>>

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

/** A page of accounts, newest first. */
export async function findAccounts(
  db: Sql,
  query: { name?: string; roles?: Role[]; page: number; pageSize: number },
): Promise<{ rows: Account[]; total: number }> {
  const filter = new Filter()
  filter.where(query.name || null, name => `${personWords('a')} ILIKE ${name}`, likePart)
  filter.where(query.roles, roles => `a.role = ANY(${roles}::text[])`)
  const order = 'a.created_at DESC, a.uid DESC'
  const counted = { limit: MOST_COUNTED + 1, order }
  return findPage(db, { from: 'account a', filter, order, counted, select: selectAccounts('page') }, query)
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

/** What lies on somebody's wallet, in satang; 0 without one. */
export async function findBalance(db: Sql, uid: string): Promise<number> {
  const [row] = await db.query<{ satang: number }>({
    text: 'SELECT balance_satang AS satang FROM wallet WHERE uid = $1',
    values: [uid],
  })
  return row?.satang ?? 0
}
