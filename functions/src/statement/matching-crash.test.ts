import { matchStatementLines } from '@shop/shared/statement/import-endpoints.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fixture } from '../testing/fixture.ts'
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts'
import { createTestShop, type TestShop, tokenFor } from '../testing/shop.ts'
import { addLines, addWaitingOrders, lineOf } from '../testing/statement.ts'
import { checkLedger } from '../wallet/ledger-check.ts'
import { matchLines } from './matching.ts'

const ORDERS = 1500
const KILLS = 3
const account = fixture.accounts.promptPay

let it: TestShop
const servers: ServerProcess[] = []
beforeAll(async () => {
  it = await createTestShop()
  it.clock.now = new Date()
})
afterAll(async () => {
  await Promise.all(servers.map(server => server.kill()))
  await it.db.close()
})

const start = async () => {
  const server = await startServerProcess(it.databaseUrl)
  servers.push(server)
  return server
}

/** Asks for batch after batch, as a browser does; until nothing is left, or the server is gone. */
async function matchBy(server: ServerProcess): Promise<void> {
  for (;;) {
    const reply = await fetch(server.url + matchStatementLines.path, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokenFor('manager', new Date())}`, 'content-type': 'application/json' },
      body: JSON.stringify({ receivingAccountId: account }),
    }).catch(() => null)
    if (!reply) return
    const { left } = (await reply.json()) as { left: number }
    if (left === 0) return
  }
}

test('servers that match at the same time and are killed in between: every order is paid by one line, once', async () => {
  const createdAt = addSeconds(it.clock.now, -600)
  const amounts = await addWaitingOrders(it.db, { receivingAccountId: account, count: ORDERS, createdAt })
  const at = addSeconds(createdAt, 60)
  // Every third is paid twice, and some money is nobody's.
  const money = amounts.flatMap((amountSatang, n) =>
    n % 3 === 0 ? [amountSatang, amountSatang] : [amountSatang, 90_000_000 + n],
  )
  await addLines(
    it,
    money.map(amountSatang => lineOf({ amountSatang, at })),
  )
  for (let kill = 0; kill < KILLS; kill++) {
    const [one, other] = await Promise.all([start(), start()])
    const working = Promise.all([matchBy(one), matchBy(other), matchBy(one)])
    await new Promise(resolve => setTimeout(resolve, 150 + 150 * kill))
    await Promise.all([one.kill(), other.kill()])
    await working
    expect((await checkLedger(it.db)).breaches).toEqual([])
  }
  await Promise.all([matchLines(it.shop), matchLines(it.shop)])
  const [sums] = await it.db.query<Record<string, number>>({
    text: `SELECT count(*) FILTER (WHERE state = 'matched')::int AS matched, count(DISTINCT order_id)::int AS orders,
        count(*) FILTER (WHERE tried_at IS NULL)::int AS untried,
        (SELECT count(*)::int FROM orders WHERE status = 'paid') AS paid,
        (SELECT count(*)::int FROM ledger_transaction WHERE kind = 'order_paid') AS posted,
        (SELECT count(*)::int FROM statement_event) AS events
      FROM statement_line`,
  })
  expect(sums).toEqual({ matched: ORDERS, orders: ORDERS, untried: 0, paid: ORDERS, posted: ORDERS, events: ORDERS })
  expect((await checkLedger(it.db)).breaches).toEqual([])
}, 480_000)
