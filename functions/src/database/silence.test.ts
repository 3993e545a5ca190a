import dns from 'node:dns'
import { setTimeout as delay } from 'node:timers/promises'
import { getOrder } from '@shop/shared/order/endpoints.ts'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { buyByBank, codeOf } from '../testing/orders.ts'
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts'
import { callerOf, createTestShop, onceKey, type TestCaller, type TestShop } from '../testing/shop.ts'
import { openWire, type Wire } from '../testing/wire.ts'
import { type Database, isConnectionLost, isUnavailable, openDatabase } from './database.ts'

const KEY = 'k'.repeat(32)
/** The limits of a server, shortened, and yet long enough for a machine that has much else to do. */
const LIMITS = { connect: 2000, statement: 2000 }
const SHORT = {
  DATABASE_CONNECT_TIMEOUT_MS: String(LIMITS.connect),
  DATABASE_STATEMENT_TIMEOUT_MS: String(LIMITS.statement),
  PULSE_KEYS: KEY,
}

let it: TestShop
let wire: Wire
let server: ServerProcess
beforeAll(async () => {
  it = await createTestShop()
  wire = await openWire(it.databaseUrl)
  server = await startServerProcess(wire.url, SHORT)
})
afterEach(() => wire.thaw())
afterAll(async () => {
  await server?.kill()
  await wire?.close()
  await it.db.close()
})

const guest = (): TestCaller => callerOf((path, init) => fetch(server.url + path, init), { now: new Date() }, null)
const buy = (key = onceKey()) => codeOf(buyByBank(guest(), { playerId: key }, key))

/** What who watches is answered. Nobody hangs: the server answers within two seconds, and a busy machine within ten. */
async function watched() {
  const ask = async (path: string) => {
    const headers = { authorization: `Bearer ${KEY}` }
    const reply = await fetch(server.url + path, { headers, signal: AbortSignal.timeout(10_000) })
    return { status: reply.status, ...((await reply.json()) as { red?: string[]; database?: string }) }
  }
  const [live, ready, pulse] = [await ask('/live'), await ask('/ready'), await ask('/pulse')]
  return { live: live.status, ready: ready.status, why: ready.database, red: pulse.red }
}

test('connections that die without a word cost who met them one answer, and nobody after them', async () => {
  expect(await Promise.all(Array.from({ length: 8 }, () => buy()))).toEqual(Array(8).fill('OK'))
  wire.dropLiving()
  const key = onceKey()
  const met = await Promise.all([buy(key), ...Array.from({ length: 7 }, () => buy())])
  expect(met).toContain('UNAVAILABLE')
  for (const code of met) expect(['OK', 'UNAVAILABLE']).toContain(code)
  // Not only those that were used are thrown away: eight others were idle.
  for (let n = 0; n < 12; n++) expect(await buy()).toBe('OK')
  expect(await buy(key)).toBe('OK')
  expect(await watched()).toMatchObject({ live: 200, ready: 200 })
})

test('while a database stands still nobody hangs, who watches is told why, and then all goes on', async () => {
  wire.freeze()
  const waiting = Array.from({ length: 30 }, () => buy())
  expect(await watched()).toMatchObject({ live: 200, ready: 503, why: 'silent' })
  expect(await Promise.all(waiting)).toEqual(Array(30).fill('UNAVAILABLE'))
  await expect.poll(async () => (await watched()).red).toEqual(['database'])
  wire.thaw()
  await expect.poll(() => buy()).toBe('OK')
  await expect.poll(async () => (await watched()).ready).toBe(200)
})

test('what a reset interrupts is done again where that is safe, and once', async () => {
  const [buyer, key] = [guest(), onceKey()]
  const { orderNo } = await buyByBank(buyer, { playerId: '51' }, key)
  wire.resetNext()
  expect(await buyer.call(getOrder, { params: { orderNo } })).toMatchObject({ orderNo })
  wire.resetNext()
  expect(await buyByBank(buyer, { playerId: '51' }, key)).toMatchObject({ orderNo })
})

test('the server, too, finds out that nobody is there any more', async () => {
  const db = openDatabase(it.databaseUrl)
  expect(await db.query({ text: 'SHOW tcp_keepalives_idle' })).toEqual([{ tcp_keepalives_idle: '5' }])
  await db.close()
})

/** A pool through the wire, with short limits. */
const openShort = (connections = 2): Database => openDatabase(wire.url, { connections, timeoutMs: LIMITS })

test('a question inside a transaction has an end, too, also when the work goes on after it', async () => {
  const db = openShort()
  const late = await db
    .transaction(async tx => {
      await tx.query({ text: 'SELECT 1' })
      wire.dropLiving()
      await tx.query({ text: 'SELECT 2' }).catch(() => {})
      return tx.query({ text: 'SELECT 3' })
    })
    .catch((error: unknown) => error)
  expect([isUnavailable(late), isConnectionLost(late)]).toEqual([true, false])
  expect(await db.orm.execute('SELECT 1 AS one')).toMatchObject({ rows: [{ one: 1 }] })
  await db.close()
})

test('who waits for a connection while another one is lost is served', async () => {
  const db = openDatabase(wire.url, { connections: 1 })
  const [taken, lost] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const losing = db
    .transaction(async tx => {
      taken.resolve()
      await lost.promise
      return tx.query({ text: 'SELECT 1' })
    })
    .catch((error: unknown) => error)
  await taken.promise
  const waiting = db.query({ text: 'SELECT 1 AS one' })
  wire.resetNext()
  lost.resolve()
  expect(isConnectionLost(await losing)).toBe(true)
  expect(await waiting).toEqual([{ one: 1 }])
  await db.close()
})

test('a database whose name leads to another address from now on is found there', async () => {
  const far = await openWire(it.databaseUrl, { host: '127.0.0.2', port: Number(new URL(wire.url).port) })
  let address = '127.0.0.1'
  const names = vi
    .spyOn(dns, 'lookup')
    .mockImplementation(((_name: string, options: dns.LookupOptions, tell: (...answer: unknown[]) => void) =>
      options.all ? tell(null, [{ address, family: 4 }]) : tell(null, address, 4)) as typeof dns.lookup)
  const url = new URL(wire.url)
  url.hostname = 'db.shop.test'
  const db = openDatabase(url.href, { connections: 2, timeoutMs: LIMITS })
  const ask = () => db.query<{ one: number }>({ text: 'SELECT 1 AS one' }).catch((error: unknown) => error)
  expect(await ask()).toEqual([{ one: 1 }])
  wire.freeze()
  expect(isUnavailable(await ask())).toBe(true)
  address = '127.0.0.2'
  await expect.poll(ask).toEqual([{ one: 1 }])
  expect(names).toHaveBeenCalled()
  names.mockRestore()
  await db.close()
  await far.close()
})

test('a statement that may take longer is waited for', async () => {
  const db = openShort()
  const slow = { text: 'SELECT pg_sleep(5), 1 AS one' }
  expect(await db.transaction(tx => tx.query(slow), { statementMs: 10_000 })).toMatchObject([{ one: 1 }])
  expect(isUnavailable(await db.query(slow).catch((error: unknown) => error))).toBe(true)
  await db.close()
})

test('a pool whose connections never come back is stuck; a database that is away is silent', async () => {
  const db = openShort()
  expect([db.silentMs(), await db.look()]).toEqual([0, 'answers'])
  const [release, taken] = [Promise.withResolvers<void>(), [0, 1].map(() => Promise.withResolvers<void>())]
  const holding = taken.map(({ resolve }) =>
    db.transaction(async () => {
      resolve()
      await release.promise
    }),
  )
  await Promise.all(taken.map(({ promise }) => promise))
  await db.query({ text: 'SELECT 1' }).catch(() => {})
  expect(db.silentMs()).toBeGreaterThan(0)
  expect(await db.look()).toBe('stuck')
  wire.freeze()
  expect(await db.look()).toBe('silent')
  wire.thaw()
  release.resolve()
  await Promise.all(holding)
  await expect.poll(() => db.look()).toBe('answers')
  expect(db.silentMs()).toBe(0)
  await db.close()
})

test('a process says that it is not alive only where a new one would help', async () => {
  const { db } = it.shop
  const live = async (silentMs: number, look: Awaited<ReturnType<Database['look']>>) => {
    it.shop.db = { ...db, silentMs: () => silentMs, look: async () => look }
    return (await it.request('/live')).status
  }
  expect(await live(60_000, 'silent')).toBe(200)
  expect(await live(60_000, 'answers')).toBe(200)
  expect(await live(1_000, 'stuck')).toBe(200)
  expect(await live(60_000, 'stuck')).toBe(503)
  it.shop.db = db
})

test('where nothing can be written the connections are left, and the caller is asked to come back', async () => {
  const lost: Error[] = []
  const db = openDatabase(it.databaseUrl, { onLost: error => lost.push(error) })
  await db.query({ text: 'SELECT 1' })
  const write = (tx: { query: Database['query'] }) =>
    tx.query({ text: `INSERT INTO option (name, value) VALUES ('X', '1')` })
  const error = await db
    .transaction(async tx => {
      await tx.query({ text: 'SET TRANSACTION READ ONLY' })
      await write(tx)
    })
    .catch((cause: unknown) => cause)
  expect(isUnavailable(error)).toBe(true)
  expect(lost).toHaveLength(1)
  expect(db.connections()).toMatchObject({ used: 0, idle: 0 })
  await delay(0)
  await db.close()
})
