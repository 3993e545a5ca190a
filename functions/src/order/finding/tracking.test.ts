import * as contract from '@shop/shared/order/endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buyByBank, codeOf, report } from '../../testing/orders.ts'
import { createTestShop, onceKey, type TestShop } from '../../testing/shop.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
})
afterAll(() => it.db.close())

/** Whoever has an order's tracking link, in a browser of their own. */
const follower = (trackToken: string) => it.as(null, { 'track-token': trackToken })
const track = (trackToken: string) => follower(trackToken).call(contract.trackOrder, {})

test('the link opens its order for looking and reporting', async () => {
  const order = await buyByBank(it.as(null))
  expect(await track(order.trackToken)).toMatchObject({ orderNo: order.orderNo, canReport: true })
  expect((await report(follower(order.trackToken), order.orderNo)).transferReportedAt).toBe(it.clock.now.toISOString())
})

test('the link cancels nothing, and offers it to nobody but the buyer', async () => {
  const guest = it.as(null)
  const { orderNo, trackToken, canCancel } = await buyByBank(guest)
  const cancel = { body: { orderNo, status: 'cancel' as const } }
  expect(canCancel).toBe(true)
  expect((await track(trackToken)).canCancel).toBe(false)
  expect(await follower(trackToken).codeOf(contract.updateOrderStatus, cancel)).toBe('FORBIDDEN')
  expect(await it.as(null).codeOf(contract.updateOrderStatus, cancel)).toBe('ORDER_NOT_FOUND')
  const inOwnBrowser = it.as(null, { 'guest-key': guest.headers['guest-key']!, 'track-token': trackToken })
  expect((await inOwnBrowser.call(contract.trackOrder, {})).canCancel).toBe(true)
  expect(await inOwnBrowser.codeOf(contract.updateOrderStatus, cancel)).toBe('OK')
})

test('the token comes in a header: no path, which others log, holds it', async () => {
  const { trackToken } = await buyByBank(it.as(null))
  expect((await it.request(`${contract.trackOrder.path}/${trackToken}`)).status).toBe(404)
  expect(await it.as(null).codeOf(contract.trackOrder, {})).toBe('ORDER_NOT_FOUND')
  for (const wrong of ['A'.repeat(22), 'short', `${trackToken}A`])
    expect(await codeOf(track(wrong))).toBe('ORDER_NOT_FOUND')
})

test('thirty days after its end the link hides for whom it was; the signed-in buyer still sees it', async () => {
  const customer = it.as('customer')
  const { orderNo, trackToken } = await buyByBank(customer, { playerId: '5123456789' })
  const staffDo = (status: 'paid' | 'processing' | 'success') =>
    it.as('staff').call(contract.updateOrderStatus, {
      body: { orderNo, status, reason: 'ตรวจแล้ว', deliveryReference: 'MIDAS-99112' },
    })
  await staffDo('paid')
  await staffDo('processing')
  await staffDo('success')
  it.clock.advance(30 * 24 * 3600 - 1)
  expect(await track(trackToken)).toMatchObject({ playerId: '5123456789', deliveryReference: 'MIDAS-99112' })
  it.clock.advance(1)
  const masked = {
    playerId: '51******89',
    deliveryReference: 'MI*******12',
    fields: [{ name: 'field1', value: '51******89' }],
  }
  expect(await track(trackToken)).toMatchObject(masked)
  expect(await follower(trackToken).call(contract.getOrder, { params: { orderNo } })).toMatchObject(masked)
  expect(await it.as('customer').call(contract.getOrder, { params: { orderNo } })).toMatchObject({
    playerId: '5123456789',
    deliveryReference: 'MIDAS-99112',
  })
})

test('a report is possible until seven days after the end', async () => {
  const guest = it.as(null)
  const [early, late] = [await buyByBank(guest), await buyByBank(it.as('slow'))]
  await it.db.query({
    text: `UPDATE orders SET status = 'expired', ended_at = $1, expire_after = NULL WHERE order_no = ANY($2)`,
    values: [it.clock.now, [early.orderNo, late.orderNo]],
  })
  it.clock.advance(7 * 24 * 3600 - 1)
  expect((await report(guest, early.orderNo)).status).toBe('expired')
  it.clock.advance(1)
  expect(
    await it.as('slow').codeOf(contract.reportOrderTransfer, {
      params: { orderNo: late.orderNo },
      body: {},
      idempotencyKey: onceKey(),
    }),
  ).toBe('REPORT_TOO_LATE')
})
