import { getMe } from '@shop/shared/account/endpoints.ts'
import { confirmPrice, getOrder, listWaitingOrders } from '@shop/shared/order/endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fixture } from '../testing/fixture.ts'
import { addAccount, createTestShop, onceKey, type TestCaller, type TestShop, tokenFor } from '../testing/shop.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
})
afterAll(() => it.db.close())

const order = {
  gameId: fixture.pubg.id,
  packageId: fixture.pubg.package,
  playerId: '1',
  receivingAccountId: fixture.accounts.promptPay,
  termsVersion: '1',
}
const buy = (caller: TestCaller) => caller.call(confirmPrice, { body: order, idempotencyKey: onceKey() })

test('who signs in keeps sight of what they bought as a guest in this browser, and nobody else gets it', async () => {
  const guest = it.as(null)
  const { orderNo } = await buy(guest)
  const guestKey = guest.headers['guest-key']!
  const look = (caller: TestCaller) => caller.codeOf(getOrder, { params: { orderNo } })
  expect(await look(it.as('customer', { 'guest-key': guestKey }))).toBe('OK')
  expect(await look(it.as('customer'))).toBe('ORDER_NOT_FOUND')
})

test('what a signed-in person buys is theirs, not the browser’s', async () => {
  const person = it.as('customer')
  const { orderNo } = await buy(person)
  const guest = it.as(null, { 'guest-key': person.headers['guest-key']! })
  expect(await guest.codeOf(getOrder, { params: { orderNo } })).toBe('ORDER_NOT_FOUND')
})

test('a guest key that could be guessed is none', async () => {
  for (const guestKey of ['', 'short', 'x'.repeat(21), 'x'.repeat(65), `${'x'.repeat(22)}!`]) {
    const guest = it.as(null, { 'guest-key': guestKey })
    const input = { body: order, idempotencyKey: onceKey() }
    expect([guestKey, await guest.codeOf(confirmPrice, input)]).toEqual([guestKey, 'INVALID_INPUT'])
    expect(await guest.call(listWaitingOrders, {})).toEqual([])
  }
})

test('a revocation ends the sessions of the seconds before it; the new sign-in of that second goes on', async () => {
  await addAccount(it, 'moved', 'customer')
  const revokedAt = new Date('2026-11-20T05:00:00.500Z')
  const setRevoked = (at: Date) =>
    it.db.query({ text: `UPDATE account SET tokens_valid_after = $1 WHERE uid = 'moved'`, values: [at] })
  const codeOf = (issuedAt: string) =>
    it.as('moved', { authorization: `Bearer ${tokenFor('moved', new Date(issuedAt))}` }).codeOf(getMe, {})
  await setRevoked(revokedAt)
  expect(await codeOf('2026-11-20T04:59:59Z')).toBe('SESSION_REVOKED')
  expect(await codeOf('2026-11-20T05:00:00Z')).toBe('OK')
  await setRevoked(new Date('2026-11-20T05:00:00Z'))
  expect(await codeOf('2026-11-20T04:59:59Z')).toBe('SESSION_REVOKED')
})
