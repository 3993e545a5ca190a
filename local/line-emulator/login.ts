import { type Context, Hono } from 'hono'
import { renderErrorPage, renderLoginPage } from './login-page.ts'
import { createSecretText, isFriend, type LoginRequest, type State } from './state.ts'

interface Decision {
  userId: string
  decision: 'allow' | 'deny'
  addFriend: boolean
}

const codeLifetimeMs = 10 * 60 * 1000
const knownScopes = ['openid', 'profile', 'email', 'chat_message.write']

/** Serves access.line.me: the pages on which people allow a login from LIFF or from the web. */
export function createLoginRoutes(state: State): Hono {
  const app = new Hono()
  app.get('/liff/v1/authorize', context => {
    const request = readLiffRequest(state, context)
    return 'error' in request ? refuse(context, request.error) : answerOrAsk(state, context, request)
  })
  app.get('/oauth2/v2.1/authorize', context => authorizeWeb(state, context))
  app.post('/__emu/login/decide', async context => {
    const form = await context.req.formData()
    const request = state.loginRequests.get(String(form.get('request')))
    if (!request) return refuse(context, 'หน้านี้หมดอายุแล้ว กรุณากลับไปเริ่มใหม่')
    state.loginRequests.delete(String(form.get('request')))
    return finish(state, context, request, {
      userId: String(form.get('userId')),
      decision: form.get('decision') === 'allow' ? 'allow' : 'deny',
      addFriend: form.get('addFriend') === 'on',
    })
  })
  app.get('/.well-known/openid-configuration', context => context.json(openIdConfiguration))
  return app
}

function refuse(context: Context, reason: string) {
  return context.html(renderErrorPage(reason), 400)
}

/** LIFF only redirects to addresses with the endpoint's origin whose path begins with the endpoint's path. */
function isUnderEndpoint(redirectUri: string, endpointUrl: string): boolean {
  if (!URL.canParse(redirectUri)) return false
  const [redirect, endpoint] = [new URL(redirectUri), new URL(endpointUrl)]
  return redirect.origin === endpoint.origin && redirect.pathname.startsWith(endpoint.pathname)
}

function readLiffRequest(state: State, context: Context): LoginRequest | { error: string } {
  const query = context.req.query()
  const { liffApp } = state
  if (query.app_id !== liffApp.liffId) return { error: 'ไม่พบ LIFF app: app_id ไม่ถูกต้อง' }
  if (query.response_type !== 'code') return { error: 'response_type ต้องเป็น code' }
  if (!query.code_challenge || query.code_challenge_method !== 'S256') return { error: 'ต้องใช้ PKCE แบบ S256' }
  const redirectUri = query.redirect_uri ?? liffApp.endpointUrl
  if (!isUnderEndpoint(redirectUri, liffApp.endpointUrl)) {
    return { error: 'redirect_uri ต้องขึ้นต้นด้วย Endpoint URL ของ LIFF app' }
  }
  return {
    kind: 'liff',
    clientId: state.loginChannel.id,
    redirectUri,
    state: query.state ?? '',
    scope: liffApp.scope,
    codeChallenge: query.code_challenge,
    botPrompt: liffApp.botPrompt,
  }
}

function authorizeWeb(state: State, context: Context) {
  const query = context.req.query()
  if (query.client_id !== state.loginChannel.id) return refuse(context, 'ไม่พบ channel: client_id ไม่ถูกต้อง')
  if (!query.redirect_uri || !state.loginChannel.callbackUrls.includes(query.redirect_uri)) {
    return refuse(context, 'redirect_uri ไม่ตรงกับ Callback URL ที่ลงทะเบียนไว้')
  }
  if (!query.state) return refuse(context, 'ไม่มี state')
  const request: LoginRequest = {
    kind: 'web',
    clientId: query.client_id,
    redirectUri: query.redirect_uri,
    state: query.state,
    scope: (query.scope ?? '').split(' ').filter(Boolean),
    nonce: query.nonce,
    codeChallenge: query.code_challenge,
    botPrompt: query.bot_prompt === 'normal' || query.bot_prompt === 'aggressive' ? query.bot_prompt : 'off',
  }
  const fault = findWebFault(query, request)
  if (fault) return context.redirect(withError(request, ...fault))
  if (query.prompt === 'none' && !state.autoLogin) {
    return context.redirect(withError(request, 'LOGIN_REQUIRED', 'User must login.'))
  }
  return answerOrAsk(state, context, request)
}

function findWebFault(query: Record<string, string>, request: LoginRequest): [string, string] | undefined {
  if (query.response_type !== 'code') return ['INVALID_REQUEST', 'response_type must be code.']
  if (query.code_challenge && query.code_challenge_method !== 'S256') {
    return ['INVALID_REQUEST', 'code_challenge_method must be S256.']
  }
  if (!request.scope.length || request.scope.some(scope => !knownScopes.includes(scope))) {
    return ['INVALID_SCOPE', 'The requested scope is invalid, unknown, or malformed.']
  }
  return undefined
}

function answerOrAsk(state: State, context: Context, request: LoginRequest) {
  const auto = state.autoLogin
  if (auto) return finish(state, context, request, { ...auto, addFriend: auto.addFriend ?? false })
  const id = createSecretText()
  state.loginRequests.set(id, request)
  return context.html(renderLoginPage(state, id, request))
}

function finish(state: State, context: Context, request: LoginRequest, decision: Decision) {
  const user = state.users.get(decision.userId)
  if (decision.decision === 'deny') {
    return context.redirect(withError(request, 'ACCESS_DENIED', 'The resource owner denied the request.'))
  }
  if (!user) return refuse(context, 'ไม่พบผู้ใช้นี้')
  const code = createSecretText(15)
  state.loginCodes.set(code, { ...request, userId: user.userId, expiresAt: state.clock.now() + codeLifetimeMs })
  const target = new URL(request.redirectUri)
  target.searchParams.set('code', code)
  target.searchParams.set('state', request.state)
  if (request.kind === 'liff') {
    target.searchParams.set('liffClientId', request.clientId)
    target.searchParams.set('liffRedirectUri', request.redirectUri)
  }
  if (request.botPrompt !== 'off') {
    const changed = decision.addFriend && !isFriend(user)
    if (changed) user.friendship = 'friend'
    target.searchParams.set('friendship_status_changed', String(changed))
    state.version += 1
  }
  return context.redirect(target.href)
}

function withError(request: LoginRequest, error: string, description: string): string {
  const target = new URL(request.redirectUri)
  target.searchParams.set('error', error)
  target.searchParams.set('error_description', description)
  target.searchParams.set('state', request.state)
  // The LIFF SDK ignores `error` without this parameter.
  if (request.kind === 'liff') target.searchParams.set('liffOAuth2Error', 'true')
  return target.href
}

const openIdConfiguration = {
  issuer: 'https://access.line.me',
  authorization_endpoint: 'https://access.line.me/oauth2/v2.1/authorize',
  token_endpoint: 'https://api.line.me/oauth2/v2.1/token',
  revocation_endpoint: 'https://api.line.me/oauth2/v2.1/revoke',
  userinfo_endpoint: 'https://api.line.me/oauth2/v2.1/userinfo',
  scopes_supported: ['openid', 'profile', 'email'],
  jwks_uri: 'https://api.line.me/oauth2/v2.1/certs',
  response_types_supported: ['code'],
  subject_types_supported: ['pairwise'],
  id_token_signing_alg_values_supported: ['ES256'],
  code_challenge_methods_supported: ['S256'],
}
