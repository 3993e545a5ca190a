import { randomInt } from 'node:crypto'
import { GATEWAY_METHODS } from '@shop/shared/catalogue/payment-method.ts'
import { chargeOrder } from '@shop/shared/order/charge-endpoints.ts'
import { cancelTopUp } from '@shop/shared/wallet/endpoints.ts'
import { addGatewayTopUp, chargeTopUp } from '@shop/shared/wallet/top-up-endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkGateway } from '../gateway/check.ts'
import { expireOrders } from '../order/expiry.ts'
import { openDrain } from '../outbox-kind.ts'
import { buyByGateway, createGatewayShop, GATEWAY_FAULTS, type GatewayShop } from '../testing/gateway.ts'
import { codeOf } from '../testing/orders.ts'
import { randomFrom } from '../testing/random.ts'
import { addAccount, onceKey } from '../testing/shop.ts'
import { addWallet } from '../testing/wallet.ts'
import { checkLedger } from './ledger-check.ts'
import { expireTopUps } from './top-up-charge.ts'

/** How many top-ups are entered; `GATEWAY_TOP_UPS=1000` for a long run. */
const TOP_UPS = Number(process.env.GATEWAY_TOP_UPS ?? 150)
const EXPECTED = new Set([
  'OK',
  'ORDER_STATUS_NOT_ALLOWED',
  'TOP_UP_NOT_WAITING',
  'TOP_UP_ABOVE_ROOM',
  'GATEWAY_UNAVAILABLE',
  'INTERNAL',
])
const AGENTS = ['agent1', 'agent2', 'agent3']
const OPENING = 50_000

let it: GatewayShop
beforeAll(async () => {
  it = await createGatewayShop()
  for (const uid of AGENTS) {
    await addAccount(it, uid, 'agent')
    await addWallet(it.db, { uid, balanceSatang: OPENING, pin: null, now: it.clock.now })
  }
  await it.db.query({ text: `UPDATE payment_method SET surcharge_satang = 150 WHERE code IN ('linepay', 'truemoney')` })
  await it.db.query({ text: 'UPDATE catalogue_version SET version = version + 1' })
})
afterAll(() => it.db.close())

type Random = (below: number) => number

/** A call that asks for a charge, and one that gives the thing up. */
interface Paid {
  charge(method: (typeof GATEWAY_METHODS)[number]): Promise<unknown>
  cancel(): Promise<unknown>
}

async function addTopUp(random: Random): Promise<Paid> {
  const agent = it.as(AGENTS[random(AGENTS.length)]!)
  const body = { amountSatang: 10_000 + random(90_000), method: GATEWAY_METHODS[random(4)]! }
  const { id } = await agent.call(addGatewayTopUp, { body, idempotencyKey: onceKey() })
  return {
    charge: method => agent.call(chargeTopUp, { params: { id }, body: { method } }),
    cancel: () => agent.call(cancelTopUp, { body: { id, status: 'cancel' } }),
  }
}

async function addOrder(random: Random): Promise<Paid> {
  const buyer = it.as(null)
  const { orderNo } = await buyByGateway(buyer, GATEWAY_METHODS[random(4)]!)
  return {
    charge: method => buyer.call(chargeOrder, { params: { orderNo }, body: { method } }),
    cancel: async () => {},
  }
}

/** What agents, buyers, the gateway and time do, in any order. */
async function step(random: Random, things: Paid[]): Promise<void> {
  const { gateway } = it
  const near = <T>(list: T[], within: number) => list[Math.max(0, list.length - 1 - random(within))]
  const thing = near(things, 8)!
  const reference = near([...gateway.charges.keys()], 12)
  if (random(3) === 0) gateway.faults.push(GATEWAY_FAULTS[random(GATEWAY_FAULTS.length)]!)
  const acts = [
    async () => expect(EXPECTED).toContain(await codeOf(thing.charge(GATEWAY_METHODS[random(4)]!))),
    async () => reference && gateway.pay(reference),
    async () => reference && gateway.charges.get(reference)!.state.kind === 'waiting' && gateway.fail(reference),
    async () => reference && (await it.hear(reference)),
    async () => expect(EXPECTED).toContain(await codeOf(thing.cancel())),
    async () => {
      it.clock.advance(random(240))
      await Promise.all([expireOrders(it.shop), expireTopUps(it.shop), expireTopUps(it.shop)])
    },
  ]
  await acts[[0, 0, 0, 1, 1, 1, 2, 3, 3, 4, 5][random(11)]!]!()
}

test(`${TOP_UPS} top-ups among orders, faults and deaths at random, two drains at once: all money of agents is on their wallets`, async () => {
  const seed = randomInt(2 ** 31)
  console.log(`seed ${seed}`)
  const draw = randomFrom(seed)
  const random: Random = below => Math.floor(draw() * below)
  const { gateway } = it
  const other = openDrain(it.shop)
  const both = () => Promise.all([it.drain(), other.run()])
  const things: Paid[] = []
  for (let entered = 0; entered < TOP_UPS; entered++) {
    things.push(await addTopUp(random))
    if (random(3) === 0) things.push(await addOrder(random))
    for (let steps = 3 + random(5); steps > 0; steps--) await step(random, things)
    if (random(3) === 0) await both()
  }
  gateway.faults = []
  for (let hour = 0; hour < 3; hour++)
    for (const seconds of [30, 60, 300, 600, 2610]) {
      it.clock.advance(seconds)
      await Promise.all([expireOrders(it.shop), expireTopUps(it.shop)])
      await both()
    }
  const told = [...gateway.charges.values()].filter(({ state }) => state.kind === 'paid')
  expect(await checkGateway(it.shop)).toEqual([])
  expect((await checkLedger(it.db)).breaches).toEqual([])
  const paid = await it.db.query<{ reference: string; ofTopUp: boolean; isOwn: boolean; right: boolean }>({
    text: `SELECT c.reference, c.top_up_id IS NOT NULL AS "ofTopUp", coalesce(u.created_at < c.paid_at AND u.reason IS NULL, false) AS "isOwn",
        coalesce(u.status = 'approve' AND u.amount_satang = c.amount_satang
          - CASE WHEN u.reason IS NULL THEN c.surcharge_satang ELSE 0 END, false) AS right
      FROM charge c LEFT JOIN top_up u ON u.id = c.top_up_id WHERE c.state = 'paid'`,
  })
  expect(new Set(paid.map(({ reference }) => reference))).toEqual(new Set(told.map(({ reference }) => reference)))
  const ofTopUps = paid.filter(({ ofTopUp }) => ofTopUp)
  expect(ofTopUps.filter(({ right }) => !right)).toEqual([])
  const [sums] = await it.db.query<{ wallets: number; topUps: number; waiting: number }>({
    text: `SELECT (SELECT sum(balance_satang)::bigint FROM wallet) AS wallets,
        (SELECT coalesce(sum(amount_satang), 0)::bigint FROM top_up WHERE status = 'approve') AS "topUps",
        (SELECT count(*)::int FROM top_up WHERE status = 'waiting_payment') AS waiting`,
  })
  expect(sums!.wallets).toBe(AGENTS.length * OPENING + sums!.topUps)
  expect(sums!.waiting).toBe(0)
  // Otherwise nothing was tried.
  expect(ofTopUps.length).toBeGreaterThan(TOP_UPS / 10)
  expect(ofTopUps.some(({ isOwn }) => !isOwn)).toBe(true)
  expect(paid.length).toBeGreaterThan(ofTopUps.length)
})
