import { chargeOrder, getCharge } from '@shop/shared/order/charge-endpoints.ts'
import { getOrder, updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { GATEWAY_NAMES } from '@shop/shared/provider-names.ts'
import type { Charge, Fault, MessageFault, Register } from 'local/gateway/register.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkGateway } from '../../gateway/check.ts'
import { buyByGateway, createStandInShop, type StandInShop } from '../../testing/gateway.ts'
import { codeOf } from '../../testing/orders.ts'
import { addAccount, type TestCaller } from '../../testing/shop.ts'
import { checkLedger } from '../../wallet/ledger-check.ts'
import { expireOrders } from './expiry.ts'

const PRICE = 14_900
/** 1.65 % and 7 % tax of it. */
const FEE = 263
const TIMEOUT_MS = 400

/** One order of a customer, and what happens to it. */
interface Scene {
  orderNo: string
  buyer: TestCaller
  register: Register
  /** What the gateway has of this order, the oldest first. */
  references(): string[]
  /** As the payment page does; returns the code that it ends with. @param faults what goes wrong with the gateway's answers */
  charge(...faults: Fault[]): Promise<string>
  /** As the buyer does in their bank's app. */
  pay(reference?: string, fault?: MessageFault): Promise<void>
  cancel(): Promise<void>
  /** Time goes by, and what is due is done. */
  pass(seconds: number, ...faults: Fault[]): Promise<void>
  /** The gateway's list is compared with the books. */
  night(): Promise<unknown>
}

/** How an order ends, and what has become of its charges; what is owed and what is booked follow from that. */
interface End {
  order: 'paid' | 'expired' | 'cancel'
  charges: string[]
  owed?: number
  /** What the gateway has said that can't be, for staff; its money is in no book. */
  contradiction?: string
  /** How the shop answered the webhooks; those about an expiry are not sent by all gateways. */
  heard?: number[]
}

type Row = [title: string, act: (scene: Scene) => Promise<void>, end: End]

const PAID: End = { order: 'paid', charges: ['paid'], heard: [204] }

/** The gateway makes no charge, and no second look helps. The buyer is told, and tries again at once. */
const asksAgain = (...faults: Fault[]): Row => [
  `${faults.join(', ')}, when a charge is asked for: the buyer tries again and pays`,
  async ({ charge, pay }) => {
    expect(await charge(...faults)).toBe('GATEWAY_UNAVAILABLE')
    expect(await charge()).toBe('OK')
    await pay()
  },
  { ...PAID, charges: ['failed', 'paid'] },
]

/** A fault whose answer is lost although the charge is there. The second look finds it. */
const isFound = (title: string, fault: Fault): Row => [
  `${title}: the charge is found at once, and paid`,
  async ({ charge, pay, buyer, orderNo }) => {
    expect(await charge(fault)).toBe('OK')
    expect(await buyer.call(getCharge, { params: { orderNo } })).toMatchObject({ state: 'waiting', pay: {} })
    await pay()
  },
  PAID,
]

const whenAsked = (fault: Fault): Row => [
  `${fault}, when the shop asks after a webhook: it asks again`,
  async ({ charge, pay, pass }) => {
    await charge()
    await pay()
    await pass(0, fault)
    await pass(30)
  },
  PAID,
]

const whenEnded = (fault: Fault): Row => [
  `${fault}, when a charge is ended: it is asked again`,
  async ({ charge, cancel, pass }) => {
    await charge()
    await cancel()
    await pass(0, fault)
    await pass(30)
  },
  { order: 'cancel', charges: ['expired'], heard: [204] },
]

const byWebhook = (title: string, fault: MessageFault, heard: number[]): Row => [
  `webhook ${title}`,
  async ({ charge, pay, pass }) => {
    await charge()
    await pay(undefined, fault)
    await pass(31)
  },
  { ...PAID, heard },
]

const NO_ANSWER = ['key', 'tooMany', 'broken', 'lost', 'slow', 'hang'] as const satisfies Fault[]

const ROWS: Row[] = [
  asksAgain('key'),
  // It may have been stored all the same, which only the gateway's list says.
  asksAgain('tooMany'),
  // Nothing was stored, which only the gateway's list says.
  asksAgain('broken', 'broken'),
  asksAgain('hang', 'hang'),
  isFound('reset after storing', 'lost'),
  isFound('an answer that is too slow', 'slow'),
  [
    'lost twice: the buyer goes on by another one, and the lost one is found and ended',
    async ({ charge, pass, pay, references, register }) => {
      expect(await charge('lost', 'lost')).toBe('GATEWAY_UNAVAILABLE')
      expect(await charge()).toBe('OK')
      await pass(31)
      await pass(0)
      const [lost] = references()
      expect(['expired', 'canceled']).toContain(register.find(lost!)!.status)
      await pay()
    },
    { order: 'paid', charges: ['expired', 'paid'] },
  ],
  ...NO_ANSWER.map(whenAsked),
  ...(['tooMany', 'broken', 'lost'] as const).map(whenEnded),
  byWebhook('none', 'never', []),
  byWebhook('late, when the job was faster', 'late', [204]),
  byWebhook('twice', 'twice', [204, 204]),
  byWebhook('forged', 'forged', [403]),
  byWebhook('old', 'old', [403]),
  byWebhook('in wrong order, before the money', 'early', [204]),
  [
    'success after expiry',
    async ({ charge, pay, pass, references }) => {
      await charge()
      await pass(20 * 60)
      await pay(references()[0])
    },
    { order: 'expired', charges: ['paid'], owed: PRICE },
  ],
  [
    'success after cancel',
    async ({ charge, cancel, pay, pass, references }) => {
      await charge()
      await cancel()
      await pass(0)
      await pay(references()[0])
    },
    { order: 'cancel', charges: ['paid'], owed: PRICE, heard: [204, 204] },
  ],
  [
    'success between the cancelling and its being told to the gateway',
    async ({ charge, cancel, pay }) => {
      await charge()
      await cancel()
      await pay(undefined, 'never')
    },
    { order: 'cancel', charges: ['paid'], owed: PRICE, heard: [] },
  ],
  [
    'two charges, both paid',
    async ({ charge, pay, references }) => {
      await charge('lost', 'lost')
      await charge()
      const [lost, second] = references()
      await pay(second)
      await pay(lost)
    },
    { order: 'paid', charges: ['paid', 'paid'], owed: PRICE, heard: [204, 204] },
  ],
  [
    'a list that lacks it without saying so, long after it was made: the night finds what was paid',
    async ({ register, references, charge, pass, pay, night }) => {
      await charge('lost', 'lost')
      const [hidden] = references().map(reference => register.charges.get(reference)!)
      register.charges.delete(hidden!.id)
      await pass(125)
      register.charges.set(hidden!.id, hidden!)
      await pay()
      await pass(600)
      await night()
    },
    PAID,
  ],
]

/** What the gateway says of a charge, so that it is not the one which the shop has asked for. */
const DIFFERENT: [title: string, change: Partial<Charge>, contradiction: string][] = [
  ['amount different', { amountSatang: 100 }, 'amountSatang is 100'],
  ['currency different', { currency: 'USD' }, 'currency is usd'],
  ["other mode's key", { isLive: true }, 'isLive is true'],
  ['of another charge', { metadata: { charge: '01900000-0000-7000-8000-000000000001' } }, 'chargeId is 01900000'],
]
ROWS.push(
  ...DIFFERENT.map(
    ([title, change, contradiction]): Row => [
      title,
      async ({ charge, pay, references, register }) => {
        await charge()
        Object.assign(register.find(references()[0]!)!, change)
        await pay()
      },
      { order: 'expired', charges: ['waiting'], contradiction, heard: [204] },
    ],
  ),
)

describe.each(GATEWAY_NAMES)('%s', name => {
  let it: StandInShop
  beforeAll(async () => {
    it = await createStandInShop(name, { slowMs: 2 * TIMEOUT_MS, env: { GATEWAY_TIMEOUT_MS: String(TIMEOUT_MS) } })
  })
  afterAll(() => it?.stop())

  let scenes = 0
  /** Places an order. That asks the gateway nothing, and neither does reading it. */
  async function open(): Promise<Scene> {
    const { register } = it.standIn
    const uid = `buyer-${++scenes}`
    await addAccount(it, uid, 'customer')
    const buyer = it.as(uid)
    register.faults = ['hang']
    const { orderNo } = await buyByGateway(buyer)
    const read = () => buyer.call(getOrder, { params: { orderNo } })
    await read()
    expect(register.faults.splice(0)).toEqual(['hang'])
    const before = new Set(register.charges.keys())
    const references = () => [...register.charges.keys()].filter(reference => !before.has(reference))
    return {
      orderNo,
      buyer,
      register,
      references,
      night: () => checkGateway(it.shop),
      async charge(...faults) {
        register.faults.push(...faults)
        const charged = codeOf(buyer.call(chargeOrder, { params: { orderNo }, body: { method: 'promptpay' } }))
        // A gateway that lets its caller wait lets nobody else wait.
        const isWaiting = faults.includes('hang') || faults.includes('slow')
        const first = isWaiting && (await Promise.race([charged, read().then(() => 'order')]))
        if (isWaiting) expect(first).toBe('order')
        const code = await charged
        expect(register.faults).toEqual([])
        return code
      },
      async pay(reference = references().at(-1)!, fault) {
        if (fault) register.messageFaults.push(fault)
        await register.pay(reference)
      },
      cancel: async () => void (await buyer.call(updateOrderStatus, { body: { orderNo, status: 'cancel' } })),
      async pass(seconds, ...faults) {
        it.clock.advance(seconds)
        await expireOrders(it.shop)
        register.faults.push(...faults)
        await it.drain()
        expect(register.faults).toEqual([])
      },
    }
  }

  async function settle({ pass }: Scene): Promise<void> {
    for (const seconds of [0, 30, 90, 180, 900, 1800, 3600]) await pass(seconds)
    await it.standIn.tellLate()
    await pass(0)
  }

  /** What stands in the books about an order, each kind once however often it was tried. */
  async function booksOf(orderNo: string) {
    const [row] = await it.db.query<{ status: string; sales: number; owed: number; gateway: number; fees: number }>({
      text: `WITH mine AS (
          SELECT id FROM orders WHERE order_no = $1 UNION ALL
          SELECT c.id FROM charge c JOIN orders o ON o.id = c.order_id WHERE o.order_no = $1
        ), sums AS (
          SELECT e.account, sum(e.amount_satang)::int AS sum FROM ledger_transaction t JOIN ledger_entry e ON e.transaction_id = t.id
          WHERE t.subject_id IN (SELECT id FROM mine) GROUP BY e.account
        )
        SELECT o.status, coalesce((SELECT sum FROM sums WHERE account = 'sales'), 0) AS sales,
          coalesce((SELECT sum FROM sums WHERE account = 'fees'), 0) AS fees,
          coalesce((SELECT sum FROM sums WHERE account LIKE 'gateway:%'), 0) AS gateway,
          (SELECT coalesce(sum(amount_satang), 0)::int FROM owed_refund f WHERE f.order_id = o.id) AS owed
        FROM orders o WHERE o.order_no = $1`,
      values: [orderNo],
    })
    return row!
  }
  const chargesOf = (orderNo: string) =>
    it.db.query<{ state: string; contradiction: string | null }>({
      text: `SELECT c.state, c.contradiction FROM charge c JOIN orders o ON o.id = c.order_id WHERE o.order_no = $1 ORDER BY c.id`,
      values: [orderNo],
    })

  test.each(ROWS)('%s', async (_, act, end) => {
    it.heard.length = 0
    const scene = await open()
    await act(scene)
    await settle(scene)
    const charges = await chargesOf(scene.orderNo)
    expect(charges.map(({ state }) => state)).toEqual(end.charges)
    const paid = end.charges.filter(state => state === 'paid').length
    const kept = paid * FEE
    const sales = end.order === 'paid' ? PRICE : 0
    expect(await booksOf(scene.orderNo)).toEqual({
      status: end.order,
      sales,
      owed: end.owed ?? 0,
      gateway: kept - paid * PRICE,
      fees: 0 - kept,
    })
    // Each payment pays the order or is owed, and none does both.
    expect(sales + (end.owed ?? 0)).toBe(paid * PRICE)
    if (end.heard) expect(it.heard).toEqual(end.heard)
    expect((await checkLedger(it.db)).breaches).toEqual([])
    const differing = (await checkGateway(it.shop)).filter(line => scene.references().some(each => line.includes(each)))
    if (end.contradiction) {
      expect(charges[0]!.contradiction).toContain(end.contradiction)
      expect(differing).toHaveLength(1)
    } else {
      expect(charges.filter(({ contradiction }) => contradiction !== null)).toEqual([])
      expect(differing).toEqual([])
    }
  })
})
