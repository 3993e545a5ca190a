import { listAudit } from '@shop/shared/audit/endpoints.ts'
import { getBacklog } from '@shop/shared/backlog/endpoints.ts'
import { NO_PLAYER } from '@shop/shared/catalogue/catalogue.ts'
import { listPlayerFields, proposePlayer, redoOrder } from '@shop/shared/order/correction-endpoints.ts'
import { getOrder, listAllOrders, type OrderView, trackOrder, updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { listOwnOrders } from '@shop/shared/order/own-endpoints.ts'
import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import type { OrderStatus } from '@shop/shared/order/status.ts'
import { retryDelivery } from '@shop/shared/supplier/endpoints.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkSales } from '../../dashboard/sales-check.ts'
import { sellCodes, stockCodes } from '../../testing/codes.ts'
import { fixture } from '../../testing/fixture.ts'
import { buyByBank, codeOf } from '../../testing/orders.ts'
import { addAccount, type TestCaller } from '../../testing/shop.ts'
import { createSupplierShop, openWalletBuyer, payOrder, type SupplierShop } from '../../testing/supplier.ts'
import { walletBalance } from '../../testing/wallet.ts'
import { checkLedger } from '../../wallet/ledger-check.ts'

const RIGHT = '5999999999'

let it: SupplierShop
let buyByWallet: (quantity: number) => Promise<string>
beforeAll(async () => {
  it = await createSupplierShop()
  await addAccount(it, 'staff2', 'staff')
  buyByWallet = await openWalletBuyer(it)
})
const setAutomatic = (isAutomatic: boolean) =>
  it.db.query({
    text: 'UPDATE package SET is_automatic = $2 WHERE id = $1',
    values: [fixture.pubg.package, isAutomatic],
  })
beforeEach(() => setAutomatic(false))
afterAll(async () => {
  expect((await checkLedger(it.db)).breaches).toEqual([])
  expect(await checkSales(it.db)).toEqual([])
  await it.stop()
})

const change = (orderNo: string, status: OrderStatus, more: Record<string, string> = {}, uid = 'manager') =>
  codeOf(
    it.as(uid).call(updateOrderStatus, {
      body: { orderNo, status, reason: 'ไม่พบผู้เล่น', deliveryReference: 'REF', ...more } as never,
    }),
  )
const propose = (caller: TestCaller, orderNo: string, playerId = RIGHT) =>
  codeOf(caller.call(proposePlayer, { params: { orderNo }, body: { playerId } }))
const WHY = 'ลูกค้าโทรแจ้ง'
/** Without a proposal it takes a manager, and a reason. */
const redo = (orderNo: string, uid = 'manager', playerId = RIGHT, reason: string | undefined = WHY) =>
  codeOf(it.as(uid).call(redoOrder, { body: { orderNo, playerId, reason } }))
const look = (orderNo: string) => it.as('manager').call(getOrderForStaff, { params: { orderNo } })

/** A guest's order whose top-up failed. */
async function failedOrder(guest = it.as(null)): Promise<{ guest: TestCaller; order: OrderView }> {
  const order = await buyByBank(guest)
  for (const status of ['paid', 'processing', 'failed'] as const) await change(order.orderNo, status)
  return { guest, order }
}

const postedFor = async (orderNo: string) =>
  it.db.query<{ kind: string; n: number }>({
    text: `SELECT t.kind, count(*)::int AS n FROM ledger_transaction t JOIN orders o ON o.id = t.subject_id
      WHERE o.order_no = $1 GROUP BY t.kind ORDER BY t.kind`,
    values: [orderNo],
  })

describe('on the customer’s proposal', () => {
  test('staff see it, the order is paid again for that player, charged once and delivered once', async () => {
    const { guest, order } = await failedOrder()
    const { orderNo } = order
    expect(await guest.call(listPlayerFields, { params: { orderNo } })).toMatchObject([{ name: 'field1' }])
    const shown = await guest.call(getOrder, { params: { orderNo } })
    expect(shown).toMatchObject({ canCorrect: true, proposedFields: null })
    expect(await propose(guest, orderNo, '5888888888')).toBe('OK')
    expect(await propose(guest, orderNo)).toBe('OK')
    const waiting = () => it.as('staff').call(listAllOrders, { query: { waiting: 'corrected' } })
    expect((await waiting()).rows).toMatchObject([{ orderNo }])
    expect((await it.as('staff').call(getBacklog, {})).waiting.corrections).toMatchObject({ count: 1 })
    const seen = await look(orderNo)
    expect(seen).toMatchObject({ status: 'failed', canRedo: true, playerId: order.playerId })
    expect(seen.proposedFields).toMatchObject([{ name: 'field1', value: RIGHT }])
    expect(await redo(orderNo, 'staff')).toBe('OK')
    const again = await look(orderNo)
    expect(again).toMatchObject({
      status: 'paid',
      playerId: RIGHT,
      canRedo: false,
      proposedFields: null,
      endedAt: null,
    })
    expect(again.fields).toMatchObject([{ name: 'field1', value: RIGHT }])
    expect(again.queueNo).toBe(seen.queueNo)
    expect((await waiting()).rows).toEqual([])
    expect(again.timeline.at(-1)).toMatchObject({ from: 'failed', to: 'paid', reason: expect.stringContaining(RIGHT) })
    expect(await redo(orderNo)).toBe('ORDER_STATUS_NOT_ALLOWED')
    expect([await change(orderNo, 'processing'), await change(orderNo, 'success')]).toEqual(['OK', 'OK'])
    expect(await redo(orderNo)).toBe('ORDER_STATUS_NOT_ALLOWED')
    expect(await postedFor(orderNo)).toEqual([{ kind: 'order_paid', n: 1 }])
    const { rows } = await it
      .as('admin')
      .call(listAudit, { query: { subject: `order:${orderNo}`, action: 'order.redo' } })
    expect(rows).toMatchObject([{ before: { playerId: order.playerId }, after: { playerId: RIGHT } }])
  })

  test('it comes from the buyer alone, for an order that failed, and names another player', async () => {
    const { guest, order } = await failedOrder()
    const { orderNo, trackToken, playerId } = order
    const byLink = it.as(null, { 'track-token': trackToken })
    expect(await propose(byLink, orderNo)).toBe('ORDER_NOT_FOUND')
    expect(await codeOf(byLink.call(listPlayerFields, { params: { orderNo } }))).toBe('ORDER_NOT_FOUND')
    expect(await byLink.call(trackOrder, {})).toMatchObject({ canCorrect: false, proposedFields: null })
    expect(await propose(guest, orderNo, playerId)).toBe('SAME_PLAYER')
    expect(await propose(guest, orderNo, ' ')).toBe('INVALID_INPUT')
    const unpaid = await buyByBank(guest)
    expect(await propose(guest, unpaid.orderNo)).toBe('ORDER_STATUS_NOT_ALLOWED')
    expect(await redo(unpaid.orderNo)).toBe('ORDER_STATUS_NOT_ALLOWED')
  })

  test('so often and no more', async () => {
    const { guest, order } = await failedOrder()
    for (let time = 1; time <= 10; time++)
      expect(await propose(guest, order.orderNo, `59000000${time + 10}`)).toBe('OK')
    expect(await propose(guest, order.orderNo)).toBe('TOO_MANY_CORRECTIONS')
  })
})

describe('by staff', () => {
  test('without a proposal, and with the same player; not what they bought themselves, and not by customers', async () => {
    const { order } = await failedOrder()
    expect(await redo(order.orderNo, 'stranger')).toBe('FORBIDDEN')
    expect(await redo(order.orderNo, 'staff', order.playerId)).toBe('OK')
    const own = await failedOrder(it.as('staff2'))
    expect(await redo(own.order.orderNo, 'staff2')).toBe('OWN_ORDER')
    const seen = await it.as('staff2').call(getOrderForStaff, { params: { orderNo: own.order.orderNo } })
    expect(seen.canRedo).toBe(false)
  })

  test('two at once: one does it; money that went back is never topped up', async () => {
    const { guest, order } = await failedOrder()
    expect(await propose(guest, order.orderNo)).toBe('OK')
    const codes = await Promise.all(['staff', 'staff2', 'manager'].map(uid => redo(order.orderNo, uid)))
    expect(codes.toSorted()).toEqual(['OK', 'ORDER_STATUS_NOT_ALLOWED', 'ORDER_STATUS_NOT_ALLOWED'])
    for (let round = 0; round < 5; round++) {
      const { orderNo } = (await failedOrder()).order
      await Promise.all([redo(orderNo), change(orderNo, 'refunded')])
      expect((await look(orderNo)).status).toBe('refunding')
      expect(await redo(orderNo)).toBe('ORDER_STATUS_NOT_ALLOWED')
      expect(await postedFor(orderNo)).toEqual([
        { kind: 'order_paid', n: 1 },
        { kind: 'order_refunded', n: 1 },
      ])
    }
  })

  test('an order from the wallet is not charged again', async () => {
    const orderNo = await buyByWallet(2)
    for (const status of ['processing', 'failed'] as const) await change(orderNo, status)
    const before = await walletBalance(it.db, 'agent')
    expect(await redo(orderNo)).toBe('OK')
    expect([await change(orderNo, 'processing'), await change(orderNo, 'success')]).toEqual(['OK', 'OK'])
    expect(await walletBalance(it.db, 'agent')).toBe(before)
  })
})

describe('to a player whom the buyer did not name', () => {
  test('no member of the staff does it, with or without a proposal of another', async () => {
    const { guest, order } = await failedOrder()
    expect(await redo(order.orderNo, 'staff')).toBe('REDO_OTHER_PLAYER')
    expect(await propose(guest, order.orderNo, '5888888888')).toBe('OK')
    expect(await redo(order.orderNo, 'staff')).toBe('REDO_OTHER_PLAYER')
    expect((await look(order.orderNo)).status).toBe('failed')
    expect(await redo(order.orderNo, 'staff', '5888888888')).toBe('OK')
    expect((await guest.call(getOrder, { params: { orderNo: order.orderNo } })).playerChange).toBeNull()
  })

  test('a manager does, with a reason; the buyer reads it, and it is in the log and among what moves value', async () => {
    const { guest, order } = await failedOrder()
    const { orderNo, playerId } = order
    expect(await redo(orderNo, 'manager', RIGHT, ' ')).toBe('REASON_REQUIRED')
    expect(await redo(orderNo, 'manager')).toBe('OK')
    const shown = await guest.call(getOrder, { params: { orderNo } })
    expect(shown.playerChange).toBe(`ร้านเติมให้ผู้เล่น Player ID ${RIGHT} แทน Player ID ${playerId} (เหตุผล ${WHY})`)
    expect(shown.timeline.at(-1)).toMatchObject({ kind: 'player_changed', to: 'paid' })
    const subject = `order:${orderNo}` as const
    const { rows } = await it.as('admin').call(listAudit, { query: { subject, action: 'order.redo' } })
    expect(rows).toMatchObject([{ actorUid: 'manager', after: { playerId: RIGHT, reason: shown.playerChange } }])
    const moved = await it.db.query({
      text: `SELECT kind, actor_uid AS by, amount_satang AS amount FROM value_move WHERE subject = $1 AND kind = 'redoToOther'`,
      values: [subject],
    })
    expect(moved).toEqual([{ kind: 'redoToOther', by: 'manager', amount: order.amountSatang }])
    expect([await change(orderNo, 'processing'), await change(orderNo, 'failed')]).toEqual(['OK', 'OK'])
    expect(await propose(guest, orderNo, '5777777777')).toBe('OK')
    expect(await redo(orderNo, 'staff', '5777777777')).toBe('OK')
    expect((await guest.call(getOrder, { params: { orderNo } })).playerChange).toBeNull()
  })

  test('its buyer is told of each end: it failed, failed again, and was delivered', async () => {
    await addAccount(it, 'told', 'customer')
    const { orderNo } = (await failedOrder(it.as('told'))).order
    for (const end of ['failed', 'success'] as const) {
      expect(await redo(orderNo)).toBe('OK')
      expect([await change(orderNo, 'processing'), await change(orderNo, end)]).toEqual(['OK', 'OK'])
    }
    const told = await it.db.query({
      text: `SELECT 1 FROM outbox WHERE kind = 'chat.tell' AND payload->>'event' = 'orderEnded'
        AND payload->>'id' = (SELECT id::text FROM orders WHERE order_no = $1) `,
      values: [orderNo],
    })
    expect(told).toHaveLength(3)
  })
})

describe('of a package that a supplier delivers', () => {
  beforeEach(() => setAutomatic(true))
  const booked = () => it.supplier.register.booked.size

  test('nothing is bought by itself; bought again, it is for the new player, once', async () => {
    const orderNo = await payOrder(it, 'price')
    await it.drain()
    expect(await change(orderNo, 'failed')).toBe('OK')
    const before = booked()
    expect(await redo(orderNo)).toBe('OK')
    it.clock.advance(60)
    await it.drain()
    expect([(await look(orderNo)).status, booked()]).toEqual(['paid', before])
    await it.as('staff').call(retryDelivery, { body: { orderNo } })
    await it.drain()
    it.clock.advance(11)
    await it.drain()
    const { status, delivery } = await look(orderNo)
    expect([status, booked()]).toEqual(['success', before + 1])
    const bought = it.supplier.register.booked.get(delivery!.attempts[0]!.reference)
    expect(JSON.stringify(bought)).toContain(RIGHT)
  })

  test('not while the supplier may still deliver, nor after it did', async () => {
    const orderNo = await payOrder(it, 'lost')
    await it.drain()
    expect(await change(orderNo, 'failed', { supplierRiskReason: 'ลูกค้ารอไม่ได้' })).toBe('OK')
    expect(await redo(orderNo)).toBe('GOODS_MAY_HAVE_ARRIVED')
    const [attempt] = (await look(orderNo)).delivery!.attempts
    it.supplier.register.booked.get(attempt!.reference)!.hiddenFor = 0
    it.clock.advance(10)
    await it.drain()
    expect((await look(orderNo)).delivery!.attempts[0]).toMatchObject({ contradiction: 'delivered' })
    expect(await redo(orderNo)).toBe('GOODS_MAY_HAVE_ARRIVED')
    expect((await look(orderNo)).status).toBe('failed')
  })
})

describe('codes, which are for nobody’s account', () => {
  test('are tried again without a player, and their buyer is asked for none', async () => {
    await sellCodes(it)
    // Strangers get no last one.
    await stockCodes(
      it,
      ['KRAAM-1', 'KRAAM-2', 'KRAAM-3'].map(code => ({ code, pin: null, serial: null, expiresOn: null })),
    )
    const { guest, order } = await failedOrder(it.as(null))
    const { orderNo } = order
    expect(await guest.call(getOrder, { params: { orderNo } })).toMatchObject({ status: 'failed', canCorrect: false })
    expect(await guest.call(listPlayerFields, { params: { orderNo } })).toEqual([])
    expect(await propose(guest, orderNo)).toBe('ORDER_STATUS_NOT_ALLOWED')
    const { rows } = await guest.call(listOwnOrders, { query: { page: 1, pageSize: 10 } })
    expect(rows).toMatchObject([{ orderNo, asks: null }])
    expect(await look(orderNo)).toMatchObject({ canRedo: true })
    expect(await redo(orderNo, 'staff', NO_PLAYER, undefined)).toBe('OK')
    expect(await look(orderNo)).toMatchObject({ status: 'paid', playerId: NO_PLAYER, fields: [] })
  })
})
