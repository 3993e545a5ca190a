import { listManagedAccounts } from '@shop/shared/catalogue/manage-endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addKey } from '../testing/machine.ts'
import type { createMemoryIdentity } from '../testing/memory-identity.ts'
import { addAccount, createTestShop, type TestShop } from '../testing/shop.ts'
import { makeFirstAdmin } from './first-admin.ts'

let it: TestShop
let users: ReturnType<typeof createMemoryIdentity>['users']
beforeAll(async () => {
  it = await createTestShop()
  users = (it.shop.identityProvider as ReturnType<typeof createMemoryIdentity>).users
  await it.db.query({ text: `DELETE FROM account WHERE role = 'admin'` })
})
afterAll(() => it.db.close())

const make = (email: string, another = false) => makeFirstAdmin(it.shop, email, { another })
const auditOf = (uid: string) =>
  it.db.query({
    text: `SELECT actor_uid, action, before, after FROM audit_entry WHERE subject = 'account:' || $1 ORDER BY id`,
    values: [uid],
  })

test('a person whom nobody knows is made, may do what admins do, and is audited', async () => {
  const { uid, passwordLink, wasAdmin } = await make('owner@test.shop')
  expect({ wasAdmin, passwordLink }).toEqual({ wasAdmin: false, passwordLink: 'https://password.test/owner@test.shop' })
  expect(users.get(uid)).toMatchObject({ claims: { role: 'admin', ispasswordchange: true }, isDisabled: false })
  expect(await auditOf(uid)).toEqual([
    { actor_uid: 'operator', action: 'account.setRole', before: null, after: { role: 'admin', status: 'active' } },
  ])
  it.clock.advance(1)
  users.get(uid)!.emailVerified = true
  await it.db.query({ text: 'UPDATE account SET email_verified = true WHERE uid = $1', values: [uid] })
  expect(await it.as(uid).codeOf(listManagedAccounts, {})).toBe('OK')
})

test('the same person again is brought in line; nothing more is audited', async () => {
  const uid = [...users.values()].find(({ email }) => email === 'owner@test.shop')!.uid
  delete users.get(uid)!.claims
  expect(await make('Owner@test.shop'.toLowerCase())).toMatchObject({ uid, wasAdmin: true })
  expect(users.get(uid)!.claims).toMatchObject({ role: 'admin' })
  expect(await auditOf(uid)).toHaveLength(1)
})

test('a second admin is refused, and nobody is made at the identity provider for it', async () => {
  await expect(make('other@test.shop')).rejects.toThrow('There is an admin already (owner@test.shop)')
  expect([...users.values()].map(({ email }) => email)).not.toContain('other@test.shop')
})

test('with --another one more is made, and all admins are told that nobody agreed', async () => {
  const { uid } = await make('other@test.shop', true)
  expect(
    await it.db.query({ text: `SELECT kind, is_alone, subject FROM value_move WHERE actor_uid = 'operator'` }),
  ).toEqual([{ kind: 'adminMade', is_alone: true, subject: `account:${uid}` }])
  const told = await it.db.query<{ email: string }>({
    text: `SELECT a.email FROM owner_news n JOIN account a ON a.uid = n.uid WHERE n.kind = 'rankChanged'`,
  })
  expect(told.map(({ email }) => email)).toContain('owner@test.shop')
})

test('who only registered with the address does not become the admin', async () => {
  await it.db.query({ text: `UPDATE account SET status = 'inactive' WHERE role = 'admin'` })
  await it.shop.identityProvider.createUser({
    uid: 'squatter',
    email: 'boss@test.shop',
    password: 'known to a stranger',
  })
  await expect(make('boss@test.shop')).rejects.toThrow('has not proven that the address is theirs')
  expect(users.get('squatter')!.claims).toBeUndefined()
  users.get('squatter')!.emailVerified = true
  expect(await make('boss@test.shop')).toMatchObject({ uid: 'squatter', wasAdmin: false })
})

test('an agent who becomes the admin has no machines any more', async () => {
  await it.db.query({ text: `UPDATE account SET status = 'inactive' WHERE role = 'admin'` })
  const uid = 'was-agent'
  await it.shop.identityProvider.createUser({ uid, email: `${uid}@test.shop` })
  users.get(uid)!.emailVerified = true
  await addAccount(it, uid, 'agent')
  await addKey(it, uid)
  await make(`${uid}@test.shop`)
  const keys = await it.db.query({ text: 'SELECT ended_for, ended_by FROM reseller_key WHERE uid = $1', values: [uid] })
  expect(keys).toEqual([{ ended_for: 'account', ended_by: 'operator' }])
})

test('two commands at once make one admin', async () => {
  await it.db.query({ text: `UPDATE account SET status = 'inactive' WHERE role = 'admin'` })
  const made = await Promise.allSettled([make('left@test.shop'), make('right@test.shop')])
  expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})
