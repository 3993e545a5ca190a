import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@shop/shared/client.ts'
import { confirmCredit } from '@shop/shared/credit/endpoints.ts'
import type { AppError } from '@shop/shared/errors.ts'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fixture } from '../testing/fixture.ts'
import { manyOf } from '../testing/random.ts'
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts'
import { createTestShop, onceKey, type TestShop, tokenFor } from '../testing/shop.ts'
import { dumpTables, sellCodes, stockCodes } from '../testing/vouchers.ts'
import { checkLedger } from '../wallet/ledger-check.ts'
import { postLedger } from '../wallet/store.ts'

const BUYERS = manyOf(2000, 400)
const CODES = manyOf(500, 100)
const PROCESSES = 4
const AT_ONCE = 64

let it: TestShop
let servers: ServerProcess[] = []
beforeAll(async () => {
  it = await createTestShop()
  it.clock.now = new Date()
  servers = await Promise.all(Array.from({ length: PROCESSES }, () => startServerProcess(it.databaseUrl)))
})
afterAll(async () => {
  await Promise.all(servers.map(server => server.stop()))
  await it.db.close()
})

const uidOf = (nth: number) => `storm-${nth}`

/** Customers who have shop credit for one piece, so that an order is paid in the moment in which it is placed. */
async function addBuyers(): Promise<void> {
  await it.db.query({
    text: `INSERT INTO account (uid, username, providers, given_name, email, status, role, email_verified, created_at)
      SELECT name, name, '{password}', name, name || '@test.shop', 'active', 'customer', true, $2
      FROM (SELECT 'storm-' || n AS name FROM generate_series(0, $1::int - 1) AS n) AS named`,
    values: [BUYERS, it.clock.now],
  })
  await it.db.transaction(async tx => {
    for (let nth = 0; nth < BUYERS; nth++) {
      const id = uuidv7()
      const values = [id, uidOf(nth), it.clock.now]
      await tx.query({ text: 'INSERT INTO credit (id, uid, created_at) VALUES ($1, $2, $3)', values })
      const postings = [{ from: 'bank:1', to: `credit:${id}`, amountSatang: fixture.pubg.bankSatang } as const]
      const carried = { kind: 'correction', reason: 'ยอดยกมา', reversesId: null } as const
      await postLedger(tx, { ...carried, id: uuidv7(), subjectId: id, at: it.clock.now, postings })
    }
  })
}

/** One buyer's order; the code of its error, or OK. A server that is too busy is asked again, as browsers do. */
async function buy(nth: number): Promise<string> {
  const token = tokenFor(uidOf(nth), new Date())
  const { url } = servers[nth % PROCESSES]!
  const client = createClient({ baseUrl: url, headers: () => ({ authorization: `Bearer ${token}` }) })
  const body = { gameId: fixture.pubg.id, packageId: fixture.pubg.package, playerId: 'storm', termsVersion: '1' }
  const idempotencyKey = onceKey()
  for (;;) {
    const code = await client.call(confirmCredit, { body, idempotencyKey }).then(
      () => 'OK',
      (error: AppError) => error.code,
    )
    if (code !== 'UNAVAILABLE') return code
    await delay(100)
  }
}

async function buyAll(): Promise<Record<string, number>> {
  const tally: Record<string, number> = {}
  let next = 0
  const oneByOne = async () => {
    while (next < BUYERS) {
      const code = await buy(next++)
      tally[code] = (tally[code] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, oneByOne))
  return tally
}

const countOf = async (text: string) => (await it.db.query<{ n: number }>({ text }))[0]!.n

test(`${BUYERS} buyers for ${CODES} codes at ${PROCESSES} servers: each code is one buyer's, the others are told before they pay`, async () => {
  await sellCodes(it)
  await addBuyers()
  const codes = await stockCodes(it, CODES)
  expect(await buyAll()).toEqual({ OK: CODES, SOLD_OUT: BUYERS - CODES })
  await expect
    .poll(() => countOf(`SELECT count(*)::int AS n FROM orders WHERE status = 'success'`), {
      timeout: 120_000,
      interval: 250,
    })
    .toBe(CODES)
  const hands = await it.db.query<{ orderId: string; pieces: number; revealed: boolean }>({
    text: `SELECT order_id AS "orderId", count(*)::int AS pieces, bool_or(revealed_at IS NOT NULL) AS revealed
      FROM voucher WHERE state = 'sold' GROUP BY 1`,
  })
  expect(hands).toHaveLength(CODES)
  expect(hands.every(({ pieces, revealed }) => pieces === 1 && !revealed)).toBe(true)
  expect(await countOf(`SELECT count(*)::int AS n FROM voucher WHERE state <> 'sold'`)).toBe(0)
  expect(await countOf('SELECT count(*)::int AS n FROM orders')).toBe(CODES)
  expect(await countOf('SELECT sum(balance_satang)::bigint AS n FROM credit')).toBe(
    (BUYERS - CODES) * fixture.pubg.bankSatang,
  )
  expect((await checkLedger(it.db)).breaches).toEqual([])
  const dump = await dumpTables(it)
  const logs = servers.map(server => server.output()).join('\n')
  const plain = codes.flatMap(({ code }) => [code, code.replaceAll('-', '')])
  expect(plain.filter(code => dump.includes(code) || logs.includes(code))).toEqual([])
  expect(dump).toContain(codes[0]!.code.slice(-4))
})
