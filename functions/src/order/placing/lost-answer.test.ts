import * as contract from '@shop/shared/order/endpoints.ts'
import { listOwnOrders } from '@shop/shared/order/own-endpoints.ts'
import { saveTopUp } from '@shop/shared/wallet/endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { windowOf } from '../../http/rate-limit.ts'
import { bankOrder, buyByBank, codeOf, holdByBank, report } from '../../testing/orders.ts'
import { addAccount, createTestShop, onceKey, type TestCaller, type TestShop } from '../../testing/shop.ts'
import { addSlip, addWallet, walletBalance } from '../../testing/wallet.ts'

/** A caller's limit as it is shipped. */
const { calls } = windowOf('ordersPerCaller')
const OPENING_SATANG = 1_000_000

let it: TestShop
beforeAll(async () => {
  it = await createTestShop({
    RATE_LIMIT_ORDERS_PER_CALLER: String(calls),
    RATE_LIMIT_GUEST_ORDERS_PER_ADDRESS: String(calls),
  })
})
afterAll(() => it.db.close())

/** Tries until the caller's limit refuses. */
async function useUp(attempt: () => Promise<unknown>, refusal = 'RATE_LIMITED'): Promise<void> {
  for (let tries = 0; tries <= calls; tries++) if ((await codeOf(attempt())) === refusal) return
  throw new Error('the limit never came')
}

async function agentWithWallet(uid: string): Promise<TestCaller> {
  await addAccount(it, uid, 'agent')
  await addWallet(it.db, { uid, balanceSatang: OPENING_SATANG, pin: '1234', now: it.clock.now })
  return it.as(uid)
}

test('a wallet order whose answer was lost is bought once, also when the limit was reached before the retry', async () => {
  const agent = await agentWithWallet('unlucky')
  const buy = (pin: string, idempotencyKey: string) => {
    const body = { gameId: 1, packageId: 1, playerId: '1', termsVersion: '1', pin }
    return agent.call(contract.confirmOrder, { body, idempotencyKey })
  }
  const key = onceKey()
  // The order is made; nobody reads the answer.
  await buy('1234', key)
  const left = await walletBalance(it.db, 'unlucky')
  await useUp(() => buy('0000', onceKey()))
  expect(await codeOf(buy('1234', onceKey()))).toBe('RATE_LIMITED')
  const again = await buy('1234', key)
  expect(await walletBalance(it.db, 'unlucky')).toBe(left)
  const { rows } = await agent.call(listOwnOrders, {})
  expect(rows.map(row => row.orderNo)).toEqual([again.orderNo])
})

test('a transfer order, a held amount and a report whose answers were lost are given again past the limit', async () => {
  const guest = it.as(null)
  const [holdKey, orderKey, reportKey] = [onceKey(), onceKey(), onceKey()]
  const held = await holdByBank(guest, holdKey)
  const body = bankOrder({ randPointId: held.id })
  const place = () => guest.call(contract.confirmPrice, { body, idempotencyKey: orderKey })
  const { orderNo } = await place()
  const reported = await report(guest, orderNo, undefined, reportKey)
  await useUp(() => holdByBank(guest), 'GUEST_LIMIT_REACHED')
  expect(await codeOf(buyByBank(guest))).toBe('GUEST_LIMIT_REACHED')
  expect(await holdByBank(guest, holdKey)).toEqual(held)
  expect((await place()).orderNo).toBe(orderNo)
  expect(await report(guest, orderNo, undefined, reportKey)).toEqual(reported)
})

test('a top-up whose answer was lost is entered once', async () => {
  const agent = await agentWithWallet('topping-up')
  const body = { amountSatang: 100_000, slipId: await addSlip(it, 'u:topping-up') }
  const key = onceKey()
  const ask = () => agent.call(saveTopUp, { body, idempotencyKey: key })
  const first = await ask()
  expect(await ask()).toEqual(first)
})
