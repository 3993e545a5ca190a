import { KEY_END, type KeyEnd } from '@shop/shared/reseller/reseller.ts'
import { resellerKey } from '../account/tables.ts'
import type { Sql } from '../database/database.ts'
import { pick, row, sql, under } from '../database/sql.ts'
import { webhookEndpoint } from '../webhook/tables.ts'
import { tellOwner } from './news.ts'

const [key, endpoint] = [under(resellerKey), under(webhookEndpoint)]

/** Who ends something of an account, and when. */
interface Ending {
  uid: string
  /** null for the shop itself. */
  by: string | null
  now: Date
}

/**
 * Ends keys of an agent's machines that still work and returns them. It waits for orders that they are placing, and none
 * is placed afterwards. @param id the only key to end; without it all but the `kept` ones
 */
export async function endKeys(
  tx: Sql,
  { uid, id, kept = [], for: why, by, now }: Ending & { id?: string; kept?: readonly string[]; for: KeyEnd },
): Promise<{ id: string; name: string }[]> {
  return tx.query({
    text: sql`UPDATE ${key} SET ${key.endedAt} = $3, ${key.endedFor} = $4, ${key.endedBy} = $5
      WHERE ${key.uid} = $1 AND ($2::text IS NULL OR ${key.id} = $2) AND NOT ${key.id} = ANY($6) AND ${key.endedAt} IS NULL
      RETURNING ${row(pick(key, 'id', 'name'))}`,
    values: [uid, id ?? null, now, why, by, kept],
  })
}

const NOT_KEPT = 'ไม่ได้เลือกให้ใช้ต่อ เมื่อรหัสผ่านหรือ PIN ถูกเปลี่ยน'

/** An ending that its owner hears of. */
interface ToldEnding extends Ending {
  /** Whether the shop's people did it, and not the owner. */
  byShop: boolean
  /** Ids of what goes on. */
  kept: readonly string[]
}

/** Ends the keys of an agent's machines, but for the kept ones, and tells the owner. */
export async function endKeysBut(tx: Sql, { byShop, kept, ...by }: ToldEnding): Promise<void> {
  const ended = await endKeys(tx, { ...by, kept, for: byShop ? 'account' : 'owner' })
  if (ended.length === 0) return
  const facts = { keyName: ended.map(({ name }) => name).join(', '), why: byShop ? KEY_END.account.label : NOT_KEPT }
  await tellOwner(tx, { uid: by.uid, kind: 'apiKeyEnded', byShop, at: by.now, facts })
}

/**
 * Removes where an agent's machines are told about events, but for the kept ones, with what waits to be sent there, and
 * tells the owner.
 */
export async function removeEndpointsBut(tx: Sql, { uid, now, byShop, kept }: ToldEnding): Promise<void> {
  const removed = await tx.query({
    text: sql`DELETE FROM ${endpoint} WHERE ${endpoint.uid} = $1 AND NOT ${endpoint.id} = ANY($2) RETURNING ${row(pick(endpoint, 'url'))}`,
    values: [uid, kept],
  })
  if (removed.length === 0) return
  const facts = { url: removed.map(({ url }) => url).join(', '), why: byShop ? KEY_END.account.label : NOT_KEPT }
  await tellOwner(tx, { uid, kind: 'webhookEnded', byShop, at: now, facts })
}

/**
 * Ends every key and endpoint of an account that is closed, or in which somebody else may have been, and tells its owner.
 * They need no session, so ending the sessions alone would leave machines buying and strangers told.
 */
export async function endMachines(tx: Sql, ending: Ending): Promise<void> {
  await endKeysBut(tx, { ...ending, byShop: true, kept: [] })
  await removeEndpointsBut(tx, { ...ending, byShop: true, kept: [] })
}
