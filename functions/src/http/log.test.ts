import { AppError } from '@shop/shared/errors.ts'
import { confirmPrice, trackOrder } from '@shop/shared/order/endpoints.ts'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { Refusal } from '../database/refusal.ts'
import { fixture } from '../testing/fixture.ts'
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts'
import { createTestShop, type TestShop, tokenFor } from '../testing/shop.ts'
import { factsOf, log } from './log.ts'

let it: TestShop
let server: ServerProcess
beforeAll(async () => {
  it = await createTestShop()
  server = await startServerProcess(it.databaseUrl, { NODE_ENV: 'development' })
})
afterAll(async () => {
  await server?.kill()
  await it.db.close()
})

const lines = () =>
  server
    .output()
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(
      line => JSON.parse(line) as { severity: string; message: string; route?: string; code?: string; cause?: object },
    )

/** Waits for a line: the log of another process arrives after its answer. */
const lineWith = (part: object) =>
  vi.waitFor(() => expect(lines()).toContainEqual(expect.objectContaining(part)), 10_000)

test('a real server that fails logs what failed and nothing of whom it failed for', async () => {
  const secrets = {
    player: '5550007771',
    zone: 'Somchai-Jaidee',
    guestKey: 'guestkey-guestkey-guestkey',
    once: 'once-key-of-somchai',
    track: 'trackingtokenoftheirs1',
    token: tokenFor('customer-somchai', new Date()),
    name: 'somsri',
    phone: '0899999999',
  }
  const headers = {
    authorization: `Bearer ${secrets.token}`,
    'guest-key': secrets.guestKey,
    'track-token': secrets.track,
    'idempotency-key': secrets.once,
    'content-type': 'application/json',
  }
  const order = {
    gameId: fixture.mlbb.id,
    packageId: fixture.mlbb.package,
    playerId: secrets.player,
    field2: secrets.zone,
    receivingAccountId: 1,
    termsVersion: '1',
  }
  const ask = (path: string, init?: RequestInit) => fetch(server.url + path, { headers, ...init })
  const place = () => ask(confirmPrice.path, { method: 'POST', body: JSON.stringify(order) })
  await ask(trackOrder.path)
  await ask(`/nope/${secrets.player}%0d%0aFAKE`)
  await it.db.query({ text: 'ALTER TABLE orders ADD CONSTRAINT broken CHECK (player_id = $$none$$) NOT VALID' })
  expect((await place()).status).toBe(500)
  await it.db.query({ text: 'ALTER TABLE account RENAME COLUMN phone TO hidden' })
  const sync = { method: 'POST', body: JSON.stringify({ username: secrets.name, tel: secrets.phone }) }
  expect((await ask('/romons.users/api/user/sync', sync)).status).toBe(500)
  await it.db.query({ text: 'ALTER TABLE account RENAME COLUMN hidden TO phone' })
  await it.db.query({ text: 'ALTER TABLE orders DROP CONSTRAINT broken' })

  await lineWith({
    route: confirmPrice.path,
    code: 'INTERNAL',
    cause: expect.objectContaining({
      code: '23514',
      constraint: 'broken',
      table: 'orders',
      statement: 'order_insert_reply_amount',
    }),
  })
  await lineWith({ message: 'request', route: trackOrder.path, status: 404 })
  expect((await ask('/live')).status).toBe(200)
  await lineWith({ message: 'request', route: '/live', status: 200 })
  const output = server.output()
  for (const [name, secret] of Object.entries(secrets)) expect(output, name).not.toContain(secret)
  expect(output).not.toMatch(/FAKE|Failing row|argon2|\r/)
  const written = output
    .trimEnd()
    .split('\n')
    .filter(line => !line.startsWith('API listening'))
  for (const line of written) expect(() => JSON.parse(line), line).not.toThrow()
})

test('an expected failure that is not the caller’s fault is logged with its cause', async () => {
  const form = { method: 'POST', headers: { 'content-type': 'application/json' } }
  expect((await fetch(`${server.url}/romons.users/api/line/start`, form)).status).toBe(503)
  await lineWith({ severity: 'WARNING', code: 'LINE_UNAVAILABLE', route: '/romons.users/api/line/start' })
})

test('a line can not be forged, whatever is in it', () => {
  const written: string[] = []
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation(line => written.push(String(line)) > 0)
  log('INFO', 'request', { method: 'GET\r\n{"severity":"ERROR"}\u0085\u2028\u009b31m\0' })
  spy.mockRestore()
  expect(written).toHaveLength(1)
  expect(written[0]!.trimEnd()).toMatch(/^[^\p{Cc}\u2028\u2029]*$/u)
})

test('of an error its kind, its code and the frames are kept, not its words', async () => {
  const secret = '0811112222\n    at secret'
  const cause = Object.assign(new Error(`no such player ${secret}`), { code: 'ECONNREFUSED', detail: secret })
  const facts = JSON.stringify(factsOf(new AppError('UNAVAILABLE', { cause })))
  expect(facts).not.toMatch(/0811112222|at secret/)
  expect(facts).toMatch(/ECONNREFUSED.*log\.test\.ts/)
  const failed = await it.db.orm.execute(sql`SELECT ${'0811112222'}::uuid`).catch((error: unknown) => error)
  expect(String(failed)).toContain('0811112222')
  expect(JSON.stringify(factsOf(failed))).toMatch(/^(?!.*0811112222).*22P02/)
  const parsed = z.object({ phone: z.number() }).safeParse({ phone: secret })
  expect(factsOf(parsed.error)).toMatchObject({ issues: ['phone invalid_type'] })
  expect(JSON.stringify(factsOf(parsed.error))).not.toContain('0811112222')
})

test('what an operator must mend is logged in words', () => {
  const { message, name } = factsOf(new Refusal('The database is empty: run `migrate` as its owner.'))
  expect({ message, name }).toEqual({ name: 'Refusal', message: 'The database is empty: run `migrate` as its owner.' })
})
