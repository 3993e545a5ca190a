import { proposePlayer, redoOrder } from '@shop/shared/order/correction-endpoints.ts'
import { getOrder, updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { getReceipt } from '@shop/shared/order/finding-endpoints.ts'
import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buyByBank, codeOf } from '../../testing/orders.ts'
import { createTestShop, type TestShop } from '../../testing/shop.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
  await it.db.query({
    text: `UPDATE account SET email = 'buyer@somewhere.example', phone = '+66811234567', given_name = 'ใจดี' WHERE uid = 'customer'`,
  })
})
afterAll(() => it.db.close())

const OLD = '5123456789'
const NEW = '5999999999'
const lookAs = (uid: string, orderNo: string) => it.as(uid).call(getOrderForStaff, { params: { orderNo } })

/** An order that failed, whose buyer named another player, and that was then delivered to that one. */
async function correctedOrder(): Promise<string> {
  const { orderNo } = await buyByBank(it.as('customer'), { playerId: OLD })
  const change = (status: string) =>
    it
      .as('manager')
      .call(updateOrderStatus, { body: { orderNo, status, reason: 'ไม่พบผู้เล่น', deliveryReference: 'REF' } as never })
  for (const status of ['paid', 'processing', 'failed']) await change(status)
  await it.as('customer').call(proposePlayer, { params: { orderNo }, body: { playerId: NEW } })
  await it.as('manager').call(redoOrder, { body: { orderNo, playerId: NEW } })
  return orderNo
}

test('who keeps the books sees an order’s money and whose it is, but neither the player nor a way to the buyer', async () => {
  const orderNo = await correctedOrder()
  const whole = await lookAs('staff', orderNo)
  expect(JSON.stringify(whole)).toContain(NEW)
  expect(whole.buyer).toMatchObject({ email: 'buyer@somewhere.example', tel: '+66811234567' })

  const seen = await lookAs('accountant', orderNo)
  for (const hidden of [OLD, NEW, 'buyer@somewhere.example', '811234567'])
    expect([hidden, JSON.stringify(seen).includes(hidden)]).toEqual([hidden, false])
  const { amountSatang, status, paidAt, receivingAccount } = whole
  expect(seen).toMatchObject({ amountSatang, status, paidAt, receivingAccount, commands: [], canRedo: false })
  expect(seen.playerId).toBe('59******99')
  expect(seen.buyer.name).toBe(whole.buyer.name)
  expect(seen.timeline.map(({ kind, at }) => ({ kind, at }))).toEqual(
    whole.timeline.map(({ kind, at }) => ({ kind, at })),
  )
  expect(seen.timeline.map(({ reason }) => reason)).toContain('ไม่พบผู้เล่น')
})

test('they neither work on it nor get what its buyer gets', async () => {
  const { orderNo } = await buyByBank(it.as('customer'))
  const accountant = it.as('accountant')
  const body = { orderNo, status: 'paid' } as never
  expect(await codeOf(accountant.call(updateOrderStatus, { body }))).toBe('FORBIDDEN')
  expect(await codeOf(accountant.call(getReceipt, { params: { orderNo } }))).toBe('ORDER_NOT_FOUND')
  expect(await codeOf(accountant.call(getOrder, { params: { orderNo } }))).toBe('ORDER_NOT_FOUND')
})
