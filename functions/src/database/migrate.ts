import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { LIMITS } from './database.ts'

const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url))
const rolesFile = fileURLToPath(new URL('./roles.sql', import.meta.url))

/**
 * Brings a database to the current schema, and the role that the server works as to its rights; does nothing when all of
 * it is there already. Needs the owner's connection.
 */
export async function migrate(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    // The indexes behind searches by part of a text need it; a database's owner may add it.
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_trgm')
    await applyMigrations(drizzle(client), { migrationsFolder })
    await client.query(await readFile(rolesFile, 'utf8'))
    await limitRole(client)
  } finally {
    await client.end()
  }
}

/** The limits hold on every connection of the role, also where the server can't set them because a pooler opened it. */
async function limitRole(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ has: string[] }>(
    `SELECT coalesce(rolconfig, '{}') AS has FROM pg_roles WHERE rolname = 'shop_app'`,
  )
  for (const { setting, standardMs } of Object.values(LIMITS))
    if (!rows[0]!.has.includes(`${setting}=${standardMs}ms`))
      await client.query(`ALTER ROLE shop_app SET ${setting} = '${standardMs}ms'`)
}

/** The same database, for the server's role. */
export function asApplication(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.username = 'shop_app'
  return url.href
}

if (import.meta.main) {
  if (!process.env.DATABASE_URL) throw new Error('DATABASE_URL is not set')
  await migrate(process.env.DATABASE_URL)
}
