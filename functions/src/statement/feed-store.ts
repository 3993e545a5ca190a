import type { FeedKeyFacts } from '@shop/shared/statement/feed-key.ts'
import { and, eq, isNull } from 'drizzle-orm'
import { account } from '../account/tables.ts'
import { receivingAccount } from '../catalogue/tables.ts'
import type { Sql } from '../database/database.ts'
import { personName } from '../database/listing.ts'
import { as, type Fields, json, notNull, orNull, outer, pick, row, sql, under } from '../database/sql.ts'
import { feedKey } from './tables.ts'

const [k, r, p] = [under(feedKey, 'k'), under(receivingAccount, 'r'), outer(account, 'p')]

type Maker = NonNullable<FeedKeyFacts['maker']>
const MAKER = json<Maker>({ role: notNull(p.role), status: notNull(p.status) })
/** Fields of a key `k` and its maker `p`, see `feedKeyEnd`. */
const LIFE: Fields<FeedKeyFacts> = {
  ...pick(k, 'revokedAt', 'expiresAt'),
  maker: orNull(as.shape<Maker>(`CASE WHEN ${p.uid} IS NOT NULL THEN ${MAKER} END`)),
}

export interface ListedKey extends FeedKeyFacts {
  id: string
  name: string
  prefix: string | null
  receivingAccountId: number | null
  createdAt: Date
  createdByName: string | null
  lastUsedAt: Date | null
}

/** All keys, oldest first. */
export async function findFeedKeys(db: Sql): Promise<ListedKey[]> {
  const key = row<ListedKey>({
    ...LIFE,
    ...pick(k, 'id', 'name', 'prefix', 'receivingAccountId', 'createdAt', 'lastUsedAt'),
    createdByName: orNull(personName('p')),
  })
  return db.query({
    text: sql`SELECT ${key}
      FROM ${k} LEFT JOIN ${p} ON ${p.uid} = ${k.createdBy} ORDER BY ${k.createdAt}, ${k.id}`,
  })
}

/** A key that a call uses, with its account. */
export interface UsableKey extends FeedKeyFacts {
  id: string
  receivingAccountId: number
  accountNo: string
}

/** Finds a key by the hash of what a machine sent; null when no account has it. */
export async function findFeedKey(db: Sql, keyHash: string): Promise<UsableKey | null> {
  const key = row<UsableKey>({
    ...LIFE,
    ...pick(k, 'id'),
    receivingAccountId: notNull(k.receivingAccountId),
    accountNo: r.accountNo,
  })
  const [found] = await db.query({
    text: sql`SELECT ${key}
      FROM ${k} JOIN ${r} ON ${r.id} = ${k.receivingAccountId}
      LEFT JOIN ${p} ON ${p.uid} = ${k.createdBy} WHERE ${k.keyHash} = $1`,
    values: [keyHash],
  })
  return found ?? null
}

type NewKey = Omit<typeof feedKey.$inferInsert, 'createdAt'>

export async function insertFeedKey(tx: Sql, { now, ...key }: NewKey & { now: Date }): Promise<void> {
  await tx.orm.insert(feedKey).values({ ...key, createdAt: now })
}

const isInUse = (id: string) => and(eq(feedKey.id, id), isNull(feedKey.revokedAt))

/** Ends a key and returns its name; null when no such key is in use. */
export async function revokeFeedKey(tx: Sql, id: string, now: Date): Promise<string | null> {
  const [row] = await tx.orm.update(feedKey).set({ revokedAt: now }).where(isInUse(id)).returning()
  return row?.name ?? null
}

/** Records the use of a feed's key and keeps it valid until this transaction ends; returns false when it has ended. */
export async function useFeedKey(tx: Sql, id: string, now: Date): Promise<boolean> {
  const rows = await tx.orm.update(feedKey).set({ lastUsedAt: now }).where(isInUse(id)).returning()
  return rows.length === 1
}
