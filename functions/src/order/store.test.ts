import { confirmPrice } from '@shop/shared/order/endpoints.ts'
import { cancelOrder, markPaid } from '@shop/shared/order/order.ts'
import { SYSTEM } from '@shop/shared/order/status.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fixture } from '../testing/fixture.ts'
import { createTestShop, onceKey, type TestShop } from '../testing/shop.ts'
import { findOrder, saveOutcome } from './store.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
})
afterAll(() => it.db.close())

test('a decision about an older version of an order is not stored', async () => {
  const body = {
    gameId: fixture.pubg.id,
    packageId: fixture.pubg.package,
    playerId: '1',
    receivingAccountId: fixture.accounts.promptPay,
    termsVersion: '1',
  }
  const { orderNo } = await it.as(null).call(confirmPrice, { body, idempotencyKey: onceKey() })
  const { order } = (await findOrder(it.db, { orderNo }))!
  await saveOutcome(it.db, markPaid(order, SYSTEM, null, it.clock.now))
  await expect(saveOutcome(it.db, cancelOrder(order, SYSTEM, null, it.clock.now))).rejects.toThrow('invariant')
  const stored = (await findOrder(it.db, { orderNo }))!
  expect([stored.order.status, stored.events.map(event => event.to)]).toEqual(['paid', ['waiting_payment', 'paid']])
})
