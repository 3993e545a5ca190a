import { setTimeout as delay } from 'node:timers/promises'
import { type RunningSlipProvider, startSlipProvider } from 'local/slip-provider/server.ts'
import { expect, onTestFinished } from 'vitest'
import { buyByBank, report } from '../testing/orders.ts'
import { testAtRandom } from '../testing/random.ts'
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts'
import { addAccount, createTestShop, type TestShop } from '../testing/shop.ts'
import { transferOf } from '../testing/slips.ts'
import { addSlip } from '../testing/wallet.ts'
import { checkLedger } from '../wallet/ledger-check.ts'

const KILLS = 3
const env = { SLIP_PROVIDER: 'slipok', SLIP_MONTHLY_QUOTA: '100000', SLIP_TIMEOUT_MS: '1500' }

let it: TestShop
let bank: RunningSlipProvider
let servers: ServerProcess[] = []
async function openShop(): Promise<void> {
  bank = await startSlipProvider({ port: 0 })
  it = await createTestShop({ ...env, ...bank.environment })
  it.clock.now = new Date()
  onTestFinished(async () => {
    await Promise.all(servers.map(server => server.kill()))
    await bank.stop()
    await it.db.close()
  })
}

/** An order whose slip is handed in; the provider hangs at every other one first, so that kills hit questions under way. */
async function payBySlip(n: number): Promise<void> {
  const uid = `crash-${n}`
  await addAccount(it, uid, 'customer')
  const order = await buyByBank(it.as(uid))
  const transfer = transferOf(it, order.amountSatang)
  bank.add(transfer, n % 2 === 0 ? ['hang'] : [])
  await report(it.as(uid), order.orderNo, await addSlip(it, `u:${uid}`, transfer.reference))
}

const sql = (text: string) => it.db.query<{ n: number }>({ text })
const countPaid = async () => (await sql(`SELECT count(*)::int AS n FROM orders WHERE status = 'paid'`))[0]!.n
/** As if the waiting times were over. */
const letTimePass = () => sql(`UPDATE outbox SET due_at = now(), locked_until = NULL WHERE state = 'waiting'`)
const startTwo = () =>
  Promise.all([1, 2].map(() => startServerProcess(it.databaseUrl, { ...env, ...bank.environment })))

const NAME = 'two servers at once, killed again and again: every slip pays its order, exactly once'

testAtRandom(NAME, { size: 16 }, async ({ size, below, tell }) => {
  await openShop()
  for (let n = 0; n < size; n++) await payBySlip(n)
  for (let life = 0; life < KILLS; life++) {
    await letTimePass()
    servers = await startTwo()
    const ms = below(1500)
    tell(`two servers are killed after ${ms} ms`)
    await delay(ms)
    await Promise.all(servers.map(server => server.kill()))
  }
  await letTimePass()
  servers = await startTwo()
  await expect
    .poll(
      async () => {
        await sql(`UPDATE outbox SET due_at = now() WHERE state = 'waiting' AND locked_until IS NULL`)
        return countPaid()
      },
      { interval: 500 },
    )
    .toBe(size)
  const marked = await sql(`SELECT count(*)::int AS n FROM order_event WHERE to_status = 'paid' GROUP BY order_id`)
  expect(marked.map(({ n }) => n)).toEqual(Array(size).fill(1))
  expect(await sql(`SELECT count(*)::int AS n FROM slip_check WHERE approved_at IS NOT NULL`)).toEqual([{ n: size }])
  expect(await sql(`SELECT count(*)::int AS n FROM outbox WHERE state <> 'done'`)).toEqual([{ n: 0 }])
  expect((await checkLedger(it.db)).breaches).toEqual([])
})
