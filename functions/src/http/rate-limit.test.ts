import { changePin } from '@shop/shared/account/pin-endpoints.ts'
import { findPlayer } from '@shop/shared/catalogue/endpoints.ts'
import { confirmPrice, holdPrice } from '@shop/shared/order/endpoints.ts'
import { uploadSlip } from '@shop/shared/upload/endpoints.ts'
import { saveTopUp } from '@shop/shared/wallet/endpoints.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findCatalogueVersion } from '../catalogue/snapshot.ts'
import { readConfig } from '../config/config.ts'
import { sweep } from '../jobs/housekeeping.ts'
import { fixture } from '../testing/fixture.ts'
import { startServerProcess } from '../testing/server-process.ts'
import { addAccount, createTestShop, onceKey, type TestCaller, type TestShop, tokenFor } from '../testing/shop.ts'
import { addWallet } from '../testing/wallet.ts'
import { type Call, createRateLimits, LIMIT_NAMES, type LimitName, RATE_LIMIT } from './rate-limit.ts'

/** The limits a shop has when nobody sets others; the tests' shops have none otherwise. */
const shipped = readConfig({ DATABASE_URL: 'postgres://unused', FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:1' })
const ADDRESS_LIMIT = 45
const HOUR_LIMIT = 15

let it: TestShop
beforeAll(async () => {
  const { ordersPerCaller, guestOrdersPerAddress, uploadsPerCaller, lookupsPerCaller } = shipped.limits
  it = await createTestShop({
    PROXIES_IN_FRONT: '1',
    [RATE_LIMIT.ordersPerCaller.variable]: String(ordersPerCaller),
    [RATE_LIMIT.guestOrdersPerAddress.variable]: String(guestOrdersPerAddress),
    [RATE_LIMIT.guestOrdersPerAddressAndHour.variable]: String(HOUR_LIMIT),
    [RATE_LIMIT.uploadsPerCaller.variable]: String(uploadsPerCaller),
    [RATE_LIMIT.lookupsPerCaller.variable]: String(lookupsPerCaller),
    [RATE_LIMIT.ordersPerAddress.variable]: String(ADDRESS_LIMIT),
    [RATE_LIMIT.topUpsPerCaller.variable]: '2',
    [RATE_LIMIT.pinTriesPerCaller.variable]: '2',
  })
})
afterAll(() => it.db.close())

let address = 0
/** An address nobody else has. */
const newAddress = () => `203.0.113.${++address}`
/** A visitor with a guest key of their own, or somebody signed in. */
const visitor = (from: string, uid: string | null = null) => it.as(uid, { 'x-forwarded-for': from })

let player = 0
const orderBody = () => ({
  gameId: fixture.pubg.id,
  packageId: fixture.pubg.package,
  playerId: `limit-${++player}`,
  receivingAccountId: fixture.accounts.promptPay,
  termsVersion: '1',
})
const order = (caller: TestCaller) => caller.codeOf(confirmPrice, { body: orderBody(), idempotencyKey: onceKey() })

async function repeat(times: number, attempt: () => Promise<string>): Promise<string[]> {
  const codes: string[] = []
  for (let done = 0; done < times; done++) codes.push(await attempt())
  return codes
}

test("a guest address's 11th order attempt in a minute is refused, whatever keys it makes up; others may go on", async () => {
  const busy = newAddress()
  expect(await repeat(10, () => order(visitor(busy)))).not.toContain('GUEST_LIMIT_REACHED')
  expect(await order(visitor(busy))).toBe('GUEST_LIMIT_REACHED')
  expect(await order(visitor(newAddress()))).toBe('OK')
})

test('holding an amount is a try to buy', async () => {
  const { pubg, accounts } = fixture
  const params = { gameCode: pubg.code, packageId: pubg.package, playerId: '1', paymentCode: 'bank' as const }
  const caller = it.as('customer')
  const body = { receivingAccountId: accounts.second }
  const hold = () => caller.codeOf(holdPrice, { params, body, idempotencyKey: onceKey() })
  expect(new Set(await repeat(20, hold))).toEqual(new Set(['OK']))
  expect([await hold(), await order(caller)]).toEqual(['RATE_LIMITED', 'RATE_LIMITED'])
})

test('what guests of an address have in an hour goes on from minute to minute', async () => {
  const busy = newAddress()
  const minuteOver = () =>
    it.db.query({
      text: `UPDATE rate_limit SET expire = 1 WHERE key = $1`,
      values: [`guestOrdersPerAddress:${busy}`],
    })
  await repeat(10, () => order(visitor(busy)))
  await minuteOver()
  const codes = await repeat(HOUR_LIMIT - 9, () => order(visitor(busy)))
  expect([codes.slice(0, -1).includes('GUEST_LIMIT_REACHED'), codes.at(-1)]).toEqual([false, 'GUEST_LIMIT_REACHED'])
})

test('a shop raises what guests of an address have, at once also for those who were refused; LINE is never counted', async () => {
  const busy = newAddress()
  const set = async (value: string) => {
    const text = `INSERT INTO option (name, value) VALUES ('GUEST_ORDERS_PER_ADDRESS_AND_HOUR', $1)
      ON CONFLICT (name) DO UPDATE SET value = $1`
    await it.db.query({ text, values: [value] })
    await it.shop.catalogue.atLeast(await findCatalogueVersion(it.db))
  }
  await repeat(10, () => order(visitor(busy)))
  expect(await order(visitor(busy))).toBe('GUEST_LIMIT_REACHED')
  await addAccount(it, 'line:Ubusy', 'customer', { emailVerified: false })
  const token = tokenFor('line:Ubusy', it.clock.now, { email_verified: false })
  expect(await order(it.as('line:Ubusy', { 'x-forwarded-for': busy, authorization: `Bearer ${token}` }))).toBe('OK')
  await set('36')
  try {
    // The database counted the refused try of the minute too, and none of the hour.
    const more = await repeat(2, () => order(visitor(busy)))
    expect([more[0] === 'GUEST_LIMIT_REACHED', more[1]]).toEqual([false, 'GUEST_LIMIT_REACHED'])
  } finally {
    await set('0')
  }
  expect(await order(visitor(busy))).toBe('GUEST_LIMIT_REACHED')
})

test('whoever is signed in has a count of their own, whatever guests do at the address, until it has had enough', async () => {
  const shared = newAddress()
  await repeat(11, () => order(visitor(shared)))
  for (const uid of ['busy', 'other']) await addAccount(it, uid, 'customer')
  expect(await repeat(20, () => order(visitor(shared, 'busy')))).not.toContain('RATE_LIMITED')
  expect(await order(visitor(shared, 'busy'))).toBe('RATE_LIMITED')
  expect(await order(visitor(shared, 'other'))).not.toBe('RATE_LIMITED')
  // The first of them had one more try, but what their own count refuses is not the address's.
  await repeat(ADDRESS_LIMIT - 21, () => order(visitor(shared, 'other')))
  expect(await order(visitor(shared, 'other'))).toBe('RATE_LIMITED')
})

test('a network of IPv6 addresses is one caller', async () => {
  const codes = await repeat(11, () => order(visitor(`2001:db8:7:7::${(++address).toString(16)}`)))
  expect([codes.slice(0, 10).includes('GUEST_LIMIT_REACHED'), codes.at(-1)]).toEqual([false, 'GUEST_LIMIT_REACHED'])
  expect(await order(visitor('2001:db8:7:8::1'))).toBe('OK')
})

const smallPicture = async () => {
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#e8f6ee' } })
    .png()
    .toBuffer()
  return new Blob([new Uint8Array(picture)])
}

test("an address's 21st slip upload in a minute is refused, whatever guest keys it makes up; others may go on", async () => {
  const file = await smallPicture()
  const upload = (caller: TestCaller) => caller.codeOf(uploadSlip, { file, idempotencyKey: onceKey() })
  const busy = newAddress()
  expect(new Set(await repeat(20, () => upload(visitor(busy))))).toEqual(new Set(['OK']))
  expect(await upload(visitor(busy))).toBe('RATE_LIMITED')
  expect(await upload(visitor(newAddress()))).toBe('OK')
})

test('so is its 31st lookup of a player', async () => {
  const busy = newAddress()
  const lookup = () => visitor(busy).codeOf(findPlayer, { params: { id: '5123456789' } })
  expect(new Set(await repeat(30, lookup))).toEqual(new Set(['OK']))
  expect(await lookup()).toBe('RATE_LIMITED')
})

test('repeats of a request that was answered do not count, of an order, a hold, an upload or a top-up', async () => {
  const guest = visitor(newAddress())
  const ask = { gameCode: 'pubg', packageId: 1, playerId: 'repeat', paymentCode: 'bank' as const }
  const hold = { params: ask, body: { receivingAccountId: fixture.accounts.second }, idempotencyKey: onceKey() }
  const sent = { file: await smallPicture(), idempotencyKey: onceKey() }
  const placed = { body: orderBody(), idempotencyKey: onceKey() }
  const codes = await repeat(25, async () =>
    [
      await guest.codeOf(holdPrice, hold),
      await guest.codeOf(confirmPrice, placed),
      await guest.codeOf(uploadSlip, sent),
    ].join(),
  )
  expect(new Set(codes)).toEqual(new Set(['OK,OK,OK']))
  await addWallet(it.db, { uid: 'agent', balanceSatang: 0, pin: '1234', now: it.clock.now })
  const topUp = { body: { amountSatang: 10_000, slipId: null }, idempotencyKey: onceKey() }
  const agent = it.as('agent')
  expect(await repeat(5, () => agent.codeOf(saveTopUp, topUp))).toEqual(Array(5).fill('OK'))
  const more = () => agent.codeOf(saveTopUp, { ...topUp, idempotencyKey: onceKey() })
  expect(await repeat(2, more)).toEqual(['OK', 'RATE_LIMITED'])
})

test('tries at a PIN are counted before it is looked at', async () => {
  const change = () => it.as('agent').codeOf(changePin, { body: { oldPin: '0000', pin: '1111' } })
  expect(await repeat(3, change)).toEqual(['OLD_PIN_WRONG', 'OLD_PIN_WRONG', 'RATE_LIMITED'])
})

test('what fails counts too, and a refusal says when to come back, in words and in Retry-After', async () => {
  const from = newAddress()
  const send = { file: new Blob(['not a picture']), idempotencyKey: onceKey() }
  await repeat(20, () => visitor(from).codeOf(uploadSlip, send))
  const form = new FormData()
  form.append('file', send.file)
  const headers = { ...visitor(from).headers, 'idempotency-key': onceKey() }
  const reply = await it.request(uploadSlip.path, { method: 'POST', headers, body: form })
  expect(reply.status).toBe(429)
  expect(await reply.json()).toMatchObject({ message: 'ทำรายการบ่อยเกินไป กรุณาลองใหม่อีกครั้งใน 1 นาที' })
  const seconds = Number(reply.headers.get('retry-after'))
  expect(seconds).toBeGreaterThanOrEqual(1)
  expect(seconds).toBeLessThanOrEqual(60)
})

describe('of many calls in the same moment, counted by two processes', () => {
  const [MINUTE, HOUR, CALLS] = [12, 8, 60]
  const most = Object.fromEntries(LIMIT_NAMES.map(name => [name, MINUTE])) as Record<LimitName, number>
  const processes = () => [createRateLimits(most, it.shop.db), createRateLimits(most, it.shop.db)]
  const pointsOf = async (limit: LimitName, key: string) => {
    const text = 'SELECT points FROM rate_limit WHERE key = $1'
    return (await it.db.query<{ points: number }>({ text, values: [`${limit}:${key}`] }))[0]?.points
  }
  const codes = async (calls: (n: number) => Call[], limits = processes()) => {
    const tries = Array.from({ length: CALLS }, (_, n) => limits[n % limits.length]!.takeShared(calls(n)))
    return (await Promise.allSettled(tries)).map(({ status }) => (status === 'fulfilled' ? 'OK' : 'refused'))
  }
  const passed = (of: string[]) => of.filter(code => code === 'OK').length

  test('as many pass as may', async () => {
    const key = newAddress()
    expect(passed(await codes(() => [{ limit: 'topUpsPerCaller', key }]))).toBe(MINUTE)
  })

  test('and what the minute refuses takes nothing of the hour', async () => {
    const key = newAddress()
    const both = () => [
      { limit: 'guestOrdersPerAddress' as const, key },
      { limit: 'guestOrdersPerAddressAndHour' as const, key },
    ]
    expect(passed(await codes(both))).toBe(MINUTE)
    expect(await pointsOf('guestOrdersPerAddressAndHour', key)).toBe(MINUTE)
    const lower = { ...most, guestOrdersPerAddressAndHour: HOUR }
    const fresh = newAddress()
    const again = () => both().map(call => ({ ...call, key: fresh }))
    expect(passed(await codes(again, [createRateLimits(lower, it.shop.db)]))).toBe(HOUR)
  })

  test('callers of one address wait for no other in a circle, and share its count', async () => {
    const address = newAddress()
    const calls = (n: number) => [
      { limit: 'ordersPerCaller' as const, key: `u:crowd-${n % 9}` },
      { limit: 'ordersPerAddress' as const, key: address },
    ]
    expect(passed(await codes(calls))).toBe(MINUTE)
    expect(await pointsOf('ordersPerAddress', address)).toBeGreaterThan(MINUTE)
  })

  test('who was refused is refused again without the database being asked', async () => {
    const key = newAddress()
    const limits = createRateLimits(most, it.shop.db)
    await codes(() => [{ limit: 'topUpsPerCaller', key }], [limits])
    const before = await pointsOf('topUpsPerCaller', key)
    await expect(limits.take('topUpsPerCaller', key)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    expect(await pointsOf('topUpsPerCaller', key)).toBe(before)
  })
})

test('counts that ended are cleared away', async () => {
  await it.db.query({ text: `UPDATE rate_limit SET expire = 1` })
  await sweep(it.shop)
  expect(await it.db.query({ text: 'SELECT key FROM rate_limit' })).toEqual([])
})

test('two servers keep one count: a visitor who changes server and guest key gets no more tries', async () => {
  const limit = { [RATE_LIMIT.guestOrdersPerAddress.variable]: '6' }
  const shop = await createTestShop()
  const servers = await Promise.all([
    startServerProcess(shop.databaseUrl, limit),
    startServerProcess(shop.databaseUrl, limit),
  ])
  try {
    const codes: string[] = []
    for (let tries = 0; tries < 10; tries++) {
      const { headers } = shop.as(null)
      const reply = await fetch(servers[tries % 2]!.url + confirmPrice.path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': onceKey() },
        body: JSON.stringify(orderBody()),
      })
      codes.push(((await reply.json()) as { code?: string }).code ?? 'OK')
    }
    expect(codes.slice(0, 6)).not.toContain('GUEST_LIMIT_REACHED')
    expect(codes.slice(6)).toEqual(Array(4).fill('GUEST_LIMIT_REACHED'))
  } finally {
    await Promise.all(servers.map(server => server.kill()))
    await shop.db.close()
  }
})
