import type { LineProof } from '@shop/shared/account/endpoints.ts'
import * as contract from '@shop/shared/account/endpoints.ts'
import { demoLine } from 'local/line-emulator/demo.ts'
import { type RunningLineEmulator, startLineEmulator } from 'local/line-emulator/server.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findAccount } from '../account/store.ts'
import type { createMemoryIdentity } from '../testing/memory-identity.ts'
import { addAccount, createTestShop, type TestShop, tokenFor } from '../testing/shop.ts'

const { loginChannel, users } = demoLine
const sub = users.friend.userId
const ownUid = `line:${sub}`

let it: TestShop
let line: RunningLineEmulator
beforeEach(async () => {
  line = await startLineEmulator({ port: 0, now: () => it?.clock.now.getTime() ?? Date.now() })
  it = await createTestShop({
    RATE_LIMIT_SIGN_INS_PER_ADDRESS: '300',
    LINE_API_BASE_URL: line.origin,
    LINE_LOGIN_CHANNEL_ID: loginChannel.id,
    LINE_LOGIN_CHANNEL_SECRET: loginChannel.secret,
  })
})
afterEach(async () => {
  await Promise.all([line.stop(), it.db.close()])
})

const signIn = (proof: LineProof | Record<string, unknown>) =>
  it.as(null).codeOf(contract.createCustomToken, { body: proof as LineProof })

const uidFor = async (proof: LineProof) => {
  const { firebaseToken } = await it.as(null).call(contract.createCustomToken, { body: proof })
  return firebaseToken.replace('custom-token-for:', '').replace(/#.*/, '')
}

const liffProof = async (userId: string = sub) => ({ idToken: await line.control.issueIdToken(userId) })

/** Goes to LINE's page as the browser would and comes back; `change` alters what the browser is sent with. */
async function throughLine(change: (url: URL) => void = () => {}, userId: string = sub) {
  const { authorizeUrl, attempt } = await it.as(null).call(contract.startLineSignIn, {})
  const url = new URL(authorizeUrl)
  change(url)
  line.control.setAutoLogin({ userId, decision: 'allow' })
  const response = await fetch(url, { redirect: 'manual' })
  const back = new URL(response.headers.get('location')!)
  return { code: back.searchParams.get('code')!, state: back.searchParams.get('state')!, attempt, back }
}

/** Nobody got in: no account, no person at the identity provider. */
async function expectNobody() {
  expect(await findAccount(it.db, ownUid)).toBeNull()
  expect(await it.shop.identityProvider.findUser(ownUid)).toBeNull()
}

describe('LIFF', () => {
  test('the first sign-in makes a customer named as LINE says, the next one finds it', async () => {
    expect(await uidFor(await liffProof())).toBe(ownUid)
    expect(await findAccount(it.db, ownUid)).toMatchObject({
      givenName: users.friend.displayName,
      providers: [],
      role: 'customer',
      status: 'pending',
      mustChangePassword: false,
      mustChangePin: false,
    })
    it.clock.advance(60)
    expect(await uidFor(await liffProof())).toBe(ownUid)
  })

  test('a name, email, id or role from the browser changes nothing', async () => {
    const claimed = { name: 'Boss', email: 'admin@test.shop', id: 'admin', uid: 'admin', sub: 'admin', role: 'admin' }
    expect(await signIn({ ...(await liffProof()), ...claimed })).toBe('OK')
    expect(await findAccount(it.db, ownUid)).toMatchObject({ givenName: users.friend.displayName, email: null })
  })

  test.each(['expired', 'audience', 'issuer', 'signature', 'kid', 'hs256'] as const)(
    'a token with a wrong %s is refused',
    async flaw => {
      expect(await signIn({ idToken: await line.control.issueIdToken(sub, { flaw }) })).toBe('SIGN_IN_FAILED')
      await expectNobody()
    },
  )

  test('HS256 is refused even with the right channel secret, and so is no signature at all', async () => {
    const idToken = await line.control.issueIdToken(sub, { algorithm: 'HS256' })
    expect(await signIn({ idToken })).toBe('SIGN_IN_FAILED')
    const [, claims] = (await line.control.issueIdToken(sub)).split('.')
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
    for (const forged of [`${none}.${claims}.`, `${none}.${claims}`, 'x', 'a.b.c']) {
      expect(await signIn({ idToken: forged })).toBe('SIGN_IN_FAILED')
    }
    await expectNobody()
  })

  test('claims changed under a good signature are refused', async () => {
    const [header, claims, signature] = (await line.control.issueIdToken(sub)).split('.')
    const changed = { ...JSON.parse(Buffer.from(claims!, 'base64url').toString()), sub: users.staff.userId }
    const idToken = `${header}.${Buffer.from(JSON.stringify(changed)).toString('base64url')}.${signature}`
    expect(await signIn({ idToken })).toBe('SIGN_IN_FAILED')
  })

  test("an access token is no proof, neither ours nor another channel's", async () => {
    for (const clientId of [loginChannel.id, '1999999999']) {
      const accessToken = line.control.issueAccessToken(sub, { clientId })
      expect(await signIn({ idToken: accessToken })).toBe('SIGN_IN_FAILED')
      expect(await signIn({ access_token: accessToken, id: sub })).toBe('INVALID_INPUT')
    }
    await expectNobody()
  })

  test('a token is accepted for ten minutes, not for the hour it lives', async () => {
    const [fresh, stale] = [await liffProof(), await liffProof(users.stranger.userId)]
    it.clock.advance(599)
    expect(await signIn(fresh)).toBe('OK')
    it.clock.advance(2)
    expect(await signIn(stale)).toBe('SIGN_IN_FAILED')
  })

  test('a token works once, also when it is sent ten times at the same moment', async () => {
    const proof = await liffProof()
    const codes = await Promise.all(Array.from({ length: 10 }, () => signIn(proof)))
    expect(codes.toSorted()).toEqual(['OK', ...Array(9).fill('SIGN_IN_REPLAYED')])
  })

  test('a used token written another way is used all the same: its signature, not what was signed, differs', async () => {
    const { idToken } = await liffProof()
    expect(await signIn({ idToken })).toBe('OK')
    const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const last = digits.indexOf(idToken.at(-1)!)
    const others = [1, 2, 3].map(bits => idToken.slice(0, -1) + digits[last ^ bits])
    const [signed, signature] = [idToken.slice(0, idToken.lastIndexOf('.')), idToken.split('.')[2]!]
    const bytes = Buffer.from(signature, 'base64url')
    const order = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551')
    const s = order - BigInt(`0x${bytes.subarray(32).toString('hex')}`)
    const mirrored = Buffer.concat([bytes.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')])
    const written = [...others, `${idToken}\n`, `${idToken} `, `${signed}.${mirrored.toString('base64url')}`]
    for (const again of written)
      expect(['SIGN_IN_REPLAYED', 'SIGN_IN_FAILED']).toContain(await signIn({ idToken: again }))
  })

  test('LINE being down is said, not taken for a forgery', async () => {
    line.control.injectFault({ path: '/oauth2/v2.1/certs', status: 500 })
    expect(await signIn(await liffProof())).toBe('LINE_UNAVAILABLE')
  })
})

describe('the web', () => {
  test('state, nonce, PKCE and the code lead to the account', async () => {
    const { code, state, attempt, back } = await throughLine(url => {
      const query = Object.fromEntries(url.searchParams)
      expect(query).toMatchObject({
        client_id: loginChannel.id,
        code_challenge_method: 'S256',
        scope: 'profile openid email',
      })
      expect([query.state!.length, query.nonce!.length, query.code_challenge!.length]).toEqual([43, 43, 43])
    })
    expect(back.origin + back.pathname).toBe('http://localhost:5173/login')
    expect(await uidFor({ code, state, attempt })).toBe(ownUid)
  })

  test('neither nonce nor verifier nor secret leaves the server', async () => {
    const started = await it.as(null).call(contract.startLineSignIn, {})
    const [kept] = await it.db.query<Record<string, string>>({ text: 'SELECT * FROM sign_in_attempt' })
    const told = JSON.stringify(started)
    for (const secret of [kept!.code_verifier, kept!.state_hash, kept!.browser_hash, loginChannel.secret]) {
      expect(told).not.toContain(secret)
    }
    const state = new URL(started.authorizeUrl).searchParams.get('state')!
    expect(JSON.stringify(kept)).not.toContain(state)
    expect(JSON.stringify(kept)).not.toContain(started.attempt)
  })

  test('a wrong state, another browser and a start long ago are refused', async () => {
    const mine = await throughLine()
    const theirs = await throughLine()
    expect(await signIn({ ...mine, state: 'x'.repeat(43) })).toBe('SIGN_IN_FAILED')
    expect(await signIn({ ...mine, attempt: theirs.attempt })).toBe('SIGN_IN_FAILED')
    it.clock.advance(1801)
    expect(await signIn(mine)).toBe('SIGN_IN_FAILED')
    await expectNobody()
  })

  test('a way back works once; its code is not accepted with a new start either', async () => {
    const first = await throughLine()
    expect(await signIn(first)).toBe('OK')
    expect(await signIn(first)).toBe('SIGN_IN_FAILED')
    const second = await throughLine()
    expect(await signIn({ ...second, code: first.code })).toBe('SIGN_IN_FAILED')
  })

  test("somebody else's code is refused: it belongs to another verifier", async () => {
    const [mine, theirs] = [await throughLine(), await throughLine(undefined, users.staff.userId)]
    expect(await signIn({ ...mine, code: theirs.code })).toBe('SIGN_IN_FAILED')
  })

  test('a wrong nonce is refused', async () => {
    expect(await signIn(await throughLine(url => url.searchParams.set('nonce', 'chosen-by-somebody')))).toBe(
      'SIGN_IN_FAILED',
    )
    expect(await signIn(await throughLine(url => url.searchParams.delete('nonce')))).toBe('SIGN_IN_FAILED')
    await expectNobody()
  })

  test.each(['expired', 'audience', 'issuer', 'signature', 'hs256'] as const)(
    'an ID token with a wrong %s is refused, even from the token call',
    async flaw => {
      const proof = await throughLine()
      line.control.spoilNextIdTokens([flaw])
      expect(await signIn(proof)).toBe('SIGN_IN_FAILED')
      await expectNobody()
    },
  )

  test('one address cannot fill the table with starts', async () => {
    const codes: string[] = []
    for (let starts = 0; starts < 301; starts++) codes.push(await it.as(null).codeOf(contract.startLineSignIn, {}))
    expect([codes.filter(code => code === 'OK').length, codes.at(-1)]).toEqual([300, 'RATE_LIMITED'])
  })

  test('LINE being down is said', async () => {
    const proof = await throughLine()
    line.control.injectFault({ path: '/oauth2/v2.1/token', status: 500 })
    expect(await signIn(proof)).toBe('LINE_UNAVAILABLE')
  })
})

describe('an email of another account', () => {
  const withEmail = (email: string) => {
    line.state.users.get(sub)!.email = email
  }

  test('stops a first sign-in and links nothing', async () => {
    withEmail('Customer@test.shop')
    expect(await signIn(await liffProof())).toBe('EMAIL_IN_USE')
    await expectNobody()
    expect((await findAccount(it.db, 'customer'))?.providers).toEqual(['password'])
  })

  test('stops it also when only the identity provider knows the address', async () => {
    withEmail('new@test.shop')
    const uid = await it.shop.identityProvider.createUser({ email: 'new@test.shop', password: 'secret-99' })
    const identity = it.shop.identityProvider as ReturnType<typeof createMemoryIdentity>
    identity.users.get(uid)!.emailVerified = true
    expect(await signIn(await liffProof())).toBe('EMAIL_IN_USE')
  })

  test('does not stop it when somebody only registered with the address', async () => {
    withEmail('squatted@test.shop')
    await addAccount(it, 'squatted', 'customer', { emailVerified: false })
    await it.shop.identityProvider.createUser({ email: 'squatted@test.shop', password: 'secret-99' })
    expect(await uidFor(await liffProof())).toBe(ownUid)
  })

  test("does not lock out an account that was there before; LINE's address never reaches the identity provider", async () => {
    withEmail('mine@test.shop')
    expect(await signIn(await liffProof())).toBe('OK')
    expect((await it.shop.identityProvider.findUser(ownUid))?.email).toBeNull()
    await addAccount(it, 'mine', 'customer')
    it.clock.advance(1)
    expect(await uidFor(await liffProof())).toBe(ownUid)
  })
})

describe('linking', () => {
  const link = async (uid: string, proof?: LineProof) =>
    it.as(uid).codeOf(contract.linkLine, { body: proof ?? (await liffProof()) })

  test('the linked identity signs in to the linked account, and to its own again once unlinked', async () => {
    expect((await it.as('agent').call(contract.linkLine, { body: await throughLine() })).providers).toContain('line')
    expect(await uidFor(await liffProof())).toBe('agent')
    const unlinked = await it.as('agent').call(contract.unlinkProvider, { params: { provider: 'line' } })
    expect(unlinked.providers).toEqual(['password'])
    it.clock.advance(1)
    expect(await uidFor(await liffProof())).toBe(ownUid)
  })

  test('needs both sides proven now: an old sign-in or a used proof links nothing', async () => {
    const old = { authorization: `Bearer ${tokenFor('agent', new Date(it.clock.now.getTime() - 301_000))}` }
    const stale = it.as('agent', old)
    expect(await stale.codeOf(contract.linkLine, { body: await liffProof() })).toBe('RECENT_SIGN_IN_REQUIRED')
    const used = await liffProof()
    await uidFor(used)
    expect(await link('customer', used)).toBe('SIGN_IN_REPLAYED')
    it.clock.advance(1)
    expect(await uidFor(await liffProof())).toBe(ownUid)
  })

  test('one LINE identity belongs to one account, one account has one', async () => {
    expect(await link('agent')).toBe('OK')
    it.clock.advance(1)
    expect(await link('customer')).toBe('ALREADY_LINKED')
    expect(await link('agent', await liffProof(users.stranger.userId))).toBe('ALREADY_LINKED')
  })

  test('two accounts at the same moment: one gets it', async () => {
    const first = await liffProof()
    it.clock.advance(1)
    const second = await liffProof()
    const codes = await Promise.all([link('agent', first), link('customer', second)])
    expect(codes.toSorted()).toEqual(['ALREADY_LINKED', 'OK'])
  })

  test('a LINE account with a role or a ban of its own is not swallowed', async () => {
    await uidFor(await liffProof())
    for (const change of [`role = 'agent'`, `role = 'customer', status = 'inactive'`]) {
      await it.db.query({ text: `UPDATE account SET ${change} WHERE uid = $1`, values: [ownUid] })
      it.clock.advance(1)
      expect(await link('customer')).toBe('ALREADY_LINKED')
    }
  })

  test('a suspended account is not reached through its link', async () => {
    await link('customer')
    await it.db.query({ text: `UPDATE account SET status = 'inactive' WHERE uid = 'customer'` })
    it.clock.advance(1)
    expect(await signIn(await liffProof())).toBe('ACCOUNT_INACTIVE')
  })

  test('the last way to sign in stays, and a LINE account stays one', async () => {
    const unlink = (uid: string, provider: 'line' | 'password' | 'google.com') =>
      it.as(uid).codeOf(contract.unlinkProvider, { params: { provider } })
    expect(await unlink('customer', 'password')).toBe('LAST_SIGN_IN_METHOD')
    expect(await unlink('customer', 'google.com')).toBe('NOT_FOUND')
    await uidFor(await liffProof())
    expect(await unlink(ownUid, 'line')).toBe('ACCOUNT_IS_LINE')
  })

  /** A session that the linked identity made, or one that was made before. */
  const fromLine = async (uid: string) => {
    const { firebaseToken } = await it.as(null).call(contract.createCustomToken, { body: await liffProof() })
    const claims = JSON.parse(firebaseToken.slice(firebaseToken.indexOf('#') + 1))
    const change = { firebase: { sign_in_provider: 'custom' }, ...claims }
    return it.as(uid, { authorization: `Bearer ${tokenFor(uid, it.clock.now, change)}` })
  }
  const unlinkLine = (uid: string) => it.as(uid).codeOf(contract.unlinkProvider, { params: { provider: 'line' } })

  test('a session that LINE made ends with the link: it reads nothing, syncs nothing, links nothing again', async () => {
    await link('customer')
    it.clock.advance(1)
    const session = await fromLine('customer')
    expect(await session.codeOf(contract.getMe, {})).toBe('OK')
    expect(await unlinkLine('customer')).toBe('OK')
    it.clock.advance(1)
    expect(await session.codeOf(contract.getMe, {})).toBe('SESSION_REVOKED')
    expect(await session.codeOf(contract.syncAccount, { body: {} })).toBe('SESSION_REVOKED')
    expect(await session.codeOf(contract.linkLine, { body: await liffProof() })).toBe('SESSION_REVOKED')
    // Nor does it come back with the next link.
    expect(await link('customer', await liffProof(users.stranger.userId))).toBe('OK')
    expect(await session.codeOf(contract.getMe, {})).toBe('SESSION_REVOKED')
    expect(await it.as('customer').codeOf(contract.getMe, {})).toBe('OK')
  })

  test('whether LINE is linked is what the link says, however syncs and unlinking meet', async () => {
    for (let round = 0; round < 5; round++) {
      it.clock.advance(1)
      expect(await link('customer')).toBe('OK')
      const syncs = Array.from({ length: 4 }, () => it.as('customer').codeOf(contract.syncAccount, { body: {} }))
      await Promise.all([...syncs, unlinkLine('customer'), ...syncs])
      expect((await it.as('customer').call(contract.getMe, {})).providers).toEqual(['password'])
    }
  })

  test('managers and admins do not come by LINE, whether linked or made manager afterwards', async () => {
    await link('manager')
    it.clock.advance(1)
    expect(await signIn(await liffProof())).toBe('LINE_NOT_ALLOWED')
    it.clock.advance(1)
    expect(await signIn(await liffProof(users.stranger.userId))).toBe('OK')
    const setRole = (role: 'staff' | 'manager') =>
      it.as('admin').codeOf(contract.setUserRole, {
        body: { uid: `line:${users.stranger.userId}`, role, isActived: true },
      })
    expect([await setRole('manager'), await setRole('staff')]).toEqual(['LINE_NOT_ALLOWED', 'OK'])
  })

  test('an agent who must still change the first password links nothing', async () => {
    await addAccount(it, 'new-agent', 'agent', { mustChangePassword: true })
    expect(await link('new-agent')).toBe('PASSWORD_CHANGE_REQUIRED')
  })
})
