import { afterEach, expect, test, vi } from 'vitest'
import journal from '../../migrations/meta/_journal.json' with { type: 'json' }
import { JOBS, RETRY_SECONDS } from '../jobs/jobs.ts'
import { createTestShop } from '../testing/shop.ts'
import { routes } from './app.ts'
import * as deployed from './index.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const endpointOf = (name: string) =>
  (deployed as unknown as Record<string, { __endpoint: Record<string, unknown> }>)[name]!.__endpoint

test('what is deployed is the API, every callable by its own name, every job, and the outbox', () => {
  const callables = routes.filter(({ endpoint }) => endpoint.callable).map(({ endpoint }) => endpoint.path.slice(1))
  expect(callables).toContain('createCustomToken')
  expect(Object.keys(deployed).sort()).toEqual(['api', 'drainoutbox', ...callables, ...Object.keys(JOBS)].sort())
  for (const name of callables) expect(endpointOf(name)).toHaveProperty('httpsTrigger.invoker', ['public'])
  for (const [name, { schedule }] of Object.entries(JOBS))
    expect(endpointOf(name)).toHaveProperty('scheduleTrigger.schedule', schedule)
  // What fails at night must not be missing until the next one.
  expect(endpointOf('checkledger')).toMatchObject({
    scheduleTrigger: { retryConfig: { retryCount: 5, minBackoffSeconds: RETRY_SECONDS } },
  })
})

test('each function declares where and as whom it runs, how many instances, its way to the database and its secrets', () => {
  for (const name of Object.keys(deployed)) {
    expect(endpointOf(name)).toMatchObject({
      region: ['asia-southeast1'],
      maxInstances: expect.anything(),
      availableMemoryMb: expect.any(Number),
      serviceAccountEmail: expect.anything(),
      vpc: { networkInterfaces: [expect.anything()] },
      secretEnvironmentVariables: [{ key: 'SHOP_SECRETS' }],
    })
  }
})

test('a call on a schema that is too old asks to come back, and the log names the migration that is missing', async () => {
  const it = await createTestShop()
  await it.db.query({
    text: `DELETE FROM drizzle.__drizzle_migrations WHERE id = (SELECT max(id) FROM drizzle.__drizzle_migrations)`,
  })
  const variables = {
    DATABASE_URL: it.databaseUrl,
    GCLOUD_PROJECT: 'demo-shop',
    FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:1',
  }
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  const written: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation(text => written.push(String(text)) > 0)
  const told: unknown[] = []
  const response = {
    on: () => response,
    set: () => response,
    status: (status: number) => told.push(status) && response,
    json: (body: unknown) => told.push(body) && response,
  }
  const request = { url: '/ready', method: 'GET', headers: {}, get: () => undefined, header: () => undefined }
  await (deployed.api as unknown as (...call: object[]) => Promise<void>)(request, response)
  expect(told).toEqual([503, expect.objectContaining({ code: 'UNAVAILABLE' })])
  const missing = `The database lacks 1 migrations of this version (${journal.entries.at(-1)!.tag} is the first)`
  expect(written).toEqual([expect.stringContaining('"start failed"')])
  expect(written[0]).toContain(missing)
  await it.db.close()
})
