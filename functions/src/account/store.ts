import { phoneIn, uidOfLine } from '@shop/shared/account/account.ts'
import { MOST_COUNTED } from '@shop/shared/list-count.ts'
import type { Satang } from '@shop/shared/money.ts'
import type { Role } from '@shop/shared/permissions.ts'
import { sql as drizzled, eq } from 'drizzle-orm'
import type { Sql } from '../database/database.ts'
import { Filter, findPage, likePart, personWords } from '../database/listing.ts'
import { as, Expr, type Fields, orNull, outer, pick, row, sql, under } from '../database/sql.ts'
import { orders } from '../order/tables.ts'
import { erasure } from '../privacy/tables.ts'
import { worthSql } from '../transfer/order-money.ts'
import { credit, wallet } from '../wallet/tables.ts'
import { account, linkedIdentity, resellerKey, termsAcceptance } from './tables.ts'

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

const [a, w, l] = [under(account, 'a'), outer(wallet, 'w'), outer(linkedIdentity, 'l')]
const { oneTimePasswordHash: _hash, ...shown } = a
/** Of the account `a` with `ACCOUNT_TABLES`. */
export const ACCOUNT: Fields<Omit<Account, 'keyEndedAt'>> = {
  ...shown,
  walletId: w.id,
  tierId: w.tierId,
  lineLinkedAt: l.linkedAt,
  lineSubject: l.subject,
}
export const ACCOUNT_TABLES = sql`LEFT JOIN ${w} ON ${w.uid} = ${a.uid}
    LEFT JOIN ${l} ON ${l.uid} = ${a.uid} AND ${l.provider} = 'line'`
const ACCOUNTS = sql`SELECT ${row(ACCOUNT)}
  FROM ${a} ${ACCOUNT_TABLES}`

/** Returns given and family name, or the sign-in name when they are empty. */
export const personNameOf = ({ givenName, familyName, username }: Account): string =>
  `${givenName} ${familyName}`.trim() || username

/** Returns the SQL of the account with a uid, for the FROM of a larger statement. */
export const accountSql = (uid: string) => `(${ACCOUNTS} WHERE ${a.uid} = ${uid})`

type StoredAccount = Omit<Account, 'keyEndedAt'>
const STORED = [...Object.keys(shown), 'walletId', 'tierId', 'lineLinkedAt', 'lineSubject'] as (keyof StoredAccount)[]

/** What a LEFT JOIN of `accountSql` gives under an alias: all null where nobody has the uid. */
export const accountFields = (alias: string) =>
  Object.fromEntries(STORED.map(name => [name, new Expr(`${alias}."${name}"`, { isNullable: true })])) as Fields<{
    [Name in keyof StoredAccount]: StoredAccount[Name] | null
  }>

/** Runs on every signed-in request, except those whose handlers read the account in a larger statement. */
export async function findAccount(db: Sql, uid: string): Promise<Account | null> {
  const [found] = await db.query({
    name: 'account_find',
    text: sql`${ACCOUNTS} WHERE ${a.uid} = $1`,
    values: [uid],
  })
  return found ?? null
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
  const isNameless = drizzled`account.given_name = '' AND account.family_name = ''`
  const changed = {
    username: drizzled`CASE WHEN account.username IN ('', account.email)
      THEN coalesce(nullif(excluded.username, ''), account.username) ELSE account.username END`,
    givenName: drizzled`CASE WHEN ${isNameless} THEN excluded.given_name ELSE account.given_name END`,
    familyName: drizzled`CASE WHEN ${isNameless} THEN excluded.family_name ELSE account.family_name END`,
    phone: drizzled`coalesce(account.phone, excluded.phone)`,
    email: drizzled`coalesce(excluded.email, account.email)`,
    emailVerified: drizzled`CASE WHEN excluded.email IS NULL THEN account.email_verified ELSE excluded.email_verified END`,
    providerValidAfter: drizzled`coalesce(excluded.provider_valid_after, account.provider_valid_after)`,
    providers: drizzled`excluded.providers`,
    providersSince: drizzled`excluded.providers_since`,
  }
  await db.orm
    .insert(account)
    .values({ ...known, ...profile, createdAt: now })
    .onConflictDoUpdate({ target: account.uid, set: changed })
}

/** Whether an account other than `uid` has this email address. */
export async function isEmailOfOther(db: Sql, email: string, uid: string): Promise<boolean> {
  const rows = await db.query({
    text: sql`SELECT FROM ${a} WHERE lower(${a.email}) = lower($1) AND ${a.uid} <> $2 LIMIT 1`,
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
    text: sql`SELECT FROM ${a} WHERE lower(${a.email}) = lower($1) AND ${a.uid} <> $2
      AND (${a.emailVerified} OR ${a.role} <> 'customer') LIMIT 1`,
    values: [email, uid],
  })
  return rows.length > 0
}

/** Locks accounts until the transaction ends and returns them by uid; unknown uids are left out. */
export async function lockAccounts(tx: Sql, uids: string[]): Promise<Map<string, Account>> {
  // Rows are locked in a fixed order, so that two people who change each other wait instead of deadlocking.
  const locking = sql`SELECT ${row(pick(a, 'uid'))} FROM ${a} WHERE ${a.uid} = ANY($1) ORDER BY ${a.uid} FOR UPDATE`
  await tx.query({ text: locking, values: [uids] })
  const rows = await tx.query({ text: sql`${ACCOUNTS} WHERE ${a.uid} = ANY($1)`, values: [uids] })
  return new Map(rows.map(each => [each.uid, each]))
}

/** Returns the uids of everybody who is an admin now. */
export async function findAdmins(db: Sql): Promise<string[]> {
  const rows = await db.query({
    text: sql`SELECT ${row(pick(a, 'uid'))} FROM ${a} WHERE ${a.role} = 'admin' AND ${a.status} <> 'inactive' ORDER BY ${a.uid}`,
  })
  return rows.map(({ uid }) => uid)
}

/** Tells whether the erasure of an account was approved, so that nobody opens it again. */
export async function isBeingErased(db: Sql, uid: string): Promise<boolean> {
  const e = under(erasure, 'e')
  const rows = await db.query({
    text: sql`SELECT FROM ${e} WHERE ${e.state} = 'approved' AND ${e.uids}[1] = $1`,
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
  const [found] = await db.query({
    text: sql`SELECT ${row({ hash: a.oneTimePasswordHash })} FROM ${a} WHERE ${a.uid} = $1`,
    values: [uid],
  })
  return found?.hash ?? null
}

/** What somebody bought, as far back as the list counts. */
interface Bought {
  orders: number
  spentSatang: Satang
  lastOrderAt: Date | null
}

/** A person's orders are read from an index and only so far, because the list shows many people. */
const [o, bought] = [under(orders, 'o'), under(orders)]
const LISTED = sql`SELECT ${row({
  ...ACCOUNT,
  orders: as.int('b.orders'),
  spentSatang: as.satang('b."spentSatang"'),
  lastOrderAt: orNull(as.instant('b."lastOrderAt"')),
})}
  FROM page a ${ACCOUNT_TABLES} CROSS JOIN LATERAL (
    SELECT count(*)::int AS orders, max(${o.createdAt}) AS "lastOrderAt",
      coalesce(sum(o.amount) FILTER (WHERE ${o.status} = 'success'), 0)::bigint AS "spentSatang"
    FROM (SELECT ${bought.createdAt}, ${bought.status}, ${worthSql('orders')} AS amount FROM ${bought}
      WHERE ${bought.buyerKey} = 'u:' || ${a.uid} ORDER BY ${bought.createdAt} DESC, ${bought.id} DESC LIMIT ${MOST_COUNTED}) o
  ) b`

/** LINE's id of a person. */
const LINE_ID = /^U[0-9a-f]{32}$/

/** Limits a list of accounts `a` to those that a text names: by a part of their words, or whole by phone or LINE. */
function mustBeNamed(filter: Filter, text: string): void {
  const [words, phone] = [filter.bind(likePart(text)), phoneIn(text)]
  const ways = [`${personWords('a')} ILIKE ${words}`]
  if (phone) ways.push(`${a.phone} = ${filter.bind(phone)}`)
  if (LINE_ID.test(text)) {
    const [own, sub] = [filter.bind(uidOfLine(text)), filter.bind(text)]
    ways.push(
      `${a.uid} = ${own} OR ${a.uid} = (SELECT ${l.uid} FROM ${l} WHERE ${l.provider} = 'line' AND ${l.subject} = ${sub})`,
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
  filter.where(query.roles, roles => `${a.role} = ANY(${roles}::text[])`)
  const order = `${a.createdAt} DESC, ${a.uid} DESC`
  const counted = { limit: MOST_COUNTED + 1, order }
  return findPage(db, { from: `${a}`, filter, order, counted, select: LISTED }, query)
}

const [purse, c, t] = [under(wallet, 'w'), under(credit, 'c'), under(termsAcceptance, 't')]
/** What the person $1 has there; null without one. */
const ON_WALLET = `(SELECT ${purse.balanceSatang} FROM ${purse} WHERE ${purse.uid} = $1)`
const AS_CREDIT = `(SELECT ${c.balanceSatang} FROM ${c} WHERE ${c.uid} = $1)`

/** Returns what the shop holds of a person's money, in satang, and how many keys their machines have. */
export async function findHoldings(
  db: Sql,
  uid: string,
): Promise<{ walletSatang: Satang | null; creditSatang: Satang | null; keys: number }> {
  const k = under(resellerKey, 'k')
  const [held] = await db.query({
    text: sql`SELECT ${row({
      walletSatang: orNull(as.satang(ON_WALLET)),
      creditSatang: orNull(as.satang(AS_CREDIT)),
      keys: as.int(`(SELECT count(*) FROM ${k} WHERE ${k.uid} = $1 AND ${k.endedAt} IS NULL)`),
    })}`,
    values: [uid],
  })
  return held!
}

/** Records an acceptance of the terms; returns the first time this version was accepted. */
export async function insertTermsAcceptance(db: Sql, ownerKey: string, version: string, now: Date): Promise<Date> {
  const made = under(termsAcceptance)
  const [accepted] = await db.query({
    text: sql`INSERT INTO ${made} AS t (${made.ownerKey}, ${made.version}, ${made.acceptedAt}) VALUES ($1, $2, $3)
      ON CONFLICT (${made.ownerKey}, ${made.version}) DO UPDATE SET ${made.acceptedAt} = ${t.acceptedAt} RETURNING ${row(pick(t, 'acceptedAt'))}`,
    values: [ownerKey, version, now],
  })
  return accepted!.acceptedAt
}

/** Returns the version of the terms that somebody accepted last; null when they accepted none. */
export async function findAcceptedTerms(db: Sql, ownerKey: string): Promise<string | null> {
  const [last] = await db.query({
    name: 'terms_accepted',
    text: sql`SELECT ${row(pick(t, 'version'))} FROM ${t} WHERE ${t.ownerKey} = $1 ORDER BY ${t.acceptedAt} DESC LIMIT 1`,
    values: [ownerKey],
  })
  return last?.version ?? null
}

/** Returns what a person has on their wallet and as shop credit, in satang. */
export async function findBalance(db: Sql, uid: string): Promise<number> {
  const [sum] = await db.query({
    text: sql`SELECT ${row({ satang: as.satang(`coalesce(${ON_WALLET}, 0) + coalesce(${AS_CREDIT}, 0)`) })}`,
    values: [uid],
  })
  return sum!.satang
}
