import { setTimeout as delay } from 'node:timers/promises'
import { confirmPrice } from '@shop/shared/order/endpoints.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { RATE_LIMIT } from '../../http/rate-limit.ts'
import { fixture } from '../../testing/fixture.ts'
import { bankOrder, codeOf } from '../../testing/orders.ts'
import { type ServerProcess, startServerProcess } from '../../testing/server-process.ts'
import { createTestShop, onceKey, type TestCaller, type TestShop } from '../../testing/shop.ts'

/** Orders of the same moment, which are read and stored with one statement. */
let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
})
afterAll(() => it.db.close())

const { pubg, mlbb, accounts } = fixture
const buy = (change: Record<string, unknown> = {}, caller: TestCaller = it.as(null)) =>
  caller.call(confirmPrice, { body: bankOrder(change), idempotencyKey: onceKey() })
/** Each has an amount of its own, so that only what a test is about can fail. */
const accountOf = (n: number) => (n % 2 === 0 ? accounts.promptPay : accounts.second)

interface Row {
  orderNo: string
  playerId: string
  trackToken: string
  amountSatang: number
  rest: string
}
const rows = async (players: string): Promise<Row[]> =>
  it.db.query({
    text: `SELECT o.order_no AS "orderNo", player_id AS "playerId", track_token AS "trackToken",
        r.amount_satang AS "amountSatang", concat_ws(' ', o.status, o.version, e.kind, e.to_status, e.actor_role, k.reply->>'orderNo' = o.order_no,
          k.scope = o.buyer_key, r.buyer_key = o.buyer_key, r.reusable_at IS NULL, snapshot->'fields'->0->>'value' = player_id) AS rest
      FROM orders o JOIN reserved_amount r ON r.order_id = o.id JOIN order_event e ON e.order_id = o.id
        JOIN idempotency_key k ON k.scope = o.buyer_key
      WHERE player_id LIKE $1`,
    values: [`${players}%`],
  })

test('each of 60 gets its own order, whole, and they share statements', async () => {
  const send = vi.spyOn(pg.Client.prototype, 'query')
  const orders = await Promise.all(
    Array.from({ length: 60 }, (_, n) => buy({ playerId: `crowd-${n}`, receivingAccountId: accountOf(n) })),
  )
  const names = send.mock.calls.map(([statement]) => (statement as unknown as { name?: string }).name ?? '')
  send.mockRestore()
  for (const kind of ['order_facts_bank_guest', 'order_insert_reply_amount']) {
    const sent = names.filter(name => name === kind).length
    expect([kind, sent > 1, sent < 60]).toEqual([kind, true, true])
  }
  const stored = await rows('crowd-')
  const shown = orders.map(({ orderNo, playerId, trackToken, priceSatang, tailSatang }) => ({
    orderNo,
    playerId,
    trackToken,
    amountSatang: priceSatang + tailSatang,
    rest: 'waiting_payment 1 created waiting_payment guest t t t t t',
  }))
  const byPlayer = (a: { playerId: string }, b: { playerId: string }) => (a.playerId < b.playerId ? -1 : 1)
  expect(stored.sort(byPlayer)).toEqual(shown.sort(byPlayer))
  expect(orders.map(order => order.playerId)).toContain('crowd-59')
})

test('what is wrong with one is told to that one alone', async () => {
  await it.db.query({ text: `ALTER TABLE orders ADD CONSTRAINT broken CHECK (player_id <> 'broken') NOT VALID` })
  try {
    const players = ['fine-1', 'fine-2', 'broken', 'fine-3', 'fine-4']
    const codes = await Promise.all(players.map(playerId => codeOf(buy({ playerId, receivingAccountId: 2 }))))
    expect(codes).toEqual(['OK', 'OK', 'INTERNAL', 'OK', 'OK'])
    expect(await rows('fine-')).toHaveLength(4)
  } finally {
    await it.db.query({ text: 'ALTER TABLE orders DROP CONSTRAINT broken' })
  }
})

test('one buyer in two windows gets one order, and the same request sent twice the same answer', async () => {
  const [twice, same] = [it.as(null), it.as(null)]
  const body = bankOrder({ receivingAccountId: 2 })
  const once = { body, idempotencyKey: onceKey() }
  const others = Array.from({ length: 6 }, () => codeOf(buy({ receivingAccountId: 2 })))
  const windows = Promise.all([codeOf(buy({}, twice)), codeOf(buy({}, twice))])
  const repeats = await Promise.all([same.call(confirmPrice, once), same.call(confirmPrice, once)])
  expect((await windows).sort()).toEqual(['OK', 'UNPAID_ORDER_EXISTS'])
  expect(new Set(repeats.map(({ orderNo }) => orderNo)).size).toBe(1)
  expect(await rows(body.playerId)).toHaveLength(1)
  expect(await Promise.all(others)).toEqual(Array(6).fill('OK'))
})

test('a game that somebody has locked holds up its own orders, not those that come after', async () => {
  const isDone: string[] = []
  let locked: Promise<string>[] = []
  await it.db.transaction(async tx => {
    await tx.query({ text: 'SELECT FROM game WHERE id = $1 FOR UPDATE', values: [mlbb.id] })
    const change = { gameId: mlbb.id, packageId: mlbb.package, field2: '2001', receivingAccountId: 2 }
    locked = Array.from({ length: 3 }, () => codeOf(buy(change)).finally(() => isDone.push('one')))
    await delay(100)
    const later = Array.from({ length: 5 }, () => codeOf(buy({ gameId: pubg.id, receivingAccountId: 2 })))
    expect(await Promise.all(later)).toEqual(Array(5).fill('OK'))
    expect(isDone).toEqual([])
  })
  expect(await Promise.all(locked)).toEqual(['OK', 'OK', 'OK'])
})

test('of an address’s tries in one moment as many pass as may, and what passed is counted', async () => {
  const limited = await createTestShop({ [RATE_LIMIT.guestOrdersPerAddress.variable]: '10' })
  const tries = Array.from({ length: 30 }, () =>
    codeOf(limited.as(null).call(confirmPrice, { body: bankOrder(), idempotencyKey: onceKey() })),
  )
  const codes = (await Promise.all(tries)).sort()
  expect(codes).toEqual([...Array(20).fill('GUEST_LIMIT_REACHED'), ...Array(10).fill('OK')])
  const [{ points }] = (await limited.db.query<{ points: number }>({
    text: `SELECT points FROM rate_limit WHERE key LIKE 'guestOrdersPerAddressAndHour:%'`,
  })) as [{ points: number }]
  expect(points).toBe(10)
  await limited.db.close()
})

test('a server that is killed in the middle leaves each order whole or not at all; asked again, each is there once', async () => {
  const buyers = Array.from({ length: 60 }, (_, n) => {
    const body = bankOrder({ playerId: `killed-${n}`, receivingAccountId: accountOf(n) })
    return { headers: it.as(null).headers, body: JSON.stringify(body), key: onceKey() }
  })
  const send = (server: ServerProcess) =>
    Promise.all(
      buyers.map(({ headers, body, key }) =>
        fetch(server.url + confirmPrice.path, {
          method: 'POST',
          body,
          headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': key },
        }).then(
          async reply => ((await reply.json()) as { orderNo?: string }).orderNo ?? null,
          () => null,
        ),
      ),
    )
  await it.db.query({ text: 'DELETE FROM reserved_amount' })
  const first = await startServerProcess(it.databaseUrl)
  const unanswered = send(first)
  const count = async () => (await rows('killed-')).length
  while ((await count()) === 0) await delay(1)
  await first.kill()
  const answers = await unanswered
  const second = await startServerProcess(it.databaseUrl)
  try {
    const again = await send(second)
    expect(again).not.toContain(null)
    answers.forEach((orderNo, n) => {
      if (orderNo) expect(again[n]).toBe(orderNo)
    })
    const stored = await rows('killed-')
    expect(stored.map(({ orderNo }) => orderNo).sort()).toEqual([...again].sort())
    expect(new Set(stored.map(({ playerId }) => playerId)).size).toBe(60)
  } finally {
    await second.kill()
  }
})
