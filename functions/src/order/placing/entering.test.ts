import { confirmOrder, confirmPrice } from '@shop/shared/order/endpoints.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bankOrder } from '../../testing/orders.ts'
import { addAccount, createTestShop, onceKey, type TestShop, tokenFor } from '../../testing/shop.ts'
import { addWallet } from '../../testing/wallet.ts'

/**
 * Placing an order lets its caller in by what it reads itself. access.test.ts asks with empty input, which is refused
 * before; here the requests are whole.
 */
let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
  await addAccount(it, 'inactive', 'agent', { status: 'inactive' })
  await addAccount(it, 'revoked', 'agent')
  await addAccount(it, 'old-password', 'agent', { mustChangePassword: true })
  await addAccount(it, 'old-pin', 'agent', { mustChangePin: true })
  for (const uid of ['agent', 'revoked', 'inactive', 'old-password', 'old-pin', 'admin'])
    await addWallet(it.db, { uid, balanceSatang: 1_000_000, pin: '1234', now: it.clock.now })
})
afterAll(() => it.db.close())

const bearer = (uid: string, change: Record<string, unknown> = {}, ageSeconds = 0) => ({
  authorization: `Bearer ${tokenFor(uid, new Date(it.clock.now.getTime() - ageSeconds * 1000), change)}`,
})

const walletOrder = (change: Record<string, unknown> = {}) => ({
  gameId: 1,
  packageId: 1,
  playerId: '1',
  termsVersion: '1',
  pin: '1234',
  ...change,
})

const WAYS = {
  bank: (headers: Record<string, string>, change = {}, idempotencyKey = onceKey()) =>
    it.as(null, headers).codeOf(confirmPrice, { body: bankOrder(change), idempotencyKey }),
  wallet: (headers: Record<string, string>, change = {}, idempotencyKey = onceKey()) =>
    it.as(null, headers).codeOf(confirmOrder, { body: walletOrder(change), idempotencyKey }),
}

const hours13Ago = () => Math.floor(it.clock.now.getTime() / 1000) - 13 * 3600

/** What only those are told who were let in. */
const LET_IN = ['OK', 'PAYMENT_METHOD_NOT_ALLOWED']

/** Who comes with what, and the code for a bank order and for a wallet order. */
const CALLERS: Record<string, { headers: () => Record<string, string>; bank: string; wallet: string }> = {
  'a guest': { headers: () => ({}), bank: 'OK', wallet: 'UNAUTHENTICATED' },
  'a bad token': {
    headers: () => ({ authorization: 'Bearer no' }),
    bank: 'UNAUTHENTICATED',
    wallet: 'UNAUTHENTICATED',
  },
  'nobody the shop knows': { headers: () => bearer('new-here'), bank: 'OK', wallet: 'FORBIDDEN' },
  'a customer': { headers: () => bearer('customer'), bank: 'OK', wallet: 'FORBIDDEN' },
  'an agent': { headers: () => bearer('agent'), bank: 'PAYMENT_METHOD_NOT_ALLOWED', wallet: 'OK' },
  'an inactive account': { headers: () => bearer('inactive'), bank: 'ACCOUNT_INACTIVE', wallet: 'ACCOUNT_INACTIVE' },
  'a revoked session': {
    headers: () => bearer('revoked', {}, 60),
    bank: 'SESSION_REVOKED',
    wallet: 'SESSION_REVOKED',
  },
  'staff of yesterday': {
    headers: () => bearer('staff', { auth_time: hours13Ago() }),
    bank: 'SESSION_EXPIRED',
    wallet: 'SESSION_EXPIRED',
  },
  'a manager from LINE': {
    headers: () => bearer('manager', { firebase: { sign_in_provider: 'custom' } }),
    bank: 'LINE_NOT_ALLOWED',
    wallet: 'LINE_NOT_ALLOWED',
  },
  'a way that is not the account’s': {
    headers: () => bearer('agent', { firebase: { sign_in_provider: 'google.com' } }),
    bank: 'SIGN_IN_THEN_LINK',
    wallet: 'SIGN_IN_THEN_LINK',
  },
  'a password to be changed': {
    headers: () => bearer('old-password'),
    bank: 'PASSWORD_CHANGE_REQUIRED',
    wallet: 'PASSWORD_CHANGE_REQUIRED',
  },
  'a PIN to be changed': {
    headers: () => bearer('old-pin'),
    bank: 'PIN_CHANGE_REQUIRED',
    wallet: 'PIN_CHANGE_REQUIRED',
  },
}

describe.each(['bank', 'wallet'] as const)('an order by %s of', way => {
  beforeAll(async () => {
    await it.db.query({
      text: `UPDATE account SET tokens_valid_after = $1 WHERE uid = 'revoked'`,
      values: [it.clock.now],
    })
  })

  const state = () =>
    it.db.query({
      text: `SELECT (SELECT count(*)::int FROM orders) AS orders, (SELECT count(*)::int FROM reserved_amount) AS amounts,
        (SELECT count(*)::int FROM idempotency_key) AS keys, (SELECT sum(balance_satang)::bigint FROM wallet) AS money`,
    })

  test.each(Object.entries(CALLERS))('%s', async (_, { headers, [way]: code }) => {
    const before = await state()
    // What is sold, and whether the PIN is right, is for those who are let in.
    if (!LET_IN.includes(code)) {
      expect(await WAYS[way](headers(), { packageId: 4 })).toBe(code)
      expect(await WAYS[way](headers(), { termsVersion: '0' })).toBe(code)
      expect(await WAYS[way](headers(), { pin: '0000' })).toBe(code)
      expect(await WAYS[way](headers(), { packageId: 'no number' })).toBe(code)
    }
    expect(await WAYS[way](headers())).toBe(code)
    if (code !== 'OK') expect(await state()).toEqual(before)
  })
})

test('the answer of an order is not given again to a session that is over', async () => {
  await addAccount(it, 'moving', 'customer')
  const key = onceKey()
  const order = bankOrder()
  const ask = () => it.as(null, bearer('moving', {}, 60)).codeOf(confirmPrice, { body: order, idempotencyKey: key })
  expect([await ask(), await ask()]).toEqual(['OK', 'OK'])
  await it.db.query({
    text: `UPDATE account SET tokens_valid_after = $1 WHERE uid = 'moving'`,
    values: [it.clock.now],
  })
  expect(await ask()).toBe('SESSION_REVOKED')
})

test('whoever has an ended session uses up none of its owner’s tries', async () => {
  const counts = () => it.db.query({ text: `SELECT points FROM rate_limit WHERE key = 'ordersPerCaller:u:revoked'` })
  expect(await WAYS.bank(bearer('revoked', {}, 60))).toBe('SESSION_REVOKED')
  expect(await counts()).toEqual([])
  expect(await WAYS.wallet(bearer('revoked'))).toBe('OK')
  expect(await counts()).toEqual([{ points: 1 }])
})
