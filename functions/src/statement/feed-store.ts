import type { Sql } from '../database/database.ts'
import { personName } from '../database/listing.ts'

export interface FeedKey {
  id: string
  name: string
  createdAt: Date
  createdByName: string | null
  lastUsedAt: Date | null
}

/** Keys in use, oldest first. */
export async function findFeedKeys(db: Sql): Promise<FeedKey[]> {
  return db.query<FeedKey>({
    text: `SELECT k.id, k.name, k.created_at AS "createdAt", ${personName('p')} AS "createdByName", k.last_used_at AS "lastUsedAt"
      FROM feed_key k LEFT JOIN account p ON p.uid = k.created_by WHERE k.revoked_at IS NULL ORDER BY k.created_at, k.id`,
  })
}

export async function insertFeedKey(
  tx: Sql,
  key: { id: string; name: string; keyHash: string; createdBy: string; now: Date },
): Promise<void> {
  await tx.query({
    text: 'INSERT INTO feed_key (id, name, key_hash, created_by, created_at) VALUES ($1, $2, $3, $4, $5)',
    values: [key.id, key.name, key.keyHash, key.createdBy, key.now],
  })
}

/** Ends a key; its name, or null when there is none in use. */
export async function revokeFeedKey(tx: Sql, id: string, now: Date): Promise<string | null> {
  const [row] = await tx.query<{ name: string }>({
    text: 'UPDATE feed_key SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL RETURNING name',
    values: [id, now],
  })
  return row?.name ?? null
}

/** Whether a key is in use; notes when it was. */
export async function useFeedKey(db: Sql, keyHash: string, now: Date): Promise<boolean> {
  const rows = await db.query({
    text: 'UPDATE feed_key SET last_used_at = $2 WHERE key_hash = $1 AND revoked_at IS NULL RETURNING id',
    values: [keyHash, now],
  })
  return rows.length === 1
}
