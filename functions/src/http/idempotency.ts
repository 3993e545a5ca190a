import { createHash } from 'node:crypto'
import { AppError } from '@shop/shared/errors.ts'
import { type Database, type Sql, violatedConstraint } from '../database/database.ts'

/** A request that must be carried out only once, identified by its caller's key. */
export interface Once {
  scope: string
  key: string
  requestHash: string
}

export function hashRequest(method: string, path: string, body: Buffer): string {
  return createHash('sha256').update(`${method} ${path}\n`).update(body).digest('base64url')
}

/** Returns the stored reply to this request, or null; throws 409 when the key was used for another request. */
async function findReply<T>(db: Sql, once: Once): Promise<T | null> {
  const [row] = await db.query<{ request_hash: string; reply: T }>({
    name: 'idempotency_find',
    text: 'SELECT request_hash, reply FROM idempotency_key WHERE scope = $1 AND key = $2',
    values: [once.scope, once.key],
  })
  if (!row) return null
  if (row.request_hash !== once.requestHash) throw new AppError('IDEMPOTENCY_KEY_REUSED')
  return row.reply
}

async function insertReply(tx: Sql, once: Once, reply: unknown, now: Date): Promise<void> {
  await tx.query({
    name: 'idempotency_insert',
    text: 'INSERT INTO idempotency_key (scope, key, request_hash, reply, created_at) VALUES ($1, $2, $3, $4, $5)',
    values: [once.scope, once.key, once.requestHash, JSON.stringify(reply), now],
  })
}

/**
 * Runs `work` in a transaction that also stores its reply, so that a repeat gets the first reply. Of two calls at the
 * same moment the second fails to store its reply, is rolled back and gets the first one's. `prepare` runs before the
 * transaction, but not for a repeat; limits are counted and outside services are called there.
 */
export async function runOnce<T, P = undefined>(
  db: Database,
  once: Once,
  now: Date,
  work: (tx: Sql, prepared: P) => Promise<T>,
  prepare?: () => Promise<P>,
): Promise<T> {
  const kept = await findReply<T>(db, once)
  if (kept !== null) return kept
  const prepared = (await prepare?.()) as P
  try {
    return await db.transaction(async tx => {
      const reply = await work(tx, prepared)
      await insertReply(tx, once, reply, now)
      return reply
    })
  } catch (error) {
    const repeated = await findReply<T>(db, once)
    if (repeated !== null) return repeated
    if (violatedConstraint(error) === 'idempotency_key_once') throw new AppError('CONFLICT')
    throw error
  }
}
