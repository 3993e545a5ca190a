import type { LineState, LineTarget } from '@shop/shared/statement/statement.ts'
import type { Sql } from '../database/database.ts'
import { columns } from '../database/listing.ts'
import { lineTarget } from './store.ts'

/** The valid lines of a key `$1` since a moment `$2` (null for all), and whether another source reported them. */
const OF_KEY = `l.feed_key_id = $1 AND ($2::timestamptz IS NULL OR l.created_at >= $2) AND l.state <> 'void'`
const CONFIRMED = '(l.confirmed_file_id IS NOT NULL OR l.confirmed_key_id IS NOT NULL)'

export interface KeyLine {
  id: string
  no: number
  state: LineState
  hasPaid: boolean
  amountSatang: number
  target: LineTarget | null
  isConfirmed: boolean
}

/** Returns all valid lines of a key, oldest first. */
export function findKeyLines(db: Sql, keyId: string, since: Date | null): Promise<KeyLine[]> {
  const line = columns<KeyLine>({
    id: 'l.id',
    no: 'l.no',
    state: 'l.state',
    hasPaid: 'l.has_paid',
    amountSatang: 'l.amount_satang',
    target: lineTarget('o', 'u'),
    isConfirmed: CONFIRMED,
  })
  return db.query<KeyLine>({
    text: `SELECT ${line}
      FROM statement_line l LEFT JOIN orders o ON o.id = l.order_id LEFT JOIN top_up u ON u.id = l.top_up_id
      WHERE ${OF_KEY} ORDER BY l.no`,
    values: [keyId, since],
  })
}

/** Returns the next lines to be taken back, after a number, and how many follow in all. */
export async function findNextKeyLines(
  tx: Sql,
  of: { keyId: string; since: Date | null; after: number; limit: number },
): Promise<{ id: string; no: number; left: number }[]> {
  return tx.query({
    text: `SELECT l.id, l.no, count(*) OVER ()::int AS left FROM statement_line l
      WHERE ${OF_KEY} AND NOT ${CONFIRMED} AND l.no > $3 ORDER BY l.no LIMIT $4`,
    values: [of.keyId, of.since, of.after, of.limit],
  })
}

/** Locks the key, so that no lines come by it in the meantime, and removes its confirmations of other keys' lines. */
export async function lockKey(
  tx: Sql,
  id: string,
): Promise<{ name: string; receivingAccountId: number | null; revokedAt: Date | null } | null> {
  const [row] = await tx.query<{ name: string; receivingAccountId: number | null; revokedAt: Date | null }>({
    text: `SELECT name, receiving_account_id AS "receivingAccountId", revoked_at AS "revokedAt" FROM feed_key WHERE id = $1 FOR UPDATE`,
    values: [id],
  })
  return row ?? null
}

export async function forgetWordOf(tx: Sql, keyId: string): Promise<void> {
  await tx.query({
    text: 'UPDATE statement_line SET confirmed_key_id = NULL WHERE confirmed_key_id = $1',
    values: [keyId],
  })
}

/** Frees the key of a voided line, so that a source that reports the movement again adds a new line. */
export async function freeKey(tx: Sql, id: string): Promise<void> {
  await tx.query({
    text: `UPDATE statement_line SET key = 'void ' || id, disputed_at = NULL WHERE id = $1`,
    values: [id],
  })
}

/** Marks a locked line, once, as one that somebody must settle. */
export async function disputeLine(
  tx: Sql,
  of: { id: string; actorUid: string; reason: string; at: Date },
): Promise<void> {
  await tx.query({
    text: `WITH saved AS (
        UPDATE statement_line SET disputed_at = $4, version = version + 1 WHERE id = $1 AND disputed_at IS NULL
        RETURNING id, version
      )
      INSERT INTO statement_event (line_id, version, step, actor_uid, reason, at)
      SELECT id, version, 'dispute', $2, $3, $4 FROM saved`,
    values: [of.id, of.actorUid, of.reason, of.at],
  })
}

/** Settles such a line; returns false when there is none. */
export async function settleLine(
  tx: Sql,
  of: { id: string; actorUid: string; reason: string; at: Date },
): Promise<boolean> {
  const rows = await tx.query({
    text: `WITH saved AS (
        UPDATE statement_line SET disputed_at = NULL, version = version + 1 WHERE id = $1 AND disputed_at IS NOT NULL
        RETURNING id, version
      )
      INSERT INTO statement_event (line_id, version, step, actor_uid, reason, at)
      SELECT id, version, 'settle', $2, $3, $4 FROM saved RETURNING line_id`,
    values: [of.id, of.actorUid, of.reason, of.at],
  })
  return rows.length === 1
}

/** Counts the lines that somebody must settle. */
export async function countDisputed(db: Sql): Promise<number> {
  const [row] = await db.query<{ n: number }>({
    text: 'SELECT count(*)::int AS n FROM statement_line WHERE disputed_at IS NOT NULL',
  })
  return row!.n
}
