import type { Delivers } from '@shop/shared/catalogue/delivers.ts'
import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import type { SupplierName } from '@shop/shared/provider-names.ts'
import { getSupplier, retryDelivery } from '@shop/shared/supplier/endpoints.ts'
import { afterEach, expect, test } from 'vitest'
import { checkSuppliers } from '../../supplier/check.ts'
import { watchSuppliers } from '../../supplier/watch.ts'
import {
  BALANCE,
  COST,
  codesOfOrder,
  createSuppliersShop,
  followOrder,
  openWalletBuyer,
  payOrder,
  type SupplierShop,
} from '../../testing/supplier.ts'

let it: SupplierShop
let buy: (quantity: number) => Promise<string>
afterEach(() => it.stop())

async function open(names: readonly SupplierName[], delivers: Delivers = 'code'): Promise<void> {
  it = await createSuppliersShop(names, { delivers })
  buy = await openWalletBuyer(it)
}
const look = (orderNo: string) => it.as('manager').call(getOrderForStaff, { params: { orderNo } })
const attemptsOf = async (orderNo: string) =>
  (await look(orderNo))
    .delivery!.attempts.toReversed()
    .map(({ supplier, state, quantity, broughtPieces }) => [supplier, state, quantity, broughtPieces])
const registerOf = (name: SupplierName) => it.suppliers.find(each => each.name === name)!.register
/** Every code that the stand-ins sold and did not take back. */
const soldCodes = () =>
  it.suppliers.flatMap(({ register }) => [...register.booked.values()].flatMap(booked => register.codesOf(booked)))

test('of five codes the first supplier brings three, and the second the others: each code once', async () => {
  await open(['kinguin', 'seagm'])
  registerOf('kinguin').faults = ['someKeys']
  const orderNo = await buy(5)
  await followOrder(it, orderNo)
  expect((await look(orderNo)).status).toBe('success')
  expect(await attemptsOf(orderNo)).toEqual([
    ['kinguin', 'part', 5, 3],
    ['seagm', 'delivered', 2, 2],
  ])
  const codes = await codesOfOrder(it, orderNo)
  expect(codes.toSorted()).toEqual(soldCodes().toSorted())
  expect(new Set(codes).size).toBe(5)
  const [costs] = await it.db.query({
    text: `SELECT sum(cost_satang)::int AS attempts, (SELECT sum(cost_satang)::int FROM voucher) AS vouchers FROM supplier_attempt`,
  })
  expect(costs).toEqual({ attempts: 5 * COST, vouchers: 5 * COST })
  // Told again, nothing comes twice.
  await it.tellDue()
  await it.drain()
  expect(await codesOfOrder(it, orderNo)).toHaveLength(5)
  expect((await checkSuppliers(it.shop, it.db)).differences).toEqual([])
})

test('a supplier that sells one by one is asked once for each piece, and the next one for what it refuses', async () => {
  await open(['gamesdrop', 'seagm'])
  registerOf('gamesdrop').faults = ['slow', 'slow', 'noBalance']
  const orderNo = await buy(5)
  for (let rounds = 0; rounds < 4; rounds++) {
    it.clock.advance(10)
    await it.drain()
  }
  expect((await look(orderNo)).status).toBe('success')
  expect(await attemptsOf(orderNo)).toEqual([
    ['gamesdrop', 'part', 1, 1],
    ['gamesdrop', 'part', 1, 1],
    ['gamesdrop', 'rejected', 1, 0],
    ['seagm', 'delivered', 3, 3],
  ])
  expect(new Set(await codesOfOrder(it, orderNo)).size).toBe(5)
})

test('what nobody brings is left to staff, who read how much came, and who can have the rest bought', async () => {
  await open(['kinguin'])
  const { register } = it.supplier
  register.faults = ['someKeys']
  const orderNo = await buy(5)
  await followOrder(it, orderNo)
  const seen = await look(orderNo)
  expect(seen.status).toBe('paid')
  expect(seen.timeline.at(-1)!.reason).toContain('ส่งแล้ว 3 จาก 5 ชิ้น เหลือ 2 ชิ้น')
  expect(await codesOfOrder(it, orderNo)).toHaveLength(3)
  await it.as('staff').call(retryDelivery, { body: { orderNo } })
  await followOrder(it, orderNo)
  expect((await look(orderNo)).status).toBe('success')
  expect(await attemptsOf(orderNo)).toEqual([
    ['kinguin', 'part', 5, 3],
    ['kinguin', 'delivered', 2, 2],
  ])
  expect(BALANCE - register.balanceSatang).toBe(5 * COST)
})

test('a part of top-ups is told to staff, so that they do not send it again', async () => {
  await open(['gamesdrop'], 'top_up')
  registerOf('gamesdrop').faults = ['slow', 'canceled']
  const orderNo = await buy(3)
  for (let rounds = 0; rounds < 3; rounds++) {
    it.clock.advance(10)
    await it.drain()
  }
  expect((await look(orderNo)).timeline.at(-1)!.reason).toContain('ส่งแล้ว 1 จาก 3 ชิ้น เหลือ 2 ชิ้น')
  await it.as('staff').call(retryDelivery, { body: { orderNo } })
  for (let rounds = 0; rounds < 3; rounds++) {
    it.clock.advance(10)
    await it.drain()
  }
  expect((await look(orderNo)).status).toBe('success')
  const kept = [...registerOf('gamesdrop').booked.values()].filter(({ givenBackSatang }) => givenBackSatang === 0)
  expect(kept).toHaveLength(3)
})

test('codes that were here before are no goods: nothing more is bought by itself', async () => {
  await open(['gamesdrop', 'seagm'])
  await buy(1)
  await it.drain()
  it.clock.advance(10)
  await it.drain()
  registerOf('gamesdrop').faults = ['usedCode']
  const orderNo = await buy(2)
  await followOrder(it, orderNo)
  const seen = await look(orderNo)
  expect(seen.status).toBe('paid')
  expect(seen.timeline.at(-1)!.reason).toContain('เคยได้รับแล้ว')
  expect(await codesOfOrder(it, orderNo)).toEqual([])
  expect(registerOf('seagm').booked.size).toBe(0)
  expect((await checkSuppliers(it.shop, it.db)).differences).toMatchObject([{ kind: 'state' }])
})

test('codes that come after staff went on by hand are kept from the buyer, and are no loss', async () => {
  await open(['kinguin'])
  registerOf('kinguin').faults = ['lost']
  const orderNo = await buy(2)
  await it.drain()
  const body = {
    orderNo,
    status: 'success' as const,
    deliveryReference: 'A',
    supplierRiskReason: 'โทรถามแล้ว ไม่ได้ส่ง',
  }
  await it.as('staff').call(updateOrderStatus, { body })
  for (const booked of registerOf('kinguin').booked.values()) booked.hiddenFor = 0
  it.clock.advance(10)
  await it.drain()
  expect((await look(orderNo)).delivery!.attempts[0]).toMatchObject({ state: 'delivered', contradiction: 'delivered' })
  expect(await codesOfOrder(it, orderNo)).toEqual([])
  const kept = await it.db.query({ text: `SELECT state FROM voucher WHERE order_id IS NULL` })
  expect(kept).toEqual([{ state: 'withdrawn' }, { state: 'withdrawn' }])
})

test('five unclear answers in ten minutes rest a supplier; the next one is taken meanwhile', async () => {
  await open(['gamesdrop', 'seagm'], 'top_up')
  const openOrders: string[] = []
  for (let n = 0; n < 5; n++) openOrders.push(await payOrder(it))
  registerOf('gamesdrop').faults = Array.from({ length: 5 }, () => 'resetBefore')
  await it.drain()
  const { suppliers } = await it.as('staff').call(getSupplier, {})
  expect(suppliers.map(({ name, brokenUntil }) => [name, brokenUntil !== null])).toEqual([
    ['gamesdrop', true],
    ['seagm', false],
  ])
  // Nobody else is asked for what may have arrived.
  expect(registerOf('seagm').booked.size).toBe(0)
  const meanwhile = await payOrder(it)
  await it.drain()
  it.clock.advance(10)
  await it.drain()
  expect(await attemptsOf(meanwhile)).toEqual([['seagm', 'delivered', 1, 1]])
  for (const orderNo of openOrders) expect((await look(orderNo)).delivery!.isOpen).toBe(true)
  it.clock.advance(600)
  await it.drain()
  const later = await payOrder(it)
  await it.drain()
  expect((await attemptsOf(later))[0]![0]).toBe('gamesdrop')
})

test('orders that nobody else can deliver wait while a supplier rests, and go on by themselves', async () => {
  await open(['kinguin'])
  await it.db.query({
    text: `UPDATE supplier SET broken_until = $1`,
    values: [new Date(it.clock.now.getTime() + 600_000)],
  })
  const orderNo = await buy(1)
  await it.drain()
  await watchSuppliers(it.shop)
  expect(await look(orderNo)).toMatchObject({ status: 'paid', delivery: null })
  it.clock.advance(600)
  await watchSuppliers(it.shop)
  await followOrder(it, orderNo)
  expect((await look(orderNo)).status).toBe('success')
})

test('a package that is delivered by hand from now on leaves no order under way', async () => {
  await open(['gamesdrop', 'seagm'])
  registerOf('gamesdrop').faults = ['slow']
  const orderNo = await buy(2)
  await it.drain()
  await it.db.query({ text: 'UPDATE package SET is_automatic = false' })
  await followOrder(it, orderNo)
  const seen = await look(orderNo)
  expect(seen).toMatchObject({ status: 'paid', delivery: { isOpen: false } })
  expect(seen.timeline.at(-1)!.reason).toContain('ส่งแล้ว 1 จาก 2 ชิ้น')
})
