import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Fault } from 'local/supplier/register.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts'
import { BALANCE, COST, createSupplierShop, payOrder, type SupplierShop } from '../testing/supplier.ts'
import { checkLedger } from '../wallet/ledger-check.ts'

const ORDERS = 16
const KILLS = 3

let it: SupplierShop
let servers: ServerProcess[] = []
beforeAll(async () => {
  it = await createSupplierShop()
  it.clock.now = new Date()
})
afterAll(async () => {
  await Promise.all(servers.map(server => server.kill()))
  await it.stop()
})

const sql = (text: string) => it.db.query<{ n: number }>({ text })
/** As if the waiting times were over. */
async function letTimePass(): Promise<void> {
  it.clock.now = new Date()
  await sql(`UPDATE outbox SET due_at = now(), locked_until = NULL WHERE state = 'waiting'`)
}
const env = () => ({ ...it.supplier.environment, SUPPLIER_TIMEOUT_MS: '1500' })
const startTwo = () => Promise.all([1, 2].map(() => startServerProcess(it.databaseUrl, env())))

test('two servers at once, killed between "sending" and the answer: nothing is bought twice or lost', async () => {
  const faults: Fault[] = []
  for (let n = 0; n < ORDERS; n++) {
    await payOrder(it)
    if (n % 2 === 0) faults.push('hangAfter')
  }
  it.supplier.register.faults = faults
  for (let life = 0; life < KILLS; life++) {
    await letTimePass()
    servers = await startTwo()
    await delay(randomInt(1200))
    await Promise.all(servers.map(server => server.kill()))
  }
  await letTimePass()
  servers = await startTwo()
  // Half an hour later: what never arrived is known to staff, what arrived is delivered.
  await sql(`UPDATE supplier_attempt SET sent_at = sent_at - interval '30 minutes'`)
  const settled = `SELECT count(*)::int AS n FROM orders o JOIN supplier_attempt a ON a.order_id = o.id
    WHERE o.status = 'success' OR (o.status = 'processing' AND a.is_with_staff)`
  await expect
    .poll(
      async () => {
        it.clock.now = new Date()
        await sql(`UPDATE outbox SET due_at = now() WHERE state = 'waiting' AND locked_until IS NULL`)
        return (await sql(settled))[0]!.n
      },
      { timeout: 30_000, interval: 500 },
    )
    .toBe(ORDERS)
  const { register } = it.supplier
  const delivered = await it.db.query<{ reference: string }>({
    text: `SELECT reference FROM supplier_attempt WHERE state = 'delivered' ORDER BY reference`,
  })
  expect(delivered.map(({ reference }) => reference)).toEqual([...register.booked.keys()].sort())
  expect(BALANCE - register.balanceSatang).toBe(register.booked.size * COST)
  expect(await sql(`SELECT count(*)::int AS n FROM orders WHERE status = 'success'`)).toEqual([{ n: delivered.length }])
  expect(await sql(`SELECT count(*)::int AS n FROM supplier_attempt`)).toEqual([{ n: ORDERS }])
  expect((await checkLedger(it.db)).breaches).toEqual([])
})
