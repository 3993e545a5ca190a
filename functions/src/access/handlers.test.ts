import * as contract from '@shop/shared/account/endpoints.ts'
import { publishTerms } from '@shop/shared/settings/endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAccount, createTestShop, type TestShop, tokenFor } from '../testing/shop.ts'

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
  // Whoever accepted them is known wherever they come back.
  const accepted = (caller: typeof guest) => caller.call(contract.getAcceptedTerms, {})
  expect([await accepted(guest), await accepted(customer), await accepted(it.as('newcomer'))]).toEqual([
    { version: '2' },
    { version: '1' },
    { version: null },
  ])
})

test('terms: a version that the shop never had, or a guest whom nothing names, is not recorded', async () => {
  const count = async () => (await it.db.query({ text: 'SELECT 1 FROM terms_acceptance' })).length
  const before = await count()
  for (const version of ['3', 'nonsense-v999', '1 '])
    expect(await it.as(null).codeOf(contract.acceptTerms, { body: { version } })).toBe('TERMS_CHANGED')
  const reply = await it.request(contract.acceptTerms.path, {
    method: 'POST',
    body: JSON.stringify({ version: '1' }),
    headers: { 'content-type': 'application/json' },
  })
  expect([reply.status, await reply.json()]).toMatchObject([400, { code: 'INVALID_INPUT' }])
  expect(await count()).toBe(before)
})

test('terms: an address is refused the 61st try in a minute, whatever guest keys and versions it makes up', async () => {
  const shop = await createTestShop({ PROXIES_IN_FRONT: '1', RATE_LIMIT_TERMS_PER_ADDRESS: '60' })
  const accept = (address: string, version = '1') =>
    shop.as(null, { 'x-forwarded-for': address }).codeOf(contract.acceptTerms, { body: { version } })
  for (let n = 0; n < 60; n++) expect(await accept('10.0.0.7', `nonsense-${n}`)).toBe('TERMS_CHANGED')
  expect(await accept('10.0.0.7', 'nonsense')).toBe('RATE_LIMITED')
  const codes: string[] = []
  for (let n = 0; n < 61; n++) codes.push(await accept('10.0.0.9'))
  expect(codes.filter(code => code === 'OK')).toHaveLength(60)
  expect(codes.at(-1)).toBe('RATE_LIMITED')
  expect(await accept('10.0.0.8')).toBe('OK')
  await shop.db.close()
})

test('sync: uid, email and role in the body are ignored, a repeat changes nothing', async () => {
  const forged = { uid: 'admin', email: 'admin@test.shop', role: 'admin', providers: ['google.com'] }
  const first = await it
    .as('newcomer')
    .call(contract.syncAccount, { body: { username: 'new', name: 'ใหม่', surname: 'มาก', ...forged } as never })
  expect(first).toMatchObject({
    uid: 'newcomer',
    email: 'newcomer@test.shop',
    role: 'customer',
    providers: ['password'],
  })
  expect(await it.as('newcomer').call(contract.syncAccount, { body: {} })).toEqual(first)
})

test('sync: names that could mislead a reader are bad input', async () => {
  const sync = (name: string) => it.as('newcomer').codeOf(contract.syncAccount, { body: { name, surname: 'ใจดี' } })
  for (const name of ['a\u0000b', 'a\nb', 'x'.repeat(101)]) expect(await sync(name)).toBe('INVALID_INPUT')
  expect(await sync('น้ำ 😀')).toBe('OK')
  expect(await sync('\u202eAdmin')).toBe('OK')
})

test('sync: a name that says nothing is told at its field, and makes no account', async () => {
  const headers = { ...it.as('nameless').headers, 'content-type': 'application/json' }
  const body = JSON.stringify({ username: 'new', name: '', surname: '  ', tel: '0812345678' })
  const reply = await it.request(contract.syncAccount.path, { method: 'POST', headers, body })
  expect([reply.status, await reply.json()]).toMatchObject([
    400,
    { code: 'INVALID_INPUT', fields: { name: 'กรุณากรอกข้อมูล', surname: 'กรุณากรอกข้อมูล' } },
  ])
  expect(await it.as('nameless').codeOf(contract.getMe, {})).toBe('NOT_FOUND')
})

test.each([
  ['no name', undefined],
  ['an empty one', ''],
  ['blanks', '  '],
  ['characters that nobody sees', '\u200b \u3164'],
  ['signs that turn the direction', '\u202e\u2066'],
])('sync: who registers with a password, and %s, is a customer whose name is typed later', async (what, name) => {
  const uid = `unnamed ${what}`
  const person = it.as(uid, { authorization: `Bearer ${tokenFor(uid, it.clock.now, { name })}` })
  expect(await person.call(contract.syncAccount, { body: {} })).toMatchObject({
    role: 'customer',
    name: '',
    surname: '',
  })
  const named = { firstName: 'น้ำ', lastName: 'ใจดี', phoneNumber: '0812345678' }
  expect(await person.call(contract.updateUser, { body: named })).toMatchObject({ name: 'น้ำ', tel: '+66812345678' })
})

test('sync: the name comes from the form, or from what the identity provider was told', async () => {
  const form = { name: 'น้ำ', surname: 'ใจดี' }
  expect(await it.as('typed').call(contract.syncAccount, { body: form })).toMatchObject(form)
  const named = { authorization: `Bearer ${tokenFor('told', it.clock.now, { name: ' น้ำข้าว  ใจดี มาก' })}` }
  const told = await it.as('told', named).call(contract.syncAccount, { body: {} })
  expect(told).toMatchObject({ name: 'น้ำข้าว', surname: 'ใจดี มาก' })
})

test.each(['google.com', 'facebook.com', 'custom'])('sync: %s brings whom it does not name', async provider => {
  const uid = `by-${provider}`
  const token = tokenFor(uid, it.clock.now, { firebase: { sign_in_provider: provider } })
  const person = it.as(uid, { authorization: `Bearer ${token}` })
  expect(await person.call(contract.syncAccount, { body: {} })).toMatchObject({ uid, name: '' })
})

test('sync: an account without a name signs in as ever', async () => {
  await addAccount(it, 'from-before', 'customer')
  await it.db.query({ text: `UPDATE account SET given_name = '', family_name = '' WHERE uid = 'from-before'` })
  expect(await it.as('from-before').codeOf(contract.syncAccount, { body: {} })).toBe('OK')
})
