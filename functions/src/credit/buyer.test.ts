import { acceptTerms } from '@shop/shared/account/endpoints.ts'
import { getBuyer } from '@shop/shared/credit/buyer-endpoints.ts'
import { getCredit } from '@shop/shared/credit/endpoints.ts'
import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { listOwnOrders, listRunningOrders } from '@shop/shared/order/own-endpoints.ts'
import { getWallet } from '@shop/shared/wallet/endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fixture } from '../testing/fixture.ts'
import { buyByBank } from '../testing/orders.ts'
import { addAccount, createTestShop, type TestCaller, type TestShop } from '../testing/shop.ts'
import { addWallet } from '../testing/wallet.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
  await addWallet(it.db, { uid: 'agent', balanceSatang: 10_000, pin: '1234', now: it.clock.now })
})
afterAll(() => it.db.close())

const look = (caller: TestCaller, gameCode: string = fixture.pubg.code) =>
  caller.call(getBuyer, { params: { gameCode } })
const NOTHING = { wallet: null, credit: null, deliveries: [], acceptedTerms: null }

async function buyDelivered(caller: TestCaller) {
  const { orderNo } = await buyByBank(caller)
  for (const status of ['paid', 'processing', 'success'] as const)
    await it
      .as('staff')
      .call(updateOrderStatus, { body: { orderNo, status, reason: 'ทดสอบ', deliveryReference: orderNo } })
  return orderNo
}

test('a guest is told of the orders of this browser and of nothing else', async () => {
  const guest = it.as(null)
  await buyDelivered(guest)
  const { orderNo } = await buyByBank(guest)
  const { running, ...own } = await look(guest)
  expect(running.rows.map(row => row.orderNo)).toEqual([orderNo])
  expect(own).toEqual(NOTHING)
  // Another browser, and one without a key.
  for (const stranger of [it.as(null), it.as(null, { 'guest-key': '' })])
    expect(await look(stranger)).toMatchObject({ running: { rows: [] }, ...NOTHING })
})

test('a customer is told what the single calls say, of this game and this account alone', async () => {
  await addAccount(it, 'regular', 'customer')
  const customer = it.as('regular')
  const delivered = await buyDelivered(customer)
  await buyByBank(customer)
  await customer.call(acceptTerms, { body: { version: '1' } })
  const [running, credit, { rows: deliveries }] = await Promise.all([
    customer.call(listRunningOrders, {}),
    customer.call(getCredit, {}),
    customer.call(listOwnOrders, { query: { status: ['success'] } }),
  ])
  expect(deliveries.map(({ orderNo }) => orderNo)).toEqual([delivered])
  expect(await look(customer)).toEqual({ running, credit, deliveries, wallet: null, acceptedTerms: '1' })
  expect((await look(customer, fixture.mlbb.code)).deliveries).toEqual([])
  expect((await look(customer, 'nothing')).deliveries).toEqual([])
  await addAccount(it, 'somebody-else', 'customer')
  expect(await look(it.as('somebody-else'))).toMatchObject({
    running: { rows: [] },
    deliveries: [],
    acceptedTerms: null,
  })
})

test('an agent is told of the wallet as well; without one it is missing', async () => {
  const agent = it.as('agent')
  expect((await look(agent)).wallet).toEqual(await agent.call(getWallet, {}))
  await addAccount(it, 'without-wallet', 'agent')
  expect((await look(it.as('without-wallet'))).wallet).toBeNull()
})

test("what is the account's needs the session: the browser's key of a guest opens none of it", async () => {
  const signedIn = it.as('regular')
  const sameBrowser = it.as(null, { 'guest-key': signedIn.headers['guest-key'] ?? '' })
  expect(await look(sameBrowser)).toMatchObject(NOTHING)
  await it.db.query({ text: `UPDATE account SET status = 'inactive' WHERE uid = 'regular'` })
  expect(await signedIn.codeOf(getBuyer, { params: { gameCode: 'pubg' } })).toBe('ACCOUNT_INACTIVE')
})
