import { setTimeout as delay } from 'node:timers/promises'
import { GATEWAY_METHODS } from '@shop/shared/catalogue/payment-method.ts'
import { chargeOrder } from '@shop/shared/order/charge-endpoints.ts'
import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import type { Fault, MessageFault } from 'local/gateway/register.ts'
import { expect, onTestFinished } from 'vitest'
import { checkGateway } from '../../gateway/check.ts'
import { buyByGateway, createStandInShop, findPayments, type StandInShop } from '../../testing/gateway.ts'
import { codeOf } from '../../testing/orders.ts'
import { type Random, testAtRandom } from '../../testing/random.ts'
import { type ServerProcess, startServerProcess } from '../../testing/server-process.ts'
import { callerOf } from '../../testing/shop.ts'
import { checkLedger } from '../../wallet/ledger-check.ts'
import { expireOrders } from './expiry.ts'

const BUYERS = 8
/** After so many questions a server is killed, while it answers the last ones. A long run isn't spent on starting servers. */
const LEAST_QUESTIONS = 5
const mostQuestions = () => Math.max(30, random.size / 5)
const mostKills = () => random.size / 5
const EXPECTED = new Set(['OK', 'ORDER_STATUS_NOT_ALLOWED', 'GATEWAY_UNAVAILABLE'])
const FAULTS: Fault[] = ['lost', 'lost', 'broken', 'tooMany', 'slow', 'halfList']
const MESSAGE_FAULTS: MessageFault[] = ['never', 'late', 'twice', 'forged', 'early']

let it: StandInShop
let random: Random
/** The servers that live, with how many more questions each is asked. */
const alive = new Map<ServerProcess, number>()
let tally = { kills: 0, broken: 0, faults: 0, cancelled: 0 }
let isOver = false
let running: Promise<void>[] = []

async function openShop(drawn: Random): Promise<void> {
  random = drawn
  alive.clear()
  tally = { kills: 0, broken: 0, faults: 0, cancelled: 0 }
  isOver = false
  it = await createStandInShop('opn', {
    slowMs: 700,
    tell: message => (isOver ? it.request : send)('/gateway/hear/opn', { method: 'POST', ...message }),
  })
  it.clock.now = new Date()
  onTestFinished(async () => {
    isOver = true
    await Promise.allSettled(running)
    await Promise.all([...alive.keys()].map(server => server.kill()))
    await it.stop()
  })
}

const oneOf = <T>(all: readonly T[]): T => random.pick(all)!
const hasLuck = (of: number) => random.below(of) === 0

/** Asks a server that lives. @throws TypeError when it dies meanwhile */
async function send(path: string, init?: RequestInit): Promise<Response> {
  while (alive.size === 0) {
    if (isOver) throw new Error('no server is left')
    await delay(20)
  }
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
    alive.set(server, LEAST_QUESTIONS + random.below(mostQuestions() - LEAST_QUESTIONS))
    while (!isOver && (alive.get(server)! > 0 || tally.kills >= mostKills())) await delay(random.below(20))
    alive.delete(server)
    await server.kill()
    if (isOver) return
    tally.kills++
    random.tell('a server is killed')
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
      random.tell(`the gateway is to show ${register.faults.at(-1)}`)
      tally.faults++
    }
    const params = { orderNo }
    const method = oneOf(GATEWAY_METHODS)
    const code = await codeOf(buyer.call(chargeOrder, { params, body: { method } }))
    random.tell(`order ${orderNo} asks for a charge by ${method}: ${code}`)
    expect(EXPECTED).toContain(code)
  }
  const pay = async () => {
    if (hasLuck(3)) register.messageFaults.push(oneOf(MESSAGE_FAULTS))
    const own = [...register.charges.values()].filter(({ description }) => description === orderNo)
    if (own.length === 0) return
    const { id } = oneOf(own)
    random.tell(`${id} of order ${orderNo} is paid`)
    await register.pay(id)
  }
  const cancel = async () => {
    const code = await codeOf(buyer.call(updateOrderStatus, { body: { orderNo, status: 'cancel' } }))
    random.tell(`order ${orderNo} is cancelled: ${code}`)
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
  for (let steps = 1 + random.below(5); steps > 0; steps--) {
    await delay(random.below(150))
    await oneOf(acts)()
  }
}

testAtRandom(
  'orders, two servers that are killed all the time: each paid charge pays one order or is owed',
  { size: 30, timeout: 210_000 },
  async drawn => {
    await openShop(drawn)
    const { size, isWhole } = drawn
    running = [live(), live(), hurry()]
    let begun = 0
    const work = async () => {
      while (begun++ < size) await buy()
    }
    const buying = Promise.all(Array.from({ length: BUYERS }, work))
    // A server that can't be started ends the test.
    await Promise.race([buying, Promise.all(running)])
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
    console.log({ orders: size, charges, paid: paid.length, pays: pays.length, owed: owed.length, ...tally })
    expect(rows.map(({ reference }) => reference).sort()).toEqual(paid.map(({ id }) => id).sort())
    expect(rows.filter(row => row.pays + row.owed !== 1)).toEqual([])
    expect(new Set(pays.map(({ orderId }) => orderId)).size).toBe(pays.length)
    const [orders] = await it.db.query<{ all: number; paid: number }>({
      text: 'SELECT count(*)::int AS "all", count(paid_at)::int AS paid FROM orders',
    })
    // However often a browser asked again, its order was placed once.
    expect(orders).toEqual({ all: size, paid: pays.length })
    expect(await checkGateway(it.shop)).toEqual([])
    expect((await checkLedger(it.db)).breaches).toEqual([])
    // Otherwise nothing was tried.
    if (!isWhole) return
    expect(pays.length).toBeGreaterThan(size / 10)
    expect(tally.kills).toBeGreaterThan(2)
  },
)
