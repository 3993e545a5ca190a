import * as contract from '@shop/shared/account/endpoints.ts'
import { demoLine } from 'local/line-emulator/demo.ts'
import { startLineEmulator } from 'local/line-emulator/server.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { claimsOf, type FirebaseSession, nextSecond, openTestFirebase, type TestFirebase } from '../testing/firebase.ts'
import { createTestShop, type TestShop } from '../testing/shop.ts'

/** The whole way with Firebase's own tokens and answers, from its Auth emulator. */
let it: TestShop
let firebase: TestFirebase
let line: Awaited<ReturnType<typeof startLineEmulator>>

beforeAll(async () => {
  firebase = await openTestFirebase()
  line = await startLineEmulator({ port: 0 })
  it = await createTestShop({
    FIREBASE_AUTH_EMULATOR_HOST: firebase.host,
    LINE_API_BASE_URL: line.origin,
    LINE_LOGIN_CHANNEL_ID: demoLine.loginChannel.id,
    LINE_LOGIN_CHANNEL_SECRET: demoLine.loginChannel.secret,
  })
  it.shop.identityProvider = firebase.identity
  it.shop.now = () => new Date()
})
afterAll(async () => {
  await Promise.all([line?.stop(), it?.db.close()])
})

const as = ({ idToken }: FirebaseSession) => it.as(null, { authorization: `Bearer ${idToken}` })
const sync = (session: FirebaseSession, body = {}) => as(session).call(contract.syncAccount, { body })

let count = 0
let email: string
beforeEach(() => {
  email = `person${++count}@example.com`
})

describe('registration', () => {
  test('keeps what was filled in, whichever of two tabs syncs first, and counts as changed', async () => {
    const session = await firebase.signUp(email, 'secret-99', '')
    const form = { username: 'nid', name: 'นิด', surname: 'ดี', tel: '0812345678' }
    const filled = { username: 'nid', name: 'นิด', surname: 'ดี', tel: '+66812345678' }
    expect(await sync(session, form)).toMatchObject({
      ...filled,
      email,
      emailVerified: false,
      role: 'customer',
      isActived: null,
      mustChangePassword: false,
      mustChangePin: false,
    })
    const other = { username: 'x', name: 'x', surname: 'x', tel: '0899999999' }
    expect(await sync(session, other)).toMatchObject(filled)
    expect(claimsOf(await firebase.renew(session))).toMatchObject({
      role: 'customer',
      ispasswordchange: true,
      ispinchange: true,
    })
  })

  test('a bad phone number stores nothing', async () => {
    const session = await firebase.signUp(email, 'secret-99')
    expect(await as(session).codeOf(contract.syncAccount, { body: { tel: '12' } })).toBe('PHONE_INVALID')
    expect(await as(session).codeOf(contract.getMe, {})).toBe('NOT_FOUND')
  })

  test('a verified address shows after the next sync', async () => {
    const session = await firebase.signUp(email, 'secret-99')
    expect((await sync(session)).emailVerified).toBe(false)
    await firebase.verifyByMail(session, email)
    expect((await sync(await firebase.signIn(email, 'secret-99'))).emailVerified).toBe(true)
  })
})

describe('a password given by staff', () => {
  test('ends the old sessions, signs in, is changed, and is worth nothing afterwards', async () => {
    const old = await firebase.signUp(email, 'secret-99')
    const { uid } = await sync(old)
    await nextSecond()
    const body = { uid, password: 'given-by-staff-1' }
    const staffAnswer = await it.as('manager', adminNow('manager')).call(contract.updateUserAuthentication, { body })
    expect(staffAnswer.mustChangePassword).toBe(true)
    expect(await as(old).codeOf(contract.getMe, {})).toBe('SESSION_REVOKED')
    expect(await as(await firebase.renew(old)).codeOf(contract.getMe, {})).toBe('SESSION_REVOKED')
    expect((await firebase.signIn(email, 'secret-99')).error?.message).toMatch(/INVALID/)

    const forced = await firebase.signIn(email, 'given-by-staff-1')
    expect(claimsOf(forced)).toMatchObject({ ispasswordchange: false })
    expect(await as(forced).codeOf(contract.linkLine, { body: { idToken: 'x' } })).toBe('PASSWORD_CHANGE_REQUIRED')
    const change = (password: string) => as(forced).codeOf(contract.changePassword, { body: { password } })
    expect(await change('given-by-staff-1')).toBe('PASSWORD_SAME')
    await nextSecond()
    expect(await change('my-very-own-2')).toBe('OK')
    expect((await firebase.signIn(email, 'given-by-staff-1')).error?.message).toMatch(/INVALID/)
    const own = await firebase.signIn(email, 'my-very-own-2')
    expect(claimsOf(own)).toMatchObject({ ispasswordchange: true })
    expect((await as(own).call(contract.getMe, {})).mustChangePassword).toBe(false)
  })

  test('changing it behind the server leaves the account forced', async () => {
    const { uid } = await sync(await firebase.signUp(email, 'secret-99'))
    const body = { uid, password: 'given-by-staff-1' }
    await it.as('manager', adminNow('manager')).call(contract.updateUserAuthentication, { body })
    const forced = await firebase.signIn(email, 'given-by-staff-1')
    const changed = await firebase.auth('update', { idToken: forced.idToken, password: 'my-very-own-2' })
    expect(changed.error).toBeUndefined()
    const own = await firebase.signIn(email, 'my-very-own-2')
    expect(await as(own).codeOf(contract.linkLine, { body: { idToken: 'x' } })).toBe('PASSWORD_CHANGE_REQUIRED')
  })
})

test('a suspended person can neither go on nor sign in; a promoted one gets the claim with the next sign-in', async () => {
  await firebase.verifyByMail(await firebase.signUp(email, 'secret-99'), email)
  const session = await firebase.signIn(email, 'secret-99')
  const { uid } = await sync(session)
  const set = (role: 'staff' | 'customer', isActived: boolean) =>
    it.as('admin', adminNow('admin')).call(contract.setUserRole, { body: { uid, role, isActived } })
  await set('customer', false)
  expect(await as(session).codeOf(contract.getMe, {})).toBe('ACCOUNT_INACTIVE')
  expect((await firebase.signIn(email, 'secret-99')).error?.message).toBe('USER_DISABLED')
  await set('staff', true)
  expect(claimsOf(await firebase.signIn(email, 'secret-99'))).toMatchObject({ role: 'staff' })
})

describe('several ways to sign in', () => {
  test('Google, then Facebook linked by the identity provider, then Facebook taken away', async () => {
    const google = await firebase.withIdp('google.com', `g-${count}`, email)
    expect(await sync(google)).toMatchObject({
      providers: ['google.com'],
      name: 'Nid',
      surname: 'Dee',
      emailVerified: true,
    })
    await as(google).call(contract.startLink, { body: { provider: 'facebook.com' } })
    const linked = await firebase.withIdp('facebook.com', `f-${count}`, email, google.idToken)
    expect((await sync(linked)).providers).toEqual(['google.com', 'facebook.com'])
    const unlink = (provider: 'facebook.com' | 'google.com', session = google) =>
      as(session).codeOf(contract.unlinkProvider, { params: { provider } })
    expect(await unlink('facebook.com', linked)).toBe('OK')
    // A session of the way that is gone is over.
    expect(await unlink('google.com', linked)).toBe('SIGN_IN_THEN_LINK')
    expect((await firebase.identity.findUser(google.localId))?.providers).toEqual(['google.com'])
    expect(await unlink('google.com')).toBe('LAST_SIGN_IN_METHOD')
  })

  test('a merge by email alone opens nothing of an account that is proven, and goes with its next sign-in', async () => {
    const session = await firebase.signUp(email, 'secret-99')
    await firebase.verifyByMail(session, email)
    const password = await firebase.signIn(email, 'secret-99')
    await sync(password)
    const merged = await firebase.withIdp('google.com', `g-${count}`, email)
    expect(merged.localId).toBe(password.localId)
    for (const endpoint of [contract.getMe, contract.syncAccount]) {
      expect(await as(merged).codeOf(endpoint, { body: {} } as never)).toBe('SIGN_IN_THEN_LINK')
    }
    expect((await sync(await firebase.renew(password))).providers).toEqual(['password'])
    expect((await firebase.identity.findUser(password.localId))?.providers).toEqual(['password'])
  })

  test('the token from LINE signs in at Firebase; sync and linking keep both ways', async () => {
    const sub = demoLine.users.friend.userId
    const exchange = async () => {
      const idToken = await line.control.issueIdToken(sub)
      const { firebaseToken } = await it.as(null).call(contract.createCustomToken, { body: { idToken } })
      return firebase.signInWithCustomToken(firebaseToken)
    }
    const session = await exchange()
    expect(claimsOf(session)).toMatchObject({ user_id: `line:${sub}`, role: 'customer' })
    expect(await sync(session)).toMatchObject({
      providers: ['line'],
      name: demoLine.users.friend.displayName,
      email: null,
    })

    await firebase.verifyByMail(await firebase.signUp(email, 'secret-99'), email)
    const account = await firebase.signIn(email, 'secret-99')
    await sync(account)
    await nextSecond()
    await as(account).call(contract.linkLine, { body: { idToken: await line.control.issueIdToken(sub) } })
    expect((await sync(account)).providers).toEqual(['password', 'line'])
    await nextSecond()
    expect((await exchange()).error).toBeUndefined()
    await nextSecond()
    expect(claimsOf(await exchange()).user_id).toBe(account.localId)
  })

  test("LINE with a Google person's address is told so and gets nothing of theirs", async () => {
    const google = await firebase.withIdp('google.com', `g-${count}`, email)
    await sync(google)
    line.state.users.get(demoLine.users.stranger.userId)!.email = email
    const body = { idToken: await line.control.issueIdToken(demoLine.users.stranger.userId) }
    expect(await it.as(null).codeOf(contract.createCustomToken, { body })).toBe('EMAIL_IN_USE')
    expect((await firebase.identity.findUser(google.localId))?.providers).toEqual(['google.com'])
  })
})

test('creating a person: an address in use is an error, a uid in use is that person', async () => {
  const uid = await firebase.identity.createUser({ email, password: 'secret-99', displayName: 'A' })
  await expect(firebase.identity.createUser({ email, password: 'secret-99' })).rejects.toMatchObject({
    code: 'EMAIL_IN_USE',
  })
  expect(await firebase.identity.createUser({ uid })).toBe(uid)
  expect(await firebase.identity.findUserByEmail(email)).toMatchObject({ uid, providers: ['password'] })
  expect([await firebase.identity.findUser('nobody'), await firebase.identity.findUserByEmail('no@body.test')]).toEqual(
    [null, null],
  )
  await expect(firebase.identity.updateUser('nobody', { displayName: 'x' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
})

/** Fixture people sign in at the machine's time here, which the test shop's own clock does not follow. */
function adminNow(uid: string): Record<string, string> {
  it.clock.now = new Date()
  return { authorization: it.as(uid).headers.authorization! }
}
