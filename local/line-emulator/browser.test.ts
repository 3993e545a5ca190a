import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build, type Plugin } from 'esbuild'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { findChromium } from '../chromium.ts'
import { demoLine } from './demo.ts'
import { type RunningLineEmulator, startLineEmulator } from './server.ts'

// In Chromium: the real LIFF SDK in each way the shop is opened, and the chat view as people use it.

const { liffId, users } = demoLine
const lineUserAgent =
  'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36 Line/15.20.0 LIFF'
const pageScript = `
  import liff from '@line/liff'
  window.liff = liff
  liff.init({ liffId: ${JSON.stringify(liffId)} }).then(
    () => { document.title = 'ready' },
    error => { document.title = 'failed ' + error.code + ': ' + error.message },
  )`

let directory: string
let shop: Server
let shopUrl: string
let line: RunningLineEmulator
let browser: Browser
let plainBrowser: Browser
let context: BrowserContext
const bundles = new Map<string, string>()

const launch = (...flags: string[]) =>
  chromium.launch({
    executablePath: findChromium(),
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      ...flags,
    ],
  })

/** For a browser that can't resolve LINE's names: the SDK's only place that builds their addresses. */
function sendCallsTo(origin: string): Plugin {
  return {
    name: 'line-at-origin',
    setup(bundler) {
      bundler.onLoad({ filter: /@liff[/\\]server-api[/\\]lib[/\\]index\.es\.js$/ }, ({ path: file }) => {
        const text = readFileSync(file, 'utf8')
        const built = '"https://".concat(a,".").concat("line.me","/").concat(n)'
        if (text.split(built).length !== 2) throw new Error('the LIFF SDK builds its addresses in another way')
        return { contents: text.replace(built, `"${origin}/".concat(n)`) }
      })
    },
  }
}

async function bundle(plugins: Plugin[] = []): Promise<string> {
  const result = await build({
    stdin: { contents: pageScript, resolveDir: import.meta.dirname },
    mainFields: ['module', 'main'],
    conditions: ['import'],
    bundle: true,
    write: false,
    format: 'iife',
    minify: true,
    logLevel: 'error',
    plugins,
  })
  return result.outputFiles[0]!.text
}

beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'line-emulator-'))
  shop = createServer((request, response) => {
    const script = bundles.get(request.url!)
    response.setHeader('content-type', script ? 'text/javascript' : 'text/html; charset=utf-8')
    const name = request.headers.cookie?.includes('plain=1') ? '/plain.js' : '/real.js'
    response.end(script ?? `<!doctype html><title>loading</title><script src="${name}"></script>`)
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => shop.once('listening', resolve))
  shopUrl = `http://localhost:${(shop.address() as AddressInfo).port}`
  line = await startLineEmulator({ port: 0, tlsPort: 0, certificateDirectory: directory, shopUrl })
  bundles.set('/real.js', await bundle())
  bundles.set('/plain.js', await bundle([sendCallsTo(line.origin)]))
  const rules = `MAP *.line.me 127.0.0.1:${line.tlsPort}, MAP *.line-scdn.net 127.0.0.1:${line.tlsPort}`
  browser = await launch(`--host-resolver-rules=${rules}`, '--ignore-certificate-errors')
  plainBrowser = await launch('--host-resolver-rules=MAP *.line.me ~NOTFOUND')
})
afterAll(async () => {
  await browser?.close()
  await plainBrowser?.close()
  await line?.stop()
  shop?.closeAllConnections()
  shop?.close()
  rmSync(directory, { recursive: true, force: true })
})
beforeEach(() => line.control.reset())
afterEach(() => context?.close())

async function openPage(options: { inLine?: boolean } = {}): Promise<Page> {
  context = await browser.newContext(options.inLine ? { userAgent: lineUserAgent } : {})
  if (options.inLine) await context.addInitScript('window._liff = { features: [], postMessage() {} }')
  return context.newPage()
}

const waitForInit = (page: Page) =>
  page.waitForFunction(() => document.title !== 'loading' && document.title !== '', undefined, { timeout: 15_000 })

async function openAndInit(page: Page, url: string): Promise<string> {
  await page.goto(url)
  await waitForInit(page)
  return page.title()
}

type Liff = typeof import('@line/liff')['default']
const run = <Result>(page: Page, command: (liff: Liff) => Result | Promise<Result>): Promise<Result> =>
  page.evaluate(`(${command})(window.liff)`) as Promise<Result>

const getLogin = (page: Page) =>
  run(page, liff => ({
    isLoggedIn: liff.isLoggedIn(),
    isInClient: liff.isInClient(),
    sub: liff.getDecodedIDToken()?.sub,
  }))

test('outside LINE: login goes to the picker page, comes back to the same place and signs in', async () => {
  const page = await openPage()
  expect(await openAndInit(page, `${shopUrl}/game/rov?package=3`)).toBe('ready')
  expect(await getLogin(page)).toMatchObject({ isLoggedIn: false, isInClient: false })
  await run(page, liff => liff.login({ redirectUri: location.href }))
  await page.waitForURL('https://access.line.me/**')
  await page.getByText(users.stranger.displayName).click()
  await page.getByRole('checkbox', { name: 'เพิ่ม' }).check()
  await page.getByRole('button', { name: 'อนุญาต', exact: true }).click()
  await page.waitForURL(`${shopUrl}/**`)
  await waitForInit(page)
  expect(await page.title()).toBe('ready')
  const url = new URL(page.url())
  expect(url.pathname + url.searchParams.get('package')).toBe('/game/rov3')
  expect(url.searchParams.get('friendship_status_changed')).toBe('true')
  expect(await getLogin(page)).toEqual({ isLoggedIn: true, isInClient: false, sub: users.stranger.userId })
  expect(await run(page, liff => liff.getFriendship())).toEqual({ friendFlag: true })
  expect(await run(page, liff => liff.getProfile())).toMatchObject({ displayName: users.stranger.displayName })
  await page.reload()
  await waitForInit(page)
  expect(await getLogin(page)).toMatchObject({ isLoggedIn: true })
})

test('outside LINE: a LIFF link ends at its own path, and refused consent rejects init with LINE’s error', async () => {
  const page = await openPage()
  await page.goto(`https://liff.line.me/${liffId}/game/rov?package=3`)
  await page.waitForURL(`${shopUrl}/game/rov?package=3`)
  await waitForInit(page)
  expect(await page.title()).toBe('ready')
  line.control.setAutoLogin({ userId: users.friend.userId, decision: 'deny' })
  await run(page, liff => liff.login({ redirectUri: location.href }))
  await page.waitForURL(/liffOAuth2Error/)
  await waitForInit(page)
  expect(await page.title()).toBe('failed INIT_FAILED: ACCESS_DENIED: The resource owner denied the request.')
})

test('inside LINE: the address with hash tokens signs in without a page between, and the tokens leave the address', async () => {
  const page = await openPage({ inLine: true })
  const url = await line.control.getInClientUrl(users.friend.userId, '/game/rov?package=3')
  expect(url).toContain('liff.state=')
  await page.goto(url)
  await page.waitForURL(/\/game\/rov/)
  await waitForInit(page)
  expect(await page.title()).toBe('ready')
  expect(page.url()).toBe(`${shopUrl}/game/rov?package=3`)
  expect(await getLogin(page)).toEqual({ isLoggedIn: true, isInClient: true, sub: users.friend.userId })
  expect(await run(page, liff => liff.getFriendship())).toEqual({ friendFlag: true })
})

test('inside LINE: a LIFF link with the emulated user opens signed in', async () => {
  const page = await openPage({ inLine: true })
  await page.goto(`https://liff.line.me/${liffId}/wallet?emulated_user=${users.staff.userId}`)
  await page.waitForURL(`${shopUrl}/wallet`)
  await waitForInit(page)
  expect(await getLogin(page)).toEqual({ isLoggedIn: true, isInClient: true, sub: users.staff.userId })
})

test('an ordinary browser that knows nothing of LINE: marked as in client, its calls go to the plain origin', async () => {
  context = await plainBrowser.newContext()
  await context.addCookies([{ name: 'plain', value: '1', url: shopUrl }])
  await context.addInitScript(() => {
    if (new URLSearchParams(location.search).has('emulated_line')) sessionStorage.setItem('LIFF_STORE:isInClient', '1')
  })
  const page = await context.newPage()
  await page.goto(`${line.origin}/`)
  const [shopPage] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'เปิดร้านใน LINE' }).first().click(),
  ])
  await waitForInit(shopPage)
  expect(await shopPage.title()).toBe('ready')
  expect(await getLogin(shopPage)).toEqual({ isLoggedIn: true, isInClient: true, sub: users.friend.userId })
  expect(await run(shopPage, liff => liff.getFriendship())).toEqual({ friendFlag: true })
  expect(shopPage.url()).not.toContain('access_token')
})

test('a bad ID token makes init fail in the browser: wrong key, wrong issuer, expired', async () => {
  for (const flaw of ['kid', 'issuer', 'expired'] as const) {
    line.control.setAutoLogin({ userId: users.friend.userId, decision: 'allow' })
    line.control.spoilNextIdTokens([flaw])
    const page = await openPage()
    await openAndInit(page, shopUrl)
    await run(page, liff => liff.login())
    await page.waitForURL(/liffClientId/)
    await waitForInit(page)
    expect(await page.title()).toMatch(/^failed INVALID_ID_TOKEN: Invalid "(kid|iss|exp)" value in ID_TOKEN$/)
    await context.close()
  }
})

test('the chat view: a postback is pressed, text is sent, the account is blocked and made a friend again', async () => {
  const action = { type: 'postback', label: 'รับเรื่อง', data: 'claim:7', displayText: 'รับเรื่อง คิว 7' }
  const body = { type: 'box', layout: 'vertical', contents: [{ type: 'button', action }] }
  const { groupId } = demoLine.staffGroup
  line.control.holdEvents()
  context = await plainBrowser.newContext()
  const page = await context.newPage()
  await page.goto(line.origin)
  await fetch(`${line.origin}/v2/bot/message/push`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demoLine.messagingChannel.accessToken}` },
    body: JSON.stringify({
      to: groupId,
      messages: [{ type: 'flex', altText: 'x', contents: { type: 'bubble', body } }],
    }),
  })
  await page.getByRole('button', { name: 'รับเรื่อง' }).click()
  const group = page.getByRole('region', { name: /^กลุ่ม ทีมเติมเกม/ })
  await group.getByText('รับเรื่อง คิว 7').waitFor()
  const chat = page.getByRole('region', { name: `แชตของ ${users.friend.displayName}` })
  await chat.getByRole('textbox').fill('ถึงไหนแล้ว')
  await chat.getByRole('textbox').press('Enter')
  await chat.getByRole('log').getByText('ถึงไหนแล้ว').waitFor()
  await page.getByRole('button', { name: 'บล็อก' }).first().click()
  await page.getByText('บล็อกร้านอยู่').waitFor()
  await page.getByRole('button', { name: 'เพิ่มเพื่อน' }).first().click()
  await chat.getByText('เลิกบล็อกร้านแล้ว').waitFor()
  const events = line.state.heldEvents!
  expect(events.map(event => event.type)).toEqual(['postback', 'message', 'unfollow', 'follow'])
  expect(events[0]).toMatchObject({ postback: { data: 'claim:7' }, source: { groupId, userId: users.staff.userId } })
})
