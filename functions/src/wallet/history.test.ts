import { confirmOrder, updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import * as contract from '@shop/shared/wallet/endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAccount, createTestShop, onceKey, type TestShop } from '../testing/shop.ts'
import { addSlip, addWallet } from '../testing/wallet.ts'

let it: TestShop
let orderNo = ''
let topUpNo = ''

const settled: string[] = []

/** What the database has just posted by its own clock is set to the moment that this test is at. */
async function settle(seconds = 0) {
  const rows = await it.db.query<{ id: string }>({
    text: 'UPDATE ledger_transaction SET at = $1 WHERE NOT id = ANY($2) RETURNING id',
    values: [it.clock.now, settled],
  })
  const ids = rows.map(row => row.id)
  settled.push(...ids)
  const text = 'UPDATE ledger_entry SET at = $1 WHERE transaction_id = ANY($2)'
  await it.db.query({ text, values: [it.clock.now, ids] })
  it.clock.advance(seconds)
}

async function topUp(uid: string, amountSatang: number, decision?: { status: 'approve' | 'reject'; reason?: string }) {
  const body = { amountSatang, slipId: await addSlip(it, `u:${uid}`) }
  const { id, no } = await it.as(uid).call(contract.saveTopUp, { body, idempotencyKey: onceKey() })
  if (decision) {
    const sent = { id, version: 1, ...decision }
    await it.as('manager').call(contract.decideTopUp, { body: sent, idempotencyKey: onceKey() })
  }
  await settle(60)
  return no
}

const buy = async (uid: string, quantity = 1) => {
  const body = { gameId: 1, packageId: 1, playerId: '1', termsVersion: '1', pin: '1234', quantity }
  const order = await it.as(uid).call(confirmOrder, { body, idempotencyKey: onceKey() })
  await settle(60)
  return order.orderNo
}

/** October: 1,000 baht arrive, 280 are spent. November: 140 are spent and come back, 500 arrive, two requests do not. */
beforeAll(async () => {
  it = await createTestShop()
  await addAccount(it, 'other', 'agent')
  // 23:59:30 on 31 October in Bangkok.
  it.clock.now = new Date('2026-10-31T16:56:30Z')
  await addWallet(it.db, { uid: 'agent', balanceSatang: 0, pin: '1234', now: it.clock.now })
  await addWallet(it.db, { uid: 'other', balanceSatang: 0, pin: '1234', now: it.clock.now })
  topUpNo = await topUp('agent', 100_000, { status: 'approve' })
  await topUp('other', 300_000, { status: 'approve' })
  await buy('agent', 2)
  await it.db.query({ text: `UPDATE account SET username = '=HYPERLINK("x")' WHERE uid = 'other'` })
  // 00:00:30 on 1 November.
  it.clock.now = new Date('2026-10-31T17:00:30Z')
  orderNo = await buy('agent')
  const refund = { orderNo, status: 'refunded' as const, reason: '+หมดสต็อก, "ขออภัย"' }
  await it.as('manager').call(updateOrderStatus, { body: refund })
  await settle(60)
  await topUp('agent', 50_000, { status: 'approve' })
  await topUp('agent', 70_000, { status: 'reject', reason: 'ไม่พบยอด' })
  await topUp('agent', 90_000)
})
afterAll(() => it.db.close())

const list = async (query: Record<string, unknown> = {}, uid = 'agent') =>
  it.as(uid).call(contract.listOwnTransactions, { query })
const lines = (rows: { actionType: string; transType: string; amountSatang: number; status: string }[]) =>
  rows.map(row => `${row.actionType} ${row.transType} ${row.amountSatang / 100} ${row.status}`)

test('the history shows requests and money of the own wallet, newest first', async () => {
  const { rows, total } = await list()
  expect(lines(rows)).toEqual([
    'เติมเงิน ฝาก 900 waiting_approve',
    'เติมเงิน ฝาก 700 reject',
    'เติมเงิน ฝาก 500 approve',
    'เติมเกม คืนเงิน 140 approve',
    'เติมเกม ถอน 140 approve',
    'เติมเกม ถอน 280 approve',
    'เติมเงิน ฝาก 1000 approve',
  ])
  expect(total).toBe(7)
  expect(rows[3]).toMatchObject({ no: orderNo, orderNo, gameName: 'PUBG Mobile', packageName: '325 UC' })
  expect(rows[0]).toMatchObject({ canEdit: true, canCancel: true, slipId: expect.any(String) })
})

test.each([
  ['the month, by Bangkok time', { month: '2026-10' }, 2],
  ['top-ups', { actionType: 'เติมเงิน' }, 4],
  ['games', { actionType: ['เติมเกม'] }, 3],
  ['one status', { status: 'waiting_approve' }, 1],
  ['two statuses', { status: ['reject', 'waiting_approve'] }, 2],
  ['games that wait', { actionType: 'เติมเกม', status: 'waiting_approve' }, 0],
  ['everything at once', { month: '2026-11', actionType: ['เติมเงิน', 'เติมเกม'], status: 'approve' }, 3],
  ['a wildcard is text', { transactionNo: '%' }, 0],
])('filter: %s', async (_, query, count) => {
  const { rows, total } = await list(query)
  expect([rows.length, total]).toEqual([count, count])
})

test('numbers find top-ups and orders, pages follow each other', async () => {
  for (const transactionNo of [topUpNo, topUpNo.toLowerCase(), topUpNo.slice(3).toLowerCase()])
    expect((await list({ transactionNo })).rows.map(row => row.no)).toEqual([topUpNo])
  expect((await list({ transactionNo: orderNo.slice(2) })).total).toBe(2)
  expect((await list({ transactionNo: orderNo })).total).toBe(2)
  const { rows: all } = await list({ pageSize: 100 })
  for (const part of ['1', '2', '7', '-', 'K', 'kt', 'wt', '26', '2611', orderNo.slice(-2), topUpNo.slice(-3)]) {
    const { rows, total } = await list({ transactionNo: part, pageSize: 100 })
    expect(rows, part).toEqual(all.filter(row => row.no.includes(part.toUpperCase())))
    expect(total, part).toBe(rows.length)
    const inMonth = await list({ transactionNo: part, month: '2026-10', pageSize: 100 })
    expect(inMonth.total, part).toBe(inMonth.rows.length)
  }
  const pages = await Promise.all([1, 2, 3, 4].map(page => list({ page, pageSize: 2 })))
  expect(pages.map(page => page.rows.length)).toEqual([2, 2, 2, 1])
  expect(new Set(pages.flatMap(page => page.rows.map(row => row.id))).size).toBe(7)
})

test('staff see every wallet and find an agent by name; agents see none of it', async () => {
  const all = async (query = {}) => it.as('staff').call(contract.listAllTransactions, { query })
  expect((await all()).total).toBe(8)
  const found = await all({ agentName: 'hyperlink' })
  expect(found.rows).toMatchObject([{ uid: 'other', amountSatang: 300_000, isTopUp: true, canEdit: false }])
  expect((await all({ agentName: 'agent', actionType: 'เติมเกม', month: '2026-11' })).total).toBe(2)
  const newest = (await all()).rows.map(row => row.id)
  expect((await all({ agentName: '@' })).rows.map(row => row.id)).toEqual(newest)
  expect(await all({ agentName: '@', actionType: 'เติมเกม' })).toMatchObject({ total: 3 })
  expect(await all({ agentName: '@', transactionNo: topUpNo })).toMatchObject({ total: 1, rows: [{ no: topUpNo }] })
  expect(await all({ agentName: 'hyperlink', transactionNo: topUpNo })).toMatchObject({ rows: [], total: 0 })
  expect(await all({ agentName: 'ไม่มีใครชื่อนี้' })).toMatchObject({ rows: [], total: 0 })
  expect(await it.as('agent').codeOf(contract.listAllTransactions, {})).toBe('FORBIDDEN')
})

test('the statement of a month opens and closes with the ledger, to the satang', async () => {
  const statement = (month: string) => it.as('agent').call(contract.getStatement, { params: { month } })
  expect(await statement('2026-10')).toMatchObject({
    openingSatang: 0,
    inSatang: 100_000,
    outSatang: 28_000,
    closingSatang: 72_000,
  })
  const november = await statement('2026-11')
  expect(november).toMatchObject({ openingSatang: 72_000, inSatang: 64_000, outSatang: 14_000, closingSatang: 122_000 })
  expect(november.rows.map(row => row.balanceSatang)).toEqual([58_000, 72_000, 122_000])
  expect(await statement('2026-12')).toMatchObject({ openingSatang: 122_000, closingSatang: 122_000, rows: [] })
  expect((await it.as('agent').call(contract.getWallet, {})).balanceSatang).toBe(122_000)
})

test('what is posted in the first instant of a month is of that month', async () => {
  await addAccount(it, 'midnight', 'agent')
  const now = new Date('2026-10-31T17:00:00Z')
  await addWallet(it.db, { uid: 'midnight', balanceSatang: 100_000, pin: null, now })
  const statement = (month: string) => it.as('midnight').call(contract.getStatement, { params: { month } })
  expect(await statement('2026-10')).toMatchObject({ openingSatang: 0, closingSatang: 0 })
  expect(await statement('2026-11')).toMatchObject({ openingSatang: 0, inSatang: 100_000, closingSatang: 100_000 })
})

test('CSV has a BOM, the filtered rows, and no cell that a spreadsheet would run', async () => {
  const download = async (path: string, uid: string) => {
    const reply = await it.request(path, { headers: it.as(uid).headers })
    const bytes = new Uint8Array(await reply.arrayBuffer())
    return { name: reply.headers.get('content-disposition'), bytes, text: new TextDecoder('utf-8').decode(bytes) }
  }
  const own = await download(`${contract.exportOwnTransactions.path}?month=2026-11`, 'agent')
  expect([...own.bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  expect(own.name).toMatch(/filename="Export\d{14}\.csv"/)
  expect(own.text.trimEnd().split('\r\n')).toHaveLength(6)
  expect(own.text).toContain(`"PUBG Mobile 325 UC +หมดสต็อก, ""ขออภัย"""`)
  const all = await download(contract.exportAllTransactions.path, 'staff')
  expect(all.text).toContain(`"'=HYPERLINK(""x"")"`)
  const statement = await download(contract.exportStatement.path.replace(':month', '2026-11'), 'agent')
  expect(statement.text).toContain('ยอดยกมา,,720.00')
  expect(statement.text).toContain('ยอดยกไป,,1220.00')
  expect(statement.text).toContain(`,-140.00,580.00`)
})

test('an order that a discount made free is a line of its wallet, once, though no money moved', async () => {
  const { rows: before } = await list()
  const setDiscount = (satang: number) =>
    it.db.query({ text: 'UPDATE discount SET discount_satang = $1 WHERE package_id = 1', values: [satang] })
  await setDiscount(50_000)
  it.clock.now = new Date('2026-12-01T05:00:00Z')
  const free = await buy('agent')
  await setDiscount(500)
  const { rows, total } = await list()
  expect(lines(rows)).toEqual(['เติมเกม ถอน 0 approve', ...lines(before)])
  expect(rows[0]).toMatchObject({ no: free, orderNo: free, packageName: '325 UC' })
  expect(total).toBe(before.length + 1)
  const december = { month: '2026-12' }
  for (const query of [december, { transactionNo: free }, { ...december, actionType: 'เติมเกม', status: 'approve' }])
    expect((await list(query)).total).toBe(1)
  for (const query of [{ actionType: 'เติมเงิน' }, { status: 'reject' }])
    expect((await list({ ...december, ...query })).total).toBe(0)
  expect((await list(december, 'other')).total).toBe(0)
  const all = await it.as('staff').call(contract.listAllTransactions, { query: { ...december, agentName: 'agent' } })
  expect(lines(all.rows)).toEqual(['เติมเกม ถอน 0 approve'])
  const exported = await it.request(`${contract.exportOwnTransactions.path}?month=2026-12`, {
    headers: it.as('agent').headers,
  })
  expect(await exported.text()).toContain(free)
})

test('a part of more numbers than are counted finds the newest lines, of orders and of top-ups', async () => {
  const at = new Date('2027-01-10T05:00:00Z')
  const many = `FROM generate_series(1, 600) AS n, wallet w WHERE w.uid = 'other'`
  await it.db.query({
    text: `INSERT INTO top_up (id, no, wallet_id, amount_satang, status, version, entered_by, created_at)
      SELECT gen_random_uuid(), 'WT2701-777' || lpad(n::text, 5, '0'), w.id, 100, 'cancel', 2, 'other', $1::timestamptz + n * interval '2 s' ${many}`,
    values: [at],
  })
  await it.db.query({
    text: `INSERT INTO orders (id, order_no, track_token, status, version, buyer_key, buyer_uid, game_id, package_id, player_id, snapshot,
        payment, quantity, price_satang, tail_satang, wallet_id, created_at, paid_at, queue_no)
      SELECT gen_random_uuid(), 'KT2701-777' || lpad(n::text, 5, '0'), gen_random_uuid(), 'success', 2, 'u:other', 'other', 1, 1, '777',
        '{}', 'wallet', 1, 100, 0, w.id, $1::timestamptz + n * interval '2 s' - interval '1 s', now(), nextval('order_queue_no') ${many}`,
    values: [at],
  })
  await it.db.query({
    text: `WITH posted AS (
        INSERT INTO ledger_transaction (id, kind, subject_id, at)
        SELECT gen_random_uuid(), 'order_paid', o.id, o.created_at FROM orders o WHERE o.order_no LIKE 'KT2701-777%' RETURNING id, at
      )
      INSERT INTO ledger_entry (transaction_id, line, account, amount_satang, at)
      SELECT p.id, line, CASE line WHEN 1 THEN 'wallet:' || w.id ELSE 'sales' END, CASE line WHEN 1 THEN -100 ELSE 100 END, p.at
      FROM posted p, generate_series(1, 2) AS line, wallet w WHERE w.uid = 'other'`,
    values: [],
  })
  const all = async (query: object) => {
    const found = await it.as('staff').call(contract.listAllTransactions, { query: { pageSize: 4, ...query } })
    return { nos: found.rows.map(row => row.no), total: found.total }
  }
  const newest = ['WT2701-77700600', 'KT2701-77700600', 'WT2701-77700599', 'KT2701-77700599']
  expect(await all({ transactionNo: '-777' })).toEqual({ nos: newest, total: 1001 })
  expect(await all({ transactionNo: '-777', actionType: 'เติมเงิน', pageSize: 1 })).toEqual({
    nos: newest.slice(0, 1),
    total: 600,
  })
  expect(await all({ transactionNo: 'kt2701-777', pageSize: 1 })).toEqual({ nos: [newest[1]], total: 600 })
  expect(await all({ transactionNo: '01-7770059', pageSize: 1 })).toEqual({ nos: [newest[2]], total: 20 })
  expect(await all({ transactionNo: '2701-777' })).toEqual({ nos: newest, total: 1001 })
  expect(await all({ transactionNo: '2612-777' })).toEqual({ nos: [], total: 0 })
  expect(await list({ transactionNo: '-777' }, 'agent')).toMatchObject({ rows: [], total: 0 })
  expect((await list({ transactionNo: '-777', pageSize: 1 }, 'other')).total).toBe(1001)
})

test('what waits stands oldest first for staff, who work it off; its owner reads the newest first', async () => {
  const nos = [await topUp('other', 11_000), await topUp('other', 12_000)]
  const query = { status: ['waiting_approve'], agentName: 'hyperlink' } as never
  const { rows } = await it.as('staff').call(contract.listAllTransactions, { query })
  expect(rows.map(row => row.no)).toEqual(nos)
  const own = await list({ status: ['waiting_approve'] }, 'other')
  expect(own.rows.map(row => row.no)).toEqual(nos.toReversed())
})
