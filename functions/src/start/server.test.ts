import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import journal from '../../migrations/meta/_journal.json' with { type: 'json' }
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts'
import { createTestShop, type TestShop } from '../testing/shop.ts'

let it: TestShop
let server: ServerProcess
beforeAll(async () => {
  it = await createTestShop()
})
beforeEach(async () => {
  server = await startServerProcess(it.databaseUrl)
})
afterEach(() => server.kill())
afterAll(() => it.db.close())

/** Keeps every question for the games waiting until it is released. */
async function lockGames(): Promise<() => Promise<void>> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const lock = it.db.transaction(async tx => {
    await tx.query({ text: 'LOCK TABLE game IN ACCESS EXCLUSIVE MODE' })
    locked.resolve()
    await released
  })
  await locked.promise
  return () => {
    release()
    return lock
  }
}

const GAMES = '/romons.game/api/games'
const isClosed = () => expect.poll(() => fetch(server.url).catch(() => 'closed')).toBe('closed')

test('a request that runs when the server is told to stop is answered, and the server ends well', async () => {
  const release = await lockGames()
  const asked = fetch(server.url + GAMES)
  await expect.poll(waiting).toBeGreaterThan(0)
  const ended = server.stop()
  await isClosed()
  await release()
  expect((await asked).status).toBe(200)
  expect(await ended).toBe(0)
})

test('a caller who goes on asking on the connection of that request is answered once more and let go', async () => {
  const release = await lockGames()
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  await once(socket, 'connect')
  let received = ''
  socket.on('data', (part: Buffer) => {
    received += part.toString()
  })
  const ask = (path: string) => socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  ask(GAMES)
  await expect.poll(waiting).toBeGreaterThan(0)
  const ended = server.stop()
  await isClosed()
  await release()
  await once(socket, 'data')
  ask('/healthz')
  await expect.poll(() => received).toMatch(/^connection: close\r$/im)
  expect(await ended).toBe(0)
})

/** Sessions of the test's database that wait for a lock. */
async function waiting(): Promise<number> {
  const text = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  return (await it.db.query({ text })).length
}

test('a caller who never finishes a request does not keep the server from stopping', async () => {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(
    'POST /createCustomToken HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
  )
  await fetch(`${server.url}/healthz`)
  expect(await server.stop()).toBe(0)
})

test('a slip of 50 MB gets the same 413 through a proxy that sends all of it before it listens', async () => {
  const proxy = createServer((incoming, outgoing) => {
    const { pathname, port, hostname } = new URL(incoming.url!, server.url)
    const { method, headers } = incoming
    const passed = send({ path: pathname, port, hostname, method, headers })
    let sent: (() => void) | undefined
    const isSent = new Promise<void>(resolve => {
      sent = resolve
    })
    passed.once('finish', () => sent!())
    passed.once('error', error => outgoing.writeHead(502).end(error.message))
    passed.once('response', async answer => {
      await isSent
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(passed)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(50_000_000)]), 'slip.jpg')
  const path = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/romons.payment/api/wallet/uploadslip`
  const headers = { 'guest-key': 'guestkey-guestkey-guestkey', 'idempotency-key': 'once' }
  const answer = await fetch(path, { method: 'POST', headers, body: form })
  expect([answer.status, await answer.json()]).toMatchObject([413, { code: 'SLIP_TOO_LARGE' }])
  proxy.closeAllConnections()
  proxy.close()
})

test('a server starts on a newer schema than its own, and on an older one it names what is missing and ends', async () => {
  const other = await createTestShop()
  const record = `INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('later', 99999999999999)`
  await other.db.query({ text: record })
  const newer = await startServerProcess(other.databaseUrl)
  expect((await fetch(newer.url + GAMES)).status).toBe(200)
  await newer.kill()
  const forget = `DELETE FROM drizzle.__drizzle_migrations WHERE id > (SELECT max(id) - 2 FROM drizzle.__drizzle_migrations)`
  await other.db.query({ text: forget })
  await expect(startServerProcess(other.databaseUrl)).rejects.toThrow(
    `The database lacks 1 migrations of this version (${journal.entries.at(-1)!.tag} is the first): run \`migrate\``,
  )
  await other.db.close()
})
