import { proposePlayer } from '@shop/shared/order/correction-endpoints.ts'
import * as contract from '@shop/shared/order/endpoints.ts'
import { listOwnOrders } from '@shop/shared/order/own-endpoints.ts'
import type { OrderTab } from '@shop/shared/order/tabs.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bankOrder, buyByBank, report } from '../../testing/orders.ts'
import { createTestShop, type TestCaller, type TestShop } from '../../testing/shop.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
})
afterAll(() => it.db.close())

async function buyPaid(caller: TestCaller) {
  it.clock.advance(1)
  const bought = await buyByBank(caller)
  const paid = { orderNo: bought.orderNo, status: 'paid' as const, reason: 'เห็นเงิน' }
  await it.as('staff').call(contract.updateOrderStatus, { body: paid })
  return bought
}

test('an order stands under its tab, and each tab counts its own', async () => {
  const guest = it.as(null)
  const change = (orderNo: string, status: 'processing' | 'success' | 'failed' | 'cancel') =>
    it.as('staff').call(contract.updateOrderStatus, {
      body: { orderNo, status, reason: 'ทดสอบ', deliveryReference: `R ${orderNo}` },
    })
  const none = { all: 0, pay: 0, underWay: 0, done: 0, trouble: 0 }
  expect((await it.as(null).call(listOwnOrders, { query: {} })).counts).toEqual(none)
  const [paid, done, failed, cancelled] = [
    await buyPaid(guest),
    await buyPaid(guest),
    await buyPaid(guest),
    await buyByBank(guest),
  ]
  await change(done.orderNo, 'processing')
  await change(done.orderNo, 'success')
  await change(failed.orderNo, 'failed')
  await guest.call(contract.updateOrderStatus, { body: { orderNo: cancelled.orderNo, status: 'cancel' } })
  const reported = await buyByBank(guest)
  await report(guest, reported.orderNo)
  const unpaid = await buyByBank(guest)
  const under = async (tab?: OrderTab) => {
    const { rows, total, counts } = await guest.call(listOwnOrders, { query: { tab } })
    expect(counts).toEqual({ all: 6, pay: 1, underWay: 2, done: 1, trouble: 1 })
    expect(total).toBe(rows.length)
    return rows.map(({ orderNo, asks, isCorrected }) =>
      asks ? `${orderNo} asks for a ${asks}` : isCorrected ? `${orderNo} was corrected` : orderNo,
    )
  }
  expect(await under('pay')).toEqual([unpaid.orderNo])
  expect(await under('underWay')).toEqual([reported.orderNo, paid.orderNo])
  expect(await under('done')).toEqual([done.orderNo])
  expect(await under('trouble')).toEqual([`${failed.orderNo} asks for a player`])
  expect((await under()).length).toBe(6)
  const { counts } = await guest.call(listOwnOrders, { query: { game: [2] } })
  expect(counts).toEqual(none)
  const player = { ...bankOrder(), orderNo: failed.orderNo }
  await guest.call(proposePlayer, { params: { orderNo: failed.orderNo }, body: { playerId: player.playerId } })
  expect(await under('trouble')).toEqual([`${failed.orderNo} was corrected`])
})

test('the buyer of a paid order is told how many orders stand before it, and when its goods are expected', async () => {
  const guest = it.as(null)
  const [first, second] = [await buyPaid(guest), await buyPaid(guest)]
  const look = (orderNo: string) => guest.call(contract.getOrder, { params: { orderNo } })
  const [before, after] = [await look(first.orderNo), await look(second.orderNo)]
  expect(after.ahead! - before.ahead!).toBe(1)
  const { from, to } = after.usualMinutes
  const inMinutes = (minutes: number) => new Date(it.clock.now.getTime() + minutes * 60_000).toISOString()
  expect(after.expected).toEqual({ from: inMinutes(from), to: inMinutes(to) })
  await it
    .as('staff')
    .call(contract.updateOrderStatus, { body: { orderNo: first.orderNo, status: 'failed', reason: 'ไม่พบ' } })
  expect(await look(first.orderNo)).toMatchObject({ ahead: null, expected: null })
  expect((await look(second.orderNo)).ahead).toBe(before.ahead)
})
