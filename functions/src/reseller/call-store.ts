import type { CallView } from '@shop/shared/reseller/key-endpoints.ts'
import type { KeyMode } from '@shop/shared/reseller/reseller.ts'
import type { Sql } from '../database/database.ts'
import { columns, sqlOf } from '../database/listing.ts'
import { inJson } from '../http/in-json.ts'
import { resellerCall } from './tables.ts'

const PAGE = 50

const CALL = columns<Omit<CallView, 'at' | 'keyName'> & { at: Date; keyName: string }>({
  ...sqlOf(resellerCall, 'c', 'id', 'at', 'call', 'status', 'code', 'ref', 'address'),
  keyName: 'k.name',
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
  const rows = await db.query<CallView>({
    text: `SELECT ${CALL} FROM reseller_key k CROSS JOIN LATERAL (
        SELECT * FROM reseller_call r WHERE r.key_id = k.id ${isFailed ? 'AND r.status >= 400' : ''} AND ($3::uuid IS NULL OR r.id < $3)
        ORDER BY r.id DESC LIMIT ${PAGE + 1}) c
      WHERE k.uid = $1 AND k.mode = $2 ORDER BY c.id DESC LIMIT ${PAGE + 1}`,
    values: [uid, mode, after],
  })
  return { calls: rows.slice(0, PAGE).map(inJson), hasMore: rows.length > PAGE }
}
