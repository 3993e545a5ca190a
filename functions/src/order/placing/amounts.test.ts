import type { AppError } from '@shop/shared/errors.ts'
import * as contract from '@shop/shared/order/endpoints.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { windowOf } from '../../http/rate-limit.ts'
import { bankOrder, buyByBank, codeOf, holdByBank, report } from '../../testing/orders.ts'
import { createTestShop, onceKey, type TestShop, tokenFor } from '../../testing/shop.ts'
import { addSlip } from '../../testing/wallet.ts'
import { expireOrders } from '../paying/expiry.ts'

let it: TestShop
afterEach(() => it.db.close())

/** Signed in with an address that was never proven. */
const unproven = (uid: string, headers = {}) =>
  it.as(uid, { ...headers, authorization: `Bearer ${tokenFor(uid, it.clock.now, { email_verified: false })}` })

const count = async (condition: string) => {
  const text = `SELECT count(*)::int AS n FROM reserved_amount WHERE ${condition}`
  return (await it.db.query<{ n: number }>({ text }))[0]!.n
}

describe('an amount', () => {
  beforeEach(async () => {
    it = await createTestShop()
  })

  test("is held once by each buyer: the next hold takes the last one's place, also when many come at once", async () => {
    const guest = it.as(null)
    const first = await holdByBank(guest)
    const second = await holdByBank(guest)
    expect(await count('order_id IS NULL')).toBe(1)
    expect(await codeOf(buyByBank(guest, { randPointId: first.id }))).toBe('HOLD_EXPIRED')
    expect((await buyByBank(guest, { randPointId: second.id })).tailSatang).toBe(second.point)
    await Promise.all(Array.from({ length: 12 }, () => holdByBank(guest)))
    expect(await count('order_id IS NULL')).toBe(1)
  })

  test('is held by no guest while guest checkout is off; people who signed in may', async () => {
    await it.db.query({ text: `UPDATE option SET value = 'false' WHERE name = 'ALLOW_GUEST_CHECKOUT'` })
    expect(await codeOf(holdByBank(it.as(null)))).toBe('GUEST_CHECKOUT_OFF')
    expect(await codeOf(holdByBank(it.as('customer')))).toBe('OK')
  })

  test('of the last third is for people who signed in: guests are told of the other account, then to wait', async () => {
    const fill = (account: number) =>
      Promise.all(Array.from({ length: 70 }, () => codeOf(holdByBank(it.as(null), onceKey(), account))))
    const held = await fill(1)
    expect(held.filter(code => code === 'OK')).toHaveLength(66)
    expect(held).toContain('ACCOUNT_AMOUNTS_EXHAUSTED')
    await fill(2)
    expect(await codeOf(buyByBank(it.as(null)))).toBe('AMOUNTS_EXHAUSTED')
    for (let n = 0; n < 33; n++) expect((await buyByBank(it.as(`c-${n}`))).tailSatang).toBeGreaterThan(66)
    expect(await codeOf(buyByBank(it.as('c-33')))).toBe('ACCOUNT_AMOUNTS_EXHAUSTED')
  })

  test('of the last third is for people who are known, however many accounts somebody makes', async () => {
    const codes: string[] = []
    // Three each, were they reported: all 99.
    for (let n = 0; n < 33; n++)
      for (let turn = 0; turn < 3; turn++) {
        const stranger = unproven(`made-${n}`)
        const order = await buyByBank(stranger, { playerId: `p-${n}-${turn}` }).catch(error => error as AppError)
        if ('code' in order) codes.push(order.code)
        else await report(stranger, order.orderNo)
      }
    expect(codes).toEqual(Array(33).fill('ACCOUNT_AMOUNTS_EXHAUSTED'))
    expect((await buyByBank(it.as('customer'))).tailSatang).toBeGreaterThan(66)
  })

  test('is kept a day for a report from a proven account, else half an hour, whatever is drawn on a slip', async () => {
    const minutesOf = async (caller: ReturnType<TestShop['as']>, slipId?: string) => {
      const { orderNo } = await buyByBank(caller)
      await report(caller, orderNo, slipId)
      const text = `SELECT extract(epoch FROM expire_after - $2)::int / 60 AS minutes FROM orders WHERE order_no = $1`
      const [row] = await it.db.query<{ minutes: number }>({ text, values: [orderNo, it.clock.now] })
      return row!.minutes
    }
    expect(await minutesOf(it.as('customer'))).toBe(24 * 60)
    expect(await minutesOf(it.as('line:U1'))).toBe(24 * 60)
    expect(await minutesOf(it.as(null))).toBe(30)
    expect(await minutesOf(unproven('claimed'))).toBe(30)
    const [plain, read] = [await addSlip(it, 'u:slips'), await addSlip(it, 'u:slips', 'REF-AMOUNT')]
    const stranger = unproven('slips')
    expect([await minutesOf(stranger, plain), await minutesOf(stranger, read)]).toEqual([30, 30])
  })

  test('three unpaid guest orders of a player are the most; a report makes room for the next', async () => {
    const playerId = 'same-player'
    const guest = it.as(null)
    const first = await buyByBank(guest, { playerId })
    for (let n = 0; n < 2; n++) await buyByBank(it.as(null), { playerId })
    expect(await codeOf(buyByBank(it.as(null), { playerId }))).toBe('TOO_MANY_UNPAID')
    await report(guest, first.orderNo)
    const codes = await Promise.all([1, 2, 3].map(() => codeOf(buyByBank(it.as(null), { playerId }))))
    expect(codes.sort()).toEqual(['OK', 'TOO_MANY_UNPAID', 'TOO_MANY_UNPAID'])
  })
})

describe('one visitor with any number of guest keys', () => {
  beforeEach(async () => {
    // Limits as shipped; the address is what the one proxy in front says.
    const shipped = (['guestOrdersPerAddress', 'guestOrdersPerAddressAndHour'] as const).map(name =>
      String(windowOf(name).calls),
    )
    it = await createTestShop({
      PROXIES_IN_FRONT: '1',
      RATE_LIMIT_GUEST_ORDERS_PER_ADDRESS: shipped[0]!,
      RATE_LIMIT_GUEST_ORDERS_PER_ADDRESS_AND_HOUR: shipped[1]!,
    })
    // Limits count by the computer's clock.
    vi.useFakeTimers({ toFake: ['Date'], now: it.clock.now })
    return () => vi.useRealTimers()
  })

  const from = (address: string) => it.as(null, { 'x-forwarded-for': address })
  const pass = (seconds: number) => {
    it.clock.advance(seconds)
    vi.setSystemTime(it.clock.now)
  }

  test('orders and holds of an address are counted together: ten in a minute, thirty in an hour', async () => {
    const attempt = (n: number) => codeOf(n % 2 ? holdByBank(from('10.0.0.9')) : buyByBank(from('10.0.0.9')))
    const minute = async () => {
      const codes: string[] = []
      for (let n = 0; n < 12; n++) codes.push(await attempt(n))
      pass(60)
      return codes.filter(code => code === 'OK').length
    }
    expect([await minute(), await minute(), await minute(), await minute()]).toEqual([10, 10, 10, 0])
    expect(await codeOf(buyByBank(from('10.0.0.8')))).toBe('OK')
    pass(3600)
    expect(await attempt(0)).toBe('OK')
  })

  test('accounts that proved nothing are counted as the guests of their address, and leave amounts to everybody', async () => {
    const made = (n: number) => unproven(`made-${n}`, { 'x-forwarded-for': '10.0.0.9' })
    const codes: string[] = []
    for (let n = 0; n < 33; n++) codes.push(await codeOf(buyByBank(made(n))))
    expect(codes.filter(code => code === 'OK')).toHaveLength(10)
    expect(codes.at(-1)).toBe('GUEST_LIMIT_REACHED')
    expect(await codeOf(holdByBank(made(99)))).toBe('GUEST_LIMIT_REACHED')
    expect(await codeOf(buyByBank(from('10.0.0.9')))).toBe('GUEST_LIMIT_REACHED')
    expect(await codeOf(buyByBank(from('10.0.0.8')))).toBe('OK')
    expect(await codeOf(buyByBank(it.as('customer', { 'x-forwarded-for': '10.0.0.9' })))).toBe('OK')
  })

  test('leaves amounts for everybody else of the same package, at every minute of an hour', async () => {
    const refused: string[] = []
    for (let minute = 0; minute < 60; minute++) {
      for (let n = 0; n < 12; n++) {
        const visitor = from('10.0.0.9')
        await codeOf(holdByBank(from('10.0.0.9')))
        const order = await buyByBank(visitor).catch(() => null)
        if (order) await report(visitor, order.orderNo)
      }
      const honest = from(`10.0.1.${minute}`)
      const codes = [await codeOf(holdByBank(honest)), await codeOf(buyByBank(honest))]
      refused.push(...codes.filter(code => code !== 'OK'))
      pass(60)
      await expireOrders(it.shop)
    }
    expect(refused).toEqual([])
  })

  test('a retry of what was placed is answered, whatever the limit says by then', async () => {
    const guest = from('10.0.0.9')
    const [holdKey, orderKey] = [onceKey(), onceKey()]
    const held = await holdByBank(guest, holdKey)
    const body = bankOrder({ randPointId: held.id })
    const place = () => guest.call(contract.confirmPrice, { body, idempotencyKey: orderKey })
    const { orderNo } = await place()
    for (let n = 0; n < 10; n++) await codeOf(holdByBank(from('10.0.0.9')))
    expect(await codeOf(holdByBank(guest))).toBe('GUEST_LIMIT_REACHED')
    expect(await holdByBank(guest, holdKey)).toEqual(held)
    expect((await place()).orderNo).toBe(orderNo)
  })
})
