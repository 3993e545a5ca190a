import * as contract from '@shop/shared/order/endpoints.ts'
import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fixture } from '../testing/fixture.ts'
import { createTestShop, onceKey, type TestCaller, type TestShop } from '../testing/shop.ts'
import { expireOrders } from './paying/expiry.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
})
afterAll(() => it.db.close())

let player = 5_200_000_000
const request = (change: Record<string, unknown> = {}) => ({
  gameId: fixture.pubg.id,
  packageId: fixture.pubg.package,
  playerId: String(++player),
  receivingAccountId: fixture.accounts.promptPay,
  termsVersion: '1',
  ...change,
})

const buy = (caller: TestCaller, change: Record<string, unknown> = {}, idempotencyKey = onceKey()) =>
  caller.call(contract.confirmPrice, { body: request(change), idempotencyKey })

const report = (caller: TestCaller, orderNo: string, idempotencyKey = onceKey()) =>
  caller.codeOf(contract.reportOrderTransfer, { params: { orderNo }, body: {}, idempotencyKey })

const staffDo = (status: string, orderNo: string, more: Record<string, unknown> = {}, uid = 'staff') =>
  it.as(uid).call(updateOrderStatus, { body: { orderNo, status, ...more } as never })

describe('placing a bank order', () => {
  test('200: a guest gets an exact amount, a deadline, a payment QR and a tracking link', async () => {
    const guest = it.as(null)
    const order = await buy(guest)
    expect(order).toMatchObject({ status: 'waiting_payment', priceSatang: 14_900, canCancel: true, canReport: true })
    expect(order.tailSatang).toBeGreaterThanOrEqual(1)
    expect(order.tailSatang).toBeLessThanOrEqual(99)
    expect(order.amountSatang).toBe(14_900 + order.tailSatang)
    expect(Date.parse(order.expiresAt!) - it.clock.now.getTime()).toBe(15 * 60_000)
    expect(order.promptPay).toContain(`54061${'49'}.${String(order.tailSatang).padStart(2, '0')}`)
    const tracked = await it.as(null, { 'track-token': order.trackToken }).call(contract.trackOrder, {})
    expect(tracked.orderNo).toBe(order.orderNo)
  })

  test('an account without PromptPay gives no QR', async () => {
    expect((await buy(it.as(null), { receivingAccountId: fixture.accounts.second })).promptPay).toBeNull()
  })

  test('price, point, amount and uid in the request change nothing', async () => {
    const forged = { priceSatang: 1, price: 1, point: 50, tailSatang: 50, amountSatang: 1, uid: 'admin', Uid: 'admin' }
    const guest = it.as(null, { Uid: 'customer' })
    const order = await buy(guest, forged)
    expect(order.priceSatang).toBe(14_900)
    const seen = await it.as('staff').call(getOrderForStaff, { params: { orderNo: order.orderNo } })
    expect(seen.buyer.uid).toBeNull()
  })

  test('the same create twice with one key gives one order; another body with it is 409', async () => {
    const guest = it.as(null)
    const key = onceKey()
    const body = request()
    const send = (sent: typeof body) => guest.call(contract.confirmPrice, { body: sent, idempotencyKey: key })
    const replies = await Promise.all([send(body), send(body), send(body)])
    expect(new Set(replies.map(reply => reply.orderNo)).size).toBe(1)
    expect((await send(body)).orderNo).toBe(replies[0]!.orderNo)
    expect(await guest.codeOf(contract.confirmPrice, { body: { ...body, packageId: 2 }, idempotencyKey: key })).toBe(
      'IDEMPOTENCY_KEY_REUSED',
    )
    expect(await guest.codeOf(contract.confirmPrice, { body, idempotencyKey: '' })).toBe('IDEMPOTENCY_KEY_REQUIRED')
  })

  test('409: one unpaid order per buyer, also when two arrive at once; a reported one no longer blocks', async () => {
    const guest = it.as(null)
    const codes = await Promise.all(
      [1, 2, 3].map(() => guest.codeOf(contract.confirmPrice, { body: request(), idempotencyKey: onceKey() })),
    )
    expect(codes.sort()).toEqual(['OK', 'UNPAID_ORDER_EXISTS', 'UNPAID_ORDER_EXISTS'])
    const [waiting] = await guest.call(contract.listWaitingOrders, {})
    await guest.call(contract.reportOrderTransfer, {
      params: { orderNo: waiting!.orderNo },
      body: {},
      idempotencyKey: onceKey(),
    })
    expect((await buy(guest)).status).toBe('waiting_payment')
  })

  test('429: a fourth unpaid guest order for one player id is refused, whatever browser asks', async () => {
    const playerId = 'same-player'
    const codes = await Promise.all(
      [1, 2, 3, 4, 5].map(() =>
        it.as(null).codeOf(contract.confirmPrice, { body: request({ playerId }), idempotencyKey: onceKey() }),
      ),
    )
    expect(codes.filter(code => code === 'OK')).toHaveLength(3)
    expect(codes.filter(code => code === 'TOO_MANY_UNPAID')).toHaveLength(2)
    const elsewhere = { playerId, field2: '1', gameId: fixture.mlbb.id, packageId: fixture.mlbb.package }
    expect((await buy(it.as(null), elsewhere)).status).toBe('waiting_payment')
  })

  test('429: who has three reported orders waits until staff decided one', async () => {
    const guest = it.as(null)
    const orderNos: string[] = []
    for (const _ of [1, 2, 3]) {
      const { orderNo } = await buy(guest)
      orderNos.push(orderNo)
      await report(guest, orderNo)
    }
    const fourth = { body: request(), idempotencyKey: onceKey() }
    expect(await guest.codeOf(contract.confirmPrice, fourth)).toBe('TOO_MANY_UNPAID')
    await staffDo('cancel', orderNos[0]!, { reason: 'ไม่พบยอด' })
    expect(await guest.codeOf(contract.confirmPrice, fourth)).toBe('OK')
  })

  test('401 when guest checkout is off; signed-in customers still buy', async () => {
    const set = (value: string) =>
      it.db.query({ text: `UPDATE option SET value = $1 WHERE name = 'ALLOW_GUEST_CHECKOUT'`, values: [value] })
    await set('false')
    const code = await it.as(null).codeOf(contract.confirmPrice, { body: request(), idempotencyKey: onceKey() })
    const signedIn = await it
      .as('fresh-user')
      .codeOf(contract.confirmPrice, { body: request(), idempotencyKey: onceKey() })
    await set('true')
    expect([code, signedIn]).toEqual(['GUEST_CHECKOUT_OFF', 'OK'])
  })

  test.each([
    ['unknown game', { gameId: 999 }, 'GAME_NOT_FOUND'],
    ['inactive game', { gameId: fixture.inactiveGame.id, packageId: 3 }, 'GAME_NOT_FOUND'],
    ['unknown package', { packageId: 999 }, 'PACKAGE_NOT_FOUND'],
    ["another game's package", { packageId: fixture.mlbb.package }, 'PACKAGE_NOT_FOUND'],
    ['inactive package', { packageId: fixture.package.inactive }, 'PACKAGE_NOT_FOUND'],
    ['ended sale', { packageId: fixture.package.ended }, 'PACKAGE_NOT_ON_SALE'],
    ['sale not begun', { packageId: fixture.package.notYet }, 'PACKAGE_NOT_ON_SALE'],
    ['disabled price', { packageId: fixture.package.disabled }, 'PACKAGE_NOT_ON_SALE'],
    ['wallet-only package', { packageId: fixture.package.walletOnly }, 'PACKAGE_NOT_ON_SALE'],
    ['missing second input', { gameId: fixture.mlbb.id, packageId: fixture.mlbb.package }, 'PLAYER_FIELD_REQUIRED'],
    ['closed receiving account', { receivingAccountId: fixture.accounts.closed }, 'RECEIVING_ACCOUNT_NOT_FOUND'],
    ['unknown receiving account', { receivingAccountId: 99 }, 'RECEIVING_ACCOUNT_NOT_FOUND'],
    ['negative id', { gameId: -1 }, 'INVALID_INPUT'],
    ['fraction id', { packageId: 1.5 }, 'INVALID_INPUT'],
    ['id beyond the range', { packageId: 99_999_999_999 }, 'INVALID_INPUT'],
    ['text id', { gameId: '1' }, 'INVALID_INPUT'],
    ['empty player id', { playerId: '   ' }, 'INVALID_INPUT'],
    ['10 kB player id', { playerId: 'x'.repeat(10_000) }, 'INVALID_INPUT'],
    ['control characters', { playerId: 'a\u0000b' }, 'INVALID_INPUT'],
    ['missing terms', { termsVersion: undefined }, 'INVALID_INPUT'],
    ['terms that never were', { termsVersion: 'nonsense-v999' }, 'TERMS_CHANGED'],
    ['a price that is not the one of now', { seenPriceSatang: 14_800 }, 'PRICE_CHANGED'],
    ['foreign hold', { randPointId: '019a0000-0000-7000-8000-000000000000' }, 'HOLD_EXPIRED'],
  ])('%s is a clear error', async (_, change, code) => {
    const guest = it.as(null)
    expect(await guest.codeOf(contract.confirmPrice, { body: request(change), idempotencyKey: onceKey() })).toBe(code)
  })

  test('at the price that the buyer saw it is ordered; at another one nothing is, and the price is told', async () => {
    const guest = it.as(null)
    const refused = guest.call(contract.confirmPrice, {
      body: request({ seenPriceSatang: 1 }),
      idempotencyKey: onceKey(),
    })
    await expect(refused).rejects.toMatchObject({ code: 'PRICE_CHANGED', details: { priceSatang: 14_900 } })
    expect((await buy(guest, { seenPriceSatang: 14_900 })).priceSatang).toBe(14_900)
  })

  test('emoji and Thai combining marks are kept as typed', async () => {
    const order = await buy(it.as(null), { playerId: 'ปั๊กุญแจ์🎮' })
    expect(order.playerId).toBe('ปั๊กุญแจ์🎮')
  })

  test.each([
    ['malformed JSON', '{"gameId":', 400, 'MALFORMED_JSON'],
    ['not an object', '"x"', 400, 'INVALID_INPUT'],
    ['a huge body', `{"x":"${'y'.repeat(200_000)}"}`, 413, 'PAYLOAD_TOO_LARGE'],
  ])('%s is a clear error', async (_, body, status, code) => {
    const reply = await it.request(contract.confirmPrice.path, {
      method: 'POST',
      body,
      headers: { ...it.as(null).headers, 'content-type': 'application/json', 'idempotency-key': onceKey() },
    })
    expect(reply.status).toBe(status)
    expect(await reply.json()).toMatchObject({ code, message: expect.stringMatching(/[ก-๙]/) })
  })

  test('an agent buys from the wallet only', async () => {
    const agent = it.as('agent')
    expect(await agent.codeOf(contract.confirmPrice, { body: request(), idempotencyKey: onceKey() })).toBe(
      'PAYMENT_METHOD_NOT_ALLOWED',
    )
  })
})

describe('own orders', () => {
  test("404: nobody sees, reports or cancels another buyer's order", async () => {
    const { orderNo } = await buy(it.as(null))
    for (const stranger of [it.as(null), it.as('customer')]) {
      expect(await stranger.codeOf(contract.getOrder, { params: { orderNo } })).toBe('ORDER_NOT_FOUND')
      const report = { params: { orderNo }, body: {}, idempotencyKey: onceKey() }
      expect(await stranger.codeOf(contract.reportOrderTransfer, report)).toBe('ORDER_NOT_FOUND')
      expect(await stranger.codeOf(updateOrderStatus, { body: { orderNo, status: 'cancel' } })).toBe('ORDER_NOT_FOUND')
    }
  })

  test('buyers may cancel before reporting, and nothing else', async () => {
    const guest = it.as(null)
    const { orderNo } = await buy(guest)
    expect(await guest.codeOf(updateOrderStatus, { body: { orderNo, status: 'paid', reason: 'x' } })).toBe('FORBIDDEN')
    await guest.call(contract.reportOrderTransfer, { params: { orderNo }, body: {}, idempotencyKey: onceKey() })
    expect(await guest.codeOf(updateOrderStatus, { body: { orderNo, status: 'cancel' } })).toBe(
      'ORDER_ALREADY_REPORTED',
    )
    const second = await buy(guest)
    await guest.call(updateOrderStatus, { body: { orderNo: second.orderNo, status: 'cancel' } })
    expect(await guest.codeOf(updateOrderStatus, { body: { orderNo: second.orderNo, status: 'cancel' } })).toBe(
      'ORDER_STATUS_NOT_ALLOWED',
    )
  })
})

describe('staff', () => {
  test('paid, claimed, completed: the ledger has the sale and the customer follows', async () => {
    const guest = it.as(null)
    const { orderNo, amountSatang } = await buy(guest)
    await staffDo('paid', orderNo, { reason: 'ตรวจยอดแล้ว' })
    await staffDo('processing', orderNo)
    await staffDo('success', orderNo, { deliveryReference: 'MB-1' })
    const seen = await guest.call(contract.getOrder, { params: { orderNo } })
    expect(seen).toMatchObject({ status: 'success', deliveryReference: 'MB-1', promptPay: null, reason: null })
    expect(seen.timeline.map(event => event.to)).toEqual(['waiting_payment', 'paid', 'processing', 'success'])
    const entries = await it.db.query<{ account: string; amount: number }>({
      text: `SELECT e.account, e.amount_satang AS amount FROM ledger_entry e JOIN ledger_transaction t ON t.id = e.transaction_id
        JOIN orders o ON o.id = t.subject_id WHERE o.order_no = $1 ORDER BY e.line`,
      values: [orderNo],
    })
    expect(entries).toEqual([
      { account: 'bank:1', amount: -amountSatang },
      { account: 'sales', amount: amountSatang },
    ])
  })

  test('of two staff who claim at once one wins; two who mark paid at once post the money once', async () => {
    await it.db.query({
      text: `INSERT INTO account (uid, username, providers, status, role, created_at) VALUES ('staff2', 's2', '{password}', 'active', 'staff', now()) ON CONFLICT DO NOTHING`,
    })
    const { orderNo } = await buy(it.as(null))
    const race = (status: 'paid' | 'processing', body: object) =>
      Promise.all(
        ['staff', 'staff2'].map(uid => it.as(uid).codeOf(updateOrderStatus, { body: { orderNo, status, ...body } })),
      )
    expect((await race('paid', { reason: 'เงินเข้าแล้ว' })).sort()).toEqual(['OK', 'ORDER_STATUS_NOT_ALLOWED'])
    const claims = await race('processing', {})
    expect(claims.sort()).toEqual(['OK', 'ORDER_CLAIMED_BY_OTHER'])
    const [posted] = await it.db.query<{ n: number }>({
      text: `SELECT count(*)::int AS n FROM ledger_transaction t JOIN orders o ON o.id = t.subject_id WHERE o.order_no = $1`,
      values: [orderNo],
    })
    expect(posted!.n).toBe(1)
  })

  test('cancel their own purchase as customers do, and other orders only with a reason', async () => {
    const own = await buy(it.as('staff'))
    await staffDo('cancel', own.orderNo)
    const { orderNo } = await buy(it.as(null))
    expect(await it.as('staff').codeOf(updateOrderStatus, { body: { orderNo, status: 'cancel' } })).toBe(
      'REASON_REQUIRED',
    )
    await staffDo('cancel', orderNo, { reason: 'ลูกค้าขอยกเลิก' })
    const entries = await it.db.query<{ subject: string; after: { status: string } }>({
      text: `SELECT subject, after FROM audit_entry WHERE action = 'order.changeStatus' AND subject = ANY($1)`,
      values: [[`order:${own.orderNo}`, `order:${orderNo}`]],
    })
    expect(entries).toEqual([{ subject: `order:${orderNo}`, after: expect.objectContaining({ status: 'cancel' }) }])
  })

  test('403 for customers, 401 for nobody', async () => {
    expect(await it.as('customer').codeOf(contract.listAllOrders, {})).toBe('FORBIDDEN')
    expect(await it.as(null).codeOf(contract.listAllOrders, {})).toBe('UNAUTHENTICATED')
  })

  test('the history filters by month, game, status and number, and pages', async () => {
    const { orderNo } = await buy(it.as(null))
    const staff = it.as('staff')
    const found = await staff.call(contract.listAllOrders, {
      query: { month: '2026-11', game: [fixture.pubg.id], status: ['waiting_payment'], orderNo: orderNo.slice(-6) },
    })
    expect(found.rows.map(row => row.orderNo)).toContain(orderNo)
    expect((await staff.call(contract.listAllOrders, { query: { month: '2026-10' } })).total).toBe(0)
    const page = await staff.call(contract.listAllOrders, { query: { pageSize: 2, page: 2 } })
    expect(page.rows).toHaveLength(2)
    expect(page.total).toBeGreaterThan(4)
    expect(await staff.codeOf(contract.listAllOrders, { query: { status: ['nonsense'] as never } })).toBe(
      'INVALID_INPUT',
    )
  })
})

describe('expiry', () => {
  let shop: TestShop
  beforeEach(async () => {
    shop = await createTestShop()
    return () => shop.db.close()
  })

  test('ends orders 300 s after their deadline, reported ones a day later, and gives amounts back 360 s after', async () => {
    const guest = shop.as(null)
    const { orderNo } = await guest.call(contract.confirmPrice, { body: request(), idempotencyKey: onceKey() })
    const customer = shop.as('customer')
    const reported = await customer.call(contract.confirmPrice, { body: request(), idempotencyKey: onceKey() })
    const params = { orderNo: reported.orderNo }
    await customer.call(contract.reportOrderTransfer, { params, body: {}, idempotencyKey: onceKey() })

    shop.clock.advance(15 * 60 + 299)
    expect(await expireOrders(shop.shop)).toBe(0)
    shop.clock.advance(1)
    expect(await Promise.all([expireOrders(shop.shop), expireOrders(shop.shop)]).then(([a, b]) => a + b)).toBe(1)
    expect((await guest.call(contract.getOrder, { params: { orderNo } })).status).toBe('expired')
    const taken = async () =>
      (
        await shop.db.query<{ n: number }>({
          text: 'SELECT count(*)::int n FROM reserved_amount WHERE reusable_at IS NULL OR reusable_at > $1',
          values: [shop.clock.now],
        })
      )[0]!.n
    expect(await taken()).toBe(2)
    shop.clock.advance(360)
    expect(await taken()).toBe(1)
    shop.clock.advance(24 * 3600)
    expect(await expireOrders(shop.shop)).toBe(1)
  })

  test('an order paid late goes on, and its late report reaches staff', async () => {
    const guest = shop.as(null)
    const { orderNo } = await guest.call(contract.confirmPrice, { body: request(), idempotencyKey: onceKey() })
    shop.clock.advance(3600)
    await expireOrders(shop.shop)
    const late = await guest.call(contract.reportOrderTransfer, {
      params: { orderNo },
      body: {},
      idempotencyKey: onceKey(),
    })
    expect(late).toMatchObject({ status: 'expired', canReport: false })
    await shop.as('manager').call(updateOrderStatus, { body: { orderNo, status: 'paid', reason: 'โอนช้า พบยอดแล้ว' } })
    expect((await guest.call(contract.getOrder, { params: { orderNo } })).status).toBe('paid')
  })
})
