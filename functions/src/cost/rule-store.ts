import { getTableColumns } from 'drizzle-orm'
import type { Sql } from '../database/database.ts'
import { selectList } from '../database/listing.ts'
import { insertManySql } from '../database/values.ts'
import { priceRule } from './tables.ts'

type StoredRule = typeof priceRule.$inferSelect

/** Returns the rules of games: list prices first, then the tiers. */
export const findRules = (db: Sql, gameIds: number[]): Promise<StoredRule[]> =>
  db.query({
    text: `SELECT ${selectList(getTableColumns(priceRule), 'r')} FROM price_rule r WHERE r.game_id = ANY($1::int[])
      ORDER BY r.game_id, r.target LIKE 'tier:%', length(r.target), r.target`,
    values: [gameIds],
  })

/** Replaces the rules of a game. */
export async function saveRules(tx: Sql, gameId: number, rules: Omit<StoredRule, 'gameId'>[]): Promise<void> {
  await tx.query({ text: 'DELETE FROM price_rule WHERE game_id = $1', values: [gameId] })
  if (rules.length === 0) return
  const rows = rules.map(rule => ({ ...rule, gameId }))
  await tx.query({ text: insertManySql(priceRule), values: [JSON.stringify(rows)] })
}
