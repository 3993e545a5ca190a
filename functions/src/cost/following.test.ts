import { saveBenefits } from '@shop/shared/agent/endpoints.ts'
import { undoChange } from '@shop/shared/audit/endpoints.ts'
import { changePackages } from '@shop/shared/catalogue/bulk-endpoints.ts'
import { listPackages } from '@shop/shared/catalogue/endpoints.ts'
import { listManagedGames, savePrices } from '@shop/shared/catalogue/manage-endpoints.ts'
import type { PriceRule } from '@shop/shared/catalogue/price-rule.ts'
import { changePriceRules, getCosts, getPriceRules, listProductChanges } from '@shop/shared/cost/endpoints.ts'
import { getPrice } from '@shop/shared/order/endpoints.ts'
import type { Product } from 'local/supplier/register.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findTroubles } from '../chat/troubles.ts'
import { findPackage, lastAudit, price } from '../testing/catalogue.ts'
import { fixture } from '../testing/fixture.ts'
import { buyByBank, codeOf } from '../testing/orders.ts'
import { addAccount } from '../testing/shop.ts'
import { createSupplierShop, type SupplierShop } from '../testing/supplier.ts'
import { addWallet, TIER } from '../testing/wallet.ts'
import { giveWord, wordOf } from '../testing/words.ts'
import { readSuppliers } from './following.ts'

const { id: gameId, package: packageId } = fixture.pubg
const SKU = '2001'
const RULE = { basisPoints: 600, fixedSatang: 0, leastSatang: 500, rounding: 'baht' } as const
const RULES: PriceRule[] = [
  { target: 'bank', ...RULE },
  { target: 'wallet', ...RULE, basisPoints: 300 },
]

let it: SupplierShop
let sold: Product
let others: Product[]
beforeEach(async () => {
  const product = (id: string): Product => ({
    id,
    category: { id: '7', name: 'PUBG' },
    name: `UC ${id}`,
    priceSatang: 12_000,
    fields: ['user_id'],
  })
  sold = product(SKU)
  others = ['3001', '3002', '3003', '3004', '3005'].map(product)
  it = await createSupplierShop({}, [sold, ...others])
  const sources = [{ supplier: 'seagm' as const, sku: SKU, costSatang: null }]
  const { version } = await findPackage(it, gameId, packageId)
  await it.as('manager').call(savePrices, { body: { packageId, version, prices: [], sources, followsCost: true } })
})
afterEach(() => it.stop())

const current = () => findPackage(it, gameId, packageId)
const prices = async () => (await current()).masterPackage.map(({ priceSatang }) => priceSatang)
/** Reads the lists, as the job does every 15 minutes. */
async function read(): Promise<void> {
  it.clock.advance(900)
  await readSuppliers(it.shop)
}
const set = async (body: object) => {
  const all = { gameId, rules: RULES, applies: true, ...body }
  const { mark } = await it.as('manager').call(changePriceRules, { body: all })
  return it.as('manager').call(changePriceRules, { body: { ...all, mark } })
}
const changes = async (query: object = {}) => (await it.as('manager').call(listProductChanges, { query })).rows
const isSold = async () => (await it.as(null).call(listPackages, {})).some(({ id }) => id === packageId)
const troubles = async () => (await findTroubles(it.shop, it.clock.now)).map(({ kind }) => kind)
/** What a supplier's list leaves out. */
const leaveOut = (gone: readonly Product[]) => {
  const products = it.supplier.register.products as Product[]
  for (const product of gone) products.splice(products.indexOf(product), 1)
}

test('an owner sets a rule and watches a cost change go through: cost, prices, who, and back again', async () => {
  await read()
  expect((await current()).costSatang).toBe(12_000)
  expect(await changes()).toEqual([])
  const preview = await it.as('manager').call(changePriceRules, { body: { gameId, rules: RULES, applies: true } })
  expect(preview).toMatchObject({ changed: 1, needsSecond: 0 })
  expect(preview.rows.find(({ id }) => id === packageId)).toEqual({
    id: packageId,
    name: '325 UC',
    costSatang: 12_000,
    cells: [
      { target: 'bank', beforeSatang: 14_900, afterSatang: 12_800 },
      { target: 'wallet', beforeSatang: 14_500, afterSatang: 12_500 },
    ],
    problem: null,
    needsSecond: false,
  })
  expect(await prices()).toEqual([14_900, 14_500])
  await set({})
  expect(await prices()).toEqual([12_800, 12_500])
  expect(await it.as('manager').call(getPriceRules, { params: { gameId } })).toMatchObject({
    rules: RULES,
    supplied: 1,
    following: 1,
  })

  sold.priceSatang = 15_050
  await read()
  expect(await current()).toMatchObject({ costSatang: 15_050, isBelowCost: false })
  expect(await prices()).toEqual([16_000, 15_600])
  expect(await isSold()).toBe(true)
  const [change] = await changes({ used: 'true' })
  expect(change).toMatchObject({ kind: 'costUp', sku: SKU, fromSatang: 12_000, toSatang: 15_050 })
  expect(change!.packages).toEqual([{ id: packageId, gameId, gameName: 'PUBG Mobile', name: '325 UC' }])
  expect(await changes({ kind: 'gone' })).toEqual([])
  const entry = await lastAudit(it, `price:${packageId}`)
  expect(entry).toMatchObject({ action: 'cost.follow', actor_uid: 'shop', after: { bank: { priceSatang: 16_000 } } })

  sold.priceSatang = 11_000
  await read()
  expect(await prices()).toEqual([11_700, 11_500])
  const fallen = await lastAudit(it, `price:${packageId}`)
  // Cost and prices belong together: taking both back makes no loss on the way.
  await it.as('manager').call(undoChange, { body: { auditId: fallen.id } })
  expect(await current()).toMatchObject({ costSatang: 15_050, isBelowCost: false })
  expect(await prices()).toEqual([16_000, 15_600])
})

test('the same list again changes nothing, and is not asked for twice at once', async () => {
  await read()
  const before = it.supplier.register.journal.length
  await readSuppliers(it.shop)
  expect(it.supplier.register.journal.length).toBe(before)
  const { version } = await current()
  await read()
  expect((await current()).version).toBe(version)
})

test('without a rule a package whose cost passes its price stops, is told of, and goes on by itself', async () => {
  await read()
  expect(await isSold()).toBe(true)
  sold.priceSatang = 14_600
  await read()
  expect(await current()).toMatchObject({ costSatang: 14_600, isBelowCost: true, isActive: true })
  expect(await isSold()).toBe(false)
  const params = { gameCode: 'pubg', packageId, playerId: '51', paymentCode: 'bank' as const }
  expect(await it.as(null).codeOf(getPrice, { params })).toBe('PACKAGE_NOT_ON_SALE')
  expect(await troubles()).toContain('costAbovePrice')
  const { stopped } = await it.as('manager').call(getCosts, {})
  expect(stopped.map(({ id }) => id)).toEqual([packageId])
  sold.priceSatang = 14_400
  await read()
  expect(await isSold()).toBe(true)
  expect(await troubles()).not.toContain('costAbovePrice')
})

test('a loss that two managers agreed to is sold at, and no larger one', async () => {
  await read()
  const { version } = await current()
  const low = { packageId, version, prices: [price('bank', { priceSatang: 11_900 })] }
  const wordId = await wordOf(it.as('manager'), savePrices, { body: low })
  await addAccount(it, 'manager-2', 'manager')
  await giveWord(it, 'manager-2', wordId)
  expect(await isSold()).toBe(true)
  sold.priceSatang = 12_001
  await read()
  expect(await isSold()).toBe(false)
})

test('a cost that falls far is left to people', async () => {
  await read()
  sold.priceSatang = 5_900
  await read()
  expect((await current()).costSatang).toBe(12_000)
  expect(await troubles()).toContain('costDoubted')
  const { doubted } = await it.as('manager').call(getCosts, {})
  expect(doubted).toMatchObject([{ id: packageId, costSatang: 12_000, toldSatang: 5_900 }])
  const { version } = await current()
  await it.as('manager').call(savePrices, { body: { packageId, version, prices: [], costSatang: 5_900 } })
  expect(await troubles()).not.toContain('costDoubted')
})

test('what is gone is sold out before anybody orders; a list that lost most is believed the second time', async () => {
  await read()
  leaveOut([sold])
  await read()
  expect((await changes()).map(({ kind, sku }) => [kind, sku])).toEqual([['gone', SKU]])
  const isOut = async () =>
    (
      await it.db.query<{ out: boolean }>({
        text: 'SELECT is_out AS out FROM package WHERE id = $1',
        values: [packageId],
      })
    )[0]!.out
  expect(await isOut()).toBe(true)
  leaveOut(others)
  await read()
  expect((await it.as('manager').call(getCosts, {})).lists).toMatchObject([{ supplier: 'seagm', products: 6 }])
  expect((await it.as('manager').call(getCosts, {})).lists[0]!.doubtedAt).not.toBe(null)
  await read()
  expect((await it.as('manager').call(getCosts, {})).lists).toMatchObject([{ products: 1, doubtedAt: null }])
  ;(it.supplier.register.products as Product[]).push(sold)
  await read()
  expect((await changes())[0]).toMatchObject({ kind: 'back', sku: SKU })
  expect(await isOut()).toBe(false)
})

test('a list that could not be read changes nothing', async () => {
  await read()
  await it.supplier.stop()
  await read()
  const { lists } = await it.as('manager').call(getCosts, {})
  expect(lists).toMatchObject([{ products: 7 }])
  expect(lists[0]!.failedAt).not.toBe(null)
  expect((await current()).costSatang).toBe(12_000)
})

test("a tier's rule writes its discount, and the tier pays what the rule says", async () => {
  await addWallet(it.db, { uid: 'agent', balanceSatang: 100_000, pin: '1234', now: it.clock.now })
  await read()
  const rules: PriceRule[] = [...RULES, { target: `tier:${TIER.id}`, ...RULE, basisPoints: 0, leastSatang: 200 }]
  await set({ rules })
  const params = { gameCode: 'pubg', packageId, playerId: '51', paymentCode: 'wallet' as const }
  const pays = async () => (await it.as('agent').call(getPrice, { params })).priceSatang
  expect(await pays()).toBe(12_200)
  sold.priceSatang = 13_010
  await read()
  expect(await pays()).toBe(13_300)
  expect(await isSold()).toBe(true)
})

test('rules that would leave a loss need a second manager, and a stale preview is refused', async () => {
  await it.db.query({ text: 'UPDATE package SET cost_satang = 14600 WHERE id = $1', values: [packageId] })
  const body = { gameId, rules: RULES.slice(0, 1), applies: true }
  const manager = it.as('manager')
  const preview = await manager.call(changePriceRules, { body })
  expect(preview).toMatchObject({ changed: 1, needsSecond: 1 })
  expect(await manager.codeOf(changePriceRules, { body: { ...body, mark: preview.mark } })).toBe('SECOND_WORD_NEEDED')
  await read()
  expect(await manager.codeOf(changePriceRules, { body: { ...body, mark: preview.mark } })).toBe('CONFLICT')
  const unknown = { ...body, rules: [{ ...RULES[0]!, target: 'tier:999' }] }
  expect(await manager.codeOf(changePriceRules, { body: unknown })).toBe('TIER_NOT_FOUND')
})

test('a rule leaves a discount alone that is larger than the new price, and says so', async () => {
  await addWallet(it.db, { uid: 'agent', balanceSatang: 100_000, pin: '1234', now: it.clock.now })
  await it.db.query({
    text: 'UPDATE package SET cost_satang = 100, sources = $2 WHERE id = $1',
    values: [packageId, '[]'],
  })
  const details = [{ tierId: TIER.id, discountSatang: 5000, isActived: true }]
  await it.as('manager').call(saveBenefits, { body: { rows: [{ packageId, details }], allowsFree: false } })
  const { rows, changed } = await it
    .as('manager')
    .call(changePriceRules, { body: { gameId, rules: RULES, applies: true } })
  expect(changed).toBe(0)
  expect(rows.find(({ id }) => id === packageId)!.problem).toBe('ส่วนลดของ Tier เกินราคา Wallet ใหม่')
})

test('rules are taken back like other settings; a game says that its packages stopped', async () => {
  await read()
  await set({ followsCost: false })
  expect((await current()).followsCost).toBe(false)
  const { id } = await lastAudit(it, `priceRule:${gameId}`)
  await it.as('manager').call(undoChange, { body: { auditId: id } })
  expect((await it.as('manager').call(getPriceRules, { params: { gameId } })).rules).toEqual([])
  expect(await prices()).toEqual([14_900, 14_500])
  await it.db.query({ text: 'UPDATE package SET cost_satang = 80000 WHERE id = $1', values: [packageId] })
  const action = { kind: 'deactivate' } as const
  const ids = [fixture.package.walletOnly]
  const { mark } = await it.as('manager').call(changePackages, { body: { packages: { ids }, action } })
  await it.as('manager').call(changePackages, { body: { packages: { ids }, action, mark } })
  const games = await it.as('manager').call(listManagedGames, {})
  expect(games.find(game => game.id === gameId)!.sale.gap).toBe('belowCost')
})

test('a package whose supplier asks more today than a purchase may cost is sold out, with why; staff may deliver it', async () => {
  await read()
  const { version } = await current()
  const keep = { packageId, prices: [] }
  const edit = (version: number, body: object) =>
    it.as('manager').call(savePrices, { body: { ...keep, version, ...body } })
  await edit(version, { followsCost: false, isAutomatic: true })
  const isOut = async () => (await it.as(null).call(listPackages, {})).find(({ id }) => id === packageId)?.isOut
  await read()
  expect(await isOut()).toBe(false)
  // Still below the price, so that only the limit of the purchase speaks against it.
  sold.priceSatang = 12_300
  await read()
  expect(await isOut()).toBe(true)
  expect(await codeOf(buyByBank(it.as(null)))).toBe('SOLD_OUT')
  expect((await it.as('manager').call(getCosts, {})).tooDear).toMatchObject([
    { id: packageId, costSatang: 12_000, toldSatang: 12_300 },
  ])
  expect(await troubles()).toContain('costAboveLimit')
  // What another source may cost is its own.
  const sources = [{ supplier: 'seagm' as const, sku: SKU, costSatang: 12_300 }]
  await edit((await current()).version, { sources })
  await read()
  expect(await isOut()).toBe(false)
  await edit((await current()).version, { sources: [{ ...sources[0]!, costSatang: null }] })
  await read()
  expect(await isOut()).toBe(true)
  // Staff deliver by hand whatever it costs.
  await edit((await current()).version, { isAutomatic: false })
  await read()
  expect(await isOut()).toBe(false)
  await edit((await current()).version, { isAutomatic: true, followsCost: true })
  await read()
  expect([await isOut(), (await current()).costSatang]).toEqual([false, 12_300])
})
