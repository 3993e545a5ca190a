import type { Sql } from '../database/database.ts'
import { pick, row, sql, under } from '../database/sql.ts'
import { orders } from '../order/tables.ts'
import { slipCheck } from '../slipcheck/tables.ts'
import { topUp } from '../wallet/tables.ts'
import type { Files } from './files.ts'
import { slip } from './tables.ts'

/** The number of slips that a buyer may have without handing them in; older ones are deleted. */
export const UNUSED_SLIPS = 10

/**
 * The same for staff: a form of many refunds has a slip for each, more than one such form may be open, and a picture that
 * waits for a second person's word is not handed in yet.
 */
export const UNUSED_SLIPS_OF_STAFF = 300

const [s, o, u, k] = [under(slip, 's'), under(orders, 'o'), under(topUp, 'u'), under(slipCheck, 'k')]
/** Where names stand alone. */
const stored = under(slip)

/** The SQL condition for slips `s` that nothing refers to. */
const UNUSED = `${s.usedFor} IS NULL
  AND NOT EXISTS (SELECT 1 FROM ${o} WHERE ${o.slipId} = ${s.id})
  AND NOT EXISTS (SELECT 1 FROM ${u} WHERE ${u.slipId} = ${s.id})
  AND NOT EXISTS (SELECT 1 FROM ${k} WHERE ${k.slipId} = ${s.id})`

/** Deletes the slips whose ids `which` (SQL) selects, except those that are being handed in. Returns how many. */
async function drop(db: Sql, files: Pick<Files, 'remove'>, which: string, values: unknown[]): Promise<number> {
  const gone = await db.query({
    text: sql`DELETE FROM ${stored} WHERE ${stored.id} IN (${which} FOR UPDATE SKIP LOCKED) AND ${stored.usedFor} IS NULL
      RETURNING ${row(pick(stored, 'fileKey'))}`,
    values,
  })
  // Pictures are deleted after the rows: nobody can see a picture without a row, even if deleting it fails now.
  for (const { fileKey } of gone) await files.remove(fileKey)
  return gone.length
}

/** Deletes unused slips from before a moment, at most this many of them. */
export const dropUnusedBefore = (db: Sql, files: Pick<Files, 'remove'>, before: Date, most: number): Promise<number> =>
  drop(db, files, `SELECT ${s.id} FROM ${s} WHERE ${UNUSED} AND ${s.createdAt} < $1 LIMIT $2`, [before, most])

/** Deletes an uploader's oldest unused slips beyond the number that they may keep. */
export const dropUnusedOf = (
  db: Sql,
  files: Pick<Files, 'remove'>,
  uploaderKey: string,
  kept: number,
): Promise<number> =>
  drop(
    db,
    files,
    `SELECT ${s.id} FROM ${s} WHERE ${UNUSED} AND ${s.uploaderKey} = $1 ORDER BY ${s.createdAt} DESC, ${s.id} DESC OFFSET $2`,
    [uploaderKey, kept],
  )
