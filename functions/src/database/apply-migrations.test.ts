import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as migrateByDrizzle } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase } from '../testing/shop.ts'
import { LIMITS, openDatabase, sqlState } from './database.ts'
import { asApplication, migrate } from './migrate.ts'
import { findMigrations, kindOf, type Migration, readMigrations, readSchema } from './migrations.ts'

const OURS = readMigrations()
/** Migrations of a version to come. */
const later = (...files: string[][]): Migration[] =>
  files.map((statements, at) => ({
    tag: `later_${at}`,
    when: OURS.at(-1)!.when + 1 + at,
    hash: `hash ${at}`,
    statements,
  }))
const migrateTo = (more: Migration[], options: Parameters<typeof migrate>[1] = {}) =>
  migrate(url, { migrations: [...OURS, ...more], ...options })

const MIGRATOR = fileURLToPath(new URL('../testing/migrator-process.ts', import.meta.url))
const BUILDING = `SELECT 1 FROM pg_stat_progress_create_index WHERE datname = current_database() AND phase LIKE 'waiting for%'`

let url = ''
/** Of somebody who is in no transaction, and so sees what others do. */
let owner: pg.Client
let clients: pg.Client[] = []
let children: ChildProcess[] = []

beforeEach(async () => {
  url = await createTestDatabase()
  clients = []
  children = []
  owner = await connect()
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  for (const client of clients) await client.end()
})

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  clients.push(client)
  return client
}
/** Somebody whose transaction has read or written a table and stays open. */
async function stayIn(table: string, how: 'reading' | 'writing'): Promise<{ end: () => Promise<unknown> }> {
  const other = await connect()
  await other.query('BEGIN')
  await other.query(how === 'reading' ? `SELECT count(*) FROM ${table}` : `DELETE FROM ${table} WHERE false`)
  return { end: () => other.query('ROLLBACK') }
}
async function ask<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
  return (await owner.query<Row>(text)).rows
}
function startMigrator(more: Migration[]): { kill: () => Promise<void> } {
  const child = spawn(process.execPath, [MIGRATOR, url, JSON.stringify(more)], { stdio: 'ignore' })
  children.push(child)
  const gone = once(child, 'exit')
  return {
    async kill() {
      child.kill('SIGKILL')
      await gone
    },
  }
}
/** The migrations of before the first one that is not a transaction, in a folder of their own. */
function copyWhatDrizzleCanRun(): { folder: string; count: number } {
  const first = OURS.findIndex(({ statements }) => statements.some(text => kindOf(text) !== 'plain'))
  const count = first < 0 ? OURS.length : first
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'))
  cpSync(findMigrations(), folder, { recursive: true })
  const journal = join(folder, 'meta/_journal.json')
  const { entries, ...rest } = JSON.parse(readFileSync(journal, 'utf8')) as { entries: unknown[] }
  writeFileSync(journal, JSON.stringify({ ...rest, entries: entries.slice(0, count) }))
  return { folder, count }
}
const indexesOf = (table: string) =>
  ask<{ name: string; valid: boolean }>(
    `SELECT indexrelid::regclass::text AS name, indisvalid AS valid FROM pg_index WHERE indrelid = '${table}'::regclass ORDER BY 1`,
  )

test('what drizzle itself recorded is what we record, and nothing is done again', async () => {
  await owner.query('DROP SCHEMA public CASCADE; DROP SCHEMA drizzle CASCADE; CREATE SCHEMA public')
  await owner.query('CREATE EXTENSION pg_trgm')
  const { folder, count } = copyWhatDrizzleCanRun()
  await migrateByDrizzle(drizzle(owner), { migrationsFolder: folder })
  rmSync(folder, { recursive: true })
  const recorded = await ask('SELECT id, hash, created_at FROM drizzle.__drizzle_migrations ORDER BY id')
  expect(recorded).toEqual(OURS.slice(0, count).map(({ hash, when }, at) => ({ id: at + 1, hash, created_at: when })))
  expect((await migrate(url)).applied).toEqual(OURS.slice(count).map(({ tag }) => tag))
  const ours = later(['CREATE TABLE made (id int)'])
  expect((await migrateTo(ours)).applied).toEqual(['later_0'])
  expect(await ask('SELECT hash FROM drizzle.__drizzle_migrations ORDER BY id DESC LIMIT 1')).toEqual([
    { hash: 'hash 0' },
  ])
})

test('one that fails leaves nothing behind, and those before it stay', async () => {
  const told: string[] = []
  const files = [['CREATE TABLE made (id int)'], ['ALTER TABLE made ADD COLUMN more int', 'SELECT 1 / 0']]
  await expect(migrateTo(later(...files), { onApplied: tag => told.push(tag) })).rejects.toThrow('division by zero')
  expect(told).toEqual(['later_0'])
  expect(await ask(`SELECT attname FROM pg_attribute WHERE attrelid = 'made'::regclass AND attnum > 0`)).toEqual([
    { attname: 'id' },
  ])
  files[1]!.pop()
  expect((await migrateTo(later(...files))).applied).toEqual(['later_1'])
})

test('one that holds its tables for too long is taken back, and may take its time while the shop is closed', async () => {
  const slow = later(['CREATE TABLE quick (a integer)'], ['LOCK TABLE game', 'SELECT pg_sleep(0.5)'])
  await expect(migrateTo(slow, { mostMs: 200 })).rejects.toThrow('later_1 took longer than 0.2 s and was taken back')
  expect(await ask(`SELECT to_regclass('quick') IS NOT NULL AS made`)).toEqual([{ made: true }])
  expect((await migrateTo(slow, { mostMs: null })).applied).toEqual(['later_1'])
})

test('one that is killed in its transaction never was, and the next migrator need not wait for its end', async () => {
  const more = later(
    ['CREATE TABLE made (id int)'],
    [
      'ALTER TABLE made ADD COLUMN more int',
      'SELECT pg_sleep(CASE WHEN EXISTS (SELECT 1 FROM made) THEN 0 ELSE 600 END)',
    ],
  )
  const migrator = startMigrator(more)
  const asleep = () =>
    ask(`SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()`)
  await expect.poll(asleep).toHaveLength(1)
  await migrator.kill()
  await ask('INSERT INTO made VALUES (1)')
  const client = openDatabase(url, { connections: 1 })
  expect((await readSchema(client, [...OURS, ...more])).pending).toEqual(['later_1'])
  await client.close()
  expect((await migrateTo(more)).applied).toEqual(['later_1'])
})

test('an index whose build is killed is dropped and built again, and what came before it is not done twice', async () => {
  await ask('CREATE TABLE done (at timestamptz)')
  const more = later([
    'INSERT INTO done VALUES (now())',
    'CREATE INDEX CONCURRENTLY "orders_made" ON "orders" USING btree ("player_name")',
  ])
  const writer = await stayIn('orders', 'writing')
  const migrator = startMigrator(more)
  await expect.poll(() => ask(BUILDING)).toHaveLength(1)
  await migrator.kill()
  await expect.poll(() => ask(BUILDING)).toHaveLength(0)
  const made = async () => (await indexesOf('orders')).filter(({ name }) => name === 'orders_made')
  expect(await made()).toEqual([{ name: 'orders_made', valid: false }])
  await writer.end()
  expect((await migrateTo(more)).applied).toEqual(['later_0'])
  expect(await made()).toEqual([{ name: 'orders_made', valid: true }])
  expect(await ask('SELECT count(*)::int AS n FROM done')).toEqual([{ n: 1 }])
  expect(await ask('SELECT * FROM drizzle.migration_step')).toEqual([])
})

test('an index of that name which is not ours is no sign of a build', async () => {
  await ask('CREATE INDEX orders_made ON orders (price_satang)')
  const more = later(['CREATE INDEX CONCURRENTLY "orders_made" ON "orders" ("player_name")'])
  await expect(migrateTo(more)).rejects.toThrow('already exists')
})

test('a unique index that meets doubles leaves none behind that would refuse rows', async () => {
  await ask('CREATE TABLE doubled AS SELECT 1 AS id FROM generate_series(1, 2)')
  const more = later(['CREATE UNIQUE INDEX CONCURRENTLY "doubled_id" ON "doubled" ("id")'])
  await expect(migrateTo(more)).rejects.toThrow('could not create unique index')
  expect(await indexesOf('doubled')).toEqual([])
  await ask('DELETE FROM doubled WHERE ctid = (SELECT min(ctid) FROM doubled)')
  expect((await migrateTo(more)).applied).toEqual(['later_0'])
})

test('of two at once the second tells who is at work, and an index that is built meanwhile does not wait for it', async () => {
  const more = later(['CREATE INDEX CONCURRENTLY "orders_made" ON "orders" ("player_name")'])
  const writer = await stayIn('orders', 'writing')
  const first = migrateTo(more)
  await expect.poll(() => ask(BUILDING)).toHaveLength(1)
  const waits = Promise.withResolvers<string>()
  const second = migrateTo(more, { onWait: waits.resolve })
  expect(await waits.promise).toMatch(/^process \d+ of postgres from 127\.0\.0\.1 since /)
  await writer.end()
  expect([(await first).applied, (await second).applied]).toEqual([['later_0'], []])
})

test('data changes in batches, each of them kept when a later one fails', async () => {
  await ask('CREATE TABLE many AS SELECT n AS id, false AS is_changed FROM generate_series(1, 250) n')
  const more = later([
    `-- in batches
UPDATE many SET is_changed = true WHERE id IN (SELECT id FROM many WHERE NOT is_changed ORDER BY id LIMIT 100)`,
    'INSERT INTO many (id, is_changed) VALUES (0, true)',
  ])
  const changed = () => ask('SELECT count(*)::int AS n FROM many WHERE is_changed')
  const holder = await connect()
  await holder.query('BEGIN')
  await holder.query('SELECT * FROM many WHERE id = 250 FOR UPDATE')
  await expect(migrateTo(more, { pausesMs: [] })).rejects.toThrow('A table stayed in use, so later_0 was not applied')
  expect(await changed()).toEqual([{ n: 200 }])
  await holder.query('COMMIT')
  expect((await migrateTo(more)).applied).toEqual(['later_0'])
  expect(await changed()).toEqual([{ n: 251 }])
})

test('nobody of the shop waits in vain behind a migration that waits for a long reader', async () => {
  const reader = await stayIn('orders', 'reading')
  const more = later(['ALTER TABLE orders ADD COLUMN more int'])
  const shop = openDatabase(asApplication(url), { connections: 4, timeoutMs: { lock: LIMITS.lock.standardMs } })
  const refused: unknown[] = []
  let asked = 0
  let isOpen = true
  const traffic = Array.from({ length: 4 }, async () => {
    while (isOpen) {
      await shop
        .query({ text: 'SELECT id FROM orders LIMIT 1' })
        .catch((error: unknown) => refused.push(sqlState(error)))
      asked++
    }
  })
  const askedBefore: number[] = []
  const pausesMs = {
    *[Symbol.iterator]() {
      for (const pause of [1000, 1000]) {
        askedBefore.push(asked)
        yield pause
      }
    },
  }
  const refusal = await migrateTo(more, { pausesMs }).catch((error: Error) => error.message)
  askedBefore.push(asked)
  await reader.end()
  expect((await migrateTo(more)).applied).toEqual(['later_0'])
  isOpen = false
  await Promise.all(traffic)
  await shop.close()
  expect(refusal).toMatch(
    /^A table stayed in use, so later_0 was not applied.* SELECT pg_terminate_backend\(\d+\) ends it/,
  )
  expect(refused).toEqual([])
  // They were served between any two tries.
  const [first, second, last] = askedBefore.slice(-3) as [number, number, number]
  expect(second).toBeGreaterThan(first)
  expect(last).toBeGreaterThan(second)
})
