import * as orders from '@shop/shared/order/endpoints.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { deskOf } from '../testing/decisions.ts'
import { buyByBank, codeOf } from '../testing/orders.ts'
import { addAccount, createTestShop, type TestShop } from '../testing/shop.ts'
import { addWallet } from '../testing/wallet.ts'
import { checkLedger } from '../wallet/ledger-check.ts'

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

const { order, line, decide, seen, change, booked } = deskOf(() => it)
const because = { reason: 'ลูกค้ายืนยันแล้ว' }

describe('at the same moment', () => {
  const outcomes = (codes: string[]) => codes.toSorted()

  test('two managers decide the same line: one does', async () => {
    for (let round = 0; round < 4; round++) {
      const { id: orderId, amountSatang, target } = await order()
      const id = await line(amountSatang)
      const codes = await Promise.all([
        codeOf(decide(id, { step: 'match', target }, 'manager', 1)),
        codeOf(decide(id, { step: 'creditWallet', walletId, ...because }, 'manager2', 1)),
        codeOf(decide(id, { step: 'oweRefund', ...because }, 'admin', 1)),
      ])
      expect(outcomes(codes)).toEqual(['LINE_STEP_NOT_ALLOWED', 'LINE_STEP_NOT_ALLOWED', 'OK'])
      expect(await booked('bank:1', orderId, id)).toBe(-amountSatang)
    }
  })

  test('two lines are matched to the same order: one is', async () => {
    for (let round = 0; round < 4; round++) {
      const { id: orderId, amountSatang, target } = await order()
      const lines = [await line(amountSatang), await line(amountSatang)]
      const codes = await Promise.all(lines.map(id => codeOf(decide(id, { step: 'match', target, ...because }))))
      expect(outcomes(codes)).toEqual(['LINE_TARGET_TAKEN', 'OK'])
      expect(await booked('bank:1', orderId)).toBe(-amountSatang)
    }
  })

  test('a line is matched while the customer cancels: one of both', async () => {
    for (let round = 0; round < 6; round++) {
      const { orderNo, amountSatang, target, uid } = await order()
      const id = await line(amountSatang)
      const [matched, cancelled] = await Promise.all([
        codeOf(decide(id, { step: 'match', target })),
        it.as(uid).codeOf(orders.updateOrderStatus, { body: { orderNo, status: 'cancel' } }),
      ])
      const status = (await seen(orderNo)).status
      expect([
        ['OK', 'ORDER_STATUS_NOT_ALLOWED', 'paid'],
        ['LINE_TARGET_OVER', 'OK', 'cancel'],
      ]).toContainEqual([matched, cancelled, status])
    }
  })

  test('a match is taken back while staff claim: one of both', async () => {
    for (let round = 0; round < 6; round++) {
      const { orderNo, amountSatang, target } = await order()
      const id = await line(amountSatang)
      await decide(id, { step: 'match', target })
      const [undone, claimed] = await Promise.all([
        codeOf(decide(id, { step: 'undo', ...because })),
        change(orderNo, 'processing', 'staff'),
      ])
      const status = (await seen(orderNo)).status
      expect([
        ['OK', 'ORDER_STATUS_NOT_ALLOWED', 'waiting_payment'],
        ['ORDER_STATUS_NOT_ALLOWED', 'OK', 'processing'],
      ]).toContainEqual([undone, claimed, status])
    }
  })

  test('a match is taken back while its buyer begins another order: never two unpaid', async () => {
    for (let round = 0; round < 6; round++) {
      const { orderNo, amountSatang, target, uid } = await order()
      const id = await line(amountSatang)
      await decide(id, { step: 'match', target })
      const [undone, bought] = await Promise.all([
        codeOf(decide(id, { step: 'undo', ...because })),
        codeOf(buyByBank(it.as(uid))),
      ])
      const status = (await seen(orderNo)).status
      expect([
        ['OK', 'OK', 'expired'],
        ['OK', 'UNPAID_ORDER_EXISTS', 'waiting_payment'],
        ['CONFLICT', 'OK', 'paid'],
      ]).toContainEqual([undone, bought, status])
    }
  })
})
