import * as contract from '@shop/shared/account/endpoints.ts'
import { resetPin } from '@shop/shared/account/pin-endpoints.ts'
import * as agents from '@shop/shared/agent/endpoints.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { insertLineLink } from '../account/line-store.ts'
import { addKey } from '../testing/machine.ts'
import { addAccount, createTestShop, type TestShop } from '../testing/shop.ts'
import { addWallet, TIER } from '../testing/wallet.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
})
afterAll(() => it.db.close())

/** A fresh agent with a live and a test key, and an older key that they ended themselves. */
let count = 0
let uid: string
beforeEach(async () => {
  uid = `reseller-${++count}`
  await addAccount(it, uid, 'agent')
  await it.shop.identityProvider.updateUser(uid, { password: 'known-to-2' })
  await addWallet(it.db, { uid, balanceSatang: 0, pin: '1234', now: it.clock.now })
  await insertLineLink(it.db, { sub: `U${String(count).padStart(32, '0')}`, uid, now: it.clock.now })
  const { id } = await addKey(it, uid)
  await it.db.query({
    text: `UPDATE reseller_key SET ended_at = $2, ended_for = 'owner', ended_by = $3 WHERE id = $1`,
    values: [id, it.clock.now, uid],
  })
  it.clock.advance(60)
  await addKey(it, uid, { mode: 'live' })
  await addKey(it, uid, { mode: 'test' })
})

const ends = (of = uid) =>
  it.db.query({
    text: `SELECT mode, ended_for AS why, ended_by AS by, ended_at AS at FROM reseller_key WHERE uid = $1 AND ended_for IS DISTINCT FROM 'owner'
      ORDER BY mode`,
    values: [of],
  })
const news = () =>
  it.db.query({
    text: `SELECT facts, by_shop AS "byShop", email, line_id AS "lineId" FROM owner_news WHERE uid = $1 AND kind = 'apiKeyEnded'`,
    values: [uid],
  })

const manager = () => it.as('manager')
const role = (change: { role: 'agent' | 'staff' | 'customer'; isActived: boolean }) =>
  manager().call(contract.setUserRole, { body: { uid, ...change } })
const profile = (isActived: boolean) => ({
  uid,
  name: uid,
  firstName: 'สมชาย',
  lastName: 'ใจดี',
  tel: '0812345678',
  bankCode: '004',
  bankAccount: '0123456789',
  isActived,
})

describe('keys end with the account', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['its role is taken away', () => role({ role: 'customer', isActived: true })],
    ['it becomes staff', () => role({ role: 'staff', isActived: true })],
    ['it is closed as a user', () => role({ role: 'agent', isActived: false })],
    ['it is closed as an agent', () => manager().call(agents.setAgentStatus, { body: { uid, isActived: false } })],
    ['its form says so', () => manager().call(agents.updateAgentUser, { body: profile(false) })],
    [
      'its tier is set with it',
      () => manager().call(agents.mapTier, { body: { uid, tierId: TIER.id, isActived: false } }),
    ],
    [
      'the shop sets its password',
      () => manager().call(contract.updateUserAuthentication, { body: { uid, password: 'first-Pass-1' } }),
    ],
    ['the shop sets its PIN', () => manager().call(resetPin, { params: { uid } })],
    [
      'a way to sign in is taken away',
      () => manager().call(contract.removeLink, { params: { uid, provider: 'line' } }),
    ],
  ])('when %s', async (_, decide) => {
    await addAccount(it, `${uid}-other`, 'agent')
    await addKey(it, `${uid}-other`)
    await decide()
    const end = { why: 'account', by: 'manager', at: it.clock.now }
    expect(await ends()).toEqual([
      { mode: 'live', ...end },
      { mode: 'test', ...end },
    ])
    expect(await ends(`${uid}-other`)).toMatchObject([{ why: null }])
    expect(await news()).toMatchObject([
      {
        facts: { keyName: `key of ${uid}, key of ${uid}`, why: expect.any(String) },
        byShop: true,
        email: `${uid}@test.shop`,
      },
    ])
  })

  test('an account that is opened again has its keys no more, and nobody is told twice', async () => {
    await role({ role: 'agent', isActived: false })
    await role({ role: 'agent', isActived: true })
    expect(await ends()).toMatchObject([{ why: 'account' }, { why: 'account' }])
    expect(await news()).toHaveLength(1)
  })
})

describe('keys go on', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['their owner unlinks LINE', () => it.as(uid).call(contract.unlinkProvider, { params: { provider: 'line' } })],
    ['staff correct a name', () => manager().call(agents.updateAgentUser, { body: profile(true) })],
    ['staff set the tier', () => manager().call(agents.mapTier, { body: { uid, tierId: TIER.id, isActived: true } })],
    ['staff save what is so already', () => role({ role: 'agent', isActived: true })],
  ])('when %s', async (_, decide) => {
    await decide()
    expect(await ends()).toMatchObject([
      { mode: 'live', why: null, by: null, at: null },
      { mode: 'test', why: null, by: null, at: null },
    ])
    expect(await news()).toEqual([])
  })
})
