import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { confirmOrder, getOrder } from '@shop/shared/order/endpoints.ts'
import { findFreePort } from 'local/ports.ts'
import { crashPostgres, discardPostgres, type PostgresServer, startPostgres } from 'local/postgres.ts'
import { startReplica } from 'local/replica.ts'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isUnavailable, openDatabase } from '../database/database.ts'
import { asApplication, migrate } from '../database/migrate.ts'
import { findSafeMode, noticeRestore } from '../outbox/safe-mode.ts'
import { fixture } from '../testing/fixture.ts'
import { buyByBank, codeOf } from '../testing/orders.ts'
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts'
import { addAccount, callerOf, createTestShop, onceKey, type TestShop } from '../testing/shop.ts'
import { addWallet } from '../testing/wallet.ts'
import { openWire, type Wire } from '../testing/wire.ts'
import { checkLedger } from '../wallet/ledger-check.ts'
import { beatAndRemember } from './promotion.ts'
import { watchWitness } from './witness.ts'

// A primary with its standby. The shop's processes come to whichever serves by the same address, as through a proxy.

let dir: string
let primary: PostgresServer
let standby: PostgresServer
let wire: Wire
let shops: TestShop[]
const files = () => join(dir, 'files')
const standbyDir = () => `${dir}-standby`

/** Another process of the shop. */
const joinShop = async (isFilled = true) => {
  const it = await createTestShop({ FILES_DIR: files() }, wire.url, isFilled)
  shops.push(it)
  return it
}
const sql = async (server: PostgresServer, ...texts: string[]) => {
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  for (const text of texts) await client.query(text)
  await client.end()
}
const waitForTwo = (names: string) => [
  `ALTER SYSTEM SET synchronous_standby_names = '${names}'`,
  'SELECT pg_reload_conf()',
]

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'shop-promotion-'))
  shops = []
  primary = await startPostgres({
    port: await findFreePort(),
    dataDir: `${dir}-primary`,
    durable: false,
    settings: ['synchronous_commit=on'],
  })
  await migrate(primary.url)
  standby = await startReplica(primary, { port: await findFreePort(), dataDir: standbyDir() })
  await sql(primary, ...waitForTwo('*'))
  wire = await openWire(primary.url)
})
afterEach(async () => {
  await wire.close()
  await Promise.all(shops.map(({ db }) => db.close()))
  for (const each of [standbyDir(), `${dir}-primary`]) await discardPostgres(each)
  rmSync(dir, { recursive: true, force: true })
})

/** A second passes, and each process beats. */
async function beat(...of: TestShop[]): Promise<void> {
  await of[0]!.db.query({ text: `UPDATE safe_mode SET beat_at = beat_at - interval '2 seconds'` })
  for (const { shop } of of) await beatAndRemember(shop)
}
/** The primary's machine is gone, and its standby takes its place. */
async function failOver(): Promise<void> {
  crashPostgres(primary.dataDir)
  await sql(standby, 'SELECT pg_promote()')
  wire.leadTo(standby.url)
}
const isOpen = async (it: TestShop) => {
  it.clock.now = new Date()
  return (await codeOf(buyByBank(it.as(null)))) === 'OK'
}
/** What every process does all the time. */
async function look(it: TestShop): Promise<void> {
  it.clock.now = new Date()
  await noticeRestore(it.shop.db, it.clock.now)
  await watchWitness(it.shop)
}

test('a standby that has all takes over and the shop stays open; who was not there before can not vouch', async () => {
  const it = await joinShop(false)
  const others = await joinShop()
  await look(it)
  for (let n = 0; n < 3; n++) await beat(it, others)
  const guest = it.as(null)
  it.clock.now = new Date()
  const { orderNo } = await buyByBank(guest)
  await failOver()
  const stranger = await joinShop()
  for (let n = 0; n < 3; n++) await beatAndRemember(stranger.shop)
  await look(stranger)
  expect(await isOpen(stranger)).toBe(false)
  for (let n = 0; n < 2; n++) await beatAndRemember(others.shop)
  expect(await findSafeMode(it.db)).toMatchObject({ isOn: false, isRestored: false, lostFrom: null, noticedAt: null })
  for (const each of shops) expect(await isOpen(each)).toBe(true)
  expect(await guest.call(getOrder, { params: { orderNo } })).toMatchObject({ orderNo })
  // Nor is it taken for an older disk or a copy, now or after its next start.
  await look(it)
  const { port } = new URL(standby.url)
  await sql(standby, ...waitForTwo(''))
  crashPostgres(standby.dataDir)
  await startPostgres({ port: Number(port), dataDir: standbyDir(), durable: false })
  await look(it)
  await look(others)
  for (const each of shops) expect(await isOpen(each)).toBe(true)
})

test('a standby that lacks something acknowledged closes the shop, whoever remembers less', async () => {
  const it = await joinShop(false)
  const slow = await joinShop()
  for (let n = 0; n < 3; n++) await beat(it, slow)
  // The standby is cut off, and the primary stops waiting for it.
  await sql(standby, `ALTER SYSTEM SET primary_conninfo = ''`, 'SELECT pg_reload_conf()')
  await sql(primary, ...waitForTwo(''))
  await expect.poll(async () => (await it.db.query({ text: 'SELECT FROM pg_stat_replication' })).length).toBe(0)
  await beat(it)
  expect(await isOpen(it)).toBe(true)
  await failOver()
  await beatAndRemember(slow.shop)
  await beatAndRemember(it.shop)
  for (let n = 0; n < 3; n++) for (const { shop } of [slow, it]) await beatAndRemember(shop)
  const mode = await findSafeMode(it.db)
  expect(mode).toMatchObject({ isOn: true, isRestored: true })
  expect(mode.lostFrom).not.toBeNull()
  for (const each of shops) expect(await isOpen(each)).toBe(false)
})

test('a standby for which nothing waited is not taken, however much it has', async () => {
  await sql(primary, ...waitForTwo(''))
  const it = await joinShop(false)
  for (let n = 0; n < 3; n++) await beat(it)
  await expect
    .poll(
      async () =>
        (await it.db.query({ text: `SELECT FROM pg_stat_replication WHERE replay_lsn = pg_current_wal_lsn()` })).length,
    )
    .toBe(1)
  await failOver()
  for (let n = 0; n < 3; n++) await beatAndRemember(it.shop)
  expect(await isOpen(it)).toBe(false)
})

test('what was committed on one machine only, though two were asked for, is not acknowledged', async () => {
  crashPostgres(standby.dataDir)
  const db = openDatabase(wire.url, { timeoutMs: { statement: 500 } })
  const answer = (asked: Promise<unknown>) => asked.catch((error: unknown) => error)
  const write = { text: `INSERT INTO option (name, value) VALUES ('ONE_MACHINE', '1')` }
  // Nobody waits for ever.
  expect(isUnavailable(await answer(db.query(write)))).toBe(true)
  // A person who ends the waiting does not make two machines of one.
  const waits = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`
  const patient = openDatabase(wire.url)
  const asked = answer(
    patient.transaction(tx => tx.query({ text: `INSERT INTO option (name, value) VALUES ('X', '1')` })),
  )
  const isCanceled = () => Promise.all([patient.query({ text: waits }), Promise.race([asked, delay(100, null)])])
  await expect.poll(async () => (await isCanceled())[1]).not.toBeNull()
  expect(await asked).toMatchObject({ name: 'OneMachine' })
  expect(isUnavailable(await asked)).toBe(true)
  await sql(primary, ...waitForTwo(''))
  await expect.poll(() => answer(db.query(write))).toMatchObject({ code: '23505' })
  await Promise.all([db.close(), patient.close()])
})

test('two servers go on selling while the primary is killed: all that was acknowledged is there, once', async () => {
  const it = await joinShop(false)
  const uids = ['one', 'other']
  for (const uid of uids) {
    await addAccount(it, uid, 'agent')
    await addWallet(it.db, { uid, balanceSatang: 50_000_000, pin: '1234', now: new Date() })
  }
  const env = { FILES_DIR: files() }
  const servers = await Promise.all([0, 1].map(() => startServerProcess(asApplication(wire.url), env)))
  const acknowledged = new Map<string, string>()
  const refused = new Set<string>()
  let isOver = false
  /** Each purchase is sent with its key, to either server, until it is answered. */
  const buyer = async (uid: string, server: ServerProcess) => {
    const agent = callerOf((path, init) => fetch(server.url + path, init), { now: new Date() }, uid)
    const sold = { gameId: fixture.pubg.id, packageId: fixture.pubg.package, pin: '1234', termsVersion: '1' }
    while (!isOver) {
      const key = onceKey()
      for (let orderNo: string | undefined; !orderNo; ) {
        const body = { ...sold, playerId: key }
        const answer = await agent
          .call(confirmOrder, { body, idempotencyKey: key })
          .catch((error: { code: string }) => {
            refused.add(error.code)
            return delay(100, undefined)
          })
        orderNo = answer?.orderNo
        if (orderNo) acknowledged.set(key, orderNo)
      }
    }
  }
  const buying = Promise.all(servers.flatMap(server => uids.map(uid => buyer(uid, server))))
  const sell = async (more: number) => {
    const wanted = acknowledged.size + more
    await expect.poll(() => acknowledged.size).toBeGreaterThanOrEqual(wanted)
  }
  await sell(40)
  // Each server has seen a beat, and remembers it.
  await delay(2_500)
  await failOver()
  const began = performance.now()
  await sell(1)
  console.log(`sold again ${((performance.now() - began) / 1000).toFixed(1)} s after the standby led`)
  await sell(40)
  isOver = true
  await buying
  await Promise.all(servers.map(server => server.stop()))
  expect([...refused].filter(code => code !== 'UNAVAILABLE')).toEqual([])
  const rows = await it.db.query<{ orderNo: string }>({
    text: 'SELECT order_no AS "orderNo" FROM orders ORDER BY order_no',
  })
  expect(rows.map(({ orderNo }) => orderNo)).toEqual([...acknowledged.values()].sort())
  expect((await checkLedger(it.db)).breaches).toEqual([])
  expect(await findSafeMode(it.db)).toMatchObject({ isOn: false })
})
