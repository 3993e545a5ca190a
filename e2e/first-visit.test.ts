import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import * as chromeLauncher from 'chrome-launcher'
import lighthouse from 'lighthouse'
import { findChromium } from 'local/chromium.ts'
import { projectRoot } from 'local/os-process.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HANGS_MS, useBrowser } from './browser.ts'
import { serveProduction } from './production-site.ts'
import { shopPorts } from './shop.ts'

const dist = join(projectRoot, 'liff-app', 'dist')
const JAVASCRIPT_LIMIT_BYTES = 120_000

const kB = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`

const browser = useBrowser()
let site: Awaited<ReturnType<typeof serveProduction>>
beforeAll(async () => {
  if (!existsSync(join(dist, 'index.html'))) throw new Error('build the storefront first: vite build liff-app')
  site = await serveProduction(dist, `http://127.0.0.1:${shopPorts().api}`)
})
afterAll(() => site?.stop())

test('the first visit of the game list loads at most 120 kB of JavaScript, and neither LIFF nor Firebase', async () => {
  const page = await browser.open()
  // What later pages need is not fetched ahead for who saves data: what is left is what this page needs.
  await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }))
  const scripts: { url: string; bytes: number }[] = []
  page.on('response', async response => {
    if (response.request().resourceType() !== 'script') return
    scripts.push({ url: response.url(), bytes: gzipSync(await response.body()).byteLength })
  })
  await page.goto(`${site.url}/game`)
  await page.getByRole('link', { name: /Free Fire/ }).waitFor()
  await page.waitForLoadState('networkidle')
  const total = scripts.reduce((sum, script) => sum + script.bytes, 0)
  const room = JAVASCRIPT_LIMIT_BYTES - total
  console.log(`first visit: ${scripts.length} scripts, ${kB(total)} gzip; room for ${kB(room)} more`)
  expect(scripts.filter(script => /firebase|liff/i.test(script.url))).toEqual([])
  expect(total).toBeLessThanOrEqual(JAVASCRIPT_LIMIT_BYTES)
})

test('later pages are fetched once the games can be used, the purchase first, which then opens without a script', async () => {
  const page = await browser.open()
  const scripts: string[] = []
  page.on('request', request => request.resourceType() === 'script' && scripts.push(request.url()))
  // As text: a browser has no types. It marks when the first game can be opened, by the clock of the page.
  await page.addInitScript(`new MutationObserver((changes, observer) => {
    if (!document.querySelector('a[href^="/game/"]')) return
    performance.mark('usable')
    observer.disconnect()
  }).observe(document, { subtree: true, childList: true })`)
  await page.goto(`${site.url}/game`)
  await expect.poll(() => scripts.some(url => url.includes('login-screen')), { timeout: HANGS_MS }).toBe(true)
  // What the last page imports is asked for once that has come.
  const isQuiet = async () => {
    const asked = scripts.length
    await page.waitForTimeout(1000)
    return scripts.length === asked
  }
  await expect.poll(isQuiet, { timeout: HANGS_MS }).toBe(true)
  const tooEarly = await page.evaluate<string[]>(`performance.getEntriesByType('resource')
    .filter(({ name, startTime }) => name.includes('-screen') && startTime < performance.getEntriesByName('usable')[0].startTime)
    .map(({ name }) => name)`)
  expect(tooEarly).toEqual([])
  expect(scripts.filter(url => url.includes('-screen'))[0]).toContain('purchase-screen')
  expect(scripts.filter(url => /firebase|liff-/.test(url))).toEqual([])
  const before = scripts.length
  await page.getByRole('link', { name: /Free Fire/ }).click()
  await page
    .getByRole('heading', { name: /Free Fire/ })
    .first()
    .waitFor()
  expect(scripts.slice(before)).toEqual([])
})

test('the filters have what games can be filtered by', async () => {
  const page = await browser.open()
  await page.goto(`${site.url}/game`)
  await page.getByRole('button', { name: 'ตัวกรอง' }).click()
  await page.getByRole('checkbox', { name: /android/i }).waitFor()
})

test('every script of the build runs', async () => {
  const page = await browser.open()
  await page.goto(`${site.url}/game`)
  const scripts = readdirSync(join(dist, 'assets')).filter(file => file.endsWith('.js'))
  // As text: the test's own build has another 'import'.
  const broken =
    await page.evaluate(`Promise.allSettled(${JSON.stringify(scripts)}.map(file => import('/assets/' + file)))
    .then(tried => tried.flatMap(each => each.status === 'rejected' ? String(each.reason) : []))`)
  // Where one fails that all others need, all do.
  expect([...new Set(broken as string[])].slice(0, 5)).toEqual([])
})

test('Lighthouse finds nothing to improve about accessibility, and the layout never jumps', async () => {
  const chrome = await chromeLauncher.launch({
    chromePath: findChromium(),
    chromeFlags: [
      '--headless=new',
      '--no-sandbox',
      '--disable-quic',
      '--disable-background-networking',
      '--no-first-run',
    ],
  })
  try {
    const result = await lighthouse(`${site.url}/game`, {
      port: chrome.port,
      onlyCategories: ['performance', 'accessibility'],
      logLevel: 'error',
    })
    const { categories, audits } = result!.lhr
    const shown = (id: string) => `${id} ${audits[id]?.displayValue}`
    console.log(
      `Lighthouse: performance ${(categories.performance!.score ?? 0) * 100}, accessibility ${(categories.accessibility!.score ?? 0) * 100},`,
      ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift']
        .map(shown)
        .join(', '),
    )
    expect(categories.accessibility!.score).toBe(1)
    expect(audits['cumulative-layout-shift']!.numericValue).toBeLessThan(0.01)
  } finally {
    chrome.kill()
  }
})
