// The packed server behind the real Firebase emulators (functions, hosting, Auth) and PostgreSQL: does a deployment work?
// Runs after the builds; ends in "N passed, M failed".
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { migrate } from 'functions/src/database/migrate.ts'
import { DEMO_PASSWORD, seedAuthAccounts } from './demo-accounts.ts'
import { seedDemoData } from './demo-data.ts'
import { drawSlip } from './demo-slip.ts'
import { projectRoot } from './os-process.ts'
import { findFreePort } from './ports.ts'
import { createDatabase, discardPostgres, startPostgres } from './postgres.ts'
import { type PackedSite, startPackedSite } from './smoke-emulators.ts'

/** The first call loads the packed server. */
const replyTimeoutMs = 15_000
const interrupt = new AbortController()
/** After this, or Ctrl-C, every check fails at once. */
const end = AbortSignal.any([interrupt.signal, AbortSignal.timeout(300_000)])
const shownCharacters = 4000

interface Reply {
  status: number
  headers: Headers
  text: string
}
interface Check {
  name: string
  run: (site: PackedSite) => Promise<void>
}
interface GuestOrder {
  orderNo: string
  status: string
  priceSatang: number
  amountSatang: number
  trackToken: string
}

let placed: GuestOrder | undefined
/** Without it the pulse does not say what is red. */
const PULSE_KEY = 'k'.repeat(32)

const checks: Check[] = [
  { name: 'the storefront and the admin site load, on every path', run: checkPages },
  { name: 'pages may not be framed by strangers, and their policy allows their own scripts', run: checkHeaders },
  { name: 'games are listed', run: checkGames },
  { name: 'links to games show what they are', run: checkPreview },
  { name: 'a guest places an order and follows its link', run: checkGuestOrder },
  { name: 'a slip is uploaded, and a thread of the packed server reads its QR', run: checkSlip },
  { name: 'staff sign in and see the order', run: checkStaff },
  { name: 'every call of the contract reaches the server through both sites', run: checkContract },
  { name: 'the API page is served whole', run: checkDocs },
  { name: 'whoever watches reaches the pulse and the probes through both sites', run: checkWatch },
]

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort())
process.exit((await runSmoke()) ? 0 : 1)

async function runSmoke(): Promise<boolean> {
  const dir = join(projectRoot, '.local', 'smoke')
  const dataDir = join(dir, 'postgres')
  let site: PackedSite | undefined
  let failed = 0
  try {
    mkdirSync(dir, { recursive: true })
    await discardPostgres(dataDir)
    const server = await startPostgres({ port: await findFreePort(), dataDir, durable: false })
    const databaseUrl = await createDatabase(server.url, 'shop')
    await migrate(databaseUrl)
    await seedDemoData(databaseUrl, { history: false, filesDir: join(dir, 'files') })
    const environment = { FILES_DIR: join(dir, 'files'), PROXIES_IN_FRONT: '1', PULSE_KEYS: PULSE_KEY }
    site = await startPackedSite(join(dir, 'project'), environment, { DATABASE_URL: databaseUrl })
    await seedAuthAccounts(site.authHost)
    for (const check of checks) if (!(await passes(check, site))) failed++
  } catch (error) {
    failed = checks.length
    console.log(error instanceof Error ? error.message : error)
  } finally {
    await site?.stop()
    await discardPostgres(dataDir)
  }
  if (failed > 0 && site) console.log(`\nThe emulators' last words:\n${site.getOutput().slice(-shownCharacters)}`)
  console.log(`${checks.length - failed} passed, ${failed} failed`)
  return failed === 0
}

async function passes({ name, run }: Check, site: PackedSite): Promise<boolean> {
  const began = performance.now()
  try {
    await run(site)
    console.log(`✓ ${name} (${Math.round(performance.now() - began)} ms)`)
    return true
  } catch (error) {
    console.log(`✗ ${name}: ${error instanceof Error ? error.message : error}`)
    return false
  }
}

/** Behind hosting an unknown path is the app itself with status 200, so that a watcher would see green for ever. */
async function checkWatch({ storefront, admin }: PackedSite): Promise<void> {
  for (const origin of [storefront, admin])
    for (const path of ['/live', '/ready', '/pulse']) {
      const answer = await get(origin + path, { headers: { authorization: `Bearer ${PULSE_KEY}` } })
      const { ok, red = [] } = JSON.parse(answer.text) as { ok: boolean; red?: string[] }
      require(answer.status === (ok ? 200 : 503), `${origin}${path} answers ${brief(answer)}`)
      require(ok || (path === '/pulse' && !red.includes('database')), `${origin}${path} is not well: ${brief(answer)}`)
      const kept = answer.headers.get('cache-control') ?? ''
      require(/^no-(store|cache)$/.test(kept), `${origin}${path} may be kept: ${kept}`)
      require(/^[\da-f]{32}$/.test(answer.headers.get('x-request-id') ?? ''), `${origin}${path} names no request`)
    }
}

async function checkPages({ storefront, admin }: PackedSite): Promise<void> {
  for (const url of [`${storefront}/`, `${storefront}/terms`, `${admin}/`, `${admin}/management/order`]) {
    const page = await get(url)
    require(page.status === 200 && page.text.includes('<div id="root">'), `${url} is not the app: ${brief(page)}`)
    require(page.headers.get('cache-control') === 'no-cache', `${url} may be cached`)
  }
}

/** A game's page comes through the server, which puts what a link to it shows into the site's own page. */
async function checkPreview({ storefront }: PackedSite): Promise<void> {
  const page = await get(`${storefront}/game/rov`)
  require(page.status === 200 && page.text.includes('<div id="root">'), `/game/rov is not the app: ${brief(page)}`)
  require(/og:title" content="[^"]*RoV/.test(page.text), `/game/rov says nothing of its game: ${brief(page)}`)
  const picture = await get(`${storefront}/preview/rov.png`)
  require(picture.headers.get('content-type') === 'image/png', `no picture of /game/rov: ${brief(picture)}`)
}

async function checkHeaders({ storefront, admin }: PackedSite): Promise<void> {
  for (const origin of [storefront, admin]) {
    const page = await get(`${origin}/`)
    const policy = page.headers.get('content-security-policy') ?? ''
    require(/frame-ancestors '(self|none)'/.test(policy), `${origin} may be framed`)
    require(page.headers.get('x-content-type-options') === 'nosniff', `${origin} has no nosniff`)
    for (const [, script] of page.text.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)) {
      const hash = `'sha256-${createHash('sha256').update(script!).digest('base64')}'`
      require(policy.includes(hash), `firebase.json's policy must name the inline script of the page: ${hash}`)
    }
    const asset = /(?:src|href)="(\/assets\/[^"]+)"/.exec(page.text)?.[1]
    require(asset, `${origin} names no asset`)
    const kept = (await get(origin + asset)).headers.get('cache-control') ?? ''
    require(kept.includes('immutable'), `${asset} is not kept by browsers: ${kept}`)
  }
}

async function checkGames({ storefront }: PackedSite): Promise<void> {
  const url = `${storefront}/romons.game/api/games`
  const kept = (await get(url)).headers.get('cache-control') ?? ''
  require(kept.includes('s-maxage'), `hosting takes the server's word about caches away: ${kept}`)
  const games = await getJson<{ code: string; picture: string }[]>(url)
  require(games.length >= 8, `only ${games.length} games`)
  const picture = await get(storefront + games[0]!.picture)
  require(picture.headers.get('content-type') === 'image/svg+xml', `no picture: ${brief(picture)}`)
}

async function checkGuestOrder({ storefront }: PackedSite): Promise<void> {
  interface SoldPackage {
    id: number
    gameId: number
    payment: string
    priceSatang: number
  }
  const offers = await getJson<SoldPackage[]>(`${storefront}/romons.package/api/packages/rov`)
  const offer = offers.find(each => each.payment === 'bank')
  const [account] = await getJson<{ id: number }[]>(`${storefront}/romons.payment/api/banksaccount`)
  require(offer && account, 'nothing to buy')
  const body = {
    gameId: offer.gameId,
    packageId: offer.id,
    playerId: '12345678',
    field2: 'ผู้เล่น',
    receivingAccountId: account.id,
    termsVersion: '1',
  }
  const request = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'guest-key': randomBytes(24).toString('base64url'),
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify(body),
  }
  const reply = await get(`${storefront}/romons.payment/api/confirmprice`, request)
  require(reply.status === 200, `refused: ${brief(reply)}`)
  placed = JSON.parse(reply.text) as GuestOrder
  const tailSatang = placed.amountSatang - offer.priceSatang
  require(tailSatang >= 1 && tailSatang <= 99, `amount ${placed.amountSatang} for price ${offer.priceSatang}`)
  const tracked = await getJson<GuestOrder>(`${storefront}/romons.order/api/order/track`, {
    headers: { 'track-token': placed.trackToken },
  })
  require(tracked.orderNo === placed.orderNo && tracked.status === 'waiting_payment', `followed: ${tracked.status}`)
}

async function checkSlip({ storefront }: PackedSite): Promise<void> {
  const body = new FormData()
  body.append('file', new Blob([new Uint8Array(await drawSlip('004', 'SMOKE0001'))]), 'slip.jpg')
  const headers = { 'guest-key': randomBytes(24).toString('base64url'), 'idempotency-key': randomUUID() }
  const reply = await get(`${storefront}/romons.payment/api/wallet/uploadslip`, { method: 'POST', headers, body })
  require(reply.status === 200, `refused: ${brief(reply)}`)
  require(JSON.parse(reply.text).hasBankReference === true, `its QR was not read: ${brief(reply)}`)
}

async function checkStaff({ admin, authHost }: PackedSite): Promise<void> {
  const signedIn = await get(
    `http://${authHost}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=demo`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'staff@demo.shop', password: DEMO_PASSWORD, returnSecureToken: true }),
    },
  )
  require(signedIn.status === 200, `sign-in: ${brief(signedIn)}`)
  const { idToken } = JSON.parse(signedIn.text) as { idToken: string }
  const url = `${admin}/romons.order/api/order/managehistory`
  const orders = await getJson<{ rows: { orderNo: string }[] }>(url, {
    headers: { authorization: `Bearer ${idToken}` },
  })
  require(placed && orders.rows.some(each => each.orderNo === placed?.orderNo), "the guest's order is not listed")
  const refused = await get(url)
  require(refused.status === 401, `without a token: ${brief(refused)}`)
}

/** A call that hosting does not pass on gets the app's page instead of the server's JSON. */
async function checkContract({ storefront, admin }: PackedSite): Promise<void> {
  const documents = await Promise.all(
    ['/openapi.json', '/reseller/openapi.json'].map(path =>
      getJson<{ paths: Record<string, object> }>(storefront + path),
    ),
  )
  const paths = Object.assign({}, ...documents.map(document => document.paths)) as Record<string, object>
  const lost: string[] = []
  for (const [template, operations] of Object.entries(paths)) {
    const path = template.replace(/\{\w+\}/g, 'x')
    for (const method of Object.keys(operations).map(each => each.toUpperCase())) {
      for (const origin of [storefront, admin]) {
        const reply = await get(origin + path, { method })
        const isOurs = reply.headers.get('content-type')?.includes('json') && reply.status !== 500
        if (!isOurs) lost.push(`${method} ${origin}${path} ${brief(reply)}`)
      }
    }
  }
  require(lost.length === 0, `lost:\n${lost.join('\n')}`)
}

async function checkDocs({ storefront }: PackedSite): Promise<void> {
  for (const path of ['/docs', '/reseller/docs']) {
    const page = await get(storefront + path)
    const files = [...page.text.matchAll(/(?:src|href)="((?:\/reseller)?\/docs\/[^"]+\.[a-z]+)"/g)].map(
      match => match[1]!,
    )
    require(files.length >= 3, `no page: ${brief(page)}`)
    for (const file of files) {
      const reply = await get(storefront + file)
      require(reply.status === 200 &&
        /javascript|css|plain/.test(reply.headers.get('content-type') ?? ''), `${file} is missing`)
    }
  }
}

async function get(url: string, init?: RequestInit): Promise<Reply> {
  const response = await fetch(url, { ...init, signal: AbortSignal.any([end, AbortSignal.timeout(replyTimeoutMs)]) })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

async function getJson<T>(url: string, init?: RequestInit): Promise<T> {
  const reply = await get(url, init)
  require(reply.status === 200, `${url}: ${brief(reply)}`)
  return JSON.parse(reply.text) as T
}

function require(condition: unknown, problem: string): asserts condition {
  if (!condition) throw new Error(problem)
}

function brief({ status, text }: Reply): string {
  return `${status} ${text.slice(0, 200).replaceAll('\n', ' ')}`
}
