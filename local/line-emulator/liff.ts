import { type Context, Hono } from 'hono'
import { renderErrorPage } from './login-page.ts'
import { createSharePicker } from './share-picker.ts'
import { createSecretText, type State } from './state.ts'
import {
  accessTokenSeconds,
  findUserToken,
  issueAccessToken,
  readBearer,
  type SigningKeys,
  signIdToken,
} from './tokens.ts'

/** Serves the calls of the LIFF SDK other than login, and the links of liff.line.me. */
export function createLiffRoutes(state: State, keys: SigningKeys): Hono {
  const app = new Hono()
  app.get('/liff/v2/apps/:liffId/contextToken', context =>
    withApp(state, context, () => context.json({ contextToken: createContextToken(state) })),
  )
  app.get('/liff/v2/apps/:liffId/featureToken', context =>
    withApp(state, context, () => {
      const found = findUserToken(state, readBearer(context.req.header('authorization')) ?? '')
      if ('error' in found) return context.json({ message: found.error }, 401)
      return context.json({ featureToken: createSecretText() })
    }),
  )
  app.post('/liff/v2/oaadd/rateLimit', context => context.json({}))
  app.post('/oauth2/v2.1/liff/friendship/validate', async context => {
    const form = new URLSearchParams(await context.req.text())
    const found = findUserToken(state, form.get('accessToken') ?? '')
    if ('error' in found) return context.json({ message: found.error }, 400)
    return context.json({ valid: true })
  })
  app.route('/', createSharePicker(state))
  app.get('/:liffId{[0-9]+-[0-9A-Za-z]{8}}/:path{.+}?', context => openLiffLink(state, keys, context))
  return app
}

function withApp(state: State, context: Context, answer: () => Response) {
  return context.req.param('liffId') === state.liffApp.liffId ? answer() : context.json({ message: 'not found' }, 404)
}

/** Returns a token with a random signature, because the SDK only decodes the payload. */
function createContextToken(state: State, userId?: string): string {
  const { liffApp } = state
  const payload = {
    type: userId ? 'utou' : 'external',
    viewType: 'full',
    ...(userId && { userId, utouId: createSecretText(8) }),
    liffId: liffApp.liffId,
    endpointUrl: liffApp.endpointUrl,
    accessTokenHash: createSecretText(8),
    permanentLinkPattern: 'concat',
    scope: liffApp.scope,
    availability: {
      shareTargetPicker: { permission: true, minVer: '10.3.0' },
      subwindowOpen: { permission: false, minVer: '11.7.0' },
      multipleLiffTransition: { permission: false, minVer: '10.18.0' },
    },
  }
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${encode({ alg: 'HS256' })}.${encode(payload)}.${createSecretText()}`
}

/** Returns LINE's primary redirect: the endpoint with `liff.state`. `path` may have a query and a fragment. */
function getPrimaryRedirect(state: State, path: string): URL {
  const target = new URL(state.liffApp.endpointUrl)
  if (path && path !== '/') target.searchParams.set('liff.state', path)
  return target
}

/**
 * Returns the address with which LINE's in-app browser opens the shop for `userId`.
 *
 * The fragment gives the SDK what it would otherwise get by a login: `access_token` (valid for 12 hours; the SDK has it
 * checked by GET /oauth2/v2.1/verify, whose client_id must be the prefix of the LIFF id), `id_token` (ES256),
 * `context_token` (names the endpoint and the LIFF id), `feature_token` (required, but any text) and `client_id`.
 * An ordinary browser does not have LINE's user agent. So `emulated_line=1` in the query asks the page to set
 * `LIFF_STORE:isInClient` in sessionStorage to "1" before the SDK loads.
 */
export async function createInClientUrl(
  state: State,
  keys: SigningKeys,
  userId: string,
  path: string,
): Promise<string> {
  const user = state.users.get(userId)
  if (!user) throw new Error(`no user ${userId}`)
  const { scope } = state.liffApp
  const target = getPrimaryRedirect(state, path)
  target.searchParams.set('emulated_line', '1')
  target.hash = new URLSearchParams({
    access_token: issueAccessToken(state, userId, { scope, lifetimeSeconds: accessTokenSeconds.liff }),
    id_token: await signIdToken(state, keys, user, { algorithm: 'ES256', scope, flaw: state.nextIdTokenFlaws.shift() }),
    context_token: createContextToken(state, userId),
    feature_token: createSecretText(),
    client_id: state.loginChannel.id,
  }).toString()
  return target.href
}

/** Opens a link of liff.line.me: with a user id in `emulated_user` as inside LINE, otherwise as in any browser. */
async function openLiffLink(state: State, keys: SigningKeys, context: Context) {
  if (context.req.param('liffId') !== state.liffApp.liffId) return context.html(renderErrorPage('ไม่พบ LIFF app'), 404)
  const url = new URL(context.req.url)
  const userId = url.searchParams.get('emulated_user')
  url.searchParams.delete('emulated_user')
  const path = url.pathname.slice(state.liffApp.liffId.length + 1) + url.search
  if (!userId) return context.redirect(getPrimaryRedirect(state, path).href)
  if (!state.users.has(userId)) return context.html(renderErrorPage('ไม่พบผู้ใช้นี้'), 404)
  return context.redirect(await createInClientUrl(state, keys, userId, path))
}
