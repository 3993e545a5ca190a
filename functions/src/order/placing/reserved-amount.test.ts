import type { AppError } from '@shop/shared/errors.ts'
import * as contract from '@shop/shared/order/endpoints.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fixture } from '../../testing/fixture.ts'
import { createTestShop, onceKey, type TestCaller, type TestShop } from '../../testing/shop.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
})
afterAll(() => it.db.close())

let player = 0
const request = (change: Record<string, unknown> = {}) => ({
  gameId: fixture.pubg.id,
  packageId: fixture.pubg.package,
  playerId: `amount-${++player}`,
  receivingAccountId: fixture.accounts.promptPay,
  termsVersion: '1',
  ...change,
})
const buy = (caller: TestCaller, change: Record<string, unknown> = {}) =>
  caller.call(contract.confirmPrice, { body: request(change), idempotencyKey: onceKey() })

describe('holding an amount', () => {
  const params = { gameCode: 'pubg', packageId: fixture.pubg.package, playerId: '51', paymentCode: 'bank' as const }
  const hold = (caller: TestCaller) =>
    caller.call(contract.holdPrice, { params, body: { receivingAccountId: 1 }, idempotencyKey: onceKey() })

  test('the order adopts its own hold; another buyer, another price or a late one can not', async () => {
    const guest = it.as(null)
    const held = await hold(guest)
    const other = await it.as(null).codeOf(contract.confirmPrice, {
      body: request({ randPointId: held.id }),
      idempotencyKey: onceKey(),
    })
    expect(other).toBe('HOLD_EXPIRED')
    const order = await buy(guest, { randPointId: held.id })
    expect(order.tailSatang).toBe(held.point)
    const late = it.as(null)
    const lateHold = await hold(late)
    it.clock.advance(301)
    expect(
      await late.codeOf(contract.confirmPrice, {
        body: request({ randPointId: lateHold.id }),
        idempotencyKey: onceKey(),
      }),
    ).toBe('HOLD_EXPIRED')
  })

  test('is for the account it was held on, and for transfers only', async () => {
    const guest = it.as(null)
    const held = await hold(guest)
    const elsewhere = request({ randPointId: held.id, receivingAccountId: fixture.accounts.second })
    expect(await guest.codeOf(contract.confirmPrice, { body: elsewhere, idempotencyKey: onceKey() })).toBe(
      'HOLD_EXPIRED',
    )
    const wallet = { ...params, paymentCode: 'wallet' as const }
    const input = { params: wallet, body: { receivingAccountId: 1 }, idempotencyKey: onceKey() }
    expect(await it.as('staff').codeOf(contract.holdPrice, input)).toBe('PAYMENT_METHOD_NOT_ALLOWED')
  })

  test('credit that the buyer does not have lowers no held price', async () => {
    const input = (creditSatang: number) => ({
      params,
      body: { receivingAccountId: 1, creditSatang },
      idempotencyKey: onceKey(),
    })
    expect(await it.as(null).codeOf(contract.holdPrice, input(10_000))).toBe('CREDIT_TOO_LOW')
    await it.db.query({
      text: `INSERT INTO credit (id, uid, balance_satang, created_at) VALUES (gen_random_uuid(), 'staff', 5000, $1)`,
      values: [it.clock.now],
    })
    expect(await it.as('staff').codeOf(contract.holdPrice, input(5_001))).toBe('CREDIT_TOO_LOW')
    expect(await it.as('staff').call(contract.holdPrice, input(5_000))).toMatchObject({ priceSatang: 9_900 })
    await it.db.query({ text: `DELETE FROM credit WHERE uid = 'staff'` })
  })

  test.each([fixture.accounts.closed, 99])('receiving account %d is a clear error', async receivingAccountId => {
    const input = { params, body: { receivingAccountId }, idempotencyKey: onceKey() }
    expect(await it.as(null).codeOf(contract.holdPrice, input)).toBe('RECEIVING_ACCOUNT_NOT_FOUND')
  })

  test('GET answers with the price in force and reserves nothing', async () => {
    const count = async () =>
      (await it.db.query<{ n: number }>({ text: 'SELECT count(*)::int n FROM reserved_amount' }))[0]!.n
    const before = await count()
    expect(await it.as(null).call(contract.getPrice, { params })).toEqual({ priceSatang: 14_900 })
    expect(await count()).toBe(before)
  })
})

describe('when every amount of an account is taken', () => {
  let shop: TestShop
  beforeEach(async () => {
    shop = await createTestShop()
    return () => shop.db.close()
  })

  /** Takes all 99 amounts; `returns` says in how many seconds each comes back, by its satang. */
  const fill = (receivingAccountId: number, returns: (tail: number) => number) =>
    shop.db.query({
      text: `INSERT INTO reserved_amount (id, receiving_account_id, amount_satang, price_satang, buyer_key, reusable_at)
        SELECT gen_random_uuid(), $1, 14900 + tail, 14900, 'g:x', at FROM unnest($2::int[], $3::timestamptz[]) AS t (tail, at)`,
      values: [
        receivingAccountId,
        Array.from({ length: 99 }, (_, index) => index + 1),
        Array.from({ length: 99 }, (_, index) => new Date(shop.clock.now.getTime() + returns(index + 1) * 1000)),
      ],
    })
  const refusal = () =>
    shop
      .as(null)
      .call(contract.confirmPrice, { body: request(), idempotencyKey: onceKey() })
      .catch((error: AppError) => error)

  test('the open account that has some is named', async () => {
    await fill(fixture.accounts.promptPay, () => 600)
    const details = { accounts: [fixture.accounts.second] }
    expect(await refusal()).toMatchObject({ code: 'ACCOUNT_AMOUNTS_EXHAUSTED', details })
  })

  test('of all accounts, the wait until the first amount comes back is told in minutes', async () => {
    await fill(fixture.accounts.promptPay, tail => 600 + tail)
    await fill(fixture.accounts.second, tail => (tail === 50 ? 361 : 900))
    const message = expect.stringContaining(' 7 นาที')
    expect(await refusal()).toMatchObject({ code: 'AMOUNTS_EXHAUSTED', message })
    shop.clock.advance(361)
    const body = request({ receivingAccountId: fixture.accounts.second })
    const order = await shop.as(null).call(contract.confirmPrice, { body, idempotencyKey: onceKey() })
    expect(order.tailSatang).toBe(50)
  })
})

test('what happens to an order after it was paid leaves the time at which its amount is free again', async () => {
  const staff = it.as('staff')
  const { orderNo } = await buy(it.as(null))
  await staff.call(contract.updateOrderStatus, { body: { orderNo, status: 'paid', reason: 'ตรวจยอดแล้ว' } })
  const inSixMinutes = new Date(it.clock.now.getTime() + 360_000)
  const freeAt = async () => {
    const [row] = await it.db.query<{ at: Date }>({
      text: `SELECT r.reusable_at AS at FROM reserved_amount r JOIN orders o ON o.id = r.order_id WHERE o.order_no = $1`,
      values: [orderNo],
    })
    return row?.at
  }
  expect(await freeAt()).toEqual(inSixMinutes)
  it.clock.advance(1)
  await staff.call(contract.updateOrderStatus, { body: { orderNo, status: 'processing' } })
  expect(await freeAt()).toEqual(inSixMinutes)
})
