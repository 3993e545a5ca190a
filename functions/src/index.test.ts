import { expect, test } from 'vitest'
import { routes } from './app.ts'
import * as deployed from './index.ts'
import { JOBS } from './jobs.ts'

const endpointOf = (name: string) =>
  (deployed as unknown as Record<string, { __endpoint: Record<string, unknown> }>)[name]!.__endpoint

test('what is deployed is the API, every callable by its own name, every job, and the outbox', () => {
  const callables = routes.filter(({ endpoint }) => endpoint.callable).map(({ endpoint }) => endpoint.path.slice(1))
  expect(callables).toContain('createCustomToken')
  expect(Object.keys(deployed).sort()).toEqual(['api', 'drainoutbox', ...callables, ...Object.keys(JOBS)].sort())
  for (const name of callables) expect(endpointOf(name)).toHaveProperty('httpsTrigger.invoker', ['public'])
  for (const [name, { schedule }] of Object.entries(JOBS))
    expect(endpointOf(name)).toHaveProperty('scheduleTrigger.schedule', schedule)
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
