import type { LineState, LineTarget } from '@shop/shared/statement/statement.ts'
import { eq, isNotNull, isNull } from 'drizzle-orm'
import type { Sql } from '../database/database.ts'
import { as, outer, pick, row, sql, under } from '../database/sql.ts'
import { orders } from '../order/tables.ts'
import { topUp } from '../wallet/tables.ts'
import { type LineNote, lineTarget, noteLine } from './store.ts'
import { feedKey, statementLine } from './tables.ts'

const l = under(statementLine, 'l')
/** What a line may be matched to. */
const [o, u] = [outer(orders, 'o'), outer(topUp, 'u')]

/** The valid lines of a key `$1` since a moment `$2` (null for all), and whether another source reported them. */
const OF_KEY = `${l.feedKeyId} = $1 AND ($2::timestamptz IS NULL OR ${l.createdAt} >= $2) AND ${l.state} <> 'void'`
const CONFIRMED = `(${l.confirmedFileId} IS NOT NULL OR ${l.confirmedKeyId} IS NOT NULL)`

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
  const line = row<KeyLine>({
    ...pick(l, 'id', 'no', 'state', 'hasPaid', 'amountSatang'),
    target: lineTarget(o.orderNo, u.no),
    isConfirmed: as.bool(CONFIRMED),
  })
  return db.query({
    text: sql`SELECT ${line}
      FROM ${l} LEFT JOIN ${o} ON ${o.id} = ${l.orderId} LEFT JOIN ${u} ON ${u.id} = ${l.topUpId}
      WHERE ${OF_KEY} ORDER BY ${l.no}`,
    values: [keyId, since],
  })
}

/** Returns the next lines to be taken back, after a number, and how many follow in all. */
export async function findNextKeyLines(
  tx: Sql,
  of: { keyId: string; since: Date | null; after: number; limit: number },
): Promise<{ id: string; no: number; left: number }[]> {
  return tx.query({
    text: sql`SELECT ${row({ ...pick(l, 'id', 'no'), left: as.int('count(*) OVER ()') })} FROM ${l}
      WHERE ${OF_KEY} AND NOT ${CONFIRMED} AND ${l.no} > $3 ORDER BY ${l.no} LIMIT $4`,
    values: [of.keyId, of.since, of.after, of.limit],
  })
}

/** Locks a key, so that no lines come by it in the meantime. */
export async function lockKey(tx: Sql, id: string): Promise<typeof feedKey.$inferSelect | null> {
  const [row] = await tx.orm.select().from(feedKey).where(eq(feedKey.id, id)).for('update')
  return row ?? null
}

/** Removes a key's confirmations of lines that came from other sources. */
export async function forgetWordOf(tx: Sql, keyId: string): Promise<void> {
  await tx.orm.update(statementLine).set({ confirmedKeyId: null }).where(eq(statementLine.confirmedKeyId, keyId))
}

/** Frees the key of a voided line, so that a source that reports the movement again adds a new line. */
export async function freeKey(tx: Sql, id: string): Promise<void> {
  await tx.orm
    .update(statementLine)
    .set({ key: `void ${id}`, disputedAt: null })
    .where(eq(statementLine.id, id))
}

/** Marks a locked line, once, as one that somebody must settle. */
export const disputeLine = (tx: Sql, note: LineNote): Promise<boolean> =>
  noteLine(tx, 'dispute', { disputedAt: note.at }, note, isNull(statementLine.disputedAt))

/** Settles such a line; returns false when there is none. */
export const settleLine = (tx: Sql, note: LineNote): Promise<boolean> =>
  noteLine(tx, 'settle', { disputedAt: null }, note, isNotNull(statementLine.disputedAt))

/** Counts the lines that somebody must settle. */
export const countDisputed = (db: Sql): Promise<number> =>
  db.orm.$count(statementLine, isNotNull(statementLine.disputedAt))
