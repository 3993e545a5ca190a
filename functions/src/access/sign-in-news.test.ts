import { startLink, syncAccount } from '@shop/shared/account/endpoints.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { createMemoryIdentity } from '../testing/memory-identity.ts'
import { addAccount, createTestShop, type TestShop, tokenFor } from '../testing/shop.ts'

let it: TestShop
let user: NonNullable<ReturnType<ReturnType<typeof createMemoryIdentity>['users']['get']>>
beforeEach(async () => {
  it = await createTestShop()
  await addAccount(it, 'owner', 'agent')
  await it.shop.identityProvider.updateUser('owner', {})
  user = (await it.shop.identityProvider.findUser('owner')) as typeof user
})
afterEach(() => it.db.close())

const SEEN = new Date('2026-11-01T05:00:00.000Z')

const signIn = (claims: Record<string, unknown> = {}) =>
  it
    .as('owner', { authorization: `Bearer ${tokenFor('owner', it.clock.now, claims)}` })
    .codeOf(syncAccount, { body: {} })

const listNews = () =>
  it.db.query({
    text: 'SELECT kind, by_shop AS "byShop", facts, email, line_id AS "lineId" FROM owner_news ORDER BY id',
  })
const news = (kind: string, facts: object = {}, change: object = {}) => ({
  kind,
  byShop: false,
  facts,
  email: 'owner@test.shop',
  lineId: null,
  ...change,
})

test('a sign-in that brings nothing new is no news', async () => {
  user.tokensValidAfter = SEEN
  await signIn()
  await signIn()
  expect(await listNews()).toEqual([])
})

test('a way that was added at the identity provider is told, and one that is gone', async () => {
  await it.as('owner').call(startLink, { body: { provider: 'google.com' } })
  user.providers = ['password', 'google.com']
  expect(await signIn()).toBe('OK')
  user.providers = ['password']
  expect(await signIn()).toBe('OK')
  expect(await listNews()).toEqual([
    news('signInLinked', { way: 'google.com', via: 'password' }),
    news('signInUnlinked', { way: 'google.com' }),
  ])
})

test('an address that was changed at the identity provider is told to the one before', async () => {
  expect(await signIn({ email: 'thief@test.shop', email_verified: false })).toBe('OK')
  expect(await listNews()).toEqual([news('emailChanged', { via: 'password' })])
})

test('a password that was set at the identity provider is told once', async () => {
  user.tokensValidAfter = SEEN
  await signIn()
  it.clock.advance(60)
  user.tokensValidAfter = it.clock.now
  await signIn()
  await signIn()
  expect(await listNews()).toEqual([news('passwordChanged', { via: 'outside' })])
})

test('whoever registered an address is told nothing by mail when its owner takes the account', async () => {
  await it.db.query({ text: `UPDATE account SET role = 'customer', email_verified = false WHERE uid = 'owner'` })
  await it.db.query({
    text: `INSERT INTO linked_identity (provider, subject, uid, linked_at) VALUES ('line', 'U1', 'owner', $1)`,
    values: [it.clock.now],
  })
  user.providers = ['google.com']
  user.saidBy = { 'google.com': { email: 'owner@test.shop', name: 'Owner' } }
  expect(await signIn({ firebase: { sign_in_provider: 'google.com' } })).toBe('OK')
  expect(await listNews()).toEqual([news('takenOver', { way: 'google.com' }, { email: null, lineId: 'U1' })])
})
