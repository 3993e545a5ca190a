import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { fixture } from '../testing/fixture.ts'
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts'
import { createTestShop, onceKey, type TestShop } from '../testing/shop.ts'
import { isUnavailable, openDatabase, sqlState } from './database.ts'
import { provedBy } from './proved-by.ts'

/** What the configuration gives the pool, shortened; requests wait for the database as long as that. */
const SHORT = { DATABASE_CONNECTIONS: '2', DATABASE_CONNECT_TIMEOUT_MS: '300', DATABASE_LOCK_TIMEOUT_MS: '200' }

let it: TestShop
let server: ServerProcess
beforeAll(async () => {
  it = await createTestShop()
  server = await startServerProcess(it.databaseUrl, SHORT)
})
afterEach(async () => {
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
})
afterAll(async () => {
  await server?.kill()
  await it.db.close()
})

const order = (playerId: string) =>
  fetch(`${server.url}/romons.payment/api/confirmprice`, {
    method: 'POST',
    headers: { ...it.as(null).headers, 'content-type': 'application/json', 'idempotency-key': onceKey() },
    body: JSON.stringify({
      gameId: fixture.pubg.id,
      packageId: fixture.pubg.package,
      playerId,
      receivingAccountId: 1,
      termsVersion: '1',
    }),
  })

/** Keeps a table locked while `work` runs. */
const whileLocked = (work: () => Promise<void>) =>
  it.db.transaction(async tx => {
    await tx.query({ text: 'LOCK TABLE orders IN ACCESS EXCLUSIVE MODE' })
    await work()
  })

test('a lock that does not come free, and connections that are all waiting for it, are 503 with Retry-After', async () => {
  await whileLocked(async () => {
    const replies = await Promise.all(Array.from({ length: 12 }, (_, n) => order(`locked-${n}`)))
    for (const reply of replies) {
      expect(reply.status).toBe(503)
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await reply.json()).toMatchObject({ code: 'UNAVAILABLE' })
    }
  })
  // Which limit they met depends on how busy the machine is; each alone is tried below.
  expect((await order('after')).status).toBe(200)
})

test('a lock that does not come free is given up', async () => {
  const db = openDatabase(it.databaseUrl, { timeoutMs: { lock: 100 } })
  await whileLocked(async () => {
    const error = await db.query({ text: 'SELECT 1 FROM orders' }).catch((cause: unknown) => cause)
    expect([sqlState(error), isUnavailable(error)]).toEqual(['55P03', true])
  })
  expect(await db.query({ text: 'SELECT count(*)::int AS n FROM orders' })).toHaveLength(1)
  await db.close()
})

test('a connection that does not become free is not waited for', async () => {
  const db = openDatabase(it.databaseUrl, { connections: 1, timeoutMs: { connect: 2_000 } })
  await db.transaction(async () => {
    const error = await db.query({ text: 'SELECT 1' }).catch((cause: unknown) => cause)
    expect(String(error)).toContain('timeout exceeded when trying to connect')
    expect(isUnavailable(error)).toBe(true)
  })
  expect(await db.query({ text: 'SELECT 1 AS one' })).toEqual([{ one: 1 }])
  await db.close()
})

test('a statement without end is ended', async () => {
  const db = openDatabase(it.databaseUrl, { timeoutMs: { statement: 100 } })
  const error = await db.query({ text: 'SELECT pg_sleep(60)' }).catch((cause: unknown) => cause)
  expect(isUnavailable(error)).toBe(true)
  expect(await db.query({ text: 'SELECT 1 AS one' })).toEqual([{ one: 1 }])
  await db.close()
})

test('a transaction that was left alone loses its connection and its locks', async () => {
  const lost = Promise.withResolvers<Error>()
  const db = openDatabase(it.databaseUrl, { timeoutMs: { idleInTransaction: 100 }, onLost: lost.resolve })
  const left = db.transaction(async tx => {
    await tx.query({ text: 'LOCK TABLE orders IN ACCESS EXCLUSIVE MODE' })
    await lost.promise
    await tx.query({ text: 'SELECT 1' })
  })
  expect(isUnavailable(await left.catch((cause: unknown) => cause))).toBe(true)
  expect((await order('after-left')).status).toBe(200)
  await db.close()
})

test('what a statement did wrong is no reason to come back', async () => {
  const error = await it.db.query({ text: 'SELECT nothing' }).catch((cause: unknown) => cause)
  expect(isUnavailable(error)).toBe(false)
})

test('a server is proved by its own authority, a proxy on this machine proves it itself', () => {
  for (const host of ['10.1.2.3', 'db.example.com', '127.0.0.1.example.com'])
    expect(provedBy('PEM', `postgresql://shop_app:secret@${host}:5432/shop`)).toMatchObject({ ssl: { ca: 'PEM' } })
  for (const host of ['127.0.0.1', 'localhost', '[::1]'])
    expect(provedBy('PEM', `postgresql://shop_app:secret@${host}:6543/shop`)).toEqual({})
  expect(provedBy(undefined, 'postgresql://10.1.2.3/shop')).toEqual({})
})
