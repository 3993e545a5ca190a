import type { FeedKeyFacts } from '@shop/shared/statement/feed-key.ts'
import { and, eq, isNull } from 'drizzle-orm'
import type { Sql } from '../database/database.ts'
import { columns, jsonObject, personName, type SqlOf, sqlOf } from '../database/listing.ts'
import { feedKey } from './tables.ts'

/** Fields of a key `k` and its maker `p`, see `feedKeyEnd`. */
const LIFE: SqlOf<FeedKeyFacts> = {
  ...sqlOf(feedKey, 'k', 'revokedAt', 'expiresAt'),
  maker: `CASE WHEN p.uid IS NOT NULL THEN ${jsonObject<NonNullable<FeedKeyFacts['maker']>>({ role: 'p.role', status: 'p.status' })} END`,
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
  const key = columns<ListedKey>({
    ...LIFE,
    ...sqlOf(feedKey, 'k', 'id', 'name', 'prefix', 'receivingAccountId', 'createdAt', 'lastUsedAt'),
    createdByName: personName('p'),
  })
  return db.query<ListedKey>({
    text: `SELECT ${key}
      FROM feed_key k LEFT JOIN account p ON p.uid = k.created_by ORDER BY k.created_at, k.id`,
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
  const key = columns<UsableKey>({
    ...LIFE,
    ...sqlOf(feedKey, 'k', 'id', 'receivingAccountId'),
    accountNo: 'r.account_no',
  })
  const [row] = await db.query<UsableKey>({
    text: `SELECT ${key}
      FROM feed_key k JOIN receiving_account r ON r.id = k.receiving_account_id
      LEFT JOIN account p ON p.uid = k.created_by WHERE k.key_hash = $1`,
    values: [keyHash],
  })
  return row ?? null
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
