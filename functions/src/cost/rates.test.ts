import { getCosts, saveRate } from '@shop/shared/cost/endpoints.ts'
import { saveOption } from '@shop/shared/settings/endpoints.ts'
import { type RunningBank, startBankRates } from 'local/bank-rates.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findTroubles } from '../chat/troubles.ts'
import { readConfig } from '../config/config.ts'
import { openServices } from '../config/outside.ts'
import { openRates } from '../supplier/rates.ts'
import { lastAudit } from '../testing/catalogue.ts'
import { addAccount, createTestShop, type TestShop } from '../testing/shop.ts'
import { giveWord, wordOf } from '../testing/words.ts'
import { fetchRates } from './rates.ts'

const DAY = 86_400
let it: TestShop
let bank: RunningBank
beforeEach(async () => {
  const rates = [
    { period: '2026-11-18', currency_id: 'USD', selling: '33.1250000' },
    { period: '2026-11-19', currency_id: 'USD', selling: '33.2000000' },
    { period: '2026-11-20', currency_id: 'USD', selling: '' },
    { period: '2026-11-19', currency_id: 'JPY', selling: '21.5' },
  ]
  bank = await startBankRates({ port: 0, rates })
  it = await createTestShop(bank.environment)
  await it.db.query({
    text: `INSERT INTO supplier_product (supplier, sku, name, delivers, price, currency, is_in_stock, region, fields, seen_at, changed_at)
      VALUES ('seagm', '1', 'Steam', 'code', '10', 'USD', true, '', '{}', $1, $1)`,
    values: [it.clock.now],
  })
})
afterEach(async () => {
  await Promise.all([bank.stop(), it.db.close()])
})

const usd = async () => (await it.as('manager').call(getCosts, {})).rates.find(({ currency }) => currency === 'USD')!
const type = (baht: string, seen: string | null) => ({ body: { currency: 'USD' as const, baht, seen } })
const isToldOld = async () => (await findTroubles(it.shop, it.clock.now)).some(({ kind }) => kind === 'rateOld')

test("the bank's selling rate is kept with the margin on top, of the latest day that has one", async () => {
  expect(await isToldOld()).toBe(true)
  await fetchRates(it.shop)
  // 33.20 baht and 2 %.
  expect(await usd()).toMatchObject({ baht: '33.864', isFromBank: true, isOld: false, isUsed: true })
  expect((await usd()).at).toBe('2026-11-19T11:00:00.000Z')
  expect(await openRates(it.db, 0)('10', 'USD')).toBe(33_864)
  // Its price is for a hundred yen, so it is no rate of one.
  expect(await it.db.query({ text: 'SELECT currency FROM currency_rate' })).toEqual([{ currency: 'USD' }])
  expect(await isToldOld()).toBe(false)
  it.clock.advance(6 * DAY)
  expect(await isToldOld()).toBe(true)
  expect((await usd()).isOld).toBe(true)
})

test.each(['down', 'html', 'empty'] as const)('with a bank that is %s the last rate holds', async fault => {
  await fetchRates(it.shop)
  it.clock.advance(DAY)
  bank.rates.push({ period: '2026-11-21', currency_id: 'USD', selling: '34' })
  bank.fault = fault
  await fetchRates(it.shop)
  expect((await usd()).baht).toBe('33.864')
  bank.fault = null
  await fetchRates(it.shop)
  expect((await usd()).baht).toBe('34.68')
})

test('a rate that jumps is not believed', async () => {
  await fetchRates(it.shop)
  it.clock.advance(DAY)
  bank.rates.push({ period: '2026-11-21', currency_id: 'USD', selling: '3.32' })
  await fetchRates(it.shop)
  expect((await usd()).baht).toBe('33.864')
})

test('the bank is asked with the next key where it refuses one', async () => {
  bank.keys = ['old-key']
  const keysOf = (keys: string) => {
    const config = readConfig({
      NODE_ENV: 'test',
      DATABASE_URL: it.databaseUrl,
      FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:1',
      BOT_API_URL: bank.origin,
      BOT_API_KEY: keys,
    })
    Object.assign(it.shop, openServices(config, it.shop.now, it.shop.beat))
  }
  keysOf('new-key')
  await fetchRates(it.shop)
  expect((await usd()).baht).toBe(null)
  keysOf('new-key,old-key')
  await fetchRates(it.shop)
  expect((await usd()).baht).toBe('33.864')
})

test('a typed rate holds until the bank tells a later day; a lower one, and the first, take a second manager', async () => {
  const manager = it.as('manager')
  expect(await manager.codeOf(saveRate, type('34', null))).toBe('SECOND_WORD_NEEDED')
  await addAccount(it, 'manager-2', 'manager')
  await giveWord(it, 'manager-2', await wordOf(manager, saveRate, type('34', null)))
  expect(await usd()).toMatchObject({ baht: '34', isFromBank: false, byName: 'manager' })
  expect(await manager.codeOf(saveRate, type('35', '33'))).toBe('CONFLICT')
  // More caution needs nobody.
  await manager.call(saveRate, type('35.5', '34'))
  expect(await manager.codeOf(saveRate, type('35.49', '35.5'))).toBe('SECOND_WORD_NEEDED')
  expect(await lastAudit(it, 'rate:USD')).toMatchObject({
    action: 'rate.save',
    before: { baht: '34' },
    after: { baht: '35.5' },
    actor_uid: 'manager',
  })
  await fetchRates(it.shop)
  expect((await usd()).baht).toBe('35.5')
  it.clock.advance(DAY)
  bank.rates.push({ period: '2026-11-21', currency_id: 'USD', selling: '33.3' })
  await fetchRates(it.shop)
  expect(await usd()).toMatchObject({ baht: '33.966', isFromBank: true })
  expect(await it.as('staff').codeOf(saveRate, type('99', '33.966'))).toBe('FORBIDDEN')
})

test('only admins lower the margin, and a second one agrees', async () => {
  const lower = { body: { optionName: 'CURRENCY_MARGIN' as const, optionValue: '0', fromValue: '2' } }
  expect(await it.as('manager').codeOf(saveOption, lower)).toBe('FORBIDDEN')
  await addAccount(it, 'admin-2', 'admin')
  expect(await it.as('admin').codeOf(saveOption, lower)).toBe('SECOND_WORD_NEEDED')
})
