import * as contract from '@shop/shared/account/endpoints.ts'
import { resetPin } from '@shop/shared/account/pin-endpoints.ts'
import { listAudit } from '@shop/shared/audit/endpoints.ts'
import { makeChatCode } from '@shop/shared/chat/endpoints.ts'
import { demoLine } from 'local/line-emulator/demo.ts'
import { type RunningLineEmulator, startLineEmulator } from 'local/line-emulator/server.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findAccount } from '../account/store.ts'
import { useCode } from '../chat/binding.ts'
import { findPresser } from '../chat/presser.ts'
import type { createMemoryIdentity } from '../testing/memory-identity.ts'
import { addAccount, createTestShop, type TestShop, tokenFor } from '../testing/shop.ts'
import { linkLine } from './links.ts'

const { loginChannel, users } = demoLine
/** The LINE of whoever had the password for a while. */
const sub = users.stranger.userId
const OWNER = 'owner'

let it: TestShop
let line: RunningLineEmulator
let people: ReturnType<typeof createMemoryIdentity>['users']
beforeEach(async () => {
  line = await startLineEmulator({ port: 0, now: () => it?.clock.now.getTime() ?? Date.now() })
  it = await createTestShop({
    LINE_API_BASE_URL: line.origin,
    LINE_LOGIN_CHANNEL_ID: loginChannel.id,
    LINE_LOGIN_CHANNEL_SECRET: loginChannel.secret,
  })
  people = (it.shop.identityProvider as ReturnType<typeof createMemoryIdentity>).users
  await addAccount(it, OWNER, 'staff')
  await it.shop.identityProvider.updateUser(OWNER, { password: 'known-to-2' })
})
afterEach(async () => {
  await Promise.all([line.stop(), it.db.close()])
})

const by = (provider: string, change: Record<string, unknown> = {}) =>
  it.as(OWNER, {
    authorization: `Bearer ${tokenFor(OWNER, it.clock.now, { firebase: { sign_in_provider: provider }, ...change })}`,
  })

async function addLine(): Promise<void> {
  const body = { idToken: await line.control.issueIdToken(sub) }
  await by('password').call(contract.linkLine, { body })
}

/** The identity provider links it; the shop hears of it with the next sign-in. */
async function addAtProvider(provider: 'google.com' | 'facebook.com', email: string): Promise<void> {
  await by('password').call(contract.startLink, { body: { provider } })
  const user = people.get(OWNER)!
  user.providers.push(provider)
  user.saidBy = { ...user.saidBy, [provider]: { email, name: null } }
}

const sync = (provider = 'password') => by(provider).codeOf(contract.syncAccount, { body: {} })

/** Whose session that LINE begins now. */
async function lineSession() {
  // A token of LINE's works once, and those of one second are the same.
  it.clock.advance(1)
  const body = { idToken: await line.control.issueIdToken(sub) }
  const { firebaseToken } = await it.as(null).call(contract.createCustomToken, { body })
  const [, uid, claims] = /^custom-token-for:(.*)#(.*)$/.exec(firebaseToken)!
  return { uid, claims: JSON.parse(claims!) as Record<string, unknown> }
}

const give = (keep?: ('line' | 'google.com')[], actor = 'manager') =>
  it.as(actor).codeOf(contract.updateUserAuthentication, { body: { uid: OWNER, password: 'first-Pass-1', keep } })
const remove = (provider: 'line' | 'google.com', actor = 'manager', uid = OWNER) =>
  it.as(actor).codeOf(contract.removeLink, { params: { uid, provider } })
const links = () => it.as('manager').call(contract.listLinks, { params: { uid: OWNER } })

const listNews = async () => {
  const rows = await it.db.query<{ kind: string; way: string | null }>({
    text: `SELECT kind, facts->>'way' AS way FROM owner_news WHERE uid = $1 AND by_shop ORDER BY id`,
    values: [OWNER],
  })
  return rows.map(({ kind, way }) => [kind, way].filter(Boolean).join(' '))
}

async function audited() {
  const { rows } = await it.as('admin').call(listAudit, { query: { subject: `account:${OWNER}` } })
  return rows.map(({ action, before, after }) => ({ action, before, after }))
}

describe('a password given by staff', () => {
  test('takes a LINE away that somebody linked who had the old one: no sign-in, no session, no chat', async () => {
    await addLine()
    const thief = await lineSession()
    expect(thief.uid).toBe(OWNER)
    const session = () => by('custom', thief.claims).codeOf(contract.getMe, {})
    expect(await session()).toBe('OK')
    expect(await findPresser(it.shop, sub)).toMatchObject({ uid: OWNER })
    it.clock.advance(10)

    expect(await give()).toBe('OK')
    // As new as a token can be: what ends it is that its link is gone.
    it.clock.advance(10)
    expect(await session()).toBe('SESSION_REVOKED')
    expect((await lineSession()).uid).toBe(`line:${sub}`)
    expect(await findPresser(it.shop, sub)).toBeNull()
    expect(await listNews()).toEqual(['passwordReset', 'signInUnlinked line'])
    expect(await audited()).toMatchObject([
      {
        action: 'account.resetPassword',
        before: { providers: ['password', 'line'], mustChangePassword: false },
        after: { providers: ['password'], mustChangePassword: true },
      },
    ])
  })

  test('takes Google and Facebook away, here and at the identity provider', async () => {
    await addAtProvider('google.com', 'thief@example.com')
    expect(await sync()).toBe('OK')
    await addAtProvider('facebook.com', 'thief@example.com')
    expect(await sync()).toBe('OK')
    it.clock.advance(10)
    expect(await give()).toBe('OK')
    expect((await findAccount(it.db, OWNER))?.providers).toEqual(['password'])
    expect(people.get(OWNER)).toMatchObject({ providers: ['password'], revocations: 1 })
    it.clock.advance(10)
    expect(await sync('google.com')).toBe('SIGN_IN_THEN_LINK')
  })

  test('takes away what was about to be added: a provider that the shop was not told of, a code for the chat', async () => {
    await addAtProvider('google.com', 'thief@example.com')
    const { code } = await by('password').call(makeChatCode, { body: { purpose: 'person' } })
    it.clock.advance(10)
    expect(await give()).toBe('OK')
    expect(people.get(OWNER)?.providers).toEqual(['password'])
    it.clock.advance(10)
    expect(await sync('google.com')).toBe('SIGN_IN_THEN_LINK')
    const heard = { userId: sub, groupId: null, at: it.clock.now.toISOString() }
    expect(await useCode(it.shop, heard as never, code)).toMatchObject({ kind: 'codeRefused' })
    expect((await lineSession()).uid).toBe(`line:${sub}`)
  })

  test('leaves what whoever gives it knows to be the owner’s, and no session even of that', async () => {
    await addLine()
    await addAtProvider('google.com', 'owner@example.com')
    expect(await sync()).toBe('OK')
    const kept = await lineSession()
    it.clock.advance(10)
    expect(await give(['line'])).toBe('OK')
    expect((await findAccount(it.db, OWNER))?.providers).toEqual(['password'])
    const before = new Date(it.clock.now.getTime() - 10_000).getTime() / 1000
    const old = by('custom', { ...kept.claims, auth_time: before })
    expect(await old.codeOf(contract.getMe, {})).toBe('SESSION_REVOKED')
    expect((await lineSession()).uid).toBe(OWNER)
    expect(await listNews()).toEqual(['passwordReset', 'signInUnlinked google.com'])
  })

  test('can be followed by a new link, which is the owner’s', async () => {
    await addLine()
    it.clock.advance(10)
    expect(await give()).toBe('OK')
    it.clock.advance(10)
    await by('password').call(contract.changePassword, { body: { password: 'my-Own-Pass-2' } })
    it.clock.advance(10)
    await addLine()
    expect((await lineSession()).uid).toBe(OWNER)
  })
})

test('a new PIN takes no link away: who forgot theirs still signs in by LINE', async () => {
  await addLine()
  await it.as('manager').call(resetPin, { params: { uid: OWNER } })
  expect((await lineSession()).uid).toBe(OWNER)
})

describe('one link', () => {
  test('is listed with when it came and what its provider says, and taken away by a manager, not by staff', async () => {
    await addLine()
    const linkedAt = it.clock.now.toISOString()
    it.clock.advance(60)
    await addAtProvider('google.com', 'thief@example.com')
    expect(await sync()).toBe('OK')
    const since = it.clock.now.toISOString()
    it.clock.advance(60)
    expect(await sync()).toBe('OK')
    expect(await links()).toEqual([
      { provider: 'line', linkedAt, email: null },
      { provider: 'google.com', linkedAt: since, email: 'thief@example.com' },
    ])
    expect([await remove('google.com', 'staff'), await remove('google.com', OWNER)]).toEqual(['FORBIDDEN', 'FORBIDDEN'])
    expect([await remove('google.com'), await remove('google.com')]).toEqual(['OK', 'NOT_FOUND'])
    expect(people.get(OWNER)).toMatchObject({ providers: ['password'], revocations: 1 })
    expect(await links()).toMatchObject([{ provider: 'line' }])
    expect(await audited()).toEqual([
      {
        action: 'account.removeLink',
        before: { providers: ['password', 'google.com', 'line'] },
        after: { providers: ['password', 'line'] },
      },
    ])
    expect(await listNews()).toEqual(['signInUnlinked google.com'])
  })

  test('ends every session of the account', async () => {
    await addLine()
    const session = by('password')
    it.clock.advance(10)
    expect(await remove('line')).toBe('OK')
    expect(await session.codeOf(contract.getMe, {})).toBe('SESSION_REVOKED')
  })

  test('of an account above the manager’s rank stays', async () => {
    await addAccount(it, 'second-admin', 'admin')
    expect(await remove('google.com', 'manager', 'second-admin')).toBe('FORBIDDEN')
    expect(await remove('line', 'manager', 'nobody')).toBe('NOT_FOUND')
  })

  test('that is the only way to sign in stays', async () => {
    await it.db.query({ text: `UPDATE account SET providers = '{google.com}' WHERE uid = $1`, values: [OWNER] })
    expect(await links()).toEqual([{ provider: 'google.com', linkedAt: null, email: null }])
    expect(await remove('google.com')).toBe('LAST_SIGN_IN_METHOD')
  })

  test('is not the LINE that an account is; another one that was added to it is', async () => {
    const own = `line:${users.friend.userId}`
    await addAccount(it, own, 'customer')
    await it.db.query({ text: `UPDATE account SET providers = '{}' WHERE uid = $1`, values: [own] })
    const listed = () => it.as('manager').call(contract.listLinks, { params: { uid: own } })
    expect([await listed(), await remove('line', 'manager', own)]).toEqual([[], 'ACCOUNT_IS_LINE'])
    await linkLine(it.shop, { uid: own, sub, now: it.clock.now })
    expect(await listed()).toMatchObject([{ provider: 'line' }])
    expect(await remove('line', 'manager', own)).toBe('OK')
    expect((await lineSession()).uid).toBe(`line:${sub}`)
  })
})
