import { faultsOf } from 'local/supplier/faults.ts'
import { expect, onTestFinished } from 'vitest'
import { SERVICE } from '../../config/outside.ts'
import { openDrain } from '../../start/outbox-kind.ts'
import { checkSuppliers } from '../../supplier/check.ts'
import { testAtRandom } from '../../testing/random.ts'
import { BALANCE, createSupplierShop, openWalletBuyer, type SupplierShop } from '../../testing/supplier.ts'

const FAULTS = faultsOf('seagm')
const NAME = 'orders, faults at random, two drains at once, callbacks at any time: each is bought at most once'

const counts = async (it: SupplierShop): Promise<Record<string, number>> => {
  const rows = await it.db.query<{ status: string; n: number }>({
    text: `SELECT status, count(*)::int AS n FROM orders GROUP BY status`,
  })
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]))
}

testAtRandom(NAME, { size: 200 }, async ({ size, below, tell }) => {
  const it = await createSupplierShop({ SUPPLIER_TIMEOUT_MS: '150' })
  onTestFinished(() => it.stop())
  const { register } = it.supplier
  const buy = await openWalletBuyer(it)
  const other = openDrain(it.shop)
  const both = () => Promise.all([it.drain(), other.run()])
  const goWrong = () => {
    register.faults.push(FAULTS[below(FAULTS.length)]!)
    tell(`a purchase is to meet ${register.faults.at(-1)}`)
  }
  for (let placed = 0; placed < size; placed += 20) {
    for (let n = placed; n < Math.min(placed + 20, size); n++) {
      const quantity = 1 + below(3)
      tell(`${quantity} are bought by ${await buy(quantity)}`)
      // Two of three purchases go wrong in some way.
      if (below(3) > 0) goWrong()
    }
    for (let n = 0; n < 8; n++) goWrong()
    await both()
    const seconds = below(40)
    tell(`both drains ran; ${seconds} s pass, callbacks come while both run again`)
    it.clock.advance(seconds)
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
  const { success = 0, processing = 0, paid = 0 } = await counts(it)
  expect(success).toBe(delivered.length)
  expect(success + processing + paid).toBe(size)
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
