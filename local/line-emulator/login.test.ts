import { createHash, randomBytes } from 'node:crypto'
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { demoLine } from './demo.ts'
import { type RunningLineEmulator, startLineEmulator } from './server.ts'

const { loginChannel, liffId, users } = demoLine
const endpoint = 'http://localhost:5173/'
const callback = 'http://localhost:5173/login/line'
let line: RunningLineEmulator

beforeEach(async () => {
  const startedAt = Date.now()
  line = await startLineEmulator({ port: 0, now: () => startedAt })
})
afterEach(() => line.stop())

const get = (path: string, token?: string) =>
  fetch(line.origin + path, { redirect: 'manual', headers: token ? { authorization: `Bearer ${token}` } : {} })
const postForm = (path: string, form: Record<string, string>) =>
  fetch(line.origin + path, { method: 'POST', body: new URLSearchParams(form) })

function createPkce() {
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  return { verifier, challenge }
}

function authorizeLiff(challenge: string, more: Record<string, string> = {}) {
  const query = { app_id: liffId, state: 's1', response_type: 'code', code_challenge_method: 'S256', ...more }
  return get(`/liff/v1/authorize?${new URLSearchParams({ ...query, code_challenge: challenge })}`)
}

async function loginLiff(userId: string = users.friend.userId) {
  line.control.setAutoLogin({ userId, decision: 'allow' })
  const { verifier, challenge } = createPkce()
  const redirect = new URL((await authorizeLiff(challenge)).headers.get('location')!)
  const form = {
    grant_type: 'authorization_code',
    client_id: redirect.searchParams.get('liffClientId')!,
    appId: liffId,
    code: redirect.searchParams.get('code')!,
    code_verifier: verifier,
    redirect_uri: redirect.searchParams.get('liffRedirectUri')!,
    id_token_key_type: 'JWK',
  }
  return { redirect, form }
}

function authorizeWeb(more: Record<string, string> = {}) {
  const query = { response_type: 'code', client_id: loginChannel.id, redirect_uri: callback, state: 's2', nonce: 'n2' }
  return get(`/oauth2/v2.1/authorize?${new URLSearchParams({ ...query, scope: 'profile openid', ...more })}`)
}

async function getLocation(response: Response) {
  expect(response.status).toBe(302)
  return new URL(response.headers.get('location')!)
}

test('LIFF login: code with PKCE and no secret gives an ES256 ID token that the published keys verify', async () => {
  const { redirect, form } = await loginLiff()
  expect(redirect.origin + redirect.pathname).toBe(endpoint)
  expect(redirect.searchParams.get('state')).toBe('s1')
  expect(redirect.searchParams.get('friendship_status_changed')).toBe('false')
  const tokens = await (await postForm('/oauth2/v2.1/token', form)).json()
  expect(tokens).toMatchObject({ expires_in: 43_200, token_type: 'Bearer' })
  const keys = createRemoteJWKSet(new URL(`${line.origin}/oauth2/v2.1/certs`))
  const { payload, protectedHeader } = await jwtVerify(tokens.id_token, keys, {
    issuer: 'https://access.line.me',
    audience: loginChannel.id,
  })
  expect(protectedHeader.alg).toBe('ES256')
  expect(payload).toMatchObject({ sub: users.friend.userId, name: users.friend.displayName })
  expect(payload.exp! - payload.iat!).toBe(3600)
})

test('a code works once, for ten minutes, with its own redirect and verifier', async () => {
  const expectGrantError = async (form: Record<string, string>) => {
    const answer = await postForm('/oauth2/v2.1/token', form)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: 'invalid_grant' })
  }
  const { form } = await loginLiff()
  await expectGrantError({ ...form, redirect_uri: `${endpoint}other` })
  await expectGrantError({ ...form, code_verifier: createPkce().verifier })
  await expectGrantError({ ...form, code: 'unknown' })
  expect((await postForm('/oauth2/v2.1/token', form)).status).toBe(200)
  await expectGrantError(form)
  const late = await loginLiff()
  line.control.setClockOffset(601)
  await expectGrantError(late.form)
})

test('authorize never redirects to a place outside the LIFF endpoint or the registered callbacks', async () => {
  const { challenge } = createPkce()
  line.control.setAutoLogin({ userId: users.friend.userId, decision: 'allow' })
  expect((await authorizeLiff(challenge, { redirect_uri: 'http://evil.test/' })).status).toBe(400)
  expect((await authorizeLiff(challenge, { app_id: '2000000001-Unknown0' })).status).toBe(400)
  expect((await authorizeWeb({ redirect_uri: 'http://evil.test/' })).status).toBe(400)
  expect((await authorizeLiff(challenge, { redirect_uri: `${endpoint}game/rov?x=1` })).status).toBe(302)
  line.state.liffApp.endpointUrl = `${endpoint}app/?from=endpoint`
  expect((await authorizeLiff(challenge, { redirect_uri: `${endpoint}game/rov` })).status).toBe(400)
  expect((await authorizeLiff(challenge, { redirect_uri: `${endpoint}app/game/rov` })).status).toBe(302)
})

test('a refused consent comes back as an error that the LIFF SDK takes for LINE’s', async () => {
  line.control.setAutoLogin({ userId: users.friend.userId, decision: 'deny' })
  const { challenge } = createPkce()
  const liff = (await getLocation(await authorizeLiff(challenge))).searchParams
  expect(liff.get('error')).toBe('ACCESS_DENIED')
  expect(liff.get('liffOAuth2Error')).toBeTruthy()
  const web = (await getLocation(await authorizeWeb())).searchParams
  expect(web.get('error')).toBe('ACCESS_DENIED')
  expect(web.get('state')).toBe('s2')
  expect(web.has('liffOAuth2Error')).toBe(false)
})

test('the picker page lets a person choose, consent and add the account as a friend', async () => {
  const { challenge } = createPkce()
  const page = await (await authorizeLiff(challenge)).text()
  for (const user of Object.values(users)) expect(page).toContain(user.userId)
  const request = page.match(/name="request"\s+value="([^"]+)"/)![1]!
  const answer = await fetch(`${line.origin}/__emu/login/decide`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ request, userId: users.stranger.userId, decision: 'allow', addFriend: 'on' }),
  })
  expect((await getLocation(answer)).searchParams.get('friendship_status_changed')).toBe('true')
  expect(line.state.users.get(users.stranger.userId)?.friendship).toBe('friend')
})

test('web login needs the secret and gives an HS256 ID token with the nonce', async () => {
  line.control.setAutoLogin({ userId: users.staff.userId, decision: 'allow' })
  const code = (await getLocation(await authorizeWeb())).searchParams.get('code')!
  const form = { grant_type: 'authorization_code', code, redirect_uri: callback, client_id: loginChannel.id }
  const refused = await postForm('/oauth2/v2.1/token', { ...form, client_secret: 'guess' })
  expect(refused.status).toBe(400)
  const answer = await postForm('/oauth2/v2.1/token', { ...form, client_secret: loginChannel.secret })
  const tokens = await answer.json()
  expect(tokens).toMatchObject({ expires_in: 2_592_000, scope: 'profile openid', token_type: 'Bearer' })
  expect(decodeProtectedHeader(tokens.id_token).alg).toBe('HS256')
  const { payload } = await jwtVerify(tokens.id_token, new TextEncoder().encode(loginChannel.secret))
  expect(payload).toMatchObject({ sub: users.staff.userId, nonce: 'n2', aud: loginChannel.id })
})

test('web authorize answers wrong scope, wrong response type and prompt=none with LINE’s error codes', async () => {
  const getError = async (more: Record<string, string>) =>
    (await getLocation(await authorizeWeb(more))).searchParams.get('error')
  expect(await getError({ scope: 'everything' })).toBe('INVALID_SCOPE')
  expect(await getError({ response_type: 'token' })).toBe('INVALID_REQUEST')
  expect(await getError({ code_challenge: 'x', code_challenge_method: 'plain' })).toBe('INVALID_REQUEST')
  expect(await getError({ prompt: 'none' })).toBe('LOGIN_REQUIRED')
})

test('the keys rotate: two at any time, tokens of the one before can still be verified', async () => {
  const getKids = async () => {
    const { keys } = await (await get('/oauth2/v2.1/certs')).json()
    return keys.map((key: { kid: string }) => key.kid)
  }
  const token = await line.control.issueIdToken(users.friend.userId)
  const before = await getKids()
  const { kid } = decodeProtectedHeader(token)
  await line.control.rotateKeys()
  const after = await getKids()
  expect(after).toHaveLength(2)
  expect(after[1]).toBe(before[0])
  expect(after).toContain(kid)
  await line.control.rotateKeys()
  expect(await getKids()).not.toContain(kid)
})

test('access tokens: verify, profile and friendship follow scope, expiry, revocation and channel', async () => {
  const { userId } = users.friend
  const token = line.control.issueAccessToken(userId)
  const verify = async (value: string) => (await get(`/oauth2/v2.1/verify?access_token=${value}`)).json()
  expect(await verify(token)).toEqual({
    scope: 'openid profile chat_message.write',
    client_id: loginChannel.id,
    expires_in: 43_200,
  })
  expect(await (await get('/v2/profile', token)).json()).toMatchObject({ userId, displayName: 'น้ำข้าว' })
  expect(await (await get('/friendship/v1/status', token)).json()).toEqual({ friendFlag: true })
  const other = line.control.issueAccessToken(userId, { clientId: '1234567890' })
  expect(await verify(other)).toMatchObject({ client_id: '1234567890' })
  expect(await verify('abc')).toEqual({ error: 'invalid_request', error_description: 'The access token not JWS' })
  const form = { access_token: token, client_id: loginChannel.id, client_secret: loginChannel.secret }
  expect((await postForm('/oauth2/v2.1/revoke', form)).status).toBe(200)
  expect(await verify(token)).toMatchObject({ error_description: 'The access token revoked' })
  expect((await get('/v2/profile', token)).status).toBe(401)
  line.control.setClockOffset(43_201)
  expect(await verify(other)).toMatchObject({ error_description: 'The access token expired' })
})

test('browsers may call from any origin: CORS repeats the origin and allows what the SDK sends', async () => {
  const answer = await fetch(`${line.origin}/v2/profile`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://shop.test',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization,content-type',
    },
  })
  expect(answer.ok).toBe(true)
  expect(answer.headers.get('access-control-allow-origin')).toBe('https://shop.test')
  expect(answer.headers.get('access-control-allow-headers')).toBe('authorization,content-type')
})
