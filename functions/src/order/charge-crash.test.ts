import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { GATEWAY_METHODS } from '@shop/shared/catalogue/payment-method.ts'
import { chargeOrder } from '@shop/shared/order/charge-endpoints.ts'
import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import type { Fault, MessageFault } from 'local/gateway/register.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkGateway } from '../gateway/check.ts'
import { buyByGateway, createStandInShop, findPayments, type StandInShop } from '../testing/gateway.ts'
import { codeOf } from '../testing/orders.ts'
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts'
import { callerOf } from '../testing/shop.ts'
import { checkLedger } from '../wallet/ledger-check.ts'
import { expireOrders } from './expiry.ts'

/** How many orders are placed; `GATEWAY_ORDERS=1000` for a long run. */
const ORDERS = Number(process.env.GATEWAY_ORDERS ?? 30)
const BUYERS = 8
/** After so many questions a server is killed, while it answers the last ones. A long run isn't spent on starting servers. */
const LEAST_QUESTIONS = 5
const MOST_QUESTIONS = Math.max(30, ORDERS / 5)
const MOST_KILLS = ORDERS / 5
const EXPECTED = new Set(['OK', 'ORDER_STATUS_NOT_ALLOWED', 'GATEWAY_UNAVAILABLE'])
const FAULTS: Fault[] = ['lost', 'lost', 'broken', 'tooMany', 'slow', 'halfList']
const MESSAGE_FAULTS: MessageFault[] = ['never', 'late', 'twice', 'forged', 'early']

let it: StandInShop
/** The servers that live, with how many more questions each is asked. */
const alive = new Map<ServerProcess, number>()
const tally = { kills: 0, broken: 0, faults: 0, cancelled: 0 }
let isOver = false

beforeAll(async () => {
  it = await createStandInShop('opn', {
    slowMs: 700,
    tell: message => (isOver ? it.request : send)('/gateway/hear/opn', { method: 'POST', ...message }),
  })
  it.clock.now = new Date()
})
afterAll(async () => {
  isOver = true
  await Promise.all([...alive.keys()].map(server => server.kill()))
  await it?.stop()
})

const oneOf = <T>(all: readonly T[]): T => all[randomInt(all.length)]!
const hasLuck = (of: number) => randomInt(of) === 0

/** Asks a server that lives. @throws TypeError when it dies meanwhile */
async function send(path: string, init?: RequestInit): Promise<Response> {
  while (alive.size === 0) await delay(20)
  const server = oneOf([...alive.keys()])
  alive.set(server, alive.get(server)! - 1)
  const reply = await fetch(server.url + path, init)
  return new Response(reply.status === 204 ? null : await reply.text(), reply)
}

/** As a browser whose answer did not come: it asks the same again. */
async function ask(path: string, init?: RequestInit): Promise<Response> {
  for (;;) {
    const reply = await send(path, init).catch((error: unknown) => {
      if (error instanceof TypeError) return null
      throw error
    })
    if (reply) return reply
    tally.broken++
    await delay(50)
  }
}

/** One server, killed at any moment and started again, until all have bought. */
async function live(): Promise<void> {
  while (!isOver) {
    const server = await startServerProcess(it.databaseUrl, { ...it.standIn.environment, GATEWAY_TIMEOUT_MS: '500' })
    alive.set(server, LEAST_QUESTIONS + randomInt(MOST_QUESTIONS - LEAST_QUESTIONS))
    while (!isOver && (alive.get(server)! > 0 || tally.kills >= MOST_KILLS)) await delay(randomInt(20))
    alive.delete(server)
    await server.kill()
    if (!isOver) tally.kills++
  }
}

/** The waiting times of jobs and their locks are over at once, so that another server does what the dead one had begun. */
async function hurry(): Promise<void> {
  while (!isOver) {
    await delay(300)
    it.clock.now = new Date()
    await it.db.query({ text: `UPDATE outbox SET due_at = now(), locked_until = NULL WHERE state = 'waiting'` })
    await expireOrders(it.shop)
  }
}

/** What a buyer, their bank and time do with an order, in any order. */
async function buy(): Promise<void> {
  const { register } = it.standIn
  const buyer = callerOf(ask, it.clock, null)
  const { orderNo } = await buyByGateway(buyer, oneOf(GATEWAY_METHODS))
  const charge = async () => {
    if (hasLuck(3)) {
      register.faults.push(oneOf(FAULTS))
      tally.faults++
    }
    const params = { orderNo }
    expect(EXPECTED).toContain(
      await codeOf(buyer.call(chargeOrder, { params, body: { method: oneOf(GATEWAY_METHODS) } })),
    )
  }
  const pay = async () => {
    if (hasLuck(3)) register.messageFaults.push(oneOf(MESSAGE_FAULTS))
    const own = [...register.charges.values()].filter(({ description }) => description === orderNo)
    if (own.length > 0) await register.pay(oneOf(own).id)
  }
  const cancel = async () => {
    const code = await codeOf(buyer.call(updateOrderStatus, { body: { orderNo, status: 'cancel' } }))
    expect(EXPECTED).toContain(code)
    if (code === 'OK') tally.cancelled++
  }
  const expire = () =>
    it.db.query({
      text: `UPDATE orders SET expires_at = now() - interval '1 second' WHERE order_no = $1 AND status = 'waiting_payment'`,
      values: [orderNo],
    })
  await charge()
  const acts = [charge, charge, pay, pay, pay, pay, cancel, expire]
  for (let steps = 1 + randomInt(5); steps > 0; steps--) {
    await delay(randomInt(150))
    await oneOf(acts)()
  }
}

test(
  `${ORDERS} orders, two servers that are killed all the time: each paid charge pays one order or is owed`,
  async () => {
    const running = [live(), live(), hurry()]
    let begun = 0
    const work = async () => {
      while (begun++ < ORDERS) await buy()
    }
    await Promise.all(Array.from({ length: BUYERS }, work))
    isOver = true
    await Promise.all(running)
    const { register } = it.standIn
    register.faults = []
    await it.standIn.tellLate()
    for (let hour = 0; hour < 3; hour++)
      for (const seconds of [30, 60, 300, 600, 2610]) {
        it.clock.advance(seconds)
        await expireOrders(it.shop)
        await it.drain()
      }
    const paid = [...register.charges.values()].filter(({ status }) => status === 'successful')
    const rows = await findPayments(it.db)
    const [pays, owed] = [rows.filter(row => row.pays === 1), rows.filter(row => row.owed === 1)]
    const charges = register.charges.size
    console.log({ orders: ORDERS, charges, paid: paid.length, pays: pays.length, owed: owed.length, ...tally })
    expect(rows.map(({ reference }) => reference).sort()).toEqual(paid.map(({ id }) => id).sort())
    expect(rows.filter(row => row.pays + row.owed !== 1)).toEqual([])
    expect(new Set(pays.map(({ orderId }) => orderId)).size).toBe(pays.length)
    const [orders] = await it.db.query<{ all: number; paid: number }>({
      text: 'SELECT count(*)::int AS "all", count(paid_at)::int AS paid FROM orders',
    })
    // However often a browser asked again, its order was placed once.
    expect(orders).toEqual({ all: ORDERS, paid: pays.length })
    expect(await checkGateway(it.shop)).toEqual([])
    expect((await checkLedger(it.db)).breaches).toEqual([])
    // Otherwise nothing was tried.
    expect(pays.length).toBeGreaterThan(ORDERS / 10)
    expect(tally.kills).toBeGreaterThan(2)
  },
  180_000 + ORDERS * 1000,
)
