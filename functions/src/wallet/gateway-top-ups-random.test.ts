import { GATEWAY_METHODS, type GatewayMethod } from '@shop/shared/catalogue/payment-method.ts'
import { chargeOrder } from '@shop/shared/order/charge-endpoints.ts'
import { cancelTopUp } from '@shop/shared/wallet/endpoints.ts'
import { addGatewayTopUp, chargeTopUp } from '@shop/shared/wallet/top-up-endpoints.ts'
import { expect, onTestFinished } from 'vitest'
import { checkGateway } from '../gateway/check.ts'
import { expireOrders } from '../order/paying/expiry.ts'
import { openDrain } from '../start/outbox-kind.ts'
import { buyByGateway, createGatewayShop, GATEWAY_FAULTS, type GatewayShop } from '../testing/gateway.ts'
import { codeOf } from '../testing/orders.ts'
import { type Random, testAtRandom } from '../testing/random.ts'
import { addAccount, onceKey } from '../testing/shop.ts'
import { addWallet } from '../testing/wallet.ts'
import { checkLedger } from './ledger-check.ts'
import { expireTopUps } from './top-up-charge.ts'

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

async function openShop(): Promise<GatewayShop> {
  const it = await createGatewayShop()
  onTestFinished(() => it.db.close())
  for (const uid of AGENTS) {
    await addAccount(it, uid, 'agent')
    await addWallet(it.db, { uid, balanceSatang: OPENING, pin: null, now: it.clock.now })
  }
  await it.db.query({ text: `UPDATE payment_method SET surcharge_satang = 150 WHERE code IN ('linepay', 'truemoney')` })
  await it.db.query({ text: 'UPDATE catalogue_version SET version = version + 1' })
  return it
}

/** A call that asks for a charge, and one that gives the thing up. */
interface Paid {
  name: string
  charge(method: GatewayMethod): Promise<unknown>
  cancel(): Promise<unknown>
}

async function addTopUp(it: GatewayShop, { below, tell }: Random): Promise<Paid> {
  const uid = AGENTS[below(AGENTS.length)]!
  const agent = it.as(uid)
  const body = { amountSatang: 10_000 + below(90_000), method: GATEWAY_METHODS[below(4)]! }
  const { id } = await agent.call(addGatewayTopUp, { body, idempotencyKey: onceKey() })
  tell(`${uid} enters top-up ${id} of ${body.amountSatang} by ${body.method}`)
  return {
    name: `top-up ${id}`,
    charge: method => agent.call(chargeTopUp, { params: { id }, body: { method } }),
    cancel: () => agent.call(cancelTopUp, { body: { id, status: 'cancel' } }),
  }
}

async function addOrder(it: GatewayShop, { below, tell }: Random): Promise<Paid> {
  const buyer = it.as(null)
  const { orderNo } = await buyByGateway(buyer, GATEWAY_METHODS[below(4)]!)
  tell(`order ${orderNo} is placed`)
  return {
    name: `order ${orderNo}`,
    charge: method => buyer.call(chargeOrder, { params: { orderNo }, body: { method } }),
    cancel: async () => {},
  }
}

/** What agents, buyers, the gateway and time do, in any order. */
async function step(it: GatewayShop, { below, tell }: Random, things: Paid[]): Promise<void> {
  const { gateway } = it
  const near = <T>(list: T[], within: number) => list[Math.max(0, list.length - 1 - below(within))]
  const thing = near(things, 8)!
  const reference = near([...gateway.charges.keys()], 12)
  if (below(3) === 0) {
    gateway.faults.push(GATEWAY_FAULTS[below(GATEWAY_FAULTS.length)]!)
    tell(`the gateway is to show ${gateway.faults.at(-1)}`)
  }
  const charge = async () => {
    const method = GATEWAY_METHODS[below(4)]!
    const code = await codeOf(thing.charge(method))
    tell(`${thing.name} asks for a charge by ${method}: ${code}`)
    expect(EXPECTED).toContain(code)
  }
  const ofCharge = async (name: string, act: (reference: string) => unknown) => {
    if (!reference) return
    tell(`charge ${reference} ${name}`)
    await act(reference)
  }
  const pay = () => ofCharge('is paid', each => gateway.pay(each))
  const hear = () => ofCharge('is told of', each => it.hear(each))
  const fail = () =>
    ofCharge('fails if it waits', each => gateway.charges.get(each)!.state.kind === 'waiting' && gateway.fail(each))
  const cancel = async () => {
    const code = await codeOf(thing.cancel())
    tell(`${thing.name} is given up: ${code}`)
    expect(EXPECTED).toContain(code)
  }
  const wait = async () => {
    const seconds = below(240)
    tell(`${seconds} s pass`)
    it.clock.advance(seconds)
    await Promise.all([expireOrders(it.shop), expireTopUps(it.shop), expireTopUps(it.shop)])
  }
  await [charge, charge, charge, pay, pay, pay, fail, hear, hear, cancel, wait][below(11)]!()
}

const NAME =
  'top-ups among orders, faults and deaths at random, two drains at once: all money of agents is on their wallets'

testAtRandom(NAME, { size: 150 }, async random => {
  const { size, isWhole, below, tell } = random
  const it = await openShop()
  const { gateway } = it
  const other = openDrain(it.shop)
  const both = async () => {
    await Promise.all([it.drain(), other.run()])
    tell('both drains ran')
  }
  const things: Paid[] = []
  for (let entered = 0; entered < size; entered++) {
    things.push(await addTopUp(it, random))
    if (below(3) === 0) things.push(await addOrder(it, random))
    for (let steps = 3 + below(5); steps > 0; steps--) await step(it, random, things)
    if (below(3) === 0) await both()
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
  if (!isWhole) return
  expect(ofTopUps.length).toBeGreaterThan(size / 10)
  expect(ofTopUps.some(({ isOwn }) => !isOwn)).toBe(true)
  expect(paid.length).toBeGreaterThan(ofTopUps.length)
})
