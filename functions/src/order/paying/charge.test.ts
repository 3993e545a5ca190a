import { listPaymentMethods } from '@shop/shared/catalogue/endpoints.ts'
import type { GatewayMethod } from '@shop/shared/catalogue/payment-method.ts'
import { chargeOrder, getCharge } from '@shop/shared/order/charge-endpoints.ts'
import { getOrder, updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buyByGateway, createGatewayShop, type GatewayShop } from '../../testing/gateway.ts'
import { codeOf } from '../../testing/orders.ts'
import type { TestCaller } from '../../testing/shop.ts'
import { checkLedger } from '../../wallet/ledger-check.ts'
import { expireOrders } from './expiry.ts'

let it: GatewayShop
beforeEach(async () => {
  it = await createGatewayShop()
})
afterEach(async () => {
  expect((await checkLedger(it.db)).breaches).toEqual([])
  await it.db.close()
})

const PRICE = 14_900
/** 1.65 % and 7 % tax of it. */
const FEE = 263

const charge = (caller: TestCaller, orderNo: string, method: GatewayMethod = 'promptpay') =>
  caller.call(chargeOrder, { params: { orderNo }, body: { method } })
async function statusOf(orderNo: string): Promise<string> {
  const [row] = await it.db.query<{ status: string }>({
    text: 'SELECT status FROM orders WHERE order_no = $1',
    values: [orderNo],
  })
  return row!.status
}
const references = () => [...it.gateway.charges.keys()]
const newest = () => references().at(-1)!

/** What stands in the books on an account of the ledger; what the shop has is negative. */
async function booked(account: string): Promise<number> {
  const [row] = await it.db.query<{ sum: number }>({
    text: 'SELECT coalesce(sum(amount_satang), 0)::bigint AS sum FROM ledger_entry WHERE account = $1',
    values: [account],
  })
  return row!.sum
}
const owed = () =>
  it.db.query<{ amount: number; sent: boolean }>({
    text: `SELECT amount_satang AS amount, sent_at IS NOT NULL AS sent FROM owed_refund ORDER BY created_at, id`,
  })

async function buyAndCharge(method: GatewayMethod = 'promptpay') {
  const guest = it.as(null)
  const order = await buyByGateway(guest, method)
  const made = await charge(guest, order.orderNo, method)
  return { guest, orderNo: order.orderNo, made, reference: newest() }
}

test('a guest pays by QR: the webhook makes the shop ask, and the money, the fee and the order are one', async () => {
  const { guest, orderNo, made, reference } = await buyAndCharge()
  expect(made).toMatchObject({ state: 'waiting', amountSatang: PRICE, payee: 'Omise', pay: { by: 'qr' } })
  expect(await guest.call(getOrder, { params: { orderNo } })).toMatchObject({
    payment: 'promptpay',
    tailSatang: 0,
    receivingAccount: null,
    promptPay: null,
    canReport: false,
    charge: { state: 'waiting', amountSatang: PRICE },
  })
  it.gateway.pay(reference)
  expect(await it.hear(reference)).toBe(204)
  await it.drain()
  expect(await statusOf(orderNo)).toBe('paid')
  expect([await booked('sales'), await booked('gateway:opn'), await booked('fees')]).toEqual([PRICE, FEE - PRICE, -FEE])
  expect(await guest.call(getCharge, { params: { orderNo } })).toMatchObject({ state: 'paid', pay: null })
})

test('told twice, late, and by the job besides: it is paid once', async () => {
  const { orderNo, reference } = await buyAndCharge()
  it.gateway.pay(reference)
  await Promise.all([it.hear(reference), it.hear(reference)])
  await Promise.all([it.drain(), it.drain()])
  it.clock.advance(31)
  await it.drain()
  await it.hear(reference)
  await it.drain()
  expect(await statusOf(orderNo)).toBe('paid')
  expect(await booked('sales')).toBe(PRICE)
})

test('without a webhook the job finds the payment', async () => {
  const { orderNo, reference } = await buyAndCharge()
  it.clock.advance(31)
  await it.drain()
  expect(await statusOf(orderNo)).toBe('waiting_payment')
  it.gateway.pay(reference)
  it.clock.advance(90)
  await it.drain()
  expect(await statusOf(orderNo)).toBe('paid')
})

test('a forged message asks nothing, and one about an unknown charge does no harm', async () => {
  const { reference } = await buyAndCharge()
  const { asked } = it.gateway
  expect(await it.hear(reference, {})).toBe(403)
  expect(await it.hear('chrg_test_other')).toBe(204)
  expect((await it.request('/gateway/hear/stripe', { method: 'POST', body: '{}' })).status).toBe(404)
  await it.drain()
  expect(it.gateway.asked).toBe(asked)
})

test('an answer that was lost after the charge was made is found in the list at once', async () => {
  it.gateway.faults.push('lostAfter')
  const { orderNo, made, reference } = await buyAndCharge()
  expect(made).toMatchObject({ state: 'waiting', pay: { by: 'qr' } })
  it.gateway.pay(reference)
  await it.hear(reference)
  await it.drain()
  expect(await statusOf(orderNo)).toBe('paid')
})

test('a lost charge that was paid before it was found pays its order, even when another was made meanwhile', async () => {
  const guest = it.as(null)
  const { orderNo } = await buyByGateway(guest)
  it.gateway.faults.push('lostAfter', 'lostBefore')
  expect(await codeOf(charge(guest, orderNo))).toBe('GATEWAY_UNAVAILABLE')
  const lost = newest()
  expect(await charge(guest, orderNo)).toMatchObject({ state: 'waiting' })
  expect(references()).toHaveLength(2)
  it.gateway.pay(lost)
  it.clock.advance(31)
  await it.drain()
  expect(await statusOf(orderNo)).toBe('paid')
  it.clock.advance(30)
  await it.drain()
  expect(it.gateway.charges.get(newest())!.state.kind).toBe('failed')
})

test('a charge that never arrived has failed once a whole list lacks it', async () => {
  it.gateway.faults.push('lostBefore')
  const guest = it.as(null)
  const { orderNo } = await buyByGateway(guest)
  expect(await codeOf(charge(guest, orderNo))).toBe('GATEWAY_UNAVAILABLE')
  it.gateway.listsHalf = true
  it.clock.advance(125)
  await it.drain()
  expect(await guest.call(getCharge, { params: { orderNo } })).toMatchObject({ state: 'asking' })
  it.gateway.listsHalf = false
  it.clock.advance(30)
  await it.drain()
  expect(await guest.call(getCharge, { params: { orderNo } })).toMatchObject({ state: 'failed' })
})

test.each(['lostBefore', 'busy', 'barred', 'refused'] as const)(
  '%s: the buyer is told at once, and may try again',
  async fault => {
    const guest = it.as(null)
    const { orderNo } = await buyByGateway(guest)
    it.gateway.faults.push(fault)
    expect(await codeOf(charge(guest, orderNo))).toBe('GATEWAY_UNAVAILABLE')
    expect(await charge(guest, orderNo)).toMatchObject({ state: 'waiting' })
  },
)

test('the same method again is the same charge, also for two at once; another method ends it', async () => {
  const { guest, orderNo, made, reference } = await buyAndCharge()
  expect(await charge(guest, orderNo)).toEqual(made)
  expect(await charge(guest, orderNo, 'truemoney')).toMatchObject({ method: 'truemoney' })
  expect((await guest.call(getOrder, { params: { orderNo } })).payment).toBe('truemoney')
  await it.drain()
  expect(it.gateway.charges.get(reference)!.state).toMatchObject({ kind: 'failed' })
  const other = it.as(null)
  const second = await buyByGateway(other)
  await Promise.all([charge(other, second.orderNo), charge(other, second.orderNo)])
  expect(references()).toHaveLength(3)
})

test('a QR whose picture did not come is there when the buyer asks again', async () => {
  it.gateway.hidesPay = true
  const { guest, orderNo, made } = await buyAndCharge()
  expect(made).toMatchObject({ state: 'waiting', pay: null })
  it.gateway.hidesPay = false
  expect(await charge(guest, orderNo)).toMatchObject({ id: made.id, pay: { by: 'qr' } })
})

test('two charges are paid: one pays the order, the other is money owed', async () => {
  const { guest, orderNo, reference: first } = await buyAndCharge()
  await charge(guest, orderNo, 'truemoney')
  it.gateway.pay(first)
  it.gateway.pay(newest())
  await it.hear(first)
  await it.hear(newest())
  await it.drain()
  expect(await statusOf(orderNo)).toBe('paid')
  expect(await owed()).toEqual([{ amount: PRICE, sent: false }])
  expect(await booked('gateway:opn')).toBe(2 * (FEE - PRICE))
})

test.each(['cancel', 'expired'] as const)('money that comes after %s is owed, once', async end => {
  const { guest, orderNo, reference } = await buyAndCharge()
  if (end === 'cancel') await guest.call(updateOrderStatus, { body: { orderNo, status: 'cancel' } })
  else {
    it.clock.advance(15 * 60 + 301)
    await expireOrders(it.shop)
  }
  expect(await statusOf(orderNo)).toBe(end)
  it.gateway.pay(reference)
  await it.hear(reference)
  await it.hear(reference)
  await it.drain()
  expect(await statusOf(orderNo)).toBe(end)
  expect(await owed()).toEqual([{ amount: PRICE, sent: false }])
})

test.each([
  { amountSatang: 100 },
  { currency: 'usd' },
  { isLive: true },
  { chargeId: '00000000-0000-7000-8000-000000000000' },
  { chargeId: null },
])('a word that differs (%o) pays nothing and is kept for staff', async change => {
  const { orderNo, reference } = await buyAndCharge()
  it.gateway.pay(reference, change)
  await it.hear(reference)
  await it.drain()
  expect(await statusOf(orderNo)).toBe('waiting_payment')
  const [row] = await it.db.query<{ contradiction: string | null }>({ text: 'SELECT contradiction FROM charge' })
  expect(row!.contradiction).toContain(Object.keys(change)[0])
  expect(await booked('gateway:opn')).toBe(0)
})

test('a fee that is told later is posted once', async () => {
  const { reference } = await buyAndCharge()
  const paid = { kind: 'paid', at: it.clock.now, feeSatang: null } as const
  it.gateway.pay(reference, { state: paid })
  await it.hear(reference)
  await it.drain()
  expect([await booked('gateway:opn'), await booked('fees')]).toEqual([-PRICE, 0])
  it.gateway.pay(reference)
  await it.hear(reference)
  await it.drain()
  await it.hear(reference)
  await it.drain()
  expect([await booked('gateway:opn'), await booked('fees')]).toEqual([FEE - PRICE, -FEE])
})

test("a buyer's surcharge is told before, paid with the order, and no sale", async () => {
  await it.db.query({
    text: `UPDATE payment_method SET surcharge_basis_points = 200, surcharge_satang = 100 WHERE code = 'promptpay'`,
  })
  await it.db.query({ text: 'UPDATE catalogue_version SET version = version + 1' })
  const { orderNo, made, reference } = await buyAndCharge()
  expect(made).toMatchObject({ amountSatang: PRICE + 398, surchargeSatang: 398 })
  it.gateway.pay(reference)
  await it.hear(reference)
  await it.drain()
  expect(await statusOf(orderNo)).toBe('paid')
  expect(await booked('sales')).toBe(PRICE)
  expect(await booked('gateway:opn')).toBeLessThan(-PRICE)
  expect((await booked('sales')) + (await booked('fees')) + (await booked('gateway:opn'))).toBe(0)
})

test('a method that is off, closed or out of its limits sells nothing', async () => {
  const set = async (sql: string) => {
    await it.db.query({ text: `UPDATE payment_method SET ${sql} WHERE code = 'promptpay'` })
    await it.db.query({ text: 'UPDATE catalogue_version SET version = version + 1' })
  }
  const guest = it.as(null)
  await set('least_satang = 15000')
  expect(await codeOf(buyByGateway(guest))).toBe('AMOUNT_NOT_FOR_METHOD')
  await set(`least_satang = NULL, opening_hours = '01:00-02:00'`)
  expect(await codeOf(buyByGateway(guest))).toBe('PAYMENT_METHOD_NOT_ALLOWED')
  await set(`opening_hours = '', is_on = false`)
  expect(await codeOf(buyByGateway(guest))).toBe('PAYMENT_METHOD_NOT_ALLOWED')
  it.shop.gateway = null
  expect(await codeOf(buyByGateway(guest, 'truemoney'))).toBe('PAYMENT_METHOD_NOT_ALLOWED')
})

test('only what can be paid is offered: what the gateway collects by, within what it takes, and transfers to somewhere', async () => {
  const { promptpay } = it.gateway.methods
  it.shop.gateway = { ...it.gateway, methods: { promptpay: promptpay! } }
  const offered = async () => {
    await it.db.query({ text: 'UPDATE catalogue_version SET version = version + 1' })
    return it.as(null).call(listPaymentMethods, {})
  }
  const methods = await offered()
  expect(methods.map(({ code }) => code)).toEqual(['bank', 'promptpay'])
  expect(methods[1]!.terms).toMatchObject({ leastSatang: 2_000, mostSatang: 15_000_000 })
  expect(await codeOf(buyByGateway(it.as(null), 'truemoney'))).toBe('PAYMENT_METHOD_NOT_ALLOWED')
  await it.db.query({ text: 'UPDATE receiving_account SET is_active = false' })
  expect((await offered()).map(({ code }) => code)).toEqual(['promptpay'])
  it.shop.gateway = null
  expect(await offered()).toEqual([])
})

test('nobody else charges, and no person says that the money came', async () => {
  const { orderNo } = await buyAndCharge()
  expect(await codeOf(charge(it.as(null), orderNo))).toBe('ORDER_NOT_FOUND')
  expect(await codeOf(charge(it.as('customer'), orderNo))).toBe('ORDER_NOT_FOUND')
  const byHand = it.as('admin').call(updateOrderStatus, { body: { orderNo, status: 'paid', reason: 'เห็นเงินแล้ว' } })
  expect(await codeOf(byHand)).toBe('PAID_THROUGH_GATEWAY')
})

test('a failed delivery of such an order is owed back, and sent like any other', async () => {
  const { orderNo, reference } = await buyAndCharge()
  it.gateway.pay(reference)
  await it.hear(reference)
  await it.drain()
  await it.as('admin').call(updateOrderStatus, { body: { orderNo, status: 'refunded', reason: 'เติมไม่ได้' } })
  expect(await statusOf(orderNo)).toBe('refunding')
  expect(await owed()).toEqual([{ amount: PRICE, sent: false }])
})

/** Somebody else, who has the order's tracking link. */
async function byLinkOf(guest: TestCaller, orderNo: string): Promise<TestCaller> {
  const { trackToken } = await guest.call(getOrder, { params: { orderNo } })
  return it.as(null, { 'guest-key': 'stranger'.padEnd(32, 'x'), 'track-token': trackToken })
}
const openAtGateway = (reference: string) => it.gateway.charges.get(reference)!.state.kind === 'waiting'

test('a tracking link pays beside the buyer and ends nothing: the QR that they pay by goes on, and so does its page', async () => {
  const { guest, orderNo, made, reference } = await buyAndCharge()
  const link = await byLinkOf(guest, orderNo)
  // By the buyer's own method it is the same charge.
  expect((await charge(link, orderNo)).id).toBe(made.id)
  const other = await charge(link, orderNo, 'truemoney')
  expect(other.id).not.toBe(made.id)
  expect((await charge(link, orderNo, 'truemoney')).id).toBe(other.id)
  it.clock.advance(31)
  await it.drain()
  expect([reference, newest()].map(openAtGateway)).toEqual([true, true])
  expect(await guest.call(getOrder, { params: { orderNo } })).toMatchObject({
    payment: 'promptpay',
    charge: { id: made.id, state: 'waiting' },
  })
  expect((await guest.call(getCharge, { params: { orderNo } }))?.id).toBe(made.id)
  expect((await charge(guest, orderNo)).id).toBe(made.id)
  const cancel = { body: { orderNo, status: 'cancel' } } as const
  expect(await codeOf(link.change(updateOrderStatus, { ...cancel, key: 'k'.repeat(20) } as never))).toBe('FORBIDDEN')
  it.gateway.pay(reference)
  await it.hear(reference)
  await it.drain()
  expect(await statusOf(orderNo)).toBe('paid')
  it.clock.advance(31)
  await it.drain()
  expect(openAtGateway(newest())).toBe(false)
})

test('an order that a tracking link pays by another method is paid by that, and what the buyer pays besides is owed', async () => {
  const { guest, orderNo, reference } = await buyAndCharge()
  const link = await byLinkOf(guest, orderNo)
  await charge(link, orderNo, 'truemoney')
  const byLink = newest()
  // The buyer changes their own mind, which ends their own charge alone.
  await charge(guest, orderNo, 'shopeepay')
  it.clock.advance(31)
  await it.drain()
  expect([reference, byLink].map(openAtGateway)).toEqual([false, true])
  it.gateway.pay(byLink)
  await it.hear(byLink)
  await it.drain()
  it.gateway.pay(newest())
  await it.hear(newest())
  await it.drain()
  const order = await guest.call(getOrder, { params: { orderNo } })
  expect([await statusOf(orderNo), order.payment]).toEqual(['paid', 'truemoney'])
  expect(await owed()).toEqual([{ amount: PRICE, sent: false }])
})
