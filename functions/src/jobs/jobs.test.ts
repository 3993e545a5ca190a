import { addSeconds } from '@shop/shared/time.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findUnclaimed } from '../chat/order-facts.ts'
import { findTroubles } from '../chat/troubles.ts'
import type { Shop } from '../shop/shop.ts'
import { findAccountDays } from '../statement/reconciliation-store.ts'
import { openCountingDatabase, type RowCounter } from '../testing/rows-read.ts'
import { addSettledOrders } from '../testing/statement.ts'
import { createSupplierShop, type SupplierShop } from '../testing/supplier.ts'
import { JOBS, type Job } from './jobs.ts'

/** They prove the whole books at night, without a statement's time limit, so they read them. */
const READS_ALL: (keyof typeof JOBS)[] = ['checkledger', 'checksales']
const FEW = 100
const MANY = 4000
/** PostgreSQL's plans may differ by some rows of small tables. */
const MORE = 40

const JOB_NAMES = (Object.keys(JOBS) as (keyof typeof JOBS)[]).filter(name => !READS_ALL.includes(name))
const WORK: Record<string, (shop: Shop) => Promise<unknown>> = {
  ...Object.fromEntries(JOB_NAMES.map(name => [name, (shop: Shop) => (JOBS[name] as Job).run(shop)])),
  // Watching these begins with asking LINE, which is left out here.
  'orders that nobody takes': shop => findUnclaimed(shop.db, '', shop.now()),
  'all troubles': shop => findTroubles(shop, shop.now()),
  "a day's reconciliation": shop => findAccountDays(shop.db, { from: '2026-11-19', to: '2026-11-20' }, shop.now()),
}

let it: SupplierShop
let counter: RowCounter
const read: Record<string, { few: number; many: number }> = {}

/** What went its whole way days ago: orders with their lines and purchases, jobs, messages, mails and answers. */
async function settle(count: number): Promise<void> {
  const at = addSeconds(it.clock.now, -5 * 86_400)
  await addSettledOrders(it.db, { receivingAccountId: 1, count, at })
  const passed = [
    `INSERT INTO outbox (id, kind, key, payload, state, due_at, created_at, settled_at)
      SELECT gen_random_uuid(), 'chat.tell', gen_random_uuid(), '{}', 'done', $1, $1, $1 FROM generate_series(1, $2::int)`,
    `INSERT INTO idempotency_key (scope, key, request_hash, reply, created_at)
      SELECT 'g:' || gen_random_uuid(), 'k', 'h', '{}', $1 FROM generate_series(1, $2::int)`,
    `INSERT INTO chat_message (id, retry_key, kind, recipient, messages, cost, state, created_at, settled_at)
      SELECT gen_random_uuid(), gen_random_uuid(), 'orderPaid', 'U' || n % 50, '[]', 1, 'sent', $1, $1 FROM generate_series(1, $2::int) n`,
    `INSERT INTO mail_message (id, key, kind, uid, recipient, subject, text, html, state, try_until, created_at, settled_at)
      SELECT gen_random_uuid(), gen_random_uuid(), 'linked', 'x', n % 50 || '@test.shop', 's', 't', 'h', 'sent', $1, $1, $1
      FROM generate_series(1, $2::int) n`,
    `INSERT INTO supplier_callback (digest, supplier, reference, received_at)
      SELECT gen_random_uuid(), 'seagm', 'r', $1 FROM generate_series(1, $2::int)`,
  ]
  for (const text of passed) await it.db.query({ text, values: [at, count] })
  await it.db.query({ text: 'ANALYZE' })
}

beforeAll(async () => {
  it = await createSupplierShop()
  counter = openCountingDatabase(it.databaseUrl)
  it.shop.db = counter.db
  const countAll = async (size: 'few' | 'many') => {
    for (const [name, work] of Object.entries(WORK)) {
      // The first run does what is left to do.
      await work(it.shop)
      // Otherwise a nightly check finds that it has just run.
      await it.db.query({ text: 'DELETE FROM check_run' })
      read[name] = { few: 0, many: 0, ...read[name], [size]: await counter.count(() => work(it.shop)) }
    }
  }
  await settle(FEW)
  await countAll('few')
  await settle(MANY)
  await countAll('many')
})
afterAll(async () => {
  await counter?.db.close()
  await it?.stop()
})

test.each(Object.keys(WORK))('%s reads as few rows beside thousands that are settled', name => {
  expect(read[name]!.many).toBeLessThanOrEqual(read[name]!.few + MORE)
})
