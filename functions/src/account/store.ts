import { phoneIn, uidOfLine } from '@shop/shared/account/account.ts'
import { MOST_COUNTED } from '@shop/shared/list-count.ts'
import type { Satang } from '@shop/shared/money.ts'
import type { Role } from '@shop/shared/permissions.ts'
import { eq, getTableColumns, sql } from 'drizzle-orm'
import type { Sql } from '../database/database.ts'
import { Filter, findPage, likePart, personWords, selectList } from '../database/listing.ts'
import { worthSql } from '../transfer/order-money.ts'
import { account } from './tables.ts'

/** A person as the shop knows them: their account's row, with their wallet and LINE identity. */
export interface Account extends Omit<typeof account.$inferSelect, 'oneTimePasswordHash'> {
  walletId: string | null
  tierId: number | null
  /** The moment when the LINE identity that signs in here was linked; null without one. */
  lineLinkedAt: Date | null
  /** LINE's id of that identity. */
  lineSubject: string | null
  /** When the key ended that a call came with; null while it works, undefined for calls of people. */
  keyEndedAt?: Date | null
}

const { oneTimePasswordHash: _hash, ...shown } = getTableColumns(account)
const selectAccounts = (table: string, more = '') => `SELECT ${selectList(shown, 'a')},
    w.id AS "walletId", w.tier_id AS "tierId", l.linked_at AS "lineLinkedAt", l.subject AS "lineSubject"${more}
  FROM ${table} a LEFT JOIN wallet w ON w.uid = a.uid
    LEFT JOIN linked_identity l ON l.uid = a.uid AND l.provider = 'line'`

/** Returns given and family name, or the sign-in name when they are empty. */
export const personNameOf = ({ givenName, familyName, username }: Account): string =>
  `${givenName} ${familyName}`.trim() || username

/** Returns the SQL of the account with a uid, for the FROM of a larger statement. */
export const accountSql = (uid: string) => `(${selectAccounts('account')} WHERE a.uid = ${uid})`

/** Runs on every signed-in request, except those whose handlers read the account in a larger statement. */
export async function findAccount(db: Sql, uid: string): Promise<Account | null> {
  const [row] = await db.query<Account>({
    name: 'account_find',
    text: `${selectAccounts('account')} WHERE a.uid = $1`,
    values: [uid],
  })
  return row ?? null
}

/**
 * Tells whether the account has this way to sign in: its owner added it, or is just adding it. The identity provider
 * may merge accounts that share an email address; the shop never treats such a merge as a link.
 */
export function hasProvider(account: Account, provider: string, now: Date): boolean {
  if (account.providers.includes(provider)) return true
  return account.addingProvider === provider && account.addingUntil !== null && account.addingUntil > now
}

/** The details that a person gave when they registered; later sign-ins do not change them. */
export interface Profile {
  username: string
  givenName: string
  familyName: string
  phone: string | null
}

/**
 * Creates the account at the first sign-in, else updates what the identity provider knows. The profile fills only empty
 * fields: it is saved even when another tab signed in first, and a repeat changes nothing.
 */
export async function upsertAccount(
  db: Sql,
  {
    profile,
    now,
    ...known
  }: Pick<Account, 'uid' | 'providers' | 'providersSince' | 'emailVerified' | 'providerValidAfter'> & {
    /** null when the identity provider has no address; then the stored one stays. */
    email: string | null
    profile: Profile
    now: Date
  },
): Promise<void> {
  const isNameless = sql`account.given_name = '' AND account.family_name = ''`
  const changed = {
    username: sql`CASE WHEN account.username IN ('', account.email)
      THEN coalesce(nullif(excluded.username, ''), account.username) ELSE account.username END`,
    givenName: sql`CASE WHEN ${isNameless} THEN excluded.given_name ELSE account.given_name END`,
    familyName: sql`CASE WHEN ${isNameless} THEN excluded.family_name ELSE account.family_name END`,
    phone: sql`coalesce(account.phone, excluded.phone)`,
    email: sql`coalesce(excluded.email, account.email)`,
    emailVerified: sql`CASE WHEN excluded.email IS NULL THEN account.email_verified ELSE excluded.email_verified END`,
    providerValidAfter: sql`coalesce(excluded.provider_valid_after, account.provider_valid_after)`,
    providers: sql`excluded.providers`,
    providersSince: sql`excluded.providers_since`,
  }
  await db.orm
    .insert(account)
    .values({ ...known, ...profile, createdAt: now })
    .onConflictDoUpdate({ target: account.uid, set: changed })
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
 * Tells whether another account than `uid` holds this email address for good: its owner has proven it, or staff gave
 * them a role. Anybody can register with any address, and that alone blocks nobody.
 */
export async function isEmailTaken(db: Sql, email: string, uid: string): Promise<boolean> {
  const rows = await db.query({
    text: `SELECT 1 FROM account WHERE lower(email) = lower($1) AND uid <> $2
      AND (email_verified OR role <> 'customer') LIMIT 1`,
    values: [email, uid],
  })
  return rows.length > 0
}

/** Locks accounts until the transaction ends and returns them by uid; unknown uids are left out. */
export async function lockAccounts(tx: Sql, uids: string[]): Promise<Map<string, Account>> {
  // Rows are locked in a fixed order, so that two people who change each other wait instead of deadlocking.
  await tx.query({ text: 'SELECT uid FROM account WHERE uid = ANY($1) ORDER BY uid FOR UPDATE', values: [uids] })
  const rows = await tx.query<Account>({ text: `${selectAccounts('account')} WHERE a.uid = ANY($1)`, values: [uids] })
  return new Map(rows.map(row => [row.uid, row]))
}

/** Returns the uids of everybody who is an admin now. */
export async function findAdmins(db: Sql): Promise<string[]> {
  const rows = await db.query<{ uid: string }>({
    text: `SELECT uid FROM account WHERE role = 'admin' AND status <> 'inactive' ORDER BY uid`,
  })
  return rows.map(({ uid }) => uid)
}

/** Tells whether the erasure of an account was approved, so that nobody opens it again. */
export async function isBeingErased(db: Sql, uid: string): Promise<boolean> {
  const rows = await db.query({
    text: `SELECT 1 FROM erasure WHERE state = 'approved' AND uids[1] = $1`,
    values: [uid],
  })
  return rows.length > 0
}

/** The fields of an account that commands may change. */
export type AccountChange = Partial<Omit<typeof account.$inferSelect, 'uid' | 'email' | 'emailVerified' | 'createdAt'>>

/** Saves the fields that are given and leaves the others. */
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

/** What somebody bought, as far back as the list counts. */
interface Bought {
  orders: number
  spentSatang: Satang
  lastOrderAt: Date | null
}

/** A person's orders are read from an index and only so far, because the list shows many people. */
const LISTED = `${selectAccounts('page', ', b.*')} CROSS JOIN LATERAL (
    SELECT count(*)::int AS orders, max(o.created_at) AS "lastOrderAt",
      coalesce(sum(o.amount) FILTER (WHERE o.status = 'success'), 0)::bigint AS "spentSatang"
    FROM (SELECT created_at, status, ${worthSql('orders')} AS amount FROM orders
      WHERE buyer_key = 'u:' || a.uid ORDER BY created_at DESC, id DESC LIMIT ${MOST_COUNTED}) o
  ) b`

/** LINE's id of a person. */
const LINE_ID = /^U[0-9a-f]{32}$/

/** Limits a list of accounts `a` to those that a text names: by a part of their words, or whole by phone or LINE. */
function mustBeNamed(filter: Filter, text: string): void {
  const [words, phone] = [filter.bind(likePart(text)), phoneIn(text)]
  const ways = [`${personWords('a')} ILIKE ${words}`]
  if (phone) ways.push(`a.phone = ${filter.bind(phone)}`)
  if (LINE_ID.test(text)) {
    const [own, sub] = [filter.bind(uidOfLine(text)), filter.bind(text)]
    ways.push(
      `a.uid = ${own} OR a.uid = (SELECT l.uid FROM linked_identity l WHERE l.provider = 'line' AND l.subject = ${sub})`,
    )
  }
  filter.must(`(${ways.join(' OR ')})`)
}

/** A page of accounts, newest first. */
export async function findAccounts(
  db: Sql,
  query: { name?: string; roles?: Role[]; page: number; pageSize: number },
): Promise<{ rows: (Account & Bought)[]; total: number }> {
  const filter = new Filter()
  if (query.name) mustBeNamed(filter, query.name)
  filter.where(query.roles, roles => `a.role = ANY(${roles}::text[])`)
  const order = 'a.created_at DESC, a.uid DESC'
  const counted = { limit: MOST_COUNTED + 1, order }
  return findPage(db, { from: 'account a', filter, order, counted, select: LISTED }, query)
}

/** Returns what the shop holds of a person's money, in satang, and how many keys their machines have. */
export async function findHoldings(
  db: Sql,
  uid: string,
): Promise<{ walletSatang: Satang | null; creditSatang: Satang | null; keys: number }> {
  const [row] = await db.query<{ walletSatang: Satang | null; creditSatang: Satang | null; keys: number }>({
    text: `SELECT (SELECT balance_satang FROM wallet WHERE uid = $1) AS "walletSatang",
      (SELECT balance_satang FROM credit WHERE uid = $1) AS "creditSatang",
      (SELECT count(*)::int FROM reseller_key WHERE uid = $1 AND ended_at IS NULL) AS keys`,
    values: [uid],
  })
  return row!
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

/** Returns the version of the terms that somebody accepted last; null when they accepted none. */
export async function findAcceptedTerms(db: Sql, ownerKey: string): Promise<string | null> {
  const [row] = await db.query<{ version: string }>({
    name: 'terms_accepted',
    text: 'SELECT version FROM terms_acceptance WHERE owner_key = $1 ORDER BY accepted_at DESC LIMIT 1',
    values: [ownerKey],
  })
  return row?.version ?? null
}

/** Returns what a person has on their wallet and as shop credit, in satang. */
export async function findBalance(db: Sql, uid: string): Promise<number> {
  const [row] = await db.query<{ satang: number }>({
    text: `SELECT (coalesce((SELECT balance_satang FROM wallet WHERE uid = $1), 0)
      + coalesce((SELECT balance_satang FROM credit WHERE uid = $1), 0))::bigint AS satang`,
    values: [uid],
  })
  return row?.satang ?? 0
}
