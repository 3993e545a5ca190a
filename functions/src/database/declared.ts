import { getTableColumns, getTableName } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Queries } from './database.ts'
import { readSchema } from './migrations.ts'
import { Refusal } from './refusal.ts'
import { as, row, sql } from './sql.ts'

/** Whether the tables of a database are those that the code declares: its statements are typed by the declarations. */

const FOUND = sql`SELECT ${row({
  table: as.text('c.relname'),
  column: as.text('a.attname'),
  type: as.text('format_type(a.atttypid, a.atttypmod)'),
  isNotNull: as.bool('a.attnotnull'),
})}
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')`

/** Names each column that is missing, of another type, or null where the code says it never is, or the reverse. */
export async function findUndeclared(db: Queries, tables: readonly PgTable[]): Promise<string[]> {
  const found = new Map((await db.query({ text: FOUND })).map(each => [`${each.table}.${each.column}`, each]))
  return tables.flatMap(table =>
    Object.values<AnyPgColumn>(getTableColumns(table)).flatMap(column => {
      const name = `${getTableName(table)}.${column.name}`
      const there = found.get(name)
      const type = column.getSQLType().replace(' (', '(')
      if (!there) return [`${name} is missing`]
      if (there.type !== type) return [`${name} is ${there.type} and must be ${type}`]
      if (there.isNotNull !== column.notNull)
        return [`${name} ${column.notNull ? 'may be null and must not' : 'is NOT NULL and must not be'}`]
      return []
    }),
  )
}

/** Of a database that somebody changed by hand so many flaws are told. */
const MOST_TOLD = 10

/**
 * Keeps a server from working with tables that somebody changed beside the migrations. Those of a newer version are its
 * own business: its migrations keep the server before it working. @throws Refusal
 */
export async function requireDeclared(db: Queries, tables: readonly PgTable[]): Promise<void> {
  if ((await readSchema(db)).kind !== 'current') return
  const flaws = await findUndeclared(db, tables)
  if (flaws.length === 0) return
  const more = flaws.length > MOST_TOLD ? `, and ${flaws.length - MOST_TOLD} more` : ''
  throw new Refusal(
    `The database's tables are not those of its migrations: ${flaws.slice(0, MOST_TOLD).join(', ')}${more}. Undo what changed them.`,
  )
}
