import { saveBenefits } from '@shop/shared/agent/endpoints.ts'
import { undoChange } from '@shop/shared/audit/endpoints.ts'
import * as bulk from '@shop/shared/catalogue/bulk-endpoints.ts'
import * as contract from '@shop/shared/catalogue/manage-endpoints.ts'
import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import { listValueMoves } from '@shop/shared/value/endpoints.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addPackage, failureOf, findPackage, lastAudit, price } from '../testing/catalogue.ts'
import { fixture } from '../testing/fixture.ts'
import { addAccount } from '../testing/shop.ts'
import { COST, createSupplierShop, openWalletBuyer, payOrder, type SupplierShop } from '../testing/supplier.ts'
import { TIER } from '../testing/wallet.ts'
import { giveWord, wordOf } from '../testing/words.ts'

let it: SupplierShop
beforeEach(async () => {
  it = await createSupplierShop()
})
afterEach(() => it.stop())

const { id: gameId, package: packageId } = fixture.pubg
const current = () => findPackage(it, gameId, packageId)
const agreed = async () => {
  const text = 'SELECT agreed_loss_satang AS loss FROM package WHERE id = $1'
  return (await it.db.query<{ loss: number }>({ text, values: [packageId] }))[0]!.loss
}
const repriced = async (priceSatang: number, change: object = {}) => {
  const prices = (['bank', 'wallet'] as const).map(payment => price(payment, { priceSatang }))
  return { body: { packageId, version: (await current()).version, prices, ...change } }
}
const orderOf = (orderNo: string) => it.as('staff').call(getOrderForStaff, { params: { orderNo } })
const bought = () => it.supplier.register.booked.size

test('a price below cost waits for a second manager; what they agreed to is all that is lost, however the price is changed then', async () => {
  const wordId = await wordOf(it.as('manager'), contract.savePrices, await repriced(1100))
  expect((await current()).masterPackage.map(({ priceSatang }) => priceSatang)).toEqual([14_900, 14_500])
  await addAccount(it, 'manager-2', 'manager')
  await giveWord(it, 'manager-2', wordId)
  expect((await current()).minPriceSatang).toBe(1100)
  expect(await agreed()).toBe(COST - 1100)
  // Less is lost: that is what holds from now on.
  await it.as('manager').call(contract.savePrices, await repriced(9000))
  expect(await agreed()).toBe(1000)
  expect(await it.as('manager').codeOf(contract.savePrices, await repriced(8900))).toBe('SECOND_WORD_NEEDED')
  const { rows } = await it.as('admin').call(listValueMoves, {})
  expect(rows).toMatchObject([
    { kind: 'saleBelowCost', amountSatang: COST - 1100, uid: 'manager', secondName: 'manager-2' },
  ])
  expect(rows[0]!.note).toMatch(/^PUBG Mobile .+ ขายต่ำสุด 11.00 ต้นทุน 100.00 ขาดทุนชิ้นละ 89.00 บาท$/)
})

test('no other way to the same price goes without one', async () => {
  const manager = it.as('manager')
  const { version } = await current()
  const codes = [
    // The next price, the cost that rises above the price, and a cost that nobody shall know any more.
    await manager.codeOf(contract.savePrices, {
      body: {
        packageId,
        version,
        prices: [price('bank', { priceSatang: 14_900, nextPriceSatang: 100, nextDay: '2026-12-01' })],
      },
    }),
    await manager.codeOf(contract.savePrices, { body: { packageId, version, prices: [], costSatang: 80_500 } }),
    await manager.codeOf(contract.savePrices, {
      body: { packageId, version, prices: [], costSatang: null, isAutomatic: false },
    }),
  ]
  const action = { kind: 'price', payment: 'bank', change: { by: 'set', satang: 1100 } } as const
  const preview = await manager.call(bulk.changePackages, { body: { packages: { ids: [packageId] }, action } })
  const other = await addPackage(it, gameId, [price('bank', { priceSatang: 1100 })])
  const exported = (await (await manager.call(bulk.exportPackages, { query: { game: [gameId] } })).text()).replaceAll(
    '\r',
    '',
  )
  const csv = exported
    .split('\n')
    .filter((row: string, at: number) => at === 0 || row.includes(`,${packageId},${version},`))
    .join('\n')
    .replaceAll(',149,', ',11,')
  codes.push(
    await manager.codeOf(bulk.changePackages, { body: { packages: { ids: [packageId] }, action, mark: preview.mark } }),
    await manager.codeOf(bulk.copyPrices, { body: { fromPackageId: other.id, toPackageIds: [packageId] } }),
  )
  expect(codes).toEqual(Array(5).fill('SECOND_WORD_NEEDED'))
  const imported = await failureOf(manager, bulk.importPackages, { body: { csv, isDryRun: false } }).catch(String)
  expect(imported).toMatchObject({ code: 'SECOND_WORD_NEEDED' })
  expect((await current()).minPriceSatang).toBe(14_500)
})

test('a discount below cost, or of the whole price, waits; taking back that it was put right does, too', async () => {
  await openWalletBuyer(it)
  const cells = (discountSatang: number) => ({
    body: {
      rows: [{ packageId, details: [{ tierId: TIER.id, discountSatang, isActived: true }] }],
      allowsFree: true,
    },
  })
  const manager = it.as('manager')
  expect(await manager.codeOf(saveBenefits, cells(14_500))).toBe('SECOND_WORD_NEEDED')
  const wordId = await wordOf(manager, saveBenefits, cells(5000))
  await giveWord(it, 'admin', wordId)
  expect(await agreed()).toBe(500)
  await manager.call(saveBenefits, cells(500))
  expect(await agreed()).toBe(0)
  const { id: auditId } = await lastAudit(it, `discount:${packageId}`)
  expect(await manager.codeOf(undoChange, { body: { auditId } })).toBe('SECOND_WORD_NEEDED')
  expect(await agreed()).toBe(0)
})

test('an order that brings less than its goods cost is not bought by the shop itself; agreed to, it is', async () => {
  const costs = (costSatang: number) =>
    it.db.query({ text: 'UPDATE package SET cost_satang = $2 WHERE id = $1', values: [packageId, costSatang] })
  await it.db.query({ text: `UPDATE package_price SET price_satang = 1100 WHERE package_id = $1`, values: [packageId] })
  // Nobody could order it at what it costs; the cost rises after the order.
  await costs(1000)
  const orderNo = await payOrder(it)
  await costs(COST)
  await it.drain()
  expect(bought()).toBe(0)
  const { status, timeline } = await orderOf(orderNo)
  expect(status).toBe('paid')
  expect(timeline.map(({ reason }) => reason).join()).toContain('ต่ำกว่าต้นทุน 100.00 บาท')
  await giveWord(it, 'admin', await wordOf(it.as('manager'), contract.savePrices, await repriced(1200)))
  const second = await payOrder(it)
  await it.drain()
  expect((await orderOf(second)).status).toBe('processing')
  expect(bought()).toBe(1)
})

test('a wallet order of several pieces is judged by the piece', async () => {
  const buy = await openWalletBuyer(it)
  const good = await buy(3)
  await it.drain()
  expect((await orderOf(good)).status).toBe('processing')
  const bad = await buy(3)
  await it.db.query({ text: 'UPDATE package SET cost_satang = 14001 WHERE id = $1', values: [packageId] })
  await it.drain()
  expect((await orderOf(bad)).status).toBe('paid')
})
