import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from 'local/ports.ts'
import { discardPostgres, type PostgresServer, startPostgres } from 'local/postgres.ts'
import { startReplica } from 'local/replica.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openWire, type Wire } from '../testing/wire.ts'
import { type Database, isUnavailable, openDatabase } from './database.ts'
import { hasReached, openReports, type Reports } from './reports.ts'

/** Servers of their own, because a replica copies a whole server. */
const dir = mkdtempSync(join(tmpdir(), 'reports-'))
const [primaryDir, replicaDir] = [`${dir}-primary`, `${dir}-replica`]
let server: PostgresServer
let replica: PostgresServer
let owner: Database
let primary: Database
let way: Wire

/** As the server's role, which may ask all of this. */
const asShop = (url: string) => url.replace('postgres@', 'shop_app@')

beforeAll(async () => {
  server = await startPostgres({ port: await findFreePort(), dataDir: primaryDir, durable: false })
  owner = openDatabase(server.url, { connections: 2 })
  await owner.query({ text: 'CREATE ROLE shop_app LOGIN' })
  await owner.query({ text: 'CREATE TABLE told (n int)' })
  await owner.query({ text: 'GRANT ALL ON told TO shop_app' })
  replica = await startReplica(server, { port: await findFreePort(), dataDir: replicaDir })
  primary = openDatabase(asShop(server.url), { connections: 5 })
  way = await openWire(asShop(replica.url))
})
afterAll(async () => {
  await way?.close()
  await Promise.all([owner?.close(), primary?.close()])
  for (const each of [replicaDir, primaryDir]) await discardPostgres(each)
  rmSync(dir, { recursive: true, force: true })
})

let reports: Reports
let told: (string | null)[]
let now: number
const opened: Reports[] = []
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
})

/** Opens reports on the replica, with a clock that stands still, and waits until it is read. */
async function open(url = way.url): Promise<void> {
  told = []
  now = 0
  reports = openReports(primary, {
    openReplica: connections => openDatabase(url, { connections, timeoutMs: { connect: 400 } }),
    maxSeconds: 5,
    onTurn: reason => told.push(reason),
    clock: () => now,
  })
  opened.push(reports)
}
const pass = (seconds: number) => {
  now += seconds * 1000
}
const isRead = async () => (await reports.look())!.isRead
const readsReplica = () => expect.poll(isRead).toBe(true)
const from = async () => {
  const [row] = await reports.query<{ isReplica: boolean }>({ text: 'SELECT pg_is_in_recovery() AS "isReplica"' })
  return row!.isReplica ? 'replica' : 'primary'
}
const write = (n: number) => primary.query({ text: 'INSERT INTO told VALUES ($1)', values: [n] })
const knows = async (n: number) =>
  (await reports.query({ text: 'SELECT 1 FROM told WHERE n = $1', values: [n] })).length === 1
const onReplica = async (text: string) => {
  const db = openDatabase(replica.url, { connections: 1 })
  await db.query({ text })
  await db.close()
}

test('without a replica the primary is read', async () => {
  reports = openReports(primary)
  expect(await from()).toBe('primary')
  expect(await reports.look()).toBeNull()
})

test('a replica is read once its copy is proved, by single statements and whole transactions', async () => {
  await open()
  expect(await from()).toBe('primary')
  await readsReplica()
  expect(await from()).toBe('replica')
  const text = 'SELECT pg_is_in_recovery() AS it'
  expect(await reports.transaction(tx => tx.query({ text }))).toEqual([{ it: true }])
  expect(told).toEqual([null])
})

test('a server that must write takes no connection to a standby', async () => {
  const writer = openDatabase(asShop(replica.url), { mustWrite: true })
  const error = await writer.query({ text: 'SELECT 1' }).catch((cause: unknown) => cause)
  expect(error).toMatchObject({
    code: '25006',
    message: 'DATABASE_URL leads to a standby, where nothing can be written',
  })
  expect(isUnavailable(error)).toBe(true)
  await writer.close()
})

test('what is wrong with a statement is said by the primary, and the replica is read again', async () => {
  await open()
  await readsReplica()
  await expect(reports.query({ text: 'SELECT nothing' })).rejects.toMatchObject({ code: '42703' })
  await readsReplica()
})

test('a replica that stands still is read until its copy is too old, and again when it has caught up', async () => {
  await open()
  await readsReplica()
  await onReplica('SELECT pg_wal_replay_pause()')
  await write(1)
  pass(2)
  expect(await reports.look()).toEqual({ seconds: 2, isRead: true })
  pass(3)
  expect(await reports.look()).toEqual({ seconds: 5, isRead: true })
  expect(await knows(1)).toBe(false)
  pass(1)
  expect(await reports.look()).toEqual({ seconds: 6, isRead: false })
  expect(await knows(1)).toBe(true)
  expect(told).toEqual([null, 'its copy is too old'])
  await onReplica('SELECT pg_wal_replay_resume()')
  await readsReplica()
  expect(await knows(1)).toBe(true)
})

test('nothing is written for it: a replica of a shop where nothing happens is as fresh as its last look', async () => {
  await open()
  await readsReplica()
  pass(3600)
  expect(await from()).toBe('primary')
  expect(await reports.look()).toEqual({ seconds: 0, isRead: true })
})

test('one that no longer answers is left in the middle of a question', async () => {
  await open()
  await readsReplica()
  way.freeze()
  expect(await from()).toBe('primary')
  expect(told).toEqual([null, expect.any(String)])
  expect(await isRead()).toBe(false)
  way.thaw()
  await readsReplica()
  expect(await from()).toBe('replica')
})

test('a long question is waited for as long as the replica answers others', async () => {
  await open()
  await readsReplica()
  const [row] = await reports.query<{ it: boolean }>({ text: 'SELECT pg_is_in_recovery() AS it FROM pg_sleep(1.5)' })
  expect(row).toEqual({ it: true })
})

test('the primary itself is no replica, nor is a copy of another database', async () => {
  await open(asShop(server.url))
  expect(await isRead()).toBe(false)
  expect(await from()).toBe('primary')
})

test('one that is down is left; what was under way is answered by the primary', async () => {
  await open()
  await readsReplica()
  const underWay = reports.query<{ it: boolean }>({ text: 'SELECT pg_is_in_recovery() AS it FROM pg_sleep(1)' })
  const running = `SELECT 1 FROM pg_stat_activity WHERE query LIKE '%pg_sleep(1)' AND state = 'active' AND pid <> pg_backend_pid()`
  const there = openDatabase(replica.url, { connections: 1 })
  await expect.poll(() => there.query({ text: running })).toHaveLength(1)
  await there.query({
    text: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(1)' AND pid <> pg_backend_pid()`,
  })
  await there.close()
  expect(await underWay).toEqual([{ it: false }])
  await readsReplica()
})

test('one that was promoted is left', async () => {
  await open()
  await readsReplica()
  await onReplica('SELECT pg_promote()')
  expect(await isRead()).toBe(false)
  expect(await from()).toBe('primary')
  expect(told.at(-1)).toBe('it is no replica')
})

test('positions in the log are compared as numbers, past the head of a page', () => {
  const knows = (replayed: string, lsn: string) => hasReached(replayed, { lsn, page: 8192 })
  expect([knows('9/FF000000', 'A/1000'), knows('A/1000', '9/FF000000')]).toEqual([false, true])
  expect([knows('1A/100', '1A/F0'), knows('1A/F0', '1A/100')]).toEqual([true, false])
  expect([knows('0/4000', '0/4018'), knows('0/3FF8', '0/4018'), knows('0/4000', '0/4030')]).toEqual([
    true,
    false,
    false,
  ])
})
