import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { SALE_PERIODS, salePeriod } from '@shop/shared/dashboard/dashboard.ts'
import * as contract from '@shop/shared/dashboard/endpoints.ts'
import { confirmOrder, listAllOrders, updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import type { OrderStatus } from '@shop/shared/order/status.ts'
import { ROLES } from '@shop/shared/permissions.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { matchLines } from '../statement/matching.ts'
import { deskOf } from '../testing/decisions.ts'
import { fixture } from '../testing/fixture.ts'
import { buyByBank } from '../testing/orders.ts'
import { type Random, testAtRandom } from '../testing/random.ts'
import { addAccount, createTestShop, onceKey, type TestShop } from '../testing/shop.ts'
import { addWallet } from '../testing/wallet.ts'
import { checkLedger } from '../wallet/ledger-check.ts'
import { rebuildSales } from './sale-day.ts'
import { checkSales } from './sales-check.ts'

const run = promisify(execFile)
const ops = fileURLToPath(new URL('../start/ops.ts', import.meta.url))
const AGENTS = 8
const SOLD: OrderStatus[] = ['paid', 'processing', 'success', 'failed']

let it: TestShop
const desk = deskOf(() => it)
const opened: TestShop[] = []
/** From here on, `it` is a shop where nothing was sold. */
async function openShop(): Promise<void> {
  it = await createTestShop()
  opened.push(it)
  // Days before a year ends in Bangkok.
  it.clock.now = new Date('2026-12-30T05:00:00.000Z')
  for (let n = 1; n <= AGENTS; n++) {
    await addAccount(it, `agent-${n}`, 'agent')
    await addWallet(it.db, { uid: `agent-${n}`, balanceSatang: 10_000_000, pin: '1234', now: it.clock.now })
  }
}
beforeAll(openShop)
afterAll(() => Promise.all(opened.map(({ db }) => db.close())))

const buy = (uid: string, change: Record<string, unknown> = {}) => {
  const body = {
    gameId: fixture.pubg.id,
    packageId: fixture.pubg.package,
    playerId: '5123456789',
    termsVersion: '1',
    pin: '1234',
  }
  return it.as(uid).call(confirmOrder, { body: { ...body, ...change }, idempotencyKey: onceKey() })
}
const setCost = (costSatang: number | null) =>
  it.db.query({ text: 'UPDATE package SET cost_satang = $1 WHERE id = $2', values: [costSatang, fixture.pubg.package] })

/** Orders live at random: paid in every way, undone, refunded, over days and the end of a year. */
async function live(steps: number, { draw: random, tell, ...drawn }: Random): Promise<void> {
  const pick = <T>(list: T[]): T => drawn.pick(list)!
  const paid: string[] = []
  const matched: { line: string }[] = []
  const mlbb = { gameId: fixture.mlbb.id, packageId: fixture.mlbb.package, field2: '1' }
  const acts: (() => Promise<unknown>)[] = [
    async () =>
      paid.push(
        (await buy(`agent-${1 + Math.floor(random() * AGENTS)}`, { quantity: 1 + Math.floor(random() * 3) })).orderNo,
      ),
    async () => {
      const { orderNo } = await desk.order(random() < 0.5 ? mlbb : {})
      expect(await desk.change(orderNo, 'paid')).toBe('OK')
      paid.push(orderNo)
    },
    async () => {
      const { amountSatang } = await desk.order(random() < 0.5 ? mlbb : {})
      const line = await desk.line(amountSatang)
      it.clock.advance(120)
      // An amount that something else claims as well waits for staff.
      if ((await matchLines(it.shop)) === 0) return
      matched.push({ line })
    },
    async () =>
      matched.length > 2 &&
      desk.decide(matched.splice(Math.floor(random() * matched.length), 1)[0]!.line, { step: 'undo', reason: 'ผิด' }),
    async () =>
      paid.length > 8 &&
      random() < 0.6 &&
      desk.change(paid.splice(Math.floor(random() * paid.length), 1)[0]!, 'refunded'),
    async () => paid.length > 0 && desk.change(pick(paid), 'processing', 'staff'),
    async () => setCost(pick([null, 9_000, 12_345])),
    async () => it.clock.advance(Math.floor(random() * 7 * 3600)),
  ]
  for (let n = 0; n < steps; n++) await pick(acts)()
}

/** The same sums, straight from the orders. */
async function sumsOf(
  days: { from: string; to: string },
  game: number | 'all',
  payment: string,
): Promise<contract.SaleSums> {
  const [row] = await it.db.query<Omit<contract.SaleSums, 'feeSatang'>>({
    text: `SELECT count(*)::int AS "totalSale", coalesce(sum(quantity), 0)::int AS quantity,
        coalesce(sum(price_satang + tail_satang), 0)::bigint AS "revenueSatang", coalesce(sum(cost_satang), 0)::bigint AS "costSatang",
        coalesce(sum(CASE WHEN cost_satang IS NULL THEN price_satang + tail_satang END), 0)::bigint AS "uncostedSatang"
      FROM orders WHERE status IN ('paid', 'processing', 'success', 'failed')
        AND to_char(paid_at + interval '7 hours', 'YYYY-MM-DD') BETWEEN $1 AND $2
        AND ($3 = 'all' OR game_id::text = $3) AND ($4 = 'all' OR payment = $4)`,
    values: [days.from, days.to, String(game), payment],
  })
  // No gateway collected for any of them.
  return { ...row!, feeSatang: 0 }
}

testAtRandom(
  'whatever happened to the orders, the dashboards tell what they add up to',
  { size: 220 },
  async random => {
    await openShop()
    await live(random.size / 2, random)
    // Both sides of midnight and of the year are sold on.
    it.clock.now = new Date(Math.max(it.clock.now.getTime(), new Date('2027-01-01T05:00:00.000Z').getTime()))
    await live(random.size / 2, random)
    expect(await checkSales(it.db)).toEqual([])
    expect(await checkLedger(it.db)).toMatchObject({ breaches: [] })
    const manager = it.as('manager')
    for (const period of SALE_PERIODS) {
      const { days, before, steps } = salePeriod(period, it.clock.now)
      for (const game of ['all', fixture.pubg.id, fixture.mlbb.id] as const) {
        for (const paymentMethod of ['all', 'bank', 'wallet'] as const) {
          const body = { game, period, paymentMethod }
          const expected = await sumsOf(days, game, paymentMethod)
          const revenue = await manager.call(contract.getSalesRevenue, { body })
          expect(revenue).toEqual({ ...expected, before: await sumsOf(before, game, paymentMethod) })
          const perPackage = await manager.call(contract.getNumberOfSale, { body })
          for (const key of Object.keys(expected) as (keyof contract.SaleSums)[])
            expect(perPackage.reduce((sum, each) => sum + each[key], 0)).toBe(expected[key])
          const sale = await manager.call(contract.getSale, { body })
          expect(sale.reduce((sum, each) => sum + each.totalSale, 0)).toBe(expected.totalSale)
          for (const { totalSale, details } of sale) {
            expect(details.map(each => each.period)).toEqual(steps)
            expect(details.reduce((sum, each) => sum + each.totalSale, 0)).toBe(totalSale)
          }
          const daily = await manager.call(contract.getDailyRevenue, { body })
          expect(daily.flatMap(({ details }) => details).reduce((sum, each) => sum + each.revenueSatang, 0)).toBe(
            expected.revenueSatang,
          )
          const perStep = await manager.call(contract.getRevenueSteps, { body })
          expect(perStep.map(each => each.period)).toEqual(steps)
          expect(perStep.reduce((sum, each) => sum + each.revenueSatang, 0)).toBe(revenue.revenueSatang)
          expect(perStep.reduce((sum, each) => sum + each.beforeSatang, 0)).toBe(revenue.before.revenueSatang)
          const shares = await manager.call(contract.getSaleType, { body })
          expect(shares.reduce((sum, each) => sum + each.revenueSatang, 0)).toBe(expected.revenueSatang)
          for (const parts of [contract.getChannelSales, contract.getResellerSales]) {
            const rows = await manager.call(parts, { body })
            expect(rows.reduce((sum, each) => sum + each.totalSale, 0)).toBe(expected.totalSale)
            expect(rows.reduce((sum, each) => sum + each.revenueSatang, 0)).toBe(expected.revenueSatang)
          }
          const top = await manager.call(contract.getTopPackages, { body })
          expect(top).toEqual(perPackage.toSorted((a, b) => b.quantity - a.quantity).slice(0, 3))
        }
      }
    }
    // Otherwise the test says little.
    if (!random.isWhole) return
    const year = await manager.call(contract.getSalesRevenue, {
      body: { game: 'all', period: 'thisyear', paymentMethod: 'all' },
    })
    expect(year.totalSale).toBeGreaterThan(5)
    const [before] = await it.db.query<{ n: number }>({
      text: `SELECT count(*)::int AS n FROM orders WHERE paid_at < '2027-01-01T00:00:00+07:00'`,
    })
    expect(before!.n).toBeGreaterThan(5)
  },
)

test('a sale at 23:59 in Bangkok and one a minute later are of two days', async () => {
  it.clock.now = new Date('2027-03-01T16:59:30.000Z')
  const { orderNo } = await buy('agent-1')
  it.clock.advance(60)
  await buy('agent-1')
  const today = { body: { game: 'all', period: 'today', paymentMethod: 'all' } } as const
  const told = () => it.as('manager').call(contract.getSalesRevenue, today)
  expect(await told()).toMatchObject({ totalSale: 1, before: { totalSale: 1 } })
  // Given back the day after, it is missing on the day on which it was paid.
  await it.as('manager').call(updateOrderStatus, { body: { orderNo, status: 'refunded', reason: 'ทดสอบ' } })
  expect(await told()).toMatchObject({ totalSale: 1, before: { totalSale: 0, revenueSatang: 0 } })
})

test('many buyers of one package at once, some given back meanwhile: nobody fails, everything is counted', async () => {
  const agents = Array.from({ length: AGENTS }, (_, index) => `agent-${1 + index}`)
  const first = await Promise.all(agents.map(uid => buy(uid)))
  const giveBack = first.map(({ orderNo }) => desk.change(orderNo, 'refunded'))
  const rounds = agents.map(async uid => {
    for (let n = 0; n < 6; n++) await buy(uid)
  })
  expect(await Promise.all(giveBack)).toEqual(first.map(() => 'OK'))
  await Promise.all(rounds)
  expect(await checkSales(it.db)).toEqual([])
  const [row] = await it.db.query<{ rows: number }>({
    text: 'SELECT max(n)::int AS rows FROM (SELECT count(*) AS n FROM sold_day GROUP BY day, package_id, payment, buyer) AS each',
  })
  expect(row!.rows).toBeLessThanOrEqual(8)
})

test('the check names a day that differs, and the rebuild makes it right', async () => {
  const command = (...args: string[]) =>
    run(process.execPath, [ops, 'sales-check', ...args], { env: { ...process.env, DATABASE_URL: it.databaseUrl } })
  for (const damage of [
    'UPDATE sold_day SET orders = orders + 1 WHERE ctid = (SELECT min(ctid) FROM sold_day)',
    'UPDATE sold_day SET cost_satang = cost_satang + 1 WHERE ctid = (SELECT min(ctid) FROM sold_day)',
    'UPDATE sold_month SET quantity = quantity + 1 WHERE ctid = (SELECT min(ctid) FROM sold_month)',
    `INSERT INTO sold_month VALUES ('2020-01-01', 1, 'bank', 0, 1, 1, 1, 0, 1, 'guest')`,
  ]) {
    await it.db.query({ text: damage })
    expect((await checkSales(it.db)).join()).toContain('expected')
    await it.shop.db.transaction(rebuildSales)
    expect(await checkSales(it.db)).toEqual([])
  }
  await it.db.query({ text: 'DELETE FROM sold_day WHERE ctid = (SELECT min(ctid) FROM sold_day)' })
  await expect(command()).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('expected') })
  await expect(command('--rebuild')).resolves.toMatchObject({ stdout: expect.stringContaining('add up') })
  expect((await checkLedger(it.db)).breaches).toEqual([])
})

test('managers, admins and accountants see the numbers, nobody else', async () => {
  const body = { game: 'all', period: 'today', paymentMethod: 'all' } as const
  const query = { ...body, page: 1 }
  for (const uid of [...ROLES, null]) {
    const isFor = uid === 'manager' || uid === 'admin' || uid === 'accountant'
    const expected = isFor ? 'OK' : uid === null ? 'UNAUTHENTICATED' : 'FORBIDDEN'
    const caller = it.as(uid)
    for (const each of [contract.getSale, contract.getNumberOfSale, contract.getSalesRevenue, contract.getTopPackages])
      expect(await caller.codeOf(each, { body })).toBe(expected)
    for (const each of [
      contract.getDailyRevenue,
      contract.getSaleType,
      contract.getChannelSales,
      contract.getResellerSales,
    ])
      expect(await caller.codeOf(each, { body })).toBe(expected)
    expect(await caller.codeOf(contract.listExpiringPrices, { query })).toBe(expected)
    expect(
      (
        await it.request(`${contract.exportSale.path}?game=all&period=today&paymentMethod=all`, {
          headers: caller.headers,
        })
      ).ok,
    ).toBe(expected === 'OK')
  }
  const incomplete = { period: 'today', paymentMethod: 'all' } as never
  expect(await it.as('manager').codeOf(contract.getSale, { body: incomplete })).toBe('INVALID_INPUT')
  expect(
    await it
      .as('manager')
      .codeOf(contract.listExpiringPrices, { query: { game: 'all', paymentMethod: 'all' } as never }),
  ).toBe('INVALID_INPUT')
})

test('each buyer counts under one channel; the best resellers are named, the rest and all others stand together', async () => {
  it.clock.now = new Date('2027-03-10T05:00:00.000Z')
  await addAccount(it, 'line:U1', 'customer')
  await addAccount(it, 'mia', 'customer')
  for (const uid of ['line:U1', 'mia', null]) {
    const { orderNo } = await buyByBank(it.as(uid))
    expect(await desk.change(orderNo, 'paid')).toBe('OK')
  }
  for (let n = 9; n <= 11; n++) {
    await addAccount(it, `agent-${n}`, 'agent')
    await addWallet(it.db, { uid: `agent-${n}`, balanceSatang: 10_000_000, pin: '1234', now: it.clock.now })
  }
  // Each buys for a little more than the one before.
  for (let n = 1; n <= 11; n++) await buy(`agent-${n}`, { quantity: n === 11 ? 3 : 2, playerId: `51234567${n}` })
  const given = await buy('agent-11', { playerId: '5129999999' })
  await desk.change(given.orderNo, 'refunded')
  const body = { game: 'all', period: 'today', paymentMethod: 'all' } as const
  const channels = await it.as('manager').call(contract.getChannelSales, { body })
  expect(Object.fromEntries(channels.map(({ channel, totalSale }) => [channel, totalSale]))).toEqual({
    reseller: 11,
    line: 1,
    member: 1,
    guest: 1,
  })
  const resellers = await it.as('manager').call(contract.getResellerSales, { body })
  expect(resellers[0]).toMatchObject({ kind: 'reseller', uid: 'agent-11', totalSale: 1 })
  expect(resellers.slice(-2)).toMatchObject([
    { kind: 'others', uid: null, count: 3, totalSale: 3 },
    { kind: 'none', uid: null, totalSale: 3 },
  ])
  expect(resellers).toHaveLength(10)
  // The orders behind each number are as many as it says.
  const { days } = salePeriod('today', it.clock.now)
  const listed = async (part: object) => {
    const query = { paidFrom: days.from, paidTo: days.to, sort: 'paidAt', pageSize: 50, ...part } as const
    return (await it.as('staff').call(listAllOrders, { query: { status: SOLD, ...query } })).total
  }
  for (const { channel, totalSale } of channels) expect(await listed({ channel })).toBe(totalSale)
  for (const { uid, totalSale } of resellers) {
    if (uid !== null) expect(await listed({ channel: 'reseller', buyer: uid })).toBe(totalSale)
  }
  expect(await listed({ package: fixture.pubg.package, payment: 'bank' })).toBe(3)
  expect(await listed({ paidFrom: '2027-03-11' })).toBe(0)
  const byTransfer = await it
    .as('manager')
    .call(contract.getResellerSales, { body: { ...body, paymentMethod: 'bank' } })
  expect(byTransfer).toMatchObject([{ kind: 'none', totalSale: 3 }])
  expect(await checkSales(it.db)).toEqual([])
  const csv = await it.request(`${contract.exportSale.path}?game=all&period=today&paymentMethod=all`, {
    headers: it.as('manager').headers,
  })
  const lines = (await csv.text()).trimEnd().split('\r\n').slice(1)
  expect(lines).toHaveLength(14)
  expect(lines.filter(line => line.endsWith(',ไม่เข้าสู่ระบบ,'))).toHaveLength(1)
  expect(lines.filter(line => /,ตัวแทน,.+$/.test(line))).toHaveLength(11)
})

test('the download has a line for each package and day, margins only of what has a cost', async () => {
  const reply = await it.request(`${contract.exportSale.path}?game=all&period=last7days&paymentMethod=wallet`, {
    headers: it.as('manager').headers,
  })
  const [head, ...lines] = (await reply.text()).trimEnd().split('\r\n')
  expect(head).toContain('ช่วงเวลา,เกม,แพ็กเกจ')
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) expect(line).toMatch(/^2027-0\d-\d\d,PUBG Mobile,325 UC,Wallet,\d+,\d+,\d+\.\d\d,/)
})

test('the stock dashboard tells enabled prices that end within the period, the next first', async () => {
  it.clock.now = new Date('2027-03-01T05:00:00.000Z')
  const end = (packageId: number, payment: string, day: string | null) =>
    it.db.query({
      text: 'UPDATE package_price SET end_day = $3 WHERE package_id = $1 AND payment = $2',
      values: [packageId, payment, day],
    })
  await end(1, 'bank', '2027-03-01')
  await end(1, 'wallet', '2027-03-08')
  await end(2, 'bank', '2027-12-31')
  await end(8, 'wallet', '2027-02-28')
  const list = async (period: 'today' | 'last7days' | 'thisyear', change: object = {}) => {
    const query = { game: 'all', period, paymentMethod: 'all', ...change } as const
    return (await it.as('manager').call(contract.listExpiringPrices, { query })).rows
  }
  expect(await list('today')).toEqual([
    {
      packageId: 1,
      packageName: '325 UC',
      gameId: 1,
      gameName: 'PUBG Mobile',
      paymentMethod: 'bank',
      priceSatang: 14_900,
      expiredDate: '2027-03-01',
      daysLeft: 0,
    },
  ])
  expect((await list('last7days')).map(({ daysLeft }) => daysLeft)).toEqual([0, 7])
  expect((await list('thisyear')).map(({ packageId }) => packageId)).toEqual([1, 1, 2])
  expect((await list('thisyear', { game: 2 })).map(({ packageId }) => packageId)).toEqual([2])
  expect((await list('thisyear', { paymentMethod: 'wallet' })).map(({ packageId }) => packageId)).toEqual([1])
  await it.db.query({ text: 'UPDATE package SET is_active = false WHERE id = 2' })
  expect(await list('thisyear', { game: 2 })).toEqual([])
})
