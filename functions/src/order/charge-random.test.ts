import { randomInt } from 'node:crypto'
import { GATEWAY_METHODS } from '@shop/shared/catalogue/payment-method.ts'
import { chargeOrder } from '@shop/shared/order/charge-endpoints.ts'
import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkGateway } from '../gateway/check.ts'
import { openDrain } from '../outbox-kind.ts'
import { buyByGateway, createGatewayShop, findPayments, GATEWAY_FAULTS, type GatewayShop } from '../testing/gateway.ts'
import { codeOf } from '../testing/orders.ts'
import { randomFrom } from '../testing/random.ts'
import type { TestCaller } from '../testing/shop.ts'
import { checkLedger } from '../wallet/ledger-check.ts'
import { expireOrders } from './expiry.ts'

/** How many orders are placed; `GATEWAY_ORDERS=1000` for a long run. */
const ORDERS = Number(process.env.GATEWAY_ORDERS ?? 300)
const EXPECTED = new Set(['OK', 'ORDER_STATUS_NOT_ALLOWED', 'GATEWAY_UNAVAILABLE', 'INTERNAL'])

let it: GatewayShop
beforeAll(async () => {
  it = await createGatewayShop()
})
afterAll(() => it.db.close())

/** What buyers, the gateway and time do, in any order. */
async function step(
  random: (below: number) => number,
  orders: { buyer: TestCaller; orderNo: string }[],
): Promise<void> {
  const { gateway } = it
  const order = orders[Math.max(0, orders.length - 1 - random(12))]!
  const references = [...gateway.charges.keys()]
  const reference = references[Math.max(0, references.length - 1 - random(16))]
  if (random(3) === 0) gateway.faults.push(GATEWAY_FAULTS[random(GATEWAY_FAULTS.length)]!)
  const acts = [
    async () => {
      const method = GATEWAY_METHODS[random(GATEWAY_METHODS.length)]!
      const charged = order.buyer.call(chargeOrder, { params: { orderNo: order.orderNo }, body: { method } })
      expect(EXPECTED).toContain(await codeOf(charged))
    },
    async () => reference && gateway.pay(reference),
    async () => reference && gateway.charges.get(reference)!.state.kind === 'waiting' && gateway.fail(reference),
    async () => reference && (await it.hear(reference)),
    async () => {
      const body = { orderNo: order.orderNo, status: 'cancel' as const }
      expect(EXPECTED).toContain(await codeOf(order.buyer.call(updateOrderStatus, { body })))
    },
    async () => {
      it.clock.advance(random(120))
      await expireOrders(it.shop)
    },
  ]
  // Buyers mostly want to pay.
  await acts[[0, 0, 0, 1, 1, 2, 3, 3, 4, 5][random(10)]!]!()
}

test(
  `${ORDERS} orders, faults and deaths at random, two drains at once: each paid charge pays one order or is owed`,
  async () => {
    const seed = randomInt(2 ** 31)
    console.log(`seed ${seed}`)
    const draw = randomFrom(seed)
    const random = (below: number) => Math.floor(draw() * below)
    const { gateway } = it
    const other = openDrain(it.shop)
    const both = () => Promise.all([it.drain(), other.run()])
    const orders: { buyer: TestCaller; orderNo: string }[] = []
    for (let placed = 0; placed < ORDERS; placed++) {
      const buyer = it.as(null)
      const { orderNo } = await buyByGateway(buyer, GATEWAY_METHODS[random(GATEWAY_METHODS.length)]!)
      orders.push({ buyer, orderNo })
      for (let steps = 3 + random(5); steps > 0; steps--) await step(random, orders)
      if (random(3) === 0) await both()
    }
    gateway.faults = []
    for (let hour = 0; hour < 3; hour++)
      for (const seconds of [30, 60, 300, 600, 2610]) {
        it.clock.advance(seconds)
        await expireOrders(it.shop)
        await both()
      }
    const told = [...gateway.charges.values()].filter(({ state }) => state.kind === 'paid')
    expect(await checkGateway(it.shop)).toEqual([])
    expect((await checkLedger(it.db)).breaches).toEqual([])
    const rows = await findPayments(it.db)
    expect(new Set(rows.map(({ reference }) => reference))).toEqual(new Set(told.map(({ reference }) => reference)))
    expect(rows.filter(({ pays, owed }) => pays + owed !== 1)).toEqual([])
    const [sold] = await it.db.query<{ n: number }>({
      text: `SELECT count(*)::int AS n FROM orders WHERE paid_at IS NOT NULL`,
    })
    expect(sold!.n).toBe(rows.filter(({ pays }) => pays === 1).length)
    // Otherwise nothing was tried.
    expect(sold!.n).toBeGreaterThan(ORDERS / 10)
    expect(rows.filter(({ owed }) => owed === 1).length).toBeGreaterThan(0)
  },
  180_000 + ORDERS * 500,
)
