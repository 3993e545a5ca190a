import type { CallView } from '@shop/shared/reseller/key-endpoints.ts'
import type { KeyMode } from '@shop/shared/reseller/reseller.ts'
import { resellerKey } from '../account/tables.ts'
import type { Sql } from '../database/database.ts'
import { pick, row, sql, under } from '../database/sql.ts'
import { inJson } from '../http/in-json.ts'
import { resellerCall } from './tables.ts'

const k = under(resellerKey, 'k')
const [c, r] = [under(resellerCall, 'c'), under(resellerCall, 'r')]

const PAGE = 50

const CALL = row({
  ...pick(c, 'id', 'at', 'call', 'status', 'code', 'ref', 'address'),
  keyName: k.name,
})

interface CallQuery {
  mode: KeyMode
  isFailed: boolean
  /** The id of the last call of the page before. */
  after: string | null
}

/** What somebody's keys of a mode called, the newest first. */
export async function findCalls(
  db: Sql,
  uid: string,
  { mode, isFailed, after }: CallQuery,
): Promise<{ calls: CallView[]; hasMore: boolean }> {
  const rows = await db.query({
    text: sql`SELECT ${CALL} FROM ${k} CROSS JOIN LATERAL (
        SELECT * FROM ${r} WHERE ${r.keyId} = ${k.id} ${isFailed ? `AND ${r.status} >= 400` : ''}
          AND ($3::uuid IS NULL OR ${r.id} < $3)
        ORDER BY ${r.id} DESC LIMIT ${PAGE + 1}) c
      WHERE ${k.uid} = $1 AND ${k.mode} = $2 ORDER BY ${c.id} DESC LIMIT ${PAGE + 1}`,
    values: [uid, mode, after],
  })
  return { calls: rows.slice(0, PAGE).map(inJson), hasMore: rows.length > PAGE }
}
