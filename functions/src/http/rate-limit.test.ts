import { confirmPrice, holdPrice } from '@shop/shared/order/endpoints.ts'
import { uploadSlip } from '@shop/shared/upload/endpoints.ts'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { fixture } from '../testing/fixture.ts'
import { createTestShop, onceKey, type TestCaller, type TestShop } from '../testing/shop.ts'
import { RATE_LIMIT } from './rate-limit.ts'

/** The limits a shop has when nobody sets others; the tests' shops have none otherwise. */
const shipped = readConfig({ DATABASE_URL: 'postgres://unused', FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:1' })
const ADDRESS_LIMIT = 45

let it: TestShop
beforeEach(async () => {
  it = await createTestShop({
    [RATE_LIMIT.ordersPerCaller.variable]: String(shipped.limits.ordersPerCaller),
    [RATE_LIMIT.uploadsPerCaller.variable]: String(shipped.limits.uploadsPerCaller),
    [RATE_LIMIT.ordersPerAddress.variable]: String(ADDRESS_LIMIT),
  })
})
afterEach(() => it.db.close())

let player = 0
function order(caller: TestCaller) {
  const body = {
    gameId: fixture.pubg.id,
    packageId: fixture.pubg.package,
    playerId: `limit-${++player}`,
    receivingAccountId: fixture.accounts.promptPay,
    termsVersion: '1',
  }
  return caller.codeOf(confirmPrice, { body, idempotencyKey: onceKey() })
}

async function repeat(times: number, attempt: () => Promise<string>): Promise<string[]> {
  const codes: string[] = []
  for (let done = 0; done < times; done++) codes.push(await attempt())
  return codes
}

test("a caller's 21st order attempt in a minute is refused, then an address's, whoever asks", async () => {
  const [busy, other] = [it.as(null), it.as(null)]
  expect(await repeat(20, () => order(busy))).not.toContain('RATE_LIMITED')
  expect(await order(busy)).toBe('RATE_LIMITED')
  expect(await order(other)).toBe('OK')
  const left = ADDRESS_LIMIT - 21
  const strangers = await repeat(left, () => order(it.as(null)))
  expect(strangers).not.toContain('RATE_LIMITED')
  expect(await order(it.as(null))).toBe('RATE_LIMITED')
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

test("a caller's 21st slip upload in a minute is refused, others may go on", async () => {
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#e8f6ee' } })
    .png()
    .toBuffer()
  const file = new Blob([new Uint8Array(picture)])
  const upload = (caller: TestCaller) => caller.codeOf(uploadSlip, { file, idempotencyKey: onceKey() })
  const [busy, other] = [it.as(null), it.as(null)]
  expect(new Set(await repeat(20, () => upload(busy)))).toEqual(new Set(['OK']))
  expect(await upload(busy)).toBe('RATE_LIMITED')
  expect(await upload(other)).toBe('OK')
})

test('what fails counts too, and a refusal says in how many minutes to come back', async () => {
  const caller = it.as(null)
  const send = { file: new Blob(['not a picture']), idempotencyKey: onceKey() }
  await repeat(20, () => caller.codeOf(uploadSlip, send))
  await expect(caller.call(uploadSlip, send)).rejects.toMatchObject({
    status: 429,
    message: 'ทำรายการบ่อยเกินไป กรุณาลองใหม่อีกครั้งใน 1 นาที',
  })
})
