import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bangkokDay } from '@shop/shared/time.ts'
import { readConfig } from 'functions/src/config/config.ts'
import { checkSales } from 'functions/src/dashboard/sales-check.ts'
import { type Database, openDatabase } from 'functions/src/database/database.ts'
import { migrate } from 'functions/src/database/migrate.ts'
import { DEMO_PROJECT } from 'functions/src/environment/environment.ts'
import { checkGateway } from 'functions/src/gateway/check.ts'
import { openShop } from 'functions/src/start/open-shop.ts'
import { checkSuppliers } from 'functions/src/supplier/check.ts'
import { findNeedy } from 'functions/src/voucher/stock-store.ts'
import { openVouchers } from 'functions/src/voucher/store.ts'
import { checkLedger } from 'functions/src/wallet/ledger-check.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedDemoData } from './demo-data.ts'
import { startGateway } from './gateway/server.ts'
import { readKnownCharges, readKnownPurchases } from './known-past.ts'
import { findFreePort } from './ports.ts'
import { createDatabase, discardPostgres, startPostgres } from './postgres.ts'
import { demoSuppliers } from './supplier/demo.ts'
import { environmentOf, startSupplier } from './supplier/server.ts'

/** Five minutes after midnight in Bangkok, and long ago: what goes by another clock is seen. */
const NOW = new Date('2026-03-01T17:05:00.000Z')
const SEED_MS = 120_000

const dir = mkdtempSync(join(tmpdir(), 'demo-data-'))
let db: Database
let url: string
beforeAll(async () => {
  const server = await startPostgres({ port: await findFreePort(), dataDir: join(dir, 'postgres'), durable: false })
  url = await createDatabase(server.url, 'shop')
  await migrate(url)
  await seedDemoData(url, { filesDir: join(dir, 'files'), now: NOW })
  db = openDatabase(url)
}, SEED_MS)
afterAll(async () => {
  await db?.close()
  await discardPostgres(join(dir, 'postgres'))
  rmSync(dir, { recursive: true, force: true })
})

const count = async (query: string, ...values: unknown[]): Promise<number> => {
  const [row] = await db.query<{ count: number }>({ text: `SELECT count(*)::int AS count FROM ${query}`, values })
  return row!.count
}

test('its books are right', async () => {
  expect((await checkLedger(db)).breaches).toEqual([])
  expect(await checkSales(db)).toEqual([])
  expect(await count(`statement_line WHERE chain = 'gap'`)).toBe(0)
})

test('what banners promise is true, and they lead to what they promise', async () => {
  const shown = await db.query<{ description: string; picture: string }>({
    text: `SELECT b.description, b.picture FROM banner b JOIN game g ON g.id = b.game_id
      JOIN package p ON p.game_id = g.id JOIN package_price r ON r.package_id = p.id AND r.payment = 'bank'
      WHERE b.is_active AND g.is_active AND starts_with(b.description,
        g.name || ' ' || p.name || ' ฿' || to_char(r.price_satang / 100, 'FM9,999') || ' คุ้มกว่าแพ็ก ')
      ORDER BY b.position`,
  })
  expect(shown.map(({ description }) => description.split(' ').at(-1))).toEqual(['21%', '14%', '12%'])
  for (const { picture } of shown)
    expect(await sharp(join(dir, 'files/public', picture.slice('/files/'.length))).metadata()).toMatchObject({
      width: 1000,
      height: 500,
    })
})

test('codes wait in the stock of a game that delivers them at once, some few and some not for long', async () => {
  const keys = openVouchers({ VOUCHER_KEYS: [], NODE_ENV: 'development' })!
  const [one] = await db.query<{ id: string; sealed: string }>({ text: 'SELECT id, sealed FROM voucher LIMIT 1' })
  expect(keys.open(one!.id, one!.sealed).code).toMatch(/^[A-Z0-9]{5}(-[A-Z0-9]{5}){2}$/)
  expect(await count(`package WHERE delivers = 'code' AND is_automatic AND NOT is_out`)).toBe(6)
  const day = bangkokDay(NOW)
  expect((await findNeedy(db, 'low', day)).map(({ free }) => free)).toEqual([3])
  expect((await findNeedy(db, 'expiring', day)).length).toBe(4)
})

test('the gateway collected for a month and paid out each week, and one order of it became shop credit', async () => {
  expect(await count(`charge WHERE state = 'paid' AND fee_satang > 0`)).toBeGreaterThan(40)
  expect(await count(`charge WHERE state <> 'paid' OR contradiction IS NOT NULL`)).toBe(0)
  const [first] = await db.query<{ days: number }>({
    text: `SELECT extract(day FROM $1::timestamptz - min(paid_at))::int AS days FROM charge`,
    values: [NOW],
  })
  expect(first!.days).toBeGreaterThan(25)
  expect(await count(`statement_line WHERE state = 'payout' AND detail LIKE '%OPN%'`)).toBe(4)
  expect(
    await count(`(SELECT DISTINCT at::date FROM ledger_entry WHERE account = 'gateway:opn') AS days`),
  ).toBeGreaterThan(15)
  expect(
    await count(
      `owed_refund f JOIN orders o ON o.id = f.order_id WHERE o.payment = 'promptpay' AND f.credit_id IS NOT NULL AND f.sent_at IS NOT NULL`,
    ),
  ).toBe(1)
})

test('suppliers delivered top-ups and codes, did not find one player, and one cost too much; prices follow costs', async () => {
  const attempts = await db.query<{ supplier: string; state: string; count: number }>({
    text: 'SELECT supplier, state, count(*)::int AS count FROM supplier_attempt GROUP BY 1, 2 ORDER BY 1, 2',
  })
  expect(attempts).toEqual([
    { supplier: 'gamesdrop', state: 'delivered', count: 2 },
    { supplier: 'seagm', state: 'delivered', count: 4 },
    { supplier: 'seagm', state: 'failed', count: 1 },
    { supplier: 'seagm', state: 'rejected', count: 1 },
  ])
  expect(await count('supplier WHERE balance_satang > 0 AND stopped_at IS NULL AND last_error IS NULL')).toBe(2)
  expect(await count('supplier_product_change')).toBe(3)
  expect(await count(`audit_entry WHERE action = 'cost.follow'`)).toBeGreaterThan(2)
  expect(
    await count(`package p JOIN game g ON g.id = p.game_id JOIN package_price r ON r.package_id = p.id
      WHERE g.code = 'codm' AND p.name = '880 CP' AND p.cost_satang = 27798`),
  ).toBe(2)
})

test('gateway and suppliers that are started anew tell the same as its books', async () => {
  const now = () => NOW
  const gateway = await startGateway({ port: 0, now, known: await readKnownCharges(url, 'opn') })
  const suppliers = await Promise.all(
    demoSuppliers.map(async sold =>
      startSupplier({ ...sold, port: 0, now, known: await readKnownPurchases(url, sold) }),
    ),
  )
  const config = readConfig({
    NODE_ENV: 'development',
    GCLOUD_PROJECT: DEMO_PROJECT,
    FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:1',
    DATABASE_URL: url,
    ...gateway.environment,
    ...environmentOf(suppliers),
  })
  const shop = await openShop(config, now)
  try {
    expect(await checkGateway(shop)).toEqual([])
    expect(await checkSuppliers(shop, db)).toEqual({ purchases: 6, differences: [] })
  } finally {
    await Promise.all([gateway, ...suppliers].map(each => each.stop()))
    await shop.db.close()
  }
})

test('codes left the stock by themselves, a machine has bought, and something waits for another person', async () => {
  const automatic = `orders o JOIN package p ON p.id = o.package_id WHERE p.delivers = 'code' AND o.status = 'success'`
  expect(await count(automatic)).toBe(5)
  expect(await count(`voucher WHERE state = 'sold'`)).toBe(5)
  expect(await count(`orders o JOIN reseller_order r ON r.order_id = o.id WHERE o.status = 'success'`)).toBe(4)
  expect(await count(`reseller_day WHERE key_id = 'rk_live_DemoShopWebOrder' AND calls > 0`)).toBeGreaterThan(1)
  expect(await count(`second_word WHERE state = 'waiting' AND asked_by = 'demo-manager'`)).toBe(1)
  expect(await count(`erasure WHERE state = 'asked'`)).toBe(1)
})

test('money moved when it was said to', async () => {
  expect(
    await count(`ledger_transaction t JOIN orders o ON o.id = t.subject_id
    WHERE t.kind = 'order_paid' AND abs(extract(epoch FROM t.at - o.paid_at)) > 60`),
  ).toBe(0)
  expect(await count('ledger_entry e JOIN ledger_transaction t ON t.id = e.transaction_id WHERE e.at <> t.at')).toBe(0)
})

test('work waits, of every kind, and none of it is old', async () => {
  expect(await count(`orders WHERE status IN ('paid', 'processing')`)).toBe(7)
  expect(await count(`orders WHERE status = 'processing' AND claim_until > $1`, NOW)).toBe(2)
  expect(await count(`orders WHERE status = 'failed'`)).toBe(1)
  expect(await count(`orders WHERE status = 'waiting_payment' AND transfer_reported_at IS NOT NULL`)).toBe(2)
  expect(await count(`top_up WHERE status = 'waiting_approve'`)).toBe(3)
  expect(await count(`statement_line WHERE state = 'unmatched' AND amount_satang > 0`)).toBe(5)
  expect(await count(`owed_refund WHERE sent_at IS NULL`)).toBe(2)
  expect(
    await count(
      `orders o WHERE paid_at IS NOT NULL AND payment = 'bank'
    AND NOT EXISTS (SELECT 1 FROM statement_line l WHERE l.order_id = o.id) AND paid_at < $1::timestamptz - interval '1 day'`,
      NOW,
    ),
  ).toBe(0)
  const [oldest] = await db.query<{ at: Date }>({
    text: `SELECT min(created_at) AS at FROM orders WHERE status NOT IN ('success', 'cancel', 'expired', 'refunded')`,
  })
  expect(NOW.getTime() - oldest!.at.getTime()).toBeLessThan(2 * 86_400_000)
})

test('nothing is of a time to come, and in LINE only the staff are told, of what waits for them', async () => {
  for (const table of ['orders', 'top_up', 'statement_line', 'audit_entry', 'ledger_transaction', 'slip']) {
    const column = ['audit_entry', 'ledger_transaction'].includes(table) ? 'at' : 'created_at'
    expect(await count(`${table} WHERE ${column} > $1`, NOW)).toBe(0)
  }
  expect(await count('outbox')).toBe(await count(`orders WHERE status = 'paid'`))
  expect(await count('chat_message')).toBe(0)
})

test('it was sold until an hour ago, with what it cost, to many people', async () => {
  const [last] = await db.query<{ at: Date }>({
    text: `SELECT max(ended_at) AS at FROM orders WHERE status = 'success'`,
  })
  expect(NOW.getTime() - last!.at.getTime()).toBeLessThan(70 * 60_000)
  expect(bangkokDay(last!.at)).toBe('2026-03-01')
  expect(await count('orders WHERE cost_satang IS NULL')).toBe(0)
  expect(await count(`(SELECT buyer_uid FROM orders GROUP BY 1 HAVING count(*) > 5) AS regular`)).toBeGreaterThan(8)
  expect(await count('audit_entry')).toBeGreaterThan(30)
  expect(await count('(SELECT DISTINCT actor_uid FROM audit_entry) AS people')).toBeGreaterThan(4)
  expect(await count('(SELECT DISTINCT reason FROM owed_refund) AS reasons')).toBe(5)
})

test('each way to come to the shop has sales, and some prices end within the week', async () => {
  const sold = await db.query<{ kind: string }>({
    text: `SELECT DISTINCT CASE WHEN payment = 'wallet' THEN 'wallet' WHEN buyer_uid IS NULL THEN 'guest'
      WHEN buyer_uid LIKE 'line:%' THEN 'line' ELSE 'member' END AS kind FROM orders WHERE status = 'success' ORDER BY 1`,
  })
  expect(sold.map(({ kind }) => kind)).toEqual(['guest', 'line', 'member', 'wallet'])
  expect(await count(`orders WHERE payment = 'wallet' AND status = 'success'`)).toBeGreaterThan(8)
  const week = bangkokDay(new Date(NOW.getTime() + 7 * 86_400_000))
  expect(await count('package_price WHERE end_day BETWEEN $1 AND $2', bangkokDay(NOW), week)).toBe(4)
})

test('every tier pays more for every package than it costs', async () => {
  expect(
    await count(`package p JOIN package_price r ON r.package_id = p.id
    LEFT JOIN discount d ON d.package_id = p.id AND r.payment = 'wallet'
    WHERE r.price_satang - coalesce(d.discount_satang, 0) <= p.cost_satang`),
  ).toBe(0)
})
