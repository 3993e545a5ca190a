// Firebase Authentication as the shop meets it in production: the Auth emulator does the work, and what it lacks is done
// here: keys of the project and of its service account are asked for, and ID tokens are signed as Google signs them.
import { generateKeyPairSync, type KeyObject, randomUUID, sign, verify } from 'node:crypto'
import { Hono } from 'hono'
import { projectId as emulatedProject } from '../firebase-emulators.ts'

export interface Project {
  projectId: string
  /** The web API key, which every call of a browser names. */
  apiKey: string
  /** Whom the server works as. */
  serviceAccount: string
}

interface Key {
  id: string
  privateKey: KeyObject
  publicKey: KeyObject
}

const createKey = (): Key => ({ id: randomUUID(), ...generateKeyPairSync('rsa', { modulusLength: 2048 }) })

const CUSTOM_TOKEN_AUDIENCE =
  'https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit'
const ACCESS_TOKEN_SECONDS = 3600
/** Fields in which Google's answers hand an ID token out; of the first two, the second is the renewal's. */
const TOKEN_FIELDS = ['idToken', 'id_token', 'access_token']

type Fields = Record<string, unknown>

const refusal = (code: number, message: string) => Response.json({ error: { code, message } }, { status: code })

/** The names of Google that know people and keys: each is an app of its own. */
export function createGoogleIdentity(project: Project, emulatorHost: string) {
  const tokenKey = createKey()
  const accountKey = createKey()
  const accessTokens = new Set<string>()

  const isGranted = (authorization: string | null | undefined) =>
    accessTokens.has(authorization?.replace(/^Bearer /, '') ?? '')

  function giveAccessToken() {
    const access_token = `ya29.${randomUUID()}`
    accessTokens.add(access_token)
    return { access_token, expires_in: ACCESS_TOKEN_SECONDS, token_type: 'Bearer' }
  }

  /** The emulator's token with the project's name, signed. */
  function signAnew(unsigned: string): string {
    const payload = {
      ...readToken(unsigned).payload,
      aud: project.projectId,
      iss: `https://securetoken.google.com/${project.projectId}`,
    }
    return signToken({ alg: 'RS256', kid: tokenKey.id, typ: 'JWT' }, payload, tokenKey.privateKey)
  }

  const findFault = (fields: Fields): string | undefined => {
    const { idToken, token } = fields as Record<string, string | undefined>
    if (idToken && !isSignedBy(idToken, tokenKey)) return 'INVALID_ID_TOKEN'
    if (!token) return undefined
    const { iss, aud } = readToken(token).payload
    const isOurs = iss === project.serviceAccount && aud === CUSTOM_TOKEN_AUDIENCE
    return isOurs && isSignedBy(token, accountKey) ? undefined : 'INVALID_CUSTOM_TOKEN'
  }

  /** Passes a call of `host` on to the emulator. */
  async function passOn(host: string, request: Request): Promise<Response> {
    const url = new URL(request.url)
    const isAdmin = isGranted(request.headers.get('authorization'))
    if (request.method !== 'OPTIONS' && !isAdmin && url.searchParams.get('key') !== project.apiKey)
      return refusal(
        request.headers.has('authorization') ? 401 : 400,
        'API key not valid. Please pass a valid API key.',
      )
    const body = request.method === 'POST' ? await request.text() : undefined
    const isJson = request.headers.get('content-type')?.includes('json')
    const fault = isJson && body ? findFault(JSON.parse(body) as Fields) : undefined
    if (fault) return refusal(400, fault)
    const path = url.pathname.replace(`/projects/${project.projectId}`, `/projects/${emulatedProject}`)
    const headers = new Headers(request.headers)
    for (const name of ['host', 'content-length', 'connection', 'transfer-encoding', 'accept-encoding'])
      headers.delete(name)
    const reply = await fetch(`http://${emulatorHost}/${host}${path}${url.search}`, {
      method: request.method,
      headers,
      body,
    })
    const given = new Headers(reply.headers)
    for (const name of ['content-length', 'content-encoding', 'transfer-encoding', 'connection']) given.delete(name)
    const text = await reply.text()
    if (!given.get('content-type')?.includes('json'))
      return new Response(text || null, { status: reply.status, headers: given })
    const answer = JSON.parse(text) as Fields
    for (const name of TOKEN_FIELDS) if (typeof answer[name] === 'string') answer[name] = signAnew(answer[name])
    if (typeof answer.oobLink === 'string') answer.oobLink = actionPage(project, answer.oobLink)
    return new Response(JSON.stringify(answer), { status: reply.status, headers: given })
  }

  const passing = (host: string) => new Hono().all('*', context => passOn(host, context.req.raw))

  const keys = new Hono().get('/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com', context => {
    const jwk = { ...tokenKey.publicKey.export({ format: 'jwk' }), kid: tokenKey.id, alg: 'RS256', use: 'sig' }
    return context.json({ keys: [jwk] }, 200, { 'cache-control': 'public, max-age=20000' })
  })

  const credentials = new Hono().post('/v1/projects/-/serviceAccounts/:call', async context => {
    if (!isGranted(context.req.header('authorization')))
      return refusal(401, 'Request had invalid authentication credentials.')
    if (context.req.param('call') !== `${project.serviceAccount}:signBlob`)
      return refusal(404, 'Not found; Gaia id not found')
    const { payload } = await context.req.json<{ payload: string }>()
    const signed = sign('sha256', Buffer.from(payload, 'base64'), accountKey.privateKey)
    return context.json({ keyId: accountKey.id, signedBlob: signed.toString('base64') })
  })

  /** A server elsewhere signs its word with the key file, and is given what Google's own machines find in the metadata. */
  const exchange = new Hono().post('/token', async context => {
    const { assertion } = await context.req.parseBody<{ assertion: string }>()
    const isOurs = readToken(assertion).payload.iss === project.serviceAccount && isSignedBy(assertion, accountKey)
    if (!isOurs) return Response.json({ error: 'invalid_grant', error_description: 'Invalid JWT' }, { status: 400 })
    return context.json(giveAccessToken())
  })

  return {
    isGranted,
    exchange,
    /** What `gcloud iam service-accounts keys create` writes. */
    keyFile: JSON.stringify({
      type: 'service_account',
      project_id: project.projectId,
      private_key_id: accountKey.id,
      private_key: accountKey.privateKey.export({ type: 'pkcs8', format: 'pem' }),
      client_email: project.serviceAccount,
      token_uri: 'https://oauth2.googleapis.com/token',
    }),
    toolkit: passing('identitytoolkit.googleapis.com'),
    renewal: passing('securetoken.googleapis.com'),
    keys,
    credentials,
    metadata: createMetadata(project, giveAccessToken),
  }
}

/** A link out of a mail, as Google writes it instead of the emulator. */
function actionPage({ projectId, apiKey }: Project, link: string): string {
  const url = new URL('/__/auth/action', `https://${projectId}.firebaseapp.com`)
  url.search = new URL(link).search
  url.searchParams.set('apiKey', apiKey)
  return url.href
}

/** What a program that runs at Google asks about itself, without encryption. */
function createMetadata({ projectId, serviceAccount }: Project, giveAccessToken: () => object): Hono {
  const app = new Hono()
  app.use(async (context, next) => {
    context.header('metadata-flavor', 'Google')
    if (context.req.header('metadata-flavor') === 'Google') return next()
    return context.text('Missing required header "Metadata-Flavor": "Google"', 403)
  })
  const base = '/computeMetadata/v1'
  app.get(`${base}/instance`, context => context.json({ id: 1 }))
  app.get(`${base}/project/project-id`, context => context.text(projectId))
  app.get(`${base}/project/numeric-project-id`, context => context.text('100000000001'))
  app.get(`${base}/universe/universe-domain`, context => context.text('googleapis.com'))
  app.get(`${base}/instance/service-accounts/default/email`, context => context.text(serviceAccount))
  app.get(`${base}/instance/service-accounts/default/token`, context => context.json(giveAccessToken()))
  app.get(`${base}/instance/service-accounts/default/`, context =>
    context.json({
      email: serviceAccount,
      aliases: ['default'],
      scopes: ['https://www.googleapis.com/auth/cloud-platform'],
    }),
  )
  return app
}

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString()) as Fields

function readToken(token: string): { header: Fields; payload: Fields } {
  const [header, payload] = token.split('.')
  return { header: decode(header), payload: decode(payload) }
}

function signToken(header: object, payload: object, key: KeyObject): string {
  const text = `${encode(header)}.${encode(payload)}`
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`
}

function isSignedBy(token: string, { publicKey }: Key): boolean {
  const [header, payload, signature = ''] = token.split('.')
  if (decode(header).alg !== 'RS256') return false
  return verify('sha256', Buffer.from(`${header}.${payload}`), publicKey, Buffer.from(signature, 'base64url'))
}
