import { readFile } from 'node:fs/promises'
import { API_ERROR_CODES, apiStatusCode } from '@shop/shared/reseller/errors.ts'
import { PLAY_PACKAGES } from '@shop/shared/reseller/play.ts'
import { API_STATUSES, ENTRY_KINDS, KEY_SCOPES } from '@shop/shared/reseller/reseller.ts'
import { API_REASONS, V1_ENDPOINTS } from '@shop/shared/reseller/v1-endpoints.ts'
import { RETRY_SECONDS, WEBHOOK_EVENTS } from '@shop/shared/webhook/webhook.ts'
import { DomUtils, parseDocument } from 'htmlparser2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts'
import { createTestShop, type TestShop } from '../testing/shop.ts'
import { ASSETS, EXAMPLES, SECTIONS } from './docs/files.ts'
import { apiMessage } from './openapi.ts'
import { operationOf, TAGS } from './operations.ts'

let it: TestShop
let page: ReturnType<typeof parseDocument>
let response: Response
beforeAll(async () => {
  it = await createTestShop({ STOREFRONT_URL: 'https://shop.example', RATE_LIMIT_API_CODES_PER_KEY: '77' })
  response = await it.request('/reseller/docs')
  page = parseDocument(await response.clone().text())
})
afterAll(() => it.db.close())

const all = (name: string) => DomUtils.getElementsByTagName(name, page)
const section = (id: string) => DomUtils.getElementById(id, page)!
const textOf = (id: string) => DomUtils.textContent(section(id))

test('the page has every section with its own anchor, under the same policy as the shop’s own documentation', async () => {
  expect(response.status).toBe(200)
  expect(response.headers.get('content-security-policy')).toBe(
    (await it.request('/docs')).headers.get('content-security-policy'),
  )
  expect(all('section').map(({ attribs }) => attribs.id)).toEqual([...SECTIONS, 'reference'])
  for (const id of SECTIONS) expect(textOf(id).length, id).toBeGreaterThan(100)
  const ids = DomUtils.find(node => DomUtils.hasAttrib(node as never, 'id'), [page], true, 2000).map(
    node => (node as unknown as { attribs: { id: string } }).attribs.id,
  )
  expect(ids).toEqual([...new Set(ids)])
  expect(await response.clone().text()).not.toMatch(/\{\{|\[object/)
})

describe('the guide in Thai', () => {
  const thaiPage = async () => parseDocument(await (await it.request('/reseller/docs/th')).text())
  type Page = Awaited<ReturnType<typeof thaiPage>>
  const sectionsOf = (of: Page) => DomUtils.getElementsByTagName('section', of)
  const within = (name: string, part: Parameters<typeof DomUtils.textContent>[0]) =>
    DomUtils.getElementsByTagName(name, part as never)

  test('has all that the English one has: sections, subheads, lists, rows, calls and links', async () => {
    const thai = await thaiPage()
    const shapeOf = (of: Page) =>
      sectionsOf(of).map(part => ({
        id: part.attribs.id,
        ...Object.fromEntries(['h3', 'h4', 'li', 'pre', 'table', 'tr'].map(name => [name, within(name, part).length])),
        links: within('a', part)
          .map(({ attribs }) => attribs.href!)
          .filter(
            href =>
              !/^#(start|keys|test-mode|orders|money|codes|errors|limits|webhooks|versions|changelog)-/.test(href),
          )
          .sort(),
      }))
    expect(shapeOf(thai)).toEqual(shapeOf(page))
    for (const part of sectionsOf(thai)) expect(DomUtils.textContent(part)).toMatch(/[ก-๙]{4}/)
    expect(DomUtils.textContent(thai)).not.toMatch(/\{\{|\[object/)
  })

  test('says the same in its tables and code, and each leads to the other', async () => {
    const thai = await thaiPage()
    const codeOf = (of: Page) => within('pre', of).map(block => DomUtils.textContent(block))
    expect(codeOf(thai)).toEqual(codeOf(page))
    const wordsOf = (of: Page) =>
      within('tbody', of).flatMap(body => within('tr', body).map(row => DomUtils.textContent(within('td', row)[0]!)))
    const isCode = (word: string) => /^[a-z_A-Z0-9.]+$/.test(word)
    expect(wordsOf(thai).filter(isCode)).toEqual(
      expect.arrayContaining([...API_STATUSES, ...WEBHOOK_EVENTS, ...API_ERROR_CODES]),
    )
    const leads = (of: Page, to: string) =>
      within('a', of).some(({ attribs }) => attribs.href === to && attribs.class === 'language')
    expect([leads(page, '/reseller/docs/th'), leads(thai, '/reseller/docs')]).toEqual([true, true])
    expect(within('html', thai)[0]!.attribs.lang).toBe('th')
  })
})

test('no script or handler stands in the page itself', () => {
  for (const script of all('script')) expect([script.attribs.src?.[0], DomUtils.textContent(script)]).toEqual(['/', ''])
  const handlers = DomUtils.find(
    node => Object.keys((node as never as { attribs?: object }).attribs ?? {}).some(name => name.startsWith('on')),
    [page],
    true,
    1,
  )
  expect(handlers).toEqual([])
})

test('every link leads somewhere: to an anchor, a call, a file of the server or a site', async () => {
  const calls = new Set(V1_ENDPOINTS.map(operationOf).map(({ tag, id }) => `#/${tag}/${id}`))
  const links = new Set(all('a').map(({ attribs }) => attribs.href!))
  expect([...calls].filter(call => !links.has(call))).toEqual([])
  for (const link of links) {
    if (link.startsWith('#/')) expect(calls).toContain(link)
    else if (link.startsWith('#')) expect(section(link.slice(1)), link).toBeTruthy()
    else if (link.startsWith('/')) expect((await it.request(link)).status, link).toBe(200)
    else expect(link).toMatch(/^https:\/\//)
  }
})

test('the tables have every error with its status and Thai text, every state, scope, event, try and test package', () => {
  for (const code of API_ERROR_CODES) {
    const row = DomUtils.textContent(section(`error-${code}`).parent!.parent!)
    expect(row).toContain(`${code}${apiStatusCode(code)}`)
    expect(row).toContain(apiMessage(code))
  }
  const rowsOf = (id: string, nth = 0) =>
    DomUtils.getElementsByTagName('tbody', section(id))[nth]!.children.map(row => DomUtils.textContent(row))
  const has = (rows: string[], names: readonly string[]) => {
    expect(rows).toHaveLength(names.length)
    for (const [at, name] of names.entries()) expect(rows[at]).toMatch(new RegExp(`^${name}`))
  }
  has(rowsOf('orders'), API_STATUSES)
  has(rowsOf('orders', 1), API_REASONS)
  has(rowsOf('keys'), KEY_SCOPES)
  has(rowsOf('money'), ENTRY_KINDS)
  has(rowsOf('webhooks'), WEBHOOK_EVENTS)
  has(
    rowsOf('webhooks', 1),
    Array.from({ length: RETRY_SECONDS.length + 1 }, (_, at) => String(at + 1)),
  )
  has(
    rowsOf('test-mode'),
    PLAY_PACKAGES.map(({ id }) => String(id)),
  )
  expect(rowsOf('limits')).toContain('codes77 in 60 seconds')
  expect(textOf('start')).toContain('export RESELLER_URL=https://shop.example')
})

test('the programs that it shows are the files that are run', async () => {
  const shown = DomUtils.getElementsByTagName('pre', section('start')).map(block => DomUtils.textContent(block))
  for (const file of ['quickstart.sh', 'quickstart.mjs', 'quickstart.py', 'client.ts', 'bot.ts']) {
    const text = await readFile(new URL(`../../../examples/reseller/${file}`, import.meta.url), 'utf8')
    expect(shown, file).toContain(text.trimEnd())
  }
})

describe('the search', () => {
  type Matches = (phrase: string, text: string) => boolean
  type Operations = Map<string, Map<string, unknown>>

  /** What a browser loads. */
  const load = async () => {
    const text = await (await it.request('/reseller/docs/search.js')).text()
    const module = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(text)}`)
    return module as { matches: Matches; filterOperations: (ops: unknown, phrase: string) => unknown }
  }

  test.each([
    ['', 'anything', true],
    ['refund WALLET', 'All its money is back in the wallet: refunded', true],
    ['refund codes', 'refunded to the wallet', false],
    ['orders/:id', 'GET /reseller/v1/orders/{id}', true],
  ])('%s in "%s": %s', async (phrase, text, found) => {
    expect((await load()).matches(phrase, text)).toBe(found)
  })

  test.each([
    ['/wallet/entries', ['listWalletEntries']],
    ['newest first', ['listWalletEntries', 'listOrders']],
    ['cancelorder', ['cancelOrder']],
    ['post', ['checkPlayer', 'createOrder', 'cancelOrder']],
    ['codes', ['getCodes']],
    ['nothing is called so', []],
  ])('finds calls by path, summary, name and tag: %s', async (phrase, found) => {
    const { filterOperations } = await load()
    expect(operationIds(filterOperations(taggedOperations(), phrase))).toEqual(found)
  })

  /** Swagger UI's maps are Immutable's; what the filter asks of them is here. */
  class Immutable extends Map<string, unknown> {
    map(change: (value: never, key: string) => unknown) {
      return new Immutable([...this].map(([key, value]) => [key, change(value as never, key)]))
    }
    filter(fits: (value: never) => boolean) {
      return new Immutable([...this].filter(([, value]) => fits(value as never)))
    }
    update(key: string, change: (value: never) => unknown) {
      return new Immutable([...this, [key, change(this.get(key) as never)]])
    }
  }
  const record = (fields: object) => new Immutable(Object.entries(fields))
  const taggedOperations = () =>
    record(
      Object.fromEntries(
        Object.keys(TAGS).map(tag => [
          tag,
          record({
            operations: record(
              Object.fromEntries(
                V1_ENDPOINTS.map(endpoint => ({ ...endpoint, ...operationOf(endpoint) }))
                  .filter(each => each.tag === tag)
                  .map(({ id, method, path, summary }) => [
                    id,
                    record({
                      method: method.toLowerCase(),
                      path: path.replace(/:(\w+)/g, '{$1}'),
                      operation: record({ summary, operationId: id }),
                    }),
                  ]),
              ),
            ),
          }),
        ]),
      ),
    )
  const operationIds = (groups: unknown) =>
    [...(groups as Operations).values()].flatMap(group => [...(group.get('operations') as Operations).keys()])
})

describe('the packed server', () => {
  let server: ServerProcess
  beforeAll(async () => {
    server = await startServerProcess(it.databaseUrl)
  })
  afterAll(() => server.stop())

  test('serves the same page, its files, its programs and the document', async () => {
    const names = [...Object.keys(ASSETS), ...EXAMPLES.map(name => `examples/${name}`)]
    for (const name of names) {
      const served = await fetch(`${server.url}/reseller/docs/${name}`)
      expect([served.status, await served.text()], name).toEqual([
        200,
        await (await it.request(`/reseller/docs/${name}`)).text(),
      ])
    }
    for (const path of ['/reseller/docs', '/reseller/docs/th'])
      expect((await fetch(`${server.url}${path}`)).status, path).toBe(200)
    const packed = parseDocument(await (await fetch(`${server.url}/reseller/docs`)).text())
    expect(DomUtils.getElementsByTagName('section', packed).map(({ attribs }) => attribs.id)).toEqual([
      ...SECTIONS,
      'reference',
    ])
    const document = (await (await fetch(`${server.url}/reseller/openapi.json`)).json()) as { openapi: string }
    expect(document.openapi).toBe('3.1.0')
  })
})
