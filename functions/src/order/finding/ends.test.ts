import * as contract from '@shop/shared/order/endpoints.ts'
import { searchOrders } from '@shop/shared/order/finding-endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buyByBank } from '../../testing/orders.ts'
import { createTestShop, type TestShop } from '../../testing/shop.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
})
afterAll(() => it.db.close())

test('by five digits is found what ends with them, else what has them inside', async () => {
  const mine = await buyByBank(it.as(null, { 'guest-key': 'e'.repeat(22) }), { playerId: '5111147382' })
  await it.db.query({
    text: `UPDATE orders SET order_no = 'KT2611-00091645' WHERE order_no = $1`,
    values: [mine.orderNo],
  })
  const orderNo = 'KT2611-00091645'
  const found = async (query: { text: string } | { orderNo: string }) =>
    (await it.as('staff').call(contract.listAllOrders, { query })).rows.map(row => row.orderNo)
  for (const text of ['91645', '47382', '11147']) expect(await found({ text }), text).toEqual([orderNo])
  const { groups } = await it.as('staff').call(searchOrders, { query: { text: '91645' } })
  expect(groups.map(({ by, rows }) => [by, rows.map(row => row.orderNo)])).toEqual([['orderNo', [orderNo]]])
  expect(await found({ orderNo: '91645' })).toEqual([orderNo])
  expect(await found({ orderNo: '47382' })).toEqual([])
  // Another order's end hides what has the digits inside.
  await buyByBank(it.as(null, { 'guest-key': 'f'.repeat(22) }), { playerId: '5222211147' })
  expect(await found({ text: '11147' })).not.toContain(orderNo)
})
