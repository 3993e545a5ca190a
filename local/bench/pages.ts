import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { listGamePackages } from '@shop/shared/catalogue/endpoints.ts'
import { createClient } from '@shop/shared/client.ts'
import { confirmPrice } from '@shop/shared/order/endpoints.ts'
import { launch } from 'chrome-launcher'
import lighthouse from 'lighthouse'
import { chromium, type Page } from 'playwright-core'
import { findChromium } from '../chromium.ts'
import { DEMO_PASSWORD } from '../demo-accounts.ts'
import { projectRoot } from '../os-process.ts'
import { findFreePorts } from '../ports.ts'
import { discardPostgres } from '../postgres.ts'
import { buildSites } from '../sites.ts'
import { startStack } from '../stack.ts'
import { startFront } from './front.ts'

const RUNS = 3
const GAME = 'freefire'
const GUEST_KEY = 'bench-of-the-pages-0000'

interface Sites {
  storefront: string
  admin: string
}

/** A page, and what somebody does in the browser before it is measured with an empty cache. */
interface Measured {
  url: string
  prepare?: (page: Page) => Promise<void>
}

/** Places an order by transfer, as a guest whose key the browser has. */
async function placeOrder({ storefront }: Sites): Promise<{ orderNo: string; trackToken: string }> {
  const api = createClient({ baseUrl: storefront, headers: () => ({ 'guest-key': GUEST_KEY }) })
  const packages = await api.call(listGamePackages, { params: { gameCode: GAME } })
  const { gameId, id: packageId } = packages.find(({ payment }) => payment === 'bank')!
  const body = { gameId, packageId, playerId: '5123470099', receivingAccountId: 1, creditSatang: 0, termsVersion: '1' }
  return api.call(confirmPrice, { body, idempotencyKey: crypto.randomUUID() })
}

async function signIn(page: Page, admin: string): Promise<void> {
  await page.goto(admin)
  await page.getByLabel('อีเมล').fill('staff@demo.shop')
  await page.getByLabel('รหัสผ่าน').fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'เข้าสู่ระบบ', exact: true }).click()
  // The menu is folded away in a narrow window.
  await page.getByLabel('อีเมล').waitFor({ state: 'detached' })
}

async function listPages(sites: Sites): Promise<Record<string, Measured>> {
  const { storefront, admin } = sites
  const { orderNo, trackToken } = await placeOrder(sites)
  const asGuest = async (page: Page) => {
    await page.goto(`${storefront}/favicon.svg`)
    await page.evaluate(key => localStorage.setItem('guestKey', JSON.stringify(key)), GUEST_KEY)
  }
  return {
    'list of games': { url: `${storefront}/game` },
    'a game by a link': { url: `${storefront}/game/${GAME}` },
    'tracking, unpaid': { url: `${storefront}/track/${trackToken}` },
    payment: { url: `${storefront}/payment?order=${orderNo}`, prepare: asGuest },
    "the office's queue": { url: `${admin}/management/queue`, prepare: page => signIn(page, admin) },
  }
}

const FIGURES = {
  performance: { of: 'score', digits: 0 },
  'LCP ms': { of: 'largest-contentful-paint', digits: 0 },
  CLS: { of: 'cumulative-layout-shift', digits: 3 },
  'TBT ms': { of: 'total-blocking-time', digits: 0 },
  kB: { of: 'bytes', digits: 0 },
  requests: { of: 'requests', digits: 0 },
} as const
type Figures = Record<keyof typeof FIGURES, number>

/** Opens a page once on a slow phone (slow 4G, a processor four times slower), with nothing in the cache. */
async function measure({ url, prepare }: Measured): Promise<Figures> {
  const flags = [
    '--headless=new',
    '--no-sandbox',
    '--disable-quic',
    '--disable-background-networking',
    '--no-first-run',
  ]
  const chrome = await launch({ chromePath: findChromium(), chromeFlags: flags })
  try {
    if (prepare) {
      const browser = await chromium.connectOverCDP(`http://127.0.0.1:${chrome.port}`)
      const page = await browser.contexts()[0]!.newPage()
      await prepare(page)
      await (await page.context().newCDPSession(page)).send('Network.clearBrowserCache')
      await page.goto('about:blank')
      await browser.close()
    }
    const options = { port: chrome.port, onlyCategories: ['performance'], disableStorageReset: prepare !== undefined }
    const { lhr } = (await lighthouse(url, { ...options, logLevel: 'error' }))!
    const figureOf = (audit: string) => lhr.audits[audit]?.numericValue ?? Number.NaN
    const requests = lhr.audits['network-requests']?.details as { items: { transferSize: number }[] } | undefined
    const known: Record<string, number> = {
      score: (lhr.categories.performance?.score ?? Number.NaN) * 100,
      requests: requests?.items.length ?? Number.NaN,
      bytes: (requests?.items ?? []).reduce((sum, { transferSize }) => sum + transferSize, 0) / 1000,
    }
    return Object.fromEntries(
      Object.entries(FIGURES).map(([name, { of }]) => [name, known[of] ?? figureOf(of)]),
    ) as unknown as Figures
  } finally {
    chrome.kill()
  }
}

const medianOf = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

/** Starts the whole shop with its built sites, and prints what Lighthouse says of pages, each opened cold. */
export async function benchPages(): Promise<void> {
  const localDir = join(projectRoot, '.local', 'bench-pages')
  await discardPostgres(join(localDir, 'postgres'))
  rmSync(localDir, { recursive: true, force: true })
  mkdirSync(localDir, { recursive: true })
  const ports = await findFreePorts()
  const died = (message: string) => console.error(message)
  const built = buildSites(join(localDir, 'sites'), ports)
  const stack = await startStack({ ports, localDir, built, onProgress: () => undefined, onDeath: died })
  const [shop, office] = await Promise.all([
    startFront(ports.storefront, ports.api),
    startFront(ports.admin, ports.api),
  ])
  try {
    await stack.ready
    const pages = await listPages({ storefront: shop.origin, admin: office.origin })
    const heads = Object.keys(FIGURES).map(name => name.padStart(12))
    console.log(`\nPages by Lighthouse (mobile, slow 4G, 4x CPU), medians of ${RUNS}`)
    console.log(`${'page'.padEnd(20)}${heads.join('')}`)
    for (const [name, page] of Object.entries(pages)) {
      const runs: Figures[] = []
      for (let run = 0; run < RUNS; run++) runs.push(await measure(page))
      const cells = Object.entries(FIGURES).map(([figure, { digits }]) =>
        medianOf(runs.map(each => each[figure as keyof Figures]))
          .toFixed(digits)
          .padStart(12),
      )
      console.log(name.padEnd(20) + cells.join(''))
    }
  } finally {
    await Promise.all([shop.stop(), office.stop(), stack.stop()])
  }
}
