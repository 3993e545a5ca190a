import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import { findFreePort } from 'local/ports.ts'
import { createDatabase, discardPostgres, type PostgresServer, startPostgres } from 'local/postgres.ts'
import { type RunningSupplier, startSupplier } from 'local/supplier/server.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { migrate } from '../database/migrate.ts'
import { runCommand } from '../operations/commands.ts'
import { findSafeMode } from '../outbox/safe-mode.ts'
import { openDrain } from '../start/outbox-kind.ts'
import { buyByBank } from '../testing/orders.ts'
import { addAccount, createTestShop, type TestShop } from '../testing/shop.ts'
import { BALANCE, bringLine, product, switchOn } from '../testing/supplier.ts'
import { watchWitness } from './witness.ts'

// A disk that is put back to a snapshot: the data of a stopped server is copied, and later put in its place.

const dir = mkdtempSync(join(tmpdir(), 'shop-witness-'))
// The server's user is another one than root.
chmodSync(dir, 0o777)
const files = mkdtempSync(join(tmpdir(), 'shop-files-'))
let port: number
let postgres: PostgresServer
let supplier: RunningSupplier
let env: Record<string, string>
let it: TestShop

const start = async () => {
  postgres = await startPostgres({ port, dataDir: join(dir, 'data'), durable: false })
}
const snapshot = () => `${postgres.dataDir}-snapshot`

beforeAll(async () => {
  port = await findFreePort()
  await start()
  supplier = await startSupplier({ port: 0, products: [product], balanceSatang: BALANCE })
  env = { ...supplier.environment, SUPPLIER_TIMEOUT_MS: '1500', FILES_DIR: files }
  await migrate(postgres.url)
  it = await createTestShop(env, postgres.url)
  await switchOn(it)
})
afterAll(async () => {
  await it.db.close()
  await Promise.all([supplier.stop(), postgres.stop()])
  rmSync(snapshot(), { recursive: true, force: true })
  await discardPostgres(join(dir, 'data'))
  rmSync(dir, { recursive: true, force: true })
  rmSync(files, { recursive: true, force: true })
})

/** As if the last look were a minute ago. */
const letMinutePass = () => it.db.query({ text: `UPDATE safe_mode SET witness_at = witness_at - interval '1 minute'` })
const look = async () => {
  it.clock.now = new Date()
  await watchWitness(it.shop)
}
const witnessFiles = async () => (await readdir(join(files, 'witness'))).map(name => join(files, 'witness', name))
const inFile = async () => {
  const [path, ...more] = await witnessFiles()
  expect(more).toEqual([])
  return Number(await readFile(path!, 'utf8'))
}
const inDatabase = async () => {
  const [row] = await it.db.query<{ witness: number }>({ text: 'SELECT witness FROM safe_mode' })
  return row!.witness
}
const isOn = async () => (await findSafeMode(it.db)).isOn

/** What an operator's command says. */
async function ops(...args: string[]) {
  const lines: string[] = []
  const basics = { NODE_ENV: 'test', DATABASE_URL: it.databaseUrl, FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:1' }
  const code = await runCommand(args, { variables: { ...basics, ...env }, say: line => lines.push(line) })
  return { code, text: lines.join('\n') }
}

/** Ends safe mode, so that the next test begins in a shop that works. */
beforeEach(async () => {
  if (await isOn()) await ops('after-restore', '--go', '--by', 'Somchai')
  expect(await isOn()).toBe(false)
})

test('the first look is no alarm, and a number is written once a minute however many processes look', async () => {
  expect(await inDatabase()).toBe(0)
  const others = await createTestShop(env, postgres.url, true)
  await Promise.all(Array.from({ length: 4 }, () => [look(), watchWitness(others.shop)]).flat())
  expect([await inDatabase(), await inFile()]).toEqual([1, 1])
  await look()
  expect(await inDatabase()).toBe(1)
  for (let minute = 0; minute < 5; minute++) {
    await letMinutePass()
    await Promise.all([look(), watchWitness(others.shop), look(), watchWitness(others.shop)])
  }
  expect([await inDatabase(), await inFile(), await isOn()]).toEqual([6, 6, false])
  await others.db.close()
})

test('a file that is gone, or that nobody can read, is written anew while the server runs', async () => {
  const [path] = await witnessFiles()
  for (const spoil of [() => rm(path!), () => writeFile(path!, 'not a number')]) {
    await spoil()
    await letMinutePass()
    await look()
    expect([await inFile(), await isOn()]).toEqual([await inDatabase(), false])
  }
})

test('a database of another name in the same server has a file of its own', async () => {
  const [{ name }] = (await it.db.query<{ name: string }>({ text: 'SELECT current_database() AS name' })) as [
    { name: string },
  ]
  expect(name).toBe('postgres')
  const other = new URL(await createDatabase(postgres.url, 'other'))
  await migrate(other.href)
  const theirs = await createTestShop(env, other.href)
  await watchWitness(theirs.shop)
  expect(await witnessFiles()).toHaveLength(2)
  await letMinutePass()
  await look()
  expect(await isOn()).toBe(false)
  await theirs.db.close()
  for (const path of await witnessFiles()) if ((await readFile(path, 'utf8')) === '1') await rm(path)
})

test('a file of a slow process, which is older than the database, notices less and no more', async () => {
  const [path] = await witnessFiles()
  await writeFile(path!, '2')
  await letMinutePass()
  await look()
  expect([await inFile(), await isOn()]).toEqual([await inDatabase(), false])
})

test('after a restart of the server nothing leaves before the witness was asked, and everything after it', async () => {
  const key = crypto.randomUUID()
  const job = { kind: 'mail.send', key, payload: JSON.stringify({ mailId: key }) }
  await postgres.stop()
  await start()
  await it.db.query({
    text: `INSERT INTO outbox (id, kind, key, payload, due_at, created_at) VALUES (gen_random_uuid(), $1, $2, $3, now(), now())`,
    values: [job.kind, job.key, job.payload],
  })
  const attempts = async () => {
    it.clock.now = new Date(Date.now() + 1000)
    await openDrain(it.shop).run()
    const [row] = await it.db.query<{ attempts: number }>({
      text: 'SELECT attempts FROM outbox WHERE key = $1',
      values: [key],
    })
    return row!.attempts
  }
  expect(await attempts()).toBe(0)
  expect(await isOn()).toBe(false)
  await look()
  expect(await isOn()).toBe(false)
  expect(await attempts()).toBe(1)
})

test('a disk put back to a snapshot is noticed before anything leaves, and nothing is bought twice', async () => {
  const bought = () => supplier.register.booked.size
  const drain = async () => {
    it.clock.now = new Date()
    await openDrain(it.shop).run()
    for (const booked of supplier.register.booked.values()) booked.at = new Date(booked.at.getTime() - 10_000)
    await it.db.query({ text: `UPDATE outbox SET due_at = now() - interval '1 second' WHERE state = 'waiting'` })
    it.clock.now = new Date()
    await openDrain(it.shop).run()
  }
  const statusOf = async (orderNo: string) =>
    (await it.as('staff').call(getOrderForStaff, { params: { orderNo } })).status
  it.clock.now = new Date()
  await addAccount(it, 'buyer', 'customer')
  const order = await buyByBank(it.as('buyer'))
  await bringLine(it, order.amountSatang)
  await letMinutePass()
  await look()
  await postgres.stop()
  execFileSync('cp', ['-a', postgres.dataDir, snapshot()])
  await start()
  await look()
  await drain()
  expect([await statusOf(order.orderNo), bought()]).toEqual(['success', 1])

  await postgres.stop()
  rmSync(postgres.dataDir, { recursive: true })
  renameSync(snapshot(), postgres.dataDir)
  await start()
  expect(await statusOf(order.orderNo)).toBe('paid')
  // The servers went on running and look for work at once.
  await drain()
  expect([await statusOf(order.orderNo), bought()]).toEqual(['paid', 1])
  expect(await ops('safe-mode')).toMatchObject({ code: 1, text: expect.stringContaining('its disk was put back') })
  await look()
  await drain()
  expect(bought()).toBe(1)
  const mode = await findSafeMode(it.db)
  expect(mode).toMatchObject({ isOn: true, isRestored: true })
  expect(mode.lostFrom!.getTime()).toBeLessThan(mode.noticedAt!.getTime())
  const found = await ops('after-restore')
  expect([found.code, found.text]).toEqual([0, expect.stringContaining(`${order.orderNo} K`)])
  expect((await ops('after-restore', '--go', '--by', 'Somchai')).code).toBe(0)
  await look()
  await drain()
  expect([await statusOf(order.orderNo), bought(), await isOn()]).toEqual(['success', 1, false])
})

test('a file that was there and is gone after a restart of the server is taken for a copy of the disk', async () => {
  await postgres.stop()
  for (const path of await witnessFiles()) await rm(path)
  await start()
  await look()
  expect(await findSafeMode(it.db)).toMatchObject({ isOn: true, isRestored: true })
})
