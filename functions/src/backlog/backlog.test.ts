import { getBacklog } from '@shop/shared/backlog/endpoints.ts'
import { beginDelivery, finishDelivery } from '@shop/shared/order/delivery.ts'
import * as orders from '@shop/shared/order/endpoints.ts'
import { addSeconds } from '@shop/shared/time.ts'
import * as wallets from '@shop/shared/wallet/endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expireOrders } from '../order/paying/expiry.ts'
import { lockOrder, saveOutcome } from '../order/store.ts'
import { buyByBank, report } from '../testing/orders.ts'
import { addAccount, createTestShop, onceKey, type TestShop } from '../testing/shop.ts'
import { addLines, lineOf } from '../testing/statement.ts'
import { addSlip, addWallet } from '../testing/wallet.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
  for (const uid of ['b1', 'b2', 'b3', 'b4']) await addAccount(it, uid, 'customer')
  await addWallet(it.db, { uid: 'agent', balanceSatang: 0, pin: '1234', now: it.clock.now })
})
afterAll(() => it.db.close())

const change = (orderNo: string, status: 'paid' | 'processing' | 'success' | 'refunded') =>
  it
    .as('manager')
    .call(orders.updateOrderStatus, { body: { orderNo, status, reason: 'ตรวจแล้ว', deliveryReference: 'R' } })
const workFor = (uid: string) => it.as(uid).call(getBacklog, {})
const later = (minutes: number) => {
  it.clock.now = addSeconds(it.clock.now, minutes * 60)
}

test('a quiet shop has nothing to do, and says what could wait', async () => {
  const { waiting, statements, deadCalls } = await workFor('manager')
  expect(Object.values(waiting).map(({ count }) => count)).toEqual(Array(16).fill(0))
  expect(waiting.orders).toMatchObject({ oldest: null, inHand: 0 })
  expect(statements.map(({ lastLineAt }) => lastLineAt)).toContain(null)
  expect(deadCalls).toBe(0)
})

test('only the demo shop tells where to try it', async () => {
  expect((await workFor('staff')).demo).toBeUndefined()
  const demo = await createTestShop({ DEMO_BANK_URL: 'http://localhost:9800' })
  try {
    const told = await demo.as('staff').call(getBacklog, {})
    expect(told.demo).toEqual({ shopUrl: demo.shop.config.STOREFRONT_URL, bankUrl: 'http://localhost:9800' })
  } finally {
    await demo.db.close()
  }
})

test('orders wait from their payment to their delivery, reports until somebody looks, and the oldest is told', async () => {
  const [paid, reported, late] = [
    await buyByBank(it.as('b1')),
    await buyByBank(it.as('b2')),
    await buyByBank(it.as('b3')),
  ]
  const unreported = await buyByBank(it.as('b4'))
  await report(it.as('b3'), late.orderNo)
  const lateSince = it.clock.now
  later(1)
  await change(paid.orderNo, 'paid')
  await report(it.as('b2'), reported.orderNo)
  const { waiting } = await workFor('staff')
  const reports = { count: 2, oldest: lateSince.toISOString(), amountSatang: reported.amountSatang + late.amountSatang }
  expect(waiting.reports).toMatchObject(reports)
  expect(waiting.orders).toMatchObject({
    count: 1,
    oldest: it.clock.now.toISOString(),
    amountSatang: paid.amountSatang,
    inHand: 0,
  })
  await change(paid.orderNo, 'processing')
  expect((await workFor('staff')).waiting.orders).toMatchObject({ count: 1, inHand: 1 })
  await change(paid.orderNo, 'success')
  later(24 * 60)
  await expireOrders(it.shop)
  const after = (await workFor('staff')).waiting
  expect(after.orders).toMatchObject({ count: 0 })
  // What was reported is money that may have come: its time being over ends nothing.
  expect(after.lateReports).toMatchObject(reports)
  expect(after.reports).toMatchObject({ count: 0 })
  expect(
    (await it.as('staff').call(orders.listAllOrders, { query: { orderNo: unreported.orderNo } })).rows,
  ).toMatchObject([{ status: 'expired' }])
})

test('top-ups, lines and refunds wait for managers; staff are not told of them', async () => {
  const slipId = await addSlip(it, 'u:agent')
  const body = { amountSatang: 50_000, slipId }
  await it.as('agent').call(wallets.saveTopUp, { body, idempotencyKey: onceKey() })
  await addLines(it, [lineOf({ amountSatang: 12_345, at: it.clock.now })])
  const order = await buyByBank(it.as('b1'))
  await change(order.orderNo, 'paid')
  await change(order.orderNo, 'refunded')
  const { waiting, statements } = await workFor('manager')
  expect(waiting.topUps).toMatchObject({ count: 1, amountSatang: 50_000 })
  expect(waiting.lines).toMatchObject({ count: 1, amountSatang: 12_345, receivingAccountId: 1 })
  expect(waiting.refunds).toMatchObject({ count: 1, amountSatang: order.amountSatang })
  expect(statements.find(({ receivingAccountId }) => receivingAccountId === 1)?.lastLineAt).toBe(
    it.clock.now.toISOString(),
  )
  const seenByStaff = await workFor('staff')
  expect(Object.keys(seenByStaff.waiting).sort()).toEqual([
    'corrections',
    'failed',
    'lateReports',
    'lostSlips',
    'messages',
    'orders',
    'reports',
  ])
  expect(seenByStaff.statements).toEqual([])
})

test('what was paid days ago without a line is told, at most a minute old', async () => {
  const order = await buyByBank(it.as('b4'))
  await change(order.orderNo, 'paid')
  const paidAt = it.clock.now.toISOString()
  later(2 * 24 * 60)
  const before = (await workFor('manager')).waiting.withoutLine
  later(0.5)
  expect((await workFor('manager')).waiting.withoutLine).toEqual(before)
  later(1)
  const after = (await workFor('manager')).waiting.withoutLine
  // The order of this test, and the one that was refunded at that moment: its money is looked for, too.
  expect(after?.count).toBe((before?.count ?? 0) + 2)
  expect(after!.oldest! <= paidAt).toBe(true)
})

test('an order that the shop itself delivers is in hand, though nobody of the staff has it', async () => {
  await addAccount(it, 'b5', 'customer')
  const { count: waiting, inHand } = (await workFor('staff')).waiting.orders!
  const { orderNo } = await buyByBank(it.as('b5'))
  await change(orderNo, 'paid')
  await it.shop.db.transaction(async tx => {
    const locked = await lockOrder(tx, { orderNo })
    await saveOutcome(tx, beginDelivery(locked!.order, it.clock.now))
  })
  expect((await workFor('staff')).waiting.orders).toMatchObject({ count: waiting + 1, inHand: inHand + 1 })
  await it.shop.db.transaction(async tx => {
    const locked = await lockOrder(tx, { orderNo })
    await saveOutcome(tx, finishDelivery(locked!.order, 'R', it.clock.now))
  })
  expect((await workFor('staff')).waiting.orders).toMatchObject({ count: waiting, inHand })
})

test('a message that LINE did not take waits for staff, until it is sent', async () => {
  const waiting = async () => (await workFor('staff')).waiting.messages!.count
  const before = await waiting()
  await it.db.query({
    text: `INSERT INTO chat_message (id, retry_key, kind, recipient, messages, cost, state, created_at, settled_at)
      SELECT gen_random_uuid(), gen_random_uuid(), 'orderEnded', 'U' || n, '[]', 1, state, $1, $1
      FROM unnest(ARRAY['dead', 'sent', 'skipped']) WITH ORDINALITY AS each (state, n)`,
    values: [it.clock.now],
  })
  expect(await waiting()).toBe(before + 1)
})
