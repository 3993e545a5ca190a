import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { decideStatementLine } from '@shop/shared/statement/endpoints.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { getTopUpForStaff, listAllTransactions, saveTopUp } from '@shop/shared/wallet/endpoints.ts'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { expireOrders } from '../order/paying/expiry.ts'
import { fixture } from '../testing/fixture.ts'
import { buyByBank, report } from '../testing/orders.ts'
import { addAccount, createTestShop, onceKey, type TestShop } from '../testing/shop.ts'
import { addLines, lineOf, linesNow } from '../testing/statement.ts'
import { addSlip, addWallet } from '../testing/wallet.ts'
import { checkLedger } from '../wallet/ledger-check.ts'
import { matchLines, matchStatements } from './matching.ts'

let it: TestShop
const shops: TestShop[] = []
beforeEach(async () => {
  it = await createTestShop()
  shops.push(it)
})
afterAll(() => Promise.all(shops.map(shop => shop.db.close())))

let buyers = 0
async function order(change: Record<string, unknown> = {}) {
  const uid = `buyer-${++buyers}`
  await addAccount(it, uid, 'customer')
  return buyByBank(it.as(uid), change)
}

const statusOf = async (orderNo: string) => {
  const [row] = await it.db.query<{ status: string; paid: number }>({
    text: `SELECT status, (SELECT count(*)::int FROM ledger_transaction t WHERE t.subject_id = o.id AND kind = 'order_paid') AS paid
      FROM orders o WHERE order_no = $1`,
    values: [orderNo],
  })
  return `${row!.status}, posted ${row!.paid}`
}

/** Seconds after the order was made. */
const line = (amountSatang: number, seconds: number, change = {}) =>
  lineOf({ amountSatang, at: addSeconds(it.clock.now, seconds), ...change })

describe('an order', () => {
  test('that waits is paid by the line of its amount, once, however often it is tried', async () => {
    const { orderNo, amountSatang } = await order()
    await addLines(it, [line(amountSatang, 60), line(amountSatang + 1, 60), line(-amountSatang, 60)])
    expect(await matchLines(it.shop)).toBe(1)
    expect(await statusOf(orderNo)).toBe('paid, posted 1')
    const before = await linesNow(it)
    expect(before).toMatchObject([
      { state: 'matched', target: orderNo, version: 2 },
      { state: 'unmatched', target: null, version: 1 },
      { state: 'out', target: null },
    ])
    expect(await matchStatements(it.shop)).toBe(0)
    expect(await linesNow(it)).toEqual(before)
    expect((await checkLedger(it.db)).breaches).toEqual([])
  })

  test('that expired before the statement came is paid late', async () => {
    const { orderNo, amountSatang } = await order()
    await addLines(it, [line(amountSatang, 15 * 60 + 300)])
    it.clock.advance(3600)
    await expireOrders(it.shop)
    await matchLines(it.shop)
    expect(await statusOf(orderNo)).toBe('paid, posted 1')
  })

  test('that staff marked paid gets its line, and no money again', async () => {
    const { orderNo, amountSatang } = await order()
    await addLines(it, [line(amountSatang, 0)])
    it.clock.advance(600)
    await it.as('manager').call(updateOrderStatus, { body: { orderNo, status: 'paid', reason: 'เห็นยอดแล้ว' } })
    await matchLines(it.shop)
    expect(await statusOf(orderNo)).toBe('paid, posted 1')
    expect(await linesNow(it)).toMatchObject([{ state: 'matched', target: orderNo }])
  })

  test('that was cancelled is left to people', async () => {
    const { orderNo, amountSatang } = await order()
    await addLines(it, [line(amountSatang, 30)])
    await it.as('manager').call(updateOrderStatus, { body: { orderNo, status: 'cancel', reason: 'ทดสอบ' } })
    expect(await matchLines(it.shop)).toBe(0)
    expect(await statusOf(orderNo)).toBe('cancel, posted 0')
  })

  test('that expired and was reported late keeps its amount’s money from the next order, until people say', async () => {
    const late = await order()
    it.clock.advance(25 * 60)
    await expireOrders(it.shop)
    await report(it.as(`buyer-${buyers}`), late.orderNo)
    const next = await order()
    // As where the amount of the first is given out again.
    await it.db.query({
      text: `UPDATE orders n SET tail_satang = l.tail_satang FROM orders l WHERE n.order_no = $1 AND l.order_no = $2`,
      values: [next.orderNo, late.orderNo],
    })
    await addLines(it, [line(late.amountSatang, 60)])
    expect(await matchLines(it.shop)).toBe(0)
    expect(await statusOf(next.orderNo)).toBe('waiting_payment, posted 0')
    const [{ id } = { id: '' }] = await linesNow(it)
    const [target] = await it.db.query<{ id: string }>({
      text: 'SELECT id FROM orders WHERE order_no = $1',
      values: [next.orderNo],
    })
    const body = { step: 'match', version: 1, target: { kind: 'order', id: target!.id } } as const
    const decide = { params: { id }, body, idempotencyKey: onceKey() }
    await expect(it.as('manager').call(decideStatementLine, decide)).rejects.toMatchObject({
      code: 'SAME_AMOUNT_ORDER',
      details: { orderNo: late.orderNo },
    })
  })

  test('that was paid twice has the earlier line; the other stays open', async () => {
    const { orderNo, amountSatang } = await order()
    await addLines(it, [line(amountSatang, 120), line(amountSatang, 60)])
    expect(await matchLines(it.shop)).toBe(1)
    expect(await linesNow(it)).toMatchObject([
      { state: 'unmatched', target: null },
      { state: 'matched', target: orderNo },
    ])
  })

  test.each([
    ['on another account', () => ({ at: addSeconds(it.clock.now, 60) }), fixture.accounts.second],
    ['three minutes before the order', () => ({ at: addSeconds(it.clock.now, -181) }), fixture.accounts.promptPay],
    ['after the grace', () => ({ at: addSeconds(it.clock.now, 15 * 60 + 301) }), fixture.accounts.promptPay],
    ['of a statement without times, two days later', () => ({ day: '2026-11-22' }), fixture.accounts.promptPay],
  ])('is not paid by a line %s', async (_, change, accountId) => {
    const { amountSatang } = await order()
    await addLines(it, [lineOf({ amountSatang, ...change() })], accountId)
    expect(await matchLines(it.shop)).toBe(0)
  })

  test.each(['2026-11-20', '2026-11-21'])('is paid by a line that names only its day: %s', async day => {
    const { amountSatang } = await order()
    await addLines(it, [lineOf({ amountSatang, day })])
    expect(await matchLines(it.shop)).toBe(1)
  })
})

describe('a top-up', () => {
  async function topUp(uid: string, amountSatang = 200_000) {
    await addAccount(it, uid, 'agent')
    await addWallet(it.db, { uid, balanceSatang: 0, pin: null, now: it.clock.now })
    const slipId = await addSlip(it, `u:${uid}`)
    return it.as(uid).call(saveTopUp, { body: { amountSatang, slipId }, idempotencyKey: onceKey() })
  }

  test('entered after its line was tried is found by the job', async () => {
    await addLines(it, [line(200_000, -600)])
    expect(await matchStatements(it.shop)).toBe(0)
    it.clock.advance(60)
    const { no } = await topUp('late')
    expect(await matchStatements(it.shop)).toBe(1)
    expect(await linesNow(it)).toMatchObject([{ state: 'matched', target: no }])
    const [matched] = await linesNow(it)
    const { rows } = await it.as('staff').call(listAllTransactions, {})
    expect(rows).toMatchObject([{ status: 'waiting_approve', hasStatementLine: true }])
    const shown = await it.as('staff').call(getTopUpForStaff, { params: { id: rows[0]!.id } })
    expect(shown.statementLine).toMatchObject({
      id: matched!.id,
      day: '2026-11-20',
      receivingAccountId: fixture.accounts.promptPay,
    })
  })

  test('of the same amount as another is left to people', async () => {
    await topUp('one')
    await topUp('two')
    await addLines(it, [line(200_000, -60)])
    expect(await matchStatements(it.shop)).toBe(0)
  })
})
