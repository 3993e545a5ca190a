import { endKey, makeKey } from '@shop/shared/reseller/key-endpoints.ts'
import { PLAY_MONEY_SATANG, PLAY_PACKAGE, PLAY_UNKNOWN_PLAYER } from '@shop/shared/reseller/play.ts'
import type { ApiOrder } from '@shop/shared/reseller/v1-endpoints.ts'
import * as v1 from '@shop/shared/reseller/v1-endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDrain } from '../start/outbox-kind.ts'
import { addKey, machineOf } from '../testing/machine.ts'
import { addAccount, createTestShop, type TestShop } from '../testing/shop.ts'
import { addWallet, walletBalance } from '../testing/wallet.ts'
import { addEndpoint, messagesOf, scriptWebhooks } from '../testing/webhook.ts'
import { eventBody, eventExample } from './openapi-webhooks.ts'

let it: TestShop
let agents = 0
beforeAll(async () => {
  it = await createTestShop()
})
afterAll(() => it.db.close())

async function tester(of: Parameters<typeof addKey>[2] = {}) {
  const uid = `tester-${++agents}`
  await addAccount(it, uid, 'agent')
  await addWallet(it.db, { uid, balanceSatang: 5_000, pin: '1234', now: it.clock.now })
  return { uid, send: machineOf(it.request, (await addKey(it, uid, { mode: 'test', ...of })).token) }
}

let refs = 0
const body = (packageId: number, change: object = {}) => ({
  ref: `t-${++refs}`,
  packageId,
  quantity: 1,
  ...(packageId !== PLAY_PACKAGE.codes.id && { playerId: '12345678' }),
  ...change,
})

/** Runs what is due as time goes by, and returns what was seen of an order. */
async function follow(send: ReturnType<typeof machineOf>, id: string): Promise<ApiOrder[]> {
  const seen: ApiOrder[] = []
  for (let second = 0; second < 12; second++) {
    await openDrain(it.shop).run()
    const { body: order } = await send(v1.getApiOrder, { params: { id } })
    if (order.status !== seen.at(-1)?.status) seen.push(order)
    it.clock.advance(1)
  }
  return seen
}

test('what a test key can buy is made up, and what it has is play money', async () => {
  const { uid, send } = await tester()
  expect((await send(v1.listApiGames)).body.games.map(({ code }) => code)).toEqual(['test'])
  const { packages } = (await send(v1.listApiPackages)).body
  expect(packages.map(({ id }) => id)).toEqual([2000000001, 2000000002, 2000000003, 2000000004, 2000000005])
  expect((await send(v1.getApiWallet)).body).toMatchObject({ balance: PLAY_MONEY_SATANG, key: { mode: 'test' } })
  expect((await send(v1.createApiOrder, { body: body(1) })).body.code).toBe('PACKAGE_NOT_FOUND')
  const check = (playerId: string) => send(v1.checkApiPlayer, { body: { game: 'test', playerId } })
  expect((await check('12345678')).body).toEqual({ isChecked: true, playerName: 'Tester 12345678' })
  expect((await check(PLAY_UNKNOWN_PLAYER)).body.code).toBe('PLAYER_NOT_FOUND')
  const wrong = await send(v1.createApiOrder, { body: body(PLAY_PACKAGE.succeeds.id, { playerId: 'x' }) })
  expect([wrong.status, wrong.body.code, Object.keys(wrong.body.fields ?? {})]).toEqual([
    422,
    'PLAYER_FIELD_REQUIRED',
    ['playerId'],
  ])
  expect(await walletBalance(it.db, uid)).toBe(5_000)
  expect(await it.db.query({ text: 'SELECT 1 FROM orders' })).toEqual([])
})

test.each([
  ['succeeds', ['waiting', 'processing', 'completed'], { delivered: 4, refunded: 0, codes: 0 }],
  ['fails', ['waiting', 'processing', 'on_hold', 'failed'], { delivered: 0, refunded: 40_000, codes: 0 }],
  ['waits', ['waiting'], { delivered: 0, refunded: 0, codes: 0 }],
  ['half', ['waiting', 'processing', 'completed'], { delivered: 2, refunded: 20_000, codes: 0 }],
  ['codes', ['waiting', 'processing', 'completed'], { delivered: 4, refunded: 0, codes: 4 }],
] as const)('a package that %s', async (name, states, end) => {
  const { send } = await tester()
  const { id } = PLAY_PACKAGE[name]
  const placed = await send(v1.createApiOrder, { body: body(id, { quantity: 4 }) })
  expect(placed.body).toMatchObject({ mode: 'test', status: 'waiting', price: 4 * PLAY_PACKAGE[name].priceSatang })
  const seen = await follow(send, placed.body.id)
  expect(seen.map(({ status }) => status)).toEqual(states)
  expect(seen.at(-1)).toMatchObject(end)
  expect((await send(v1.getApiWallet)).body.balance).toBe(PLAY_MONEY_SATANG - placed.body.price + end.refunded)
  const { entries } = (await send(v1.listApiEntries)).body
  for (const [nth, entry] of entries.entries())
    expect(entry.balance - entry.amount).toBe(entries[nth + 1]?.balance ?? 0)
  const codes = await send(v1.getApiCodes, { params: { id: placed.body.id } })
  if (name !== 'codes') expect([codes.status, codes.body.code]).toEqual([409, 'CODES_NOT_SHOWN'])
  else expect(new Set(codes.body.codes.map(({ code }) => code)).size).toBe(4)
})

test('one that waits is canceled; the same reference is the same order; limits are those of money', async () => {
  const { send } = await tester({ dailyLimitSatang: 30_000 })
  const { waits } = PLAY_PACKAGE
  const ask = body(waits.id, { ref: 'w' })
  const placed = await send(v1.createApiOrder, { body: ask })
  expect((await send(v1.createApiOrder, { body: ask })).body).toEqual(placed.body)
  expect((await send(v1.createApiOrder, { body: { ...ask, quantity: 2 } })).body.code).toBe('REF_REUSED')
  const dear = await send(v1.createApiOrder, { body: body(waits.id, { maxPrice: 9_999 }) })
  expect([dear.status, dear.body.code]).toEqual([409, 'PRICE_ABOVE_MAX'])
  expect((await send(v1.createApiOrder, { body: body(waits.id, { quantity: 3 }) })).body).toMatchObject({
    code: 'KEY_LIMIT_REACHED',
    details: { left: 20_000 },
  })
  const canceled = await send(v1.cancelApiOrder, { params: { id: placed.body.id } })
  expect(canceled.body).toMatchObject({ status: 'canceled', refunded: 10_000 })
  expect((await send(v1.cancelApiOrder, { params: { id: placed.body.id } })).body).toEqual(canceled.body)
  expect((await send(v1.getApiWallet)).body.balance).toBe(PLAY_MONEY_SATANG)
})

test('endpoints of test mode are told of play orders, those of live mode are not', async () => {
  const { uid, send } = await tester()
  scriptWebhooks(it, 204)
  const [test, live] = [await addEndpoint(it, uid, { mode: 'test' }), await addEndpoint(it, uid, { mode: 'live' })]
  const placed = await send(v1.createApiOrder, { body: body(PLAY_PACKAGE.half.id, { quantity: 2 }) })
  await follow(send, placed.body.id)
  const told = (await messagesOf(it)).filter(({ endpointId }) => endpointId === test.id)
  expect(told.map(({ type }) => type)).toEqual(['order.processing', 'order.completed', 'wallet.credited'])
  expect(JSON.parse(told[1]!.body).data).toEqual({
    id: placed.body.id,
    ref: placed.body.ref,
    status: 'completed',
    quantity: 2,
  })
  for (const { type, body: sent } of told) {
    const event = eventBody(type).parse(JSON.parse(sent))
    expect(Object.keys(event.data)).toEqual(Object.keys(eventExample(type).data))
  }
  expect((await messagesOf(it)).some(({ endpointId }) => endpointId === live.id)).toBe(false)
})

test('play money runs out with 402, and another test key fills it up', async () => {
  const { uid, send } = await tester()
  const { succeeds } = PLAY_PACKAGE
  const all = await Promise.all(
    Array.from({ length: 15 }, () => send(v1.createApiOrder, { body: body(succeeds.id, { quantity: 10 }) })),
  )
  expect(all.filter(({ status }) => status === 200)).toHaveLength(10)
  expect(all.filter(({ status, body }) => status === 402 && body.code === 'WALLET_BALANCE_TOO_LOW')).toHaveLength(5)
  expect((await send(v1.getApiWallet)).body.balance).toBe(0)
  const made = await it.as(uid).call(makeKey, {
    body: { name: 'two', mode: 'test', scopes: ['read'], addresses: [], dailyLimitSatang: null, pin: '1234' },
  })
  expect((await send(v1.getApiWallet)).body.balance).toBe(PLAY_MONEY_SATANG)
  await it.as(uid).call(endKey, { params: { id: made.key.id } })
})
