import { listCalls } from '@shop/shared/reseller/key-endpoints.ts'
import { PLAY_PACKAGES } from '@shop/shared/reseller/play.ts'
import { createApiOrder, getApiOrderByRef, getApiWallet, listApiPackages } from '@shop/shared/reseller/v1-endpoints.ts'
import { DAY_MS } from '@shop/shared/time.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sweep } from '../jobs/housekeeping.ts'
import { addKey, machineOf } from '../testing/machine.ts'
import { addAccount, createTestShop, type TestShop } from '../testing/shop.ts'
import { addWallet } from '../testing/wallet.ts'

let it: TestShop
let key: Awaited<ReturnType<typeof addKey>>
let call: ReturnType<typeof machineOf>
beforeAll(async () => {
  it = await createTestShop({ PROXIES_IN_FRONT: '1' })
  for (const uid of ['ann', 'bob']) {
    await addAccount(it, uid, 'agent')
    await addWallet(it.db, { uid, balanceSatang: 0, pin: null, now: it.clock.now })
  }
})
afterAll(() => it.db.close())
beforeEach(async () => {
  await it.db.query({ text: 'DELETE FROM reseller_call' })
  key = await addKey(it, 'ann', { mode: 'test' })
  call = machineOf(it.request, key.token)
})

const read = (query: Record<string, unknown> = {}, uid = 'ann') =>
  it.as(uid).call(listCalls, { query: { mode: 'test', ...query } as never })
const order = (ref: string, more = {}) => ({
  body: { ref, packageId: PLAY_PACKAGES[0]!.id, playerId: '5123456789', quantity: 1, ...more },
})

test('each call is there for its owner: when, what, how it was answered, for which order, from where', async () => {
  await call(getApiWallet)
  await call(createApiOrder, order('INV-1', { maxPrice: 1 }) as never)
  await call(createApiOrder, { body: { ref: 'INV-2', packageId: 'x' } } as never)
  await call(getApiOrderByRef, { params: { ref: 'INV-3' } })
  const { calls, hasMore } = await read()
  expect(hasMore).toBe(false)
  expect(calls.map(({ call, status, code, ref }) => [call, status, code, ref])).toEqual([
    ['getOrderByRef', 404, 'ORDER_NOT_FOUND', 'INV-3'],
    ['createOrder', 400, 'INVALID_INPUT', 'INV-2'],
    ['createOrder', 409, 'PRICE_ABOVE_MAX', 'INV-1'],
    ['getWallet', 200, null, null],
  ])
  expect(calls[0]).toMatchObject({ at: it.clock.now.toISOString(), keyName: 'key of ann', address: '203.0.113.9' })
  expect((await read({ isFailed: 'true' })).calls).toHaveLength(3)
})

test('only its owner sees it, of the mode that is asked for; no secret of it is kept', async () => {
  await call(createApiOrder, order('INV-9') as never)
  expect((await read({}, 'bob')).calls).toEqual([])
  expect((await read({ mode: 'live' })).calls).toEqual([])
  const rows = JSON.stringify(await it.db.query({ text: 'SELECT * FROM reseller_call' }))
  expect(rows).toContain('INV-9')
  for (const secret of [key.token.split('.')[1]!, '5123456789']) expect(rows).not.toContain(secret)
  expect(await it.as('customer').codeOf(listCalls, { query: { mode: 'test' } })).toBe('FORBIDDEN')
})

test('pages go on after the last call, and seven days later it is gone', async () => {
  for (let n = 0; n < 60; n++) await call(listApiPackages, {})
  const first = await read()
  expect([first.calls.length, first.hasMore]).toEqual([50, true])
  const rest = await read({ after: first.calls.at(-1)!.id })
  expect([rest.calls.length, rest.hasMore]).toEqual([10, false])
  expect(new Set([...first.calls, ...rest.calls].map(({ id }) => id)).size).toBe(60)
  it.clock.now = new Date(it.clock.now.getTime() + 7 * DAY_MS + 1000)
  expect((await sweep(it.shop)).reseller_call).toBe(60)
  expect((await read()).calls).toEqual([])
})

test('a machine that calls without a pause is kept a hundred times for each moment, and counted every time', async () => {
  const { keyUse } = it.shop
  const one = { keyId: key.id, address: '203.0.113.9', call: 'getWallet', ref: null, now: it.clock.now }
  for (let n = 0; n < 250; n++) keyUse.count({ ...one, status: 404, code: 'NOT_FOUND' })
  await keyUse.flush()
  const [kept] = await it.db.query<{ n: number }>({ text: 'SELECT count(*)::int AS n FROM reseller_call' })
  const [day] = await it.db.query<{ calls: number; errors: number }>({
    text: 'SELECT calls, errors FROM reseller_day WHERE key_id = $1',
    values: [key.id],
  })
  expect([kept!.n, day]).toEqual([100, { calls: 250, errors: 250 }])
})
