import * as contract from '@shop/shared/account/endpoints.ts'
import { listRoles } from '@shop/shared/account/rank-endpoints.ts'
import { getAccountRecord } from '@shop/shared/account/record-endpoints.ts'
import { listAudit } from '@shop/shared/audit/endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { type Caller, ROLES, type Role } from '@shop/shared/permissions.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findAccount } from '../account/store.ts'
import { addKey } from '../testing/machine.ts'
import { createMemoryIdentity } from '../testing/memory-identity.ts'
import { addAccount, createTestShop, type TestShop, tokenFor } from '../testing/shop.ts'
import { addWallet } from '../testing/wallet.ts'
import { giveWord, wordOf } from '../testing/words.ts'

let it: TestShop
let identity: ReturnType<typeof createMemoryIdentity>
beforeAll(async () => {
  it = await createTestShop()
  identity = createMemoryIdentity()
  it.shop.identityProvider = identity
})
afterAll(() => it.db.close())

/** A fresh account of a role for each test. */
let count = 0
let target: string
beforeEach(() => {
  target = `target-${++count}`
})
const addTarget = (role: Role = 'customer', change = {}) => addAccount(it, target, role, change)

const setRole = (actor: string, body: { uid: string; role: string; isActived: boolean | null }) =>
  it.as(actor).codeOf(contract.setUserRole, { body: body as never })

const auditOf = async (uid: string) => {
  const { rows } = await it.as('admin').call(listAudit, { query: { subject: `account:${uid}` } })
  return rows.map(({ actorUid, actorRole, action, before, after }) => ({ actorUid, actorRole, action, before, after }))
}

describe('setUserRole', () => {
  test('changes role and status, ends every session, tells the identity provider, leaves an audit entry', async () => {
    await addTarget()
    const changed = await it.as('manager').call(contract.setUserRole, {
      body: { uid: target, role: 'agent', isActived: true },
    })
    expect(changed).toMatchObject({ role: 'agent', roleName: 'ตัวแทน', isActived: true })
    const before = tokenFor(target, new Date(it.clock.now.getTime() - 60_000))
    const old = it.as(target, { authorization: `Bearer ${before}` })
    expect(await old.codeOf(contract.getMe, {})).toBe('SESSION_REVOKED')
    expect(await it.as(target).codeOf(contract.getMe, {})).toBe('OK')
    expect(identity.users.get(target)).toMatchObject({
      claims: { role: 'agent', ispasswordchange: true, ispinchange: true },
      revocations: 1,
      isDisabled: false,
    })
    expect(await auditOf(target)).toEqual([
      {
        actorUid: 'manager',
        actorRole: 'manager',
        action: 'account.setRole',
        before: { role: 'customer', status: 'active' },
        after: { role: 'agent', status: 'active' },
      },
    ])
  })

  test('an inactive person is refused everywhere and disabled at the identity provider; activating undoes it', async () => {
    await addTarget()
    expect(await setRole('manager', { uid: target, role: 'customer', isActived: false })).toBe('OK')
    expect(await it.as(target).codeOf(contract.getMe, {})).toBe('ACCOUNT_INACTIVE')
    expect(identity.users.get(target)?.isDisabled).toBe(true)
    expect(await setRole('manager', { uid: target, role: 'customer', isActived: null })).toBe('OK')
    expect(identity.users.get(target)?.isDisabled).toBe(false)
    expect((await findAccount(it.db, target))?.status).toBe('pending')
  })

  test('saving what is already so ends no session and leaves no entry', async () => {
    await addTarget()
    expect(await setRole('manager', { uid: target, role: 'customer', isActived: true })).toBe('OK')
    expect((await findAccount(it.db, target))?.tokensValidAfter).toBeNull()
    expect(await auditOf(target)).toEqual([])
  })

  const ranks: [Caller, Role[]][] = [
    ['customer', []],
    ['agent', []],
    ['staff', []],
    ['manager', ['staff', 'agent', 'customer']],
    ['admin', [...ROLES]],
  ]
  test.each(ranks)('a %s gives and edits exactly %j', async (actor, allowed) => {
    for (const role of ROLES) {
      const [given, held] = [`${target}-gets-${role}`, `${target}-is-${role}`]
      await addAccount(it, given, 'customer')
      await addAccount(it, held, role)
      const giving = await setRole(actor, { uid: given, role, isActived: true })
      const editing = await setRole(actor, { uid: held, role: 'customer', isActived: true })
      const refusal = actor === 'manager' ? 'ROLE_NOT_ASSIGNABLE' : 'FORBIDDEN'
      // An admin more is two admins' word.
      const answer = allowed.includes(role) ? (role === 'admin' ? 'SECOND_WORD_NEEDED' : 'OK') : refusal
      expect([role, giving]).toEqual([role, answer])
      // So is one less.
      const ended = allowed.includes(role) ? answer : 'FORBIDDEN'
      expect([role, editing]).toEqual([role, ended])
      expect((await findAccount(it.db, given))?.role).toBe(answer === 'OK' ? role : 'customer')
      expect((await findAccount(it.db, held))?.role).toBe(ended === 'OK' ? 'customer' : role)
    }
  })

  test('an address that nobody has proven gets no rank: whoever registered it may be anybody', async () => {
    await addTarget('customer', { emailVerified: false })
    expect(await setRole('admin', { uid: target, role: 'staff', isActived: true })).toBe('EMAIL_UNPROVEN')
    expect((await findAccount(it.db, target))?.role).toBe('customer')
    expect(await setRole('admin', { uid: target, role: 'customer', isActived: false })).toBe('OK')
  })

  test('nobody changes their own role or status, not even an admin', async () => {
    for (const uid of ['customer', 'agent', 'staff', 'manager', 'admin']) {
      expect(await setRole(uid, { uid, role: 'admin', isActived: true })).toBe('FORBIDDEN')
      expect((await findAccount(it.db, uid))?.role).toBe(uid)
    }
  })

  test('roles that do not exist are bad input', async () => {
    await addTarget()
    for (const role of ['root', 'Admin', 'ADMIN', 'guest', '', 'admin ', '__proto__', 'constructor']) {
      expect(await setRole('admin', { uid: target, role, isActived: true })).toBe('INVALID_INPUT')
    }
    expect(await setRole('admin', { uid: 'nobody', role: 'staff', isActived: true })).toBe('NOT_FOUND')
  })

  test('two admins who take the role from each other at the same moment: one stays admin', async () => {
    for (let round = 0; round < 5; round++) {
      const [first, second] = [`${target}-${round}-a`, `${target}-${round}-b`]
      await Promise.all([addAccount(it, first, 'admin'), addAccount(it, second, 'admin')])
      const end = (by: string, uid: string) =>
        wordOf(it.as(by), contract.setUserRole, { body: { uid, role: 'customer', isActived: true } })
      const words = [await end(first, second), await end(second, first)]
      const given = await Promise.allSettled(words.map(id => giveWord(it, 'admin', id)))
      expect(given.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      const roles = [(await findAccount(it.db, first))?.role, (await findAccount(it.db, second))?.role]
      expect(roles.toSorted()).toEqual(['admin', 'customer'])
    }
  })

  test('when the identity provider is down the shop has decided already and a repeat heals the rest', async () => {
    await addTarget()
    const { setClaims } = identity
    identity.setClaims = () => Promise.reject(new AppError('UNAVAILABLE'))
    expect(await setRole('admin', { uid: target, role: 'staff', isActived: true })).toBe('UNAVAILABLE')
    identity.setClaims = setClaims
    expect((await findAccount(it.db, target))?.role).toBe('staff')
    expect(await setRole('admin', { uid: target, role: 'staff', isActived: true })).toBe('OK')
    expect(identity.users.get(target)?.claims?.role).toBe('staff')
  })
})

describe('updateUser', () => {
  const update = (actor: string, body: Record<string, unknown>) =>
    it.as(actor).codeOf(contract.updateUser, { body: body as never })

  test('the owner changes names and phone; the phone is stored as E.164, an empty one is cleared', async () => {
    await addTarget()
    const input = { firstName: ' กานดา ', lastName: 'ใจดี', phoneNumber: '081-234 5678' }
    const me = await it.as(target).call(contract.updateUser, { body: input })
    expect(me).toMatchObject({ name: 'กานดา', surname: 'ใจดี', tel: '+66812345678', displayName: 'กานดา ใจดี' })
    const cleared = await it.as(target).call(contract.updateUser, { body: { phoneNumber: '' } })
    expect(cleared).toMatchObject({ name: 'กานดา', tel: null })
    expect(await auditOf(target)).toEqual([])
  })

  test('any other form of phone number is an error, never silently empty', async () => {
    await addTarget()
    for (const phoneNumber of ['12345', '+1 650 253 0000', '08123456789', 'phone', '+66081234567']) {
      expect([phoneNumber, await update(target, { phoneNumber })]).toEqual([phoneNumber, 'PHONE_INVALID'])
    }
  })

  test('role, status, email and flags in the body change nothing', async () => {
    await addTarget()
    const forged = { role: 'admin', isActived: false, email: 'x@x.test', mustChangePin: true, reward: 99, uid: target }
    expect(await update(target, { firstName: 'A', ...forged })).toBe('OK')
    expect(await findAccount(it.db, target)).toMatchObject({
      role: 'customer',
      status: 'active',
      email: `${target}@test.shop`,
      mustChangePin: false,
    })
  })

  test('a display name alone goes to the identity provider; the account stays as it was', async () => {
    await addTarget()
    const before = await findAccount(it.db, target)
    expect(await update(target, { displayName: 'กานดา' })).toBe('OK')
    expect(identity.users.get(target)?.displayName).toBe('กานดา')
    expect(await update('manager', { uid: target, displayName: 'Kanda' })).toBe('OK')
    expect(identity.users.get(target)?.displayName).toBe('Kanda')
    expect([await findAccount(it.db, target), await auditOf(target)]).toEqual([before, []])
  })

  test("a manager changes a customer's profile with an audit entry, never an admin's", async () => {
    await addTarget()
    expect(await update('manager', { uid: target, firstName: 'B', phoneNumber: '0812345678' })).toBe('OK')
    expect(await auditOf(target)).toMatchObject([
      {
        action: 'account.updateProfile',
        before: { givenName: target, phone: null },
        after: { givenName: 'B', phone: '+66812345678' },
      },
    ])
    for (const body of [{ firstName: 'X' }, { displayName: 'X' }, {}]) {
      expect(await update('manager', { uid: 'admin', ...body })).toBe('FORBIDDEN')
    }
    expect(await update('staff', { uid: target, firstName: 'C' })).toBe('FORBIDDEN')
    expect(await update('agent', { uid: target, firstName: 'C' })).toBe('NOT_FOUND')
    expect((await findAccount(it.db, target))?.givenName).toBe('B')
  })
})

describe('a password given by staff', () => {
  const reset = (actor: string, uid: string, password = 'first-Pass-1') =>
    it.as(actor).codeOf(contract.updateUserAuthentication, { body: { uid, password } })

  test('must be changed before anything else, to another one, by somebody who just signed in', async () => {
    await addTarget('agent')
    expect(await reset('manager', target)).toBe('OK')
    expect(identity.users.get(target)).toMatchObject({ password: 'first-Pass-1', revocations: 1 })
    it.clock.advance(1)
    expect(await it.as(target).codeOf(contract.linkLine, { body: { idToken: 'x' } })).toBe('PASSWORD_CHANGE_REQUIRED')
    const change = (password: string, ageSeconds = 0) => {
      const token = tokenFor(target, new Date(it.clock.now.getTime() - ageSeconds * 1000))
      return it.as(target, { authorization: `Bearer ${token}` }).codeOf(contract.changePassword, { body: { password } })
    }
    expect(await change('first-Pass-1')).toBe('PASSWORD_SAME')
    it.clock.advance(301)
    expect(await change('my-Own-Pass-2', 301)).toBe('RECENT_SIGN_IN_REQUIRED')
    expect(await change('short')).toBe('INVALID_INPUT')
    expect(await change('my-Own-Pass-2', 300)).toBe('OK')
    expect(identity.users.get(target)).toMatchObject({ password: 'my-Own-Pass-2', claims: { ispasswordchange: true } })
    expect(await change('my-Own-Pass-3', 1)).toBe('SESSION_REVOKED')
    expect(await it.as(target).codeOf(contract.linkLine, { body: { idToken: 'x' } })).toBe('LINE_UNAVAILABLE')
  })

  test('is in no audit entry and no answer', async () => {
    await addTarget('agent')
    const answer = await it.as('manager').call(contract.updateUserAuthentication, {
      body: { uid: target, password: 'first-Pass-1' },
    })
    const entries = await auditOf(target)
    expect(entries).toMatchObject([{ action: 'account.resetPassword', after: { mustChangePassword: true } }])
    expect(JSON.stringify([answer, entries])).not.toMatch(/first-Pass-1|argon2/)
  })

  test('is not for admins by managers, not for oneself, not for people without password sign-in', async () => {
    expect(await reset('manager', 'admin')).toBe('FORBIDDEN')
    expect(await reset('manager', 'manager')).toBe('FORBIDDEN')
    expect(await reset('staff', 'customer')).toBe('FORBIDDEN')
    const fromLine = `line:${target}`
    await addAccount(it, fromLine, 'customer')
    await it.db.query({ text: `UPDATE account SET providers = '{}' WHERE uid = $1`, values: [fromLine] })
    expect(await reset('manager', fromLine)).toBe('NO_PASSWORD_SIGN_IN')
    const body = { password: 'long-enough-1' }
    expect(await it.as(fromLine).codeOf(contract.changePassword, { body })).toBe('NO_PASSWORD_SIGN_IN')
  })
})

test('setCustomAgentClaims only makes agents change something, it never waives it', async () => {
  await addTarget('agent')
  const force = (uid: string, body: Record<string, unknown>) =>
    it.as('manager').codeOf(contract.setCustomAgentClaims, { body: { uid, ...body } as never })
  expect(await force(target, { ispinchange: false })).toBe('OK')
  expect(await findAccount(it.db, target)).toMatchObject({ mustChangePin: true, mustChangePassword: false })
  expect(identity.users.get(target)?.claims).toMatchObject({ ispinchange: false, ispasswordchange: true })
  expect(await force(target, { ispinchange: true })).toBe('INVALID_INPUT')
  expect(await force('customer', { ispinchange: false })).toBe('AGENT_NOT_FOUND')
  expect(await auditOf(target)).toMatchObject([{ before: { mustChangePin: false }, after: { mustChangePin: true } }])
})

describe('looking at accounts', () => {
  const search = (query: Record<string, unknown>) =>
    it.as('staff').call(contract.searchUsers, { query: query as never })

  test('the list finds parts of names in any case, filters by roles, pages newest first', async () => {
    await addTarget()
    it.clock.advance(1)
    await it.as(target).call(contract.updateUser, { body: { firstName: 'สมหญิงไม่ซ้ำ', lastName: 'Zeta' } })
    for (const name of ['หญิงไม่ซ้ำ', 'zETA', `${target}@TEST`]) {
      expect((await search({ name })).rows.map(row => row.uid)).toEqual([target])
    }
    expect((await search({ name: target })).rows[0]).toMatchObject({ orders: 0, spentSatang: 0, lastOrderAt: null })
    expect((await search({ name: '%' })).total).toBe(0)
    expect((await search({ name: target, roles: ['agent', 'staff'] })).total).toBe(0)
    expect((await search({ name: target, roles: 'customer' })).total).toBe(1)
    const [first, second] = [await search({ pageSize: 3 }), await search({ pageSize: 3, page: 2 })]
    const both = [...first.rows, ...second.rows]
    expect(new Set(both.map(row => row.uid)).size).toBe(6)
    expect(both.map(row => row.createdDate)).toEqual(
      both
        .map(row => row.createdDate)
        .toSorted()
        .toReversed(),
    )
    expect(first.total).toBe(second.total)
  })

  test('a whole phone number in any form finds its person, and so does the id of their LINE', async () => {
    const [linked, own] = ['1', '2'].map(digit => `U${digit.repeat(32)}`)
    await addTarget()
    await addAccount(it, `line:${own}`, 'customer')
    await it.db.query({ text: `UPDATE account SET phone = '+66812345670' WHERE uid = $1`, values: [target] })
    await it.db.query({
      text: `INSERT INTO linked_identity (provider, subject, uid, linked_at) VALUES ('line', $1, $2, now())`,
      values: [linked, target],
    })
    const found = async (name: string) => (await search({ name })).rows.map(({ uid }) => uid)
    for (const name of ['081-234-5670', '+66 81 234 5670', linked!]) expect(await found(name)).toEqual([target])
    expect(await found(own!)).toEqual([`line:${own}`])
    expect([await found('081-234-567'), await found(`U${'3'.repeat(32)}`)]).toEqual([[], []])
  })

  test('managers see when somebody last signed in, and what of theirs the shop holds', async () => {
    await addTarget('agent')
    const look = () => it.as('manager').call(getAccountRecord, { params: { uid: target } })
    const nothing = { lastSignInAt: null, walletSatang: null, creditSatang: null, keys: 0 }
    expect(await look()).toEqual(nothing)
    await identity.updateUser(target, {})
    identity.users.get(target)!.lastSignInAt = it.clock.now
    await addWallet(it.db, { uid: target, balanceSatang: 12_300, pin: null, now: it.clock.now })
    await addKey(it, target)
    const lastSignInAt = it.clock.now.toISOString()
    expect(await look()).toEqual({ ...nothing, lastSignInAt, walletSatang: 12_300, keys: 1 })
    expect(await it.as('staff').codeOf(getAccountRecord, { params: { uid: target } })).toBe('FORBIDDEN')
    expect(await it.as('manager').codeOf(getAccountRecord, { params: { uid: 'nobody' } })).toBe('NOT_FOUND')
  })

  test('one account: staff see any, everybody sees themselves, others and unknown ones are not there', async () => {
    const look = (actor: string, uid: string) => it.as(actor).codeOf(contract.getUser, { params: { uid } })
    expect(await look('staff', 'admin')).toBe('OK')
    expect(await look('customer', 'customer')).toBe('OK')
    expect(await look('customer', 'agent')).toBe('NOT_FOUND')
    expect(await look('agent', 'nobody')).toBe('NOT_FOUND')
    expect(await look('admin', 'nobody')).toBe('NOT_FOUND')
    const roles = await it.as('staff').call(listRoles, {})
    expect(roles.map(role => role.id)).toEqual([...ROLES])
  })
})

test('the audit list filters by actor, action, subject and Bangkok day, for admins only', async () => {
  await addTarget()
  await setRole('manager', { uid: target, role: 'agent', isActived: true })
  const list = (query: Record<string, unknown>) => it.as('admin').call(listAudit, { query: query as never })
  const subject = `account:${target}`
  expect(
    (await list({ subject, actor: 'manag', action: 'account.', from: '2026-11-20', to: '2026-11-20' })).total,
  ).toBe(1)
  expect((await list({ subject, actor: 'admin' })).total).toBe(0)
  expect((await list({ subject, action: 'order.' })).total).toBe(0)
  expect((await list({ subject, from: '2026-11-21' })).total).toBe(0)
  expect((await list({ subject, to: '2026-11-19' })).total).toBe(0)
  expect((await list({ subject })).rows[0]).toMatchObject({ actorName: 'manager' })
})
