import { isOfMachines } from '@shop/shared/permissions.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestShop, type TestShop } from '../testing/shop.ts'
import { routes } from './app.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
})
afterAll(() => it.db.close())

/** Paths that were given: see docs/decisions/0013. */
const PRINTED = [
  'GET /romons.game/api/games',
  'GET /romons.game/api/regions',
  'GET /romons.game/api/languages',
  'GET /romons.game/api/platforms',
  'GET /romons.gameservice/api/game/getpubgbyid/{id}',
  'GET /romons.package/api/packages',
  'GET /romons.package/api/packages/{gameCode}',
  'GET /romons.package/api/packages/{gameCode}/{tierId}',
  'GET /romons.configuration/api/banner',
  'GET /romons.payment/api/paymentmethods',
  'GET /romons.payment/api/banks',
  'GET /romons.payment/api/banksaccount',
  'GET /romons.payment/api/getprice/{gameCode}/{packageId}/{playerId}/{paymentCode}',
  'POST /romons.payment/api/getprice/{gameCode}/{packageId}/{playerId}/{paymentCode}',
  'POST /romons.payment/api/confirmprice',
  'PUT /romons.payment/api/updateorderstatus',
  'GET /romons.payment/api/gettimelimit',
  'GET /romons.order/api/order/waitting',
  'POST /romons.payment/api/wallet/uploadslip',
  'GET /romons.users/api/getconfig',
  'POST /romons.users/api/saveconfig',
  'GET /romons.game/api/games/master',
  'GET /romons.game/api/games/qmsgame',
  'POST /romons.game/api/games/save',
  'POST /romons.game/api/games/reorder',
  'POST /romons.game/api/games/uploadlogo',
  'GET /romons.package/api/master/{gameId}',
  'POST /romons.package/api/packages/save',
  'POST /romons.package/api/packages/saveprice',
  'POST /romons.configuration/api/upload',
  ...['sale', 'noofsale', 'salesrevenue', 'top3', 'dailyrevenue', 'saletype'].map(
    path => `POST /romons.dashboard/api/dashboard/${path}`,
  ),
]

test('every printed path answers in /openapi.json; every route is described once, those of machines in their own', async () => {
  const describedIn = async (address: string) => {
    const document = (await (await it.request(address)).json()) as {
      openapi: string
      paths: Record<string, Record<string, unknown>>
    }
    expect(document.openapi).toBe('3.1.0')
    return Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map(method => `${method.toUpperCase()} ${path}`),
    )
  }
  const served = (ofMachines: boolean) =>
    routes
      .filter(({ endpoint }) => isOfMachines(endpoint.allow) === ofMachines)
      .map(({ endpoint: { method, path } }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
  const described = await describedIn('/openapi.json')
  expect(described).toEqual(expect.arrayContaining(PRINTED))
  expect(described.toSorted()).toEqual(served(false).toSorted())
  expect((await describedIn('/reseller/openapi.json')).toSorted()).toEqual(served(true).toSorted())
})

test("an unknown path is a 404 in the shop's own words", async () => {
  const reply = await it.request('/romons.nothing/api/x')
  expect(reply.status).toBe(404)
  expect(await reply.json()).toMatchObject({ code: 'NOT_FOUND', message: expect.stringMatching(/[ก-๙]/) })
})

test('public files stay inside their folder', async () => {
  await it.shop.files.write('slips/secret.jpg', new Uint8Array([1]), 'image/jpeg')
  for (const path of [
    '/files/../slips/secret.jpg',
    '/files/%2e%2e/slips/secret.jpg',
    '/files/..%2fslips%2fsecret.jpg',
  ]) {
    expect((await it.request(path)).status).toBe(404)
  }
})

test('limits by address can not be escaped by writing X-Forwarded-For oneself', async () => {
  const env = { PROXIES_IN_FRONT: '1', RATE_LIMIT_LOOKUPS_PER_CALLER: '2' }
  const limited = await createTestShop(env)
  try {
    const ask = async (written: string) => {
      const headers = { 'x-forwarded-for': `${written}, 203.0.113.7` }
      return (await limited.request('/romons.gameservice/api/game/getpubgbyid/5123456789', { headers })).status
    }
    expect([await ask('10.0.0.1'), await ask('10.0.0.2'), await ask('10.0.0.3')]).toEqual([200, 200, 429])
  } finally {
    await limited.db.close()
  }
})
