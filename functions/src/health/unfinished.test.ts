import { getBacklog } from '@shop/shared/backlog/endpoints.ts'
import * as contract from '@shop/shared/health/endpoints.ts'
import { chargeOrder } from '@shop/shared/order/charge-endpoints.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findTroubles } from '../chat/troubles.ts'
import { sweep } from '../jobs/housekeeping.ts'
import { enqueue } from '../outbox/outbox.ts'
import { buyByGateway, createGatewayShop, type GatewayShop } from '../testing/gateway.ts'
import { codeOf } from '../testing/orders.ts'
import { findChecks } from './checks.ts'
import { findHealth } from './service-health.ts'

let it: GatewayShop
beforeEach(async () => {
  it = await createGatewayShop()
})
afterEach(() => it.db.close())

const look = (uid = 'manager') => it.as(uid).call(contract.getUnfinished, {})
const red = async () =>
  (await findChecks(it.shop, it.clock.now)).filter(({ isRed }) => isRed).map(({ name }) => name as string)
const waiting = async () => (await it.as('manager').call(getBacklog, {})).waiting
const reason = 'ดูในหน้าของผู้ให้บริการแล้ว'

async function pass(seconds: number, step = 60) {
  for (let left = seconds; left > 0; left -= step) {
    it.clock.advance(step)
    await it.drain()
  }
}

async function beginCharge() {
  const buyer = it.as(null)
  const { orderNo } = await buyByGateway(buyer)
  await buyer.call(chargeOrder, { params: { orderNo }, body: { method: 'promptpay' } })
  return { orderNo, reference: [...it.gateway.charges.keys()].at(-1)! }
}

/** A job that is given up at its first run after so many failures. */
async function giveUp(key: string): Promise<void> {
  const payload = { chargeId: '01900000-0000-7000-8000-000000000001' }
  await enqueue(it.db, { kind: 'charge.ask', key, payload, now: it.clock.now })
  await it.db.query({ text: 'UPDATE outbox SET faults = 59 WHERE key = $1', values: [key] })
  await it.drain()
}

test('a charge that the gateway does not answer about is told on every page that people look at, with its age', async () => {
  const { orderNo } = await beginCharge()
  expect(await look()).toMatchObject({ charges: [], jobs: [], counts: { charges: 0, jobs: 0 } })
  it.gateway.lasting = 'busy'
  await pass(900)
  const { charges, counts } = await look()
  expect(counts.charges).toBe(1)
  expect(charges).toMatchObject([{ target: { kind: 'order', no: orderNo }, state: 'waiting', contradiction: null }])
  expect((await waiting()).unknownCharges).toMatchObject({ count: 1, oldest: charges[0]!.since, amountSatang: 14_900 })
  expect(await red()).toContain('gatewaySilent')
  expect((await findTroubles(it.shop, it.clock.now)).map(({ kind }) => kind)).toContain('gatewaySilent')
  const gateway = (await findHealth(it.shop, it.clock.now)).find(({ name }) => name === 'gateway')
  expect(gateway).toMatchObject({ state: 'failing', detail: expect.stringContaining('1 รายการ') })
  it.gateway.lasting = null
  await pass(300)
  expect((await look()).counts.charges).toBe(0)
  expect(await red()).not.toContain('gatewaySilent')
})

test('a person who knows how a charge ended closes it; should its money be told later, it counts all the same', async () => {
  const { orderNo, reference } = await beginCharge()
  it.gateway.lasting = 'lostBefore'
  await pass(1200)
  const [charge] = (await look()).charges
  const close = { params: { id: charge!.id }, body: { reason } }
  expect(await codeOf(it.as('staff').call(contract.closeCharge, close))).toBe('FORBIDDEN')
  await it.as('manager').call(contract.closeCharge, close)
  expect(await codeOf(it.as('manager').call(contract.closeCharge, close))).toBe('NOT_FOUND')
  expect((await look()).charges).toEqual([])
  const { asked } = it.gateway
  await pass(1200)
  expect(it.gateway.asked).toBe(asked)
  it.gateway.lasting = null
  it.gateway.pay(reference)
  await it.hear(reference)
  await it.drain()
  const [row] = await it.db.query<{ status: string; owed: number }>({
    text: `SELECT o.status, (SELECT count(*)::int FROM owed_refund f WHERE f.order_id = o.id) AS owed FROM orders o WHERE order_no = $1`,
    values: [orderNo],
  })
  expect(row).toEqual({ status: 'paid', owed: 0 })
})

test('what the gateway said that can not be waits for people, and comes back when it says something else', async () => {
  const { reference } = await beginCharge()
  it.gateway.pay(reference, { amountSatang: 100 })
  await it.hear(reference)
  await it.drain()
  const [charge] = (await look()).charges
  expect(charge).toMatchObject({ contradiction: expect.stringContaining('amountSatang') })
  await it.as('manager').call(contract.closeCharge, { params: { id: charge!.id }, body: { reason } })
  expect((await look()).charges).toEqual([])
  it.gateway.pay(reference, { amountSatang: 200 })
  await it.hear(reference)
  await it.drain()
  expect((await look()).charges).toMatchObject([{ contradiction: expect.stringContaining('200') }])
})

test('a job that was given up keeps the pulse red for days, until somebody starts it again or closes it', async () => {
  await giveUp('a')
  await giveUp('b')
  it.clock.advance(2 * 86_400)
  expect(await red()).toContain('outboxDead')
  const { jobs } = await look()
  expect(jobs).toMatchObject([{ label: 'ถามผลการชำระเงิน', target: null }, { label: 'ถามผลการชำระเงิน' }])
  expect((await waiting()).deadJobs).toMatchObject({ count: 2, oldest: jobs[0]!.deadAt })
  await it.as('manager').call(contract.retryJob, { params: { id: jobs[0]!.id } })
  const [started] = await it.db.query({ text: 'SELECT state, faults FROM outbox WHERE id = $1', values: [jobs[0]!.id] })
  expect(started).toEqual({ state: 'waiting', faults: 0 })
  await it.as('manager').call(contract.closeJob, { params: { id: jobs[1]!.id }, body: { reason } })
  expect((await look()).jobs).toEqual([])
  expect(await codeOf(it.as('manager').call(contract.retryJob, { params: { id: jobs[1]!.id } }))).toBe('NOT_FOUND')
  const log = await it.db.query({ text: `SELECT action FROM audit_entry WHERE subject LIKE 'job:%' ORDER BY at, id` })
  expect(log).toEqual([{ action: 'job.retry' }, { action: 'job.close' }])
})

test('the night takes what was closed, never what waits for somebody', async () => {
  await giveUp('a')
  await giveUp('b')
  const { jobs } = await look()
  await it.as('manager').call(contract.closeJob, { params: { id: jobs[1]!.id }, body: { reason } })
  it.clock.advance(200 * 86_400)
  await sweep(it.shop)
  expect(await it.db.query({ text: `SELECT id FROM outbox WHERE kind = 'charge.ask'` })).toEqual([{ id: jobs[0]!.id }])
})
