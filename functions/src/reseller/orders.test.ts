import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { endKey, listKeys, makeKey } from '@shop/shared/reseller/key-endpoints.ts'
import * as v1 from '@shop/shared/reseller/v1-endpoints.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fixture } from '../testing/fixture.ts'
import { addKey, machineOf } from '../testing/machine.ts'
import { addAccount, createTestShop, type TestShop } from '../testing/shop.ts'
import { addWallet, TIER, walletBalance } from '../testing/wallet.ts'
import { checkLedger } from '../wallet/ledger-check.ts'

const PRICE = fixture.pubg.walletSatang - TIER.discountSatang
const OPENING = 1_000_000

let it: TestShop
let agents = 0
beforeAll(async () => {
  it = await createTestShop({ PROXIES_IN_FRONT: '1' })
})
afterAll(() => it.db.close())

/** An agent with money and a machine of theirs. */
async function machine(of: Parameters<typeof addKey>[2] = {}, balanceSatang = OPENING) {
  const uid = `agent-${++agents}`
  await addAccount(it, uid, 'agent')
  await addWallet(it.db, { uid, balanceSatang, pin: '1234', now: it.clock.now })
  const key = await addKey(it, uid, of)
  return { uid, key, send: machineOf(it.request, key.token) }
}

let refs = 0
const body = (change: Record<string, unknown> = {}) =>
  ({ ref: `r-${++refs}`, packageId: fixture.pubg.package, playerId: '5123456789', quantity: 1, ...change }) as never

describe('an order by machine', () => {
  test('is paid from the wallet at the own price, and is told by id, by reference and in the list', async () => {
    const { uid, send } = await machine()
    const placed = await send(v1.createApiOrder, { body: body({ ref: 'INV-1', quantity: 2, maxPrice: 2 * PRICE }) })
    expect(placed.status).toBe(200)
    expect(placed.body).toMatchObject({
      ref: 'INV-1',
      mode: 'live',
      status: 'waiting',
      game: 'pubg',
      quantity: 2,
      delivered: 0,
      price: 2 * PRICE,
      refunded: 0,
      playerId: '5123456789',
      reason: null,
    })
    expect(await walletBalance(it.db, uid)).toBe(OPENING - 2 * PRICE)
    const { id } = placed.body
    expect((await send(v1.getApiOrder, { params: { id } })).body).toEqual(placed.body)
    expect((await send(v1.getApiOrderByRef, { params: { ref: 'INV-1' } })).body).toEqual(placed.body)
    expect((await send(v1.listApiOrders)).body).toEqual({ orders: [placed.body], nextCursor: null })
    const wallet = await send(v1.getApiWallet)
    expect(wallet.body).toMatchObject({
      balance: OPENING - 2 * PRICE,
      currency: 'THB',
      maxQuantity: TIER.maxItemPerOrder,
    })
    expect(wallet.body.key).toMatchObject({ mode: 'live', dailyLimit: null, spentToday: 2 * PRICE })
  })

  test('the same reference and body is the same order; another body is refused, also after the order has ended', async () => {
    const { uid, send } = await machine()
    const first = await send(v1.createApiOrder, { body: body({ ref: 'same' }) })
    const again = await send(v1.createApiOrder, { body: body({ ref: 'same' }) })
    expect(again.body).toEqual(first.body)
    const other = await send(v1.createApiOrder, { body: body({ ref: 'same', quantity: 2 }) })
    expect([other.status, other.body.code]).toEqual([409, 'REF_REUSED'])
    const orderNo = first.body.id
    const move = (status: 'processing' | 'success') =>
      it
        .as('staff')
        .call(updateOrderStatus, { body: { orderNo, status, ...(status === 'success' && { deliveryReference: 'x' }) } })
    await move('processing')
    await move('success')
    const later = await send(v1.createApiOrder, { body: body({ ref: 'same' }) })
    expect(later.body).toMatchObject({ id: orderNo, status: 'completed', delivered: 1 })
    // A week later no reply is kept any more, but the reference still names its order.
    await it.db.query({ text: 'DELETE FROM idempotency_key' })
    expect((await send(v1.createApiOrder, { body: body({ ref: 'same' }) })).body.id).toBe(orderNo)
    expect(await walletBalance(it.db, uid)).toBe(OPENING - PRICE)
    const elsewhere = await machine()
    const theirs = await elsewhere.send(v1.createApiOrder, { body: body({ ref: 'same' }) })
    expect(theirs.body.id).not.toBe(orderNo)
  })

  test.each([
    ['dearer than the caller allows', { maxPrice: PRICE - 1 }, 409, 'PRICE_ABOVE_MAX', { price: PRICE }],
    ['an unknown package', { packageId: 999 }, 404, 'PACKAGE_NOT_FOUND', undefined],
    ['a package that is not on sale', { packageId: fixture.package.ended }, 422, 'PACKAGE_NOT_ON_SALE', undefined],
    ['a player whom nobody checks', { playerId: '1' }, 200, undefined, undefined],
    ['no player', { playerId: undefined }, 422, 'PLAYER_FIELD_REQUIRED', undefined],
    ['more pieces than the tier allows', { quantity: 11 }, 422, 'QUANTITY_OVER_TIER_LIMIT', undefined],
    ['more money than the tier allows', { quantity: 8 }, 422, 'ORDER_OVER_TIER_LIMIT', undefined],
    ['an unknown field', { price: 1 }, 400, 'INVALID_INPUT', undefined],
    ['no reference', { ref: undefined }, 400, 'INVALID_INPUT', undefined],
    ['a reference of 65 letters', { ref: 'x'.repeat(65) }, 400, 'INVALID_INPUT', undefined],
    ['a part of a piece', { quantity: 1.5 }, 400, 'INVALID_INPUT', undefined],
  ])('%s', async (_, change, status, code, details) => {
    const { uid, send } = await machine()
    const answer = await send(v1.createApiOrder, { body: body(change) })
    expect([answer.status, answer.body.code]).toEqual([status, code])
    if (code) expect(answer.body.requestId).toMatch(/\S/)
    if (details) expect(answer.body.details).toEqual(details)
    if (code) expect(await walletBalance(it.db, uid)).toBe(OPENING)
  })

  test('a reference may have any printable sign, and names its order in the path', async () => {
    const { send } = await machine()
    const ref = 'A/1?x=2#3%25&..;"<e>'
    const placed = await send(v1.createApiOrder, { body: body({ ref }) })
    expect((await send(v1.getApiOrderByRef, { params: { ref } })).body).toEqual(placed.body)
    expect((await send(v1.getApiOrderByRef, { params: { ref: 'A' } })).status).toBe(404)
  })

  test('without enough money it is refused with 402', async () => {
    const { send } = await machine({}, PRICE - 1)
    const answer = await send(v1.createApiOrder, { body: body() })
    expect([answer.status, answer.body.code]).toEqual([402, 'WALLET_BALANCE_TOO_LOW'])
  })

  test('a day’s limit holds to the satang and begins anew with the Bangkok day', async () => {
    const { send } = await machine({ dailyLimitSatang: 2 * PRICE + 1 })
    expect((await send(v1.createApiOrder, { body: body({ quantity: 2 }) })).status).toBe(200)
    const over = await send(v1.createApiOrder, { body: body() })
    expect([over.status, over.body.code, over.body.details]).toEqual([403, 'KEY_LIMIT_REACHED', { left: 1 }])
    it.clock.advance(86_400)
    expect((await send(v1.createApiOrder, { body: body() })).status).toBe(200)
  })
})

describe('canceling', () => {
  test('gives all money back while nobody has begun, once', async () => {
    const { uid, send } = await machine()
    const { body: placed } = await send(v1.createApiOrder, { body: body() })
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => send(v1.cancelApiOrder, { params: { id: placed.id } })),
    )
    for (const answer of answers)
      expect(answer.body).toMatchObject({ status: 'canceled', refunded: PRICE, reason: { code: 'canceled' } })
    expect(await walletBalance(it.db, uid)).toBe(OPENING)
    expect((await checkLedger(it.db)).breaches).toEqual([])
    expect((await send(v1.listApiOrders, { query: { status: 'canceled' } })).body.orders).toHaveLength(1)
    expect((await send(v1.listApiOrders, { query: { status: 'failed' } })).body.orders).toHaveLength(0)
  })

  test('is too late once somebody has begun, even if they let it go again', async () => {
    const { uid, send } = await machine()
    const { body: placed } = await send(v1.createApiOrder, { body: body() })
    const move = (status: 'processing' | 'paid') =>
      it.as('staff').call(updateOrderStatus, { body: { orderNo: placed.id, status } })
    await move('processing')
    const cancel = () => send(v1.cancelApiOrder, { params: { id: placed.id } })
    expect((await cancel()).body.code).toBe('ORDER_BEGUN')
    await move('paid')
    expect((await cancel()).status).toBe(409)
    expect(await walletBalance(it.db, uid)).toBe(OPENING - PRICE)
  })

  test('somebody else’s order is not found', async () => {
    const [one, two] = [await machine(), await machine()]
    const { body: placed } = await one.send(v1.createApiOrder, { body: body({ ref: 'mine' }) })
    for (const answer of [
      await two.send(v1.cancelApiOrder, { params: { id: placed.id } }),
      await two.send(v1.getApiOrder, { params: { id: placed.id } }),
      await two.send(v1.getApiOrderByRef, { params: { ref: 'mine' } }),
      await two.send(v1.getApiCodes, { params: { id: placed.id } }),
    ])
      expect([answer.status, answer.body.code]).toEqual([404, 'ORDER_NOT_FOUND'])
  })
})

test('a failed order is on hold, then failed with its money back; the wallet’s entries add up', async () => {
  const { send } = await machine()
  const { body: placed } = await send(v1.createApiOrder, { body: body({ ref: 'f' }) })
  const move = (by: string, status: 'processing' | 'failed' | 'refunded') =>
    it.as(by).call(updateOrderStatus, { body: { orderNo: placed.id, status, reason: 'ผู้เล่นไม่รับ' } })
  await it.as('staff').call(updateOrderStatus, { body: { orderNo: placed.id, status: 'processing' } })
  expect((await send(v1.getApiOrder, { params: { id: placed.id } })).body.status).toBe('processing')
  await move('staff', 'failed')
  expect((await send(v1.getApiOrder, { params: { id: placed.id } })).body).toMatchObject({
    status: 'on_hold',
    refunded: 0,
    reason: { code: 'delivery_failed', message: 'ผู้เล่นไม่รับ' },
  })
  await move('manager', 'refunded')
  expect((await send(v1.getApiOrder, { params: { id: placed.id } })).body).toMatchObject({
    status: 'failed',
    refunded: PRICE,
    reason: { code: 'given_back' },
  })
  for (let n = 0; n < 3; n++) await send(v1.createApiOrder, { body: body() })
  const seen: { amount: number; balance: number; kind: string; ref: string | null }[] = []
  let cursor: string | null = null
  do {
    const page: { body: { entries: typeof seen; nextCursor: string | null } } = await send(v1.listApiEntries, {
      query: { limit: 2, ...(cursor && { cursor }) },
    })
    seen.push(...page.body.entries)
    cursor = page.body.nextCursor
  } while (cursor)
  expect(seen.map(({ kind }) => kind)).toEqual(['order', 'order', 'order', 'refund', 'order', 'correction'])
  expect(seen[0]!.balance).toBe(OPENING - 3 * PRICE)
  for (const [nth, entry] of seen.entries()) expect(entry.balance - entry.amount).toBe(seen[nth + 1]?.balance ?? 0)
  expect(seen[4]!.ref).toBe('f')
})

test('the list goes on by cursor and is filtered; a made-up cursor is refused', async () => {
  const { send } = await machine()
  for (let n = 0; n < 5; n++) await send(v1.createApiOrder, { body: body({ ref: `l${n}` }) })
  const first = await send(v1.listApiOrders, { query: { limit: 3 } })
  expect(first.body.orders.map(({ ref }) => ref)).toEqual(['l4', 'l3', 'l2'])
  const second = await send(v1.listApiOrders, { query: { limit: 3, cursor: first.body.nextCursor! } })
  expect(second.body.orders.map(({ ref }) => ref)).toEqual(['l1', 'l0'])
  expect(second.body.nextCursor).toBeNull()
  const wrong = await send(v1.listApiOrders, { query: { cursor: 'x' } })
  expect([wrong.status, wrong.body.code]).toEqual([400, 'INVALID_INPUT'])
})

test('games, packages with the own price, and players', async () => {
  const { send } = await machine()
  const { games } = (await send(v1.listApiGames)).body
  expect(games.map(({ code }) => code)).toEqual(['pubg'])
  expect(games[0]!.fields).toEqual([{ name: 'playerId', label: 'Player ID', format: null }])
  const { packages } = (await send(v1.listApiPackages, { query: { game: 'pubg' } })).body
  expect(packages.find(({ id }) => id === 1)).toMatchObject({
    price: PRICE,
    isAvailable: true,
    stock: null,
  })
  expect((await send(v1.listApiPackages, { query: { game: 'none' } })).body.code).toBe('GAME_NOT_FOUND')
  await it.db.query({ text: `UPDATE option SET value = 'true' WHERE name = 'CHECK_MIDASBUY'` })
  const check = (playerId: string) => send(v1.checkApiPlayer, { body: { game: 'pubg', playerId } })
  expect((await check('5123456789')).body).toEqual({ isChecked: true, playerName: 'Namkhao_TH' })
  expect((await check('5')).body.code).toBe('PLAYER_NOT_FOUND')
  expect((await check('5000000000')).body.code).toBe('PLAYER_LOOKUP_TIMED_OUT')
  expect((await send(v1.createApiOrder, { body: body({ playerId: '5' }) })).body.code).toBe('PLAYER_NOT_FOUND')
  await it.db.query({ text: `UPDATE option SET value = 'false' WHERE name = 'CHECK_MIDASBUY'` })
})

describe('keys', () => {
  const ask = {
    name: 'Bot',
    mode: 'live',
    scopes: ['read', 'order'],
    addresses: [],
    dailyLimitSatang: null,
    pin: '1234',
  } as const

  test('are made with the PIN, shown once, kept as a hash, two side by side, and ended', async () => {
    const { uid } = await machine()
    const owner = it.as(uid)
    expect(await owner.codeOf(makeKey, { body: { ...ask, pin: '9999', scopes: [...ask.scopes], addresses: [] } })).toBe(
      'PIN_WRONG',
    )
    const { key, token } = await owner.call(makeKey, {
      body: { ...ask, scopes: ['read', 'order'], addresses: ['203.0.113.9', '198.51.100.77/24', '2001:db8::1'] },
    })
    expect(key.addresses).toEqual(['203.0.113.9', '198.51.100.0/24', '2001:db8::/64'])
    expect(token.startsWith(`${key.id}.`)).toBe(true)
    const rows = await it.db.query<{ row: string }>({
      text: 'SELECT row_to_json(k)::text AS row FROM reseller_key k WHERE id = $1',
      values: [key.id],
    })
    expect(rows[0]!.row).not.toContain(token.split('.')[1])
    expect(await owner.codeOf(makeKey, { body: { ...ask, scopes: ['read'], addresses: [] } })).toBe('KEY_TOO_MANY')
    const send = machineOf(it.request, token)
    expect((await send(v1.getApiWallet)).status).toBe(200)
    await owner.call(endKey, { params: { id: key.id } })
    const refused = await send(v1.createApiOrder, { body: body() })
    expect([refused.status, refused.body.code]).toEqual([401, 'KEY_ENDED'])
    const listed = (await owner.call(listKeys, {})).keys.find(({ id }) => id === key.id)!
    expect(listed).toMatchObject({ endedFor: 'owner', today: { calls: 2, errors: 1 }, lastUsedFrom: '203.0.113.9' })
    const news = await it.db.query<{ kind: string }>({
      text: 'SELECT kind FROM owner_news WHERE uid = $1 ORDER BY at, kind',
      values: [uid],
    })
    expect(news.map(({ kind }) => kind)).toEqual(['apiKeyMade', 'apiKeyRefused'])
    expect(await owner.codeOf(endKey, { params: { id: key.id } })).toBe('NOT_FOUND')
    expect(await it.as((await machine()).uid).codeOf(endKey, { params: { id: key.id } })).toBe('NOT_FOUND')
  })

  test('of many requests for the last key one gets it; none is made once the account is closed', async () => {
    const { uid } = await machine()
    const body = { ...ask, scopes: ['read' as const], addresses: [] }
    const codes = await Promise.all(Array.from({ length: 5 }, () => it.as(uid).codeOf(makeKey, { body })))
    expect(codes.sort()).toEqual(['KEY_TOO_MANY', 'KEY_TOO_MANY', 'KEY_TOO_MANY', 'KEY_TOO_MANY', 'OK'])
    const closing = await machine()
    const lock = await it.db.transaction(async tx => {
      await tx.query({ text: 'SELECT 1 FROM account WHERE uid = $1 FOR UPDATE', values: [closing.uid] })
      const made = it.as(closing.uid).codeOf(makeKey, { body })
      await new Promise(resolve => setTimeout(resolve, 200))
      await tx.query({ text: `UPDATE account SET status = 'inactive' WHERE uid = $1`, values: [closing.uid] })
      return { made }
    })
    expect(await lock.made).toBe('ACCOUNT_INACTIVE')
  })

  test('an address that programs may read in two ways is refused by its name', async () => {
    const { uid } = await machine()
    const body = { ...ask, scopes: ['read' as const], addresses: ['203.0.113.7', '0x7f.0.0.1'] }
    await expect(it.as(uid).call(makeKey, { body })).rejects.toMatchObject({
      code: 'KEY_ADDRESS_INVALID',
      message: expect.stringContaining('0x7f.0.0.1'),
    })
  })

  test('no key, a wrong secret, another address, a scope that it lacks, a closed account', async () => {
    const { uid, key } = await machine({ scopes: ['read'], addresses: ['203.0.113.0/24'] })
    const codeOf = async (send: ReturnType<typeof machineOf>) => {
      const { status, body: told } = await send(v1.getApiWallet)
      return [status, told.code]
    }
    expect(await codeOf(machineOf(it.request, null))).toEqual([401, 'KEY_UNKNOWN'])
    expect(
      await codeOf(machineOf(it.request, `${key.token.slice(0, -1)}${key.token.endsWith('A') ? 'B' : 'A'}`)),
    ).toEqual([401, 'KEY_UNKNOWN'])
    expect(await codeOf(machineOf(it.request, 'no-key'))).toEqual([401, 'KEY_UNKNOWN'])
    expect(await codeOf(machineOf(it.request, key.token, '203.0.114.1'))).toEqual([403, 'KEY_ADDRESS_REFUSED'])
    expect(await codeOf(machineOf(it.request, key.token, '2001:db8::1'))).toEqual([403, 'KEY_ADDRESS_REFUSED'])
    const send = machineOf(it.request, key.token)
    expect(await codeOf(send)).toEqual([200, undefined])
    const order = await send(v1.createApiOrder, { body: body() })
    expect([order.status, order.body.code, order.body.details]).toEqual([403, 'KEY_SCOPE_MISSING', { scope: 'order' }])
    expect((await send(v1.getApiCodes, { params: { id: 'KT' } })).body.details).toEqual({ scope: 'codes' })
    await it.db.query({ text: `UPDATE account SET must_change_pin = true WHERE uid = $1`, values: [uid] })
    expect(await codeOf(send)).toEqual([403, 'PIN_CHANGE_REQUIRED'])
    await it.db.query({
      text: `UPDATE account SET must_change_pin = false, role = 'customer' WHERE uid = $1`,
      values: [uid],
    })
    expect(await codeOf(send)).toEqual([403, 'FORBIDDEN'])
    await it.db.query({ text: `UPDATE account SET role = 'agent', status = 'inactive' WHERE uid = $1`, values: [uid] })
    expect(await codeOf(send)).toEqual([403, 'ACCOUNT_INACTIVE'])
  })

  test('the owner is told once a day of each refusal that may mean that somebody else has the key', async () => {
    const { uid, key, send } = await machine({ scopes: ['order'], addresses: ['203.0.113.9'], dailyLimitSatang: 100 })
    const elsewhere = machineOf(it.request, key.token, '198.51.100.7')
    const refuse = async () => {
      const codes = []
      for (const answer of [
        await elsewhere(v1.getApiWallet),
        await send(v1.getApiWallet),
        await send(v1.createApiOrder, { body: body() }),
      ])
        codes.push(answer.body.code)
      return codes
    }
    expect(await refuse()).toEqual(['KEY_ADDRESS_REFUSED', 'KEY_SCOPE_MISSING', 'KEY_LIMIT_REACHED'])
    await refuse()
    const told = () =>
      it.db.query<{ facts: Record<string, string> }>({
        text: `SELECT facts FROM owner_news WHERE uid = $1 AND kind = 'apiKeyRefused' ORDER BY at, id`,
        values: [uid],
      })
    expect((await told()).map(({ facts }) => facts.address)).toEqual(['198.51.100.7', '203.0.113.9', '203.0.113.9'])
    expect(new Set((await told()).map(({ facts }) => facts.why)).size).toBe(3)
    it.clock.advance(86_400)
    await refuse()
    expect(await told()).toHaveLength(6)
  })

  test('a key opens nothing but the API, and a session opens nothing of it', async () => {
    const { uid, key } = await machine()
    const response = await it.request('/romons.payment/api/wallet/me', {
      headers: { authorization: `Bearer ${key.token}` },
    })
    expect(response.status).toBe(401)
    const { headers } = it.as(uid)
    const api = await it.request('/reseller/v1/wallet', { headers })
    expect([api.status, ((await api.json()) as { code: string }).code]).toEqual([401, 'KEY_UNKNOWN'])
  })

  test('calls of a key are limited, with the time to wait', async () => {
    const limited = await createTestShop({ RATE_LIMIT_API_READS_PER_KEY: '2', RATE_LIMIT_API_ORDERS_PER_KEY: '1' })
    await addWallet(limited.db, { uid: 'agent', balanceSatang: OPENING, pin: '1234', now: limited.clock.now })
    const send = machineOf(limited.request, (await addKey(limited, 'agent')).token)
    for (const status of [200, 200, 429]) {
      const answer = await send(v1.getApiWallet)
      expect(answer.status).toBe(status)
      if (status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect((await send(v1.createApiOrder, { body: body() })).status).toBe(200)
    const second = await send(v1.createApiOrder, { body: body() })
    expect([second.status, Number(second.headers.get('retry-after')) > 0]).toEqual([429, true])
    await limited.db.close()
  })
})
