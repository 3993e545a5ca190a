import * as accounts from '@shop/shared/account/endpoints.ts'
import { changePin, resetPin } from '@shop/shared/account/pin-endpoints.ts'
import * as agents from '@shop/shared/agent/endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { IdentityProvider } from '../account/identity-provider.ts'
import { createMemoryIdentity } from '../testing/memory-identity.ts'
import { addAccount, createTestShop, type TestShop, tokenFor } from '../testing/shop.ts'
import { addWallet, TIER } from '../testing/wallet.ts'

let it: TestShop
/** Calls of the identity provider, and those of them that a transaction waited for. */
const calls: string[] = []
const held: string[] = []

beforeAll(async () => {
  it = await createTestShop()
  const identity = createMemoryIdentity()
  const countHeld = async () => {
    const [row] = await it.db.query<{ count: number }>({
      text: `SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
    })
    return row!.count
  }
  it.shop.identityProvider = new Proxy(identity, {
    get(target, name: keyof IdentityProvider) {
      const method = target[name] as (...parts: unknown[]) => Promise<unknown>
      return async (...parts: unknown[]) => {
        calls.push(name)
        if ((await countHeld()) > 0) held.push(name)
        return method(...parts)
      }
    },
  })
  await addWallet(it.db, { uid: 'agent', balanceSatang: 0, pin: '1234', now: it.clock.now })
})
afterAll(() => it.db.close())

test('no transaction is held while the identity provider is asked', async () => {
  await addAccount(it, 'two-ways', 'customer')
  await it.db.query({ text: `UPDATE account SET providers = '{password,google.com}' WHERE uid = 'two-ways'` })
  const person = it.as('two-ways')
  await person.call(accounts.unlinkProvider, { params: { provider: 'google.com' } })
  await person.call(accounts.syncAccount, { body: {} })
  await person.call(accounts.updateUser, { body: { firstName: 'A' } })
  const [manager, admin] = [it.as('manager'), it.as('admin')]
  await manager.call(agents.mapTier, { body: { uid: 'two-ways', tierId: TIER.id, isActived: false } })
  const profile = { name: 'N', firstName: 'F', lastName: 'L', tel: '0812345678', bankCode: '004', isActived: true }
  const input = { ...profile, bankAccount: '0123456789', email: 'new@example.com' }
  const { agent } = await manager.call(agents.createAgentUser, { body: input })
  await manager.call(agents.updateAgentUser, { body: { ...input, uid: agent.uid } })
  await manager.call(agents.setAgentStatus, { body: { uid: agent.uid, isActived: false } })
  await manager.call(accounts.setCustomAgentClaims, { body: { uid: agent.uid, ispinchange: false } })
  await manager.call(accounts.updateUserAuthentication, { body: { uid: agent.uid, password: 'given-1234' } })
  await manager.call(resetPin, { params: { uid: agent.uid } })
  await admin.call(accounts.setUserRole, { body: { uid: 'customer', role: 'staff', isActived: true } })
  await it.as('agent').call(changePin, { body: { oldPin: '1234', pin: '9753' } })
  await it.as('agent').call(accounts.changePassword, { body: { password: 'my-own-1234' } })
  expect(held).toEqual([])
  expect(new Set(calls)).toEqual(
    new Set(['findUser', 'createUser', 'updateUser', 'setClaims', 'revokeTokens', 'unlinkProviders']),
  )
})

test('a way that the identity provider can not take away stays, for the shop too', async () => {
  await addAccount(it, 'kept', 'customer')
  await it.db.query({ text: `UPDATE account SET providers = '{password,google.com}' WHERE uid = 'kept'` })
  const whole = it.shop.identityProvider
  it.shop.identityProvider = {
    ...createMemoryIdentity(),
    unlinkProviders: () => Promise.reject(new AppError('UNAVAILABLE')),
  }
  const unlink = () => it.as('kept').codeOf(accounts.unlinkProvider, { params: { provider: 'google.com' } })
  expect(await unlink()).toBe('UNAVAILABLE')
  expect((await it.as('kept').call(accounts.getMe, {})).providers).toEqual(['password', 'google.com'])
  it.shop.identityProvider = whole
  expect(await unlink()).toBe('OK')
})

test('of two ways taken away at the same moment one stays', async () => {
  await addAccount(it, 'both', 'customer')
  await it.db.query({ text: `UPDATE account SET providers = '{password,google.com}' WHERE uid = 'both'` })
  const unlink = (provider: 'password' | 'google.com') =>
    it
      .as('both', { authorization: `Bearer ${tokenFor('both', it.clock.now)}` })
      .codeOf(accounts.unlinkProvider, { params: { provider } })
  const codes = await Promise.all([unlink('google.com'), unlink('password')])
  expect(codes.filter(code => code === 'OK')).toHaveLength(1)
})
