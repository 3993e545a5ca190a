import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CaddySites, installCaddy, startCaddy } from './caddy.ts'
import { caddyfile, patternOf } from './caddyfile.ts'
import { projectRoot } from './os-process.ts'

test('deploy/Caddyfile is what firebase.json says; WRITE_DOCS=1 writes it anew', () => {
  const file = join(projectRoot, 'deploy/Caddyfile')
  if (process.env.WRITE_DOCS) writeFileSync(file, caddyfile())
  expect(readFileSync(file, 'utf8')).toBe(caddyfile())
})

test.each([
  ['/romons.*/**', '/romons.game/api/games', true],
  ['/romons.*/**', '/romons', false],
  ['/game/*', '/game/rov', true],
  ['/game/*', '/game/rov/more', false],
  ['/docs{,/**}', '/docs', true],
  ['/docs{,/**}', '/docs/a/b.js', true],
  ['/docs{,/**}', '/docsx', false],
  ['/@(health|ready)', '/ready', true],
  ['/openapi.json', '/openapixjson', false],
  ['!/assets/**', '/assets/a.js', false],
  ['!/assets/**', '/terms', true],
  ['**', '/', true],
])('%s and %s: %s', (glob, path, fits) => {
  const { pattern, isNot } = patternOf(glob)
  expect(new RegExp(pattern).test(path) !== isNot).toBe(fits)
})

let folder: string
let upstream: Server
let caddy: CaddySites
beforeAll(async () => {
  installCaddy()
  folder = mkdtempSync(join(tmpdir(), 'caddy-'))
  for (const site of ['storefront', 'admin']) {
    mkdirSync(join(folder, site, 'assets'), { recursive: true })
    writeFileSync(join(folder, site, 'index.html'), `<p>${site}</p>`)
    writeFileSync(join(folder, site, 'assets', 'a-1.js'), 'a()')
  }
  upstream = createServer((request, response) => {
    const { method, url, headers } = request
    response.setHeader('cache-control', 'no-store')
    if (url === '/docs') response.setHeader('content-security-policy', "default-src 'none'")
    response.end(JSON.stringify({ method, url, from: headers['x-forwarded-for'] }))
  }).listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  caddy = await startCaddy(folder, `127.0.0.1:${(upstream.address() as AddressInfo).port}`)
})
afterAll(async () => {
  await caddy?.stop()
  upstream?.close()
  rmSync(folder, { recursive: true, force: true })
})

test('Caddy serves each site on every path, and its files for a year', async () => {
  for (const [site, origin] of [['storefront', caddy.storefront] as const, ['admin', caddy.admin] as const]) {
    for (const path of ['/', '/terms', '/management/order?x=1']) {
      const page = await fetch(origin + path)
      expect([page.status, await page.text()]).toEqual([200, `<p>${site}</p>`])
      expect(page.headers.get('cache-control')).toBe('no-cache')
      expect(page.headers.get('content-security-policy')).toContain("default-src 'self'")
    }
    const asset = await fetch(`${origin}/assets/a-1.js`)
    expect([asset.status, await asset.text()]).toEqual([200, 'a()'])
    expect(asset.headers.get('cache-control')).toContain('immutable')
    const gone = await fetch(`${origin}/assets/gone-1.js`)
    expect([gone.status, gone.headers.get('cache-control')]).toEqual([404, 'no-cache'])
  }
})

test('a call that comes while one server takes the place of another waits for the next', async () => {
  const path = `${caddy.storefront}/romons.order/api/orders`
  expect((await fetch(path)).status).toBe(200)
  const { port } = upstream.address() as AddressInfo
  const closed = once(upstream, 'close')
  upstream.close()
  upstream.closeAllConnections()
  await closed
  // With a body they need Caddy 2.11.2, which is newer than Debian's.
  const waiting = Array.from({ length: 4 }, () => fetch(path))
  await new Promise(resolve => setTimeout(resolve, 300))
  upstream.listen(port, '127.0.0.1')
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
})

test("what is the server's reaches it with the caller in X-Forwarded-For, and it says how it may be kept and read", async () => {
  const headers = { 'x-forwarded-for': '1.2.3.4' }
  const call = await fetch(`${caddy.storefront}/romons.order/api/orders?page=2`, { method: 'POST', headers })
  expect(await call.json()).toEqual({ method: 'POST', url: '/romons.order/api/orders?page=2', from: '127.0.0.1' })
  expect(call.headers.get('cache-control')).toBe('no-store')
  expect(call.headers.get('x-content-type-options')).toBe('nosniff')
  const docs = await fetch(`${caddy.admin}/docs`)
  expect(docs.headers.get('content-security-policy')).toBe("default-src 'none'")
})
