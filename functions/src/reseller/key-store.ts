import { invariant } from '@shop/shared/errors.ts'
import type { ResellerKeyView } from '@shop/shared/reseller/key-endpoints.ts'
import { type KeyMode, MOST_KEYS } from '@shop/shared/reseller/reseller.ts'
import { bangkokDay, DAY_MS } from '@shop/shared/time.ts'
import { resellerKey } from '../account/tables.ts'
import type { Sql } from '../database/database.ts'
import { as, type Expr, json, outer, pick, row, sql, under } from '../database/sql.ts'
import { inJson } from '../http/in-json.ts'
import { resellerDay } from './tables.ts'

const d = under(resellerDay, 'd')
const [k, keys] = [under(resellerKey, 'k'), under(resellerKey)]
/** The day of a key's last use; null for none. */
const u = outer(resellerDay, 'u')

/** Ended keys are listed for so long. */
const SHOWN_DAYS = 90
export const MONTH_DAYS = 30

/** What was done in some days `d` of keys, as JSON. */
export const useJson = (where: string): Expr<ResellerKeyView['today']> =>
  as.shape(
    `(SELECT ${json<ResellerKeyView['today']>({
      calls: as.int(`coalesce(sum(${d.calls}), 0)`),
      errors: as.int(`coalesce(sum(${d.errors}), 0)`),
      orders: as.int(`coalesce(sum(${d.orders}), 0)`),
      spentSatang: as.satang(`coalesce(sum(${d.spentSatang}), 0)`),
    })} FROM ${d} WHERE ${where})`,
  )

const KEY = row({
  ...pick(k, 'id', 'name', 'mode', 'scopes', 'addresses', 'dailyLimitSatang'),
  ...pick(k, 'createdAt', 'endedAt', 'endedFor'),
  ...pick(u, 'lastUsedAt', 'lastUsedFrom'),
  today: useJson(`${d.keyId} = ${k.id} AND ${d.day} = $2::date`),
  month: useJson(`${d.keyId} = ${k.id} AND ${d.day} > $3::date`),
})

/** An agent's keys with their use: those that work first, then those that ended lately, each newest first. */
export async function findKeys(db: Sql, uid: string, now: Date): Promise<ResellerKeyView[]> {
  const daysAgo = (days: number) => bangkokDay(new Date(now.getTime() - days * DAY_MS))
  const rows = await db.query({
    text: sql`SELECT ${KEY} FROM ${k} LEFT JOIN LATERAL (SELECT ${d.lastUsedAt}, ${d.lastUsedFrom} FROM ${d}
        WHERE ${d.keyId} = ${k.id} AND ${d.lastUsedAt} IS NOT NULL ORDER BY ${d.day} DESC LIMIT 1) u ON true
      WHERE ${k.uid} = $1 AND (${k.endedAt} IS NULL OR ${k.endedAt} > $4)
      ORDER BY ${k.endedAt} IS NOT NULL, ${k.createdAt} DESC, ${k.id}`,
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
    text: sql`SELECT FROM ${keys} WHERE ${keys.uid} = $1 AND ${keys.mode} = $2 AND ${keys.endedAt} IS NULL`,
    values: [uid, mode],
  })
  return rows.length < MOST_KEYS
}
