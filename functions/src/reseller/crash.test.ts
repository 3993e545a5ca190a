import { createApiOrder } from '@shop/shared/reseller/v1-endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fixture } from '../testing/fixture.ts'
import { addKey } from '../testing/machine.ts'
import { manyOf } from '../testing/random.ts'
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts'
import { addAccount, createTestShop, type TestShop } from '../testing/shop.ts'
import { addWallet, TIER, walletBalance } from '../testing/wallet.ts'
import { checkLedger } from '../wallet/ledger-check.ts'

const PRICE = fixture.pubg.walletSatang - TIER.discountSatang
const ORDERS = manyOf(300, 150)
/** Each reference is sent so often. */
const REPEATS = 3
const AFFORDED = 40
const KILLS = manyOf(5, 2)

let it: TestShop
let server: ServerProcess | undefined
beforeAll(async () => {
  it = await createTestShop()
})
afterAll(async () => {
  await server?.kill()
  await it.db.close()
})

/** Sends an order; null when the server died before it answered. */
async function send(token: string, ref: string): Promise<{ status: number; id?: string; code?: string } | null> {
  const body = { ref, packageId: fixture.pubg.package, playerId: ref }
  try {
    const reply = await fetch(server!.url + createApiOrder.path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { id, code } = (await reply.json()) as { id?: string; code?: string }
    return { status: reply.status, id, code }
  } catch (error) {
    if (error instanceof TypeError || (error as Error).name === 'AbortError') return null
    throw error
  }
}

/** Sends all at once, and again what a killed server left unanswered. */
async function sendAll(token: string, databaseUrl: string, kills: number) {
  const refs = Array.from({ length: ORDERS }, (_, n) => `ref-${n % (ORDERS / REPEATS)}`)
  const answers = new Map<string, Set<string>>()
  const refused: { status: number; code?: string }[] = []
  let left = refs
  for (let life = 0; left.length > 0; life++) {
    server = await startServerProcess(databaseUrl)
    let answered = 0
    let killed: Promise<void> | undefined
    const sent = left
    left = []
    await Promise.all(
      sent.map(async ref => {
        const answer = await send(token, ref)
        if (!answer) left.push(ref)
        else if (answer.id) answers.set(ref, (answers.get(ref) ?? new Set()).add(answer.id))
        else refused.push(answer)
        if (++answered >= 8 && life < kills) killed ??= server!.kill()
      }),
    )
    await killed
    if (life >= kills) await server.kill()
    expect(life).toBeLessThan(kills + 3)
  }
  return { answers, refused }
}

test(`${ORDERS} parallel orders with repeated references on money for ${AFFORDED}, ${KILLS} kills: as many as are paid for, each reference once`, async () => {
  await addAccount(it, 'storm', 'agent')
  const balanceSatang = AFFORDED * PRICE + PRICE - 1
  await addWallet(it.db, { uid: 'storm', balanceSatang, pin: '1234', now: new Date() })
  const { token } = await addKey(it, 'storm')
  const { answers, refused } = await sendAll(token, it.databaseUrl, KILLS)
  const rows = await it.db.query<{ ref: string; orderNo: string }>({
    text: `SELECT r.ref, o.order_no AS "orderNo" FROM reseller_order r JOIN orders o ON o.id = r.order_id`,
  })
  expect(rows).toHaveLength(AFFORDED)
  const [all] = await it.db.query<{ n: number }>({ text: 'SELECT count(*)::int AS n FROM orders' })
  expect(all!.n).toBe(AFFORDED)
  const orderOf = new Map(rows.map(({ ref, orderNo }) => [ref, orderNo]))
  // Each acknowledged order is there, and each repeat was told the same one.
  for (const [ref, ids] of answers) expect([...ids]).toEqual([orderOf.get(ref)])
  for (const { status, code } of refused) expect([status, code]).toEqual([402, 'WALLET_BALANCE_TOO_LOW'])
  expect(refused.length).toBeGreaterThan(0)
  expect(await walletBalance(it.db, 'storm')).toBe(PRICE - 1)
  expect((await checkLedger(it.db)).breaches).toEqual([])
  const [day] = await it.db.query<{ orders: number; spent: number }>({
    text: 'SELECT sum(orders)::int AS orders, sum(spent_satang)::bigint AS spent FROM reseller_day',
  })
  expect(day).toEqual({ orders: AFFORDED, spent: AFFORDED * PRICE })
})

test('orders of the same moment never pass a key’s day, and none is placed after the key has ended', async () => {
  await addAccount(it, 'capped', 'agent')
  await addWallet(it.db, { uid: 'capped', balanceSatang: 100 * PRICE, pin: '1234', now: new Date() })
  const capped = await addKey(it, 'capped', { dailyLimitSatang: 7 * PRICE + 5 })
  const other = await addKey(it, 'capped')
  server = await startServerProcess(it.databaseUrl)
  const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => send(capped.token, `cap-${n}`)))
  expect(answers.filter(answer => answer?.id)).toHaveLength(7)
  expect(new Set(answers.filter(answer => !answer?.id).map(answer => answer?.code))).toEqual(
    new Set(['KEY_LIMIT_REACHED']),
  )
  const racing = Promise.all(Array.from({ length: 40 }, (_, n) => send(other.token, `end-${n}`)))
  const [ended] = await it.db.query<{ at: Date }>({
    text: `UPDATE reseller_key SET ended_at = clock_timestamp(), ended_for = 'owner' WHERE id = $1 RETURNING clock_timestamp() AS at`,
    values: [other.id],
  })
  const codes = new Set((await racing).map(answer => answer?.code ?? 'OK'))
  expect([...codes].every(code => code === 'OK' || code === 'KEY_ENDED')).toBe(true)
  const [late] = await it.db.query<{ n: number }>({
    text: `SELECT count(*)::int AS n FROM reseller_order r JOIN ledger_transaction t ON t.subject_id = r.order_id WHERE r.key_id = $1 AND t.at > $2`,
    values: [other.id, ended!.at],
  })
  expect(late!.n).toBe(0)
  expect((await send(other.token, 'after'))?.code).toBe('KEY_ENDED')
  await server.kill()
})
