import { getBacklog } from '@shop/shared/backlog/endpoints.ts'
import { askRefund, giveNewsAddress, proposePlayer, redoOrder } from '@shop/shared/order/correction-endpoints.ts'
import { getOrder, listAllOrders, type OrderView, trackOrder, updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { listOwnOrders } from '@shop/shared/order/own-endpoints.ts'
import { ASKED_BY_BUYER } from '@shop/shared/order/refund.ts'
import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import type { OrderStatus } from '@shop/shared/order/status.ts'
import { giveRefundPayee, listOwedRefunds, sendOwedRefund } from '@shop/shared/statement/refund-endpoints.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fixture } from '../../testing/fixture.ts'
import { createMailShop, type MailShop } from '../../testing/mail.ts'
import { buyByBank } from '../../testing/orders.ts'
import { agreeNamed, KBANK } from '../../testing/refunds.ts'
import { onceKey, type TestCaller } from '../../testing/shop.ts'
import { checkLedger } from '../../wallet/ledger-check.ts'

const ADDRESS = 'guest@somewhere.example'
const OTHER = '5999999999'

let it: MailShop
beforeEach(async () => {
  it = await createMailShop()
})
afterEach(async () => {
  expect((await checkLedger(it.db)).breaches).toEqual([])
  await it.close()
})

const change = (orderNo: string, status: OrderStatus, reason = 'ไม่พบผู้เล่น') =>
  it.as('manager').call(updateOrderStatus, { body: { orderNo, status, reason, deliveryReference: 'REF' } as never })
async function failedOrder(buyer: TestCaller): Promise<OrderView> {
  const order = await buyByBank(buyer)
  for (const status of ['paid', 'processing', 'failed'] as const) await change(order.orderNo, status)
  return order
}
const ask = (caller: TestCaller, orderNo: string) => caller.call(askRefund, { params: { orderNo }, body: {} })
const give = (caller: TestCaller, orderNo: string) =>
  caller.codeOf(giveRefundPayee, { params: { orderNo }, body: KBANK })
const owed = async (text: string) => (await it.as('manager').call(listOwedRefunds, { query: { text } })).rows[0]!

test('the buyer of a failed order asks for the money and names the account at once; both reach who sends it', async () => {
  const guest = it.as(null)
  const { orderNo } = await failedOrder(guest)
  expect(await guest.call(getOrder, { params: { orderNo } })).toMatchObject({ canAskRefund: true, refundAskedAt: null })
  expect(await give(guest, orderNo)).toBe('NOTHING_TO_REFUND')
  const asked = await ask(guest, orderNo)
  expect(asked).toMatchObject({ canAskRefund: false, canGivePayee: true, canTakeCredit: false })
  expect(asked.refunds).toMatchObject([{ amountSatang: asked.dueSatang, payee: null, sentAt: null }])
  expect(await give(guest, orderNo)).toBe('OK')
  expect((await guest.call(getOrder, { params: { orderNo } })).refunds).toMatchObject([{ payee: { end: '6789' } }])
  // Nothing is owed and nothing has moved before staff decide.
  expect((await it.as('manager').call(listOwedRefunds, { query: {} })).total).toBe(0)
  await change(orderNo, 'refunded', ASKED_BY_BUYER)
  const { id, ...refund } = await owed(orderNo)
  expect(refund).toMatchObject({ payee: KBANK, payeeVersion: 1, payeeByName: null })
  const shown = await guest.call(getOrder, { params: { orderNo } })
  expect(shown).toMatchObject({ status: 'refunding', reason: 'คุณขอคืนเงินรายการนี้', refundAskedAt: null })
  expect(shown.refunds).toMatchObject([{ payee: { end: '6789' } }])
  await agreeNamed(it, id)
  const body = { receivingAccountId: fixture.accounts.second as number, reference: 'TR-1', payeeVersion: 1 }
  await it.as('manager').call(sendOwedRefund, { params: { id }, body, idempotencyKey: onceKey() })
  expect(await guest.call(getOrder, { params: { orderNo } })).toMatchObject({ status: 'refunded' })
})

test('nobody else asks for it, not by the tracking link, and not of an order that did not fail', async () => {
  const guest = it.as(null)
  const { orderNo, trackToken } = await failedOrder(guest)
  const byLink = it.as(null, { 'track-token': trackToken })
  expect(await byLink.call(trackOrder, {})).toMatchObject({ canAskRefund: false, newsAddress: null })
  for (const stranger of [byLink, it.as('customer')])
    expect(await stranger.codeOf(askRefund, { params: { orderNo }, body: {} })).toBe('ORDER_NOT_FOUND')
  const unpaid = await buyByBank(guest)
  expect(await guest.codeOf(askRefund, { params: { orderNo: unpaid.orderNo }, body: {} })).toBe(
    'ORDER_STATUS_NOT_ALLOWED',
  )
})

test('it is somebody’s work from the failure on, and told once however often it is asked for', async () => {
  const guest = it.as(null)
  const failed = async () => (await it.as('staff').call(getBacklog, {})).waiting.failed
  const { orderNo, amountSatang } = await failedOrder(guest)
  expect(await failed()).toMatchObject({ count: 1, amountSatang })
  await Promise.all([ask(guest, orderNo), ask(guest, orderNo), ask(guest, orderNo)])
  expect(await failed()).toMatchObject({ count: 1 })
  const { rows } = await it.as('staff').call(listAllOrders, { query: { waiting: 'failed' } })
  expect(rows.map(row => row.orderNo)).toEqual([orderNo])
  const { timeline } = await it.as('staff').call(getOrderForStaff, { params: { orderNo } })
  expect(timeline.filter(({ kind }) => kind === 'refund_asked')).toHaveLength(1)
  const told = await it.db.query({ text: `SELECT 1 FROM outbox WHERE payload->>'event' = 'refundAsked'` })
  expect(told).toHaveLength(1)
})

test('one wish stands at a time: another player takes it back, the money takes back the player, a new try ends both', async () => {
  const guest = it.as(null)
  const { orderNo } = await failedOrder(guest)
  const listed = async () => (await guest.call(listOwnOrders, { query: {} })).rows[0]!
  const propose = () => guest.call(proposePlayer, { params: { orderNo }, body: { playerId: OTHER } })
  expect(await listed()).toMatchObject({ asks: 'player', isRefundAsked: false })
  await ask(guest, orderNo)
  expect(await listed()).toMatchObject({ asks: null, isRefundAsked: true, isCorrected: false })
  expect(await propose()).toMatchObject({ refundAskedAt: null, proposedFields: [{ value: OTHER }], refunds: [] })
  expect(await listed()).toMatchObject({ isRefundAsked: false, isCorrected: true })
  expect(await ask(guest, orderNo)).toMatchObject({ proposedFields: null })
  await propose()
  await it.as('staff').call(redoOrder, { body: { orderNo, playerId: OTHER } })
  await change(orderNo, 'processing')
  await change(orderNo, 'failed')
  expect(await guest.call(getOrder, { params: { orderNo } })).toMatchObject({ canAskRefund: true, refundAskedAt: null })
})

test('a guest who left an address is told by mail what became of it, with the way to the order', async () => {
  const guest = it.as(null)
  const { orderNo, trackToken } = await failedOrder(guest)
  expect(await guest.call(getOrder, { params: { orderNo } })).toMatchObject({ canGiveNewsAddress: true })
  const address = { params: { orderNo }, body: { address: ADDRESS } }
  expect(await guest.call(giveNewsAddress, address)).toMatchObject({ newsAddress: ADDRESS })
  expect(await it.as(null, { 'track-token': trackToken }).codeOf(giveNewsAddress, address)).toBe('ORDER_NOT_FOUND')
  await ask(guest, orderNo)
  await give(guest, orderNo)
  await change(orderNo, 'refunded', ASKED_BY_BUYER)
  await it.drain()
  expect(it.mailedTo(ADDRESS)).toEqual(['รอโอนคืน'])
  const [mail] = it.inbox.mails.filter(({ to }) => to.includes(ADDRESS))
  for (const words of [`/track/${trackToken}`, orderNo, 'คุณขอคืนเงินรายการนี้']) expect(mail!.text).toContain(words)
  expect(mail!.text).not.toContain('ลูกค้า')
})

test('a guest without an address costs no job, and one whose order is delivered after all is told so', async () => {
  const guest = it.as(null)
  const { orderNo } = await failedOrder(guest)
  const jobs = () => it.db.query({ text: `SELECT 1 FROM outbox WHERE payload->>'event' = 'orderEnded'` })
  expect(await jobs()).toEqual([])
  await guest.call(giveNewsAddress, { params: { orderNo }, body: { address: ADDRESS } })
  await guest.call(proposePlayer, { params: { orderNo }, body: { playerId: OTHER } })
  await it.as('staff').call(redoOrder, { body: { orderNo, playerId: OTHER } })
  await change(orderNo, 'processing')
  await change(orderNo, 'success')
  await it.drain()
  expect(it.mailedTo(ADDRESS)).toEqual(['เติมสำเร็จแล้ว'])
  const unpaid = await buyByBank(guest)
  expect(await guest.codeOf(giveNewsAddress, { params: { orderNo: unpaid.orderNo }, body: { address: ADDRESS } })).toBe(
    'ORDER_STATUS_NOT_ALLOWED',
  )
})
