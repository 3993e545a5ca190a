import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import * as v1 from '@shop/shared/reseller/v1-endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CodeShop, codes, createCodeShop, stockUp } from '../testing/code-shop.ts'
import { fixture } from '../testing/fixture.ts'
import { addKey, machineOf } from '../testing/machine.ts'
import { walletBalance } from '../testing/wallet.ts'

let it: CodeShop
let send: ReturnType<typeof machineOf>
beforeAll(async () => {
  it = await createCodeShop()
  send = machineOf(it.request, (await addKey(it, 'agent')).token)
})
afterAll(() => it.db.close())

let refs = 0
const order = (quantity: number) =>
  send(v1.createApiOrder, { body: { ref: `c-${++refs}`, packageId: fixture.pubg.package, quantity } })

test('codes of an order are read by a key with that scope, and every look is counted on them', async () => {
  const stocked = codes(3)
  await stockUp(it, stocked)
  const listed = (await send(v1.listApiPackages)).body.packages.find(({ id }) => id === fixture.pubg.package)
  expect(listed).toMatchObject({ delivers: 'code', stock: 3, isAvailable: true })
  const { body: placed } = await order(2)
  expect(placed).toMatchObject({ status: 'waiting', playerId: null, codes: 0 })
  const { id } = placed
  expect((await send(v1.getApiCodes, { params: { id } })).body.code).toBe('CODES_NOT_SHOWN')
  await it.drain()
  expect((await send(v1.getApiOrder, { params: { id } })).body).toMatchObject({
    status: 'completed',
    codes: 2,
    delivered: 2,
  })
  const read = await send(v1.getApiCodes, { params: { id } })
  expect(read.headers.get('cache-control')).toBe('no-store')
  expect(read.body.codes.map(({ code }) => code).sort()).toEqual(await it.opened(id))
  await send(v1.getApiCodes, { params: { id } })
  const rows = await it.db.query<{ reveals: number; on: string }>({
    text: `SELECT v.reveals, v.revealed_on AS "on" FROM voucher v JOIN orders o ON o.id = v.order_id WHERE o.order_no = $1`,
    values: [id],
  })
  expect(rows).toEqual([
    { reveals: 2, on: 'API key of agent' },
    { reveals: 2, on: 'API key of agent' },
  ])
  const reader = machineOf(it.request, (await addKey(it, 'agent', { scopes: ['read', 'order'] })).token)
  expect((await reader(v1.getApiCodes, { params: { id } })).body.code).toBe('KEY_SCOPE_MISSING')
  for (const { code } of read.body.codes) expect(await it.isKept(code)).toBe(false)
})

test('a stock that is too small sells none; what is canceled goes back on sale', async () => {
  await it.empty()
  await stockUp(it, codes(2))
  const before = await walletBalance(it.db, 'agent')
  const short = await order(3)
  expect([short.status, short.body.code]).toEqual([409, 'STOCK_TOO_LOW'])
  const { body: placed } = await order(2)
  expect((await order(1)).body.code).toBe('SOLD_OUT')
  const canceled = await send(v1.cancelApiOrder, { params: { id: placed.id } })
  expect(canceled.body).toMatchObject({ status: 'canceled', codes: 0 })
  expect(await walletBalance(it.db, 'agent')).toBe(before)
  expect((await order(2)).status).toBe(200)
  await it.drain()
  expect((await send(v1.cancelApiOrder, { params: { id: placed.id } })).body.status).toBe('canceled')
})

test('codes of a refunded order are not shown', async () => {
  await it.empty()
  await stockUp(it, codes(1))
  const { body: placed } = await order(1)
  await it.as('staff').call(updateOrderStatus, { body: { orderNo: placed.id, status: 'processing' } })
  await it.as('staff').call(updateOrderStatus, { body: { orderNo: placed.id, status: 'failed', reason: 'ทดสอบ' } })
  expect((await send(v1.getApiCodes, { params: { id: placed.id } })).body.code).toBe('CODES_NOT_SHOWN')
})
