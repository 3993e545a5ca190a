import * as contract from '@shop/shared/catalogue/manage-endpoints.ts'
import type { PriceEdit } from '@shop/shared/catalogue/price-editing.ts'
import { DAY_MS } from '@shop/shared/time.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addPackage, bulkChanges, failureOf, findPackage, price } from '../testing/catalogue.ts'
import { createTestShop, type TestShop } from '../testing/shop.ts'

const START = new Date('2026-11-20T05:00:00.000Z')
let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
})
beforeEach(() => {
  it.clock.now = START
})
afterAll(() => it.db.close())

type Sold = Pick<contract.ManagedPackage, 'id' | 'version'>
const inputOf = (sold: Sold, prices: PriceEdit[]) => ({ body: { packageId: sold.id, version: sold.version, prices } })
const savePrices = (sold: Sold, prices: PriceEdit[]) =>
  it.as('manager').call(contract.savePrices, inputOf(sold, prices))
const refusal = (sold: Sold, prices: PriceEdit[]) =>
  failureOf(it.as('manager'), contract.savePrices, inputOf(sold, prices))

const { preview, bulk } = bulkChanges(() => it)
const change = { kind: 'price', payment: 'bank', change: { by: 'percent', percent: 10 } }

test('days that have passed are refused as the dialog refuses them; a price on sale keeps the day it began', async () => {
  const sold = await addPackage(it, 1, [])
  const refused = async (change: Partial<PriceEdit>, of = sold) =>
    (await refusal(of, [price('bank', change)])).fields?.bank
  expect(await refused({ startDay: '2026-11-19' })).toContain('ผ่านไปแล้ว')
  expect(await refused({ nextPriceSatang: 9_000, nextDay: '2026-11-20' })).toContain('ต้องเริ่มพรุ่งนี้')
  expect(await refused({ endDay: '2026-12-31', nextPriceSatang: 9_000, nextDay: '2027-01-15' })).toContain(
    'แต่หมดช่วงขาย 31/12/2026',
  )
  const begun = await savePrices(sold, [price('bank')])
  it.clock.now = new Date(START.getTime() + 3 * DAY_MS)
  expect((await savePrices(begun, [price('bank', { priceSatang: 11_000 })])).payments).toEqual(['bank'])
  const kept = await findPackage(it, 1, sold.id)
  expect(await refused({ endDay: '2026-11-21' }, kept)).toContain('จะไม่มีวันได้ขาย')
})

test('a planned price is replaced only when asked, and shown where it stays', async () => {
  const planned = { nextPriceSatang: 3_900, nextDay: '2027-01-15' }
  const { id } = await addPackage(it, 1, [price('bank', planned)])
  const later = { ...change, change: { by: 'set', satang: 9_000 }, fromDay: '2027-02-01' }
  const asked = await preview([id], later)
  expect(asked).toMatchObject({ changed: 0, problems: 1, planned: 1 })
  expect(asked.rows[0]).toMatchObject({
    before: '100 บาท แล้ว 39 บาท ตั้งแต่ 15/01/2027',
    problem: 'มีราคาล่วงหน้า 39 บาท ตั้งแต่ 15/01/2027 อยู่แล้ว จะถูกแทนที่',
  })
  await expect(bulk([id], later)).rejects.toMatchObject({ code: 'PRICE_INVALID' })
  const { rows } = await bulk([id], change)
  expect(rows[0]!.after).toBe('110 บาท แล้ว 39 บาท ตั้งแต่ 15/01/2027')
  expect((await findPackage(it, 1, id)).masterPackage[0]).toMatchObject({ priceSatang: 11_000, ...planned })
  expect(await bulk([id], { ...later, replacesPlanned: true })).toMatchObject({ changed: 1, planned: 0 })
  const [now] = (await findPackage(it, 1, id)).masterPackage
  expect(now).toMatchObject({ priceSatang: 11_000, nextPriceSatang: 9_000, nextDay: '2027-02-01' })
})

test('no price is planned for after the end of the sale', async () => {
  const { id } = await addPackage(it, 1, [price('bank', { endDay: '2026-12-31' })])
  const { rows } = await preview([id], { ...change, fromDay: '2027-02-01' })
  expect(rows[0]!.problem).toContain('แต่หมดช่วงขาย 31/12/2026')
})
