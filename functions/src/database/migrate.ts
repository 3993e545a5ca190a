import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type ApplyOptions, applyMigrations, LOCK_MS, whenFree } from './apply-migrations.ts'
import type { Sql } from './database.ts'
import { findRolesFile, type Migration, readMigrations, readSchema } from './migrations.ts'
import {
  flawsOfPlace,
  lackingLimits,
  readPlace,
  readRole,
  requireOwner,
  requireServerRole,
  SERVER_ROLE,
  SERVER_ROLES,
  THAI_UNKNOWN,
} from './owner-checks.ts'
import { provedBy } from './proved-by.ts'
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
/** How often one that waits asks whether it is its turn. */
const TURN_MS = 250

const CONNECT_MS = 10_000

const LEAST_PASSWORD = 12
/** Other characters would first have to be brought into one of several spellings. */
const PRINTABLE = /^[\x21-\x7e]+$/

interface Options extends ApplyOptions {
  /** The server's role gets this password; without one its password stays as it is. */
  serverPassword?: string
  /** The server's own certificate authority (PEM); without it the URL says how the connection is made. */
  ca?: string
  /** Called with what is known of another migration that is at work, which is waited for. */
  onWait?: (who: string) => void
  /** Those of this version; tests have others. */
  migrations?: readonly Migration[]
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
  const { serverPassword, ca } = options
  if (serverPassword !== undefined) requirePassword(serverPassword)
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'topup-shop migrate',
    ...provedBy(ca, databaseUrl),
  })
  // Of a connection that is lost between two statements the next statement tells.
  client.on('error', () => {})
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
    await client.query(`SET lock_timeout = ${LOCK_MS}`)
    const applied = await applyAll(client, options)
    await setUp(client, serverPassword)
    const { knowsThai } = await readPlace(db)
    return { applied, notes: knowsThai ? [] : [THAI_UNKNOWN] }
  } finally {
    await client.end()
  }
}

/**
 * Whoever comes second asks again and again, and then finds nothing to do. It must not wait inside of a statement: an
 * index that the first one builds CONCURRENTLY waits for every statement that began before, so both would wait for ever.
 * The lock ends with the connection.
 */
async function takeTurn(client: pg.Client, onWait: (who: string) => void = () => {}): Promise<void> {
  // The server looks whether this process is still there, so that a killed one's lock does not outlive it for long. Not
  // every system can.
  await client.query(`SET client_connection_check_interval = '2s'`).catch(() => {})
  for (let isTold = false; ; isTold = true) {
    const { rows } = await client.query<{ taken: boolean }>(`SELECT pg_try_advisory_lock(${MIGRATING}) AS taken`)
    if (rows[0]!.taken) return
    if (!isTold) onWait(await nameOther(client))
    await delay(TURN_MS)
  }
}

/** PostgreSQL shows the lock's key in two halves. */
async function nameOther(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ who: string }>(
    `SELECT concat_ws(' ', 'process', a.pid, 'of', a.usename, 'from ' || host(a.client_addr), 'since',
        to_char(a.backend_start AT TIME ZONE 'UTC', 'HH24:MI:SS "UTC"')) AS who
      FROM pg_locks l JOIN pg_stat_activity a USING (pid)
      WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1 AND a.datname = current_database()
        AND (l.classid::bigint << 32 | l.objid::bigint) = ${MIGRATING}`,
  )
  return rows[0]?.who ?? 'one that just ended'
}

const asSql = (client: pg.Client): Pick<Sql, 'query'> => ({
  query: async ({ text, values }) => (await client.query(`${text}`, values)).rows,
})

/** Returns what was applied. */
async function applyAll(client: pg.Client, options: Options): Promise<string[]> {
  const { migrations = readMigrations(), pausesMs } = options
  const { kind, pending } = await whenFree(client, pausesMs, 'the first migration', () =>
    readSchema(asSql(client), migrations),
  )
  if (kind === 'newer')
    throw new Refusal(
      `The database was migrated by a newer version than this one, whose last migration is ${migrations.at(-1)!.tag}: migrate with that version.`,
    )
  // The indexes for searches by a part of a text need this extension, which a database's owner may add.
  await client.query('CREATE EXTENSION IF NOT EXISTS pg_trgm').catch((error: Error) => {
    throw new Refusal(`The extension pg_trgm can not be added: ${error.message}. Its package is postgresql-contrib.`)
  })
  await applyMigrations(
    client,
    migrations.filter(({ tag }) => pending.includes(tag)),
    options,
  )
  const roles = await readFile(findRolesFile(), 'utf8')
  await whenFree(client, pausesMs, "what the server's role may do", () => client.query(roles))
  return pending
}

/** Sets the limits on the role, so that they hold on all of its connections, even those that a pooler opens. */
async function setUp(client: pg.Client, serverPassword: string | undefined): Promise<void> {
  for (const name of SERVER_ROLES) {
    const role = await readRole(asSql(client), name)
    for (const { setting, standardMs } of role ? lackingLimits(role.settings) : [])
      await client.query(`ALTER ROLE ${name} SET ${setting} = '${standardMs}ms'`)
  }
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

export function requirePassword(password: string): void {
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
