import { saveGameTags } from '@shop/shared/catalogue/manage-endpoints.ts'
import { savePaymentMethods } from '@shop/shared/catalogue/method-endpoints.ts'
import {
  isGatewayMethod,
  PAYMENT_CODES,
  PAYMENT_METHOD,
  type PaymentCode,
} from '@shop/shared/catalogue/payment-method.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestShop, type TestShop } from '../testing/shop.ts'
import { findMissingData, insertFirstData } from './first-data.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
  for (const table of ['payment_method', 'game_tag']) await it.db.query({ text: `DELETE FROM ${table}` })
})
afterAll(() => it.db.close())

/** As the server's role, which is what an operator's variables name. */
const insert = () => it.shop.db.transaction(insertFirstData)
const read = () =>
  Promise.all(
    ['payment_method', 'game_tag'].map(table =>
      it.db.query({ text: `SELECT * FROM ${table} ORDER BY position, code` }),
    ),
  )

test('an empty shop gets its payment methods and tags; a second run adds nothing', async () => {
  expect(await findMissingData(it.shop.db)).toEqual(['payment method bank', 'payment method wallet'])
  expect(await insert()).toEqual(expect.arrayContaining(['payment method bank', 'region th', 'platform console']))
  expect(await findMissingData(it.shop.db)).toEqual([])
  const before = await read()
  expect(await insert()).toEqual([])
  expect(await read()).toEqual(before)
})

test('a new shop offers first what it sees at once to be paid, and the transfer that people look at after it', async () => {
  const [methods] = (await read()) as [{ code: PaymentCode }[], object[]]
  const last = methods.findLastIndex(({ code }) => isGatewayMethod(code))
  expect(methods.findIndex(({ code }) => code === 'bank')).toBe(last + 1)
})

test('what staff renamed, added or emptied stays as they left it', async () => {
  const seen = PAYMENT_CODES.map(code => ({ code, name: PAYMENT_METHOD[code].name }))
  const methods = [
    { code: 'wallet' as const, name: 'กระเป๋า' },
    { code: 'bank' as const, name: 'โอน' },
    ...seen.filter(({ code }) => code !== 'wallet' && code !== 'bank'),
  ]
  await it.as('admin').call(savePaymentMethods, { body: { methods, seen } })
  const languages = [
    { code: 'th', name: 'ไทย' },
    { code: 'en', name: 'อังกฤษ' },
  ]
  await it.db.query({ text: `UPDATE game SET languages = '{}'` })
  await it.as('admin').call(saveGameTags, { body: { kind: 'language', tags: [], seen: languages } })
  const before = await read()
  expect(await insert()).toEqual([])
  expect(await read()).toEqual(before)
})
