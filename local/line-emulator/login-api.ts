import { createHash } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { createSecretText, getPictureUrl, isFriend, type LoginCode, type State, type User } from './state.ts'
import {
  accessTokenSeconds,
  findUserToken,
  issueAccessToken,
  readBearer,
  type SigningKeys,
  signIdToken,
} from './tokens.ts'

type Form = Record<string, string>

/** Serves LINE Login's part of api.line.me: it issues, checks and revokes tokens, and tells whom they belong to. */
export function createLoginApi(state: State, keys: SigningKeys): Hono {
  const app = new Hono()
  app.post('/oauth2/v2.1/token', async context => {
    const form = await readForm(context)
    return form.grant_type === 'authorization_code'
      ? redeemCode(state, keys, context, form)
      : oauthError(context, 'unsupported_grant_type', 'unsupported grant_type')
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
  app.get('/oauth2/v2.1/certs', async context => context.json(await keys.getJwks()))
  app.post('/oauth2/v2.1/revoke', async context => revoke(state, context, await readForm(context)))
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
    refresh_token: createSecretText(15),
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

/** Returns LINE's error code, and a description. LINE publishes no descriptions, so only the codes are certain. */
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
