import type { Delivers } from '@shop/shared/catalogue/delivers.ts'
import { SUPPLIER_NAMES, type SupplierName } from '@shop/shared/provider-names.ts'
import { type Product, SATANG_PER_UNIT } from 'local/supplier/register.ts'
import { type RunningSupplier, startSupplier } from 'local/supplier/server.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { SERVICE } from '../config/outside.ts'
import type { InSatang, Purchase, Supplier } from './provider.ts'
import { convert, onlyBaht } from './rates.ts'
import { codesOf } from './seagm-cards.ts'

const COST = 10_000
const clock = { now: new Date('2026-11-20T05:00:00Z') }
const productOf = (id: string, delivers: Delivers): Product => ({
  id,
  category: { id: '7', name: 'PUBG Mobile' },
  name: `${delivers} ${id}`,
  priceSatang: COST,
  fields: ['user_id'],
  delivers,
  seconds: 0,
})
const products = [productOf('1001', 'top_up'), productOf('2002', 'code')]

const atFixedRates: InSatang = async (amount, currency) =>
  convert(amount, String(SATANG_PER_UNIT[currency as keyof typeof SATANG_PER_UNIT]))

let standIn: RunningSupplier
afterEach(() => standIn?.stop())

async function open(name: SupplierName, inSatang = atFixedRates): Promise<Supplier> {
  standIn = await startSupplier({ name, port: 0, products, balanceSatang: 1_000_000, now: () => clock.now })
  const config = readConfig({ NODE_ENV: 'test', DATABASE_URL: 'postgresql://x', ...standIn.environment })
  return SERVICE.suppliers.make(config, () => clock.now, undefined, inSatang)[name]!
}
const purchaseOf = (change: Partial<Purchase> = {}): Purchase => ({
  reference: `K${Math.random().toString(36).slice(2).toUpperCase()}`,
  sku: '2002',
  delivers: 'code',
  quantity: 1,
  fields: [],
  maxCostSatang: COST,
  ...change,
})
const booked = () => [...standIn.register.booked.values()]
const isEmpty = () => booked().length === 0

describe.each(SUPPLIER_NAMES)('%s', name => {
  test('lists what it sells with its cost in satang', async () => {
    const supplier = await open(name)
    const listed = await supplier.listProducts()
    const kinds = listed!.map(({ sku, delivers, costSatang, isInStock }) => [sku, delivers, costSatang, isInStock])
    expect(kinds).toContainEqual(['2002', 'code', COST, true])
    if (supplier.capabilities.delivers.includes('top_up')) expect(kinds).toContainEqual(['1001', 'top_up', COST, true])
    expect(listed![0]!.currency).toBe(supplier.capabilities.currency)
    expect(await supplier.balance()).toBe(1_000_000)
  })

  test('buys nothing that is dearer than the limit, not even by a satang', async () => {
    const supplier = await open(name)
    const told = await supplier.place(purchaseOf({ maxCostSatang: COST - 1 }))
    expect([told.answer, isEmpty()]).toEqual([{ kind: 'rejected', reason: 'price' }, true])
  })

  test('brings a code with its cost, and tells the same one again', async () => {
    const supplier = await open(name)
    const purchase = purchaseOf()
    const placed = await supplier.place(purchase)
    expect(placed.costSatang).toBe(COST)
    for (const theirId of [placed.theirId, null]) {
      const told = await supplier.status(purchase, theirId)
      expect(told).toMatchObject({ answer: { kind: 'delivered' }, costSatang: COST, theirId: placed.theirId })
      expect(told.codes.map(({ code }) => code)).toEqual(booked()[0]!.codes)
    }
    expect((await supplier.status(purchaseOf(), null)).answer.kind).toBe('notFound')
  })

  test('the same reference twice books once', async () => {
    const supplier = await open(name)
    const purchase = purchaseOf()
    await supplier.place(purchase)
    const again = await supplier.place(purchase)
    expect(again.answer.kind).toBe(supplier.capabilities.refusesRepeats ? 'repeated' : 'unknown')
    expect(booked()).toHaveLength(1)
  })
})

describe.each(['gamesdrop', 'kinguin'] as const)('%s', name => {
  test('buys nothing while the rate of its currency is not known', async () => {
    const supplier = await open(name, onlyBaht)
    const told = await supplier.place(purchaseOf())
    expect([told.answer, isEmpty()]).toEqual([{ kind: 'rejected', reason: 'price' }, true])
    expect(await supplier.balance()).toBeNull()
  })
})

describe('gamesdrop', () => {
  test.each([
    ['2002', 'top_up'],
    ['1001', 'code'],
  ] as const)('offer %s is not bought as %s: its goods would reach nobody', async (sku, delivers) => {
    const supplier = await open('gamesdrop')
    const told = await supplier.place(purchaseOf({ sku, delivers, fields: ['51'] }))
    expect([told.answer, isEmpty()]).toEqual([{ kind: 'rejected', reason: 'product' }, true])
  })

  test('a player is checked by name, under a reference that no purchase has', async () => {
    const supplier = await open('gamesdrop')
    expect(await supplier.validatePlayer('1001', ['51'])).toEqual({ kind: 'ok', name: 'P51' })
    expect(await supplier.validatePlayer('1001', [''])).toEqual({ kind: 'wrong' })
    expect(await supplier.validatePlayer('9', ['51'])).toEqual({ kind: 'unavailable' })
    await supplier.place(purchaseOf({ sku: '1001', delivers: 'top_up', fields: ['51', '2001'] }))
    expect(booked()[0]!.fields).toEqual({ gameUserId: '51', gameServerId: '2001' })
  })
})

test('kinguin: the cost of a delivery is that of the keys that came', async () => {
  const supplier = await open('kinguin')
  standIn.register.faults = ['someKeys']
  const purchase = purchaseOf({ quantity: 5 })
  const { theirId } = await supplier.place(purchase)
  const told = await supplier.status(purchase, theirId)
  expect([told.answer.kind, told.codes.length, told.costSatang]).toEqual(['delivered', 3, 3 * COST])
})

test('seagm: the fields of a card are read in either spelling; an empty one is no code', () => {
  const none = {
    card_number: null,
    number: null,
    card_pin: null,
    pin: null,
    serial: null,
    serial_number: null,
    expired: null,
    validDate: null,
  }
  expect(
    codesOf([
      { ...none, card_number: 'A1', card_pin: '99', serial: 'S1', expired: '2031-12-31' },
      { ...none, number: 'B2', serial_number: 'S2', validDate: '1956502800' },
      { ...none, pin: '77', expired: 'soon' },
      none,
    ]),
  ).toEqual([
    { code: 'A1', pin: '99', serial: 'S1', expiresOn: '2031-12-31' },
    { code: 'B2', pin: null, serial: 'S2', expiresOn: '2032-01-01' },
    { code: '77', pin: null, serial: null, expiresOn: null },
  ])
})
