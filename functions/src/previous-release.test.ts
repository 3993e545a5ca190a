import { randomUUID } from 'node:crypto'
import { confirmOrder, listAllOrders, updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { createDatabase } from 'local/postgres.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { asApplication, migrate } from './database/migrate.ts'
import { readMigrations } from './database/migrations.ts'
import { runCommand } from './operations/commands.ts'
import { fixture } from './testing/fixture.ts'
import { buyByBank } from './testing/orders.ts'
import { type PreviousRelease, packPreviousRelease, whyNoPreviousRelease } from './testing/previous-release.ts'
import { type ServerProcess, startServerProcess } from './testing/server-process.ts'
import { callerOf, onceKey } from './testing/shop.ts'

const BUYERS = 3
const ROUNDS = 6

const whyNot = await whyNoPreviousRelease()
let release: PreviousRelease | undefined
let server: ServerProcess | undefined

beforeAll(async () => {
  if (!whyNot) release = await packPreviousRelease()
})
afterAll(async () => {
  await server?.kill()
  release?.remove()
})

/** As a migration to come may be: a column that is filled in batches, and an index that is built beside the work. */
const NEXT = {
  tag: '9999_next',
  when: readMigrations().at(-1)!.when + 1,
  hash: 'next',
  statements: [
    'ALTER TABLE orders ADD COLUMN next integer',
    '-- in batches\nUPDATE orders SET next = 0 WHERE id IN (SELECT id FROM orders WHERE next IS NULL LIMIT 5)',
    'CREATE INDEX CONCURRENTLY orders_next ON orders (next)',
  ],
}

/** A statement that meets a schema in which something is missing. */
const MISSING = /"code":"42(703|P01|883|P10)"/

/** People who buy by transfer and from a wallet, and staff who confirm and refund, until they are told to stop. */
function startTraffic(url: string) {
  const request = (path: string, init?: RequestInit) => fetch(url + path, init)
  const as = (uid: string | null) => callerOf(request, { now: new Date() }, uid)
  const failures: string[] = []
  let rounds = 0
  let isOpen = true
  async function round(): Promise<void> {
    const admin = as('admin')
    const { orderNo } = await buyByBank(as(null))
    for (const status of ['paid', 'refunded'] as const)
      await admin.call(updateOrderStatus, { body: { orderNo, status, reason: 'เติมไม่ได้' } })
    const { rows } = await admin.call(listAllOrders, { query: { orderNo } })
    expect(rows.map(order => order.orderNo)).toEqual([orderNo])
    const body = { gameId: fixture.pubg.id, packageId: fixture.pubg.package, playerId: orderNo, termsVersion: '1' }
    await as('agent').call(confirmOrder, { body: { ...body, pin: '1234' }, idempotencyKey: onceKey() })
  }
  const all = Promise.all(
    Array.from({ length: BUYERS }, async () => {
      while (isOpen) {
        await round().catch((error: Error) => failures.push(error.message))
        rounds++
      }
    }),
  )
  return {
    /** Resolves when so many more orders went their whole way. */
    async pass(count: number) {
      const wanted = rounds + count
      await expect.poll(() => rounds, { timeout: 60_000 }).toBeGreaterThanOrEqual(wanted)
    },
    async stop() {
      isOpen = false
      await all
      return failures
    },
  }
}

test("the previous release's server goes on selling while the schema is migrated under it, and after", async context => {
  if (!release) return context.skip(whyNot ?? undefined)
  const url = await createDatabase(inject('postgresUrl'), `previous_${randomUUID().replaceAll('-', '')}`)
  await release.prepare(url)
  server = await startServerProcess(asApplication(url), {}, release.serverFile)
  const traffic = startTraffic(server.url)
  await traffic.pass(ROUNDS)
  const { applied } = await migrate(url, { migrations: [...readMigrations(), NEXT] })
  expect(applied.at(-1)).toBe(NEXT.tag)
  await traffic.pass(ROUNDS)
  expect(await traffic.stop()).toEqual([])
  // Its jobs and its outbox are at work as well; what fails there is only logged.
  expect(server.output()).not.toMatch(MISSING)
  const said: string[] = []
  const isRight = await runCommand(['ledger-check'], { variables: { DATABASE_URL: url }, say: line => said.push(line) })
  expect(isRight, said.join('\n')).toBe(0)
})
