import type { FeedKeyFacts } from '@shop/shared/statement/feed-key.ts'
import type { Sql } from '../database/database.ts'
import { columns, jsonObject, personName, type SqlOf } from '../database/listing.ts'

/** Fields of a key `k` and its maker `p`, see `feedKeyEnd`. */
const LIFE: SqlOf<FeedKeyFacts> = {
  revokedAt: 'k.revoked_at',
  expiresAt: 'k.expires_at',
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
    id: 'k.id',
    name: 'k.name',
    prefix: 'k.prefix',
    receivingAccountId: 'k.receiving_account_id',
    createdAt: 'k.created_at',
    createdByName: personName('p'),
    lastUsedAt: 'k.last_used_at',
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
    id: 'k.id',
    receivingAccountId: 'k.receiving_account_id',
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

export async function insertFeedKey(
  tx: Sql,
  key: {
    id: string
    name: string
    prefix: string
    keyHash: string
    receivingAccountId: number
    createdBy: string
    expiresAt: Date | null
    now: Date
  },
): Promise<void> {
  await tx.query({
    text: `INSERT INTO feed_key (id, name, prefix, key_hash, receiving_account_id, created_by, created_at, expires_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [key.id, key.name, key.prefix, key.keyHash, key.receivingAccountId, key.createdBy, key.now, key.expiresAt],
  })
}

/** Ends a key and returns its name; null when no such key is in use. */
export async function revokeFeedKey(tx: Sql, id: string, now: Date): Promise<string | null> {
  const [row] = await tx.query<{ name: string }>({
    text: 'UPDATE feed_key SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL RETURNING name',
    values: [id, now],
  })
  return row?.name ?? null
}

/** Records the use of a feed's key and keeps it valid until this transaction ends; returns false when it has ended. */
export async function useFeedKey(tx: Sql, id: string, now: Date): Promise<boolean> {
  const rows = await tx.query({
    text: 'UPDATE feed_key SET last_used_at = $2 WHERE id = $1 AND revoked_at IS NULL RETURNING id',
    values: [id, now],
  })
  return rows.length === 1
}
