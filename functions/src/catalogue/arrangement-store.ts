import { sql as drizzled, eq } from 'drizzle-orm'
import type { Sql } from '../database/database.ts'
import { pick, row, sql, under } from '../database/sql.ts'
import { type CatalogueChange, stampOf } from '../settings/catalogue-change.ts'
import { banner, game, gamePackage, type receivingAccount } from './tables.ts'

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
  const position = drizzled`(SELECT coalesce(max(position), 0) + 1 FROM ${table})`
  const [made] = await orm
    .insert(table)
    .values({ ...row, position })
    .returning({ id: table.id })
  return made!.id
}

const [g, p, b] = [under(game), under(gamePackage), under(banner)]
const ARRANGED = {
  game: { from: g, ...pick(g, 'id', 'name', 'position') },
  package: { from: p, ...pick(p, 'id', 'name', 'position') },
  banner: { from: b, ...pick(b, 'id', 'position'), name: b.description },
} satisfies Record<Arranged, unknown>

/** Returns the rows of a table in their order; for packages, those of one game. */
export async function findOrderOf(tx: Sql, table: Arranged, gameId?: number): Promise<{ id: number; name: string }[]> {
  const of = ARRANGED[table]
  return tx.query({
    text: sql`SELECT ${row(pick(of, 'id', 'name'))} FROM ${of.from} ${gameId === undefined ? '' : `WHERE ${p.gameId} = $1`}
      ORDER BY ${of.position}, ${of.id}`,
    values: gameId === undefined ? [] : [gameId],
  })
}

/** Saves the order in which the rows are listed here. */
export async function saveOrderOf(tx: Sql, table: Arranged, ids: number[]): Promise<void> {
  const { from, id, position } = ARRANGED[table]
  await tx.query({
    text: sql`UPDATE ${from} SET ${position} = u.position
      FROM unnest($1::int[]) WITH ORDINALITY AS u(id, position) WHERE ${from}.${id} = u.id AND ${from}.${position} <> u.position`,
    values: [ids],
  })
}
