import type { Sql } from '../database/database.ts'

/** Tables whose rows staff put into an order of their own. */
export type Arranged = 'game' | 'package' | 'banner'

export async function nextPosition(tx: Sql, table: Arranged | 'receiving_account'): Promise<number> {
  const [row] = await tx.query<{ next: number }>({
    text: `SELECT coalesce(max(position), 0) + 1 AS next FROM ${table}`,
  })
  return row!.next
}

/** Returns the rows of a table in their order; for packages, those of one game. */
export async function findOrderOf(tx: Sql, table: Arranged, gameId?: number): Promise<{ id: number; name: string }[]> {
  const name = table === 'banner' ? 'description' : 'name'
  return tx.query({
    text: `SELECT id, ${name} AS name FROM ${table} ${gameId === undefined ? '' : 'WHERE game_id = $1'} ORDER BY position, id`,
    values: gameId === undefined ? [] : [gameId],
  })
}

/** Saves the order in which the rows are listed here. */
export async function saveOrderOf(tx: Sql, table: Arranged, ids: number[]): Promise<void> {
  await tx.query({
    text: `UPDATE ${table} t SET position = u.position
      FROM unnest($1::int[]) WITH ORDINALITY AS u(id, position) WHERE t.id = u.id AND t.position <> u.position`,
    values: [ids],
  })
}
