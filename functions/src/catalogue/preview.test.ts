import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { playerWarning } from '@shop/shared/catalogue/player-format.ts'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fixture } from '../testing/fixture.ts'
import { createTestShop, type TestShop } from '../testing/shop.ts'

/** The page of the storefront, as its build has it but for the names of files. */
const SHELL = readFileSync(new URL('../../../liff-app/index.html', import.meta.url), 'utf8')

let it: TestShop
let site: Server
let isUp = true
beforeEach(async () => {
  isUp = true
  site = createServer((_, response) => {
    response.statusCode = isUp ? 200 : 500
    response.end(SHELL)
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => site.once('listening', resolve))
  it = await createTestShop({ STOREFRONT_URL: `http://127.0.0.1:${(site.address() as AddressInfo).port}` })
})
afterEach(async () => {
  site.close()
  await it.db.close()
})

const page = async (path: string) => (await it.request(path)).text()
const tag = (html: string, name: string) => new RegExp(`property="${name}" content="([^"]*)"`).exec(html)?.[1]

test('a link to a game tells its name, picture and lowest price without scripts; the page is the shop’s own', async () => {
  const html = await page('/game/pubg')
  expect(tag(html, 'og:title')).toBe('PUBG Mobile · คราม เติมเกม')
  expect(tag(html, 'og:description')).toContain('เริ่มต้น 149 บาท')
  expect(tag(html, 'og:image')).toMatch(/\/preview\/pubg\.png$/)
  expect(tag(html, 'product:price:amount')).toBe('149.00')
  expect(html.match(/og:title/g)).toHaveLength(1)
  expect(html).toContain('<title>PUBG Mobile · คราม เติมเกม</title>')
  expect(html).toContain('<div id="root">')
})

test('people see the game and what it asks for before its code arrives', async () => {
  const shown = (await page('/game/pubg')).split('<div id="root">')[1]!
  expect(shown).toMatch(/<h1[^>]*>PUBG Mobile<\/h1>/)
  expect(shown).toContain(playerWarning(['Player ID']))
  expect(shown).not.toMatch(/\{\w+\}|template id="game-shell"|id="shell-banner"/)
  await it.db.query({ text: `UPDATE package SET delivers = 'code' WHERE id = $1`, values: [fixture.pubg.package] })
  it.clock.advance(120)
  const ofCodes = (await page('/game/pubg')).split('<div id="root">')[1]!
  expect(ofCodes).toMatch(/<h1[^>]*>PUBG Mobile<\/h1>/)
  expect(ofCodes).not.toContain('ข้อมูลผู้เล่น')
  // Any other page begins as the list does, and has the template unused.
  expect((await page('/game/nothing')).split('<div id="root">')[1]).toMatch(/id="shell-banner"[\s\S]*id="game-shell"/)
})

test('whoever has the page as it is now is not sent it again', async () => {
  const etag = (await it.request('/game/pubg')).headers.get('etag')!
  const ask = () => it.request('/game/pubg', { headers: { 'if-none-match': etag } })
  const same = await ask()
  expect([same.status, await same.text(), same.headers.get('cache-control')]).toEqual([
    304,
    '',
    'public, max-age=0, s-maxage=4',
  ])
  await it.db.query({ text: `UPDATE game SET name = 'PUBG' WHERE code = 'pubg'` })
  it.clock.advance(120)
  expect((await ask()).status).toBe(200)
})

test('a package that the link names is told with its own price, one that is not sold is not', async () => {
  expect(tag(await page(`/game/pubg?package=${fixture.pubg.package}`), 'og:title')).toContain('325 UC')
  for (const other of [fixture.package.ended, fixture.mlbb.package, 'x'])
    expect(tag(await page(`/game/pubg?package=${other}`), 'og:title')).toBe('PUBG Mobile · คราม เติมเกม')
})

test('names can not break out of the page', async () => {
  await it.db.query({ text: `UPDATE game SET name = '"><script>alert(1)</script>$&' WHERE code = 'pubg'` })
  const html = await page('/game/pubg')
  expect(html).not.toContain('<script>alert')
  expect(html).toContain('$&#38;')
})

test('what is not sold, or not known, opens as the shop says of itself', async () => {
  for (const path of ['/game/closed', '/game/nothing', '/game/%00x'])
    expect(await page(path)).not.toContain('product:price')
  expect(await page('/game/nothing')).toContain('<title>คราม เติมเกม</title>')
})

test('while the site can not be asked, the page known last is served; without one it is asked for again', async () => {
  await page('/game/pubg')
  isUp = false
  it.clock.advance(120)
  expect(await page('/game/pubg')).toContain('<div id="root">')
  const fresh = await createTestShop({ STOREFRONT_URL: it.shop.config.STOREFRONT_URL })
  const first = await fresh.request('/game/pubg')
  expect(first.headers.get('cache-control')).toBe('no-store')
  const html = await first.text()
  expect(html).toContain('http-equiv="refresh"')
  expect(tag(html, 'og:title')).toContain('PUBG Mobile')
  await fresh.db.close()
})

test('the picture is a PNG of the size that networks want, whatever was uploaded', async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="red"/></svg>'
  await it.shop.files.write('public/games/pubg.svg', Buffer.from(svg), 'image/svg+xml')
  await it.db.query({ text: `UPDATE game SET picture = '/files/games/pubg.svg' WHERE code = 'pubg'` })
  const response = await it.request('/preview/pubg.png')
  expect(response.headers.get('content-type')).toBe('image/png')
  expect(await sharp(Buffer.from(await response.arrayBuffer())).metadata()).toMatchObject({
    format: 'png',
    width: 1200,
    height: 630,
  })
  expect((await it.request('/preview/nothing.png')).status).toBe(404)
})
