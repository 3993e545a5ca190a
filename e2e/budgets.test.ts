import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { demoLine } from 'local/line-emulator/demo.ts'
import { projectRoot } from 'local/os-process.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { orderNoOn } from './bank-counter.ts'
import { HANGS_MS, storefrontUrl, useBrowser } from './browser.ts'
import { beInsideLine, inLineUrl, LINE_APP } from './line.ts'
import { agree, choosePackage, signInToShop } from './people.ts'

const browser = useBrowser()

/** What a page may load when it is opened by a link or a reload, with nothing kept but who is signed in. */
interface Budget {
  /** Of scripts, compressed. */
  kB: number
  /** Of all kinds, but for fonts and pictures, which differ with what the shop sells. */
  requests: number
  /** To the API. */
  calls: number
  /** Who opens it: somebody with an order to pay, or a reseller; left out, a guest who comes for the first time. */
  by?: 'buyer' | 'agent'
}

/** Every page of the storefront, by its path in routes.tsx. */
const BUDGETS: Record<string, Budget> = {
  '/game': { kB: 121, requests: 8, calls: 3 },
  '/game/:code': { kB: 169, requests: 13, calls: 2 },
  '/terms': { kB: 178, requests: 15, calls: 4 },
  '/payment': { kB: 166, requests: 14, calls: 3, by: 'buyer' },
  '/thankyou': { kB: 175, requests: 19, calls: 5, by: 'buyer' },
  '/purchase/history': { kB: 166, requests: 20, calls: 5, by: 'buyer' },
  '/purchase/details/:orderNo': { kB: 163, requests: 18, calls: 5, by: 'buyer' },
  '/track/:token': { kB: 160, requests: 17, calls: 5, by: 'buyer' },
  '/wallet': { kB: 265, requests: 27, calls: 8, by: 'agent' },
  '/agent/api': { kB: 270, requests: 25, calls: 7, by: 'agent' },
  '/login': { kB: 208, requests: 14, calls: 3 },
  '/registration': { kB: 208, requests: 14, calls: 3 },
  '/user/:uid': { kB: 229, requests: 23, calls: 6, by: 'agent' },
  '/privacy': { kB: 131, requests: 11, calls: 3 },
}

/** Pages without anything of their own: a list that leads on, an error, the way to the back office, a step of a top-up. */
const UNMEASURED = ['/wallet/topup/:id', '/dashboard/*', '/management/*', '*']

interface Loaded {
  kB: number
  requests: number
  calls: number
  /** How far what is shown has moved. */
  shift: number
  schemas: string[]
}

const MOST_SHIFT = 0.02
/** Its lists are read apart, and the first ones push the others down, which stand below what is first seen. */
const MOVING = '/agent/api'
/** Pages that guests mostly open without an order. Who has one to pay finds it above them, and nothing moves for it. */
const ALSO_UNPAID = ['/login', '/registration', '/privacy']

/** What zod has in every build of it. */
const ZOD = '_zod'

/** Opens a page with an empty cache and tells what it loaded until the network was quiet. Nothing is fetched ahead. */
async function load(page: Page, path: string): Promise<Loaded> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.clearBrowserCache')
  // Nothing of the page before is counted.
  await page.goto('about:blank')
  const scripts: Promise<Buffer>[] = []
  let [requests, calls] = [0, 0]
  page.on('response', response => {
    const kind = response.request().resourceType()
    // What is only asked for whether it has changed came before, and was counted then.
    if (kind === 'script' && response.status() !== 304) scripts.push(response.body())
    if (new URL(response.url()).pathname.startsWith('/romons.')) calls++
    if (kind !== 'image' && kind !== 'font') requests++
  })
  await page.goto(`${storefrontUrl()}${path}`)
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached', timeout: HANGS_MS })
  await page.waitForLoadState('networkidle')
  const bodies = await Promise.all(scripts)
  const bytes = bodies.reduce((sum, body) => sum + gzipSync(body).byteLength, 0)
  const schemas = bodies.filter(body => body.includes(ZOD)).map(body => `${body.byteLength} bytes with schemas`)
  page.removeAllListeners('response')
  const shift = await page.evaluate<number>('globalThis.shifted')
  return { kB: bytes / 1000, requests, calls, shift, schemas }
}

/** Has nothing fetched ahead, and counts what moves. As text: a browser has no types. */
const savesData = (page: Page) =>
  page.addInitScript(`Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
    globalThis.shifted = 0
    new PerformanceObserver(list => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shifted += value
    }).observe({ type: 'layout-shift', buffered: true })`)

test('every page has a budget', () => {
  const routes = readFileSync(join(projectRoot, 'liff-app/src/routes.tsx'), 'utf8')
  const paths = [...routes.matchAll(/\bpath: '([^']+)'/g)].map(([, path]) => path!)
  expect([...Object.keys(BUDGETS), ...UNMEASURED].sort()).toEqual(paths.sort())
})

test('every page loads no more than its budget, and no page of a purchase has schemas', async () => {
  const [guest, buyer, agent] = [await browser.open(), await browser.open(), await browser.open()]
  for (const page of [guest, buyer, agent]) await savesData(page)
  await signInToShop(agent, 'agent@demo.shop')
  const uid = await agent.evaluate<string>(`JSON.parse(localStorage.getItem('userinfo')).uid`)
  await choosePackage(buyer, { game: 'Free Fire', playerId: '5123470042', packageName: '310 เพชร' })
  await buyer.getByRole('button', { name: 'ดำเนินการต่อ' }).filter({ visible: true }).click()
  await buyer.waitForURL(/\/terms/)
  const terms = await load(buyer, '/terms')
  await buyer.getByRole('checkbox', { name: /^ยอมรับเงื่อนไข/ }).check()
  await buyer.getByRole('button', { name: 'ยืนยัน รับยอดโอน' }).click()
  await buyer.getByText('ยอดที่ต้องโอน').first().waitFor()
  const orderNo = await orderNoOn(buyer)
  const token = await buyer.evaluate<string>(`JSON.parse(localStorage.getItem('data')).trackToken`)
  const table: string[] = []
  const over: string[] = []
  const withSchemas: string[] = []
  for (const [route, budget] of Object.entries(BUDGETS)) {
    const path = route
      .replace(':code', 'freefire')
      .replace(':orderNo', orderNo)
      .replace(':token', token)
      .replace(':uid', uid)
    const loaded = route === '/terms' ? terms : await load({ guest, buyer, agent }[budget.by ?? 'guest'], path)
    const cells = (['kB', 'requests', 'calls'] as const).map(what => {
      if (loaded[what] > budget[what]) over.push(`${route}: ${loaded[what].toFixed(1)} ${what}`)
      return `${loaded[what].toFixed(what === 'kB' ? 1 : 0)} of ${budget[what]}`.padStart(16)
    })
    const isOfPurchase = /^\/(game|terms|payment|track|thankyou|purchase)/.test(route)
    if (route !== MOVING && loaded.shift > MOST_SHIFT) over.push(`${route}: moved ${loaded.shift.toFixed(3)}`)
    table.push(`${route.padEnd(28)}${cells.join('')}${loaded.shift.toFixed(3).padStart(10)}`)
    if (isOfPurchase && loaded.schemas.length > 0) withSchemas.push(`${route}: ${loaded.schemas.join()}`)
  }
  for (const path of ALSO_UNPAID) {
    const { shift } = await load(buyer, path)
    await buyer
      .locator('main')
      .getByRole('link', { name: /^รอชำระ/ })
      .waitFor()
    if (shift > MOST_SHIFT) over.push(`${path} with an unpaid order: moved ${shift.toFixed(3)}`)
    table.push(`${`${path} unpaid`.padEnd(28)}${shift.toFixed(3).padStart(58)}`)
  }
  console.log(
    `${'page'.padEnd(28)}${['kB of scripts', 'requests', 'calls'].map(head => head.padStart(16)).join('')}     moved\n${table.join('\n')}`,
  )
  expect(over).toEqual([])
  expect(withSchemas).toEqual([])
})

/** What the server is asked from the tap on a game to the order, but for the settings, which an open page always reads. */
async function callsOfOrder(
  page: Page,
  placing: string,
  buy: () => Promise<void>,
  list = `${storefrontUrl()}/game`,
): Promise<string[]> {
  await page.goto(list)
  await page.locator('a[href="/game/freefire"]').first().waitFor()
  await page.waitForLoadState('networkidle')
  const calls: string[] = []
  page.on('request', request => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/romons.') && !pathname.endsWith('/getconfig'))
      calls.push(`${request.method()} ${pathname}`)
  })
  await page.locator('a[href="/game/freefire"]').first().click()
  await page.getByLabel('Player ID', { exact: false }).first().fill('5123470043')
  await page.getByRole('radio', { name: /^310 เพชร/ }).click()
  await buy()
  const placed = calls.findIndex(call => call.startsWith('POST') && call.endsWith(placing))
  return calls.slice(0, placed + 1)
}

async function orderByTransfer(page: Page): Promise<void> {
  await page.getByRole('radio', { name: /^โอนเงินธนาคาร/ }).click()
  await agree(page)
  await page.getByRole('button', { name: 'ยืนยัน รับยอดโอน' }).click()
  await page.getByText('ยอดที่ต้องโอน').first().waitFor()
}

test.each([
  [null, 5],
  ['customer@demo.shop', 6],
])('from the game to the order of %s are at most %i calls', async (email, most) => {
  const page = await browser.open()
  if (email) await signInToShop(page, email)
  const calls = await callsOfOrder(page, '/confirmprice', () => orderByTransfer(page))
  expect(calls.length, calls.join('\n')).toBeLessThanOrEqual(most)
  expect(calls.at(-1)).toMatch(/confirmprice$/)
})

test('from the game to the order of a customer inside LINE are at most 6 calls', async () => {
  const page = await browser.open(LINE_APP)
  await beInsideLine(page)
  // The others buy in other journeys, where no unpaid order may wait.
  const list = await inLineUrl(demoLine.users.stranger.userId, '/game')
  const calls = await callsOfOrder(page, '/confirmprice', () => orderByTransfer(page), list)
  const signedInBy = await page.evaluate<string[]>(`JSON.parse(localStorage.getItem('userinfo')).providers`)
  expect(signedInBy).toEqual(['line'])
  expect(calls.length, calls.join('\n')).toBeLessThanOrEqual(6)
  expect(calls.at(-1)).toMatch(/confirmprice$/)
})

test('from the game to the order of an agent are at most 7 calls', async () => {
  const page = await browser.open()
  await signInToShop(page, 'agent@demo.shop')
  const calls = await callsOfOrder(page, '/confirmorder', async () => {
    await agree(page)
    await page.getByRole('button', { name: 'ยืนยันการสั่งซื้อ' }).click()
    await page.getByLabel('กรุณากรอก PIN เพื่อยืนยันการเติมเงิน').first().pressSequentially('1234')
    await page.waitForURL(/\/thankyou/)
  })
  expect(calls.length, calls.join('\n')).toBeLessThanOrEqual(7)
  expect(calls.at(-1)).toMatch(/confirmorder$/)
})
