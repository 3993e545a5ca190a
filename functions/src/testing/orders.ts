import * as contract from '@shop/shared/order/endpoints.ts'
import { fixture } from './fixture.ts'
import { onceKey, type TestCaller, type TestShop } from './shop.ts'

let players = 0

/** A purchase by transfer for a player of its own. */
export const bankOrder = (change: Record<string, unknown> = {}) => ({
  gameId: fixture.pubg.id,
  packageId: fixture.pubg.package,
  playerId: String(5_300_000_000 + ++players),
  receivingAccountId: fixture.accounts.promptPay,
  termsVersion: '1',
  ...change,
})

export const buyByBank = (caller: TestCaller, change: Record<string, unknown> = {}, idempotencyKey = onceKey()) =>
  caller.call(contract.confirmPrice, { body: bankOrder(change), idempotencyKey })

/** An order by transfer that was paid and then refunded, so that its money is owed. */
export async function buyAndRefund(it: TestShop, caller: TestCaller) {
  const order = await buyByBank(caller)
  for (const status of ['paid', 'refunded'] as const)
    await it
      .as('admin')
      .call(contract.updateOrderStatus, { body: { orderNo: order.orderNo, status, reason: 'เติมไม่ได้' } })
  return order
}

const HELD = {
  gameCode: fixture.pubg.code,
  packageId: fixture.pubg.package,
  playerId: '51',
  paymentCode: 'bank' as const,
}

export const holdByBank = (caller: TestCaller, idempotencyKey = onceKey(), receivingAccountId = 1) =>
  caller.call(contract.holdPrice, { params: HELD, body: { receivingAccountId }, idempotencyKey })

export const report = (caller: TestCaller, orderNo: string, slipId?: string, idempotencyKey = onceKey()) =>
  caller.call(contract.reportOrderTransfer, { params: { orderNo }, body: { slipId }, idempotencyKey })

/** The code a call ends with, 'OK' when it succeeds. */
export const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'OK',
    (error: { code: string }) => error.code,
  )
