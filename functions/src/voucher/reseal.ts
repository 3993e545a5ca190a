import type { Queries } from '../database/database.ts'
import { as, pick, row, sql, under } from '../database/sql.ts'
import type { VoucherKeys } from './store.ts'
import { voucher } from './tables.ts'

const [v, codes] = [under(voucher, 'v'), under(voucher)]
const SEALED = row(pick(codes, 'id', 'sealed'))

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
    const rows = await db.query({
      text: sql`SELECT ${SEALED} FROM ${codes} WHERE ${codes.id} > $1 AND NOT starts_with(${codes.sealed}, $2)
        ORDER BY ${codes.id} LIMIT ${ROWS}`,
      values: [after, newest],
    })
    if (rows.length === 0) return moved
    after = rows.at(-1)!.id
    const anew = rows.map(({ id, sealed }) => {
      const code = keys.open(id, sealed)
      return {
        id,
        was: sealed,
        sealed: keys.seal(id, code),
        hash: keys.hashes(code)[0]!,
        codeHash: keys.codeHashes(code)[0]!,
      }
    })
    const saved = await db.query({
      text: sql`UPDATE ${v} SET ${codes.sealed} = r.sealed, ${codes.hash} = r.hash, ${codes.codeHash} = r."codeHash"
        FROM json_to_recordset($1) AS r (id uuid, was text, sealed text, hash text, "codeHash" text)
        WHERE ${v.id} = r.id AND ${v.sealed} = r.was RETURNING ${row(pick(v, 'id'))}`,
      values: [JSON.stringify(anew)],
    })
    moved += saved.length
  }
}

/**
 * Writes by what a code is recognised, where a version before that column stored it. One that no key opens is passed over.
 */
export async function nameCodes(db: Queries, keys: VoucherKeys): Promise<void> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const rows = await db.query({
      text: sql`SELECT ${SEALED} FROM ${codes} WHERE ${codes.codeHash} IS NULL AND ${codes.id} > $1
        ORDER BY ${codes.id} LIMIT ${ROWS}`,
      values: [after],
    })
    if (rows.length === 0) return
    after = rows.at(-1)!.id
    const named = rows.flatMap(({ id, sealed }) => {
      const text = keys.openText(id, sealed)
      return text === null ? [] : [{ id, codeHash: keys.codeHashes(JSON.parse(text) as { code: string })[0]! }]
    })
    await db.query({
      text: sql`UPDATE ${v} SET ${codes.codeHash} = r."codeHash" FROM json_to_recordset($1) AS r (id uuid, "codeHash" text)
        WHERE ${v.id} = r.id AND ${v.codeHash} IS NULL`,
      values: [JSON.stringify(named)],
    })
  }
}

/** Returns how many codes are encrypted under each key, by its name. */
export async function countSealed(db: Queries): Promise<Map<string, number>> {
  const rows = await db.query({
    text: sql`SELECT ${row({ name: as.text(`split_part(${codes.sealed}, '.', 1)`), rows: as.int('count(*)') })}
      FROM ${codes} GROUP BY 1`,
  })
  return new Map(rows.map(({ name, rows }) => [name, rows]))
}
