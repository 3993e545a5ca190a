import { createHash } from 'node:crypto'
import { getOrder, updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { getSlipService } from '@shop/shared/slipcheck/endpoints.ts'
import { getTopUpForStaff, saveTopUp } from '@shop/shared/wallet/endpoints.ts'
import { demoSlipKeys } from 'local/slip-provider/server.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sweep } from '../jobs/housekeeping.ts'
import { expireOrders } from '../order/paying/expiry.ts'
import { openDrain } from '../start/outbox-kind.ts'
import { buyByBank, codeOf, report } from '../testing/orders.ts'
import { addAccount, createTestShop, onceKey, type TestCaller } from '../testing/shop.ts'
import { createSlipShop, lookAt, paySlipOrder, RECEIVER, type SlipShop, transferOf } from '../testing/slips.ts'
import { addSlip, addWallet } from '../testing/wallet.ts'
import { checkLedger } from '../wallet/ledger-check.ts'

const DAY = 86_400

let it: SlipShop
beforeAll(async () => {
  it = await createSlipShop('slipok', { SLIP_TIMEOUT_MS: '30000' })
})
afterAll(async () => {
  expect((await checkLedger(it.db)).breaches).toEqual([])
  await it.stop()
})
beforeEach(() => it.db.query({ text: 'DELETE FROM slip_provider' }))

const setStatus = (orderNo: string, status: 'cancel' | 'paid') =>
  it.as('staff').call(updateOrderStatus, { body: { orderNo, status, reason: 'ตรวจแล้ว' } })
const asked = () => it.bank.journal.length
const customer = async (uid: string): Promise<TestCaller> => {
  await addAccount(it, uid, 'customer')
  return it.as(uid)
}

describe('one transfer', () => {
  test('a slip of another amount on the account pays nobody', async () => {
    const other = await buyByBank(await customer('amount-1'))
    const { orderNo } = await paySlipOrder(it, [], { amountSatang: other.amountSatang })
    await it.drain()
    expect((await lookAt(it, orderNo)).slipVerdict).toMatchObject({ state: 'staff', reason: 'rules' })
    expect((await lookAt(it, other.orderNo)).status).toBe('waiting_payment')
  })
})

describe('what happens to the order meanwhile', () => {
  test('staff marked it paid: the answer proves their word, and the money is booked once', async () => {
    const { orderNo } = await paySlipOrder(it)
    await setStatus(orderNo, 'paid')
    await it.drain()
    expect((await lookAt(it, orderNo)).slipVerdict).toMatchObject({ state: 'confirmed', hasApproved: false })
    const booked = await it.db.query({
      text: `SELECT 1 FROM ledger_transaction t JOIN orders o ON o.id = t.subject_id WHERE o.order_no = $1`,
      values: [orderNo],
    })
    expect(booked).toHaveLength(1)
  })

  test('staff cancelled it while the bank was asked: staff look at the money', async () => {
    const { orderNo } = await paySlipOrder(it, ['fresh'])
    await it.drain()
    await setStatus(orderNo, 'cancel')
    it.clock.advance(480)
    await it.drain()
    const order = await lookAt(it, orderNo)
    expect(order.status).toBe('cancel')
    expect(order.slipVerdict).toMatchObject({ state: 'staff', reason: 'closed' })
  })

  test('it expired, but the transfer was in time: paid', async () => {
    const buyer = await customer('late-1')
    const order = await buyByBank(buyer)
    const transfer = transferOf(it, order.amountSatang)
    it.bank.add(transfer)
    it.clock.advance(1201)
    await expireOrders(it.shop)
    await report(buyer, order.orderNo, await addSlip(it, 'u:late-1', transfer.reference))
    await it.drain()
    expect(await lookAt(it, order.orderNo)).toMatchObject({ status: 'paid', slipVerdict: { hasApproved: true } })
  })

  test('it expired and was paid after its time: staff', async () => {
    const buyer = await customer('late-2')
    const order = await buyByBank(buyer)
    it.clock.advance(1201)
    await expireOrders(it.shop)
    const transfer = transferOf(it, order.amountSatang)
    it.bank.add(transfer)
    await report(buyer, order.orderNo, await addSlip(it, 'u:late-2', transfer.reference))
    await it.drain()
    const { status, slipVerdict } = await lookAt(it, order.orderNo)
    expect(status).toBe('expired')
    expect(slipVerdict!.ask!.verdict!.time.result).toBe('no')
  })

  test.each([
    ['made after the transfer: paid, the time tells them apart', -1, 'paid', 'ok'],
    ['made before the transfer: staff decide between the two', -200, 'expired', 'unclear'],
  ])('it expired and its amount is now that of an order %s', async (_, since, expected, result) => {
    const uids = [`late-3${since}`, `late-4${since}`]
    const buyer = await customer(uids[0]!)
    const order = await buyByBank(buyer)
    const transfer = transferOf(it, order.amountSatang)
    it.bank.add(transfer)
    it.clock.advance(2000)
    await expireOrders(it.shop)
    const rival = await buyByBank(await customer(uids[1]!))
    await it.db.query({
      text: `UPDATE reserved_amount SET order_id = (SELECT id FROM orders WHERE order_no = $1), reusable_at = NULL
        WHERE receiving_account_id = 1 AND amount_satang = $2`,
      values: [rival.orderNo, order.amountSatang],
    })
    if (since < -1)
      await it.db.query({
        text: 'UPDATE orders SET created_at = $2 WHERE order_no = $1',
        values: [rival.orderNo, new Date(transfer.at.getTime() + since * 1000)],
      })
    await report(buyer, order.orderNo, await addSlip(it, `u:${uids[0]}`, transfer.reference))
    await it.drain()
    const { status, slipVerdict } = await lookAt(it, order.orderNo)
    expect(status).toBe(expected)
    expect(slipVerdict!.ask!.verdict!.amount).toMatchObject({ result })
    expect(slipVerdict!.ask!.verdict!.amount.found.includes(rival.orderNo)).toBe(result === 'unclear')
  })
})

describe('a slow provider', () => {
  test('hangs for half a minute and slows nobody: no page, no upload, no transaction waits for it', async () => {
    const { orderNo } = await paySlipOrder(it, ['hang'])
    const before = asked()
    const drain = openDrain(it.shop)
    await drain.poke()
    await expect.poll(asked).toBe(before + 1)
    const buyer = it.as(`slip-buyer-hang`)
    await addAccount(it, 'slip-buyer-hang', 'customer')
    const other = await buyByBank(buyer)
    await buyer.call(getOrder, { params: { orderNo: other.orderNo } })
    expect((await lookAt(it, orderNo)).slipCheck).toBe('confirming')
    const held = await it.db.query({
      text: `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
    })
    expect(held).toEqual([])
    // Others' slips are checked beside it.
    const { orderNo: next } = await paySlipOrder(it)
    await drain.poke()
    await expect.poll(async () => (await lookAt(it, next)).status, { timeout: 15_000 }).toBe('paid')
  })
})

describe('what it may cost', () => {
  let small: SlipShop
  afterEach(() => small.stop())
  const service = () => small.as('staff').call(getSlipService, {})
  const stateOf = async (orderNo: string) => (await lookAt(small, orderNo)).slipVerdict

  test('a month has its quota: a warning at four fifths, then staff and no more calls, until the next month', async () => {
    small = await createSlipShop('easyslip', { SLIP_MONTHLY_QUOTA: '5' })
    for (let n = 0; n < 3; n++) await paySlipOrder(small)
    await small.drain()
    expect(await service()).toMatchObject({
      provider: 'easyslip',
      usedThisMonth: 3,
      monthlyQuota: 5,
      isQuotaLow: false,
    })
    await paySlipOrder(small)
    await small.drain()
    expect(await service()).toMatchObject({ usedThisMonth: 4, isQuotaLow: true })
    for (let n = 0; n < 2; n++) await paySlipOrder(small)
    // Two at once, by two processes: only one of them is the last.
    await Promise.all([small.drain(), openDrain(small.shop).run()])
    const orders = await small.db.query<{ reason: string | null }>({ text: `SELECT reason FROM slip_check` })
    expect(orders.map(({ reason }) => reason).toSorted()).toEqual(['quota', null, null, null, null, null].toSorted())
    expect(small.bank.journal).toHaveLength(5)
    small.clock.advance(11 * DAY)
    const next = await paySlipOrder(small)
    await small.drain()
    expect((await lookAt(small, next.orderNo)).status).toBe('paid')
  })

  test('a customer has so many checks a day', async () => {
    small = await createSlipShop('slipok', { SLIP_CHECKS_PER_CUSTOMER_AND_DAY: '1' })
    await addAccount(small, 'eager', 'customer')
    const buyer = small.as('eager')
    const pay = async () => {
      const order = await buyByBank(buyer)
      const transfer = transferOf(small, order.amountSatang)
      small.bank.add(transfer)
      await report(buyer, order.orderNo, await addSlip(small, 'u:eager', transfer.reference))
      await small.drain()
      return lookAt(small, order.orderNo)
    }
    expect((await pay()).status).toBe('paid')
    expect((await pay()).slipVerdict).toMatchObject({ state: 'staff', reason: 'budget', ask: null })
    small.clock.advance(DAY)
    expect((await pay()).status).toBe('paid')
  })

  test('guests choose their keys and anybody an account: they are counted by address, which is not kept', async () => {
    small = await createSlipShop('slipok', { SLIP_CHECKS_PER_CUSTOMER_AND_DAY: '2' })
    const pay = async (buyer: TestCaller, uploaderKey: string) => {
      const order = await buyByBank(buyer)
      const transfer = transferOf(small, order.amountSatang)
      small.bank.add(transfer)
      await report(buyer, order.orderNo, await addSlip(small, uploaderKey, transfer.reference))
      await small.drain()
      return (await lookAt(small, order.orderNo)).slipVerdict
    }
    const guest = () => {
      const key = onceKey()
      return [
        small.as(null, { 'guest-key': key }),
        `g:${createHash('sha256').update(key).digest('base64url')}`,
      ] as const
    }
    for (let n = 0; n < 2; n++) expect(await pay(...guest())).toMatchObject({ state: 'confirmed' })
    expect(await pay(...guest())).toMatchObject({ state: 'staff', reason: 'budget', ask: null })
    await addAccount(small, 'proven', 'customer')
    expect(await pay(small.as('proven'), 'u:proven')).toMatchObject({ state: 'confirmed' })
    const kept = await small.db.query<{ key: string | null }>({ text: 'SELECT address_key AS key FROM slip_check' })
    expect(new Set(kept.map(({ key }) => key)).size).toBe(2)
    expect(JSON.stringify(kept)).not.toContain('127.0.0.1')
    small.clock.advance(DAY)
    expect(await pay(...guest())).toMatchObject({ state: 'confirmed' })
    small.clock.advance(3 * DAY)
    await sweep(small.shop)
    expect(await small.db.query({ text: 'SELECT 1 FROM slip_check WHERE address_key IS NOT NULL' })).toEqual([])
  })

  test('a provider that refuses the shop is not asked again for an hour; orders stay open and staff are told', async () => {
    small = await createSlipShop('slipok')
    small.bank.quota.slipok = 0
    const first = await paySlipOrder(small)
    await small.drain()
    small.bank.quota.slipok = 100
    const second = await paySlipOrder(small)
    await small.drain()
    expect(await stateOf(first.orderNo)).toMatchObject({ state: 'staff', reason: 'stopped', ask: { code: '1004' } })
    expect(await stateOf(second.orderNo)).toMatchObject({ state: 'staff', reason: 'stopped', ask: null })
    expect(await service()).toMatchObject({ stopped: { code: '1004' } })
    expect(small.bank.journal).toHaveLength(1)
    small.clock.advance(3601)
    expect((await service()).stopped).toBeNull()
    const third = await paySlipOrder(small)
    await small.drain()
    expect((await lookAt(small, third.orderNo)).status).toBe('paid')
  })
})

describe('switched off, or only looking', () => {
  test('off: nothing is asked and nothing said', async () => {
    const off = await createTestShop()
    const { orderNo } = await buyByBank(off.as('customer'))
    const shown = await report(off.as('customer'), orderNo, await addSlip(off, 'u:customer', 'REF1'))
    expect(shown.slipCheck).toBeNull()
    expect(await off.db.query({ text: 'SELECT 1 FROM outbox UNION ALL SELECT 1 FROM slip_check' })).toEqual([])
    expect(await off.as('staff').call(getSlipService, {})).toMatchObject({ provider: null, isQuotaLow: false })
    await off.db.close()
  })

  test('shadow: the verdict is shown, and nothing is marked paid', async () => {
    const shadow = await createSlipShop('easyslip', { SLIP_SHADOW: 'true' })
    const { orderNo } = await paySlipOrder(shadow)
    await shadow.drain()
    const { status, slipVerdict } = await lookAt(shadow, orderNo)
    expect(status).toBe('waiting_payment')
    expect(slipVerdict).toMatchObject({ state: 'staff', reason: 'shadow', hasApproved: false, ask: { isShadow: true } })
    expect(Object.values(slipVerdict!.ask!.verdict!).every(({ result }) => result === 'ok')).toBe(true)
    await shadow.stop()
  })
})

describe('slips that can not be asked about', () => {
  test('one without a readable QR goes to staff without a call', async () => {
    const before = asked()
    const order = await buyByBank(await customer('blind'))
    const shown = await report(it.as('blind'), order.orderNo, await addSlip(it, 'u:blind'))
    await it.drain()
    expect(shown.slipCheck).toBe('staff')
    expect((await lookAt(it, order.orderNo)).slipVerdict).toMatchObject({ reason: 'noQr', ask: null })
    expect(asked()).toBe(before)
  })

  test('asked for another picture, the customer sends it once more; a second failure goes to staff', async () => {
    const { orderNo } = await paySlipOrder(it, ['unreadable'])
    await it.drain()
    const [{ uid }] = (await it.db.query<{ uid: string }>({
      text: 'SELECT buyer_uid AS uid FROM orders WHERE order_no = $1',
      values: [orderNo],
    })) as [{ uid: string }]
    const buyer = it.as(uid)
    const { amountSatang, canReport } = await buyer.call(getOrder, { params: { orderNo } })
    expect(canReport).toBe(true)
    const again = transferOf(it, amountSatang)
    it.bank.add(again, ['unreadable'])
    expect(await codeOf(report(buyer, orderNo))).toBe('ORDER_STATUS_NOT_ALLOWED')
    const shown = await report(buyer, orderNo, await addSlip(it, `u:${uid}`, again.reference))
    expect(shown).toMatchObject({ slipCheck: 'confirming', canReport: false })
    await it.drain()
    expect((await lookAt(it, orderNo)).slipVerdict).toMatchObject({ state: 'staff', reason: 'unreadable' })
  })
})

describe('a top-up', () => {
  const agent = 'slip-agent'
  beforeAll(async () => {
    await addAccount(it, agent, 'agent')
    await addWallet(it.db, { uid: agent, balanceSatang: 0, pin: null, now: it.clock.now })
  })
  const save = (change: { id?: string; amountSatang: number; slipId: string; receivingAccountId?: number }) =>
    it.as(agent).call(saveTopUp, { body: change, idempotencyKey: onceKey() })
  const details = (id: string) => it.as('manager').call(getTopUpForStaff, { params: { id } })

  test('whose slip the bank confirms is marked so, and still waits for a manager', async () => {
    const transfer = transferOf(it, 250_025)
    it.bank.add(transfer)
    const slipId = await addSlip(it, `u:${agent}`, transfer.reference)
    const { id } = await save({ amountSatang: 250_025, slipId, receivingAccountId: 1 })
    await it.drain()
    const shown = await details(id)
    expect(shown).toMatchObject({ status: 'waiting_approve', slipVerdict: { state: 'confirmed', hasApproved: false } })
  })

  test('edited after the check is checked anew, for what it says now', async () => {
    const transfer = transferOf(it, 300_000, { receiver: { ...RECEIVER, bankCode: '014', accountNo: '9876543210' } })
    it.bank.add(transfer)
    const slipId = await addSlip(it, `u:${agent}`, transfer.reference)
    const { id } = await save({ amountSatang: 300_000, slipId })
    await it.drain()
    expect((await details(id)).slipVerdict!.state).toBe('confirmed')
    await save({ id, amountSatang: 310_000, slipId })
    expect((await details(id)).slipVerdict!.state).toBe('confirming')
    await it.drain()
    expect((await details(id)).slipVerdict).toMatchObject({ state: 'staff', reason: 'rules' })
    await save({ id, amountSatang: 300_000, slipId })
    await it.drain()
    expect((await details(id)).slipVerdict!.state).toBe('confirmed')
  })
})

describe('what is kept', () => {
  test("the provider's words for 180 days, the verdict for good, the key never", async () => {
    const { orderNo } = await paySlipOrder(it)
    await it.drain()
    const [row] = await it.db.query<{ raw: object; all: string }>({
      text: `SELECT a.raw, row_to_json(a)::text AS all FROM slip_ask a JOIN slip_check c ON c.id = a.check_id
        JOIN orders o ON o.id = c.subject_id WHERE o.order_no = $1`,
      values: [orderNo],
    })
    expect(row!.raw).toMatchObject({ success: true })
    for (const secret of [demoSlipKeys.apiKey, createHash('sha256').update(demoSlipKeys.apiKey).digest('hex')])
      expect(row!.all).not.toContain(secret)
    it.clock.advance(181 * DAY)
    await sweep(it.shop)
    expect(await it.db.query({ text: 'SELECT 1 FROM slip_ask WHERE raw IS NOT NULL' })).toEqual([])
    expect(await it.db.query({ text: `SELECT 1 FROM outbox WHERE state = 'done'` })).toEqual([])
    expect((await lookAt(it, orderNo)).slipVerdict!.ask!.verdict).not.toBeNull()
  })

  test('which orders must meet their statement line: those that a slip paid, with the time', async () => {
    const { orderNo } = await paySlipOrder(it)
    await it.drain()
    const rows = await it.db.query({
      text: `SELECT o.order_no FROM slip_check c JOIN orders o ON o.id = c.subject_id
        WHERE c.approved_at = $1 AND o.order_no = $2`,
      values: [it.clock.now, orderNo],
    })
    expect(rows).toHaveLength(1)
  })
})
