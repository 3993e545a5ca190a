import { createHash } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { getPictureUrl, isFriend, type LoginCode, type State, type User } from './state.ts'
import {
  accessTokenSeconds,
  findUserToken,
  issueAccessToken,
  issueRefreshToken,
  readBearer,
  type SigningKeys,
  signIdToken,
  verifyIdToken,
} from './tokens.ts'

type Form = Record<string, string>

/** api.line.me, the LINE Login part: tokens, who they belong to, and how to give them up. */
export function createLoginApi(state: State, keys: SigningKeys): Hono {
  const app = new Hono()
  app.post('/oauth2/v2.1/token', async context => {
    const form = await readForm(context)
    if (form.grant_type === 'authorization_code') return redeemCode(state, keys, context, form)
    if (form.grant_type === 'refresh_token') return refresh(state, context, form)
    return oauthError(context, 'unsupported_grant_type', 'unsupported grant_type')
  })
  app.get('/oauth2/v2.1/verify', context => {
    const found = findUserToken(state, context.req.query('access_token') ?? '')
    if ('error' in found) return oauthError(context, 'invalid_request', found.error)
    const { scope, clientId, expiresAt } = found.grant
    const expiresInSeconds = Math.floor((expiresAt - state.clock.now()) / 1000)
    return context.json({
      scope: scope.filter(name => name !== 'email').join(' '),
      client_id: clientId,
      expires_in: expiresInSeconds,
    })
  })
  app.post('/oauth2/v2.1/verify', async context => {
    const form = await readForm(context)
    const verified = await verifyIdToken(state, keys, form.id_token ?? '', {
      clientId: form.client_id,
      nonce: form.nonce,
      userId: form.user_id,
    })
    return 'error' in verified
      ? oauthError(context, 'invalid_request', verified.error)
      : context.json(verified.claims as Record<string, unknown>)
  })
  app.get('/oauth2/v2.1/certs', async context => context.json(await keys.getJwks()))
  app.post('/oauth2/v2.1/revoke', async context => revoke(state, context, await readForm(context)))
  app.on(['GET', 'POST'], '/oauth2/v2.1/userinfo', context =>
    withUser(state, context, 'openid', user =>
      context.json({ sub: user.userId, name: user.displayName, picture: getPictureUrl(state, user) }),
    ),
  )
  app.get('/v2/profile', context =>
    withUser(state, context, 'profile', user =>
      context.json({
        userId: user.userId,
        displayName: user.displayName,
        pictureUrl: getPictureUrl(state, user),
        ...(user.statusMessage && { statusMessage: user.statusMessage }),
      }),
    ),
  )
  app.get('/friendship/v1/status', context =>
    withUser(state, context, 'profile', user => context.json({ friendFlag: isFriend(user) })),
  )
  app.post('/user/v1/deauthorize', context => deauthorize(state, context))
  return app
}

async function readForm(context: Context): Promise<Form> {
  return Object.fromEntries(new URLSearchParams(await context.req.text()))
}

function oauthError(context: Context, error: string, description: string) {
  return context.json({ error, error_description: description }, 400)
}

async function redeemCode(state: State, keys: SigningKeys, context: Context, form: Form) {
  const code = state.loginCodes.get(form.code ?? '')
  const fault = findCodeFault(state, code, form)
  if (fault || !code) return oauthError(context, ...(fault ?? invalidCode))
  state.loginCodes.delete(form.code!)
  const user = state.users.get(code.userId)!
  const lifetimeSeconds = accessTokenSeconds[code.kind]
  const reply = {
    access_token: issueAccessToken(state, user.userId, { scope: code.scope, lifetimeSeconds }),
    expires_in: lifetimeSeconds,
    refresh_token: issueRefreshToken(state, user.userId, code.scope),
    scope: code.scope.join(' '),
    token_type: 'Bearer',
  }
  if (!code.scope.includes('openid')) return context.json(reply)
  const id_token = await signIdToken(state, keys, user, {
    algorithm: code.kind === 'liff' ? 'ES256' : 'HS256',
    scope: code.scope,
    nonce: code.nonce,
    flaw: state.nextIdTokenFlaws.shift(),
  })
  return context.json({ ...reply, id_token })
}

const invalidCode: [string, string] = ['invalid_grant', 'invalid authorization code']

/** LINE does not publish the wording of these descriptions; only the error codes may be relied on. */
function findCodeFault(state: State, code: LoginCode | undefined, form: Form): [string, string] | undefined {
  if (!code || code.expiresAt <= state.clock.now()) return invalidCode
  if (form.client_id !== code.clientId) return ['invalid_grant', 'client_id does not match']
  if (form.redirect_uri !== code.redirectUri) return ['invalid_grant', 'redirect_uri does not match']
  if (code.kind === 'web' && form.client_secret !== state.loginChannel.secret) {
    return ['invalid_client', 'invalid client_secret']
  }
  if (code.codeChallenge && !isChallengeMet(code.codeChallenge, form.code_verifier)) {
    return ['invalid_grant', 'invalid code_verifier']
  }
  return undefined
}

function isChallengeMet(challenge: string, verifier = ''): boolean {
  return /^[\w.~-]{43,128}$/.test(verifier) && createHash('sha256').update(verifier).digest('base64url') === challenge
}

function refresh(state: State, context: Context, form: Form) {
  if (form.client_id !== state.loginChannel.id || form.client_secret !== state.loginChannel.secret) {
    return oauthError(context, 'invalid_client', 'invalid client_secret')
  }
  const grant = state.refreshTokens.get(form.refresh_token ?? '')
  if (!grant || grant.expiresAt <= state.clock.now()) {
    return oauthError(context, 'invalid_grant', 'invalid refresh token')
  }
  const lifetimeSeconds = accessTokenSeconds.web
  return context.json({
    access_token: issueAccessToken(state, grant.userId, { scope: grant.scope, lifetimeSeconds }),
    expires_in: lifetimeSeconds,
    refresh_token: form.refresh_token,
    scope: grant.scope.join(' '),
    token_type: 'Bearer',
  })
}

function revoke(state: State, context: Context, form: Form) {
  if (form.client_id !== state.loginChannel.id) {
    return oauthError(context, 'invalid_request', 'invalid client_id')
  }
  if (form.client_secret !== undefined && form.client_secret !== state.loginChannel.secret) {
    return oauthError(context, 'invalid_client', 'invalid client_secret')
  }
  const grant = state.userTokens.get(form.access_token ?? '')
  if (grant) grant.revoked = true
  return context.body(null, 200)
}

function withUser(state: State, context: Context, scope: string, answer: (user: User) => Response) {
  const found = findUserToken(state, readBearer(context.req.header('authorization')) ?? '')
  if ('error' in found) return context.json({ message: found.error }, 401)
  if (!found.grant.scope.includes(scope)) {
    return context.json({ message: 'The access token does not have the required scope' }, 403)
  }
  const user = state.users.get(found.grant.userId)
  return user ? answer(user) : context.json({ message: 'Not found' }, 404)
}

/** Takes every token of the user away, as if they had removed the app in LINE's settings. */
async function deauthorize(state: State, context: Context) {
  const channelToken = state.channelTokens.get(readBearer(context.req.header('authorization')) ?? '')
  const isUsable = channelToken?.kind === 'stateless' && channelToken.expiresAt > state.clock.now()
  if (!isUsable || channelToken.channelId !== state.loginChannel.id) {
    return context.json({ message: 'invalid channel access token' }, 401)
  }
  const body: { userAccessToken?: string } = await context.req.json().catch(() => ({}))
  const found = findUserToken(state, body.userAccessToken ?? '')
  if ('error' in found) return context.json({ message: 'invalid token' }, 400)
  for (const grant of state.userTokens.values()) {
    if (grant.userId === found.grant.userId) grant.revoked = true
  }
  for (const [token, grant] of state.refreshTokens) {
    if (grant.userId === found.grant.userId) state.refreshTokens.delete(token)
  }
  return context.body(null, 204)
}
