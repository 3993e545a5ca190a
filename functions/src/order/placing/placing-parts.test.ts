import { confirmCredit, takeRefundAsCredit } from '@shop/shared/credit/endpoints.ts'
import { confirmOrder } from '@shop/shared/order/endpoints.ts'
import { createApiOrder } from '@shop/shared/reseller/v1-endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setPin } from '../../access/pin.ts'
import { developmentPins } from '../../account/pins.ts'
import { fixture } from '../../testing/fixture.ts'
import { addKey, machineOf } from '../../testing/machine.ts'
import { buyAndRefund, buyByBank } from '../../testing/orders.ts'
import { addAccount, createTestShop, onceKey, type TestShop } from '../../testing/shop.ts'
import { dumpTables, sellCodes, stockCodes } from '../../testing/vouchers.ts'
import { addWallet } from '../../testing/wallet.ts'
import { PARTS, type Part, type PartName, type PlacedOrder, part } from './placing-parts.ts'
import { insertOrder, nameOf } from './placing-store.ts'

let it: TestShop
let send: ReturnType<typeof machineOf>
const query = (text: string, values: unknown[] = []) => it.db.query<Record<string, unknown>>({ text, values })

beforeAll(async () => {
  it = await createTestShop()
  const { now } = it.clock
  await addWallet(it.db, { uid: 'agent', balanceSatang: 10_000_000, pin: '1234', now })
  send = machineOf(it.request, (await addKey(it, 'agent', { dailyLimitSatang: 1_000_000 })).token)
  for (const [name, value] of Object.entries({ SHOP_CREDIT: 'true', CREDIT_PIN_ABOVE: '1000' }))
    await query('INSERT INTO option (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = $2', [
      name,
      value,
    ])
  await query('UPDATE catalogue_version SET version = version + 1')
  await addAccount(it, 'saver', 'customer')
  for (let times = 0; times < 2; times++) {
    const { orderNo } = await buyAndRefund(it, it.as('saver'))
    await it.as('saver').call(takeRefundAsCredit, { params: { orderNo }, idempotencyKey: onceKey() })
  }
})
afterAll(() => it.db.close())

const PURCHASE = { gameId: fixture.pubg.id, packageId: fixture.pubg.package, playerId: '5123456789', termsVersion: '1' }
const byWallet = () =>
  it.as('agent').call(confirmOrder, { body: { ...PURCHASE, pin: '1234' }, idempotencyKey: onceKey() })
const byCredit = (pin?: string) =>
  it.as('saver').call(confirmCredit, { body: { ...PURCHASE, pin }, idempotencyKey: onceKey() })
let refs = 0
const byMachine = () =>
  send(createApiOrder, { body: { ref: `parts-${++refs}`, packageId: 1, playerId: '5123456789', quantity: 1 } as never })
const byTransfer = () => buyByBank(it.as(null))

/** What a purchase is decided to be, and nothing of it stored. */
async function decided(buy: () => Promise<unknown>): Promise<PlacedOrder> {
  const { storeOrder } = it.shop
  const found: PlacedOrder[] = []
  it.shop.storeOrder = async placed => {
    found.push(placed)
    throw new Error('not yet')
  }
  await buy().catch(() => {})
  it.shop.storeOrder = storeOrder
  return found[0]!
}

/** A purchase by PIN and shop credit. */
async function byCreditAndPin() {
  await setPin(it.db, 'saver', developmentPins().hash('saver', '1234'))
  await query(`UPDATE credit SET left_satang = left_satang + 10000000 WHERE uid = 'saver'`)
  return byCredit('1234')
}

test('one entry more is needed, locked, counted and written with the order', async () => {
  await query('CREATE TABLE coupon (code text PRIMARY KEY, uses int NOT NULL, most int NOT NULL)')
  await query('CREATE TABLE coupon_use (order_id uuid REFERENCES orders, code text)')
  await query(`INSERT INTO coupon VALUES ('NOV', 0, 3)`)
  const coupon = part({
    values: () => ({ code: 'NOV' }),
    needs: ({ code }) => ({
      coupon: { row: 'coupon c', where: `c.code = ${code} AND c.uses < c.most`, lock: 'UPDATE' },
    }),
    writes: ({ code }) => [
      `counted_use AS (UPDATE coupon SET uses = uses + 1 FROM made WHERE code = ${code})`,
      `kept_use AS (INSERT INTO coupon_use SELECT id, ${code} FROM made)`,
    ],
  })
  const { reply, ...others } = PARTS
  const parts = { reply, coupon, ...others }
  const orders = [await decided(byWallet)]
  for (let buyer = 0; buyer < 7; buyer++) orders.push(await decided(byTransfer))
  const made = await Promise.all(orders.map(placed => insertOrder(it.db, placed, parts)))
  expect(made.filter(Boolean)).toHaveLength(3)
  const stored = 'SELECT id FROM orders WHERE id = ANY($1) ORDER BY id'
  const ids = orders.map(({ outcome }) => outcome.order.id)
  const uses = await query('SELECT order_id AS id FROM coupon_use ORDER BY order_id')
  expect(uses).toHaveLength(3)
  expect(await query(stored, [ids])).toEqual(uses)
  expect(await query('SELECT uses FROM coupon')).toEqual([{ uses: 3 }])
})

interface Meanwhile {
  buy: () => Promise<unknown>
  /** What else happens before it is stored, and how that is taken back. */
  happens: [spoil: string, mend: string][]
}

const PIN_CHANGED: Meanwhile['happens'] = [
  ['UPDATE pin SET version = version + 1', 'UPDATE pin SET version = version - 1'],
]
const LATER: Meanwhile['happens'] = [
  ['UPDATE catalogue_version SET version = version + 1', 'UPDATE catalogue_version SET version = version - 1'],
]
/** For each part that an order depends on: what makes it fail. */
const MEANWHILE = {
  key: {
    buy: byMachine,
    happens: [
      [
        `UPDATE reseller_key SET ended_at = now(), ended_for = 'owner'`,
        'UPDATE reseller_key SET ended_at = NULL, ended_for = NULL',
      ],
      ['UPDATE reseller_day SET spent_satang = 1000000', 'UPDATE reseller_day SET spent_satang = 0'],
    ],
  },
  pin: { buy: byWallet, happens: PIN_CHANGED },
  credit: {
    buy: () => byCredit(),
    happens: [
      [
        'UPDATE credit SET left_satang = left_satang + 10000000',
        'UPDATE credit SET left_satang = left_satang - 10000000',
      ],
    ],
  },
  pinCredit: { buy: byCreditAndPin, happens: PIN_CHANGED },
  amount: {
    buy: byTransfer,
    happens: [
      [
        `INSERT INTO reserved_amount (id, receiving_account_id, amount_satang, price_satang, buyer_key, reusable_at)
          SELECT gen_random_uuid(), 1, ${fixture.pubg.bankSatang} + tail, ${fixture.pubg.bankSatang}, 'somebody', 'infinity'
          FROM generate_series(1, 99) AS tail ON CONFLICT DO NOTHING`,
        `DELETE FROM reserved_amount WHERE buyer_key = 'somebody'`,
      ],
    ],
  },
  allCodes: {
    buy: async () => {
      await sellCodes(it)
      await stockCodes(it, 2)
      return byWallet()
    },
    happens: [[`UPDATE voucher SET expires_on = '2020-01-01'`, 'UPDATE voucher SET expires_on = NULL']],
  },
} satisfies Partial<Record<PartName, Meanwhile>>

/** A part as its texts are. */
function textsOf(one: Part) {
  const sent: Record<string, string> = new Proxy({}, { get: () => '$2' })
  return { needs: Object.keys(one.needs?.(sent) ?? {}), join: one.takes?.(sent).join }
}
const depending = Object.entries(PARTS).filter(([, one]) => {
  const { needs, join } = textsOf(one)
  return needs.length > 0 || join
})

test('each part that an order depends on is tried below', () => {
  expect(Object.keys(MEANWHILE)).toEqual(depending.map(([name]) => name))
})

test.each(Object.entries(MEANWHILE))(
  'a part that fails (%s) stores nothing at all, and so does an outdated catalogue',
  async (name, { buy, happens }) => {
    const placed = await decided(buy)
    expect(PARTS[name as PartName].values(placed)).not.toBeNull()
    for (const [spoil, mend] of [...happens, ...LATER]) {
      await query(spoil)
      const before = await dumpTables(it)
      expect(await insertOrder(it.db, placed)).toBeNull()
      expect(await dumpTables(it)).toBe(before)
      await query(mend)
    }
    expect(await insertOrder(it.db, placed)).not.toBeNull()
    expect(await query('SELECT status FROM orders WHERE id = $1', [placed.outcome.order.id])).toEqual([
      { status: placed.outcome.order.status },
    ])
  },
)

test('whatever parts an order has, PostgreSQL tells its statement from all others by its name', () => {
  const all = Object.keys(PARTS)
  const names = Array.from({ length: 2 ** all.length }, (_, bits) => nameOf(all.filter((_, at) => bits & (1 << at))))
  expect(new Set(names.map(name => name.slice(0, 63))).size).toBe(names.length)
  expect(nameOf(['reply', 'amount'])).toBe('order_insert_reply_amount')
})
