import { getTableName } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TABLES } from '../privacy/table-names.ts'
import { createTestDatabase } from '../testing/shop.ts'
import { type Database, openDatabase, type Sql } from './database.ts'
import { findUndeclared, requireDeclared } from './declared.ts'

let db: Database
beforeAll(async () => {
  db = openDatabase(await createTestDatabase(), { connections: 1, checksRows: true })
})
afterAll(() => db.close())

/** Does some work after a change, which is undone. */
async function changed<T>(text: string, work: (tx: Sql) => Promise<T>): Promise<T> {
  const undone = new Error('undo')
  let done: T | undefined
  await db
    .transaction(async tx => {
      await tx.query({ text })
      done = await work(tx)
      throw undone
    })
    .catch(error => {
      if (error !== undone) throw error
    })
  return done!
}

test('what the migrations make is what the tables declare, every table', async () => {
  expect(await findUndeclared(db, TABLES)).toEqual([])
  const there = await db.query<{ name: string }>({
    text: `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
  })
  expect(TABLES.map(getTableName).sort()).toEqual(there.map(({ name }) => name).sort())
})

test.each([
  ['orders.reason is missing', 'ALTER TABLE orders RENAME reason TO why'],
  ['orders.reason is missing', 'ALTER TABLE orders DROP reason'],
  ['orders.quantity may be null and must not', 'ALTER TABLE orders ALTER quantity DROP NOT NULL'],
  ['orders.reason is NOT NULL and must not be', 'ALTER TABLE orders ALTER reason SET NOT NULL'],
  ['orders.quantity is bigint and must be integer', 'ALTER TABLE orders ALTER quantity TYPE bigint'],
  [
    'orders.created_at is timestamp(0) with time zone and must be timestamp(3) with time zone',
    'ALTER TABLE orders ALTER created_at TYPE timestamptz(0)',
  ],
])('a server says before it serves: %s', async (flaw, change) => {
  expect(await changed(change, tx => findUndeclared(tx, TABLES))).toEqual([flaw])
  await changed(change, tx => expect(requireDeclared(tx, TABLES)).rejects.toThrow(flaw))
})

test('many flaws are told in part, a column more is none, and a newer version changes what it wants', async () => {
  await changed('ALTER TABLE orders RENAME TO bought', tx =>
    expect(requireDeclared(tx, TABLES)).rejects.toThrow(/^.*orders\.id is missing, .*, and \d\d more\. Undo/),
  )
  await changed('ALTER TABLE orders ADD later text', tx => requireDeclared(tx, TABLES))
  const newer = `INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('later', 99999999999999)`
  await changed(`ALTER TABLE orders DROP reason; ${newer}`, tx => requireDeclared(tx, TABLES))
})
