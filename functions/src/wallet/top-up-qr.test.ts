import { getTopUpQr } from '@shop/shared/wallet/endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fixture } from '../testing/fixture.ts'
import { addAccount, createTestShop, type TestShop } from '../testing/shop.ts'
import { addWallet, TIER } from '../testing/wallet.ts'

const { promptPay, second, closed } = fixture.accounts
/** What the wallet can still take. */
const ROOM = TIER.maxAmountSatang - 50_000

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
  await addAccount(it, 'reseller', 'agent')
  await addWallet(it.db, { uid: 'reseller', balanceSatang: 50_000, pin: null, now: it.clock.now })
})
afterAll(() => it.db.close())

const asked = (amountSatang: number, receivingAccountId: number) => ({ params: { receivingAccountId, amountSatang } })
const qr = (amountSatang: number, accountId: number) =>
  it.as('reseller').call(getTopUpQr, asked(amountSatang, accountId))
const code = (amountSatang: number, accountId: number, uid: string | null = 'reseller') =>
  it.as(uid).codeOf(getTopUpQr, asked(amountSatang, accountId))

test('the QR names the amount; an account without PromptPay has none', async () => {
  expect((await qr(ROOM, promptPay)).promptPay).toContain('5409199500.00')
  expect((await qr(ROOM - 1, promptPay)).promptPay).toContain('5409199499.99')
  expect(await qr(ROOM, second)).toEqual({ promptPay: null })
})

test('none is given for what the wallet does not take, or into an account that is not in use', async () => {
  expect(await code(ROOM + 1, promptPay)).toBe('TOP_UP_ABOVE_ROOM')
  expect(await code(TIER.minTopUpSatang - 1, promptPay)).toBe('TOP_UP_BELOW_MINIMUM')
  for (const amountSatang of [0, -100_000, 1.5]) expect(await code(amountSatang, promptPay)).toBe('INVALID_INPUT')
  for (const accountId of [closed, 999]) expect(await code(ROOM, accountId)).toBe('RECEIVING_ACCOUNT_NOT_FOUND')
})

test('who has no wallet gets none', async () => {
  expect(await code(ROOM, promptPay, 'staff')).toBe('WALLET_NOT_FOUND')
  expect(await code(ROOM, promptPay, 'customer')).toBe('FORBIDDEN')
  expect(await code(ROOM, promptPay, null)).toBe('UNAUTHENTICATED')
})
