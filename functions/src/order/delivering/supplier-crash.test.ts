import { setTimeout as delay } from 'node:timers/promises'
import type { Delivers } from '@shop/shared/catalogue/delivers.ts'
import type { SupplierName } from '@shop/shared/provider-names.ts'
import { GOODS_STATES } from '@shop/shared/supplier/supplier.ts'
import type { Fault } from 'local/supplier/faults.ts'
import { expect, onTestFinished } from 'vitest'
import { resumeWaiting } from '../../supplier/store.ts'
import { testAtRandom } from '../../testing/random.ts'
import { type ServerProcess, startServerProcess } from '../../testing/server-process.ts'
import { BALANCE, createSuppliersShop, payOrder, type SupplierShop } from '../../testing/supplier.ts'
import { checkLedger } from '../../wallet/ledger-check.ts'

const KILLS = 3

let it: SupplierShop
let servers: ServerProcess[] = []

const sql = (text: string) => it.db.query<{ n: number }>({ text })
/** As if the waiting times were over. */
async function letTimePass(): Promise<void> {
  it.clock.now = new Date()
  await sql(`UPDATE outbox SET due_at = now(), locked_until = NULL WHERE state = 'waiting'`)
}
/** As if a supplier's rest after unclear answers were over, and it had been asked about all that is open. */
async function endRests(): Promise<void> {
  await it.db.transaction(async tx => {
    await tx.query({ text: `UPDATE supplier SET broken_until = NULL` })
    await resumeWaiting(tx, new Date())
  })
}
const env = () => ({ ...it.supplierEnvironment, SUPPLIER_TIMEOUT_MS: '1500' })
const startTwo = () => Promise.all([1, 2].map(() => startServerProcess(it.databaseUrl, env())))

/** Every second purchase hangs, or is refused so that the next supplier is asked. */
const CASES: [SupplierName[], Delivers, Fault[]][] = [
  [['seagm'], 'top_up', ['hangAfter', 'slow']],
  [['gamesdrop', 'seagm'], 'top_up', ['hangAfter', 'wrongPrice', 'slow', 'wrongPrice']],
  [['kinguin', 'gamesdrop'], 'code', ['hangAfter', 'noOffer', 'slow', 'noOffer']],
]

for (const [names, delivers, faults] of CASES)
  testAtRandom(
    `two servers that buy at ${names} (${delivers}), killed between any two steps: nothing is bought twice or lost`,
    { size: 16 },
    async ({ size, below, tell }) => {
      it = await createSuppliersShop(names, { delivers })
      onTestFinished(async () => {
        await Promise.all(servers.map(server => server.kill()))
        await it.stop()
      })
      it.clock.now = new Date()
      for (let n = 0; n < size; n++) await payOrder(it)
      for (const { register } of it.suppliers)
        register.faults = Array.from({ length: size }, (_, n) => faults[n % faults.length]!)
      for (let life = 0; life < KILLS; life++) {
        await letTimePass()
        servers = await startTwo()
        const ms = below(1200)
        tell(`two servers are killed after ${ms} ms`)
        await delay(ms)
        await Promise.all(servers.map(server => server.kill()))
      }
      await letTimePass()
      servers = await startTwo()
      // What arrived is delivered soon; half an hour later what never did is known to staff, as is what nobody sells.
      const settled = `SELECT count(*)::int AS n FROM orders o JOIN LATERAL (
      SELECT * FROM supplier_attempt WHERE order_id = o.id ORDER BY id DESC LIMIT 1) a ON true
    WHERE o.status = 'success' OR (o.status = 'processing' AND a.is_with_staff) OR (o.status = 'paid' AND a.state = 'rejected')`
      await expect
        .poll(
          async () => {
            it.clock.now = new Date()
            await endRests()
            await sql(`UPDATE supplier_attempt SET sent_at = sent_at - interval '30 minutes'
          WHERE sent_at BETWEEN now() - interval '20 minutes' AND now() - interval '15 seconds'`)
            await sql(`UPDATE outbox SET due_at = now() WHERE state = 'waiting' AND locked_until IS NULL`)
            return (await sql(settled))[0]!.n
          },
          { timeout: 90_000, interval: 500 },
        )
        .toBe(size)
      const attempts = await it.db.query<{ orderId: string; reference: string; state: string }>({
        text: `SELECT order_id AS "orderId", reference, state FROM supplier_attempt ORDER BY reference`,
      })
      const booked = it.suppliers.flatMap(({ register }) => [...register.booked.keys()])
      const goods = attempts.filter(({ state }) => (GOODS_STATES as string[]).includes(state))
      expect(goods.map(({ reference }) => reference)).toEqual(booked.toSorted())
      expect(new Set(goods.map(({ orderId }) => orderId)).size).toBe(booked.length)
      for (const { register } of it.suppliers) expect(register.balanceSatang).toBe(BALANCE - register.spentSatang())
      expect(await sql(`SELECT count(*)::int AS n FROM orders WHERE status = 'success'`)).toEqual([{ n: goods.length }])
      const codes = delivers === 'code' ? goods.length : 0
      expect(await sql(`SELECT count(*)::int AS n FROM voucher WHERE state = 'sold'`)).toEqual([{ n: codes }])
      expect((await checkLedger(it.db)).breaches).toEqual([])
    },
  )
