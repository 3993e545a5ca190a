import { hash } from '@node-rs/argon2'
import { confirmOrder, getOrder, updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { findPin, setPin } from '../../access/pin.ts'
import { fixture } from '../../testing/fixture.ts'
import { addAccount, createTestShop, onceKey, type TestShop } from '../../testing/shop.ts'
import { addWallet, TIER, walletBalance } from '../../testing/wallet.ts'
import { checkLedger } from '../../wallet/ledger-check.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
  await addWallet(it.db, { uid: 'agent', balanceSatang: 10_000_000, pin: '1234', now: it.clock.now })
})
afterAll(() => it.db.close())

const PRICE = fixture.pubg.walletSatang - TIER.discountSatang
const request = (change: Record<string, unknown> = {}) => ({
  gameId: fixture.pubg.id,
  packageId: fixture.pubg.package,
  playerId: '5123456789',
  termsVersion: '1',
  pin: '1234',
  ...change,
})

const buy = (uid: string, change: Record<string, unknown> = {}, idempotencyKey = onceKey()) =>
  it.as(uid).call(confirmOrder, { body: request(change), idempotencyKey })
const codeOf = (uid: string, change: Record<string, unknown> = {}, idempotencyKey = onceKey()) =>
  it.as(uid).codeOf(confirmOrder, { body: request(change), idempotencyKey })

describe('buying from the wallet', () => {
  test('200: the price in force less the tier discount is debited, and the order is paid at once', async () => {
    const before = await walletBalance(it.db, 'agent')
    const order = await buy('agent', { quantity: 3 })
    expect(order).toMatchObject({
      status: 'paid',
      payment: 'wallet',
      quantity: 3,
      priceSatang: 3 * PRICE,
      tailSatang: 0,
    })
    expect(await walletBalance(it.db, 'agent')).toBe(before - 3 * PRICE)
    const seen = await it.as('agent').call(getOrder, { params: { orderNo: order.orderNo } })
    // How many stand before it is counted for its page, not for the purchase.
    expect(seen).toEqual({ ...order, ahead: 0, nowDate: seen.nowDate })
    expect(await checkLedger(it.db)).toMatchObject({ breaches: [] })
  })

  test('another price than the one that the owner saw takes nothing, and no try at the PIN is counted for it', async () => {
    const before = await walletBalance(it.db, 'agent')
    expect(await codeOf('agent', { seenPriceSatang: PRICE - 1, pin: '9999' })).toBe('PRICE_CHANGED')
    expect((await findPin(it.db, 'agent'))!.wrongTries).toBe(0)
    expect(await walletBalance(it.db, 'agent')).toBe(before)
    expect((await buy('agent', { seenPriceSatang: PRICE, quantity: 2 })).priceSatang).toBe(2 * PRICE)
  })

  test('price, balance and discount in the request change nothing', async () => {
    const forged = { priceSatang: 1, amountSatang: 1, discountSatang: 14_400, walletId: uuidv7(), uid: 'admin' }
    expect((await buy('agent', forged)).priceSatang).toBe(PRICE)
  })

  test.each([
    [
      'bank-only package',
      { gameId: fixture.mlbb.id, packageId: fixture.mlbb.package, field2: '1' },
      'PACKAGE_NOT_ON_SALE',
    ],
    ["another game's package", { packageId: fixture.mlbb.package }, 'PACKAGE_NOT_FOUND'],
    ['unknown game', { gameId: 999 }, 'GAME_NOT_FOUND'],
    ['inactive package', { packageId: fixture.package.inactive }, 'PACKAGE_NOT_FOUND'],
    ['more items than the tier allows', { quantity: TIER.maxItemPerOrder + 1 }, 'QUANTITY_OVER_TIER_LIMIT'],
    [
      'more money than the tier allows',
      { quantity: 8, packageId: fixture.package.walletOnly },
      'ORDER_OVER_TIER_LIMIT',
    ],
    ['no item', { quantity: 0 }, 'INVALID_INPUT'],
    ['a negative number of items', { quantity: -5 }, 'INVALID_INPUT'],
    ['a PIN of letters', { pin: 'abcd' }, 'INVALID_INPUT'],
    ['a PIN of five digits', { pin: '12345' }, 'INVALID_INPUT'],
  ])('refused: %s', async (_, change, code) => {
    const before = await walletBalance(it.db, 'agent')
    expect(await codeOf('agent', change)).toBe(code)
    expect(await walletBalance(it.db, 'agent')).toBe(before)
  })

  test('refused: no wallet, no PIN, a customer, nobody', async () => {
    expect(await codeOf('staff')).toBe('WALLET_NOT_FOUND')
    await addAccount(it, 'no-pin', 'agent')
    await addWallet(it.db, { uid: 'no-pin', balanceSatang: 100_000, pin: null, now: it.clock.now })
    expect(await codeOf('no-pin')).toBe('PIN_NOT_SET')
    expect(await codeOf('customer')).toBe('FORBIDDEN')
    expect(await it.as(null).codeOf(confirmOrder, { body: request(), idempotencyKey: onceKey() })).toBe(
      'UNAUTHENTICATED',
    )
    expect(await codeOf('agent', {}, '')).toBe('IDEMPOTENCY_KEY_REQUIRED')
  })

  test('an agent who has not changed the first PIN can not buy', async () => {
    await addAccount(it, 'new-agent', 'agent', { mustChangePin: true })
    await addWallet(it.db, { uid: 'new-agent', balanceSatang: 100_000, pin: '1234', now: it.clock.now })
    expect(await codeOf('new-agent')).toBe('PIN_CHANGE_REQUIRED')
  })

  test('a wallet with one satang too little buys nothing; with exactly enough it is emptied', async () => {
    await addAccount(it, 'exact', 'agent')
    await addWallet(it.db, { uid: 'exact', balanceSatang: PRICE * 2 - 1, pin: '1234', now: it.clock.now })
    expect(await codeOf('exact', { quantity: 2 })).toBe('WALLET_BALANCE_TOO_LOW')
    expect(await codeOf('exact')).toBe('OK')
    expect(await codeOf('exact')).toBe('WALLET_BALANCE_TOO_LOW')
  })

  test('the verified game takes the name of the provider; an unknown player costs nothing', async () => {
    const set = (value: string) =>
      it.db.query({ text: `UPDATE option SET value = $1 WHERE name = 'CHECK_MIDASBUY'`, values: [value] })
    await set('true')
    const before = await walletBalance(it.db, 'agent')
    expect(await codeOf('agent', { playerId: '5999999999' })).toBe('PLAYER_NOT_FOUND')
    expect(await walletBalance(it.db, 'agent')).toBe(before)
    expect((await buy('agent')).playerName).toBe('Namkhao_TH')
    await set('false')
  })
})

describe('the PIN', () => {
  test('wrong tries are counted though nothing is bought; the fifth locks, a right one starts over', async () => {
    await addAccount(it, 'forgetful', 'agent')
    await addWallet(it.db, { uid: 'forgetful', balanceSatang: 100_000, pin: '1234', now: it.clock.now })
    const wrong = () => codeOf('forgetful', { pin: '0000' })
    expect([await wrong(), await wrong(), await codeOf('forgetful')]).toEqual(['PIN_WRONG', 'PIN_WRONG', 'OK'])
    const codes = [await wrong(), await wrong(), await wrong(), await wrong(), await wrong()]
    expect(codes).toEqual(['PIN_WRONG', 'PIN_WRONG', 'PIN_WRONG', 'PIN_WRONG', 'PIN_LOCKED'])
    expect(await codeOf('forgetful')).toBe('PIN_LOCKED')
    expect(await walletBalance(it.db, 'forgetful')).toBe(100_000 - PRICE)
    it.clock.advance(15 * 60 + 1)
    expect(await codeOf('forgetful')).toBe('OK')
  })

  test('ten wrong tries in a day lock until the next, whatever was bought between them', async () => {
    await addAccount(it, 'watched', 'agent')
    await addWallet(it.db, { uid: 'watched', balanceSatang: 100_000, pin: '1234', now: it.clock.now })
    const wrong = () => codeOf('watched', { pin: '0000' })
    for (let round = 0; round < 3; round++) {
      for (let tries = 0; tries < 3; tries++) expect(await wrong()).toBe('PIN_WRONG')
      expect(await codeOf('watched')).toBe('OK')
    }
    expect([await wrong(), await codeOf('watched')]).toEqual(['PIN_LOCKED', 'PIN_LOCKED'])
    const midnight = new Date('2026-11-20T17:00:00Z')
    it.clock.advance((midnight.getTime() - it.clock.now.getTime()) / 1000 - 1)
    expect(await codeOf('watched')).toBe('PIN_LOCKED')
    it.clock.advance(1)
    expect(await codeOf('watched')).toBe('OK')
  })

  test('what was kept by argon2id is kept anew by the purchase itself, once', async () => {
    await addAccount(it, 'early', 'agent')
    await addWallet(it.db, { uid: 'early', balanceSatang: 1_000_000, pin: null, now: it.clock.now })
    await setPin(it.db, 'early', await hash('1234', { memoryCost: 1024, timeCost: 1 }))
    expect(await codeOf('early', { pin: '0000' })).toBe('PIN_WRONG')
    expect((await findPin(it.db, 'early'))?.hash).toMatch(/^\$argon2id/)
    const codes = await Promise.all(Array.from({ length: 8 }, () => codeOf('early')))
    expect(new Set(codes)).toEqual(new Set(['OK']))
    const kept = await findPin(it.db, 'early')
    expect(kept).toMatchObject({ hash: it.shop.pins.hash('early', '1234'), wrongTries: 0 })
    expect(await codeOf('early')).toBe('OK')
    expect(await findPin(it.db, 'early')).toEqual(kept)
  })

  test('so it is when nobody typed a wrong one before', async () => {
    await addAccount(it, 'flawless', 'agent')
    await addWallet(it.db, { uid: 'flawless', balanceSatang: 100_000, pin: null, now: it.clock.now })
    await setPin(it.db, 'flawless', await hash('1234', { memoryCost: 1024, timeCost: 1 }))
    expect(await codeOf('flawless')).toBe('OK')
    expect((await findPin(it.db, 'flawless'))?.hash).toBe(it.shop.pins.hash('flawless', '1234'))
  })

  test('a PIN whose key was removed buys nothing and is not counted', async () => {
    await addAccount(it, 'keyless', 'agent')
    await addWallet(it.db, { uid: 'keyless', balanceSatang: 100_000, pin: '1234', now: it.clock.now })
    await it.db.query({ text: `UPDATE pin SET hash = 'v0' || substr(hash, 3) WHERE uid = 'keyless'` })
    const log = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    expect(await codeOf('keyless')).toBe('PIN_UNREADABLE')
    expect(log.mock.calls.join()).toContain('PIN_KEYS has the key v0')
    log.mockRestore()
    expect(await walletBalance(it.db, 'keyless')).toBe(100_000)
    expect(await findPin(it.db, 'keyless')).toMatchObject({ wrongTries: 0, dayTries: 0 })
  })

  test('parallel guesses get five tries together, not five each', async () => {
    await addAccount(it, 'guessed', 'agent')
    await addWallet(it.db, { uid: 'guessed', balanceSatang: 100_000, pin: '1234', now: it.clock.now })
    const codes = await Promise.all(Array.from({ length: 12 }, (_, n) => codeOf('guessed', { pin: `000${n % 10}` })))
    expect(codes.filter(code => code === 'PIN_WRONG')).toHaveLength(4)
    expect(codes.filter(code => code === 'PIN_LOCKED')).toHaveLength(8)
  })

  test('a stored request hash says nothing about the PIN, and a retry with the right PIN may keep its key', async () => {
    const key = onceKey()
    expect(await codeOf('agent', { pin: '9999' }, key)).toBe('PIN_WRONG')
    const order = await buy('agent', {}, key)
    expect((await buy('agent', { pin: '9999' }, key)).orderNo).toBe(order.orderNo)
  })
})

describe('once', () => {
  test('a double click on pay is one order and one debit; another request with the key is 409', async () => {
    const before = await walletBalance(it.db, 'agent')
    const key = onceKey()
    const orders = await Promise.all([1, 2, 3, 4].map(() => buy('agent', {}, key)))
    expect(new Set(orders.map(order => order.orderNo)).size).toBe(1)
    expect(await walletBalance(it.db, 'agent')).toBe(before - PRICE)
    expect(await codeOf('agent', { quantity: 2 }, key)).toBe('IDEMPOTENCY_KEY_REUSED')
  })

  test('a double click with money for one purchase answers both with that order', async () => {
    await addAccount(it, 'last-baht', 'agent')
    await addWallet(it.db, { uid: 'last-baht', balanceSatang: PRICE, pin: '1234', now: it.clock.now })
    const key = onceKey()
    const orders = await Promise.all([1, 2, 3].map(() => buy('last-baht', {}, key)))
    expect(new Set(orders.map(order => order.orderNo)).size).toBe(1)
  })

  test('200 parallel buys on a wallet that can pay for 50: exactly 50 succeed', async () => {
    await addAccount(it, 'crowd', 'agent')
    await addWallet(it.db, { uid: 'crowd', balanceSatang: PRICE * 50 + PRICE - 1, pin: '1234', now: it.clock.now })
    const codes = await Promise.all(Array.from({ length: 200 }, () => codeOf('crowd')))
    expect(codes.filter(code => code === 'OK')).toHaveLength(50)
    expect(codes.filter(code => code === 'WALLET_BALANCE_TOO_LOW')).toHaveLength(150)
    expect(await walletBalance(it.db, 'crowd')).toBe(PRICE - 1)
    expect(await checkLedger(it.db)).toMatchObject({ breaches: [] })
  })
})

test('a refund gives the money back to the wallet, once', async () => {
  const order = await buy('agent')
  const before = await walletBalance(it.db, 'agent')
  const refund = () =>
    it.as('manager').codeOf(updateOrderStatus, {
      body: { orderNo: order.orderNo, status: 'refunded', reason: 'เติมไม่ได้' },
    })
  expect((await Promise.all([refund(), refund(), refund()])).sort()).toEqual([
    'OK',
    'ORDER_STATUS_NOT_ALLOWED',
    'ORDER_STATUS_NOT_ALLOWED',
  ])
  expect(await walletBalance(it.db, 'agent')).toBe(before + PRICE)
  expect(await checkLedger(it.db)).toMatchObject({ breaches: [] })
})

test("the books' moment is the database's, whatever clock the server has: a month that is over stays closed", async () => {
  const moment = async () =>
    (await it.db.query<{ at: Date }>({ text: 'SELECT clock_timestamp()::timestamptz(3) AS at' }))[0]!.at
  const kept = it.clock.now
  const before = await moment()
  it.clock.now = new Date('2020-01-31T16:59:59Z')
  await addAccount(it, 'yesterday', 'agent')
  const walletId = await addWallet(it.db, { uid: 'yesterday', balanceSatang: PRICE, pin: '1234', now: it.clock.now })
  await it.db.query({ text: `UPDATE package_price SET start_day = '2019-01-01'` })
  await buy('yesterday')
  it.clock.now = kept
  const posted = await it.db.query<{ at: Date; entryAt: Date }>({
    text: `SELECT t.at, e.at AS "entryAt" FROM ledger_entry e JOIN ledger_transaction t ON t.id = e.transaction_id
      WHERE e.account = $1 AND t.kind = 'order_paid'`,
    values: [`wallet:${walletId}`],
  })
  expect(posted).toHaveLength(1)
  expect(posted[0]!.at.getTime()).toBeGreaterThanOrEqual(before.getTime())
  expect(posted[0]!.at.getTime()).toBeLessThanOrEqual((await moment()).getTime())
  expect(posted[0]!.entryAt).toEqual(posted[0]!.at)
})

test('a discount that eats the price gives an order that moves no money', async () => {
  await it.db.query({
    text: `INSERT INTO package_price (package_id, payment, price_satang, start_day, is_active)
      VALUES ($1, 'wallet', 1000, '2026-01-01', true)`,
    values: [fixture.mlbb.package],
  })
  await it.db.query({
    text: 'INSERT INTO discount (package_id, tier_id, discount_satang) VALUES ($1, $2, 1500)',
    values: [fixture.mlbb.package, TIER.id],
  })
  const order = await buy('agent', { gameId: fixture.mlbb.id, packageId: fixture.mlbb.package, field2: '1' })
  expect(order).toMatchObject({ status: 'paid', priceSatang: 0 })
  expect(await checkLedger(it.db)).toMatchObject({ breaches: [] })
})
