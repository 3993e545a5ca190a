import * as orders from '@shop/shared/order/endpoints.ts'
import * as contract from '@shop/shared/statement/endpoints.ts'
import * as wallets from '@shop/shared/wallet/endpoints.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expireOrders } from '../order/paying/expiry.ts'
import { deskOf } from '../testing/decisions.ts'
import { fixture } from '../testing/fixture.ts'
import { buyByBank, codeOf } from '../testing/orders.ts'
import { addAccount, createTestShop, onceKey, type TestShop } from '../testing/shop.ts'
import { addSlip, addWallet, walletBalance } from '../testing/wallet.ts'
import { checkLedger } from '../wallet/ledger-check.ts'
import { matchLines } from './matching.ts'

let it: TestShop
let walletId = ''
beforeAll(async () => {
  it = await createTestShop()
  await addAccount(it, 'manager2', 'manager')
  walletId = await addWallet(it.db, { uid: 'agent', balanceSatang: 100_000, pin: '1234', now: it.clock.now })
})
afterEach(async () => {
  expect((await checkLedger(it.db)).breaches).toEqual([])
})
afterAll(() => it.db.close())

const { order, line, detailsOf, decide, seen, change, booked } = deskOf(() => it)
const because = { reason: 'ลูกค้ายืนยันแล้ว' }

describe('a match', () => {
  test('of the exact amount pays the order; the reply shows the line, and the log who did it', async () => {
    const { orderNo, amountSatang, target } = await order()
    const id = await line(amountSatang)
    const details = await decide(id, { step: 'match', target })
    expect(details).toMatchObject({
      line: { state: 'matched', target: { no: orderNo }, decidedByName: 'manager', version: 2 },
      steps: ['undo'],
      history: [{ step: 'match', actorName: 'manager', target: { no: orderNo } }],
    })
    const shown = await seen(orderNo)
    expect(shown.status).toBe('paid')
    expect(shown.reason).toContain(`รายการเงินเข้าหมายเลข ${details.line.no}`)
    const [audit] = await it.db.query({
      text: `SELECT action, actor_uid, after->>'orderNo' AS "orderNo" FROM audit_entry WHERE subject = $1`,
      values: [`statementLine:${id}`],
    })
    expect(audit).toEqual({ action: 'statement.decide', actor_uid: 'manager', orderNo })
  })

  test('is asked of managers only, about the version they looked at, and repeated has one effect', async () => {
    const { amountSatang, target } = await order()
    const id = await line(amountSatang)
    const wanted = { step: 'match', target }
    expect(await codeOf(decide(id, wanted, 'staff'))).toBe('FORBIDDEN')
    expect(await codeOf(decide(id, wanted, 'manager', 7))).toBe('CONFLICT')
    const key = onceKey()
    const first = await decide(id, wanted, 'manager', 1, key)
    expect(await decide(id, wanted, 'manager', 1, key)).toEqual(first)
    expect(await codeOf(decide(id, wanted, 'manager', 1))).toBe('LINE_STEP_NOT_ALLOWED')
  })

  test('of an order that staff had paid links it alone; another line can not be its money again', async () => {
    const { id: orderId, orderNo, amountSatang, target } = await order()
    await change(orderNo, 'paid')
    const id = await line(amountSatang, { seconds: 0 })
    await decide(id, { step: 'match', target })
    expect(await booked('bank:1', orderId, id)).toBe(-amountSatang)
    const again = await line(amountSatang)
    expect(await codeOf(decide(again, { step: 'match', target, ...because }))).toBe('LINE_TARGET_TAKEN')
  })

  test('of too little is accepted with a reason; given back is what came', async () => {
    const { id: orderId, orderNo, amountSatang, target } = await order()
    const id = await line(10_000)
    expect(await codeOf(decide(id, { step: 'match', target }))).toBe('REASON_REQUIRED')
    await decide(id, { step: 'match', target, ...because })
    expect(await booked('sales', orderId)).toBe(amountSatang)
    expect(await booked('differences', orderId)).toBe(10_000 - amountSatang)
    expect(await change(orderNo, 'refunded')).toBe('OK')
    expect(await booked('refunds', orderId)).toBe(10_000)
    expect(await booked('differences', orderId)).toBe(0)
    expect(await codeOf(decide(id, { step: 'undo', ...because }))).toBe('ORDER_STATUS_NOT_ALLOWED')
  })

  test('of too much: the rest is owed, kept, or put on the wallet of a buyer who has one', async () => {
    const placed = await order()
    const id = await line(placed.amountSatang + 500)
    const wanted = { step: 'match', target: placed.target, ...because }
    expect(await codeOf(decide(id, wanted))).toBe('OVERPAID_CHOICE_REQUIRED')
    expect(await codeOf(decide(id, { ...wanted, overpaid: 'credit' }))).toBe('WALLET_NOT_FOUND')
    await addWallet(it.db, { uid: placed.uid, balanceSatang: 0, pin: null, now: it.clock.now })
    await decide(id, { ...wanted, overpaid: 'credit' })
    expect(await walletBalance(it.db, placed.uid)).toBe(500)
    await decide(id, { step: 'undo', ...because })
    expect(await walletBalance(it.db, placed.uid)).toBe(0)
    await decide(id, { ...wanted, overpaid: 'keep' })
    expect(await booked('differences', id)).toBe(500)
    await decide(id, { step: 'undo', ...because })
    await decide(id, { ...wanted, overpaid: 'owe' })
    expect(await booked('refunds', id)).toBe(500)
  })

  test('of a cancelled order is not possible: its money is owed to the buyer or put on a wallet', async () => {
    const { orderNo, amountSatang, id: orderId, target, uid } = await order()
    const id = await line(amountSatang)
    await it.as(uid).call(orders.updateOrderStatus, { body: { orderNo, status: 'cancel' } })
    expect(await codeOf(decide(id, { step: 'match', target, ...because }))).toBe('LINE_TARGET_OVER')
    const { line: owed } = await decide(id, { step: 'oweRefund', orderId, ...because })
    expect(owed).toMatchObject({ state: 'owed', target: null })
    expect((await seen(orderNo)).status).toBe('cancel')
  })

  test('for a late payer names the order that the money fits', async () => {
    const late = await order()
    it.clock.advance(3600)
    await expireOrders(it.shop)
    const other = await order()
    await it.db.query({
      text: `UPDATE orders SET tail_satang = $2 WHERE id = $1`,
      values: [other.id, late.amountSatang - other.priceSatang],
    })
    const id = await line(late.amountSatang)
    const wanted = { step: 'match', target: late.target, ...because }
    await expect(decide(id, wanted)).rejects.toMatchObject({
      code: 'SAME_AMOUNT_ORDER',
      details: { orderNo: other.orderNo },
    })
    await decide(id, { ...wanted, sameAmountOrderNo: other.orderNo })
    expect((await seen(late.orderNo)).status).toBe('paid')
    await it.db.query({
      text: `UPDATE orders SET tail_satang = $2 WHERE id = $1`,
      values: [other.id, other.tailSatang],
    })
  })

  test('is not made by who bought it, signed in or as a guest of the same browser', async () => {
    const own = await buyByBank(it.as('manager'))
    const guest = it.as(null)
    const bought = await buyByBank(guest)
    const ids = await it.db.query<{ id: string }>({
      text: 'SELECT id FROM orders WHERE order_no = ANY($1) ORDER BY array_position($1, order_no)',
      values: [[own.orderNo, bought.orderNo]],
    })
    const id = await line(own.amountSatang)
    expect(await codeOf(decide(id, { step: 'match', target: { kind: 'order', id: ids[0]!.id } }))).toBe('OWN_ORDER')
    const signedIn = it.as('manager', { 'guest-key': guest.headers['guest-key']! })
    const body = { step: 'match' as const, version: 1, target: { kind: 'order' as const, id: ids[1]!.id }, ...because }
    expect(
      await signedIn.codeOf(contract.decideStatementLine, { params: { id }, body, idempotencyKey: onceKey() }),
    ).toBe('OWN_ORDER')
    await decide(id, { step: 'match', target: { kind: 'order', id: ids[0]!.id } }, 'manager2')
    await change(bought.orderNo, 'cancel')
  })
})

describe('taking a match back', () => {
  test('the order waits again, and its money can come once more; nothing matches it to the old line by itself', async () => {
    const { orderNo, amountSatang } = await order()
    const id = await line(amountSatang)
    await matchLines(it.shop)
    expect((await seen(orderNo)).status).toBe('paid')
    const details = await decide(id, { step: 'undo', reason: 'เงินของลูกค้าอื่น' })
    expect(details).toMatchObject({
      line: { state: 'unmatched', target: null, decidedByName: null },
      steps: ['match', 'creditWallet', 'oweRefund', 'ignore'],
      history: [
        { step: 'match', actorName: null },
        { step: 'undo', actorName: 'manager', target: { no: orderNo } },
      ],
    })
    expect((await seen(orderNo)).status).toBe('waiting_payment')
    await matchLines(it.shop)
    expect((await detailsOf(id)).line.state).toBe('unmatched')
    await decide(id, { step: 'ignore', ...because })
    const second = await line(amountSatang)
    await matchLines(it.shop)
    expect((await detailsOf(second)).line.target?.no).toBe(orderNo)
    expect((await seen(orderNo)).status).toBe('paid')
  })

  test('the order is expired where its buyer has begun another or its amount was given out again', async () => {
    for (const spoil of ['another order', 'amount'] as const) {
      const placed = await order()
      const id = await line(placed.amountSatang)
      await decide(id, { step: 'match', target: placed.target })
      if (spoil === 'another order') await buyByBank(it.as(placed.uid))
      else await it.db.query({ text: 'DELETE FROM reserved_amount WHERE order_id = $1', values: [placed.id] })
      await decide(id, { step: 'undo', ...because })
      expect([spoil, (await seen(placed.orderNo)).status]).toEqual([spoil, 'expired'])
      // It can be paid late, by the same line, too.
      await decide(id, { step: 'match', target: placed.target, ...because })
      expect((await seen(placed.orderNo)).status).toBe('paid')
    }
  })

  test('not once it is claimed; released, it is', async () => {
    const { orderNo, amountSatang, target } = await order()
    const id = await line(amountSatang)
    await decide(id, { step: 'match', target })
    await change(orderNo, 'processing', 'staff')
    expect(await codeOf(decide(id, { step: 'undo', ...because }))).toBe('ORDER_STATUS_NOT_ALLOWED')
    expect(await detailsOf(id)).toMatchObject({ steps: [], undoBarrier: 'มีคนกำลังเติมอยู่ ยกเลิกการจับคู่ไม่ได้' })
    await change(orderNo, 'paid', 'staff')
    expect(await detailsOf(id)).toMatchObject({ steps: ['undo'], undoBarrier: null })
    expect(await codeOf(decide(id, { step: 'undo', ...because }))).toBe('OK')
  })

  test('what staff had paid stays paid', async () => {
    const { orderNo, amountSatang, target } = await order()
    await change(orderNo, 'paid')
    const id = await line(amountSatang, { seconds: 0 })
    await decide(id, { step: 'match', target })
    await decide(id, { step: 'undo', ...because })
    expect((await seen(orderNo)).status).toBe('paid')
  })
})

describe('a wallet', () => {
  test('is credited, within its maximum; taken back only while the money is there', async () => {
    const before = await walletBalance(it.db, 'agent')
    const id = await line(12_345)
    const credit = { step: 'creditWallet', walletId, ...because }
    expect(await codeOf(decide(id, { ...credit, walletId: id }))).toBe('WALLET_NOT_FOUND')
    expect((await decide(id, credit)).line.state).toBe('credited')
    expect(await walletBalance(it.db, 'agent')).toBe(before + 12_345)
    const { rows } = await it.as('agent').call(wallets.listOwnTransactions, { query: { actionType: ['เติมเงิน'] } })
    expect(rows.map(row => row.amountSatang)).toContain(12_345)
    await decide(id, { step: 'undo', ...because })
    expect(await walletBalance(it.db, 'agent')).toBe(before)

    await decide(id, credit)
    const body = { gameId: 1, packageId: 1, playerId: '1', termsVersion: '1', pin: '1234', quantity: 6 }
    await it.as('agent').call(orders.confirmOrder, { body, idempotencyKey: onceKey() })
    await it.db.query({ text: `UPDATE agent_tier SET max_amount_satang = 100000` })
    expect(await codeOf(decide(await line(100_000), credit))).toBe('TOP_UP_ABOVE_ROOM')
    await it.db.query({ text: `UPDATE agent_tier SET max_amount_satang = 20000000` })
    await it.as('agent').call(orders.confirmOrder, { body: { ...body, quantity: 1 }, idempotencyKey: onceKey() })
    expect(await codeOf(decide(id, { step: 'undo', ...because }))).toBe('OK')
    const large = await line(1_999_000)
    // Somebody whose day is still empty.
    await decide(large, credit, 'admin')
    expect(await codeOf(decide(await line(2_000), credit))).toBe('CREDIT_NEEDS_TWO')
    await decide(large, { step: 'undo', ...because })
  })

  test('whose money was spent keeps its credit', async () => {
    await addAccount(it, 'poor', 'agent')
    const poor = await addWallet(it.db, { uid: 'poor', balanceSatang: 0, pin: '1234', now: it.clock.now })
    const id = await line(15_000)
    await decide(id, { step: 'creditWallet', walletId: poor, ...because })
    const body = { gameId: 1, packageId: 1, playerId: '1', termsVersion: '1', pin: '1234' }
    await it.as('poor').call(orders.confirmOrder, { body, idempotencyKey: onceKey() })
    expect(await codeOf(decide(id, { step: 'undo', ...because }))).toBe('WALLET_BALANCE_TOO_LOW')
  })
})

describe('a top-up', () => {
  const ask = async (amountSatang: number, withSlip = true, receivingAccountId: number | null = null) => {
    const slipId = withSlip ? await addSlip(it, 'u:agent') : null
    const body = { amountSatang, slipId, ...(receivingAccountId && { receivingAccountId }) }
    const { id } = await it.as('agent').call(wallets.saveTopUp, { body, idempotencyKey: onceKey() })
    return { id, target: { kind: 'topUp' as const, id } }
  }
  const approve = async (id: string, uid = 'manager') => {
    const { version } = await it.as('staff').call(wallets.getTopUpForStaff, { params: { id } })
    const body = { id, version, status: 'approve' as const }
    return it.as(uid).codeOf(wallets.decideTopUp, { body, idempotencyKey: onceKey() })
  }

  test('that waits is linked; approved, it is posted from the line’s account, also without a slip', async () => {
    const { id: topUpId, target } = await ask(30_100, false)
    expect(await approve(topUpId)).toBe('TOP_UP_NEEDS_SLIP')
    const id = await line(30_100, { accountId: fixture.accounts.second })
    await decide(id, { step: 'match', target })
    expect(await booked('bank:2', topUpId, id)).toBe(0)
    expect((await checkLedger(it.db)).breaches).toEqual([])
    const edit = { id: topUpId, amountSatang: 99_900, slipId: null }
    expect(await it.as('agent').codeOf(wallets.saveTopUp, { body: edit, idempotencyKey: onceKey() })).toBe(
      'TOP_UP_HAS_LINE',
    )
    expect(await it.as('agent').codeOf(wallets.cancelTopUp, { body: { id: topUpId, status: 'cancel' } })).toBe(
      'TOP_UP_HAS_LINE',
    )
    const reject = { id: topUpId, version: 1, status: 'reject' as const, reason: 'x' }
    expect(await it.as('manager').codeOf(wallets.decideTopUp, { body: reject, idempotencyKey: onceKey() })).toBe(
      'TOP_UP_HAS_LINE',
    )
    expect(await approve(topUpId)).toBe('OK')
    expect(await booked('bank:2', topUpId, id)).toBe(-30_100)
    const correct = { body: { id: topUpId, reason: 'x' }, idempotencyKey: onceKey() }
    expect(await it.as('manager').codeOf(wallets.correctTopUp, correct)).toBe('TOP_UP_HAS_LINE')
    await decide(id, { step: 'undo', ...because })
    expect(await it.as('manager').codeOf(wallets.correctTopUp, { ...correct, idempotencyKey: onceKey() })).toBe('OK')
  })

  test('approved in suspense is explained by its line, and unexplained again without it', async () => {
    const { id: topUpId, target } = await ask(30_200)
    expect(await approve(topUpId)).toBe('OK')
    const id = await line(30_200, { seconds: 0 })
    await decide(id, { step: 'match', target })
    expect([await booked('suspense', topUpId, id), await booked('bank:1', topUpId, id)]).toEqual([0, -30_200])
    await decide(id, { step: 'undo', ...because })
    expect([await booked('suspense', topUpId, id), await booked('bank:1', topUpId, id)]).toEqual([-30_200, 0])
  })
})
