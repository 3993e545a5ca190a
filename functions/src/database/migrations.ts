import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import journal from '../../migrations/meta/_journal.json' with { type: 'json' }
import type { Sql } from './database.ts'
import { Refusal } from './refusal.ts'

/** Returns a file's path: beside the packed server, or in the repository. */
const find = (packed: string, source: string): string => {
  const path = fileURLToPath(new URL(packed, import.meta.url))
  return existsSync(path) ? path : fileURLToPath(new URL(source, import.meta.url))
}

/** The build copies both beside the packed server. */
export const findMigrations = (): string => find('migrations', '../../migrations')
export const findRolesFile = (): string => find('roles.sql', './roles.sql')

/** One file of the folder: what drizzle-kit generated, and what was written into it by hand. */
export interface Migration {
  tag: string
  /** What orders migrations, and what a database records of them. */
  when: number
  hash: string
  statements: readonly string[]
}

export function readMigrations(): Migration[] {
  const files = readMigrationFiles({ migrationsFolder: findMigrations() })
  return journal.entries.map(({ tag, when }, at) => ({ tag, when, hash: files[at]!.hash, statements: files[at]!.sql }))
}

/** How a statement is run: in its migration's transaction, repeated in small ones, or in none. */
export type StatementKind = 'plain' | 'batched' | 'concurrent'

export function kindOf(text: string): StatementKind {
  const statement = withoutComments(text)
  if (/^(CREATE( UNIQUE)?|DROP) INDEX CONCURRENTLY\b/i.test(statement)) return 'concurrent'
  return /^-- in batches$/m.test(text) ? 'batched' : 'plain'
}

/** A statement on one line, without the lines that are comments. */
export const withoutComments = (text: string): string =>
  text
    .replace(/^\s*--.*$/gm, '')
    .replace(/\s+/g, ' ')
    .trim()

/** How the schema of a database stands to this code. */
export interface SchemaState {
  kind: 'current' | 'older' | 'newer' | 'empty'
  /** The name of the database's last migration; null when this code does not know it. */
  version: string | null
  /** The migrations of this code that the database lacks. */
  pending: string[]
}

/** Reads the schema's version from what the migrations have recorded; the server's role may read that too. */
export async function readSchema(
  db: Pick<Sql, 'query'>,
  known: readonly Pick<Migration, 'tag' | 'when'>[] = journal.entries,
): Promise<SchemaState> {
  const [recorded] = await db.query<{ exists: boolean }>({
    text: `SELECT to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS exists`,
  })
  const [row] = recorded!.exists
    ? await db.query<{ last: string | null }>({
        text: 'SELECT max(created_at)::text AS last FROM drizzle.__drizzle_migrations',
      })
    : []
  const last = Number(row?.last ?? 0)
  const pending = known.filter(({ when }) => when > last).map(({ tag }) => tag)
  const version = known.find(({ when }) => when === last)?.tag ?? null
  if (last === 0) return { kind: 'empty', version, pending }
  if (last > known.at(-1)!.when) return { kind: 'newer', version, pending }
  return { kind: pending.length > 0 ? 'older' : 'current', version, pending }
}

/**
 * Describes a schema that this code can't work with, and the way out; null when it can. A newer one is fine: a migration
 * keeps the server before it working (docs/operations/upgrade.md).
 */
export function flawOf({ kind, pending }: SchemaState): string | null {
  if (kind === 'empty') return 'The database is empty: run `migrate` as its owner.'
  if (kind === 'older')
    return `The database lacks ${pending.length} migrations of this version (${pending[0]} is the first): run \`migrate\` as its owner.`
  return null
}

/** Tells what the schema lacks for this code; null when it lacks nothing. */
export const findSchemaGap = async (db: Pick<Sql, 'query'>): Promise<string | null> => flawOf(await readSchema(db))

/** Keeps a server from working with a schema that is too old for it. @throws Refusal */
export async function requireSchema(db: Pick<Sql, 'query'>): Promise<void> {
  const gap = await findSchemaGap(db)
  if (gap) throw new Refusal(gap)
}
