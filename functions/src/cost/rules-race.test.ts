import { listPackages } from '@shop/shared/catalogue/endpoints.ts'
import { savePrices } from '@shop/shared/catalogue/manage-endpoints.ts'
import type { PriceRule } from '@shop/shared/catalogue/price-rule.ts'
import { changePriceRules, getPriceRules } from '@shop/shared/cost/endpoints.ts'
import type { Product } from 'local/supplier/register.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { findPackage } from '../testing/catalogue.ts'
import { fixture } from '../testing/fixture.ts'
import { buyByBank } from '../testing/orders.ts'
import { addAccount } from '../testing/shop.ts'
import { createSupplierShop, type SupplierShop } from '../testing/supplier.ts'
import { readSuppliers } from './following.ts'

const { id: gameId, package: packageId } = fixture.pubg
const SKU = '2001'
const COST = 12_000
const RULE = { fixedSatang: 0, leastSatang: 500, rounding: 'baht' } as const
const rulesOf = (basisPoints: number): PriceRule[] =>
  (['bank', 'wallet'] as const).map(target => ({ target, basisPoints, ...RULE }))
/** What these rules make of the cost, in satang. */
const LOW = { rules: rulesOf(500), priceSatang: 12_600 }
const HIGH = { rules: rulesOf(2000), priceSatang: 14_400 }

const sold: Product = {
  id: SKU,
  category: { id: '7', name: 'PUBG' },
  name: `UC ${SKU}`,
  priceSatang: COST,
  fields: ['user_id'],
}

let it: SupplierShop
beforeAll(async () => {
  it = await createSupplierShop({}, [sold])
  await addAccount(it, 'manager-2', 'manager')
  const sources = [{ supplier: 'seagm' as const, sku: SKU, costSatang: null }]
  const { version } = await current()
  await it.as('manager').call(savePrices, { body: { packageId, version, prices: [], sources, followsCost: true } })
})
afterAll(() => it?.stop())
beforeEach(async () => {
  sold.priceSatang = COST
  await read()
  await apply('manager', HIGH.rules)
})

const current = () => findPackage(it, gameId, packageId)
const listed = async () => (await current()).masterPackage.map(({ priceSatang }) => priceSatang)
/** Reads the suppliers' lists, as the job does. */
async function read(): Promise<void> {
  it.clock.advance(900)
  await readSuppliers(it.shop)
}
const body = (rules: PriceRule[]) => ({ gameId, rules, applies: true })
const preview = (uid: string, rules: PriceRule[]) => it.as(uid).call(changePriceRules, { body: body(rules) })
const confirm = (uid: string, rules: PriceRule[], mark: string) =>
  it.as(uid).codeOf(changePriceRules, { body: { ...body(rules), mark } })
async function apply(uid: string, rules: PriceRule[]): Promise<void> {
  const { mark } = await preview(uid, rules)
  expect(await confirm(uid, rules, mark)).toBe('OK')
}
const storedRules = async () => (await it.as('manager').call(getPriceRules, { params: { gameId } })).rules

test('of two managers who apply different rules at once one does, wholly; the other one looks again', async () => {
  const other = { rules: rulesOf(1000), priceSatang: 13_200 }
  const [low, second] = [await preview('manager', LOW.rules), await preview('manager-2', other.rules)]
  const codes = await Promise.all([
    confirm('manager', LOW.rules, low.mark),
    confirm('manager-2', other.rules, second.mark),
  ])
  expect(codes.toSorted()).toEqual(['CONFLICT', 'OK'])
  const won = codes[0] === 'OK' ? LOW : other
  expect([await storedRules(), await listed()]).toEqual([won.rules, Array(2).fill(won.priceSatang)])
})

test('rules applied while a cost rises end above the new cost, whichever comes first', async () => {
  for (const costSatang of [14_500, 15_500, 16_500]) {
    const { mark } = await preview('manager', LOW.rules)
    sold.priceSatang = costSatang
    const [, code] = await Promise.all([read(), confirm('manager', LOW.rules, mark)])
    expect(['OK', 'CONFLICT']).toContain(code)
    const now = await current()
    expect(now).toMatchObject({ costSatang, isBelowCost: false })
    for (const priceSatang of await listed()) expect(priceSatang).toBeGreaterThanOrEqual(costSatang + 500)
    await apply('manager', HIGH.rules)
  }
})

test('of the rules of a preview nothing is applied once the cost has moved on: a price below it takes a second person', async () => {
  const { mark } = await preview('manager', LOW.rules)
  sold.priceSatang = 14_000
  await read()
  expect(await confirm('manager', LOW.rules, mark)).toBe('CONFLICT')
  const onlyBank = [{ ...LOW.rules[0]!, basisPoints: 0, leastSatang: 0 }]
  const { needsSecond } = await preview('manager', onlyBank)
  // A rule sells at cost at least, so no rule makes a loss by itself.
  expect(needsSecond).toBe(0)
})

test('an order in the middle of a change costs the price of before or of after, and never less than both', async () => {
  const orders: number[] = []
  const guests = Array.from({ length: 12 }, () => it.as(null))
  const buyAll = Promise.all(
    guests.map(async guest => {
      const { priceSatang } = await buyByBank(guest)
      orders.push(priceSatang)
    }),
  )
  const change = apply('manager', LOW.rules)
  await Promise.all([buyAll, change])
  expect(orders).toHaveLength(12)
  for (const priceSatang of orders) expect([LOW.priceSatang, HIGH.priceSatang]).toContain(priceSatang)
  expect((await buyByBank(it.as(null))).priceSatang).toBe(LOW.priceSatang)
  // A cost above the price stops the sale with the commit that brings it, however many ask in that moment.
  await it.db.query({ text: 'UPDATE package SET cost_satang = 90000 WHERE id = $1', values: [packageId] })
  await it.db.query({ text: 'UPDATE catalogue_version SET version = version + 1' })
  expect((await it.as(null).call(listPackages, {})).some(({ id }) => id === packageId)).toBe(false)
  await expect(buyByBank(it.as(null))).rejects.toMatchObject({ code: 'PACKAGE_NOT_ON_SALE' })
})
