import { randomBytes } from 'node:crypto'
import { createClient } from '@shop/shared/client.ts'
import type { AppError } from '@shop/shared/errors.ts'
import * as contract from '@shop/shared/order/endpoints.ts'
import { isWithoutPgbouncer, startPooler } from 'local/pooler.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fixture } from '../../testing/fixture.ts'
import { startServerProcess } from '../../testing/server-process.ts'
import { addAccount, createTestShop, onceKey, type TestShop, tokenFor } from '../../testing/shop.ts'
import { addWallet, TIER, walletBalance } from '../../testing/wallet.ts'
import { checkLedger } from '../../wallet/ledger-check.ts'
import { expireOrders } from '../paying/expiry.ts'

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
  it.clock.advance(360)
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

/** An agent's purchase with its key, ready to be sent as often as needed. */
function purchaseOf(uid: string, index: number) {
  const idempotencyKey = onceKey()
  const sold = { gameId: fixture.pubg.id, packageId: fixture.pubg.package, playerId: `bought-${index}` }
  return async (baseUrl: string) => {
    const client = createClient({ baseUrl, headers: () => ({ authorization: `Bearer ${tokenFor(uid, new Date())}` }) })
    const body = { ...sold, termsVersion: '1', pin: '1234' }
    return client.call(contract.confirmOrder, { body, idempotencyKey }).then(
      order => ({ code: 'OK', orderNo: order.orderNo, error: null }),
      (error: AppError) => ({ code: error.code, orderNo: null, error }),
    )
  }
}

test.skipIf(isWithoutPgbouncer())(
  'four processes behind a pooler, everything sent to two of them: nothing double',
  async () => {
    const agents = ['rush-agent-1', 'rush-agent-2', 'rush-agent-3']
    const openingSatang = 10_000_000
    const purchasesEach = 30
    for (const uid of agents) {
      await addAccount(it, uid, 'agent')
      await addWallet(it.db, { uid, balanceSatang: openingSatang, pin: '1234', now: new Date() })
    }
    // Fewer connections than the processes have together, so that each is used by all of them.
    const pooler = await startPooler(it.databaseUrl, 8)
    const servers = await Promise.all(Array.from({ length: 4 }, () => startServerProcess(pooler.url)))
    try {
      const guests = Array.from({ length: 200 }, (_, index) => guestOf('', index, 1 + (index % 2)))
      const purchases = agents.flatMap(uid => Array.from({ length: purchasesEach }, (_, n) => purchaseOf(uid, n)))
      const sends = [...guests, ...purchases]
      const url = (index: number) => servers[index % servers.length]!.url
      const pairs = await Promise.all(
        sends.map((send, index) => Promise.all([send(url(index)), send(url(index + 1 + (index % 3)))])),
      )
      for (const { error } of pairs.flat()) expect(error?.status ?? 200, error?.code).toBeLessThan(500)
      const again = await Promise.all(sends.map((send, index) => send(url(index + 2))))
      pairs.forEach(([first, second], index) => {
        const numbers = [first, second, again[index]!].map(reply => reply.orderNo).filter(no => no !== null)
        expect(new Set(numbers).size, `${first.code}, ${second.code}, ${again[index]!.code}`).toBeLessThanOrEqual(1)
        if (index >= guests.length) expect(numbers).toHaveLength(3)
      })
      const stored = await amountsInDatabase()
      expect(new Set(stored.map(row => `${row.account}:${row.amount}`)).size).toBe(2 * AMOUNTS)
      expect(stored).toHaveLength(2 * AMOUNTS)
      const placed = new Set([...pairs.flat(), ...again].flatMap(reply => reply.orderNo ?? []))
      const [orders] = await it.db.query<{ n: number }>({ text: 'SELECT count(*)::int AS n FROM orders' })
      expect(orders!.n).toBe(placed.size)
      expect(placed.size).toBe(2 * AMOUNTS + purchases.length)
      const price = fixture.pubg.walletSatang - TIER.discountSatang
      for (const uid of agents) expect(await walletBalance(it.db, uid)).toBe(openingSatang - purchasesEach * price)
      expect((await checkLedger(it.db)).breaches).toEqual([])
      for (const server of servers) expect(server.output()).not.toContain('"ERROR"')
    } finally {
      await Promise.all(servers.map(server => server.kill()))
      await pooler.stop()
    }
  },
  90_000,
)
