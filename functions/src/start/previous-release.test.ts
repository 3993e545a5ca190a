import { randomUUID } from 'node:crypto'
import { createDatabase } from 'local/postgres.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { asApplication, migrate } from '../database/migrate.ts'
import { readMigrations } from '../database/migrations.ts'
import { runCommand } from '../operations/commands.ts'
import { fixture } from '../testing/fixture.ts'
import { type PreviousRelease, packPreviousRelease, whyNoPreviousRelease } from '../testing/previous-release.ts'
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts'
import { startTraffic } from '../testing/traffic.ts'

const ROUNDS = 6
const ANOTHER_PRICE = { gameId: fixture.mlbb.id, packageId: fixture.mlbb.package, field2: '2201' }

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

test("the previous release's server sells on while the schema is migrated under it, and starts on the newer one", async context => {
  if (!release) return context.skip(whyNot ?? undefined)
  const url = await createDatabase(inject('postgresUrl'), `previous_${randomUUID().replaceAll('-', '')}`)
  await release.prepare(url)
  server = await startServerProcess(asApplication(url), {}, release.serverFile)
  const traffic = startTraffic(server.url)
  await traffic.pass(ROUNDS)
  const { applied } = await migrate(url, { migrations: [...readMigrations(), NEXT] })
  expect(applied.at(-1)).toBe(NEXT.tag)
  await traffic.pass(ROUNDS, ANOTHER_PRICE)
  expect(await traffic.stop()).toEqual([])
  // Its jobs and its outbox are at work as well; what fails there is only logged.
  expect(server.output()).not.toMatch(MISSING)

  // The way back: it is started anew, and so is one that ends between the migration and the new servers.
  await server.stop()
  server = await startServerProcess(asApplication(url), {}, release.serverFile)
  const laterTraffic = startTraffic(server.url)
  await laterTraffic.pass(ROUNDS, ANOTHER_PRICE)
  expect(await laterTraffic.stop()).toEqual([])
  expect(server.output()).not.toMatch(MISSING)

  const said: string[] = []
  const isRight = await runCommand(['ledger-check'], { variables: { DATABASE_URL: url }, say: line => said.push(line) })
  expect(isRight, said.join('\n')).toBe(0)
})
