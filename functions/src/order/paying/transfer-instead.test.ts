import { chargeOrder, transferInstead } from '@shop/shared/order/charge-endpoints.ts'
import { getOrder, reportOrderTransfer, updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buyByGateway, createGatewayShop, type GatewayShop } from '../../testing/gateway.ts'
import { codeOf } from '../../testing/orders.ts'
import { onceKey, type TestCaller } from '../../testing/shop.ts'
import { checkLedger } from '../../wallet/ledger-check.ts'

let it: GatewayShop
beforeEach(async () => {
  it = await createGatewayShop()
})
afterEach(async () => {
  expect((await checkLedger(it.db)).breaches).toEqual([])
  await it.db.close()
})

const PRICE = 14_900
const charge = (caller: TestCaller, orderNo: string) =>
  caller.call(chargeOrder, { params: { orderNo }, body: { method: 'promptpay' } })
const goOver = (caller: TestCaller, orderNo: string) => caller.call(transferInstead, { params: { orderNo } })
const newest = () => [...it.gateway.charges.keys()].at(-1)!
const owed = () => it.db.query({ text: 'SELECT amount_satang::int AS amount FROM owed_refund' })

test('a gateway that does not answer leaves the same order, which is then paid by transfer', async () => {
  const guest = it.as(null)
  const { orderNo } = await buyByGateway(guest)
  it.gateway.lasting = 'lostBefore'
  expect(await codeOf(charge(guest, orderNo))).toBe('GATEWAY_UNAVAILABLE')
  it.clock.advance(600)
  const order = await goOver(guest, orderNo)
  expect(order).toMatchObject({ orderNo, status: 'waiting_payment', payment: 'bank', priceSatang: PRICE, charge: null })
  expect(order.tailSatang).toBeGreaterThan(0)
  expect(order.dueSatang).toBe(PRICE + order.tailSatang)
  expect(order.receivingAccount).toMatchObject({ id: 1 })
  expect(order.promptPay).toBeTruthy()
  expect(order.canReport).toBe(true)
  // What the gateway took of the time is given back.
  expect(order.expiresAt).toBe(addSeconds(it.clock.now, 15 * 60).toISOString())
  expect(await codeOf(charge(guest, orderNo))).toBe('ORDER_STATUS_NOT_ALLOWED')
  expect(await goOver(guest, orderNo)).toEqual(order)
  await guest.call(reportOrderTransfer, { params: { orderNo }, body: {}, idempotencyKey: onceKey() })
  await it.as('admin').call(updateOrderStatus, { body: { orderNo, status: 'paid', reason: 'เห็นเงินแล้ว' } })
  expect((await guest.call(getOrder, { params: { orderNo } })).status).toBe('paid')
})

test("its amount is nobody else's, and the QR that was there is ended at the gateway", async () => {
  const guest = it.as(null)
  const { orderNo } = await buyByGateway(guest)
  await charge(guest, orderNo)
  const reference = newest()
  const { tailSatang } = await goOver(guest, orderNo)
  await it.drain()
  expect(it.gateway.charges.get(reference)!.state.kind).toBe('failed')
  const [reserved] = await it.db.query({
    text: `SELECT r.amount_satang::int AS amount, r.reusable_at AS until FROM reserved_amount r JOIN orders o ON o.id = r.order_id
      WHERE o.order_no = $1`,
    values: [orderNo],
  })
  expect(reserved).toEqual({ amount: PRICE + tailSatang, until: null })
  await guest.call(updateOrderStatus, { body: { orderNo, status: 'cancel' } })
  const [freed] = await it.db.query<{ until: Date }>({ text: 'SELECT reusable_at AS until FROM reserved_amount' })
  expect(freed!.until.getTime()).toBeGreaterThan(it.clock.now.getTime())
})

test('a QR that is paid all the same pays the order; the amount of the transfer rests', async () => {
  const guest = it.as(null)
  const { orderNo } = await buyByGateway(guest)
  await charge(guest, orderNo)
  await goOver(guest, orderNo)
  it.gateway.pay(newest())
  await it.hear(newest())
  await it.drain()
  expect(await guest.call(getOrder, { params: { orderNo } })).toMatchObject({
    status: 'paid',
    payment: 'promptpay',
    tailSatang: 0,
    amountSatang: PRICE,
    receivingAccount: null,
  })
  expect(await owed()).toEqual([])
})

test('both are paid: the transfer pays, and what the gateway took is owed', async () => {
  const guest = it.as(null)
  const { orderNo } = await buyByGateway(guest)
  await charge(guest, orderNo)
  await goOver(guest, orderNo)
  await it.as('admin').call(updateOrderStatus, { body: { orderNo, status: 'paid', reason: 'เห็นเงินแล้ว' } })
  it.gateway.pay(newest())
  await it.hear(newest())
  await it.drain()
  expect(await guest.call(getOrder, { params: { orderNo } })).toMatchObject({ status: 'paid', payment: 'bank' })
  expect(await owed()).toEqual([{ amount: PRICE }])
})

test('two clicks at once take one amount; nobody but the buyer goes over, and none when it is over', async () => {
  const guest = it.as(null)
  const { orderNo } = await buyByGateway(guest)
  const { trackToken } = await guest.call(getOrder, { params: { orderNo } })
  const link = it.as(null, { 'guest-key': 'stranger'.padEnd(32, 'x'), 'track-token': trackToken })
  expect(await codeOf(goOver(link, orderNo))).toBe('FORBIDDEN')
  expect(await codeOf(goOver(it.as('customer'), orderNo))).toBe('ORDER_NOT_FOUND')
  const [one, two] = await Promise.all([goOver(guest, orderNo), goOver(guest, orderNo)])
  expect(one).toEqual(two)
  expect(await it.db.query({ text: 'SELECT 1 FROM reserved_amount' })).toHaveLength(1)
  const other = it.as(null)
  const late = await buyByGateway(other)
  it.clock.advance(15 * 60 + 1)
  expect(await codeOf(goOver(other, late.orderNo))).toBe('ORDER_STATUS_NOT_ALLOWED')
})
