import { randomUUID } from 'node:crypto'
import { confirmOrder } from '@shop/shared/order/endpoints.ts'
import { expect, onTestFinished } from 'vitest'
import { fixture } from '../../testing/fixture.ts'
import { testAtRandom } from '../../testing/random.ts'
import { type ServerProcess, startServerProcess } from '../../testing/server-process.ts'
import { addAccount, createTestShop, type TestShop, tokenFor } from '../../testing/shop.ts'
import { addWallet, TIER, walletBalance } from '../../testing/wallet.ts'
import { checkLedger } from '../../wallet/ledger-check.ts'

const BUYS_PER_LIFE = 40
const BUYERS = ['crash-1', 'crash-2', 'crash-3']
const WORKERS = 8
const OPENING_SATANG = 20_000_000
const PRICE = fixture.pubg.walletSatang - TIER.discountSatang

let it: TestShop
let server: ServerProcess | undefined
async function openShop(): Promise<void> {
  it = await createTestShop()
  onTestFinished(async () => {
    await server?.kill()
    await it.db.close()
  })
  for (const uid of BUYERS) {
    await addAccount(it, uid, 'agent')
    await addWallet(it.db, { uid, balanceSatang: OPENING_SATANG, pin: '1234', now: new Date() })
  }
}

interface Buy {
  uid: string
  key: string
}

/** Sends a purchase: the order's number once the server acknowledged it, null when the server died first. */
async function send({ uid, key }: Buy): Promise<string | null> {
  const sold = {
    gameId: fixture.pubg.id,
    packageId: fixture.pubg.package,
    playerId: key.slice(0, 8),
    termsVersion: '1',
  }
  try {
    const reply = await fetch(server!.url + confirmOrder.path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tokenFor(uid, new Date())}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify({ ...sold, pin: '1234' }),
    })
    const body = (await reply.json()) as { orderNo: string }
    expect(reply.status, JSON.stringify(body)).toBe(200)
    return body.orderNo
  } catch (error) {
    if (error instanceof TypeError || (error as Error).name === 'AbortError') return null
    throw error
  }
}

const NAME = 'crashes during a load of buys: every acknowledged order is there, once, and the ledger is right'

testAtRandom(NAME, { size: 5 }, async ({ size, below, tell }) => {
  await openShop()
  const acknowledged = new Map<string, string>()
  const all: Buy[] = []
  let unanswered: Buy[] = []
  for (let life = 0; life <= size; life++) {
    server = await startServerProcess(it.databaseUrl)
    // What the last server left unanswered is asked again with its key, as a browser would.
    const queue = unanswered
    unanswered = []
    const isLast = life === size
    for (let n = 0; !isLast && n < BUYS_PER_LIFE; n++) {
      const buy = { uid: BUYERS[n % BUYERS.length]!, key: randomUUID() }
      all.push(buy)
      queue.push(buy)
    }
    const killAt = acknowledged.size + 5 + below(BUYS_PER_LIFE - 10)
    if (!isLast) tell(`server ${life + 1} is killed once ${killAt} buys of ${all.length} are answered`)
    let killed: Promise<void> | undefined
    await Promise.all(
      Array.from({ length: WORKERS }, async () => {
        for (let buy = queue.pop(); buy; buy = queue.pop()) {
          const orderNo = killed ? null : await send(buy)
          if (orderNo) acknowledged.set(buy.key, orderNo)
          else unanswered.push(buy)
          if (!isLast && acknowledged.size >= killAt) killed ??= server!.kill()
        }
      }),
    )
    await killed
  }

  expect(unanswered).toEqual([])
  expect(acknowledged.size).toBe(all.length)
  const orders = await it.db.query<{ orderNo: string; playerId: string }>({
    text: 'SELECT order_no AS "orderNo", player_id AS "playerId" FROM orders ORDER BY order_no',
  })
  expect(orders.map(order => order.orderNo)).toEqual([...acknowledged.values()].sort())
  expect(new Set(orders.map(order => order.playerId)).size).toBe(all.length)
  for (const uid of BUYERS) {
    const bought = all.filter(buy => buy.uid === uid).length
    expect(await walletBalance(it.db, uid)).toBe(OPENING_SATANG - bought * PRICE)
  }
  expect((await checkLedger(it.db)).breaches).toEqual([])
})
