import { redoOrder } from '@shop/shared/order/correction-endpoints.ts'
import { confirmOrder, updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import { reduceDelivery } from '@shop/shared/supplier/endpoints.ts'
import { addTopUp, correctTopUp, decideTopUp } from '@shop/shared/wallet/endpoints.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lockOrder } from '../order/store.ts'
import { eventBody } from '../reseller/openapi-webhooks.ts'
import { fixture } from '../testing/fixture.ts'
import { addAccount, onceKey } from '../testing/shop.ts'
import { createSupplierShop, type SupplierShop, sellOneAtATime } from '../testing/supplier.ts'
import { addSlip, addWallet, walletBalance } from '../testing/wallet.ts'
import { addEndpoint, messagesOf, scriptWebhooks } from '../testing/webhook.ts'
import { emitTest } from './emit.ts'

const KEY = 'rk_live_0123456789abcdef'

let it: SupplierShop
let walletId: string
let endpointId: string
let refs = 0
beforeAll(async () => {
  it = await createSupplierShop()
  walletId = await addWallet(it.db, { uid: 'agent', balanceSatang: 10_000_000, pin: '1234', now: it.clock.now })
  await it.db.query({
    text: `INSERT INTO reseller_key (id, uid, name, mode, secret_hash, scopes, addresses, created_at)
      VALUES ($1, 'agent', 'shop', 'live', 'x', '{}', '{}', $2)`,
    values: [KEY, it.clock.now],
  })
  sellOneAtATime(it)
})
afterAll(() => it.stop())
beforeEach(async () => {
  await it.db.query({ text: 'DELETE FROM webhook_endpoint' })
  await it.db.query({ text: 'DELETE FROM outbox' })
  it.supplier.register.faults = []
  // The ledger's moments are the database's own.
  it.clock.now = new Date()
  scriptWebhooks(it, 200)
  endpointId = (await addEndpoint(it, 'agent')).id
})

/** An order from the wallet; with a reference a key placed it. */
async function buy(ref: string | null = `INV-${++refs}"ก`, quantity = 1): Promise<{ orderNo: string; ref: string }> {
  const body = {
    gameId: fixture.pubg.id,
    packageId: fixture.pubg.package,
    playerId: '51',
    termsVersion: '1',
    pin: '1234',
    quantity,
  }
  const { orderNo } = await it.as('agent').call(confirmOrder, { body, idempotencyKey: onceKey() })
  if (ref !== null)
    await it.db.query({
      text: `INSERT INTO reseller_order (order_id, uid, key_id, ref, request_hash, quantity, price_satang)
        SELECT id, 'agent', $2, $3, 'h', quantity, price_satang FROM orders WHERE order_no = $1`,
      values: [orderNo, KEY, ref],
    })
  return { orderNo, ref: ref ?? '' }
}
const change = (orderNo: string, status: 'paid' | 'processing' | 'success' | 'failed' | 'refunded') =>
  it.as('manager').call(updateOrderStatus, { body: { orderNo, status, reason: 'ตรวจแล้ว', deliveryReference: 'REF' } })
const bodies = async () => (await messagesOf(it)).map(({ body }) => JSON.parse(body))
/** The states that an order was told of, in turn. */
const told = async (orderNo: string): Promise<string[]> =>
  (await bodies()).filter(({ data }) => data.id === orderNo).map(({ data }) => data.status)
const lineEvents = async () =>
  (
    await it.db.query<{ event: string }>({
      text: `SELECT payload->>'event' AS event FROM outbox WHERE kind = 'chat.tell' ORDER BY created_at`,
    })
  ).map(({ event }) => event)

test('orders and money are told only where their event was chosen', async () => {
  await it.db.query({ text: `UPDATE webhook_endpoint SET events = '{order.completed,wallet.debited}'` })
  const { orderNo } = await buy()
  await change(orderNo, 'processing')
  await change(orderNo, 'success')
  expect(await told(orderNo)).toEqual(['completed'])
  const { orderNo: other } = await buy()
  await change(other, 'failed')
  await change(other, 'refunded')
  expect((await messagesOf(it)).map(({ type }) => type)).toEqual(['order.completed'])
})

describe('orders', () => {
  test('a delivery by hand is told step by step, thin, with a job for each, and not in LINE', async () => {
    const { orderNo, ref } = await buy()
    expect(await messagesOf(it)).toEqual([])
    await change(orderNo, 'processing')
    it.clock.advance(1)
    // Back in the queue it waits as before.
    await change(orderNo, 'paid')
    await change(orderNo, 'processing')
    it.clock.advance(1)
    await change(orderNo, 'success')
    expect(await told(orderNo)).toEqual(['processing', 'processing', 'completed'])
    const last = (await messagesOf(it)).at(-1)!
    expect(last).toMatchObject({ endpointId, type: 'order.completed', state: 'waiting', nextAt: it.clock.now })
    expect(last.body).toBe(
      JSON.stringify({
        type: 'order.completed',
        timestamp: it.clock.now.toISOString(),
        data: { id: orderNo, ref, status: 'completed', quantity: 1 },
      }),
    )
    const jobs = await it.db.query<{ key: string; payload: object; dueAt: Date; requestId: string | null }>({
      text: `SELECT key, payload, due_at AS "dueAt", request_id AS "requestId" FROM outbox WHERE kind = 'webhook.send'`,
    })
    expect(jobs).toHaveLength(3)
    expect(jobs.find(({ key }) => key === last.id)).toEqual({
      key: last.id,
      payload: { messageId: last.id },
      dueAt: it.clock.now,
      requestId: expect.any(String),
    })
    expect(await lineEvents()).toEqual(['orderPaid'])
    await it.drain()
    expect((await messagesOf(it)).map(({ state }) => state)).toEqual(Array(3).fill('done'))
  })

  test('failed is on hold, refunded is failed, and the money is told beside it', async () => {
    const { orderNo } = await buy()
    const balance = await walletBalance(it.db, 'agent')
    await change(orderNo, 'failed')
    it.clock.now = new Date()
    await change(orderNo, 'refunded')
    expect(await told(orderNo)).toEqual(['on_hold', 'failed'])
    const credited = (await bodies()).filter(({ type }) => type === 'wallet.credited')
    const after = await walletBalance(it.db, 'agent')
    expect(credited).toMatchObject([{ data: { kind: 'refund', amount: after - balance, balance: after } }])
    // Staff are told that it failed and was paid; its buyer nothing.
    expect(await lineEvents()).not.toContain('orderEnded')
  })

  test('a failed order that is delivered after all is told again', async () => {
    const { orderNo } = await buy()
    await change(orderNo, 'failed')
    it.clock.advance(1)
    const body = { orderNo, playerId: '52', reason: 'ลูกค้าแจ้งไอดีใหม่' }
    await it.as('manager').call(redoOrder, { body })
    await change(orderNo, 'processing')
    it.clock.advance(1)
    await change(orderNo, 'success')
    expect(await told(orderNo)).toEqual(['on_hold', 'processing', 'completed'])
  })

  test('a refund that its caller asked for is canceled', async () => {
    const { orderNo } = await buy()
    await it.db.query({
      text: `UPDATE reseller_order SET canceled_at = $2 WHERE order_id = (SELECT id FROM orders WHERE order_no = $1)`,
      values: [orderNo, it.clock.now],
    })
    await change(orderNo, 'refunded')
    expect(await told(orderNo)).toEqual(['canceled'])
    expect((await messagesOf(it)).filter(({ type }) => type === 'order.canceled')).toHaveLength(1)
  })

  test('a supplier delivers, or brings only some: it is completed once, with what was ordered', async () => {
    const whole = await buy()
    await it.drain()
    it.clock.advance(11)
    await it.drain()
    expect(await told(whole.orderNo)).toEqual(['processing', 'completed'])
    const { orderNo } = await buy(`PART-${++refs}`, 3)
    for (let tries = 0; tries < 20; tries++) {
      const { status, delivery } = await it.as('manager').call(getOrderForStaff, { params: { orderNo } })
      if (tries > 0 && status === 'paid') break
      if (delivery?.broughtPieces === 1) it.supplier.register.faults = ['price']
      it.clock.advance(11)
      await it.drain()
    }
    const before = await told(orderNo)
    await it.as('manager').call(reduceDelivery, { body: { orderNo, broughtPieces: 2 } })
    expect((await told(orderNo)).slice(before.length)).toEqual(['completed'])
    expect((await bodies()).findLast(({ data }) => data.id === orderNo)).toMatchObject({ data: { quantity: 3 } })
    const credited = (await bodies()).filter(({ type }) => type === 'wallet.credited')
    expect(credited).toMatchObject([{ data: { kind: 'refund' } }])
  })

  test('an order that no key placed is told in LINE as ever, and by no webhook', async () => {
    const { orderNo } = await buy(null)
    await change(orderNo, 'processing')
    await change(orderNo, 'success')
    expect(await messagesOf(it)).toEqual([])
    expect(await lineEvents()).toEqual(['orderEnded'])
  })

  test('each live endpoint that is on is told, and none of others', async () => {
    await addAccount(it, 'somebody', 'agent')
    const second = await addEndpoint(it, 'agent')
    await addEndpoint(it, 'somebody')
    await addEndpoint(it, 'agent', { mode: 'test' })
    const off = await addEndpoint(it, 'agent')
    await it.db.query({ text: `UPDATE webhook_endpoint SET is_on = false WHERE id = $1`, values: [off.id] })
    const { orderNo } = await buy()
    await change(orderNo, 'processing')
    const messages = await messagesOf(it)
    expect(messages.map(({ endpointId }) => endpointId).sort()).toEqual([endpointId, second.id].sort())
    expect(new Set(messages.map(({ id }) => id)).size).toBe(2)
  })

  test('where nobody listens nothing is stored', async () => {
    await it.db.query({ text: 'DELETE FROM webhook_endpoint' })
    const { orderNo } = await buy()
    await change(orderNo, 'processing')
    await change(orderNo, 'success')
    expect(await it.db.query({ text: `SELECT 1 FROM outbox WHERE kind = 'webhook.send'` })).toEqual([])
  })

  test('who removes an endpoint in the moment of a change stops no order', async () => {
    const { orderNo } = await buy()
    let changed: Promise<unknown> = Promise.resolve()
    await it.db.transaction(async tx => {
      await tx.query({ text: 'DELETE FROM webhook_endpoint WHERE id = $1', values: [endpointId] })
      changed = change(orderNo, 'processing')
      const waits = () =>
        it.db.query({
          text: `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        })
      await expect.poll(waits).toHaveLength(1)
    })
    expect(await changed).toMatchObject({ status: 'processing' })
    expect(await messagesOf(it)).toEqual([])
  })

  test('who sends to an endpoint just now keeps no order waiting', async () => {
    const { orderNo } = await buy()
    await it.db.transaction(async tx => {
      await tx.query({ text: 'UPDATE webhook_endpoint SET failing_since = now() WHERE id = $1', values: [endpointId] })
      await change(orderNo, 'processing')
    })
    expect(await told(orderNo)).toEqual(['processing'])
  })

  test('a change that is rolled back tells nothing', async () => {
    const { orderNo } = await buy()
    await expect(
      it.shop.db.transaction(async tx => {
        await lockOrder(tx, { orderNo })
        await emitTest(tx, { uid: 'agent', mode: 'live', type: 'order.failed', data: {}, now: it.clock.now })
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(await messagesOf(it)).toEqual([])
  })
})

describe('wallets', () => {
  async function topUp(amountSatang: number): Promise<string> {
    const body = { walletId, amountSatang, slipId: await addSlip(it, 'u:staff') }
    const { id } = await it.as('staff').call(addTopUp, { body, idempotencyKey: onceKey() })
    const decision = { id, version: 1, status: 'approve' as const }
    await it.as('manager').call(decideTopUp, { body: decision, idempotencyKey: onceKey() })
    return id
  }

  test('a top-up and its correction are told with the balance after each', async () => {
    const before = await walletBalance(it.db, 'agent')
    const id = await topUp(50_000)
    it.clock.now = new Date()
    await it.as('admin').call(correctTopUp, { body: { id, reason: 'ผิดรายการ' }, idempotencyKey: onceKey() })
    const messages = await messagesOf(it)
    const entries = await it.db.query<{ id: string; at: Date }>({
      text: 'SELECT id, at FROM ledger_transaction WHERE subject_id = $1 ORDER BY at',
      values: [id],
    })
    expect(messages.map(({ body }) => body)).toEqual([
      JSON.stringify({
        type: 'wallet.credited',
        timestamp: entries[0]!.at.toISOString(),
        data: { entryId: entries[0]!.id, kind: 'top_up', amount: 50_000, balance: before + 50_000 },
      }),
      JSON.stringify({
        type: 'wallet.debited',
        timestamp: entries[1]!.at.toISOString(),
        data: { entryId: entries[1]!.id, kind: 'correction', amount: -50_000, balance: before },
      }),
    ])
    expect(messages.map(({ type }) => type)).toEqual(['wallet.credited', 'wallet.debited'])
    for (const { type, body } of messages) eventBody(type).parse(JSON.parse(body))
    it.clock.now = new Date()
    await it.drain()
    expect((await messagesOf(it)).map(({ state }) => state)).toEqual(['done', 'done'])
  })

  test('an order itself moves the wallet without another word', async () => {
    await buy()
    expect(await messagesOf(it)).toEqual([])
  })

  test('where nobody listens nothing is stored', async () => {
    await it.db.query({ text: 'DELETE FROM webhook_endpoint' })
    await topUp(20_000)
    expect(await it.db.query({ text: `SELECT 1 FROM outbox WHERE kind = 'webhook.send'` })).toEqual([])
  })
})

test('play orders are told to the endpoints of tests, with the same body', async () => {
  const play = await addEndpoint(it, 'agent', { mode: 'test' })
  const data = { id: 'PLAY-1', ref: 'a', status: 'completed', quantity: 1 }
  const ids = await emitTest(it.db, { uid: 'agent', mode: 'test', type: 'order.completed', data, now: it.clock.now })
  const messages = await messagesOf(it)
  expect(messages.map(({ id, endpointId }) => [id, endpointId])).toEqual([[ids[0], play.id]])
  expect(messages[0]!.body).toBe(
    JSON.stringify({ type: 'order.completed', timestamp: it.clock.now.toISOString(), data }),
  )
})
