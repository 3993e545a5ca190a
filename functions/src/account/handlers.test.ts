import * as contract from '@shop/shared/account/endpoints.ts'
import { publishTerms } from '@shop/shared/settings/endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestShop, type TestShop } from '../testing/shop.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
})
afterAll(() => it.db.close())

test('terms: the first acceptance of each version is kept with its time, for people and for guests apart', async () => {
  const [guest, customer] = [it.as(null), it.as('customer')]
  const first = await guest.call(contract.acceptTerms, { body: { version: '1' } })
  expect(first).toEqual({ version: '1', acceptedAt: it.clock.now.toISOString() })
  it.clock.advance(60)
  expect(await guest.call(contract.acceptTerms, { body: { version: '1' } })).toEqual(first)
  const later = it.clock.now.toISOString()
  const terms = { body: 'ข้อกำหนดฉบับใหม่ของร้านค้า', fromVersion: '1' }
  await it.as('manager').call(publishTerms, { body: terms })
  expect((await guest.call(contract.acceptTerms, { body: { version: '2' } })).acceptedAt).toBe(later)
  expect((await customer.call(contract.acceptTerms, { body: { version: '1' } })).acceptedAt).toBe(later)
  const rows = await it.db.query<{ owner: string }>({
    text: `SELECT DISTINCT left(owner_key, 2) AS owner FROM terms_acceptance ORDER BY 1`,
  })
  expect(rows.map(row => row.owner)).toEqual(['g:', 'u:'])
})

test('sync: uid, email and role in the body are ignored, a repeat changes nothing', async () => {
  const forged = { uid: 'admin', email: 'admin@test.shop', role: 'admin', providers: ['google.com'] }
  const first = await it.as('newcomer').call(contract.syncAccount, { body: { username: 'new', ...forged } as never })
  expect(first).toMatchObject({
    uid: 'newcomer',
    email: 'newcomer@test.shop',
    role: 'customer',
    providers: ['password'],
  })
  expect(await it.as('newcomer').call(contract.syncAccount, { body: {} })).toEqual(first)
})

test('sync: names that could mislead a reader are bad input', async () => {
  const sync = (name: string) => it.as('newcomer').codeOf(contract.syncAccount, { body: { name } })
  for (const name of ['a\u0000b', 'a\nb', '\u202eAdmin', 'x'.repeat(101)])
    expect(await sync(name)).toBe('INVALID_INPUT')
  expect(await sync('น้ำ 😀')).toBe('OK')
})
