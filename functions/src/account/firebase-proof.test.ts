import * as contract from '@shop/shared/account/endpoints.ts'
import { listAudit } from '@shop/shared/audit/endpoints.ts'
import { confirmPrice, getOrder, listWaitingOrders } from '@shop/shared/order/endpoints.ts'
import { listOwnOrders } from '@shop/shared/order/own-endpoints.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FirebaseSession, nextSecond, openTestFirebase, type TestFirebase } from '../testing/firebase.ts'
import { fixture } from '../testing/fixture.ts'
import { addKey } from '../testing/machine.ts'
import { createTestShop, onceKey, type TestShop } from '../testing/shop.ts'
import { addWallet } from '../testing/wallet.ts'
import { insertLineLink } from './line-store.ts'
import { findAccount } from './store.ts'

/**
 * A stranger registers with somebody's address; its owner comes later. With the Auth emulator, whose merges and resets are
 * the hard part.
 */
let it: TestShop
let firebase: TestFirebase
beforeAll(async () => {
  firebase = await openTestFirebase()
  it = await createTestShop({ FIREBASE_AUTH_EMULATOR_HOST: firebase.host })
  it.shop.identityProvider = firebase.identity
  it.shop.now = () => new Date()
})
afterAll(() => it?.db.close())

const as = ({ idToken }: FirebaseSession) => it.as(null, { authorization: `Bearer ${idToken}` })
const sync = (session: FirebaseSession, body = {}) => as(session).call(contract.syncAccount, { body })
const syncCode = (session: FirebaseSession) => as(session).codeOf(contract.syncAccount, { body: {} })
const meCode = (session: FirebaseSession) => as(session).codeOf(contract.getMe, {})

let count = 0
let email: string
let stranger: FirebaseSession
beforeEach(async () => {
  email = `owner${++count}@example.com`
  stranger = await firebase.signUp(email, 'strangers-1')
  await sync(stranger, { username: 'me', name: 'คน', surname: 'แปลกหน้า', tel: '0812345678' })
})
const google = () => firebase.withIdp('google.com', `google-${count}`, email)

/** As it was possible before linking asked for a proven address. */
const sub = () => `U${String(count).padStart(32, '0')}`
const linkStrangersLine = () => insertLineLink(it.db, { sub: sub(), uid: stranger.localId, now: new Date() })
async function signInWithLine(): Promise<FirebaseSession> {
  const [link] = await it.db.query<{ linkedAt: Date }>({
    text: `SELECT linked_at AS "linkedAt" FROM linked_identity WHERE subject = $1`,
    values: [sub()],
  })
  const claims = link ? { lineLink: link.linkedAt.getTime() } : {}
  return firebase.signInWithCustomToken(await firebase.identity.createCustomToken(stranger.localId, claims))
}
const hasLink = async () => (await findAccount(it.db, stranger.localId))?.lineLinkedAt !== null

const buy = (session: FirebaseSession) =>
  as(session).call(confirmPrice, {
    body: {
      gameId: fixture.pubg.id,
      packageId: fixture.pubg.package,
      playerId: '5123456789',
      termsVersion: '1',
      receivingAccountId: fixture.accounts.promptPay,
    },
    idempotencyKey: onceKey(),
  })

describe('a Google sign-in with the address', () => {
  test('takes the account as if it were new: profile, ways in, sessions and orders of the stranger are gone', async () => {
    const order = await buy(stranger)
    await linkStrangersLine()
    await as(stranger).call(contract.acceptTerms, { body: { version: '1' } })
    await addKey(it, stranger.localId)
    await nextSecond()
    const renewed = await firebase.renew(stranger)
    const owner = await google()
    expect(owner.localId).toBe(stranger.localId)
    expect(await meCode(owner)).toBe('SIGN_IN_THEN_LINK')
    expect(await sync(owner)).toMatchObject({
      email,
      emailVerified: true,
      providers: ['google.com'],
      username: email,
      tel: null,
      name: 'Nid',
      surname: 'Dee',
      role: 'customer',
      isActived: null,
    })
    expect(await meCode(owner)).toBe('OK')
    expect((await as(owner).call(listOwnOrders, {})).total).toBe(0)
    expect(await as(owner).call(listWaitingOrders, {})).toEqual([])
    expect(await as(owner).codeOf(getOrder, { params: { orderNo: order.orderNo } })).toBe('ORDER_NOT_FOUND')
    const kept = await it.db.query({
      text: 'SELECT 1 FROM terms_acceptance WHERE owner_key = $1',
      values: [`u:${owner.localId}`],
    })
    expect(kept).toEqual([])
    const keys = await it.db.query({
      text: 'SELECT ended_for, ended_by FROM reseller_key WHERE uid = $1',
      values: [owner.localId],
    })
    expect(keys).toEqual([{ ended_for: 'account', ended_by: null }])

    expect(await hasLink()).toBe(false)
    expect(await meCode(stranger)).toBe('SESSION_REVOKED')
    expect(await meCode(renewed)).toBe('SESSION_REVOKED')
    expect((await firebase.signIn(email, 'strangers-1')).error?.message).toMatch(/INVALID/)
    expect(await firebase.identity.findUser(owner.localId)).toMatchObject({
      providers: ['google.com'],
      emailVerified: true,
    })
    const { rows } = await it
      .as('admin', adminNow())
      .call(listAudit, { query: { subject: `account:${owner.localId}` } })
    expect(rows).toMatchObject([
      {
        action: 'account.takeOver',
        before: { username: 'me', familyName: 'แปลกหน้า', providers: ['password', 'line'] },
      },
    ])
  })

  test('lasts: the owner signs in again, a repeated sync changes nothing more', async () => {
    const owner = await google()
    const first = await sync(owner)
    expect(await sync(owner)).toEqual(first)
    expect(await sync(await google())).toEqual(first)
  })

  test.each([
    ['a wallet', (uid: string) => addWallet(it.db, { uid, balanceSatang: 0, pin: null, now: new Date() })],
    [
      'a role',
      (uid: string) => it.db.query({ text: `UPDATE account SET role = 'agent' WHERE uid = $1`, values: [uid] }),
    ],
  ])('gets nothing of an account with %s, and is told to sign in the old way', async (_, give) => {
    await give(stranger.localId)
    const before = await findAccount(it.db, stranger.localId)
    const owner = await google()
    expect([await syncCode(owner), await meCode(owner)]).toEqual(['SIGN_IN_THEN_LINK', 'SIGN_IN_THEN_LINK'])
    const after = await findAccount(it.db, stranger.localId)
    expect({ ...after, tokensValidAfter: null }).toEqual({ ...before, tokensValidAfter: null })
  })

  test('does not lift a ban', async () => {
    await it.db.query({ text: `UPDATE account SET status = 'inactive' WHERE uid = $1`, values: [stranger.localId] })
    expect(await syncCode(await google())).toBe('ACCOUNT_INACTIVE')
  })

  test("proves nothing with another address: a stranger's own Google, linked at Firebase, opens nothing", async () => {
    const linked = await firebase.withIdp('google.com', `other-${count}`, 'stranger@example.com', stranger.idToken)
    expect(linked.localId).toBe(stranger.localId)
    await firebase.verifyByMail(stranger, email)
    const session = await firebase.withIdp('google.com', `other-${count}`, 'stranger@example.com')
    expect(session.localId).toBe(stranger.localId)
    expect(await syncCode(session)).toBe('SIGN_IN_THEN_LINK')
    expect((await findAccount(it.db, stranger.localId))?.providers).toEqual(['password'])
  })
})

describe('while the address is unproven', () => {
  test('nothing is linked to it', async () => {
    const link = as(stranger)
    expect(await link.codeOf(contract.startLink, { body: { provider: 'facebook.com' } })).toBe('EMAIL_UNPROVEN')
    expect(await link.codeOf(contract.linkLine, { body: { idToken: 'x' } })).toBe('EMAIL_UNPROVEN')
  })

  test('a LINE identity linked before that rule does not sign in to it', async () => {
    await linkStrangersLine()
    const session = await signInWithLine()
    const body = { password: 'strangers-2' }
    expect(await as(session).codeOf(contract.changePassword, { body })).toBe('SESSION_REVOKED')
    expect(await syncCode(session)).toBe('SESSION_REVOKED')
  })
})

describe('the first proof by mail', () => {
  test("the owner's reset ends the stranger's sessions, LINE and password", async () => {
    await linkStrangersLine()
    const fromLine = await signInWithLine()
    await nextSecond()
    await firebase.resetByMail(email, 'the-owners-1')
    const renewed = await firebase.renew(stranger)
    const owner = await firebase.signIn(email, 'the-owners-1')
    expect(await sync(owner)).toMatchObject({ emailVerified: true, providers: ['password'] })
    for (const old of [stranger, renewed, fromLine, await signInWithLine()]) {
      const body = { password: 'strangers-2' }
      expect(await as(old).codeOf(contract.changePassword, { body })).toBe('SESSION_REVOKED')
      expect(await as(old).codeOf(contract.linkLine, { body: { idToken: 'x' } })).toBe('SESSION_REVOKED')
    }
    expect(await hasLink()).toBe(false)
    expect(await meCode(owner)).toBe('OK')
    expect(await as(owner).codeOf(contract.startLink, { body: { provider: 'google.com' } })).toBe('OK')
  })

  test("before the owner's first call the stranger can not renew the session with a proven address either", async () => {
    await nextSecond()
    await firebase.resetByMail(email, 'the-owners-1')
    expect(await syncCode(await firebase.renew(stranger))).toBe('SESSION_REVOKED')
    expect((await findAccount(it.db, stranger.localId))?.emailVerified).toBe(false)
  })

  test('a verification ends older sessions and links, and keeps the session that brought it', async () => {
    await linkStrangersLine()
    await nextSecond()
    const second = await firebase.signIn(email, 'strangers-1')
    await firebase.verifyByMail(second, email)
    expect(await sync(await firebase.renew(second))).toMatchObject({ emailVerified: true, providers: ['password'] })
    expect([await meCode(stranger), await meCode(second), await hasLink()]).toEqual(['SESSION_REVOKED', 'OK', false])
  })

  test('counts anew when the account had moved to the address of somebody else', async () => {
    const own = `stranger${count}@example.com`
    const first = await firebase.signUp(own, 'strangers-1')
    await firebase.verifyByMail(first, own)
    const proven = await firebase.signIn(own, 'strangers-1')
    await sync(proven)
    await as(proven).call(contract.startLink, { body: { provider: 'facebook.com' } })
    const linked = await firebase.withIdp('facebook.com', `fb-${count}`, 'fb@example.com', proven.idToken)
    expect((await sync(linked)).providers).toEqual(['password', 'facebook.com'])
    const target = `target${count}@example.com`
    await firebase.auth('update', { idToken: linked.idToken, email: target })
    await nextSecond()
    await firebase.resetByMail(target, 'the-owners-1')
    expect(await sync(await firebase.signIn(target, 'the-owners-1'))).toMatchObject({
      email: target,
      providers: ['password'],
    })
    expect(await meCode(linked)).not.toBe('OK')
  })
})

describe('a proven account', () => {
  let owner: FirebaseSession
  beforeEach(async () => {
    await firebase.verifyByMail(stranger, email)
    await nextSecond()
    owner = await firebase.signIn(email, 'strangers-1')
    await sync(owner)
    await linkStrangersLine()
  })

  test('a reset by mail ends older sessions and what was linked before', async () => {
    const fromLine = await signInWithLine()
    expect(await meCode(fromLine)).toBe('OK')
    await nextSecond()
    await firebase.resetByMail(email, 'forgotten-2')
    await sync(await firebase.signIn(email, 'forgotten-2'))
    expect([await meCode(owner), await meCode(fromLine), await hasLink()]).toEqual([
      'SESSION_REVOKED',
      'SESSION_REVOKED',
      false,
    ])
  })

  test('sessions that the shop itself ended are no reset: LINE stays linked', async () => {
    await nextSecond()
    await as(owner).call(contract.changePassword, {
      body: { password: 'my-very-own-2', keep: { keys: [], webhooks: [], links: ['line'] } },
    })
    await nextSecond()
    await sync(await firebase.signIn(email, 'my-very-own-2'))
    expect(await hasLink()).toBe(true)
  })

  test('the session of a LINE identity ends with its link, and a link made anew does not revive it', async () => {
    const fromLine = await signInWithLine()
    expect((await as(fromLine).call(contract.syncAccount, { body: {} })).providers).toEqual(['password', 'line'])
    await as(owner).call(contract.unlinkProvider, { params: { provider: 'line' } })
    const isRefused = async (session: FirebaseSession) => {
      const relink = as(session).codeOf(contract.linkLine, { body: { idToken: 'x' } })
      return [await meCode(session), await syncCode(session), await relink]
    }
    expect(await isRefused(fromLine)).toEqual(Array(3).fill('SESSION_REVOKED'))
    await linkStrangersLine()
    expect(await isRefused(await firebase.renew(fromLine))).toEqual(Array(3).fill('SESSION_REVOKED'))
    expect(await meCode(await signInWithLine())).toBe('OK')
  })
})

/** Fixture people sign in at the machine's time here, which the test shop's own clock does not follow. */
function adminNow(): Record<string, string> {
  it.clock.now = new Date()
  return { authorization: it.as('admin').headers.authorization! }
}
