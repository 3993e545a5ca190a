import type { Sql } from '../database/database.ts'
import type { Files } from './files.ts'

/** Slips that one uploader may keep without handing them in; of more the oldest go. */
const UNUSED_SLIPS = 10

/** Slips that nothing names, as SQL over `slip s`. */
const UNUSED = `s.used_for IS NULL
  AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.slip_id = s.id)
  AND NOT EXISTS (SELECT 1 FROM top_up u WHERE u.slip_id = s.id)
  AND NOT EXISTS (SELECT 1 FROM slip_check k WHERE k.slip_id = s.id)`

/** Takes away the slips chosen by `which`, an SQL that names their ids; what is being handed in stays. Returns how many. */
async function drop(db: Sql, files: Pick<Files, 'remove'>, which: string, values: unknown[]): Promise<number> {
  const gone = await db.query<{ fileKey: string }>({
    text: `DELETE FROM slip WHERE id IN (${which} FOR UPDATE SKIP LOCKED) AND used_for IS NULL
      RETURNING file_key AS "fileKey"`,
    values,
  })
  // After the rows: a picture that can't be removed now is one that nobody can see any more.
  for (const { fileKey } of gone) await files.remove(fileKey)
  return gone.length
}

/** Those from before a moment, at most so many of them. */
export const dropUnusedBefore = (db: Sql, files: Pick<Files, 'remove'>, before: Date, most: number): Promise<number> =>
  drop(db, files, `SELECT s.id FROM slip s WHERE ${UNUSED} AND s.created_at < $1 LIMIT $2`, [before, most])

/** Those of an uploader beyond what one may keep. */
export const dropUnusedOf = (db: Sql, files: Pick<Files, 'remove'>, uploaderKey: string): Promise<number> =>
  drop(
    db,
    files,
    `SELECT s.id FROM slip s WHERE ${UNUSED} AND s.uploader_key = $1 ORDER BY s.created_at DESC, s.id DESC OFFSET $2`,
    [uploaderKey, UNUSED_SLIPS],
  )
