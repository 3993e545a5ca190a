import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { provedBy, type Sql, sqlState } from './database.ts'
import { findMigrations, findRolesFile, flawOf, readSchema } from './migrations.ts'
import {
  flawsOfPlace,
  lackingLimits,
  readPlace,
  readRole,
  requireOwner,
  requireServerRole,
  SERVER_ROLE,
  THAI_UNKNOWN,
} from './owner-checks.ts'
import { whyUnreachable } from './reach.ts'
import { Refusal } from './refusal.ts'
import { scramSecret } from './scram.ts'

/**
 * What the planner is told of every database of the shop: the data stands on no turning disk, and short queries of many
 * people are not helped by more processes each.
 */
export const PLANNER_SETTINGS = { random_page_cost: '1.1', max_parallel_workers_per_gather: '0' } as const

/** The key of the lock that lets one migration after the other into a database. */
const MIGRATING = `hashtextextended('topup-shop migrate', 0)`
/** A migration waits this long for a table that the shop uses, because everybody else waits behind it. */
const LOCK_TIMEOUT = '4s'
const PAUSES_MS = [500, 1000, 2000, 4000, 8000]
const LOCK_NOT_AVAILABLE = '55P03'

const CONNECT_MS = 10_000

const LEAST_PASSWORD = 12
/** Other characters would first have to be brought into one of several spellings. */
const PRINTABLE = /^[\x21-\x7e]+$/

interface Options {
  /** The server's role gets this password; without one its password stays as it is. */
  serverPassword?: string
  /** The server's own certificate authority (PEM); without it the URL says how the connection is made. */
  ca?: string
  /** Called when another migration is at work, which is waited for. */
  onWait?: () => void
  /** How long to wait before the next try when a table was in use. */
  pausesMs?: Iterable<number>
}

export interface Migrated {
  /** The migrations that were applied, in their order. */
  applied: string[]
  /** What an operator should know, in sentences. */
  notes: string[]
}

/**
 * Brings a database to the current schema, gives the server's role its rights, and sets what the database needs; does
 * nothing when all is as it should be. Needs the owner's connection. What can't be finished is refused before the first
 * change. @throws Refusal
 */
export async function migrate(databaseUrl: string, options: Options = {}): Promise<Migrated> {
  const { serverPassword, ca, pausesMs = PAUSES_MS } = options
  if (serverPassword !== undefined) requirePassword(serverPassword)
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_MS,
    ...provedBy(ca, databaseUrl),
  })
  await client.connect().catch((error: unknown) => {
    const reason = whyUnreachable(error)
    throw reason ? new Refusal(reason) : error
  })
  try {
    const db = asSql(client)
    const owner = await requireOwner(db, (client as unknown as { processID: number }).processID)
    await takeTurn(client, options.onWait)
    const flaws = flawsOfPlace(await readPlace(db))
    if (flaws.length > 0) throw new Refusal(flaws.join('\n'))
    await requireServerRole(db, owner, serverPassword !== undefined)
    await client.query(`SET lock_timeout = '${LOCK_TIMEOUT}'`)
    const applied = await whenFree(pausesMs, () => applyAll(client))
    await setUp(client, serverPassword)
    const { knowsThai } = await readPlace(db)
    return { applied, notes: knowsThai ? [] : [THAI_UNKNOWN] }
  } finally {
    await client.end()
  }
}

/** Whoever comes second waits here, and then finds nothing to do. The lock ends with the connection. */
async function takeTurn(client: pg.Client, onWait = () => {}): Promise<void> {
  const { rows } = await client.query<{ taken: boolean }>(`SELECT pg_try_advisory_lock(${MIGRATING}) AS taken`)
  if (rows[0]!.taken) return
  onWait()
  await client.query(`SELECT pg_advisory_lock(${MIGRATING})`)
}

const asSql = (client: pg.Client): Pick<Sql, 'query'> => ({
  query: async ({ text, values }) => (await client.query(text, values)).rows,
})

/** Returns the migrations that were pending. */
async function applyAll(client: pg.Client): Promise<string[]> {
  const before = await readSchema(asSql(client))
  if (before.kind === 'newer') throw new Refusal(flawOf(before)!)
  // The indexes for searches by a part of a text need this extension, which a database's owner may add.
  await client.query('CREATE EXTENSION IF NOT EXISTS pg_trgm').catch((error: Error) => {
    throw new Refusal(`The extension pg_trgm can not be added: ${error.message}. Its package is postgresql-contrib.`)
  })
  await applyMigrations(drizzle(client), { migrationsFolder: findMigrations() })
  await client.query(await readFile(findRolesFile(), 'utf8'))
  return before.pending
}

/** Tries again when a table stayed in use; every try is a whole one, because a failed one leaves nothing behind. */
async function whenFree<T>(pausesMs: Iterable<number>, work: () => Promise<T>): Promise<T> {
  for (const pause of pausesMs) {
    try {
      return await work()
    } catch (error) {
      if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error
      await delay(pause)
    }
  }
  return work().catch((error: unknown) => {
    if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error
    throw new Refusal(
      'A table stayed in use, so nothing was migrated. See pg_stat_activity for who holds it; try again.',
    )
  })
}

/** Sets the limits on the role, so that they hold on all of its connections, even those that a pooler opens. */
async function setUp(client: pg.Client, serverPassword: string | undefined): Promise<void> {
  const role = (await readRole(asSql(client), SERVER_ROLE))!
  for (const { setting, standardMs } of lackingLimits(role.settings))
    await client.query(`ALTER ROLE ${SERVER_ROLE} SET ${setting} = '${standardMs}ms'`)
  if (serverPassword !== undefined)
    await client.query(`ALTER ROLE ${SERVER_ROLE} PASSWORD ${client.escapeLiteral(scramSecret(serverPassword))}`)
  const { rows } = await client.query<{ name: string; settings: string[] }>(
    `SELECT d.datname AS name, coalesce((SELECT s.setconfig FROM pg_db_role_setting s WHERE s.setdatabase = d.oid AND s.setrole = 0), '{}')
      AS settings FROM pg_database d WHERE d.datname = current_database()`,
  )
  const { name, settings } = rows[0]!
  for (const [setting, value] of Object.entries(PLANNER_SETTINGS))
    if (!settings.includes(`${setting}=${value}`))
      await client.query(`ALTER DATABASE ${client.escapeIdentifier(name)} SET ${setting} = ${value}`)
}

function requirePassword(password: string): void {
  if (password.length < LEAST_PASSWORD || !PRINTABLE.test(password))
    throw new Refusal(
      `SERVER_DATABASE_PASSWORD must have ${LEAST_PASSWORD} or more Latin letters, digits and signs, without spaces.`,
    )
}

/** Returns the URL of the same database for the server's role. */
export function asApplication(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.username = SERVER_ROLE
  return url.href
}
