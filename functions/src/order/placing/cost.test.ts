import { listGamePackages } from '@shop/shared/catalogue/endpoints.ts'
import { savePackage, savePrices } from '@shop/shared/catalogue/manage-endpoints.ts'
import { confirmOrder, getOrder, listAllOrders } from '@shop/shared/order/endpoints.ts'
import { exportAllOrders } from '@shop/shared/order/finding-endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPackage, price } from '../../testing/catalogue.ts'
import { buyByBank } from '../../testing/orders.ts'
import { createTestShop, onceKey, type TestShop } from '../../testing/shop.ts'
import { addWallet } from '../../testing/wallet.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
  await addWallet(it.db, { uid: 'agent', balanceSatang: 10_000_000, pin: '1234', now: it.clock.now })
})
afterAll(() => it.db.close())

const costOf = async (orderNo: string) => {
  const [row] = await it.db.query<{ cost: number | null }>({
    text: 'SELECT cost_satang AS cost FROM orders WHERE order_no = $1',
    values: [orderNo],
  })
  return row!.cost
}
const byWallet = (packageId: number, quantity: number) => {
  const body = { gameId: 1, packageId, playerId: '5123456789', termsVersion: '1', pin: '1234', quantity }
  return it.as('agent').call(confirmOrder, { body, idempotencyKey: onceKey() })
}

test('an order keeps what its pieces cost when it was placed, whichever way it is paid', async () => {
  const sold = await addPackage(it, 1, [price('bank'), price('wallet')])
  const unknown = await buyByBank(it.as('first'), { packageId: sold.id })
  expect(await costOf(unknown.orderNo)).toBeNull()
  const body = { packageId: sold.id, version: sold.version, prices: [price('bank')], costSatang: 8_725 }
  const saved = await it.as('manager').call(savePrices, { body })
  expect(saved.costSatang).toBe(8_725)
  const [bank, wallet] = [await buyByBank(it.as('second'), { packageId: sold.id }), await byWallet(sold.id, 3)]
  await it.as('manager').call(savePrices, { body: { ...body, version: saved.version, costSatang: 9_000 } })
  expect([await costOf(bank.orderNo), await costOf(wallet.orderNo)]).toEqual([8_725, 26_175])
  const seen = await it.as('second').call(getOrder, { params: { orderNo: bank.orderNo } })
  const offered = await it.as(null).call(listGamePackages, { params: { gameCode: 'pubg' } })
  expect(JSON.stringify([bank, seen, offered, await byWallet(sold.id, 1)])).not.toMatch(/cost/i)
})

test('saving the package itself, or prices that say nothing of it, leaves the cost', async () => {
  const sold = await addPackage(it, 1, [price('bank')])
  const body = { packageId: sold.id, version: sold.version, prices: [price('bank')], costSatang: 100 }
  const saved = await it.as('manager').call(savePrices, { body })
  const { id, gameId, version } = saved
  const renamed = await it
    .as('manager')
    .call(savePackage, { body: { id, gameId, version, name: 'renamed', isActive: true } })
  expect(renamed.costSatang).toBe(100)
  const repriced = { packageId: id, version: renamed.version, prices: [price('bank', { priceSatang: 12_000 })] }
  expect((await it.as('manager').call(savePrices, { body: repriced })).costSatang).toBe(100)
})

test('the download tells managers what orders cost, and staff nothing of it', async () => {
  const sold = await addPackage(it, 1, [price('bank')])
  const unknown = await buyByBank(it.as('third'), { packageId: sold.id })
  const body = { packageId: sold.id, version: sold.version, prices: [price('bank')], costSatang: 8_725 }
  await it.as('manager').call(savePrices, { body })
  const known = await buyByBank(it.as('fourth'), { packageId: sold.id })
  const rowsFor = async (uid: string) => {
    const reply = await it.request(exportAllOrders.path, { headers: it.as(uid).headers })
    return (await reply.text()).trimEnd().split('\r\n')
  }
  const [heads, ...rows] = await rowsFor('manager')
  const endOf = ({ orderNo }: { orderNo: string }) =>
    rows
      .find(row => row.includes(orderNo))!
      .split(',')
      .at(-1)
  expect([heads!.split(',').at(-1), endOf(known), endOf(unknown)]).toEqual(['ต้นทุน (บาท)', '87.25', ''])
  const forStaff = (await rowsFor('staff')).join()
  expect(forStaff).toContain(known.orderNo)
  expect(forStaff).not.toMatch(/ต้นทุน|87\.25/)
  expect(JSON.stringify(await it.as('manager').call(listAllOrders, { query: {} }))).not.toMatch(/cost/i)
})
