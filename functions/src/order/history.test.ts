import { randomUUID } from 'node:crypto'
import { serve } from '@hono/node-server'
import * as contract from '@shop/shared/order/endpoints.ts'
import { exportAllOrders, getReceipt, searchOrders } from '@shop/shared/order/finding-endpoints.ts'
import { ORDER_SORTS } from '@shop/shared/order/history.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../app.ts'
import { csvReply } from '../http/csv.ts'
import { buyByBank } from '../testing/orders.ts'
import { addAccount, createTestShop, type TestShop } from '../testing/shop.ts'

const MANY = 60

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
  await addAccount(it, 'namfon', 'customer')
  await it.db.query({ text: `UPDATE account SET given_name = 'น้ำฝน', family_name = 'ใจดี' WHERE uid = 'namfon'` })
  await insertOrders(MANY)
})
afterAll(() => it.db.close())

/** Orders of many equal moments and amounts, a third of them unpaid, so that only the last sort key tells them apart. */
async function insertOrders(count: number): Promise<void> {
  await it.db.query({
    text: `INSERT INTO orders (id, order_no, track_token, status, version, buyer_key, game_id, package_id, player_id, snapshot,
        payment, quantity, price_satang, tail_satang, receiving_account_id, created_at, paid_at, queue_no, ended_at)
      SELECT gen_random_uuid(), 'KT2610-' || lpad((10000000 + s.taken + n)::text, 8, '0'), gen_random_uuid()::text,
        CASE WHEN n % 3 = 0 THEN 'expired' ELSE 'success' END, 2, 'g:' || gen_random_uuid(), 1, 1, '51' || n,
        '{"gameName":"PUBG","gamePicture":"","packageName":"325 UC","termsVersion":"1","fields":[],"usualMinutes":{"from":5,"to":15}}',
        'bank', 1, 10000 + n % 4 * 100, 7, 1, timestamptz '2026-10-05' + (n / 7) * interval '1 s',
        CASE WHEN n % 3 > 0 THEN timestamptz '2026-10-06' + (n / 5) * interval '1 s' END,
        CASE WHEN n % 3 > 0 THEN nextval('order_queue_no') END, timestamptz '2026-10-07'
      FROM generate_series(1, $1) n, (SELECT count(*)::int AS taken FROM orders) s`,
    values: [count],
  })
}

const list = (query: Record<string, unknown>) =>
  it.as('staff').call(contract.listAllOrders, { query: { pageSize: 7, ...query } as never })

async function walk(query: Record<string, unknown>, betweenPages: () => Promise<void> = async () => {}) {
  const seen: string[] = []
  for (let after: string | null | undefined; after !== null; ) {
    const page = await list({ ...query, after: after ?? undefined })
    seen.push(...page.rows.map(({ orderNo }) => orderNo))
    after = page.next
    await betweenPages()
  }
  return seen
}

describe('pages that go on after a row', () => {
  test.each(ORDER_SORTS.flatMap(sort => (['asc', 'desc'] as const).map(direction => ({ sort, direction }))))(
    'by $sort $direction have every order once, in order, while others come in',
    async query => {
      const before = new Set(await walk({ ...query, pageSize: 100 }))
      const seen = await walk(query, () => insertOrders(2))
      expect(new Set(seen).size).toBe(seen.length)
      expect([...before].filter(orderNo => !seen.includes(orderNo))).toEqual([])
    },
  )

  test('stand in the order that was asked for', async () => {
    const byAmount = (await list({ sort: 'amount', direction: 'asc', pageSize: 100 })).rows
    const amounts = byAmount.map(({ amountSatang }) => amountSatang)
    expect(amounts).toEqual(amounts.toSorted((a, b) => a - b))
    const queue = (await list({ sort: 'queueNo', pageSize: 100 })).rows.map(({ queueNo }) => queueNo!)
    expect(queue).toEqual(queue.toSorted((a, b) => b - a))
  })

  test.each([
    '',
    '~',
    'x~y',
    '2026-02-31 25:00~1',
    "'; DROP TABLE orders~x",
    'infinity~00000000-0000-0000-0000-000000000000',
  ])('take a place that no list gave (%s) for none', async after => {
    expect((await list({ after })).rows).toHaveLength(7)
  })
})

describe('what is found', () => {
  test('by part of a number, of a player id, and of a buyer’s name', async () => {
    const mine = await buyByBank(it.as('namfon'), { playerId: '5987654321' })
    const found = async (text: string) => (await list({ text })).rows.map(({ orderNo }) => orderNo)
    for (const text of [mine.orderNo, mine.orderNo.slice(-6), mine.orderNo.toLowerCase(), '98765', 'น้ำฝน', 'ใจดี'])
      expect(await found(text), text).toContain(mine.orderNo)
    expect(await found('98_65')).toEqual([])
    expect(await found('ไม่มีใครชื่อนี้')).toEqual([])
    expect(await it.as('staff').codeOf(contract.listAllOrders, { query: { text: 'ab' } })).toBe('INVALID_INPUT')
  })

  test('by one box, grouped by what it names, also the exact amount', async () => {
    const { orderNo, amountSatang } = (await list({ text: '5987654321' })).rows[0]!
    const groups = async (text: string) =>
      (await it.as('staff').call(searchOrders, { query: { text } })).groups.map(
        ({ by, rows }) => `${by} ${rows.map(row => row.orderNo).includes(orderNo)}`,
      )
    expect(await groups(orderNo)).toEqual(['orderNo true'])
    expect(await groups('5987654321')).toEqual(['player true'])
    expect(await groups('น้ำฝน')).toEqual(['buyer true'])
    expect(await groups((amountSatang / 100).toFixed(2))).toContain('amount true')
    expect(await it.as('customer').codeOf(searchOrders, { query: { text: orderNo } })).toBe('FORBIDDEN')
  })
})

test('a month tells of open orders that earlier months left', async () => {
  const { openBefore } = await list({ month: '2026-12' })
  expect(openBefore).toBe(1)
  expect((await list({ month: '2026-11' })).openBefore).toBe(0)
})

test('a buyer sees unpaid orders first, whatever the page', async () => {
  const buyer = it.as('namfon')
  await it.db.query({
    text: `UPDATE orders SET buyer_key = 'u:namfon', buyer_uid = 'namfon' WHERE order_no IN
      (SELECT order_no FROM orders WHERE status = 'success' ORDER BY order_no LIMIT 12)`,
  })
  const pages = [1, 2].map(page => buyer.call(contract.listOwnOrders, { query: { page, pageSize: 7 } }))
  const [first, second] = await Promise.all(pages)
  expect(first!.rows[0]!.status).toBe('waiting_payment')
  expect([first!.rows.length, second!.rows.length, first!.total]).toEqual([7, 6, 13])
  expect(new Set([...first!.rows, ...second!.rows].map(({ orderNo }) => orderNo)).size).toBe(13)
})

describe('the download', () => {
  const path = exportAllOrders.path
  test('is the staff’s alone', async () => {
    for (const uid of ['customer', 'agent', null])
      expect((await it.request(path, { headers: it.as(uid).headers })).status).toBe(uid ? 403 : 401)
  })

  test('has a BOM, every selected order once in Bangkok time, and no formula', async () => {
    const player = `=HYPERLINK("x")`
    await it.db.query({
      text: 'UPDATE orders SET player_name = $1 WHERE order_no = (SELECT min(order_no) FROM orders)',
      values: [player],
    })
    const reply = await it.request(`${path}?status=success&month=2026-10`, { headers: it.as('staff').headers })
    const bytes = new Uint8Array(await reply.arrayBuffer())
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const lines = new TextDecoder().decode(bytes).trimEnd().split('\r\n').slice(1)
    const { total } = await list({ status: 'success', month: '2026-10' })
    expect(lines).toHaveLength(total)
    expect(new Set(lines.map(line => line.split(',')[1])).size).toBe(total)
    // 5 October 00:00 UTC is 07:00 in Bangkok.
    expect(lines.at(-1)).toMatch(/^05\/10\/2026 07:00:/)
    const formula = lines.filter(line => line.includes('HYPERLINK'))
    for (const line of formula) expect(line).toContain(`"'=HYPERLINK(""x"")"`)
    expect(formula.length).toBeLessThanOrEqual(1)
  })

  test('that breaks off is no finished answer', async () => {
    async function* breaking() {
      yield [['first']]
      throw new Error('the database went away')
    }
    const app = createApp(it.shop)
    app.get('/breaks', async c => {
      const { body } = await csvReply({ header: ['a'], cellsOf: (row: string[]) => row }, breaking(), it.clock.now)
      return c.body(body as ReadableStream)
    })
    const server = serve({ fetch: app.fetch, port: 0 })
    await new Promise(resolve => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    await expect(fetch(`http://127.0.0.1:${port}/breaks`).then(reply => reply.text())).rejects.toThrow()
    await new Promise(resolve => server.close(resolve))
  })
})

describe('an order on paper', () => {
  const paper = async (orderNo: string, headers: Record<string, string>) => {
    const reply = await it.request(getReceipt.path.replace(':orderNo', orderNo), { headers })
    const isPdf = (await reply.text()).startsWith('%PDF-')
    return `${reply.status} ${isPdf}`
  }

  test('is its buyer’s, the staff’s, and whoever’s has the tracking link; nobody else’s', async () => {
    const { orderNo } = (await list({ text: '5987654321' })).rows[0]!
    const { trackToken } = await it.as('namfon').call(contract.getOrder, { params: { orderNo } })
    expect(await paper(orderNo, it.as('namfon').headers)).toBe('200 true')
    expect(await paper(orderNo, it.as('staff').headers)).toBe('200 true')
    expect(await paper(orderNo, { ...it.as(null).headers, 'track-token': trackToken })).toBe('200 true')
    expect(await paper(orderNo, it.as('customer').headers)).toBe('404 false')
    expect(await paper(orderNo, it.as('agent').headers)).toBe('404 false')
    expect(await paper(orderNo, { ...it.as(null).headers, 'track-token': randomUUID() })).toBe('404 false')
  })

  test('is asked for so often and no more', async () => {
    const shop = await createTestShop({ RATE_LIMIT_PAPERS_PER_CALLER: '1' })
    const { orderNo } = await buyByBank(shop.as('customer'))
    const codes = [1, 2].map(() => shop.as('customer').codeOf(getReceipt, { params: { orderNo } }))
    expect((await Promise.all(codes)).toSorted()).toContain('RATE_LIMITED')
    await shop.db.close()
  })
})

test('the buyer’s name and contacts are shown to the buyer and to staff, not to who has the link', async () => {
  const { orderNo } = (await list({ text: '5987654321' })).rows[0]!
  const own = await it.as('namfon').call(contract.getOrder, { params: { orderNo } })
  expect(own.buyer).toMatchObject({ name: 'น้ำฝน ใจดี', lineId: null, hasFacebook: false })
  const byLink = it.as(null, { 'track-token': own.trackToken })
  expect((await byLink.call(contract.trackOrder, {} as never)).buyer).toBeNull()
  expect((await byLink.call(contract.getOrder, { params: { orderNo } })).buyer).toBeNull()
})
