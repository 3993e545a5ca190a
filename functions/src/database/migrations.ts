import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
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

/** The last migration that this code was written for. */
const LAST = journal.entries.at(-1)!

/** How the schema of a database stands to this code. */
export interface SchemaState {
  kind: 'current' | 'older' | 'newer' | 'empty'
  /** The name of the database's last migration; null when this code does not know it. */
  version: string | null
  /** The migrations of this code that the database lacks. */
  pending: string[]
}

/** Reads the schema's version from what the migrations have recorded; the server's role may read that too. */
export async function readSchema(db: Pick<Sql, 'query'>): Promise<SchemaState> {
  const [recorded] = await db.query<{ exists: boolean }>({
    text: `SELECT to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS exists`,
  })
  const [row] = recorded!.exists
    ? await db.query<{ last: string | null }>({
        text: 'SELECT max(created_at)::text AS last FROM drizzle.__drizzle_migrations',
      })
    : []
  const last = Number(row?.last ?? 0)
  const pending = journal.entries.filter(({ when }) => when > last).map(({ tag }) => tag)
  const version = journal.entries.find(({ when }) => when === last)?.tag ?? null
  if (last === 0) return { kind: 'empty', version, pending }
  if (last > LAST.when) return { kind: 'newer', version, pending }
  return { kind: pending.length > 0 ? 'older' : 'current', version, pending }
}

/** Describes a schema that this code can't work with, and the way out; null when it can. */
export function flawOf({ kind, pending }: SchemaState): string | null {
  if (kind === 'empty') return 'The database is empty: run `migrate` as its owner.'
  if (kind === 'older')
    return `The database lacks ${pending.length} migrations of this version (${pending[0]} is the first): run \`migrate\` as its owner.`
  if (kind === 'newer')
    return `The database was migrated by a newer version than this one, whose last migration is ${LAST.tag}: start that version.`
  return null
}

/** Keeps a server from working with a schema that it was not written for. @throws Refusal */
export async function requireSchema(db: Pick<Sql, 'query'>): Promise<void> {
  const flaw = flawOf(await readSchema(db))
  if (flaw) throw new Refusal(flaw)
}
