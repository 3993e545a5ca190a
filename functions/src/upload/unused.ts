import type { Sql } from '../database/database.ts'
import type { Files } from './files.ts'

/** The number of slips that a buyer may have without handing them in; older ones are deleted. */
export const UNUSED_SLIPS = 10

/**
 * The same for staff: a form of many refunds has a slip for each, more than one such form may be open, and a picture that
 * waits for a second person's word is not handed in yet.
 */
export const UNUSED_SLIPS_OF_STAFF = 300

/** The SQL condition for slips `s` that nothing refers to. */
const UNUSED = `s.used_for IS NULL
  AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.slip_id = s.id)
  AND NOT EXISTS (SELECT 1 FROM top_up u WHERE u.slip_id = s.id)
  AND NOT EXISTS (SELECT 1 FROM slip_check k WHERE k.slip_id = s.id)`

/** Deletes the slips whose ids `which` (SQL) selects, except those that are being handed in. Returns how many. */
async function drop(db: Sql, files: Pick<Files, 'remove'>, which: string, values: unknown[]): Promise<number> {
  const gone = await db.query<{ fileKey: string }>({
    text: `DELETE FROM slip WHERE id IN (${which} FOR UPDATE SKIP LOCKED) AND used_for IS NULL
      RETURNING file_key AS "fileKey"`,
    values,
  })
  // Pictures are deleted after the rows: nobody can see a picture without a row, even if deleting it fails now.
  for (const { fileKey } of gone) await files.remove(fileKey)
  return gone.length
}

/** Deletes unused slips from before a moment, at most this many of them. */
export const dropUnusedBefore = (db: Sql, files: Pick<Files, 'remove'>, before: Date, most: number): Promise<number> =>
  drop(db, files, `SELECT s.id FROM slip s WHERE ${UNUSED} AND s.created_at < $1 LIMIT $2`, [before, most])

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
    `SELECT s.id FROM slip s WHERE ${UNUSED} AND s.uploader_key = $1 ORDER BY s.created_at DESC, s.id DESC OFFSET $2`,
    [uploaderKey, kept],
  )
