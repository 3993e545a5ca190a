import { takeRefundAsCredit } from '@shop/shared/credit/endpoints.ts'
import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import { listOwedRefunds } from '@shop/shared/statement/refund-endpoints.ts'
import { reduceDelivery, retryDelivery } from '@shop/shared/supplier/endpoints.ts'
import { giveSecondWord } from '@shop/shared/value/endpoints.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { addAccount, onceKey } from '../../testing/shop.ts'
import { createSupplierShop, openWalletBuyer, type SupplierShop, sellOneAtATime } from '../../testing/supplier.ts'
import { walletBalance } from '../../testing/wallet.ts'
import { wordOf } from '../../testing/words.ts'
import { checkLedger } from '../../wallet/ledger-check.ts'

const PIECES = 3
const BROUGHT = 1

let it: SupplierShop
let buy: (quantity: number) => Promise<string>
beforeAll(async () => {
  it = await createSupplierShop()
  for (const uid of ['manager-2', 'manager-3']) await addAccount(it, uid, 'manager')
  buy = await openWalletBuyer(it)
  sellOneAtATime(it)
})
afterEach(async () => {
  it.supplier.register.faults = []
  expect((await checkLedger(it.db)).breaches).toEqual([])
})
afterAll(() => it?.stop())

const look = (orderNo: string) => it.as('manager').call(getOrderForStaff, { params: { orderNo } })
const balance = () => walletBalance(it.db, 'agent')
const reduce = (uid: string, orderNo: string) =>
  it.as(uid).codeOf(reduceDelivery, { body: { orderNo, broughtPieces: BROUGHT } })
const command = (uid: string, orderNo: string, status: 'refunded' | 'failed' | 'cancel' | 'paid' | 'processing') =>
  it.as(uid).codeOf(updateOrderStatus, { body: { orderNo, status, reason: 'ส่งไม่ครบ' } })

/** An order of which one piece came and no more will. Returns what a piece costs and what the wallet had before it. */
async function partial() {
  const before = await balance()
  const orderNo = await buy(PIECES)
  await it.drain()
  it.supplier.register.faults = ['price']
  for (let tries = 0; (await look(orderNo)).status !== 'paid'; tries++) {
    expect(tries).toBeLessThan(20)
    it.clock.advance(11)
    await it.drain()
  }
  const { priceSatang, delivery } = await look(orderNo)
  expect(delivery).toMatchObject({ broughtPieces: BROUGHT, reduction: { missingPieces: PIECES - BROUGHT } })
  return { orderNo, before, unit: priceSatang / PIECES }
}

test('the rest that two managers, and one of them many times, give back at once goes back once', async () => {
  const { orderNo, before, unit } = await partial()
  const tries = await Promise.all(
    Array.from({ length: 10 }, (_, n) => reduce(['manager', 'manager-2', 'manager-3'][n % 3]!, orderNo)),
  )
  expect(tries.toSorted()).toEqual(['OK', ...Array(9).fill('ORDER_STATUS_NOT_ALLOWED')])
  expect(await balance()).toBe(before - BROUGHT * unit)
})

test('the rest and the whole given back at once: one of them is', async () => {
  for (const first of ['whole', 'rest'] as const) {
    const { orderNo, before, unit } = await partial()
    const whole = { body: { orderNo, status: 'refunded' as const, reason: 'ลูกค้าขอคืนทั้งหมด' } }
    // The whole is given back at the risk of the piece that came, so it takes two; the second one presses in the same moment.
    const id = await wordOf(it.as('manager'), updateOrderStatus, whole)
    const race = [
      () => it.as('manager-2').codeOf(giveSecondWord, { params: { id } }),
      () => reduce('manager-3', orderNo),
    ]
    const [one, two] = first === 'whole' ? race : race.toReversed()
    const codes = await Promise.all([one!(), two!()])
    expect(codes.filter(code => code === 'OK')).toHaveLength(1)
    const { status, quantity } = await look(orderNo)
    const isWhole = status === 'refunded'
    expect([status, quantity]).toEqual(isWhole ? ['refunded', PIECES] : ['success', BROUGHT])
    expect(await balance()).toBe(isWhole ? before : before - BROUGHT * unit)
  }
})

test('once the rest is back nothing of the order goes back again: not whole, not failed, not as credit', async () => {
  const { orderNo, before, unit } = await partial()
  const whole = { body: { orderNo, status: 'refunded' as const, reason: 'ลูกค้าขอคืนทั้งหมด' } }
  // A word that was asked for while the whole could still be given back.
  const id = await wordOf(it.as('manager'), updateOrderStatus, whole)
  expect(await reduce('manager', orderNo)).toBe('OK')
  const after = before - BROUGHT * unit
  expect(await it.as('manager-2').codeOf(giveSecondWord, { params: { id } })).not.toBe('OK')
  for (const status of ['refunded', 'failed', 'cancel', 'paid', 'processing'] as const)
    expect([status, await command('manager-2', orderNo, status)]).toEqual([status, 'ORDER_STATUS_NOT_ALLOWED'])
  const credited = { params: { orderNo }, idempotencyKey: onceKey() }
  expect(await it.as('agent').codeOf(takeRefundAsCredit, credited)).not.toBe('OK')
  expect((await it.as('manager').call(listOwedRefunds, {})).rows).toEqual([])
  expect([await balance(), (await look(orderNo)).status]).toEqual([after, 'success'])
})

test('the rest given back and bought again at once: no piece is both', async () => {
  const { orderNo, before, unit } = await partial()
  const booked = it.supplier.register.booked.size
  const [back, again] = await Promise.all([
    reduce('manager', orderNo),
    it.as('manager-2').codeOf(retryDelivery, { body: { orderNo } }),
  ])
  for (let n = 0; n < 6; n++) {
    await it.drain()
    it.clock.advance(11)
  }
  const { status, quantity, delivery } = await look(orderNo)
  expect([back, status]).toEqual(['OK', 'success'])
  expect(['OK', 'DELIVERY_NOT_RETRIABLE']).toContain(again)
  expect([quantity, delivery!.broughtPieces]).toEqual([BROUGHT, BROUGHT])
  expect(it.supplier.register.booked.size).toBe(booked)
  expect(await balance()).toBe(before - BROUGHT * unit)
})
