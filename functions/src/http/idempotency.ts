import { createHash } from 'node:crypto'
import { AppError } from '@shop/shared/errors.ts'
import { type Database, type Sql, violatedConstraint } from '../database/database.ts'
import { as, pick, row, sql, under } from '../database/sql.ts'
import { idempotencyKey } from './tables.ts'

/** A request that must be carried out only once, identified by its caller's key. */
export interface Once {
  scope: string
  key: string
  requestHash: string
}

export function hashRequest(method: string, path: string, body: Buffer): string {
  return createHash('sha256').update(`${method} ${path}\n`).update(body).digest('base64url')
}

const kept = under(idempotencyKey)

/** Returns the stored reply to this request, or null; throws 409 when the key was used for another request. */
async function findReply<T>(db: Sql, once: Once): Promise<T | null> {
  const reply = as.shape<T>(`${kept.reply}`)
  const [found] = await db.query({
    name: 'idempotency_find',
    text: sql`SELECT ${row({ ...pick(kept, 'requestHash'), reply })} FROM ${kept} WHERE ${kept.scope} = $1 AND ${kept.key} = $2`,
    values: [once.scope, once.key],
  })
  if (!found) return null
  if (found.requestHash !== once.requestHash) throw new AppError('IDEMPOTENCY_KEY_REUSED')
  return found.reply
}

async function insertReply(tx: Sql, once: Once, reply: unknown, now: Date): Promise<void> {
  await tx.query({
    name: 'idempotency_insert',
    text: sql`INSERT INTO ${kept} (${kept.scope}, ${kept.key}, ${kept.requestHash}, ${kept.reply}, ${kept.createdAt}) VALUES ($1, $2, $3, $4, $5)`,
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
