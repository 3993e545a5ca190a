import type { Queries } from '../database/database.ts'
import type { VoucherKeys } from './store.ts'

/** Few enough that a buyer passes over their locks before noticing them. */
const ROWS = 200

/**
 * Encrypts and hashes every code anew that is not under the newest key, while people buy; what a run that was cut off
 * had not reached, the next one does. @returns how many codes that were
 */
export async function resealAll(db: Queries, keys: VoucherKeys): Promise<number> {
  const newest = `${keys.names[0]}.`
  let moved = 0
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const rows = await db.query<{ id: string; sealed: string }>({
      text: `SELECT id, sealed FROM voucher WHERE id > $1 AND NOT starts_with(sealed, $2) ORDER BY id LIMIT ${ROWS}`,
      values: [after, newest],
    })
    if (rows.length === 0) return moved
    after = rows.at(-1)!.id
    const anew = rows.map(({ id, sealed }) => {
      const code = keys.open(id, sealed)
      return { id, was: sealed, sealed: keys.seal(id, code), hash: keys.hashes(code)[0]! }
    })
    const saved = await db.query({
      text: `UPDATE voucher v SET sealed = r.sealed, hash = r.hash
        FROM json_to_recordset($1) AS r (id uuid, was text, sealed text, hash text)
        WHERE v.id = r.id AND v.sealed = r.was RETURNING v.id`,
      values: [JSON.stringify(anew)],
    })
    moved += saved.length
  }
}

/** Returns how many codes are encrypted under each key, by its name. */
export async function countSealed(db: Queries): Promise<Map<string, number>> {
  const rows = await db.query<{ name: string; rows: number }>({
    text: `SELECT split_part(sealed, '.', 1) AS name, count(*)::int AS rows FROM voucher GROUP BY 1`,
  })
  return new Map(rows.map(({ name, rows }) => [name, rows]))
}
