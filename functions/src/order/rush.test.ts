import { randomBytes } from 'node:crypto'
import { createClient } from '@shop/shared/client.ts'
import type { AppError } from '@shop/shared/errors.ts'
import * as contract from '@shop/shared/order/endpoints.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fixture } from '../testing/fixture.ts'
import { startServerProcess } from '../testing/server-process.ts'
import { createTestShop, onceKey, type TestShop } from '../testing/shop.ts'
import { expireOrders } from './expiry.ts'

const GUESTS = 300
/** Satang that guests share of an account at one price. */
const AMOUNTS = 66

let it: TestShop
beforeEach(async () => {
  it = await createTestShop()
})
afterEach(() => it.db.close())

/** One browser with its key, its request and its idempotency key, ready to be sent as often as needed. */
function guestOf(url: string, index: number, receivingAccountId: number) {
  const guestKey = randomBytes(16).toString('base64url')
  const idempotencyKey = onceKey()
  const body = {
    gameId: fixture.pubg.id,
    packageId: fixture.pubg.package,
    playerId: `rush-${index}`,
    receivingAccountId,
    termsVersion: '1',
  }
  return async (baseUrl = url) => {
    const client = createClient({ baseUrl, headers: () => ({ 'guest-key': guestKey }) })
    return client.call(contract.confirmPrice, { body, idempotencyKey }).then(
      order => ({ code: 'OK', orderNo: order.orderNo, amountSatang: order.amountSatang, error: null }),
      (error: AppError) => ({ code: error.code, orderNo: null, amountSatang: null, error }),
    )
  }
}

async function amountsInDatabase() {
  return it.db.query<{ account: number; amount: number; orderNo: string }>({
    text: `SELECT receiving_account_id AS account, price_satang + tail_satang AS amount, order_no AS "orderNo"
      FROM orders WHERE status = 'waiting_payment'`,
  })
}

test('300 guests at once: every order has an amount of its own, the rest are told, and amounts come back', async () => {
  const server = await startServerProcess(it.databaseUrl)
  try {
    const sends = Array.from({ length: GUESTS }, (_, index) => guestOf(server.url, index, 1 + (index % 2)))
    const replies = await Promise.all(sends.map(send => send()))
    const accepted = replies.filter(reply => reply.code === 'OK')
    const refused = replies.filter(reply => reply.code !== 'OK')
    // Two open accounts with 66 amounts for guests each; whoever was too late is offered the other account or told to wait.
    expect(accepted).toHaveLength(2 * AMOUNTS)
    const documented = ['ACCOUNT_AMOUNTS_EXHAUSTED', 'AMOUNTS_EXHAUSTED']
    expect(documented).toEqual(expect.arrayContaining(refused.map(reply => reply.code)))
    for (const { error } of refused) {
      expect(error!.status).toBeLessThan(500)
      expect(error!.message).toMatch(/ขณะนี้มีผู้ทำรายการจำนวนมาก กรุณาลองใหม่อีกครั้งใน \d+ นาที|กรุณาเลือกบัญชีอื่น/)
    }
    const stored = await amountsInDatabase()
    expect(stored).toHaveLength(2 * AMOUNTS)
    expect(new Set(stored.map(row => `${row.account}:${row.amount}`)).size).toBe(2 * AMOUNTS)
    expect(stored.every(row => row.amount % 100 !== 0)).toBe(true)
  } finally {
    await server.kill()
  }
  // The server used the wall clock; the job runs as if the deadline, its grace and the amount's grace had passed.
  it.clock.now = new Date(Date.now() + (15 * 60 + 300) * 1000)
  expect(await expireOrders(it.shop)).toBe(2 * AMOUNTS)
  it.clock.advance(300)
  const again = await it.as(null).call(contract.confirmPrice, {
    body: {
      gameId: fixture.pubg.id,
      packageId: fixture.pubg.package,
      playerId: 'later',
      receivingAccountId: 1,
      termsVersion: '1',
    },
    idempotencyKey: onceKey(),
  })
  expect(again.status).toBe('waiting_payment')
})

test('killed in the middle and started again: nothing double, nothing lost', async () => {
  let server = await startServerProcess(it.databaseUrl)
  const sends = Array.from({ length: GUESTS }, (_, index) => guestOf(server.url, index, 1 + (index % 2)))
  let acknowledged = 0
  const first = sends.map(async send => {
    const reply = await send()
    if (reply.code === 'OK' && ++acknowledged === 20) await server.kill()
    return reply
  })
  const replies = await Promise.all(first)
  expect(replies.some(reply => reply.code === 'UNAVAILABLE')).toBe(true)

  server = await startServerProcess(it.databaseUrl)
  try {
    // Every browser asks again with the key it used before.
    const repeated = await Promise.all(sends.map(send => send(server.url)))
    replies.forEach((reply, index) => {
      if (reply.code === 'OK') expect(repeated[index]!.orderNo).toBe(reply.orderNo)
    })
    const stored = await amountsInDatabase()
    const told = repeated.filter(reply => reply.code === 'OK')
    expect(stored.map(row => row.orderNo).sort()).toEqual(told.map(reply => reply.orderNo).sort())
    expect(new Set(stored.map(row => `${row.account}:${row.amount}`)).size).toBe(stored.length)
    expect(stored).toHaveLength(2 * AMOUNTS)
    const orphans = await it.db.query({
      text: 'SELECT 1 FROM reserved_amount r LEFT JOIN orders o ON o.id = r.order_id WHERE o.id IS NULL',
    })
    expect(orphans).toEqual([])
  } finally {
    await server.kill()
  }
})
