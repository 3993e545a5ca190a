import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { LIMITS } from './database.ts'

const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url))
const rolesFile = fileURLToPath(new URL('./roles.sql', import.meta.url))

/**
 * Brings a database to the current schema and gives the server's role its rights; does nothing when both are up to
 * date. Needs the owner's connection.
 */
export async function migrate(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    // The indexes for searches by a part of a text need this extension, which a database's owner may add.
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_trgm')
    await applyMigrations(drizzle(client), { migrationsFolder })
    await client.query(await readFile(rolesFile, 'utf8'))
    await limitRole(client)
  } finally {
    await client.end()
  }
}

/** Sets the limits on the role, so that they hold on all of its connections, even those that a pooler opens. */
async function limitRole(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ has: string[] }>(
    `SELECT coalesce(rolconfig, '{}') AS has FROM pg_roles WHERE rolname = 'shop_app'`,
  )
  for (const { setting, standardMs } of Object.values(LIMITS))
    if (!rows[0]!.has.includes(`${setting}=${standardMs}ms`))
      await client.query(`ALTER ROLE shop_app SET ${setting} = '${standardMs}ms'`)
}

/** Returns the URL of the same database for the server's role. */
export function asApplication(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.username = 'shop_app'
  return url.href
}

if (import.meta.main) {
  if (!process.env.DATABASE_URL) throw new Error('DATABASE_URL is not set')
  await migrate(process.env.DATABASE_URL)
}
