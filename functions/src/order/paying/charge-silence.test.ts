import { GATEWAY_METHODS } from '@shop/shared/catalogue/payment-method.ts'
import { chargeOrder, getCharge } from '@shop/shared/order/charge-endpoints.ts'
import { getOrder } from '@shop/shared/order/endpoints.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkGateway } from '../../gateway/check.ts'
import {
  buyByGateway,
  createGatewayShop,
  findPayments,
  GATEWAY_FAULTS,
  type GatewayShop,
} from '../../testing/gateway.ts'
import { codeOf } from '../../testing/orders.ts'
import { manyOf } from '../../testing/random.ts'
import { addAccount, type TestCaller } from '../../testing/shop.ts'
import { checkLedger } from '../../wallet/ledger-check.ts'
import { expireOrders } from './expiry.ts'

const BUYERS = manyOf(50, 10)

let it: GatewayShop
/** Who was sent a message in LINE, and its words. */
let said: { to: string; words: string }[]
beforeEach(async () => {
  it = await createGatewayShop()
  said = []
  it.shop.chat = {
    push: async ({ to, messages }) => {
      said.push({ to, words: JSON.stringify(messages) })
      return { kind: 'accepted', requestId: null }
    },
    reply: async () => ({ kind: 'accepted', requestId: null }),
    quota: async () => null,
    group: async () => null,
  }
})
afterEach(async () => {
  expect((await checkLedger(it.db)).breaches).toEqual([])
  await it.db.close()
})

interface Waiting {
  buyer: TestCaller
  lineId: string
  orderNo: string
  reference: string
}

let buyers = 0

/** Somebody who came with LINE has the QR of their order before them. */
async function begin(): Promise<Waiting> {
  const lineId = `U${String(++buyers).padStart(32, '0')}`
  await addAccount(it, `line:${lineId}`, 'customer')
  const buyer = it.as(`line:${lineId}`)
  const { orderNo } = await buyByGateway(buyer)
  await buyer.call(chargeOrder, { params: { orderNo }, body: { method: 'promptpay' } })
  return { buyer, lineId, orderNo, reference: [...it.gateway.charges.keys()].at(-1)! }
}

/** Time goes by, and what is due is done. */
async function pass(seconds: number, step = 30): Promise<void> {
  const end = addSeconds(it.clock.now, seconds)
  while (it.clock.now < end) {
    it.clock.advance(step)
    await expireOrders(it.shop)
    await it.drain()
  }
}

const states = async (): Promise<Record<string, number>> => {
  const rows = await it.db.query<{ state: string; n: number }>({
    text: 'SELECT state, count(*)::int AS n FROM charge GROUP BY state',
  })
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]))
}
const statusesOf = (orders: readonly Waiting[]) =>
  Promise.all(orders.map(async ({ buyer, orderNo }) => (await buyer.call(getOrder, { params: { orderNo } })).status))

test(`429 for an hour while ${BUYERS} buyers pay: all are booked within ten minutes after it, none failed, each told`, async () => {
  const orders: Waiting[] = []
  while (orders.length < BUYERS) orders.push(await begin())
  it.gateway.lasting = 'busy'
  await pass(60)
  for (const [nth, { reference }] of orders.entries()) {
    it.gateway.pay(reference)
    // Of every other one the gateway's message is lost.
    if (nth % 2 === 0) await it.hear(reference)
  }
  await pass(3600 - 60, 60)
  expect(await states()).toEqual({ waiting: BUYERS })
  expect(new Set(await statusesOf(orders))).toEqual(new Set(['expired']))
  const [first] = orders
  const shown = await first!.buyer.call(getOrder, { params: { orderNo: first!.orderNo } })
  expect(Date.parse(shown.charge!.silentSince!)).toBeLessThan(it.clock.now.getTime() - 3000_000)
  it.gateway.lasting = null
  await pass(600)
  expect(await states()).toEqual({ paid: BUYERS })
  expect(new Set(await statusesOf(orders))).toEqual(new Set(['paid']))
  expect((await findPayments(it.db)).every(({ pays, owed }) => pays === 1 && owed === 0)).toBe(true)
  expect(await checkGateway(it.shop)).toEqual([])
  const told = said.filter(({ words }) => words.includes('ได้รับเงินแล้ว')).map(({ to }) => to)
  expect(told.sort()).toEqual(orders.map(({ lineId }) => lineId).sort())
  const [dead] = await it.db.query<{ n: number }>({
    text: `SELECT count(*)::int AS n FROM outbox WHERE state = 'dead'`,
  })
  expect(dead!.n).toBe(0)
}, 300_000)

test.each(['busy', 'lostBefore', 'barred'] as const)(
  '%s for half a day: the charge is asked about without an end, and people see it until it is known',
  async fault => {
    const { reference } = await begin()
    it.gateway.lasting = fault
    await pass(12 * 3600, 900)
    expect(await states()).toEqual({ waiting: 1 })
    it.gateway.pay(reference, { state: { kind: 'paid', at: addSeconds(it.clock.now, -43_000), feeSatang: 1 } })
    it.gateway.lasting = null
    await pass(600)
    expect(await states()).toEqual({ paid: 1 })
  },
)

test('a gateway that is busy when a charge is begun has said nothing: the charge is found when it exists after all', async () => {
  const buyer = it.as(null)
  const { orderNo } = await buyByGateway(buyer)
  it.gateway.faults.push('busy')
  expect(await codeOf(buyer.call(chargeOrder, { params: { orderNo }, body: { method: 'promptpay' } }))).toBe(
    'GATEWAY_UNAVAILABLE',
  )
  expect(await buyer.call(getCharge, { params: { orderNo } })).toMatchObject({ state: 'asking' })
  expect(await buyer.call(chargeOrder, { params: { orderNo }, body: { method: 'promptpay' } })).toMatchObject({
    state: 'waiting',
  })
  // Once a whole list lacks it, the first one has failed.
  await pass(300)
  expect(await states()).toEqual({ failed: 1, waiting: 1 })
})

test('money that was paid in time pays an order whose time ran out meanwhile; what was paid later is owed', async () => {
  const [inTime, late] = [await begin(), await begin()]
  it.gateway.lasting = 'lostBefore'
  it.clock.advance(600)
  it.gateway.pay(inTime.reference)
  await pass(1800)
  it.gateway.pay(late.reference)
  it.gateway.lasting = null
  await pass(600)
  expect(await statusesOf([inTime, late])).toEqual(['paid', 'expired'])
  const rows = await findPayments(it.db)
  expect(rows.find(({ reference }) => reference === late.reference)).toMatchObject({ pays: 0, owed: 1 })
})

test('what the gateway itself calls open is asked about after the last minute, too', async () => {
  const { reference } = await begin()
  const { state } = it.gateway.charges.get(reference)!
  await pass(2 * 3600, 300)
  // It told that the charge is over, and tells otherwise later.
  expect(await states()).toEqual({ expired: 1 })
  const other = await begin()
  const charge = it.gateway.charges.get(other.reference)!
  it.gateway.read = async () => ({ kind: 'charge', charge: { ...charge, state } })
  it.gateway.end = it.gateway.read
  await pass(6 * 3600, 900)
  expect(await states()).toEqual({ expired: 1, waiting: 1 })
  it.gateway.read = async () => ({
    kind: 'charge',
    charge: { ...charge, state: { kind: 'paid', at: it.clock.now, feeSatang: 1 } },
  })
  it.gateway.end = it.gateway.read
  await pass(24 * 3600, 3600)
  expect(await states()).toEqual({ expired: 1, paid: 1 })
})

test('a charge of a gateway that the shop has left is not given up either', async () => {
  const { orderNo, buyer } = await begin()
  it.shop.gateway = { ...it.gateway, name: 'stripe' }
  await pass(3 * 3600, 300)
  const { charge } = await buyer.call(getOrder, { params: { orderNo } })
  expect(charge).toMatchObject({ state: 'waiting', silentSince: expect.any(String) })
})

test.each([1, 2, 3])('faults by lot %i that end with a rush of refusals leave no paid charge behind', async lot => {
  const orders: Waiting[] = []
  for (let n = 0; n < 8; n++) orders.push(await begin())
  for (const [nth, { reference, buyer, orderNo }] of orders.entries()) {
    const method = GATEWAY_METHODS[(lot + nth) % GATEWAY_METHODS.length]!
    it.gateway.faults.push(GATEWAY_FAULTS[(lot * 3 + nth) % GATEWAY_FAULTS.length]!)
    if (nth % 3 === 0) await codeOf(buyer.call(chargeOrder, { params: { orderNo }, body: { method } }))
    it.gateway.pay(reference)
  }
  it.gateway.lasting = lot % 2 === 0 ? 'busy' : 'lostAfter'
  await pass(3600, 150)
  it.gateway.faults = []
  it.gateway.lasting = null
  await pass(900)
  const rows = await findPayments(it.db)
  expect(rows.filter(({ pays, owed }) => pays + owed !== 1)).toEqual([])
  expect(rows).toHaveLength([...it.gateway.charges.values()].filter(({ state }) => state.kind === 'paid').length)
})
