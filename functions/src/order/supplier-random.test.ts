import { randomInt } from 'node:crypto'
import { faultsOf } from 'local/supplier/faults.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDrain } from '../outbox-kind.ts'
import { SERVICE } from '../outside.ts'
import { checkSuppliers } from '../supplier/check.ts'
import { randomFrom } from '../testing/random.ts'
import { BALANCE, createSupplierShop, openWalletBuyer, type SupplierShop } from '../testing/supplier.ts'

const ORDERS = 200
const FAULTS = faultsOf('seagm')

let it: SupplierShop
beforeAll(async () => {
  it = await createSupplierShop({ SUPPLIER_TIMEOUT_MS: '150' })
})
afterAll(() => it.stop())

const counts = async (): Promise<Record<string, number>> => {
  const rows = await it.db.query<{ status: string; n: number }>({
    text: `SELECT status, count(*)::int AS n FROM orders GROUP BY status`,
  })
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]))
}

test(`${ORDERS} orders, faults at random, two drains at once, callbacks at any time: each is bought at most once`, async () => {
  const seed = randomInt(2 ** 31)
  console.log(`seed ${seed}`)
  const draw = randomFrom(seed)
  const random = (below: number) => Math.floor(draw() * below)
  const { register } = it.supplier
  const buy = await openWalletBuyer(it)
  const other = openDrain(it.shop)
  const both = () => Promise.all([it.drain(), other.run()])
  for (let placed = 0; placed < ORDERS; placed += 20) {
    for (let n = 0; n < 20; n++) {
      await buy(1 + random(3))
      // Two of three purchases go wrong in some way.
      if (random(3) > 0) register.faults.push(FAULTS[random(FAULTS.length)]!)
    }
    register.faults.push(...Array.from({ length: 8 }, () => FAULTS[random(FAULTS.length)]!))
    await both()
    it.clock.advance(random(40))
    await Promise.all([it.supplier.tellDue(), both()])
    // What a refusal stopped, a manager lets go on.
    await it.db.query({ text: `UPDATE supplier SET stopped_at = NULL, stopped_for = NULL, broken_until = NULL` })
  }
  register.faults = []
  for (const seconds of [10, 30, 120, 300, 900, 900]) {
    it.clock.advance(seconds)
    await both()
  }
  const bought = [...register.booked.values()]
  const attempts = await it.db.query<{ orderId: string; reference: string; state: string; cost: number | null }>({
    text: `SELECT order_id AS "orderId", reference, state, cost_satang AS cost FROM supplier_attempt`,
  })
  const orderOf = new Map(attempts.map(({ reference, orderId }) => [reference, orderId]))
  const orders = bought.map(({ reference }) => orderOf.get(reference))
  expect(orders).not.toContain(undefined)
  expect(new Set(orders).size).toBe(orders.length)
  // The money that is gone is what the delivered ones cost, and what nobody knows the end of yet.
  const open = bought.filter(({ reference }) =>
    attempts.some(each => each.reference === reference && ['unknown', 'accepted'].includes(each.state)),
  )
  const delivered = attempts.filter(({ state }) => state === 'delivered')
  const spent = delivered.reduce((sum, { cost }) => sum + cost!, 0)
  const inDoubt = open.reduce((sum, { costSatang, givenBackSatang }) => sum + costSatang - givenBackSatang, 0)
  const lateRefunds = bought
    .filter(({ fault }) => fault === 'lateRefund')
    .reduce((sum, { givenBackSatang }) => sum + givenBackSatang, 0)
  expect(BALANCE - register.balanceSatang).toBe(spent - lateRefunds + inDoubt)
  const { success = 0, processing = 0, paid = 0 } = await counts()
  expect(success).toBe(delivered.length)
  expect(success + processing + paid).toBe(ORDERS)
  const withStaff = attempts.filter(({ state }) => ['sending', 'unknown', 'accepted'].includes(state))
  expect(processing).toBe(withStaff.length)
  expect(await it.db.query({ text: `SELECT 1 FROM supplier_attempt WHERE state = 'sending'` })).toEqual([])
  const unseen = `SELECT 1 FROM supplier_attempt WHERE state IN ('unknown', 'accepted') AND NOT is_with_staff`
  expect(await it.db.query({ text: unseen })).toEqual([])
  // Here an answer that comes late on a busy machine would be no answer.
  const suppliers = SERVICE.suppliers.make({ ...it.shop.config, SUPPLIER_TIMEOUT_MS: 20_000 }, it.shop.now)
  const { purchases, differences } = await checkSuppliers({ ...it.shop, suppliers }, it.db)
  expect(purchases).toBe(attempts.length)
  expect(differences.filter(({ kind }) => kind !== 'open' && kind !== 'balance')).toEqual([])
  expect(differences.filter(({ kind }) => kind === 'open')).toHaveLength(withStaff.length)
})
