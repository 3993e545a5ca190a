import type { Sql } from '../database/database.ts'
import { row, sql, under } from '../database/sql.ts'
import { insertManySql } from '../database/values.ts'
import { priceRule } from './tables.ts'

type StoredRule = typeof priceRule.$inferSelect

const r = under(priceRule, 'r')
/** The same where names stand alone. */
const own = under(priceRule)

/** Returns the rules of games: list prices first, then the tiers. */
export const findRules = (db: Sql, gameIds: number[]): Promise<StoredRule[]> =>
  db.query({
    text: sql`SELECT ${row({ ...r })} FROM ${r} WHERE ${r.gameId} = ANY($1::int[])
      ORDER BY ${r.gameId}, ${r.target} LIKE 'tier:%', length(${r.target}), ${r.target}`,
    values: [gameIds],
  })

/** Replaces the rules of a game. */
export async function saveRules(tx: Sql, gameId: number, rules: Omit<StoredRule, 'gameId'>[]): Promise<void> {
  await tx.query({ text: sql`DELETE FROM ${own} WHERE ${own.gameId} = $1`, values: [gameId] })
  if (rules.length === 0) return
  const rows = rules.map(rule => ({ ...rule, gameId }))
  await tx.query({ text: insertManySql(priceRule), values: [JSON.stringify(rows)] })
}
