import { confirmPrice, getOrder, reportOrderTransfer } from '@shop/shared/order/endpoints.ts'
import { saveTopUp } from '@shop/shared/wallet/endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fixture } from '../testing/fixture.ts'
import { addAccount, createTestShop, onceKey, type TestCaller, type TestShop } from '../testing/shop.ts'
import { addWallet } from '../testing/wallet.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
  for (const uid of ['first-agent', 'second-agent']) {
    await addAccount(it, uid, 'agent')
    await addWallet(it.db, { uid, balanceSatang: 0, pin: null, now: it.clock.now })
  }
})
afterAll(() => it.db.close())

const topUp = { amountSatang: 50_000, slipId: null }

async function newOrder(caller: TestCaller): Promise<string> {
  const body = {
    gameId: fixture.pubg.id,
    packageId: fixture.pubg.package,
    playerId: '1',
    receivingAccountId: fixture.accounts.promptPay,
    termsVersion: '1',
  }
  return (await caller.call(confirmPrice, { body, idempotencyKey: onceKey() })).orderNo
}

test("a key is its caller's: the same one from two people is two requests", async () => {
  const idempotencyKey = onceKey()
  const save = (uid: string) => it.as(uid).call(saveTopUp, { body: topUp, idempotencyKey })
  const [first, second] = [await save('first-agent'), await save('second-agent')]
  expect(second.id).not.toBe(first.id)
  expect(await save('first-agent')).toEqual(first)
})

test('a key that was used is refused for other input and for another path, and changes nothing there', async () => {
  const idempotencyKey = onceKey()
  const agent = it.as('first-agent')
  await agent.call(saveTopUp, { body: topUp, idempotencyKey })
  const other = { body: { ...topUp, amountSatang: 60_000 }, idempotencyKey }
  expect(await agent.codeOf(saveTopUp, other)).toBe('IDEMPOTENCY_KEY_REUSED')

  const guest = it.as(null)
  const report = (orderNo: string) =>
    guest.codeOf(reportOrderTransfer, { params: { orderNo }, body: {}, idempotencyKey })
  const first = await newOrder(guest)
  expect([await report(first), await report(first)]).toEqual(['OK', 'OK'])
  const second = await newOrder(guest)
  expect(await report(second)).toBe('IDEMPOTENCY_KEY_REUSED')
  expect((await guest.call(getOrder, { params: { orderNo: second } })).transferReportedAt).toBeNull()
})

test('a request that failed leaves its key for another try', async () => {
  const idempotencyKey = onceKey()
  const agent = it.as('first-agent')
  const tooMuch = { ...topUp, amountSatang: 10 ** 9 }
  expect(await agent.codeOf(saveTopUp, { body: tooMuch, idempotencyKey })).toBe('TOP_UP_ABOVE_ROOM')
  expect(await agent.codeOf(saveTopUp, { body: topUp, idempotencyKey })).toBe('OK')
})
