import { listAllOrders } from '@shop/shared/order/endpoints.ts'
import { searchOrders } from '@shop/shared/order/finding-endpoints.ts'
import { saveTopUp } from '@shop/shared/wallet/endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buyByBank, report } from '../../testing/orders.ts'
import { addAccount, createTestShop, onceKey, type TestShop } from '../../testing/shop.ts'
import { addSlip, addWallet } from '../../testing/wallet.ts'

const REFERENCE = '016281152233AOR09178'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
})
afterAll(() => it.db.close())

const search = async (text: string) => {
  const { groups } = await it.as('staff').call(searchOrders, { query: { text } })
  return Object.fromEntries(groups.map(({ by, rows }) => [by, rows.map(({ orderNo }) => orderNo)]))
}
const listed = async (text: string) =>
  (await it.as('staff').call(listAllOrders, { query: { text } })).rows.map(({ orderNo }) => orderNo)

test('an order is found by the whole telephone number of its buyer, however it is written', async () => {
  await addAccount(it, 'caller', 'customer')
  await it.db.query({ text: `UPDATE account SET phone = '+66812345678' WHERE uid = 'caller'` })
  const { orderNo } = await buyByBank(it.as('caller'))
  for (const text of ['0812345678', '081-234-5678', '+66812345678', '+66 81 234 5678']) {
    expect(await search(text), text).toMatchObject({ buyer: [orderNo] })
    expect(await listed(text), text).toEqual([orderNo])
  }
  for (const text of ['0812345679', '081234567']) expect((await search(text)).buyer, text).toBeUndefined()
})

test('a top-up is found by the whole reference of its slip', async () => {
  await addAccount(it, 'filler', 'agent')
  await addWallet(it.db, { uid: 'filler', balanceSatang: 0, pin: null, now: it.clock.now })
  const slipId = await addSlip(it, 'u:filler', 'TOPUP20261128000077')
  const { no } = await it
    .as('filler')
    .call(saveTopUp, { body: { amountSatang: 50_000, slipId }, idempotencyKey: onceKey() })
  const found = (text: string) => it.as('staff').call(searchOrders, { query: { text } })
  expect(await found('topup20261128000077')).toEqual({
    groups: [],
    topUps: [expect.objectContaining({ no, status: 'waiting_approve', amountSatang: 50_000 })],
  })
  expect(await found('TOPUP2026112800007')).toEqual({ groups: [], topUps: [] })
})

test('an order is found by the whole reference of its slip, and by no part of it', async () => {
  await addAccount(it, 'sender', 'customer')
  const { orderNo } = await buyByBank(it.as('sender'))
  await report(it.as('sender'), orderNo, await addSlip(it, 'u:sender', REFERENCE))
  for (const text of [REFERENCE, REFERENCE.toLowerCase()]) {
    expect(await search(text), text).toEqual({ slip: [orderNo] })
    expect(await listed(text), text).toEqual([orderNo])
  }
  expect(await search(REFERENCE.slice(0, -1))).toEqual({})
})
