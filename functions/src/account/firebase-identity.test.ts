import * as contract from '@shop/shared/account/endpoints.ts'
import { startAuthEmulator } from 'local/auth-emulator.ts'
import { demoLine } from 'local/line-emulator/demo.ts'
import { startLineEmulator } from 'local/line-emulator/server.ts'
import { findFreePort } from 'local/ports.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestShop, type TestShop } from '../testing/shop.ts'
import { createFirebaseIdentity } from './identity-provider.ts'

/** The whole way with Firebase's own tokens and answers, from its Auth emulator. */
let it: TestShop
let emulator: ReturnType<typeof startAuthEmulator>
let line: Awaited<ReturnType<typeof startLineEmulator>>
const identity = createFirebaseIdentity({ projectId: 'demo-shop' })

beforeAll(async () => {
  emulator = startAuthEmulator({ port: await findFreePort() })
  await emulator.ready
  process.env.FIREBASE_AUTH_EMULATOR_HOST = emulator.host
  line = await startLineEmulator({ port: 0 })
  it = await createTestShop({
    FIREBASE_AUTH_EMULATOR_HOST: emulator.host,
    LINE_API_BASE_URL: line.origin,
    LINE_LOGIN_CHANNEL_ID: demoLine.loginChannel.id,
    LINE_LOGIN_CHANNEL_SECRET: demoLine.loginChannel.secret,
  })
  it.shop.identityProvider = identity
  it.shop.now = () => new Date()
}, 60_000)
afterAll(async () => {
  delete process.env.FIREBASE_AUTH_EMULATOR_HOST
  await Promise.all([emulator?.stop(), line?.stop(), it?.db.close()])
})

interface Session {
  idToken: string
  refreshToken: string
  localId: string
  error?: { message: string }
}

async function post(path: string, body: object): Promise<Session> {
  const response = await fetch(`http://${emulator.host}/${path}?key=any`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ returnSecureToken: true, ...body }),
  })
  return (await response.json()) as Session
}
const auth = (action: string, body: object) => post(`identitytoolkit.googleapis.com/v1/accounts:${action}`, body)
const signIn = (email: string, password: string) => auth('signInWithPassword', { email, password })
/** The emulator renews tokens also after a revocation, as a slow or stolen client might still hold one. */
async function renew(session: Session): Promise<Session> {
  const body = { grant_type: 'refresh_token', refresh_token: session.refreshToken }
  const { id_token } = (await post('securetoken.googleapis.com/v1/token', body)) as never as { id_token: string }
  return { ...session, idToken: id_token }
}

/** Signs in with Google or Facebook as the emulator allows; with `idToken`, links to that person. */
const withIdp = (provider: string, sub: string, email: string, idToken?: string) => {
  const claims = JSON.stringify({ sub, email, email_verified: true, name: 'Nid Dee' })
  const postBody = `providerId=${provider}&${provider === 'google.com' ? 'id_token' : 'access_token'}=${encodeURIComponent(claims)}`
  return auth('signInWithIdp', { postBody, requestUri: 'http://localhost', ...(idToken && { idToken }) })
}

const as = ({ idToken }: Session) => it.as(null, { authorization: `Bearer ${idToken}` })
const sync = (session: Session, body = {}) => as(session).call(contract.syncAccount, { body })
const claimsOf = ({ idToken }: Session) => JSON.parse(Buffer.from(idToken.split('.')[1]!, 'base64url').toString())

/** Tokens and revocations count in whole seconds: waits for the next one, so that "before" is before. */
async function nextSecond(): Promise<void> {
  const second = Math.floor(Date.now() / 1000)
  while (Math.floor(Date.now() / 1000) === second) await new Promise(resolve => setTimeout(resolve, 20))
}

let count = 0
let email: string
beforeEach(() => {
  email = `person${++count}@example.com`
})

describe('registration', () => {
  test('keeps what was filled in, whichever of two tabs syncs first, and counts as changed', async () => {
    const session = await auth('signUp', { email, password: 'secret-99' })
    expect(await sync(session)).toMatchObject({ username: email, name: '', providers: ['password'], tel: null })
    const form = { username: 'nid', name: 'นิด', surname: 'ดี', tel: '0812345678' }
    const filled = { username: 'nid', name: 'นิด', surname: 'ดี', tel: '+66812345678' }
    expect(await sync(session, form)).toMatchObject({
      ...filled,
      ...{
        email,
        emailVerified: false,
        role: 'customer',
        isActived: null,
        mustChangePassword: false,
        mustChangePin: false,
      },
    })
    const other = { username: 'x', name: 'x', surname: 'x', tel: '0899999999' }
    expect(await sync(session, other)).toMatchObject(filled)
    expect(claimsOf(await renew(session))).toMatchObject({
      role: 'customer',
      ispasswordchange: true,
      ispinchange: true,
    })
  })

  test('a bad phone number stores nothing', async () => {
    const session = await auth('signUp', { email, password: 'secret-99' })
    expect(await as(session).codeOf(contract.syncAccount, { body: { tel: '12' } })).toBe('PHONE_INVALID')
    expect(await as(session).codeOf(contract.getMe, {})).toBe('NOT_FOUND')
  })

  test('a verified address shows after the next sync', async () => {
    const session = await auth('signUp', { email, password: 'secret-99' })
    expect((await sync(session)).emailVerified).toBe(false)
    await auth('sendOobCode', { requestType: 'VERIFY_EMAIL', idToken: session.idToken })
    const codes = await fetch(`http://${emulator.host}/emulator/v1/projects/demo-shop/oobCodes`)
    const { oobCodes } = (await codes.json()) as { oobCodes: { email: string; oobLink: string }[] }
    await fetch(oobCodes.find(code => code.email === email)!.oobLink)
    expect((await sync(await signIn(email, 'secret-99'))).emailVerified).toBe(true)
  })
})

describe('a password given by staff', () => {
  test('ends the old sessions, signs in, is changed, and is worth nothing afterwards', async () => {
    const old = await auth('signUp', { email, password: 'secret-99' })
    const { uid } = await sync(old)
    await nextSecond()
    const body = { uid, password: 'given-by-staff-1' }
    const staffAnswer = await it.as('manager', adminNow('manager')).call(contract.updateUserAuthentication, { body })
    expect(staffAnswer.mustChangePassword).toBe(true)
    expect(await as(old).codeOf(contract.getMe, {})).toBe('SESSION_REVOKED')
    expect(await as(await renew(old)).codeOf(contract.getMe, {})).toBe('SESSION_REVOKED')
    expect((await signIn(email, 'secret-99')).error?.message).toMatch(/INVALID/)

    const forced = await signIn(email, 'given-by-staff-1')
    expect(claimsOf(forced)).toMatchObject({ ispasswordchange: false })
    expect(await as(forced).codeOf(contract.linkLine, { body: { idToken: 'x' } })).toBe('PASSWORD_CHANGE_REQUIRED')
    const change = (password: string) => as(forced).codeOf(contract.changePassword, { body: { password } })
    expect(await change('given-by-staff-1')).toBe('PASSWORD_SAME')
    await nextSecond()
    expect(await change('my-very-own-2')).toBe('OK')
    expect((await signIn(email, 'given-by-staff-1')).error?.message).toMatch(/INVALID/)
    const own = await signIn(email, 'my-very-own-2')
    expect(claimsOf(own)).toMatchObject({ ispasswordchange: true })
    expect((await as(own).call(contract.getMe, {})).mustChangePassword).toBe(false)
  })

  test('changing it behind the server leaves the account forced', async () => {
    const { uid } = await sync(await auth('signUp', { email, password: 'secret-99' }))
    const body = { uid, password: 'given-by-staff-1' }
    await it.as('manager', adminNow('manager')).call(contract.updateUserAuthentication, { body })
    const forced = await signIn(email, 'given-by-staff-1')
    const changed = await auth('update', { idToken: forced.idToken, password: 'my-very-own-2' })
    expect(changed.error).toBeUndefined()
    const own = await signIn(email, 'my-very-own-2')
    expect(await as(own).codeOf(contract.linkLine, { body: { idToken: 'x' } })).toBe('PASSWORD_CHANGE_REQUIRED')
  })
})

test('a suspended person can neither go on nor sign in; a promoted one gets the claim with the next sign-in', async () => {
  const session = await auth('signUp', { email, password: 'secret-99' })
  const { uid } = await sync(session)
  const set = (role: 'staff' | 'customer', isActived: boolean) =>
    it.as('admin', adminNow('admin')).call(contract.setUserRole, { body: { uid, role, isActived } })
  await set('customer', false)
  expect(await as(session).codeOf(contract.getMe, {})).toBe('ACCOUNT_INACTIVE')
  expect((await signIn(email, 'secret-99')).error?.message).toBe('USER_DISABLED')
  await set('staff', true)
  expect(claimsOf(await signIn(email, 'secret-99'))).toMatchObject({ role: 'staff' })
})

describe('several ways to sign in', () => {
  test('Google, then Facebook linked by the identity provider, then Facebook taken away', async () => {
    const google = await withIdp('google.com', `g-${count}`, email)
    expect(await sync(google)).toMatchObject({
      providers: ['google.com'],
      name: 'Nid',
      surname: 'Dee',
      emailVerified: true,
    })
    await as(google).call(contract.startLink, { body: { provider: 'facebook.com' } })
    const linked = await withIdp('facebook.com', `f-${count}`, email, google.idToken)
    expect((await sync(linked)).providers).toEqual(['google.com', 'facebook.com'])
    const unlink = (provider: 'facebook.com' | 'google.com') =>
      as(linked).codeOf(contract.unlinkProvider, { params: { provider } })
    expect(await unlink('facebook.com')).toBe('OK')
    expect((await identity.findUser(google.localId))?.providers).toEqual(['google.com'])
    expect(await unlink('google.com')).toBe('LAST_SIGN_IN_METHOD')
  })

  test('an account the provider merged by email alone stays closed, and is not recorded with the next sign-in', async () => {
    const password = await auth('signUp', { email, password: 'secret-99' })
    await sync(password)
    const merged = await withIdp('google.com', `g-${count}`, email)
    expect(merged.localId).toBe(password.localId)
    for (const endpoint of [contract.getMe, contract.syncAccount]) {
      expect(await as(merged).codeOf(endpoint, { body: {} } as never)).toBe('EMAIL_IN_USE')
    }
    expect((await sync(await renew(password))).providers).toEqual(['password'])
  })

  test('the token from LINE signs in at Firebase; sync and linking keep both ways', async () => {
    const sub = demoLine.users.friend.userId
    const exchange = async () => {
      const idToken = await line.control.issueIdToken(sub)
      const { firebaseToken } = await it.as(null).call(contract.createCustomToken, { body: { idToken } })
      return auth('signInWithCustomToken', { token: firebaseToken })
    }
    const session = await exchange()
    expect(claimsOf(session)).toMatchObject({ user_id: `line:${sub}`, role: 'customer' })
    expect(await sync(session)).toMatchObject({
      providers: ['line'],
      name: demoLine.users.friend.displayName,
      email: null,
    })

    const account = await auth('signUp', { email, password: 'secret-99' })
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
    const google = await withIdp('google.com', `g-${count}`, email)
    await sync(google)
    line.state.liffApp.scope.push('email')
    line.state.users.get(demoLine.users.stranger.userId)!.email = email
    const body = { idToken: await line.control.issueIdToken(demoLine.users.stranger.userId) }
    expect(await it.as(null).codeOf(contract.createCustomToken, { body })).toBe('EMAIL_IN_USE')
    expect((await identity.findUser(google.localId))?.providers).toEqual(['google.com'])
  })
})

test('creating a person: an address in use is an error, a uid in use is that person', async () => {
  const uid = await identity.createUser({ email, password: 'secret-99', displayName: 'A' })
  await expect(identity.createUser({ email, password: 'secret-99' })).rejects.toMatchObject({ code: 'EMAIL_IN_USE' })
  expect(await identity.createUser({ uid })).toBe(uid)
  expect(await identity.findUserByEmail(email)).toMatchObject({ uid, providers: ['password'] })
  expect([await identity.findUser('nobody'), await identity.findUserByEmail('no@body.test')]).toEqual([null, null])
  await expect(identity.updateUser('nobody', { displayName: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

/** Fixture people sign in at the machine's time here, which the test shop's own clock does not follow. */
function adminNow(uid: string): Record<string, string> {
  it.clock.now = new Date()
  return { authorization: it.as(uid).headers.authorization! }
}
