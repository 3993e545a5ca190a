import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../database/database.ts'
import type { Shop } from '../../shop/shop.ts'
import { openDrain } from '../../start/outbox-kind.ts'
import type { Supplier } from '../../supplier/provider.ts'
import { codesOfOrder, createSuppliersShop, openWalletBuyer, type SupplierShop } from '../../testing/supplier.ts'
import { checkLedger } from '../../wallet/ledger-check.ts'

// A process dies between every two of its steps, a step being a transaction or a call to a supplier; another one goes on.

const PIECES = 2
/** Longer than a dead process keeps its job. */
const LATER_SECONDS = 200
const MOST_STEPS = 60

let it: SupplierShop
let buy: (quantity: number) => Promise<string>
beforeAll(async () => {
  it = await createSuppliersShop(['kinguin', 'seagm'], { delivers: 'code' })
  buy = await openWalletBuyer(it)
})
afterAll(() => it.stop())

/** The shop as a process sees it that dies before its step number `last`. */
function mortal(shop: Shop, last: number) {
  let steps = 0
  let isDead = false
  const step = async <T>(work: () => Promise<T>): Promise<T> => {
    if (!isDead && ++steps >= last) isDead = true
    if (isDead) throw new Error('the process died')
    return work()
  }
  const db: Database = {
    ...shop.db,
    query: statement => step(() => shop.db.query(statement)),
    transaction: work => step(() => shop.db.transaction(work)),
  }
  const asked = (supplier: Supplier): Supplier => ({
    ...supplier,
    place: purchase => step(() => supplier.place(purchase)),
    status: (...about) => step(() => supplier.status(...about)),
  })
  const suppliers = Object.fromEntries(Object.values(shop.suppliers).map(supplier => [supplier.name, asked(supplier)]))
  return { shop: { ...shop, db, suppliers }, isDead: () => isDead }
}

/** Lets somebody else work on what the dead process left, through all times at which a purchase is asked about. */
async function goOn(): Promise<void> {
  for (let time = 0; time < 8; time++) {
    it.clock.advance(LATER_SECONDS)
    await it.drain()
  }
}

/** What an order was sold at the suppliers, and what its buyer has of it. */
async function outcomeOf(orderNo: string) {
  const { status, delivery } = await it.as('manager').call(getOrderForStaff, { params: { orderNo } })
  const references = new Set(delivery!.attempts.map(({ reference }) => reference))
  const sold = it.suppliers.flatMap(({ register }) =>
    [...register.booked.values()].flatMap(booked => (references.has(booked.reference) ? register.codesOf(booked) : [])),
  )
  return { status, sold, has: await codesOfOrder(it, orderNo), isOpen: delivery!.isOpen }
}

test('killed before each of its steps in turn, with a supplier that brings a part and one that brings the rest', async () => {
  const ends: string[] = []
  for (let last = 1; last <= MOST_STEPS; last++) {
    const orderNo = await buy(PIECES)
    it.suppliers[0]!.register.faults = ['someKeys']
    const process = mortal(it.shop, last)
    await openDrain(process.shop)
      .run()
      .catch(() => {})
    await goOn()
    const { status, sold, has, isOpen } = await outcomeOf(orderNo)
    const about = `step ${last}`
    expect(sold.length, about).toBeLessThanOrEqual(PIECES)
    expect(new Set(has).size, about).toBe(has.length)
    expect(has.toSorted(), about).toEqual(sold.toSorted())
    // Whole, or a purchase that nobody knows about is with staff; nothing is bought beside that.
    expect(status === 'success' ? has.length : isOpen, about).toBe(status === 'success' ? PIECES : true)
    ends.push(status)
    if (!process.isDead()) break
  }
  console.log(`${ends.length - 1} steps: ${ends.filter(end => end === 'success').length} orders whole`)
  // The last one was not killed.
  expect(ends.at(-1)).toBe('success')
  expect(ends.length).toBeGreaterThan(8)
  expect(ends.length).toBeLessThan(MOST_STEPS)
  expect((await checkLedger(it.db)).breaches).toEqual([])
})
