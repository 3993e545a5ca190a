import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { expireOrders } from '../order/paying/expiry.ts'
import { openDrain } from '../start/outbox-kind.ts'
import { fixture } from '../testing/fixture.ts'
import { buyByBank, codeOf } from '../testing/orders.ts'
import { addAccount, createTestShop, type TestShop } from '../testing/shop.ts'
import { bringLine, openWalletBuyer } from '../testing/supplier.ts'
import { sellCodes, stockCodes } from '../testing/vouchers.ts'
import { checkLedger } from '../wallet/ledger-check.ts'

// What orders take from the shop's own stock, and when they give it back.

let it: TestShop
beforeEach(async () => {
  it = await createTestShop()
  await sellCodes(it)
})
afterEach(async () => {
  expect((await checkLedger(it.db)).breaches).toEqual([])
  await it.db.close()
})

const stock = async () => {
  const rows = await it.db.query<{ state: string; pieces: number }>({
    text: 'SELECT state, count(*)::int AS pieces FROM voucher GROUP BY state',
  })
  return Object.fromEntries(rows.map(({ state, pieces }) => [state, pieces]))
}
const drain = () => openDrain(it.shop).run()
const statusOf = async (orderNo: string) =>
  (await it.as('manager').call(getOrderForStaff, { params: { orderNo } })).status
const buyer = async (uid: string) => {
  await addAccount(it, uid, 'customer')
  return it.as(uid)
}

test('an order puts its code aside when it is placed, has it when it is paid, and nobody else gets it', async () => {
  await stockCodes(it, 2)
  const { orderNo, amountSatang } = await buyByBank(await buyer('one'))
  expect(await stock()).toEqual({ free: 1, reserved: 1 })
  await bringLine(it, amountSatang)
  await drain()
  expect(await statusOf(orderNo)).toBe('success')
  expect(await stock()).toEqual({ free: 1, sold: 1 })
})

test('what is sold out is told before anybody orders, at every server, and can be bought again when there is more', async () => {
  await stockCodes(it, 1)
  const { orderNo } = await buyByBank(await buyer('one'))
  const two = await buyer('two')
  expect(await codeOf(buyByBank(two))).toBe('SOLD_OUT')
  const [sold] = await it.db.query<{ isOut: boolean }>({
    text: 'SELECT is_out AS "isOut" FROM package WHERE id = $1',
    values: [fixture.pubg.package],
  })
  expect(sold!.isOut).toBe(true)
  await it.as('one').call(updateOrderStatus, { body: { orderNo, status: 'cancel' } })
  expect(await stock()).toEqual({ free: 1 })
})

test('a code goes back when its order runs out of time; money that comes later takes one of those that are left', async () => {
  await stockCodes(it, 1)
  const { orderNo } = await buyByBank(await buyer('late'))
  it.clock.advance(60 * 60)
  expect(await expireOrders(it.shop)).toBe(1)
  expect(await stock()).toEqual({ free: 1 })
  await it.as('manager').call(updateOrderStatus, { body: { orderNo, status: 'paid', reason: 'เห็นเงินเข้า' } })
  await it.db.query({
    text: `INSERT INTO order_event (order_id, version, kind, from_status, to_status, actor_uid, actor_role, at)
      SELECT id, version + 1, 'money_confirmed', status, status, 'admin', 'admin', $2 FROM orders WHERE order_no = $1`,
    values: [orderNo, it.clock.now],
  })
  await it.db.query({ text: 'UPDATE orders SET version = version + 1 WHERE order_no = $1', values: [orderNo] })
  await drain()
  expect([await statusOf(orderNo), await stock()]).toEqual(['success', { sold: 1 }])
})

/** Somebody who has proven nothing, from an address of their own. */
const stranger = (n: number) => it.as(null, { 'x-forwarded-for': `203.0.113.${n}` })

test('strangers hold no more than half of what is left, also all at once; who is known goes on buying and pays', async () => {
  await stockCodes(it, 9)
  const codes = await Promise.all(Array.from({ length: 12 }, (_, n) => codeOf(buyByBank(stranger(n)))))
  expect(codes.filter(code => code === 'OK')).toHaveLength(4)
  expect(new Set(codes.filter(code => code !== 'OK'))).toEqual(new Set(['STOCK_FOR_KNOWN']))
  expect(await stock()).toEqual({ free: 5, reserved: 4 })
  for (const n of [1, 2, 3, 4]) await buyByBank(await buyer(`known-${n}`))
  const { orderNo, amountSatang } = await buyByBank(await buyer('known-5'))
  expect(await stock()).toEqual({ reserved: 9 })
  expect(await codeOf(buyByBank(stranger(20)))).toBe('SOLD_OUT')
  await bringLine(it, amountSatang)
  await drain()
  expect(await statusOf(orderNo)).toBe('success')
})

test('the last code is put aside by nobody who is a stranger; what a stranger did put aside is theirs when they pay', async () => {
  await stockCodes(it, 2)
  const { orderNo, amountSatang } = await buyByBank(stranger(1))
  expect(await codeOf(buyByBank(stranger(2)))).toBe('STOCK_FOR_KNOWN')
  await buyByBank(await buyer('known'))
  await bringLine(it, amountSatang)
  await drain()
  expect(await statusOf(orderNo)).toBe('success')
})

test('several codes are had together or not at all, and the buyer is told how many are left', async () => {
  await stockCodes(it, 3)
  const buy = await openWalletBuyer(it)
  expect(await codeOf(buy(4))).toBe('STOCK_TOO_LOW')
  expect(await stock()).toEqual({ free: 3 })
  const orderNo = await buy(3)
  await drain()
  expect([await statusOf(orderNo), await stock()]).toEqual(['success', { sold: 3 }])
  expect(await codeOf(buy(1))).toBe('SOLD_OUT')
})

test('a code that expires today is no longer sold, and the one that expires first goes first', async () => {
  await stockCodes(it, 3)
  await it.db.query({
    text: `UPDATE voucher SET expires_on = d.day FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM voucher) v
      JOIN (VALUES (1, NULL::date), (2, '2026-12-31'), (3, '2026-11-20')) AS d (n, day) USING (n) WHERE voucher.id = v.id`,
  })
  await buyByBank(await buyer('one'))
  const [taken] = await it.db.query<{ day: string }>({
    text: `SELECT expires_on::text AS day FROM voucher WHERE state = 'reserved'`,
  })
  expect(taken!.day).toBe('2026-12-31')
  await buyByBank(await buyer('two'))
  expect(await codeOf(buyByBank(await buyer('three')))).toBe('SOLD_OUT')
})
