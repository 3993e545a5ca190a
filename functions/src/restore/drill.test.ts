import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getBacklog } from '@shop/shared/backlog/endpoints.ts'
import { toDecimalText } from '@shop/shared/money.ts'
import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import { closeLostPurchase, closeLostSlip, getLost } from '@shop/shared/restore/endpoints.ts'
import { uploadSlip } from '@shop/shared/upload/endpoints.ts'
import { type RunningSupplier, startSupplier } from 'local/supplier/server.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asApplication, migrate } from '../database/migrate.ts'
import { runCommand } from '../operations/commands.ts'
import { openDrain } from '../start/outbox-kind.ts'
import { matchLines } from '../statement/matching.ts'
import { watchSuppliers } from '../supplier/watch.ts'
import { type ArchivedPostgres, startArchivedPostgres } from '../testing/archived-postgres.ts'
import { buyByBank } from '../testing/orders.ts'
import { startServerProcess } from '../testing/server-process.ts'
import { addAccount, createTestShop, onceKey, type TestShop } from '../testing/shop.ts'
import { addLines, lineOf } from '../testing/statement.ts'
import { BALANCE, bringLine, COST, openWalletBuyer, product, switchOn } from '../testing/supplier.ts'
import { checkLedger } from '../wallet/ledger-check.ts'
import { findBoughtAlready } from './bought-already.ts'

// The restore drill: a shop at work, a base copy and its log, the loss of everything after a moment, and the way back.
// What it prints stands in docs/operations/restore.md.

let postgres: ArchivedPostgres
let supplier: RunningSupplier
let env: Record<string, string>
const PULSE_KEY = 'k'.repeat(32)
beforeAll(async () => {
  const files = await mkdtemp(join(tmpdir(), 'shop-files-'))
  ;[postgres, supplier] = await Promise.all([
    startArchivedPostgres(),
    startSupplier({ port: 0, products: [product], balanceSatang: BALANCE }),
  ])
  env = { ...supplier.environment, SUPPLIER_TIMEOUT_MS: '1500', FILES_DIR: files, PULSE_KEYS: PULSE_KEY }
  await migrate(postgres.url)
})
afterAll(async () => {
  await supplier.stop()
  await postgres.stop()
})

const said: string[] = []
/** Runs an operator's command as `npm run ops` does, and returns what it says and how it ends. */
async function ops(it: TestShop, ...args: string[]) {
  const lines: string[] = []
  const variables = {
    NODE_ENV: 'test',
    DATABASE_URL: it.databaseUrl,
    FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:1',
    ...env,
  }
  const code = await runCommand(args, { variables, say: line => lines.push(line) })
  said.push(`$ npm run ops -- ${args.map(arg => (/\s/.test(arg) ? `"${arg}"` : arg)).join(' ')}`, ...lines, '')
  return { code, text: lines.join('\n') }
}

const statusOf = async (it: TestShop, orderNo: string) =>
  (await it.as('staff').call(getOrderForStaff, { params: { orderNo } })).status

const bought = () => supplier.register.booked.size

/** A customer's order that waits for its money. */
async function order(it: TestShop, uid: string) {
  it.clock.now = new Date()
  await addAccount(it, uid, 'customer')
  return buyByBank(it.as(uid))
}

/** Runs everything that is due, and what follows once the supplier has sent. */
async function work(it: TestShop): Promise<void> {
  const drain = openDrain(it.shop)
  it.clock.now = new Date()
  await drain.run()
  for (const booked of supplier.register.booked.values()) booked.at = new Date(booked.at.getTime() - 10_000)
  await it.db.query({ text: `UPDATE outbox SET due_at = now() - interval '1 second' WHERE state = 'waiting'` })
  it.clock.now = new Date()
  await drain.run()
}

/** The supplier's list of purchases, as a file. */
async function writeList(): Promise<string> {
  const rows = [...supplier.register.booked.values()].map(
    ({ reference, product, fields, costSatang, at }) =>
      `${reference},${product.id},${fields.user_id},${toDecimalText(costSatang)},${Math.floor(at.getTime() / 1000)}`,
  )
  const path = join(env.FILES_DIR!, 'list.csv')
  const columns = 'mch_order_id,type_id,user_id,pay_amount,timestamp'
  await writeFile(path, [columns, ...rows].join('\n'))
  return path
}

const slipFile = async () =>
  new Blob([
    new Uint8Array(
      await sharp({ create: { width: 600, height: 800, channels: 3, background: '#e8f6ee' } })
        .jpeg()
        .toBuffer(),
    ),
  ])

/** Trades, loses the server at a moment, and returns what was placed before and after it. */
async function tradeAndLose() {
  const it = await createTestShop(env, postgres.url)
  await switchOn(it)
  it.clock.now = new Date()
  await watchSuppliers(it.shop)
  const delivered = await order(it, 'early')
  await bringLine(it, delivered.amountSatang)
  await work(it)
  const buyFromWallet = await openWalletBuyer(it)
  await postgres.copyBase()
  const paid = await order(it, 'paid')
  await bringLine(it, paid.amountSatang)
  const waiting = await order(it, 'waiting')
  const [{ moment }] = (await it.db.query<{ moment: string }>({
    text: 'SELECT clock_timestamp()::text AS moment',
  })) as [{ moment: string }]
  // From here on everything is lost, but the supplier, the bank and the file store know of it.
  await bringLine(it, waiting.amountSatang)
  const paidAt = it.clock.now
  const lost = await order(it, 'lost')
  await bringLine(it, lost.amountSatang)
  const lostOfWallet = await buyFromWallet(1)
  const slip = await it.as('lost').call(uploadSlip, { file: await slipFile(), idempotencyKey: onceKey() })
  await work(it)
  for (const orderNo of [...[delivered, paid, waiting, lost].map(each => each.orderNo), lostOfWallet])
    expect(await statusOf(it, orderNo)).toBe('success')
  expect(bought()).toBe(5)
  await postgres.archiveAll()
  await it.db.close()
  await postgres.destroy()
  return { moment, delivered, paid, waiting, lost, slip, paidAt }
}

test('a database restored to a moment buys nothing twice and leaves no money without a face', async () => {
  const before = await tradeAndLose()
  const restored = await postgres.restoreTo(before.moment)
  const it = await createTestShop(env, restored.url, true)
  it.clock.now = new Date()
  expect(await statusOf(it, before.paid.orderNo)).toBe('paid')
  expect(await statusOf(it, before.waiting.orderNo)).toBe('waiting_payment')

  // Safe mode, without anybody having done anything.
  const server = await startServerProcess(asApplication(restored.url), env)
  const pulse = await fetch(`${server.url}/pulse`, { headers: { authorization: `Bearer ${PULSE_KEY}` } })
  expect([pulse.status, ((await pulse.json()) as { red: string[] }).red]).toEqual([
    503,
    expect.arrayContaining(['safeMode']),
  ])
  await server.stop()
  expect(server.output()).toContain('safe mode: nothing leaves the shop')
  await work(it)
  expect(bought()).toBe(5)
  expect(
    await it.db.query({ text: `SELECT FROM outbox WHERE state = 'waiting' AND kind = 'supplier.deliver'` }),
  ).toHaveLength(1)
  const { safeMode } = await it.as('staff').call(getBacklog, {})
  expect(safeMode).toMatchObject({ isRestored: true })
  expect(await ops(it, 'safe-mode')).toMatchObject({ code: 1, text: expect.stringContaining('Safe mode is on') })

  // A comparison that is cut off after its first order, and then as the operator runs it.
  const client = it.shop.suppliers.seagm!
  let questions = 0
  const cutOff = {
    ...client,
    status: (...asked: Parameters<typeof client.status>) => {
      if (++questions > 1) throw new Error('killed')
      return client.status(...asked)
    },
  }
  const [row] = await it.db.query<{ lostFrom: Date }>({ text: 'SELECT lost_from AS "lostFrom" FROM safe_mode' })
  await expect(
    findBoughtAlready(it.db, cutOff, { lostFrom: row!.lostFrom, upTo: it.clock.now, now: it.shop.now }),
  ).rejects.toThrow('killed')
  const first = await ops(it, 'after-restore')
  expect(first.code).toBe(0)
  for (const { orderNo } of [before.paid, before.waiting]) expect(first.text).toContain(orderNo)
  expect(bought()).toBe(5)

  // The bank tells its lines of the lost time again.
  it.clock.now = new Date()
  await addLines(
    it,
    [before.waiting, before.lost].map(({ amountSatang }) =>
      lineOf({ amountSatang, at: before.paidAt, detail: 'รับโอนจาก KBANK x1234 นาย ทดสอบ' }),
    ),
  )
  await matchLines(it.shop)
  expect(await statusOf(it, before.waiting.orderNo)).toBe('paid')
  expect((await ops(it, 'after-restore')).text).toContain('1 of them without an order')
  // The supplier's own list, as its page gives it: two of its purchases are of orders that nobody knows.
  expect(await ops(it, 'after-restore', '--purchases', 'nowhere.csv')).toMatchObject({ code: 1 })
  const listed = await ops(it, 'after-restore', '--purchases', await writeList())
  expect([listed.code, listed.text]).toEqual([
    0,
    expect.stringContaining('5 purchases, 2 without an order newly found'),
  ])
  expect((await ops(it, 'after-restore', '--purchases', await writeList())).text).toContain('0 without an order newly')
  const { lines, slips, purchases } = await it.as('manager').call(getLost, {})
  expect(purchases).toMatchObject(
    Array.from({ length: 2 }, () => ({
      costSatang: COST,
      player: expect.stringMatching(/^5/),
      product: 'PUBG Mobile · 325 UC',
    })),
  )
  expect(purchases.map(({ player }) => player)).toContain('51')
  expect(lines).toMatchObject([{ amountSatang: before.lost.amountSatang }])
  expect(slips).toMatchObject([{ slipId: before.slip.id }])

  // Go, by a person.
  expect(await ops(it, 'after-restore', '--go')).toMatchObject({ code: 1, text: expect.stringContaining('--by') })
  await work(it)
  expect(bought()).toBe(5)
  expect(await ops(it, 'after-restore', '--go', '--by', 'Somchai')).toMatchObject({ code: 0 })
  expect(await ops(it, 'after-restore', '--go', '--by', 'Somchai')).toMatchObject({ code: 0 })
  await work(it)
  for (const { orderNo } of [before.delivered, before.paid, before.waiting])
    expect(await statusOf(it, orderNo)).toBe('success')
  expect(bought()).toBe(5)
  const [audited] = await it.db.query<{ after: unknown }>({
    text: `SELECT after FROM audit_entry WHERE action = 'safeMode.end'`,
  })
  expect(audited).toEqual({ after: { name: 'Somchai' } })

  // The shop trades on: a new order is bought once, and its queue number was nobody's before.
  const next = await order(it, 'next')
  await bringLine(it, next.amountSatang)
  await work(it)
  expect([await statusOf(it, next.orderNo), bought()]).toEqual(['success', 6])
  const [queue] = await it.db.query<{ no: number }>({ text: 'SELECT max(queue_no) AS no FROM orders' })
  expect(queue!.no).toBeGreaterThan(1000)
  await it.as('manager').call(closeLostSlip, { params: { id: before.slip.id }, body: { reason: 'คืนเงินแล้ว' } })
  for (const { id } of purchases)
    await it.as('manager').call(closeLostPurchase, { params: { id }, body: { reason: 'ตัดยอดตัวแทนแล้ว' } })
  expect(await it.as('manager').call(getLost, {})).toMatchObject({ slips: [], purchases: [] })
  expect((await checkLedger(it.db)).breaches).toEqual([])
  expect((await ops(it, 'ledger-check')).code).toBe(0)
  console.log(said.join('\n'))
  await it.db.close()
})
