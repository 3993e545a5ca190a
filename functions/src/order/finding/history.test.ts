import { randomUUID } from 'node:crypto'
import { serve } from '@hono/node-server'
import * as contract from '@shop/shared/order/endpoints.ts'
import { exportAllOrders, getReceipt, searchOrders } from '@shop/shared/order/finding-endpoints.ts'
import { ORDER_SORTS } from '@shop/shared/order/history.ts'
import { listOwnOrders, listRunningOrders } from '@shop/shared/order/own-endpoints.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { csvReply } from '../../http/csv.ts'
import { createApp } from '../../start/app.ts'
import { buyByBank } from '../../testing/orders.ts'
import { addAccount, createTestShop, type TestShop } from '../../testing/shop.ts'

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

  test('by many digits where all of them stand in a row', async () => {
    const [mine] = (await list({ text: '5987654321' })).rows
    for (const text of ['598765', '5987654', '87654321', '987654321'])
      expect((await list({ text })).rows, text).toEqual([mine])
    // Their first three, middle three and last three digits are in the player's id.
    for (const text of ['598321', '5980765321', '59876504321', '321765598']) {
      expect(await list({ text }), text).toMatchObject({ rows: [], total: 0 })
      expect((await it.as('staff').call(searchOrders, { query: { text } })).groups, text).toEqual([])
    }
  })
})

test('a month tells of open orders that earlier months left', async () => {
  const { openBefore } = await list({ month: '2026-12' })
  expect(openBefore).toBe(1)
  expect((await list({ month: '2026-11' })).openBefore).toBe(0)
})

test('a month of open orders has what earlier months left; reported transfers come first, the longest wait at the top', async () => {
  const unpaid: string[] = []
  for (const uid of ['r1', 'r2', 'r3']) {
    await addAccount(it, uid, 'customer')
    it.clock.advance(1)
    unpaid.push((await buyByBank(it.as(uid), { playerId: `59${uid.slice(1)}0000001` })).orderNo)
  }
  const [early, late, silent] = unpaid as [string, string, string]
  const reportAt = (orderNo: string, at: string) =>
    it.db.query({ text: 'UPDATE orders SET transfer_reported_at = $2 WHERE order_no = $1', values: [orderNo, at] })
  await reportAt(late, '2026-11-20T05:05:00Z')
  await reportAt(early, '2026-11-20T05:01:00Z')
  const shown = async (query: Record<string, unknown>) => {
    const { rows, openBefore } = await list({ status: ['waiting_payment'], pageSize: 100, ...query })
    const numbers = rows.map(({ orderNo }) => orderNo)
    return { numbers: numbers.filter(orderNo => unpaid.includes(orderNo)), first: numbers.slice(0, 2), openBefore }
  }
  for (const month of [undefined, '2026-11', '2026-12'])
    expect(await shown({ month }), month).toEqual({
      numbers: [early, late, silent],
      first: [early, late],
      openBefore: 0,
    })
  expect((await shown({ month: '2026-10' })).numbers).toEqual([])
  expect((await shown({ month: '2026-12', status: ['paid'] })).openBefore).toBe(4)
  expect((await shown({ month: '2026-12', status: ['waiting_payment', 'success'] })).numbers).toEqual([])
  expect((await shown({ sort: 'createdAt', direction: 'desc' })).first).toEqual([silent, late])
})

test('a buyer sees unpaid orders first, whatever the page', async () => {
  const buyer = it.as('namfon')
  await it.db.query({
    text: `UPDATE orders SET buyer_key = 'u:namfon', buyer_uid = 'namfon' WHERE order_no IN
      (SELECT order_no FROM orders WHERE status = 'success' ORDER BY order_no LIMIT 12)`,
  })
  const pages = [1, 2].map(page => buyer.call(listOwnOrders, { query: { page, pageSize: 7 } }))
  const [first, second] = await Promise.all(pages)
  expect(first!.rows[0]!.status).toBe('waiting_payment')
  expect([first!.rows.length, second!.rows.length, first!.total]).toEqual([7, 6, 13])
  expect(new Set([...first!.rows, ...second!.rows].map(({ orderNo }) => orderNo)).size).toBe(13)
})

test('a buyer finds their own by a number, its beginning or any part of it, and nobody else’s', async () => {
  const buyer = it.as('namfon')
  const found = async (orderNo: string) => {
    const { rows, total } = await buyer.call(listOwnOrders, { query: { orderNo, pageSize: 100 } })
    expect(total).toBe(rows.length)
    return rows.map(row => row.orderNo)
  }
  const own = await found('')
  expect(own).toHaveLength(13)
  const [mine, another] = [own[3]!, own[4]!]
  for (const text of [mine, mine.toLowerCase(), mine.slice(2), mine.slice(-6)])
    expect(await found(text), text).toEqual([mine])
  const month = mine.slice(0, 6)
  for (const text of [month, month.toLowerCase(), `${month}-`, mine.slice(2, 6), mine.slice(0, 9)])
    expect(await found(text), text).toEqual(own.filter(orderNo => orderNo.includes(text.toUpperCase())))
  expect((await found(month)).includes(another)).toBe(true)
  const [strange] = (await list({ month: '2026-10', status: 'expired' })).rows
  for (const text of [strange!.orderNo, strange!.orderNo.slice(-6), 'KT2609-', 'KT2613', '%', '_'])
    expect(await found(text), text).toEqual([])
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

test('a text that very many orders contain finds the newest of them, beside those of a buyer of that name', async () => {
  await insertOrders(1100)
  await addAccount(it, 'mali', 'customer')
  await it.db.query({ text: `UPDATE account SET given_name = 'มะลิ-100' WHERE uid = 'mali'` })
  const own = await buyByBank(it.as('mali'))
  const { rows, total } = await list({ text: '-100', pageSize: 100 })
  expect(rows[0]!.orderNo).toBe(own.orderNo)
  expect(rows.slice(1).filter(({ orderNo }) => !orderNo.startsWith('KT2610-100'))).toEqual([])
  expect(total).toBe(1001)
  // By then it is known how common the text is: it is met all the same, also in what came since.
  it.clock.advance(1)
  await insertOrders(1)
  const newer = await list({ text: '-100', pageSize: 100 })
  expect([newer.total, newer.rows.length, newer.rows[0]!.orderNo]).toEqual([1001, 100, own.orderNo])
  const ofGame = await list({ text: '-100', status: 'expired', pageSize: 100 })
  expect([ofGame.rows.every(row => row.status === 'expired'), ofGame.total < 1001]).toEqual([true, true])
  const { groups } = await it.as('staff').call(searchOrders, { query: { text: '-100' } })
  const found = Object.fromEntries(groups.map(({ by, rows }) => [by, rows.map(({ orderNo }) => orderNo)]))
  expect(found).toEqual({ orderNo: rows.slice(1, 6).map(({ orderNo }) => orderNo), buyer: [own.orderNo] })
  const ofMonth = await list({ text: '2610-100', pageSize: 100 })
  expect(ofMonth.rows.map(({ orderNo }) => orderNo)).toEqual(
    (await list({ text: 'KT2610-100', pageSize: 100 })).rows.map(({ orderNo }) => orderNo),
  )
  expect(ofMonth.total).toBe(1001)
})

test.each([
  ['month', { month: '2026-11' }],
  ['game', { game: 2 }],
  ['status', { status: 'failed' }],
  ['number', { orderNo: 'KT2511' }],
  ['list of what waits', { waiting: 'reported' }],
] as const)('a very common text and a %s count only the orders that match both', async (_, filter) => {
  // The first search finds out that the text is common.
  expect((await list({ text: '-100' })).total).toBe(1001)
  expect((await list({ text: '-100', ...filter })).total).toBe(
    (await list({ text: '-100', ...filter, pageSize: 100 })).rows.length,
  )
})

test('a very common text sorted by queue number counts only the orders with such a number', async () => {
  await it.db.query({
    text: `UPDATE orders SET queue_no = NULL, paid_at = NULL WHERE order_no LIKE 'KT2610-100%' AND queue_no % 3 > 0`,
  })
  const { total } = await list({ text: '-100', sort: 'queueNo' })
  const numbered = await it.db.query({
    text: `SELECT 1 FROM orders WHERE order_no LIKE '%-100%' AND queue_no IS NOT NULL`,
  })
  expect(total).toBe(numbered.length)
})

describe('what is under way', () => {
  const running = (caller: ReturnType<TestShop['as']>) => caller.call(listRunningOrders, {})
  const pay = (orderNo: string) =>
    it.as('staff').call(contract.updateOrderStatus, { body: { orderNo, status: 'paid', reason: 'เห็นเงิน' } })

  test('a guest sees the orders of this browser, in the list and in the history; another browser sees none', async () => {
    const guest = it.as(null)
    const paid = await buyByBank(guest)
    await pay(paid.orderNo)
    const unpaid = await buyByBank(guest)
    expect((await running(guest)).rows).toMatchObject([
      { orderNo: unpaid.orderNo, isBlocking: true, isInHistory: true },
      { orderNo: paid.orderNo, isBlocking: false, isInHistory: true },
    ])
    const { rows } = await guest.call(listOwnOrders, { query: {} })
    expect(rows.map(({ orderNo }) => orderNo)).toEqual([unpaid.orderNo, paid.orderNo])
    const stranger = it.as(null)
    expect((await running(stranger)).rows).toEqual([])
    expect((await stranger.call(listOwnOrders, { query: {} })).total).toBe(0)
  })

  test('signed in since, they still see those, which keep them from nothing', async () => {
    const guest = it.as(null)
    const { orderNo } = await buyByBank(guest)
    const signedIn = it.as('signed-in-since', { 'guest-key': guest.headers['guest-key']! })
    expect((await running(signedIn)).rows).toMatchObject([{ orderNo, isBlocking: false, isInHistory: false }])
    await buyByBank(signedIn)
  })

  test('what ended is left out, but for what failed within the week', async () => {
    const guest = it.as(null)
    const { orderNo } = await buyByBank(guest)
    await pay(orderNo)
    const statuses = async () => (await running(guest)).rows.map(({ status }) => status)
    const fail = { orderNo, status: 'failed' as const, reason: 'ไม่พบผู้เล่น' }
    await it.as('staff').call(contract.updateOrderStatus, { body: fail })
    expect(await statuses()).toEqual(['failed'])
    await it.db.query({
      text: `UPDATE orders SET ended_at = ended_at - interval '8 days' WHERE order_no = $1`,
      values: [orderNo],
    })
    expect(await statuses()).toEqual([])
    const cancelled = await buyByBank(guest)
    await guest.call(contract.updateOrderStatus, { body: { orderNo: cancelled.orderNo, status: 'cancel' } })
    expect(await statuses()).toEqual([])
  })
})

test('a name of several buyers finds the newest orders of all of them', async () => {
  const uids = ['many-1', 'many-2', 'many-3']
  const bought: string[] = []
  for (const uid of uids) {
    await addAccount(it, uid, 'customer')
    it.clock.advance(1)
    bought.push((await buyByBank(it.as(uid), { playerId: `588${uid.slice(5)}000001` })).orderNo)
  }
  const { groups } = await it.as('staff').call(searchOrders, { query: { text: 'many-' } })
  expect(groups.map(({ by, rows }) => [by, rows.map(({ orderNo }) => orderNo)])).toEqual([
    ['buyer', bought.toReversed()],
  ])
  await it.db.query({
    text: `UPDATE orders SET buyer_key = 'u:many-2' WHERE order_no IN (SELECT order_no FROM orders WHERE buyer_key LIKE 'g:%' ORDER BY created_at LIMIT 9)`,
  })
  const { groups: more } = await it.as('staff').call(searchOrders, { query: { text: 'many-' } })
  expect(more[0]!.rows.slice(0, 3).map(({ orderNo }) => orderNo)).toEqual(bought.toReversed())
  expect(more[0]!.rows).toHaveLength(5)
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
