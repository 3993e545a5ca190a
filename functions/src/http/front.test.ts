import { listGames } from '@shop/shared/catalogue/endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../start/app.ts'
import { codeOf, holdByBank } from '../testing/orders.ts'
import { createTestShop, type TestShop } from '../testing/shop.ts'
import { FRONT_HEADER } from './front.ts'

const [NEW, OLD] = ['n'.repeat(32), 'o'.repeat(40)]

let it: TestShop
beforeAll(async () => {
  it = await createTestShop({
    FRONT_SECRET: `${NEW}, ${OLD}`,
    PROXIES_IN_FRONT: '2',
    RATE_LIMIT_GUEST_ORDERS_PER_ADDRESS: '1',
  })
})
afterAll(() => it.db.close())

test('whoever comes past our front is refused, whatever they write; the health check is answered', async () => {
  const status = async (path: string, headers: Record<string, string>) => (await it.request(path, { headers })).status
  const forged = { 'x-forwarded-for': '1.2.3.4, 74.125.1.1' }
  const tries: Record<string, string>[] = [
    {},
    { [FRONT_HEADER]: '' },
    { [FRONT_HEADER]: 'guess' },
    { [FRONT_HEADER]: `${NEW}x` },
  ]
  for (const written of tries)
    for (const path of [listGames.path, '/openapi.json', '/files/a', '/no/such'])
      expect(await status(path, { ...forged, ...written })).toBe(403)
  expect(await status('/healthz', forged)).toBe(200)
  for (const secret of [NEW, OLD]) expect(await status(listGames.path, { [FRONT_HEADER]: secret })).toBe(200)
})

test('through it the caller is whom it heard: nobody chooses the address they are counted by', async () => {
  const hold = (forwardedFor: string) =>
    codeOf(holdByBank(it.as(null, { 'x-forwarded-for': forwardedFor, [FRONT_HEADER]: NEW })))
  expect(await hold('203.0.113.7, 104.198.56.253')).toBe('OK')
  expect(await hold('9.9.9.9, 203.0.113.7, 104.198.56.253')).toBe('GUEST_LIMIT_REACHED')
  expect(await hold('203.0.113.8, 104.198.56.253')).toBe('OK')
})

test('where there is no front, nothing needs to be proved', async () => {
  const app = createApp({ ...it.shop, config: { ...it.shop.config, FRONT_SECRET: [] } })
  for (const headers of [{}, { [FRONT_HEADER]: 'x' }] as Record<string, string>[])
    expect((await app.request(listGames.path, { headers })).status).toBe(200)
})
