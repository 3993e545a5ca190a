import { KEY_END, type KeyEnd } from '@shop/shared/reseller/reseller.ts'
import type { Sql } from '../database/database.ts'
import { tellOwner } from './news.ts'

interface Ending {
  uid: string
  /** The only key to end; without it all of them. */
  id?: string
  for: KeyEnd
  /** Who ends it; null for the shop itself. */
  by: string | null
  now: Date
}

/**
 * Ends keys of an agent's machines that still work and returns them. It waits for orders that they are placing, and none
 * is placed afterwards.
 */
export async function endKeys(
  tx: Sql,
  { uid, id, for: why, by, now }: Ending,
): Promise<{ id: string; name: string }[]> {
  return tx.query<{ id: string; name: string }>({
    text: `UPDATE reseller_key SET ended_at = $3, ended_for = $4, ended_by = $5
      WHERE uid = $1 AND ($2::text IS NULL OR id = $2) AND ended_at IS NULL RETURNING id, name`,
    values: [uid, id ?? null, now, why, by],
  })
}

/**
 * Ends every key of an account that is closed, or in which somebody else may have been, and tells its owner. Keys need
 * no session, so ending the sessions alone would leave the machines buying.
 */
export async function endAllKeys(tx: Sql, { uid, by, now }: Pick<Ending, 'uid' | 'by' | 'now'>): Promise<void> {
  const ended = await endKeys(tx, { uid, for: 'account', by, now })
  if (ended.length === 0) return
  const facts = { keyName: ended.map(({ name }) => name).join(', '), why: KEY_END.account.label }
  await tellOwner(tx, { uid, kind: 'apiKeyEnded', byShop: true, at: now, facts })
}
