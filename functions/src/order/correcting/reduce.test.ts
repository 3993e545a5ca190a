import { listAudit } from '@shop/shared/audit/endpoints.ts'
import { getOrder, updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import * as contract from '@shop/shared/supplier/endpoints.ts'
import { giveSecondWord } from '@shop/shared/value/endpoints.ts'
import { getStatement, listOwnTransactions } from '@shop/shared/wallet/endpoints.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { findToldOrder } from '../../chat/order-facts.ts'
import { fixture } from '../../testing/fixture.ts'
import { addAccount } from '../../testing/shop.ts'
import { createSupplierShop, openWalletBuyer, type SupplierShop, sellOneAtATime } from '../../testing/supplier.ts'
import { walletBalance } from '../../testing/wallet.ts'
import { insertVouchers } from '../../voucher/store.ts'
import { checkLedger } from '../../wallet/ledger-check.ts'

let it: SupplierShop
let buy: (quantity: number) => Promise<string>
beforeAll(async () => {
  it = await createSupplierShop()
  await addAccount(it, 'manager2', 'manager')
  buy = await openWalletBuyer(it)
  sellOneAtATime(it)
})
afterEach(async () => {
  it.supplier.register.faults = []
  expect((await checkLedger(it.db)).breaches).toEqual([])
})
afterAll(() => it.stop())

const look = (orderNo: string) => it.as('manager').call(getOrderForStaff, { params: { orderNo } })
const reduce = (uid: string, orderNo: string, broughtPieces: number) =>
  it.as(uid).codeOf(contract.reduceDelivery, { body: { orderNo, broughtPieces } })

/** Delivers this many pieces of an order; the next purchase is refused for good. */
async function bringPieces(orderNo: string, pieces: number): Promise<void> {
  await it.drain()
  for (let tries = 0; tries < 20; tries++) {
    const { status, delivery } = await look(orderNo)
    if (status === 'paid') return
    if (delivery!.broughtPieces === pieces - 1) it.supplier.register.faults = ['price']
    it.clock.advance(11)
    await it.drain()
  }
  throw new Error('it was not left to staff')
}

test('the rest goes back once, and the order, the books, the wallet and all who read it say the same', async () => {
  const before = await walletBalance(it.db, 'agent')
  const orderNo = await buy(5)
  const { priceSatang } = await look(orderNo)
  await bringPieces(orderNo, 3)
  const left = await look(orderNo)
  const unit = priceSatang / 5
  expect(left).toMatchObject({
    status: 'paid',
    quantity: 5,
    delivery: {
      quantity: 5,
      broughtPieces: 3,
      stockPieces: 0,
      next: 'seagm',
      canRetry: true,
      reduction: { missingPieces: 2, backSatang: 2 * unit },
    },
  })
  expect(await reduce('staff', orderNo, 3)).toBe('FORBIDDEN')
  expect(await reduce('manager', orderNo, 2)).toBe('PIECES_CHANGED')
  const twice = await Promise.all([reduce('manager', orderNo, 3), reduce('manager2', orderNo, 3)])
  expect(twice.toSorted()).toEqual(['OK', 'ORDER_STATUS_NOT_ALLOWED'])
  expect(await walletBalance(it.db, 'agent')).toBe(before - 3 * unit)
  const text = `ส่ง 3 จาก 5 ชิ้น คืน 2 ชิ้น ${((2 * unit) / 100).toFixed(2)} บาท`
  const after = await look(orderNo)
  expect(after).toMatchObject({
    status: 'success',
    quantity: 3,
    priceSatang: 3 * unit,
    delivery: { reduction: null, next: null, canRetry: false },
  })
  expect(after.timeline.slice(-2)).toMatchObject([
    { kind: 'reduced', to: 'paid', reason: text },
    { kind: 'status', to: 'success' },
  ])
  const bought = await it.as('agent').call(getOrder, { params: { orderNo } })
  expect(bought).toMatchObject({ status: 'success', quantity: 3, priceSatang: 3 * unit, reduction: text, reason: null })
  const { rows } = await it.as('agent').call(listOwnTransactions, { query: { transactionNo: orderNo } })
  expect(rows.map(({ transType, amountSatang }) => [transType, amountSatang])).toEqual([
    ['คืนเงิน', 2 * unit],
    ['ถอน', 5 * unit],
  ])
  const { rows: moved, closingSatang } = await it.as('agent').call(getStatement, { params: { month: '2026-11' } })
  expect(moved.filter(({ no }) => no === orderNo).map(({ amountSatang }) => amountSatang)).toEqual([
    -5 * unit,
    2 * unit,
  ])
  expect(closingSatang).toBe(before - 3 * unit)
  expect(await findToldOrder(it.db, { orderNo })).toMatchObject({
    status: 'success',
    quantity: 3,
    amountSatang: 3 * unit,
    reduction: text,
  })
  const audited = await it.as('admin').call(listAudit, { query: { action: 'order.reduce' } })
  expect(audited.rows).toMatchObject([
    {
      before: { quantity: 5, priceSatang },
      after: { quantity: 3, priceSatang: 3 * unit, status: 'success', reason: text },
    },
  ])
  // Nothing of it is bought any more.
  const booked = it.supplier.register.booked.size
  it.clock.advance(900)
  await it.drain()
  expect(it.supplier.register.booked.size).toBe(booked)
})

test('with a purchase whose outcome is open it is refused, also where a person has it in hand', async () => {
  const orderNo = await buy(3)
  await it.drain()
  it.supplier.register.faults = ['lost']
  it.clock.advance(11)
  await it.drain()
  expect(await look(orderNo)).toMatchObject({ delivery: { broughtPieces: 1, isOpen: true, reduction: null } })
  expect(await reduce('manager', orderNo, 1)).toBe('DELIVERY_NOT_ENDED')
  await it.as('manager').call(updateOrderStatus, {
    body: { orderNo, status: 'paid', supplierRiskReason: 'โทรถามแล้ว ไม่ได้ส่ง' },
  })
  expect(await look(orderNo)).toMatchObject({ status: 'paid', delivery: { reduction: null } })
  expect(await reduce('manager', orderNo, 1)).toBe('DELIVERY_NOT_ENDED')
})

test('what goes back counts to the day of who presses, as any refund to a wallet: above it takes two', async () => {
  await it.db.query({
    text: `INSERT INTO option (name, value) VALUES ('TWO_PERSON_APPROVAL_AMOUNT', '0')
      ON CONFLICT (name) DO UPDATE SET value = '0'`,
  })
  const orderNo = await buy(3)
  const { priceSatang } = await look(orderNo)
  await bringPieces(orderNo, 1)
  const before = await walletBalance(it.db, 'agent')
  const asked = await it
    .as('manager')
    .call(contract.reduceDelivery, { body: { orderNo, broughtPieces: 1 } })
    .catch((error: { code: string; details: { secondWordId: string } }) => error)
  expect(asked).toMatchObject({ code: 'SECOND_WORD_NEEDED' })
  expect(await walletBalance(it.db, 'agent')).toBe(before)
  const { secondWordId: id } = (asked as { details: { secondWordId: string } }).details
  expect(await it.as('manager').codeOf(giveSecondWord, { params: { id } })).toBe('SECOND_WORD_NOT_YOURS')
  expect(await it.as('manager2').codeOf(giveSecondWord, { params: { id } })).toBe('OK')
  expect(await walletBalance(it.db, 'agent')).toBe(before + (priceSatang / 3) * 2)
  expect((await look(orderNo)).status).toBe('success')
})

test('codes of the shop’s own stock count as pieces, and a purchase that failed beside them does not', async () => {
  await it.db.query({ text: `DELETE FROM option WHERE name = 'TWO_PERSON_APPROVAL_AMOUNT'` })
  const packageId = fixture.pubg.package
  const codes = ['A', 'B'].map(name => ({ code: `REDUCE-${name}`, pin: null, serial: null, expiresOn: null }))
  const of = { packageId, batchId: null, attemptId: null, orderId: null, state: 'free', costSatang: 100 } as const
  expect(await insertVouchers(it.db, it.shop.vouchers!, codes, of, it.clock.now)).toBe(2)
  const sources = [
    { supplier: 'stock', sku: '', costSatang: null },
    { supplier: 'gone', sku: '1', costSatang: null },
  ]
  await it.db.query({
    text: `UPDATE package SET delivers = 'code', sources = $2 WHERE id = $1`,
    values: [packageId, JSON.stringify(sources)],
  })
  const orderNo = await buy(3)
  await it.drain()
  const { status, delivery, priceSatang } = await look(orderNo)
  expect([status, delivery]).toMatchObject([
    'paid',
    { broughtPieces: 2, stockPieces: 2, attempts: [], canRetry: true, reduction: { backSatang: priceSatang / 3 } },
  ])
  expect(await reduce('manager2', orderNo, 2)).toBe('OK')
  expect(await look(orderNo)).toMatchObject({ status: 'success', quantity: 2, deliveryReference: 'สต็อกของร้าน' })
})

test('nobody reduces an order of their own', async () => {
  const orderNo = await buy(2)
  await bringPieces(orderNo, 1)
  await it.db.query({ text: `UPDATE account SET role = 'manager' WHERE uid = 'agent'` })
  expect(await reduce('agent', orderNo, 1)).toBe('OWN_ORDER')
})
