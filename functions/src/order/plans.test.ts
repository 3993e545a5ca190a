import { getBacklog } from '@shop/shared/backlog/endpoints.ts'
import { getBuyer } from '@shop/shared/credit/buyer-endpoints.ts'
import * as contract from '@shop/shared/order/endpoints.ts'
import { listOwnOrders } from '@shop/shared/order/own-endpoints.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Sql } from '../database/database.ts'
import { countOverdue } from '../statement/reconciliation-store.ts'
import { findUnclear } from '../supplier/store.ts'
import { fixture } from '../testing/fixture.ts'
import { buyByBank } from '../testing/orders.ts'
import { openCountingDatabase, type RowCounter } from '../testing/rows-read.ts'
import { createTestShop, type TestCaller, type TestShop } from '../testing/shop.ts'
import { addSettledOrders, addWaitingOrders } from '../testing/statement.ts'
import { dropUnusedBefore } from '../upload/unused.ts'
import { findOrders } from './finding/history-store.ts'
import { expireOrders } from './paying/expiry.ts'
import { openFacts } from './placing/facts-store.ts'
import { openOrderStore } from './placing/placing-store.ts'

let it: TestShop
let counter: RowCounter
beforeEach(async () => {
  it = await createTestShop()
  counter = openCountingDatabase(it.databaseUrl)
  it.shop.db = counter.db
  it.shop.findFacts = openFacts(counter.db)
  it.shop.storeOrder = openOrderStore(counter.db)
  // No sample is taken but those of the tests.
  for (const table of ['orders', 'reserved_amount', 'used_transfer', 'supplier_attempt', 'slip', 'statement_line'])
    await it.db.query({ text: `ALTER TABLE ${table} SET (autovacuum_enabled = false)` })
})
afterEach(async () => {
  await counter.db.close()
  await it.db.close()
})

const analyze = () => it.db.query({ text: 'ANALYZE' })
const ACCOUNT = { receivingAccountId: 1 }

/** What happens to orders in a rush, as the server does it. */
const DEEDS: Record<string, (caller: TestCaller) => Promise<unknown>> = {
  'a purchase': caller => buyByBank(caller),
  'what a purchase knows of its buyer': caller => caller.call(getBuyer, { params: { gameCode: fixture.pubg.code } }),
  'the list of their own orders': caller => caller.call(listOwnOrders, { query: {} }),
  'a payment': async caller => {
    const { orderNo } = await buyByBank(caller)
    return it.as('staff').call(contract.updateOrderStatus, { body: { orderNo, status: 'paid', reason: 'เห็นเงิน' } })
  },
  'an order whose time is over': async caller => {
    const { orderNo } = await buyByBank(caller)
    await it.db.query({
      text: `UPDATE orders SET expire_after = $2 WHERE order_no = $1`,
      values: [orderNo, addSeconds(it.clock.now, -1)],
    })
    expect(await expireOrders(it.shop)).toBe(1)
  },
}

const WAITING = 5000
const FEW = 200
let guests = 0
const deeds = Object.entries(DEEDS).flatMap(([name, deed]) =>
  [null, 'customer'].map(uid => [name, uid === null ? 'a guest' : 'a customer', deed, uid] as const),
)

test.each(deeds)('in a rush %s of %s reads a handful of rows, though the sample knew few who wait', async (...of) => {
  const [, , deed, uid] = of
  // A guest's browser each; a customer pays one order before the next.
  const next = () => it.as(uid ?? null, uid ? {} : { 'guest-key': String(++guests).padStart(22, 'A') })
  await addSettledOrders(it.db, { ...ACCOUNT, count: 3000, at: addSeconds(it.clock.now, -86_400) })
  await analyze()
  const finish = () => it.db.query({ text: `UPDATE orders SET status = 'cancel' WHERE status = 'waiting_payment'` })
  // After a few calls the server keeps the plans of its named statements.
  for (let call = 0; call < 7; call++) {
    await deed(next())
    await finish()
  }
  await analyze()
  await addWaitingOrders(it.db, { ...ACCOUNT, count: WAITING, createdAt: it.clock.now, priceSatang: 1_000_000 })
  await it.db.query({ text: `UPDATE orders SET guest_slot = 1 WHERE status = 'waiting_payment'` })
  expect(await counter.count(() => deed(next()))).toBeLessThan(FEW)
})

test('in a rush the backlog of staff reads what they have to do, and not all who wait', async () => {
  const wait = async (count: number) => {
    await it.db.query({ text: 'DELETE FROM order_event' })
    await it.db.query({ text: 'DELETE FROM reserved_amount' })
    await it.db.query({ text: 'DELETE FROM orders' })
    await addWaitingOrders(it.db, { ...ACCOUNT, count, createdAt: it.clock.now, priceSatang: 1_000_000 })
    await it.db.query({
      text: `UPDATE orders SET transfer_reported_at = created_at WHERE order_no IN ('BULK1', 'BULK2')`,
    })
  }
  const look = () =>
    it
      .as('manager')
      .call(getBacklog, {})
      .then(({ waiting }) => expect(waiting.reports?.count).toBe(2))
  await wait(100)
  await analyze()
  await look()
  const few = await counter.count(look)
  await wait(WAITING)
  expect(await counter.count(look)).toBeLessThanOrEqual(few + 20)
})

/** What the jobs do again and again, and what staff look up all day. */
const LOOKS: Record<string, () => Promise<unknown>> = {
  'the last five digits of a number': () =>
    findOrders(counter.db, { text: '00007', page: 1, pageSize: 20 }, 'staff').then(({ rows }) =>
      expect(rows).toHaveLength(1),
    ),
  'money without a line': () =>
    countOverdue(it.shop.db, '2026-10-01', it.clock.now).then(found => expect(found).toEqual({ orders: 0, topUps: 0 })),
  'purchases that staff must look at': () => findUnclear(it.shop.db),
  'slips that nobody handed in': () => dropUnusedBefore(it.shop.db, it.shop.files, it.clock.now, 200),
}

test.each(Object.entries(LOOKS))('%s: read in as few rows beside thousands that are settled', async (_, look) => {
  const settle = async (count: number) => {
    await addSettledOrders(it.db, { ...ACCOUNT, count, at: addSeconds(it.clock.now, -5 * 86_400) })
    await analyze()
  }
  await settle(100)
  const few = await counter.count(look)
  await settle(5000)
  expect(await counter.count(look)).toBeLessThanOrEqual(few + 20)
})

test('a whole order number is looked up as such, wherever it stands in the sample', async () => {
  const months = { ...ACCOUNT, count: 4500, at: new Date('2025-11-20T05:00:00.000Z') }
  await addSettledOrders(it.db, months)
  await addSettledOrders(it.db, { ...months, count: 500, at: it.clock.now })
  await analyze()
  const plans: string[] = []
  const explained: Sql = {
    ...it.db,
    async query<Row>({ text, values }: { text: string; values?: unknown[] }) {
      const lines = await it.db.query<{ 'QUERY PLAN': string }>({ text: `EXPLAIN ${text}`, values })
      plans.push(...lines.map(line => line['QUERY PLAN']))
      return it.db.query<Row>({ text, values })
    },
  }
  // Near these the planner expects more numbers with the same beginning than elsewhere.
  const bounds = await it.db.query<{ no: string }>({
    text: `SELECT unnest(histogram_bounds::text::text[]) AS no FROM pg_stats WHERE tablename = 'orders' AND attname = 'order_no'`,
  })
  for (const { no } of bounds) await findOrders(explained, { orderNo: no, page: 1, pageSize: 20 }, 'staff')
  const found = plans.filter(line => line.includes('orders_order_no'))
  expect(found).toHaveLength(2 * bounds.length)
  expect(plans.filter(line => line.includes('orders_created'))).toEqual([])
})
