import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import * as contract from '@shop/shared/supplier/endpoints.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { matchLines } from '../../statement/matching.ts'
import { checkSuppliers } from '../../supplier/check.ts'
import { watchSuppliers } from '../../supplier/watch.ts'
import { fixture } from '../../testing/fixture.ts'
import { buyByBank, codeOf } from '../../testing/orders.ts'
import { addAccount } from '../../testing/shop.ts'
import { addLines, lineOf } from '../../testing/statement.ts'
import {
  BALANCE,
  COST,
  createSupplierShop,
  openWalletBuyer,
  payOrder,
  type SupplierShop,
} from '../../testing/supplier.ts'

let it: SupplierShop
let buyByWallet: (quantity: number) => Promise<string>
beforeAll(async () => {
  it = await createSupplierShop()
  buyByWallet = await openWalletBuyer(it)
})
afterAll(() => it.stop())
beforeEach(async () => {
  it.supplier.register.faults = []
  it.supplier.register.balanceSatang = BALANCE
  await it.db.query({ text: `UPDATE supplier SET is_on = true, stopped_at = NULL, stopped_for = NULL` })
})

const look = (orderNo: string) => it.as('manager').call(getOrderForStaff, { params: { orderNo } })
const change = (
  uid: string,
  body: { orderNo: string; status: 'success' | 'refunded' | 'paid' } & Record<string, string>,
) => it.as(uid).codeOf(updateOrderStatus, { body })
const state = async () => {
  const { suppliers, ...all } = await it.as('staff').call(contract.getSupplier, {})
  return { ...all, ...suppliers[0]! }
}
const settings = async () => (await it.as('manager').call(contract.getSupplierSettings, {})).suppliers[0]!
const jobs = async () => {
  const [row] = await it.db.query<{ n: number }>({
    text: `SELECT count(*)::int AS n FROM outbox WHERE kind = 'supplier.deliver' AND state = 'waiting'`,
  })
  return row!.n
}
/** Delivers what is due. */
async function deliver(): Promise<void> {
  await it.drain()
  it.clock.advance(11)
  await it.drain()
}

describe('what is bought', () => {
  test('an order from the wallet, all its pieces at once', async () => {
    const orderNo = await buyByWallet(3)
    await deliver()
    const { status, delivery } = await look(orderNo)
    expect([status, delivery!.attempts[0]!.costSatang]).toEqual(['success', 3 * COST])
  })

  test('an order that its statement line paid', async () => {
    await addAccount(it, 'by-line', 'customer')
    const { orderNo, amountSatang } = await buyByBank(it.as('by-line'))
    await addLines(it, [lineOf({ amountSatang, at: it.clock.now })])
    await matchLines(it.shop)
    await deliver()
    expect((await look(orderNo)).status).toBe('success')
  })

  test('nothing before it is paid, for a package by hand, or while it is switched off', async () => {
    await addAccount(it, 'unpaid', 'customer')
    await buyByBank(it.as('unpaid'))
    expect(await jobs()).toBe(0)
    await it.db.query({ text: 'UPDATE package SET is_automatic = false WHERE id = $1', values: [fixture.pubg.package] })
    const byHand = await payOrder(it)
    expect(await jobs()).toBe(0)
    await it.db.query({ text: 'UPDATE package SET is_automatic = true WHERE id = $1', values: [fixture.pubg.package] })
    await it.as('manager').call(contract.saveSupplier, { body: { name: 'seagm', isOn: false, lowBalanceSatang: 0 } })
    const waiting = await payOrder(it)
    await it.drain()
    expect([(await look(byHand)).status, (await look(waiting)).status]).toEqual(['paid', 'paid'])
    expect((await look(waiting)).delivery).toBeNull()
    expect(await change('staff', { orderNo: byHand, status: 'paid' })).not.toBe('OK')
    await it.as('manager').call(updateOrderStatus, { body: { orderNo: byHand, status: 'refunded', reason: 'x' } })
    await it.as('manager').call(contract.saveSupplier, { body: { name: 'seagm', isOn: true, lowBalanceSatang: 0 } })
    await deliver()
    expect((await look(waiting)).status).toBe('success')
  })

  test('nothing for a player whom the supplier does not know, where it can tell before', async () => {
    const { shop } = it
    const before = shop.suppliers.seagm!
    const capabilities = { ...before.capabilities, validates: 'optional' as const }
    shop.suppliers = { seagm: { ...before, capabilities, validatePlayer: async () => ({ kind: 'wrong' }) } }
    const booked = it.supplier.register.booked.size
    const orderNo = await payOrder(it)
    await it.drain()
    shop.suppliers = { seagm: before }
    const { status, delivery } = await look(orderNo)
    expect([status, delivery!.attempts[0]!.reason]).toEqual(['paid', 'ผู้จำหน่ายไม่พบผู้เล่นนี้'])
    expect(it.supplier.register.booked.size).toBe(booked)
  })

  test('nothing for an order that somebody claimed in that moment', async () => {
    const orderNo = await payOrder(it)
    await it.as('staff').call(updateOrderStatus, { body: { orderNo, status: 'processing' } })
    await it.drain()
    expect(await look(orderNo)).toMatchObject({ status: 'processing', claimedBy: 'staff', delivery: null })
  })
})

describe('staff', () => {
  test('go on by hand while the outcome is open only with a reason; that the goods came too is told to them', async () => {
    const orderNo = await payOrder(it, 'lost')
    await it.drain()
    expect(await change('staff', { orderNo, status: 'success', deliveryReference: 'A' })).toBe('SUPPLIER_OUTCOME_OPEN')
    expect(await change('manager', { orderNo, status: 'refunded', reason: 'A' })).toBe('SUPPLIER_OUTCOME_OPEN')
    expect(await change('staff', { orderNo, status: 'paid' })).toBe('SUPPLIER_OUTCOME_OPEN')
    const supplierRiskReason = 'โทรถามแล้ว ไม่ได้ส่ง'
    expect(await change('staff', { orderNo, status: 'success', deliveryReference: 'A', supplierRiskReason })).toBe('OK')
    const [attempt] = (await look(orderNo)).delivery!.attempts
    expect(attempt).toMatchObject({ overruledReason: supplierRiskReason, state: 'unknown' })
    it.supplier.register.booked.get(attempt!.reference)!.hiddenFor = 0
    it.clock.advance(10)
    await it.drain()
    const seen = await look(orderNo)
    expect(seen).toMatchObject({ status: 'success', deliveryReference: 'A' })
    expect(seen.delivery!.attempts[0]).toMatchObject({ state: 'delivered', contradiction: 'delivered' })
    expect((await state()).unclearOrderNos).toContain(orderNo)
    const body = { orderNo, reason: 'คุยกับผู้จำหน่ายแล้ว' }
    expect(await it.as('staff').codeOf(contract.seeContradiction, { body })).toBe('FORBIDDEN')
    await it.as('manager').call(contract.seeContradiction, { body })
    expect((await state()).unclearOrderNos).not.toContain(orderNo)
  })

  test('buy once more what was refused, and nothing else', async () => {
    const orderNo = await payOrder(it, 'price')
    await it.drain()
    const again = () => codeOf(it.as('staff').call(contract.retryDelivery, { body: { orderNo } }))
    expect(await Promise.all([again(), again()])).toEqual(['OK', 'OK'])
    await deliver()
    const { status, delivery } = await look(orderNo)
    expect([status, delivery!.attempts.map(each => each.state)]).toEqual(['success', ['delivered', 'rejected']])
    expect(await again()).toBe('DELIVERY_NOT_RETRIABLE')
    const open = await payOrder(it, 'forever')
    await it.drain()
    expect(await codeOf(it.as('staff').call(contract.retryDelivery, { body: { orderNo: open } }))).toBe(
      'DELIVERY_NOT_RETRIABLE',
    )
  })

  test('ask once more, whenever they want to know', async () => {
    const orderNo = await payOrder(it, 'hangAfter')
    await it.drain()
    it.clock.advance(5)
    await it.as('staff').call(contract.askDelivery, { body: { orderNo } })
    await it.drain()
    expect((await look(orderNo)).status).toBe('success')
  })
})

describe('a supplier that refuses the shop', () => {
  test('for money: further orders wait as paid, and go on by themselves once there is enough', async () => {
    it.supplier.register.balanceSatang = COST - 1
    const [first, second] = [await payOrder(it), await payOrder(it)]
    await it.drain()
    expect((await state()).stopped).toMatchObject({ reason: 'balance' })
    const third = await payOrder(it)
    await it.drain()
    expect((await state()).waitingOrders).toBe(3)
    await watchSuppliers(it.shop)
    expect((await settings()).balanceSatang).toBe(COST - 1)
    expect((await state()).isBalanceLow).toBe(false)
    it.supplier.register.balanceSatang = 3 * COST
    await watchSuppliers(it.shop)
    expect(await state()).toMatchObject({ stopped: null, waitingOrders: 0 })
    await deliver()
    for (const orderNo of [first, second, third]) expect((await look(orderNo)).status).toBe('success')
    expect(it.supplier.register.balanceSatang).toBe(0)
  })

  test('for its key: until a manager switches it on again; staff may not', async () => {
    const orderNo = await payOrder(it, 'key')
    await it.drain()
    it.clock.advance(600)
    await watchSuppliers(it.shop)
    expect((await state()).stopped).toMatchObject({ reason: 'auth' })
    expect((await settings()).lastError).toContain('รหัส')
    const off = { isOn: false, lowBalanceSatang: BALANCE }
    await it.as('manager').call(contract.saveSupplier, { body: { name: 'seagm', ...off } })
    const [logged] = await it.db.query<{ after: unknown }>({
      text: `SELECT after FROM audit_entry WHERE action = 'supplier.save' ORDER BY at DESC, id DESC LIMIT 1`,
    })
    expect([logged!.after, (await state()).stopped?.reason]).toEqual([{ ...off, stoppedFor: 'auth' }, 'auth'])
    const body = { name: 'seagm' as const, isOn: true, lowBalanceSatang: BALANCE * 2 }
    expect(await it.as('staff').codeOf(contract.saveSupplier, { body })).toBe('FORBIDDEN')
    await it.as('manager').call(contract.saveSupplier, { body })
    expect(await state()).toMatchObject({ stopped: null, isBalanceLow: true })
    await deliver()
    expect((await look(orderNo)).status).toBe('success')
  })
})

test('a manager picks a product and tests the connection; costs and balance are kept from staff', async () => {
  expect(await it.as('manager').call(contract.listSupplierProducts, { query: { name: 'seagm' } })).toEqual([
    {
      sku: '1001',
      name: 'PUBG Mobile · 325 UC',
      delivers: 'top_up',
      price: '100.00',
      currency: 'THB',
      costSatang: COST,
      fields: ['user_id'],
      isInStock: true,
      region: '',
    },
  ])
  expect((await it.as('manager').call(contract.testSupplier, { body: { name: 'seagm' } })).balanceSatang).toBe(BALANCE)
  for (const endpoint of [contract.listSupplierProducts, contract.getSupplierSettings])
    expect(await it.as('staff').codeOf(endpoint, {})).toBe('FORBIDDEN')
})

test('the daily check explains the balance, and names what it can not', async () => {
  await it.as('manager').call(contract.testSupplier, { body: { name: 'seagm' } })
  it.clock.advance(3 * 86_400)
  await it.as('manager').call(contract.testSupplier, { body: { name: 'seagm' } })
  await payOrder(it)
  await deliver()
  expect((await checkSuppliers(it.shop, it.db)).differences).toEqual([])
  it.supplier.register.balanceSatang -= 500
  const { differences } = await checkSuppliers(it.shop, it.db)
  expect(differences).toEqual([{ kind: 'balance', what: expect.stringContaining('−5.00') }])
  await it.db.query({
    text: `UPDATE supplier_attempt SET cost_satang = 1 WHERE sent_at > $1`,
    values: [new Date(it.clock.now.getTime() - 60_000)],
  })
  expect((await checkSuppliers(it.shop, it.db)).differences.map(({ kind }) => kind)).toEqual(['cost', 'balance'])
})
