import { listAudit } from '@shop/shared/audit/endpoints.ts'
import { getOrder, updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { confirmMoney } from '@shop/shared/order/proof-endpoints.ts'
import { listQueue } from '@shop/shared/order/queue-endpoints.ts'
import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import { decideStatementLine } from '@shop/shared/statement/endpoints.ts'
import { retryDelivery, saveSupplier } from '@shop/shared/supplier/endpoints.ts'
import { type RunningSlipProvider, startSlipProvider } from 'local/slip-provider/server.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { insertAudit } from '../../audit/store.ts'
import { findToldOrder } from '../../chat/order-facts.ts'
import { matchLines } from '../../statement/matching.ts'
import { fixture } from '../../testing/fixture.ts'
import { buyByBank, report } from '../../testing/orders.ts'
import { addAccount, onceKey } from '../../testing/shop.ts'
import { transferOf } from '../../testing/slips.ts'
import { addLines, lineOf, linesNow } from '../../testing/statement.ts'
import {
  bringLine,
  createSupplierShop,
  markOrderPaid,
  openWalletBuyer,
  payOrder,
  type SupplierShop,
} from '../../testing/supplier.ts'
import { addSlip } from '../../testing/wallet.ts'

let it: SupplierShop
beforeAll(async () => {
  it = await createSupplierShop({ SUPPLIER_TIMEOUT_MS: '5000' })
  for (const uid of ['staff2', 'staff3']) await addAccount(it, uid, 'staff')
  await addAccount(it, 'manager2', 'manager')
})
afterAll(() => it.stop())
beforeEach(async () => {
  // Amounts are few: an order of before could have one again, and the money of a line be either's.
  it.clock.advance(4 * 86_400)
  await it.db.query({ text: `UPDATE supplier SET is_on = true, stopped_at = NULL, stopped_for = NULL` })
})

const look = (orderNo: string, uid = 'manager') => it.as(uid).call(getOrderForStaff, { params: { orderNo } })
const confirm = (orderNo: string, uid = 'staff2') => it.as(uid).codeOf(confirmMoney, { body: { orderNo } })
const change = (orderNo: string, status: 'paid' | 'processing' | 'success' | 'failed', uid = 'staff') =>
  it.as(uid).codeOf(updateOrderStatus, { body: { orderNo, status, reason: 'x', deliveryReference: 'X' } as never })
const bought = () => it.supplier.register.booked.size
/** Delivers what is due, and whatever becomes due within a minute. */
async function deliver(): Promise<void> {
  await it.drain()
  it.clock.advance(60)
  await it.drain()
}
/** Expects that the supplier was not asked for an order, however long it stands there. */
async function expectHeld(orderNo: string): Promise<void> {
  await deliver()
  expect(await look(orderNo)).toMatchObject({ status: 'paid', delivery: null, hold: { heldByName: expect.anything() } })
}
async function expectDelivered(orderNo: string): Promise<void> {
  const before = bought()
  await deliver()
  expect(await look(orderNo)).toMatchObject({ status: 'success', hold: null })
  expect(bought()).toBe(before + 1)
}
const queueRow = async (orderNo: string) =>
  (await it.as('staff').call(listQueue, { query: {} })).list!.rows.find(row => row.orderNo === orderNo)

describe('an order that one person marked paid', () => {
  test('a guest order from a private window is not sent to the supplier; it stands in the queue and says why', async () => {
    const order = await buyByBank(it.as(null))
    expect(await change(order.orderNo, 'paid')).toBe('OK')
    await expectHeld(order.orderNo)
    expect(await queueRow(order.orderNo)).toMatchObject({ status: 'paid', isHeld: true })
    expect(await findToldOrder(it.db, order)).toMatchObject({ isHeld: true })
    expect((await look(order.orderNo, 'staff')).hold!.whyNot).toContain('กรุณาให้คนอื่น')
    expect((await look(order.orderNo, 'staff2')).hold!.whyNot).toBeNull()
  })

  test('is delivered once its line comes', async () => {
    const { orderNo, amountSatang } = await markOrderPaid(it)
    await expectHeld(orderNo)
    await bringLine(it, amountSatang)
    await expectDelivered(orderNo)
  })

  test('is delivered once a manager matches its line by hand', async () => {
    const { orderNo, amountSatang } = await markOrderPaid(it, 'staff')
    await expectHeld(orderNo)
    await addLines(it, [lineOf({ amountSatang, at: new Date(it.clock.now.getTime() + 3600_000) })])
    expect(await matchByHand(orderNo)).toBe('OK')
    await expectDelivered(orderNo)
  })

  test('is delivered once a second person confirms the money, and keeps who did', async () => {
    const { orderNo } = await markOrderPaid(it)
    await expectHeld(orderNo)
    expect(await confirm(orderNo, 'staff')).toBe('SECOND_PERSON_NEEDED')
    expect(await confirm(orderNo)).toBe('OK')
    expect(await confirm(orderNo, 'staff3')).toBe('MONEY_NOT_AWAITED')
    await expectDelivered(orderNo)
    const { timeline } = await look(orderNo)
    expect(timeline).toContainEqual(expect.objectContaining({ kind: 'money_confirmed', actorRole: 'staff' }))
    const subject = `order:${orderNo}` as const
    const { rows } = await it.as('admin').call(listAudit, { query: { subject, action: 'order.confirmMoney' } })
    expect(rows).toMatchObject([{ after: { uid: 'staff' } }])
  })

  test('its buyer is told nothing of how the shop sees to it', async () => {
    const guest = it.as(null)
    const { orderNo } = await buyByBank(guest)
    await change(orderNo, 'paid')
    await confirm(orderNo)
    const { timeline } = await guest.call(getOrder, { params: { orderNo } })
    expect(timeline.map(({ kind }) => kind)).toEqual(['created', 'status'])
  })

  test('above the two-person amount the second person is a manager', async () => {
    const { orderNo } = await markOrderPaid(it, 'manager')
    await it.db.query({
      text: `UPDATE orders SET price_satang = 5000000 WHERE order_no = $1`,
      values: [orderNo],
    })
    expect(await confirm(orderNo)).toBe('SECOND_PERSON_MANAGER')
    expect(await confirm(orderNo, 'manager')).toBe('SECOND_PERSON_NEEDED')
    expect(await confirm(orderNo, 'manager2')).toBe('OK')
  })

  test('the second person is not its buyer, nor an account that the first could sign in to or made', async () => {
    const own = await buyByBank(it.as('staff2'))
    expect(await change(own.orderNo, 'paid')).toBe('OK')
    expect(await confirm(own.orderNo)).toBe('OWN_ORDER')
    const { orderNo } = await markOrderPaid(it, 'manager')
    const given = (action: 'account.resetPassword' | 'account.setRole', to: string, at = it.clock.now) =>
      insertAudit(it.db, {
        action,
        subject: `account:${to}`,
        before: null,
        after: null,
        at,
        actorUid: 'manager',
        actorRole: 'manager',
      })
    await given('account.resetPassword', 'staff2')
    await given('account.setRole', 'staff3')
    expect([await confirm(orderNo), await confirm(orderNo, 'staff3')]).toEqual([
      'SECOND_PERSON_RECENT',
      'SECOND_PERSON_RECENT',
    ])
    const other = await markOrderPaid(it, 'staff2')
    expect(await confirm(other.orderNo, 'manager')).toBe('SECOND_PERSON_RECENT')
    it.clock.advance(2 * 86_400)
    expect([await confirm(orderNo), await confirm(orderNo, 'staff3')]).toEqual(['OK', 'MONEY_NOT_AWAITED'])
    it.clock.advance(40 * 86_400)
  })
})

/** A manager matches the newest line to an order. */
async function matchByHand(orderNo: string): Promise<string> {
  const line = (await linesNow(it)).at(-1)!
  const [order] = await it.db.query<{ id: string }>({
    text: 'SELECT id FROM orders WHERE order_no = $1',
    values: [orderNo],
  })
  const body = {
    step: 'match',
    version: line.version,
    target: { kind: 'order', id: order!.id },
    reason: 'ตรวจแล้ว',
    overpaid: 'keep',
  }
  return it
    .as('manager2')
    .codeOf(decideStatementLine, { params: { id: line.id }, body: body as never, idempotencyKey: onceKey() })
}

describe('ways round it', () => {
  test('retry after a refused purchase, claim and release, switching the supplier off and on: none sends it', async () => {
    const { orderNo } = await markOrderPaid(it)
    await expectHeld(orderNo)
    expect(await it.as('staff').codeOf(retryDelivery, { body: { orderNo } })).toBe('DELIVERY_NOT_RETRIABLE')
    expect([await change(orderNo, 'processing'), await change(orderNo, 'paid')]).toEqual(['OK', 'OK'])
    await expectHeld(orderNo)
    for (const isOn of [false, true])
      await it.as('manager').call(saveSupplier, { body: { name: 'seagm', isOn, lowBalanceSatang: 0 } })
    await expectHeld(orderNo)
    const jobOf = `SELECT o.id || ':by hand', jsonb_build_object('orderId', o.id, 'after', NULL) FROM orders o WHERE order_no = $1`
    await it.db.query({
      text: `INSERT INTO outbox (id, kind, key, payload, due_at, created_at)
        SELECT gen_random_uuid(), 'supplier.deliver', j.key, j.payload, $2, $2 FROM (${jobOf}) AS j (key, payload)`,
      values: [orderNo, it.clock.now],
    })
    await expectHeld(orderNo)
  })

  test('money that is said to have come late for an expired order', async () => {
    const order = await buyByBank(it.as(null))
    await it.db.query({
      text: `UPDATE orders SET status = 'expired', ended_at = now(), expire_after = NULL WHERE order_no = $1`,
      values: [order.orderNo],
    })
    expect(await change(order.orderNo, 'paid')).toBe('OK')
    await expectHeld(order.orderNo)
  })

  test('an order that its line paid, whose line is taken away, and that is then marked paid', async () => {
    await it.as('manager').call(saveSupplier, { body: { name: 'seagm', isOn: false, lowBalanceSatang: 0 } })
    const orderNo = await payOrder(it)
    await it.drain()
    const line = (await linesNow(it)).at(-1)!
    const undo = { step: 'undo', version: line.version, reason: 'ผิดรายการ' } as const
    await it
      .as('manager2')
      .call(decideStatementLine, { params: { id: line.id }, body: undo, idempotencyKey: onceKey() })
    expect(await change(orderNo, 'paid')).toBe('OK')
    await it.as('manager').call(saveSupplier, { body: { name: 'seagm', isOn: true, lowBalanceSatang: 0 } })
    await expectHeld(orderNo)
  })

  test('a line that is taken away before the delivery holds it again; the same line once more lets it go', async () => {
    await it.as('manager').call(saveSupplier, { body: { name: 'seagm', isOn: false, lowBalanceSatang: 0 } })
    const { orderNo, amountSatang } = await markOrderPaid(it)
    await bringLine(it, amountSatang)
    expect((await look(orderNo)).hold).toBeNull()
    const line = (await linesNow(it)).at(-1)!
    const undo = { step: 'undo', version: line.version, reason: 'ผิดรายการ' } as const
    await it
      .as('manager2')
      .call(decideStatementLine, { params: { id: line.id }, body: undo, idempotencyKey: onceKey() })
    await it.as('manager').call(saveSupplier, { body: { name: 'seagm', isOn: true, lowBalanceSatang: 0 } })
    await expectHeld(orderNo)
    expect(await matchByHand(orderNo)).toBe('OK')
    await expectDelivered(orderNo)
  })

  test.each([
    ['less than the price', 100],
    ['more, as a stranger may have sent it', 1_000_000],
  ])('a line matched by hand that brought %s proves nothing', async (_, amountSatang) => {
    const { orderNo } = await markOrderPaid(it)
    await addLines(it, [lineOf({ amountSatang, at: it.clock.now })])
    await matchLines(it.shop)
    expect(await matchByHand(orderNo)).toBe('OK')
    await expectHeld(orderNo)
  })

  test('retry of a purchase that was refused, once the line is gone', async () => {
    const orderNo = (await markOrderPaid(it)).orderNo
    it.supplier.register.faults = ['price']
    await confirm(orderNo)
    await it.drain()
    expect(await look(orderNo)).toMatchObject({ status: 'paid', delivery: { canRetry: true } })
    // As if nobody had confirmed: an order of before.
    await it.db.query({
      text: `DELETE FROM order_event WHERE kind = 'money_confirmed' AND order_id = (SELECT id FROM orders WHERE order_no = $1)`,
      values: [orderNo],
    })
    expect(await look(orderNo)).toMatchObject({ delivery: { canRetry: false } })
    expect(await it.as('staff').codeOf(retryDelivery, { body: { orderNo } })).toBe('MONEY_NOT_PROVEN')
  })
})

describe('orders whose money is proven', () => {
  test('by a line or a wallet are delivered at once', async () => {
    const orderNo = await payOrder(it)
    await expectDelivered(orderNo)
    const buyByWallet = await openWalletBuyer(it)
    await expectDelivered(await buyByWallet(1))
  })

  test('by hand is delivered by hand: whoever claims it completes it, and nothing is bought', async () => {
    const { orderNo } = await markOrderPaid(it)
    const before = bought()
    expect([await change(orderNo, 'processing'), await change(orderNo, 'success')]).toEqual(['OK', 'OK'])
    await deliver()
    expect(bought()).toBe(before)
  })

  test('a package that no supplier delivers is not held', async () => {
    const setAutomatic = (isAutomatic: boolean) =>
      it.db.query({
        text: 'UPDATE package SET is_automatic = $2 WHERE id = $1',
        values: [fixture.pubg.package, isAutomatic],
      })
    await setAutomatic(false)
    const { orderNo } = await markOrderPaid(it)
    expect([(await look(orderNo)).hold, (await queueRow(orderNo))!.isHeld]).toEqual([null, false])
    await setAutomatic(true)
  })
})

describe('a slip that the bank confirms after somebody marked its order paid', () => {
  let bank: RunningSlipProvider
  let slips: SupplierShop
  beforeAll(async () => {
    const now = () => slips?.clock.now ?? new Date()
    bank = await startSlipProvider({ port: 0, now, isRegistered: () => true })
    slips = await createSupplierShop({ ...bank.environment, SLIP_PROVIDER: 'slipok', SUPPLIER_TIMEOUT_MS: '5000' })
  })
  afterAll(async () => void (await Promise.all([bank.stop(), slips.stop()])))

  /** An order whose slip was handed in, marked paid before anybody asked about the slip. */
  async function markedWithSlip(paid: (amountSatang: number) => number): Promise<string> {
    const guest = slips.as(null)
    const { orderNo, amountSatang } = await buyByBank(guest)
    const transfer = transferOf(slips, paid(amountSatang))
    bank.add(transfer, [])
    const [owner] = await slips.db.query<{ key: string }>({
      text: 'SELECT buyer_key AS key FROM orders WHERE order_no = $1',
      values: [orderNo],
    })
    await report(guest, orderNo, await addSlip(slips, owner!.key, transfer.reference))
    await slips.as('staff').call(updateOrderStatus, { body: { orderNo, status: 'paid', reason: 'เห็นสลิป' } })
    return orderNo
  }
  const lookAt = (orderNo: string) => slips.as('manager').call(getOrderForStaff, { params: { orderNo } })

  test('has it delivered', async () => {
    const orderNo = await markedWithSlip(amountSatang => amountSatang)
    expect(await lookAt(orderNo)).toMatchObject({ status: 'paid', slipCheck: 'confirming', hold: {} })
    for (let times = 0; times < 3; times++) {
      await slips.drain()
      slips.clock.advance(11)
    }
    expect(await lookAt(orderNo)).toMatchObject({ status: 'success', slipCheck: 'confirmed', hold: null })
  })

  test('of another amount leaves it held', async () => {
    const orderNo = await markedWithSlip(amountSatang => amountSatang - 100)
    for (let times = 0; times < 3; times++) {
      await slips.drain()
      slips.clock.advance(11)
    }
    expect(await lookAt(orderNo)).toMatchObject({ status: 'paid', delivery: null, slipCheck: 'staff', hold: {} })
  })
})
