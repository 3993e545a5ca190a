import { invariant } from '@shop/shared/errors.ts'
import type { ResellerKeyView } from '@shop/shared/reseller/key-endpoints.ts'
import { type KeyMode, MOST_KEYS } from '@shop/shared/reseller/reseller.ts'
import { bangkokDay, DAY_MS } from '@shop/shared/time.ts'
import { resellerKey } from '../account/tables.ts'
import type { Sql } from '../database/database.ts'
import { columns, jsonObject, sqlOf } from '../database/listing.ts'
import { inJson } from '../http/in-json.ts'

/** Ended keys are listed for so long. */
const SHOWN_DAYS = 90
export const MONTH_DAYS = 30

/** What was done in some days `d` of keys, as JSON. */
export const useJson = (where: string): string =>
  `(SELECT ${jsonObject<ResellerKeyView['today']>({
    calls: 'coalesce(sum(d.calls), 0)::int',
    errors: 'coalesce(sum(d.errors), 0)::int',
    orders: 'coalesce(sum(d.orders), 0)::int',
    spentSatang: 'coalesce(sum(d.spent_satang), 0)::bigint',
  })} FROM reseller_day d WHERE ${where})`

const KEY = columns<
  Omit<ResellerKeyView, 'createdAt' | 'endedAt' | 'lastUsedAt'> & Record<'createdAt' | 'endedAt' | 'lastUsedAt', Date>
>({
  ...sqlOf(resellerKey, 'k', 'id', 'name', 'mode', 'scopes', 'addresses', 'dailyLimitSatang'),
  ...sqlOf(resellerKey, 'k', 'createdAt', 'endedAt', 'endedFor'),
  lastUsedAt: 'u.last_used_at',
  lastUsedFrom: 'u.last_used_from',
  today: useJson('d.key_id = k.id AND d.day = $2::date'),
  month: useJson('d.key_id = k.id AND d.day > $3::date'),
})

/** An agent's keys with their use: those that work first, then those that ended lately, each newest first. */
export async function findKeys(db: Sql, uid: string, now: Date): Promise<ResellerKeyView[]> {
  const daysAgo = (days: number) => bangkokDay(new Date(now.getTime() - days * DAY_MS))
  const rows = await db.query<ResellerKeyView>({
    text: `SELECT ${KEY} FROM reseller_key k LEFT JOIN LATERAL (SELECT d.last_used_at, d.last_used_from FROM reseller_day d
        WHERE d.key_id = k.id AND d.last_used_at IS NOT NULL ORDER BY d.day DESC LIMIT 1) u ON true
      WHERE k.uid = $1 AND (k.ended_at IS NULL OR k.ended_at > $4)
      ORDER BY k.ended_at IS NOT NULL, k.created_at DESC, k.id`,
    values: [uid, bangkokDay(now), daysAgo(MONTH_DAYS), new Date(now.getTime() - SHOWN_DAYS * DAY_MS)],
  })
  return rows.map(inJson)
}

/** Returns one of an agent's keys that was just written. */
export async function findWritten(db: Sql, uid: string, id: string, now: Date): Promise<ResellerKeyView> {
  const key = (await findKeys(db, uid, now)).find(each => each.id === id)
  invariant(key, 'a key that was just written is listed')
  return key
}

export async function insertKey(tx: Sql, key: typeof resellerKey.$inferInsert): Promise<void> {
  await tx.orm.insert(resellerKey).values(key)
}

/** Tells whether an agent, whose account is locked, may have one more key of a mode. */
export async function hasRoomForKey(tx: Sql, uid: string, mode: KeyMode): Promise<boolean> {
  const rows = await tx.query({
    text: 'SELECT 1 FROM reseller_key WHERE uid = $1 AND mode = $2 AND ended_at IS NULL',
    values: [uid, mode],
  })
  return rows.length < MOST_KEYS
}
