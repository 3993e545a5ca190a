// Everything that a shop finds outside of itself, on this machine: PostgreSQL, Google, LINE and a slip provider.
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import pg from 'pg'
import { startAuthEmulator } from '../auth-emulator.ts'
import { demoLine } from '../line-emulator/demo.ts'
import { createLineEmulator, type LineEmulator } from '../line-emulator/server.ts'
import { findFreePort } from '../ports.ts'
import { discardPostgres, type PostgresServer, startPostgres } from '../postgres.ts'
import { demoSlipKeys, type RunningSlipProvider, startSlipProvider } from '../slip-provider/server.ts'
import { type Bucket, createBucket } from './bucket.ts'
import { createGoogleIdentity, type Project } from './google-identity.ts'
import { passOn } from './hosting.ts'
import { type Internet, openInternet } from './internet.ts'

export const project = {
  projectId: 'kram-rehearsal',
  apiKey: 'AIza-rehearsal',
  serviceAccount: 'shop@kram-rehearsal.iam.gserviceaccount.com',
  bucket: 'kram-rehearsal-files',
  region: 'asia-southeast1',
} satisfies Project & Record<string, string>

export const names = {
  storefront: 'kram.example',
  admin: 'office.kram.example',
  functions: `${project.region}-${project.projectId}.cloudfunctions.net`,
}

/** Google, LINE and a slip provider, at their own names. */
export interface World {
  internet: Internet
  line: LineEmulator
  slips: RunningSlipProvider
  bucket: Bucket
  google: ReturnType<typeof createGoogleIdentity>
}

export interface Cloud extends World {
  /** The empty database, as whoever owns it. */
  ownerUrl: string
  /** What makes a program find all of it, and nothing else. */
  environment: Record<string, string>
  stop(): Promise<void>
}

export async function startCloud(dir: string): Promise<Cloud> {
  const dataDir = join(dir, 'postgres')
  await discardPostgres(dataDir)
  rmSync(dir, { recursive: true, force: true })
  mkdirSync(dir, { recursive: true })
  const undo: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const each of undo.splice(0).reverse()) await each()
  }
  try {
    const database = await startPostgres({ port: await findFreePort(), dataDir, durable: false })
    undo.push(() => discardPostgres(dataDir))
    const ownerUrl = await createOwnersDatabase(database)
    const world = await openWorld(undo)
    const authority = join(dir, 'authority.pem')
    writeFileSync(authority, world.internet.authority)
    return {
      ...world,
      ownerUrl,
      get environment() {
        return {
          NODE_OPTIONS: `--import ${new URL('names.ts', import.meta.url)}`,
          NODE_EXTRA_CA_CERTS: authority,
          REHEARSED_NAMES: JSON.stringify(world.internet.places()),
        }
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** What `undo` holds afterwards ends it. */
export async function openWorld(undo: (() => Promise<void>)[]): Promise<World> {
  const auth = await startAuthEmulator({ port: await findFreePort() })
  undo.push(auth.stop)
  const internet = await openInternet()
  undo.push(internet.stop)
  await auth.ready
  const google = createGoogleIdentity(project, auth.host)
  const bucket = createBucket(project.bucket, google.isGranted)
  internet.answer(getRequestListener(google.toolkit.fetch), 'identitytoolkit.googleapis.com')
  internet.answer(getRequestListener(google.renewal.fetch), 'securetoken.googleapis.com')
  internet.answer(getRequestListener(google.keys.fetch), 'www.googleapis.com')
  internet.answer(getRequestListener(google.credentials.fetch), 'iamcredentials.googleapis.com')
  internet.answer(getRequestListener(google.exchange.fetch), 'oauth2.googleapis.com')
  internet.answer(getRequestListener(bucket.app.fetch), 'storage.googleapis.com')
  internet.answerPlain(getRequestListener(google.metadata.fetch), 'metadata.google.internal', '169.254.169.254')
  const line = createLineEmulator({
    shopUrl: `https://${names.storefront}`,
    apiUrl: `https://${names.storefront}`,
    publicUrl: 'https://profile.line-scdn.net',
  })
  internet.answer(
    getRequestListener(line.app.fetch),
    'api.line.me',
    'access.line.me',
    'liff.line.me',
    'profile.line-scdn.net',
  )
  internet.answer(getRequestListener(createLiffTexts().fetch), 'liffsdk.line-scdn.net')
  const slips = await startSlipProvider({ port: 0 })
  undo.push(slips.stop)
  internet.answer(standInFor(slips.origin, '/api/line/apikey', '/slipok'), 'api.slipok.com')
  return { internet, line, slips, bucket, google }
}

/**
 * As a database in the cloud is handed over: empty, and its owner is no superuser. Passwords are asked for from now on.
 */
async function createOwnersDatabase({ url, dataDir }: PostgresServer): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const password = randomBytes(18).toString('base64url')
  await client.query(`CREATE ROLE shop_owner LOGIN CREATEROLE PASSWORD '${password}'`)
  await client.query('CREATE DATABASE shop OWNER shop_owner')
  const rules = ['host all postgres 127.0.0.1/32 trust', 'host all all 127.0.0.1/32 scram-sha-256']
  writeFileSync(join(dataDir, 'pg_hba.conf'), `${rules.join('\n')}\n`)
  await client.query('SELECT pg_reload_conf()')
  await client.end()
  return Object.assign(new URL('/shop', url), { username: 'shop_owner', password }).href
}

/**
 * Lets this program find the names, too. What answers later than now it does not find. Those of `real` (name:port) lead to
 * whom they belong.
 */
export async function enterInternet(internet: Internet, real: readonly string[] = []): Promise<void> {
  process.env.REHEARSED_NAMES = JSON.stringify({
    ...internet.places(),
    ...Object.fromEntries(real.map(each => [each, 0])),
  })
  setDefaultCACertificates([...getCACertificates('default'), internet.authority])
  await import('./names.ts')
}

/** The texts that the LIFF SDK loads at the end of its start. */
function createLiffTexts(): Hono {
  const app = new Hono()
  app.use(cors())
  app.get('/xlt/manifest.json', context => context.json({ languages: { en: 'en.json', th: 'th.json' } }))
  app.get('/xlt/:language{\\w+.json}', context => context.json({}))
  return app
}

/** Passes calls below `base` on to a program at `origin`, below `path` there. */
function standInFor(origin: string, base: string, path: string): RequestListener {
  const port = Number(new URL(origin).port)
  return (request, response) => passOn(request, response, { port, path: (request.url ?? '/').replace(base, path) })
}

/** What Google and LINE told, and the shop's own names. */
export const told = {
  VITE_FIREBASE_PROJECT_ID: project.projectId,
  VITE_FIREBASE_API_KEY: project.apiKey,
  STOREFRONT_URL: `https://${names.storefront}`,
  ADMIN_URL: `https://${names.admin}`,
  LINE_LOGIN_CHANNEL_ID: demoLine.loginChannel.id,
  LINE_LIFF_ID: demoLine.liffId,
}
export const toldSecrets = {
  LINE_LOGIN_CHANNEL_SECRET: demoLine.loginChannel.secret,
  LINE_CHANNEL_ACCESS_TOKEN: demoLine.messagingChannel.accessToken,
  LINE_CHANNEL_SECRET: demoLine.messagingChannel.secret,
}

/** What a person writes into deploy/.env and deploy/secrets.env. */
export const settings = {
  ...told,
  PROXIES_IN_FRONT: '1',
  FILES_BUCKET: project.bucket,
  SLIP_PROVIDER: 'slipok',
}
export const makeSecrets = (ownerUrl: string, serverPassword: string) => ({
  DATABASE_URL: Object.assign(new URL(ownerUrl), { username: 'shop_app', password: serverPassword }).href,
  ...toldSecrets,
  TOTP_KEY: randomBytes(32).toString('base64url'),
  PIN_KEYS: `v1:${randomBytes(32).toString('base64url')}`,
  SLIPOK_BRANCH_ID: demoSlipKeys.branchId,
  SLIPOK_API_KEY: demoSlipKeys.apiKey,
})
