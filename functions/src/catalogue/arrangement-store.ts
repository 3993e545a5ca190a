import { eq, sql } from 'drizzle-orm'
import type { Sql } from '../database/database.ts'
import { type CatalogueChange, stampOf } from '../settings/catalogue-change.ts'
import type { banner, game, receivingAccount } from './tables.ts'

/** Tables whose rows staff put into an order of their own. */
export type Arranged = 'game' | 'package' | 'banner'

type Table = typeof game | typeof banner | typeof receivingAccount
/** The columns that `saveRow` itself writes. */
type Managed = 'id' | 'position' | 'version' | 'updatedAt' | 'updatedBy'

/** Adds a row at the end of its table, or overwrites the one that was read. Returns its id. */
export async function saveRow<T extends Table>(
  change: CatalogueChange,
  of: T,
  fields: Omit<T['$inferInsert'], Managed>,
  read: { id: number; version: number } | null,
): Promise<number> {
  const { orm } = change.tx
  // The ORM can't follow which of the tables it is.
  const table = of as typeof banner
  const row = { ...(fields as typeof banner.$inferInsert), ...stampOf(change, (read?.version ?? 0) + 1) }
  if (read) {
    await orm.update(table).set(row).where(eq(table.id, read.id))
    return read.id
  }
  const position = sql`(SELECT coalesce(max(position), 0) + 1 FROM ${table})`
  const [made] = await orm
    .insert(table)
    .values({ ...row, position })
    .returning({ id: table.id })
  return made!.id
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
