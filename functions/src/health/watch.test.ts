import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { projectRoot } from 'local/os-process.ts'
import { findFreePort } from 'local/ports.ts'
import { discardPostgres, startPostgres } from 'local/postgres.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { migrate } from '../database/migrate.ts'
import { runNightly } from '../jobs/check-run.ts'
import { JOBS, type Job, RETRY_SECONDS, runHere, runJob } from '../jobs/jobs.ts'
import { unmeasured } from '../metrics/metrics.ts'
import { enqueue } from '../outbox/outbox.ts'
import { unkept } from '../pulse/pulse.ts'
import type { Shop } from '../shop/shop.ts'
import { buyByBank } from '../testing/orders.ts'
import { createTestShop, type TestShop } from '../testing/shop.ts'
import { addSlip, addWallet } from '../testing/wallet.ts'
import { findChecks } from './checks.ts'

const KEY = 'k'.repeat(32)
const FIVE_MINUTES = 300

interface Pulse {
  ok: boolean
  red?: string[]
  standbys?: object
  checks?: {
    name: string
    isRed: boolean
    facts: { of: string | null; value: number | null; limit: number | null }[]
  }[]
}

let it: TestShop
beforeEach(async () => {
  it = await createTestShop({ PULSE_KEYS: `${'n'.repeat(32)}, ${KEY}` })
})
afterEach(() => it.db.close())

const look = async (headers: Record<string, string> = {}): Promise<Pulse & { status: number }> => {
  const reply = await it.request('/pulse', { headers })
  return { status: reply.status, ...((await reply.json()) as Pulse) }
}
const lookClosely = () => look({ authorization: `Bearer ${KEY}` })
/** What is red, as who has the key is told. */
const lookRed = async () => {
  const { checks: _, standbys: __, ...rest } = await lookClosely()
  return rest
}
/** The things that pass a limit of a check. */
const overIn = async (name: string) => {
  const { checks = [] } = await lookClosely()
  const { facts } = checks.find(check => check.name === name)!
  return facts.filter(({ value, limit }) => value !== null && limit !== null && value > limit).map(({ of }) => of)
}
const jobs = Object.entries<Job>(JOBS)
/** Runs every job, as if each did nothing. */
const runAll = async (...except: string[]) => {
  for (const [name, job] of jobs)
    if (!except.includes(name)) await runJob(it.shop, name, { ...job, run: async () => {} })
}
const green = { status: 200, ok: true }

test('a shop in order is green; only who has the key is told what was measured', async () => {
  await runAll()
  expect(await look()).toEqual(green)
  for (const authorization of ['Bearer ', KEY, `Bearer ${KEY}x`]) expect(await look({ authorization })).toEqual(green)
  const { checks, standbys, ...rest } = await lookClosely()
  expect(standbys).toEqual({ standbys: [], promotedAt: null })
  expect(rest).toEqual({ ...green, red: [] })
  expect(checks!.map(({ isRed }) => isRed)).not.toContain(true)
  expect(checks!.find(({ name }) => name === 'jobAge')!.facts.map(({ of }) => of)).toEqual(jobs.map(([name]) => name))
})

test('a replica that reports can not read is told; a shop without one has none to tell of', async () => {
  await runAll()
  const replica = (seconds: number) => {
    it.shop.reports = { ...it.shop.reports, look: async () => ({ seconds, isRead: seconds < 5 }) }
    it.clock.advance(6)
  }
  expect(await overIn('replica')).toEqual([])
  replica(120)
  expect(await look()).toEqual(green)
  replica(121)
  expect(await lookRed()).toEqual({ status: 503, ok: false, red: ['replica'] })
})

test('jobs that stopped are told within five minutes, all of them or one', async () => {
  await runAll()
  it.clock.advance(FIVE_MINUTES)
  const minutely = jobs.filter(([, { everySeconds }]) => everySeconds <= 60).map(([name]) => name)
  expect(await lookRed()).toEqual({ status: 503, ok: false, red: ['jobAge'] })
  expect(await overIn('jobAge')).toEqual(minutely)
  await runAll('matchstatements')
  it.clock.advance(10)
  expect(await overIn('jobAge')).toEqual(['matchstatements'])
})

test('nobody without the key is told what is red', async () => {
  await runAll()
  it.clock.advance(FIVE_MINUTES)
  for (const authorization of ['', 'Bearer ', KEY, `Bearer ${KEY}x`])
    expect(await look(authorization ? { authorization } : {})).toEqual({ status: 503, ok: false })
  expect(await lookRed()).toEqual({ status: 503, ok: false, red: ['jobAge'] })
})

test('jobs that never ran are told as well', async () => {
  expect(await look()).toEqual(green)
  it.clock.advance(FIVE_MINUTES)
  expect(await lookRed()).toMatchObject({ status: 503, red: ['jobAge'] })
})

test('a nightly job that fails or is cut off is told within five minutes, and not only a day later', async () => {
  await runAll()
  it.clock.advance(3600)
  await runAll('housekeeping', 'checkledger')
  const fails = async () => {
    throw new Error('statement timeout')
  }
  await runJob(it.shop, 'housekeeping', { ...JOBS.housekeeping, run: fails }).catch(() => {})
  // Its process is killed.
  void runJob(it.shop, 'checkledger', { ...JOBS.checkledger, run: () => new Promise(() => {}) })
  await expect.poll(() => started('checkledger')).toBe(true)
  it.clock.advance(FIVE_MINUTES)
  expect(await overIn('jobFailing')).toEqual(['housekeeping'])
  it.clock.advance(JOBS.checkledger.timeoutSeconds)
  expect(await overIn('jobFailing')).toEqual(['housekeeping', 'checkledger'])
  await runAll()
  it.clock.advance(10)
  expect(await look()).toEqual(green)
})

test('a nightly job that failed is run again soon, others wait for their time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  try {
    for (const [job, runs] of [
      [JOBS.checkledger, 2],
      [JOBS.expireorders, 1],
    ] as const) {
      const run = vi.fn().mockRejectedValueOnce(new Error('down')).mockResolvedValue(undefined)
      runHere({ beat: unkept, metrics: unmeasured } as Shop, 'job', { ...job, run })
      for (let n = 0; n < 3; n++) await vi.advanceTimersByTimeAsync(RETRY_SECONDS * 1000)
      expect(run).toHaveBeenCalledTimes(runs)
    }
  } finally {
    vi.useRealTimers()
  }
})

const started = async (name: string) => {
  const text = 'SELECT 1 FROM pulse WHERE name = $1 AND started_at > succeeded_at'
  return (await it.db.query({ text, values: [`job:${name}`] })).length === 1
}

test('a clock that jumps by an hour both ways leaves nothing red once the jobs have run', async () => {
  for (const jump of [3600, -3600]) {
    await runAll()
    it.clock.advance(jump)
    await runAll()
    it.clock.advance(10)
    expect(await look()).toEqual(green)
    it.clock.advance(FIVE_MINUTES)
    expect(await lookRed()).toMatchObject({ status: 503, red: ['jobAge'] })
  }
})

test('an outbox that nobody works on is told within five minutes, and a job about money that was given up at once', async () => {
  const put = (key: string) => enqueue(it.db, { kind: 'slip.check', key, payload: { checkId: key }, now: it.clock.now })
  await put('a')
  it.clock.advance(FIVE_MINUTES)
  await runAll()
  expect(await lookRed()).toEqual({ status: 503, ok: false, red: ['outboxDue'] })
  expect(await overIn('outboxDue')).toEqual(['slip.check'])
  await it.db.query({ text: `UPDATE outbox SET state = 'dead', settled_at = $1`, values: [it.clock.now] })
  it.clock.advance(10)
  expect(await lookRed()).toMatchObject({ red: ['outboxDead'] })
  it.clock.advance(3600)
  await runAll()
  expect(await lookRed()).toMatchObject({ red: ['outboxDead'] })
  await it.db.query({ text: `UPDATE outbox SET state = 'closed'` })
  it.clock.advance(10)
  expect(await look()).toEqual(green)
})

test('a database that is gone turns it red at once and back, and the process still lives', async () => {
  await runAll()
  const { query } = it.shop.db
  it.shop.db.query = () => Promise.reject(Object.assign(new Error('down'), { code: 'ECONNREFUSED' }))
  expect(await lookClosely()).toEqual({ status: 503, ok: false, red: ['database'] })
  expect((await it.request('/live')).status).toBe(200)
  expect((await it.request('/ready')).status).toBe(503)
  it.shop.db.query = query
  expect(await look()).toEqual(green)
})

test("a database's log that does not reach its archive turns it red after ten minutes", async () => {
  const dataDir = join(projectRoot, '.local', 'test-postgres', `${process.pid}-archive`)
  mkdirSync(dataDir, { recursive: true })
  const port = await findFreePort()
  const settings = ['archive_mode=on', 'archive_command=false']
  const { url } = await startPostgres({ port, dataDir, durable: false, settings })
  await migrate(url)
  const theirs = await createTestShop({ PULSE_KEYS: KEY }, url)
  try {
    theirs.clock.now = new Date()
    const failing = async () => {
      const found = await findChecks(theirs.shop, theirs.clock.now)
      return found.find(({ name }) => name === 'archiveFailing')!
    }
    expect(await failing()).toMatchObject({ isRed: false, facts: [{ value: null }] })
    await theirs.db.query({ text: 'SELECT pg_switch_wal()' })
    await expect.poll(async () => (await failing()).facts[0]!.value).not.toBeNull()
    expect((await failing()).isRed).toBe(false)
    theirs.clock.now = new Date(Date.now() + 700_000)
    expect((await failing()).isRed).toBe(true)
  } finally {
    await theirs.db.close()
    await discardPostgres(dataDir)
  }
})

test('however often it is asked, the database is asked once in five seconds', async () => {
  await runAll()
  await look()
  const { query } = it.shop.db
  it.shop.db.query = () => Promise.reject(new Error('asked'))
  expect(await look()).toEqual(green)
  it.shop.db.query = query
})

test('a customer who paid and whom nobody serves turns it red after the promised time', async () => {
  const { orderNo } = await buyByBank(it.as('customer'))
  await it.as('staff').call(updateOrderStatus, { body: { orderNo, status: 'paid', reason: 'เห็นเงินเข้า' } })
  await it.db.query({ text: 'DELETE FROM outbox' })
  it.clock.advance(60)
  await runAll()
  expect(await look()).toEqual(green)
  it.clock.advance(3600)
  await runAll()
  expect(await lookRed()).toMatchObject({ red: ['unclaimed'] })
})

test('a purchase without an answer and a slip without a verdict turn it red', async () => {
  await it.db.query({
    text: `INSERT INTO supplier_attempt (id, order_id, supplier, reference, sku, quantity, fields, max_cost_satang, state, sent_at)
      VALUES (gen_random_uuid(), gen_random_uuid(), 'seagm', 'R1', '1', 1, '{}', 1, 'unknown', $1)`,
    values: [it.clock.now],
  })
  it.clock.advance(601)
  await runAll()
  expect(await lookRed()).toMatchObject({ red: ['supplierUnanswered'] })
  await it.db.query({ text: 'UPDATE supplier_attempt SET is_with_staff = true' })
  await it.db.query({
    text: `INSERT INTO slip_check (id, subject, subject_id, slip_id, owner_key, state, created_at)
      VALUES (gen_random_uuid(), 'order', gen_random_uuid(), $1, 'u:customer', 'confirming', $2)`,
    values: [await addSlip(it, 'u:customer'), it.clock.now],
  })
  it.clock.advance(10)
  expect(await look()).toEqual(green)
  it.clock.advance(1800)
  await runAll()
  expect(await lookRed()).toMatchObject({ red: ['slipConfirming'] })
})

test('books that differ are kept by the nightly check, and red until a check finds them right', async () => {
  await addWallet(it.db, { uid: 'agent', balanceSatang: 50_000, pin: null, now: it.clock.now })
  await runNightly(it.shop, 'ledger')
  await runAll()
  expect(await look()).toEqual(green)
  await it.db.query({ text: 'UPDATE wallet SET balance_satang = balance_satang + 1' })
  it.clock.advance(86_400)
  await runNightly(it.shop, 'ledger')
  await runAll()
  expect(await lookRed()).toMatchObject({ red: ['booksDiffer'] })
  expect(await overIn('booksDiffer')).toEqual(['ledger'])
  const kept = await it.db.query({ text: `SELECT what[1] AS first FROM check_run WHERE differences > 0` })
  expect(kept).toMatchObject([{ first: expect.stringContaining('wallet') }])
  await it.db.query({ text: 'UPDATE wallet SET balance_satang = balance_satang - 1' })
  it.clock.advance(86_400)
  await runNightly(it.shop, 'ledger')
  await runAll()
  expect(await look()).toEqual(green)
})
