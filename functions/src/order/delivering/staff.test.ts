import { listAudit } from '@shop/shared/audit/endpoints.ts'
import * as contract from '@shop/shared/order/endpoints.ts'
import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buyByBank, report } from '../../testing/orders.ts'
import { addAccount, createTestShop, onceKey, type TestShop } from '../../testing/shop.ts'
import { addWallet, walletBalance } from '../../testing/wallet.ts'
import { checkLedger } from '../../wallet/ledger-check.ts'
import { expireOrders } from '../paying/expiry.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
  await addAccount(it, 'staff2', 'staff')
})
afterAll(async () => {
  expect((await checkLedger(it.db)).breaches).toEqual([])
  await it.db.close()
})

type Change = Parameters<typeof change>[2]
function change(uid: string, orderNo: string, body: { status: string; reason?: string; sameAmountOrderNo?: string }) {
  const sent = { orderNo, reason: 'ตรวจแล้ว', deliveryReference: 'REF', ...body }
  return it.as(uid).codeOf(contract.updateOrderStatus, { body: sent as never })
}
const inOrder = async (uid: string, orderNo: string, changes: Change[]) => {
  const codes: string[] = []
  for (const each of changes) codes.push(await change(uid, orderNo, each))
  return codes
}
const seenBy = (uid: string, orderNo: string) => it.as(uid).call(getOrderForStaff, { params: { orderNo } })

describe('money received and the order taken in one go', () => {
  const take = (uid: string, orderNo: string, body: { status?: 'paid' | 'processing' } = {}) =>
    it.as(uid).call(contract.updateOrderStatus, {
      body: { orderNo, status: 'paid', reason: 'เห็นเงิน', andClaim: true, ...body },
    })

  test('is both steps, told of each', async () => {
    const { orderNo } = await buyByBank(it.as('both-steps'))
    expect(await take('staff2', orderNo)).toEqual({ orderNo, status: 'processing' })
    const seen = await seenBy('staff2', orderNo)
    expect(seen).toMatchObject({ status: 'processing', claimedBy: 'staff2', queueNo: expect.any(Number) })
    expect(seen.timeline.map(({ kind, to }) => `${kind} ${to}`)).toEqual([
      'created waiting_payment',
      'status paid',
      'status processing',
    ])
    const { rows } = await it.as('admin').call(listAudit, { query: { subject: `order:${orderNo}` } })
    expect(rows.map(({ after }) => (after as { status: string }).status)).toEqual(['processing', 'paid'])
  })

  test('is neither when one of them is refused, and one person wins', async () => {
    const own = await buyByBank(it.as('staff2'))
    await expect(take('staff2', own.orderNo)).rejects.toMatchObject({ code: 'OWN_ORDER' })
    const { orderNo } = await buyByBank(it.as('raced'))
    const codes = await Promise.all(
      ['staff', 'staff2', 'manager'].map(uid =>
        take(uid, orderNo).then(
          () => 'OK',
          ({ code }) => code as string,
        ),
      ),
    )
    expect(codes.filter(code => code === 'OK')).toHaveLength(1)
    expect((await seenBy('staff', orderNo)).timeline).toHaveLength(3)
    const paid = await buyByBank(it.as('already-paid'))
    await change('staff2', paid.orderNo, { status: 'paid' })
    await expect(take('staff', paid.orderNo, { status: 'processing' })).rejects.toMatchObject({
      code: 'ORDER_STATUS_NOT_ALLOWED',
    })
    expect(await seenBy('staff', paid.orderNo)).toMatchObject({ status: 'paid', claimedBy: null })
  })

  test('is not for customers', async () => {
    const { orderNo } = await buyByBank(it.as('no-staff'))
    await expect(take('no-staff', orderNo)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})

describe('what staff bought themselves', () => {
  test('is marked paid, claimed, completed, failed and refunded by others only', async () => {
    for (const uid of ['staff', 'manager', 'admin']) {
      const { orderNo } = await buyByBank(it.as(uid))
      expect(await change(uid, orderNo, { status: 'paid' })).toBe('OWN_ORDER')
      expect((await seenBy(uid, orderNo)).commands).toEqual([])
      const { rows } = await it.as(uid).call(contract.listAllOrders, { query: { orderNo } })
      expect(rows).toMatchObject([{ orderNo, commands: [] }])
      expect(await change('staff2', orderNo, { status: 'paid' })).toBe('OK')
      const own = [{ status: 'processing' }, { status: 'failed' }, { status: 'refunded' }]
      expect(await inOrder(uid, orderNo, own)).toEqual(['OWN_ORDER', 'OWN_ORDER', 'OWN_ORDER'])
      expect(await change('staff2', orderNo, { status: 'processing' })).toBe('OK')
      expect(await change(uid, orderNo, { status: 'success' })).toBe('OWN_ORDER')
      expect(await change('staff2', orderNo, { status: 'success' })).toBe('OK')
    }
  })

  test('from their wallet is not refunded to it by themselves', async () => {
    await addAccount(it, 'rich', 'manager')
    await addWallet(it.db, { uid: 'rich', balanceSatang: 100_000, pin: '1234', now: it.clock.now })
    const body = { gameId: 1, packageId: 1, playerId: '1', termsVersion: '1', pin: '1234' }
    const { orderNo } = await it.as('rich').call(contract.confirmOrder, { body, idempotencyKey: onceKey() })
    const left = await walletBalance(it.db, 'rich')
    expect(await change('rich', orderNo, { status: 'refunded' })).toBe('OWN_ORDER')
    expect(await walletBalance(it.db, 'rich')).toBe(left)
    expect(await change('manager', orderNo, { status: 'refunded' })).toBe('OK')
    expect(await walletBalance(it.db, 'rich')).toBe(100_000)
  })

  test('as guests of the same browser counts, too', async () => {
    const guest = it.as(null)
    const { orderNo } = await buyByBank(guest)
    const signedInSince = it.as('staff', { 'guest-key': guest.headers['guest-key']! })
    const body = { orderNo, status: 'paid' as const, reason: 'ตรวจแล้ว' }
    expect(await signedInSince.codeOf(contract.updateOrderStatus, { body })).toBe('OWN_ORDER')
    expect((await signedInSince.call(getOrderForStaff, { params: { orderNo } })).commands).toEqual([])
    expect(await it.as('staff').codeOf(contract.updateOrderStatus, { body })).toBe('OK')
  })
})

describe('what takes a manager', () => {
  test('a refund; and it names the sale that it takes back', async () => {
    const { orderNo } = await buyByBank(it.as(null))
    expect(await change('staff', orderNo, { status: 'paid' })).toBe('OK')
    expect((await seenBy('staff', orderNo)).commands).not.toContain('refund')
    expect((await seenBy('manager', orderNo)).commands).toContain('refund')
    expect(await change('staff', orderNo, { status: 'refunded' })).toBe('FORBIDDEN')
    expect(await change('manager', orderNo, { status: 'refunded' })).toBe('OK')
    const rows = await it.db.query<{ kind: string; reverses: string | null }>({
      text: `SELECT t.kind, r.kind AS reverses FROM ledger_transaction t LEFT JOIN ledger_transaction r ON r.id = t.reverses_id
        JOIN orders o ON o.id = t.subject_id WHERE o.order_no = $1 ORDER BY t.kind`,
      values: [orderNo],
    })
    expect(rows).toEqual([
      { kind: 'order_paid', reverses: null },
      { kind: 'order_refunded', reverses: 'order_paid' },
    ])
  })

  test('"paid" by hand above the two-person amount', async () => {
    const set = (baht: number) =>
      it.db.query({
        text: `INSERT INTO option (name, value) VALUES ('TWO_PERSON_APPROVAL_AMOUNT', $1)
          ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
        values: [String(baht)],
      })
    const { orderNo } = await buyByBank(it.as(null))
    await set(149)
    expect((await seenBy('staff', orderNo)).commands).toEqual(['cancel'])
    const { rows } = await it.as('staff').call(contract.listAllOrders, { query: { orderNo } })
    expect(rows[0]!.commands).toEqual(['cancel'])
    expect(await change('staff', orderNo, { status: 'paid' })).toBe('FORBIDDEN')
    expect((await seenBy('manager', orderNo)).commands).toContain('markPaid')
    // It is more than one person may in a day: another manager gives a second word.
    expect(await change('manager', orderNo, { status: 'paid' })).toBe('SECOND_WORD_NEEDED')
    const small = await buyByBank(it.as(null))
    await set(150)
    await addAccount(it, 'staff-of-today', 'staff')
    expect(await change('staff-of-today', small.orderNo, { status: 'paid' })).toBe('OK')
    await set(20_000)
  })
})

describe('a transfer that came late', () => {
  /** An order that expired, its amount long free again. */
  async function expired(uid: string | null) {
    const caller = it.as(uid)
    const order = await buyByBank(caller)
    it.clock.advance(3600)
    await expireOrders(it.shop)
    return { caller, ...order }
  }

  test('and is reported stands in a list of its own', async () => {
    const { caller, orderNo } = await expired(null)
    const list = async () =>
      (await it.as('staff').call(contract.listAllOrders, { query: { waiting: 'lateReport' } })).rows.map(
        row => row.orderNo,
      )
    expect(await list()).not.toContain(orderNo)
    await report(caller, orderNo)
    expect(await list()).toContain(orderNo)
    expect(await change('staff', orderNo, { status: 'paid' })).toBe('OK')
    expect(await list()).not.toContain(orderNo)
  })

  test('and never arrived is cancelled with a reason that the buyer reads, and leaves the list', async () => {
    const { caller, orderNo } = await expired(null)
    expect(await change('staff', orderNo, { status: 'cancel' })).toBe('ORDER_STATUS_NOT_ALLOWED')
    await report(caller, orderNo)
    const list = () => it.as('staff').call(contract.listAllOrders, { query: { waiting: 'lateReport', orderNo } })
    expect((await list()).rows).toMatchObject([{ orderNo, commands: ['cancel', 'markPaid'] }])
    expect(await change('staff', orderNo, { status: 'cancel', reason: '' })).toBe('REASON_REQUIRED')
    const byBuyer = { body: { orderNo, status: 'cancel' as const } }
    expect(await caller.codeOf(contract.updateOrderStatus, byBuyer)).toBe('ORDER_STATUS_NOT_ALLOWED')
    const tries = ['staff', 'staff2'].map(uid => change(uid, orderNo, { status: 'cancel', reason: 'ไม่พบยอดโอน' }))
    expect((await Promise.all(tries)).sort()).toEqual(['OK', 'ORDER_STATUS_NOT_ALLOWED'])
    expect((await list()).total).toBe(0)
    expect(await caller.call(contract.getOrder, { params: { orderNo } })).toMatchObject({
      status: 'cancel',
      reason: 'ไม่พบยอดโอน',
      canReport: false,
    })
    const { rows } = await it.as('admin').call(listAudit, { query: { subject: `order:${orderNo}` } })
    expect(rows).toMatchObject([{ action: 'order.changeStatus', after: { status: 'cancel', reason: 'ไม่พบยอดโอน' } }])
  })

  test('for an order of their own staff neither take nor cancel', async () => {
    const { caller, orderNo } = await expired('staff')
    await report(caller, orderNo)
    expect(await inOrder('staff', orderNo, [{ status: 'paid' }, { status: 'cancel' }])).toEqual([
      'OWN_ORDER',
      'OWN_ORDER',
    ])
    expect((await seenBy('staff', orderNo)).commands).toEqual([])
    expect(await change('staff2', orderNo, { status: 'cancel' })).toBe('OK')
  })

  test('is taken for the expired order only by who was shown the order that has its amount now', async () => {
    const { caller, orderNo, amountSatang } = await expired('late-payer')
    await report(caller, orderNo)
    expect((await seenBy('staff', orderNo)).sameAmountOrderNo).toBeNull()
    const other = await buyByBank(it.as('early-payer'))
    // By chance it could be this amount, which is free again.
    await it.db.query({ text: 'DELETE FROM reserved_amount WHERE reusable_at IS NOT NULL' })
    await it.db.query({
      text: 'UPDATE reserved_amount SET amount_satang = $1 WHERE order_id = (SELECT id FROM orders WHERE order_no = $2)',
      values: [amountSatang, other.orderNo],
    })
    expect((await seenBy('staff', orderNo)).sameAmountOrderNo).toBe(other.orderNo)
    const input = { body: { orderNo, status: 'paid' as const, reason: 'พบยอดแล้ว' } }
    await expect(it.as('staff').call(contract.updateOrderStatus, input)).rejects.toMatchObject({
      code: 'SAME_AMOUNT_ORDER',
      details: { orderNo: other.orderNo },
      message: expect.stringContaining(other.orderNo),
    })
    expect(await change('staff', orderNo, { status: 'paid', sameAmountOrderNo: 'KT2611-00000000' })).toBe(
      'SAME_AMOUNT_ORDER',
    )
    expect(await change('staff', orderNo, { status: 'paid', sameAmountOrderNo: other.orderNo })).toBe('OK')
  })
})
