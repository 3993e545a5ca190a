import * as accounts from '@shop/shared/account/endpoints.ts'
import { changePin } from '@shop/shared/account/pin-endpoints.ts'
import * as contract from '@shop/shared/agent/endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { confirmOrder, getPrice } from '@shop/shared/order/endpoints.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fixture } from '../testing/fixture.ts'
import { addAccount, createTestShop, onceKey, type TestShop } from '../testing/shop.ts'
import { addWallet, TIER } from '../testing/wallet.ts'
import { giveWord, wordOf } from '../testing/words.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
  await addWallet(it.db, { uid: 'agent', balanceSatang: 1_000_000, pin: '1234', now: it.clock.now })
  await addAccount(it, 'manager2', 'manager')
})
afterAll(() => it.db.close())

let count = 0
const agent = (change: Record<string, unknown> = {}) => ({
  name: 'ร้านเกมบ้านสวน',
  firstName: 'สมชาย',
  lastName: 'ใจดี',
  email: `Shop${++count}@Example.com`,
  tel: '081-234-5678',
  bankCode: '004',
  bankAccount: '012-3-45678-9',
  isActived: true,
  ...change,
})
const create = (change: Record<string, unknown> = {}, uid = 'manager') =>
  it.as(uid).call(contract.createAgentUser, { body: agent(change) })
const createCode = (change: Record<string, unknown>, uid = 'manager') =>
  it.as(uid).codeOf(contract.createAgentUser, { body: agent(change) })
const auditOf = (subject: string) =>
  it.db.query<{ action: string; before: object | null; after: object | null }>({
    text: 'SELECT action, before, after FROM audit_entry WHERE subject = $1 ORDER BY id',
    values: [subject],
  })
const tier = (change: Record<string, unknown> = {}) => ({
  name: 'Silver',
  maxAmountSatang: 500_000,
  minTopUpSatang: 0,
  maxAmountPerOrderSatang: 100_000,
  maxItemPerOrder: 2,
  isActived: true,
  ...change,
})

describe('creating an agent', () => {
  test('password and PIN are shown once, are not stored readable, and must be changed before anything else', async () => {
    const made = await create({ tierId: TIER.id })
    expect(made.pin).toMatch(/^\d{4}$/)
    expect(made.password.length).toBeGreaterThanOrEqual(8)
    expect(made.agent).toMatchObject({
      email: expect.stringContaining('@example.com'),
      tel: '0812345678',
      isActived: true,
    })
    expect(made.agent.tier).toEqual({ id: TIER.id, name: 'Gold' })
    const { uid } = made.agent
    expect(await it.as(uid).codeOf(contract.listTiers, {})).toBe('FORBIDDEN')
    const order = { gameId: 1, packageId: 1, playerId: '1', termsVersion: '1', pin: made.pin }
    const buy = () => it.as(uid).codeOf(confirmOrder, { body: order, idempotencyKey: onceKey() })
    expect(await buy()).toBe('PASSWORD_CHANGE_REQUIRED')
    await it.as(uid).call(accounts.changePassword, { body: { password: 'my-own-password' } })
    it.clock.advance(2)
    expect(await buy()).toBe('PIN_CHANGE_REQUIRED')
    await it.as(uid).call(changePin, { body: { oldPin: made.pin, pin: made.pin === '8642' ? '8641' : '8642' } })
    expect(await buy()).toBe('WALLET_BALANCE_TOO_LOW')

    const [stored] = await it.db.query<{ text: string }>({
      text: `SELECT (to_json(a)::text || to_json(p)::text || (SELECT json_agg(e)::text FROM audit_entry e)) AS text
        FROM account a JOIN pin p ON p.uid = a.uid WHERE a.uid = $1`,
      values: [uid],
    })
    expect(stored!.text).not.toContain(made.password)
    expect((await auditOf(`account:${uid}`)).map(row => row.action)).toEqual(['agent.create'])
  })

  test('the PIN that was shown is the PIN that was set', async () => {
    const { agent: made, pin } = await create()
    const [row] = await it.db.query<{ hash: string }>({
      text: 'SELECT hash FROM pin WHERE uid = $1',
      values: [made.uid],
    })
    expect(await it.shop.pins.isRight(made.uid, row!.hash, pin)).toBe(true)
  })

  test.each([
    ['a taken email', { email: 'AGENT@test.shop' }, 'EMAIL_IN_USE'],
    ['no email', { email: 'nobody' }, 'INVALID_INPUT'],
    ['a foreign phone', { tel: '+1 555 0100' }, 'PHONE_INVALID'],
    ['a short password', { password: '1234567' }, 'INVALID_INPUT'],
    ['no name', { name: '  ' }, 'INVALID_INPUT'],
    ['an unknown tier', { tierId: 999 }, 'TIER_NOT_FOUND'],
    ['a bank account of letters', { bankAccount: 'abc' }, 'INVALID_INPUT'],
  ])('refused: %s', async (_, change, code) => {
    expect(await createCode(change)).toBe(code)
  })

  test('when the identity provider refuses, no half agent stays behind', async () => {
    const provider = it.shop.identityProvider
    it.shop.identityProvider = {
      ...provider,
      createUser: async () => {
        throw new AppError('UNAVAILABLE')
      },
    }
    const email = 'half@example.com'
    expect(await createCode({ email })).toBe('UNAVAILABLE')
    it.shop.identityProvider = provider
    expect(await createCode({ email })).toBe('OK')
  })

  test('when the shop refuses after the credentials were made, they are taken away again', async () => {
    const email = 'late@example.com'
    const provider = it.shop.identityProvider
    const closed = await it.as('admin').call(contract.saveTier, { body: tier({ name: 'Closing' }) })
    it.shop.identityProvider = {
      ...provider,
      async createUser(user) {
        const { id } = closed
        await it.as('admin').call(contract.saveTier, { body: tier({ id, name: 'Closing', isActived: false }) as never })
        return provider.createUser(user)
      },
    }
    expect(await createCode({ email, tierId: closed.id })).toBe('TIER_NOT_FOUND')
    it.shop.identityProvider = provider
    expect(await provider.findUserByEmail(email)).toBeNull()
    expect(await createCode({ email })).toBe('OK')
  })

  test('staff and agents manage no agents', async () => {
    expect(await createCode({}, 'staff')).toBe('FORBIDDEN')
    expect(await createCode({}, 'agent')).toBe('FORBIDDEN')
    expect(await it.as('staff').codeOf(contract.listAgents, {})).toBe('FORBIDDEN')
  })
})

describe('editing', () => {
  test('details change, the email stays; a deactivated agent is refused at once and can come back', async () => {
    const { agent: made } = await create()
    const change = {
      ...agent(),
      uid: made.uid,
      firstName: 'สมหญิง',
      tel: '+66898765432',
      bankCode: '014',
      isActived: false,
    }
    const edited = await it.as('manager').call(contract.updateAgentUser, { body: change })
    expect(edited).toMatchObject({ firstName: 'สมหญิง', tel: '0898765432', email: made.email, isActived: false })
    expect(await it.as(made.uid).codeOf(accounts.getMe, {})).toBe('ACCOUNT_INACTIVE')
    const back = await it.as('manager').call(contract.setAgentStatus, { body: { uid: made.uid, isActived: true } })
    expect(back.isActived).toBe(true)
    it.clock.advance(2)
    expect(await it.as(made.uid).codeOf(accounts.getMe, {})).toBe('OK')
    const [, updated] = await auditOf(`account:${made.uid}`)
    expect(updated).toMatchObject({ before: { bankCode: '004' }, after: { bankCode: '014' } })
    expect((await auditOf(`account:${made.uid}`)).map(row => row.action)).toEqual([
      'agent.create',
      'agent.update',
      'agent.setStatus',
    ])
  })

  test('a manager edits neither themself, nor managers, nor admins; a customer is no agent', async () => {
    const code = (uid: string) => it.as('manager').codeOf(contract.setAgentStatus, { body: { uid, isActived: false } })
    expect([await code('manager'), await code('manager2'), await code('admin')]).toEqual(Array(3).fill('FORBIDDEN'))
    expect([await code('customer'), await code('nobody')]).toEqual(['AGENT_NOT_FOUND', 'NOT_FOUND'])
  })
})

describe('tiers', () => {
  test('a customer who is mapped becomes an agent with a wallet and a first PIN; a second mapping keeps both', async () => {
    await addAccount(it, 'promoted', 'customer')
    const map = (tierId: number, uid = 'promoted') =>
      it.as('manager').call(contract.mapTier, { body: { uid, tierId, isActived: true } })
    const first = await map(TIER.id)
    expect(first.pin).toMatch(/^\d{4}$/)
    expect(first.agent).toMatchObject({ role: 'agent', balanceSatang: 0, tier: { id: TIER.id } })
    const silver = await it.as('admin').call(contract.saveTier, { body: tier() })
    const second = await map(silver.id)
    expect(second.pin).toBeNull()
    expect(second.agent).toMatchObject({ tier: { name: 'Silver' }, walletId: first.agent.walletId })
    const [, last] = await auditOf('account:promoted')
    expect(last).toMatchObject({ action: 'agent.mapTier', before: { tierId: TIER.id }, after: { tierId: silver.id } })
  })

  test('staff who get a tier, and with it a first PIN, go on working; only spending waits for their own', async () => {
    await addAccount(it, 'with-tier', 'staff')
    const body = { uid: 'with-tier', tierId: TIER.id, isActived: true }
    const { pin } = await it.as('manager').call(contract.mapTier, { body })
    it.clock.advance(2)
    const staff = it.as('with-tier')
    expect(await staff.call(accounts.getMe, {})).toMatchObject({ hasWallet: true, mustChangePin: false })
    expect(await staff.codeOf(accounts.searchUsers, { query: {} })).toBe('OK')
    const order = { gameId: 1, packageId: 1, playerId: '1', termsVersion: '1', pin: pin! }
    const buy = () => staff.codeOf(confirmOrder, { body: order, idempotencyKey: onceKey() })
    expect(await buy()).toBe('PIN_CHANGE_REQUIRED')
    await staff.call(changePin, { body: { oldPin: pin!, pin: pin === '8642' ? '8641' : '8642' } })
    expect(await buy()).not.toBe('PIN_CHANGE_REQUIRED')
  })

  test('nobody maps themself, and an inactive or unknown tier is offered to nobody', async () => {
    const code = (uid: string, tierId: number, by = 'manager') =>
      it.as(by).codeOf(contract.mapTier, { body: { uid, tierId, isActived: true } })
    const closed = await it.as('admin').call(contract.saveTier, { body: tier({ name: 'Closed', isActived: false }) })
    expect(await code('manager', TIER.id)).toBe('FORBIDDEN')
    expect(await code('admin', TIER.id, 'admin')).toBe('FORBIDDEN')
    expect(await code('customer', closed.id)).toBe('TIER_NOT_FOUND')
    expect(await code('customer', 999)).toBe('TIER_NOT_FOUND')
  })

  test('an address that its owner has not proven is mapped to no tier, and staff see that it is not', async () => {
    await addAccount(it, 'squatter', 'customer', { emailVerified: false })
    const body = { uid: 'squatter', tierId: TIER.id, isActived: true }
    expect(await it.as('admin').codeOf(contract.mapTier, { body })).toBe('EMAIL_UNPROVEN')
    const [found] = await it.as('manager').call(contract.searchUsersForTier, { query: { name: 'squatter' } })
    expect(found).toMatchObject({ emailVerified: false, tierId: null })
    await it.db.query({ text: `UPDATE account SET email_verified = true WHERE uid = 'squatter'` })
    expect((await it.as('admin').call(contract.mapTier, { body })).agent).toMatchObject({ emailVerified: true })
  })

  test('somebody without an address, from LINE, and an agent made by staff are known without', async () => {
    await addAccount(it, 'line:U1', 'customer', { emailVerified: false })
    const map = (uid: string) =>
      it.as('manager').codeOf(contract.mapTier, { body: { uid, tierId: TIER.id, isActived: true } })
    const { agent: made } = await create()
    expect(made.emailVerified).toBe(false)
    expect([await map('line:U1'), await map(made.uid)]).toEqual(['OK', 'OK'])
  })

  test('limits are whole amounts from zero; an unknown tier can not be changed', async () => {
    const code = (change: Record<string, unknown>) =>
      it.as('admin').codeOf(contract.saveTier, { body: tier(change) as never })
    expect(await code({ maxAmountSatang: -1 })).toBe('INVALID_INPUT')
    expect(await code({ maxItemPerOrder: 1.5 })).toBe('INVALID_INPUT')
    expect(await code({ name: '' })).toBe('INVALID_INPUT')
    expect(await code({ id: 999 })).toBe('TIER_NOT_FOUND')
  })

  test('agents are found by part of their name and by tier', async () => {
    const { agent: made } = await create({ name: 'Nid Shop', tierId: TIER.id })
    const find = async (query: Record<string, unknown>) =>
      (await it.as('manager').call(contract.listAgents, { query })).rows.map(row => row.uid)
    expect(await find({ name: 'nid s' })).toEqual([made.uid])
    expect(await find({ name: 'nid s', tier: [999] })).toEqual([])
    expect(await find({ name: '%' })).toEqual([])
    const listed = await it.as('manager').call(contract.listTiers, {})
    expect(listed.find(each => each.id === TIER.id)!.agentCount).toBeGreaterThanOrEqual(2)
    const people = await it.as('manager').call(contract.searchUsersForTier, { query: { name: 'test.shop' } })
    expect(people.every(person => !['manager', 'admin'].includes(person.role))).toBe(true)
  })
})

describe('benefits', () => {
  const save = (details: object[], packageId: number = fixture.pubg.package, uid = 'manager', allowsFree = false) =>
    it.as(uid).codeOf(contract.saveBenefits, { body: { rows: [{ packageId, details }], allowsFree } as never })
  const cell = (discountSatang: number, isActived = true) => ({ tierId: TIER.id, discountSatang, isActived })
  const price = async () => {
    const params = { gameCode: 'pubg', packageId: fixture.pubg.package, playerId: '1', paymentCode: 'wallet' as const }
    return (await it.as('agent').call(getPrice, { params })).priceSatang
  }

  test('a saved discount holds for the next purchase; an inactive one does not', async () => {
    expect(await save([cell(1_250)])).toBe('OK')
    expect(await price()).toBe(fixture.pubg.walletSatang - 1_250)
    expect(await save([cell(1_250, false)])).toBe('OK')
    expect(await price()).toBe(fixture.pubg.walletSatang)
    const rows = await auditOf(`discount:${fixture.pubg.package}`)
    expect(rows.at(-1)).toMatchObject({
      before: { [`tier:${TIER.id}`]: { discountSatang: 1_250, isActive: true } },
      after: { [`tier:${TIER.id}`]: { discountSatang: 1_250, isActive: false } },
    })
  })

  test('0 to 500 baht and never above the price; all cells or none', async () => {
    expect(await save([cell(50_001)])).toBe('INVALID_INPUT')
    expect(await save([cell(-1)])).toBe('INVALID_INPUT')
    const free = [cell(fixture.pubg.walletSatang)]
    expect(await save(free)).toBe('DISCOUNT_MAKES_FREE')
    expect(await price()).toBe(fixture.pubg.walletSatang)
    const asked = { rows: [{ packageId: fixture.pubg.package, details: free }], allowsFree: true }
    await giveWord(it, 'admin', await wordOf(it.as('manager'), contract.saveBenefits, { body: asked }))
    expect(await price()).toBe(0)
    const above = fixture.pubg.walletSatang + 1
    const sent = it.as('manager').call(contract.saveBenefits, {
      body: {
        rows: [
          { packageId: 8, details: [cell(100)] },
          { packageId: 1, details: [cell(above)] },
        ],
      },
    })
    await expect(sent).rejects.toMatchObject({
      code: 'DISCOUNT_ABOVE_PRICE',
      details: { cells: [{ packageId: 1, tierId: TIER.id }] },
    })
    const grid = await it.as('manager').call(contract.listBenefits, { query: { package: 'wallet only' } })
    expect(grid.rows[0]!.details.find(each => each.tierId === TIER.id)!.discountSatang).toBe(0)
    expect(await save([cell(0)], fixture.mlbb.package)).toBe('PACKAGE_NOT_FOUND')
    expect(await save([{ tierId: 999, discountSatang: 0, isActived: true }])).toBe('TIER_NOT_FOUND')
    expect(await save([cell(0)], 1, 'staff')).toBe('FORBIDDEN')
  })

  test('the grid has a row per package with a wallet price and a column per active tier', async () => {
    const grid = await it.as('manager').call(contract.listBenefits, { query: { game: [fixture.pubg.id] } })
    expect(grid.rows.map(row => row.package)).toEqual(['325 UC', 'wallet only'])
    expect(grid.tiers.map(each => each.name)).not.toContain('Closed')
    for (const row of grid.rows) expect(row.details.map(each => each.tierId)).toEqual(grid.tiers.map(each => each.id))
  })
})
