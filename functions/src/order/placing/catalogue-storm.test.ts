import { randomBytes } from 'node:crypto'
import { createClient } from '@shop/shared/client.ts'
import type { AppError } from '@shop/shared/errors.ts'
import { confirmOrder, confirmPrice } from '@shop/shared/order/endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fixture } from '../../testing/fixture.ts'
import { type ServerProcess, startServerProcess } from '../../testing/server-process.ts'
import { addAccount, createTestShop, onceKey, type TestShop, tokenFor } from '../../testing/shop.ts'
import { addWallet } from '../../testing/wallet.ts'

const CHANGES = 25
const BUYERS = 6
const { pubg, accounts } = fixture

let it: TestShop
let servers: ServerProcess[] = []
beforeAll(async () => {
  it = await createTestShop()
  for (let n = 0; n < BUYERS; n++) {
    await addAccount(it, `agent-${n}`, 'agent')
    await addWallet(it.db, { uid: `agent-${n}`, balanceSatang: 90_000_000, pin: '1234', now: new Date() })
  }
  servers = await Promise.all([startServerProcess(it.databaseUrl), startServerProcess(it.databaseUrl)])
})
afterAll(async () => {
  await Promise.all(servers.map(server => server.kill()))
  await it.db.close()
})

/** A state of the catalogue: in force from some moment in [began, inForce] to the next one's. */
interface State {
  value: number
  began: number
  inForce: number
}

interface Outcome {
  sent: number
  answered: number
  /** Satang for one piece; null when it was refused. */
  priceSatang: number | null
  code: string
}

type Buy = (server: string, buyer: number) => Promise<{ priceSatang: number; quantity: number }>

const byBank: Buy = server => {
  const key = randomBytes(16).toString('base64url')
  const client = createClient({ baseUrl: server, headers: () => ({ 'guest-key': key }) })
  const sold = { gameId: pubg.id, packageId: pubg.package, playerId: key, termsVersion: '1' }
  return client.call(confirmPrice, {
    body: { ...sold, receivingAccountId: accounts.second },
    idempotencyKey: onceKey(),
  })
}

const byWallet: Buy = (server, buyer) => {
  const token = tokenFor(`agent-${buyer}`, new Date())
  const client = createClient({ baseUrl: server, headers: () => ({ authorization: `Bearer ${token}` }) })
  const sold = { gameId: pubg.id, packageId: pubg.package, playerId: '1', termsVersion: '1' }
  return client.call(confirmOrder, { body: { ...sold, pin: '1234' }, idempotencyKey: onceKey() })
}

async function attempt(buy: Buy, server: string, buyer: number): Promise<Outcome> {
  const sent = performance.now()
  const reply = await buy(server, buyer).then(
    ({ priceSatang }) => ({ priceSatang, code: 'OK' }),
    (error: AppError) => ({ priceSatang: null, code: error.code }),
  )
  return { sent, answered: performance.now(), ...reply }
}

/** Buyers at both servers buy one after the other while the catalogue goes from state to state. */
async function storm(buy: Buy, values: number[], change: (value: number) => Promise<unknown>) {
  const states: State[] = []
  const become = async (value: number) => {
    const began = performance.now()
    await change(value)
    states.push({ value, began, inForce: performance.now() })
  }
  await become(values[0]!)
  const outcomes: Outcome[] = []
  let isOver = false
  const buying = Array.from({ length: BUYERS }, async (_, buyer) => {
    while (!isOver) outcomes.push(await attempt(buy, servers[buyer % servers.length]!.url, buyer))
  })
  for (const value of values.slice(1)) {
    const before = outcomes.length
    // Every state is met by some orders.
    while (outcomes.length < before + BUYERS) await new Promise(resolve => setTimeout(resolve, 1))
    await become(value)
  }
  isOver = true
  await Promise.all(buying)
  return { states, outcomes }
}

/** What could be in force at some moment between a request and its answer. */
function possible(states: State[], { sent, answered }: Outcome): number[] {
  return states
    .filter(({ began }, index) => began <= answered && (states[index + 1]?.inForce ?? Infinity) >= sent)
    .map(({ value }) => value)
}

const set = (text: string) => (value: number) => it.db.query({ text, values: [value] })

test.each<[string, Buy, number, string]>([
  ['a price', byBank, 10_000, `UPDATE package_price SET price_satang = $1 WHERE package_id = 1 AND payment = 'bank'`],
  [
    'a wallet price',
    byWallet,
    10_500,
    `UPDATE package_price SET price_satang = $1 WHERE package_id = 1 AND payment = 'wallet'`,
  ],
])(
  '%s that changes while people buy at two servers: none is sold at one that was not in force',
  async (_, buy, first, text) => {
    const values = Array.from({ length: CHANGES }, (_, n) => first + n * 1000)
    const { states, outcomes } = await storm(buy, values, set(text))
    const discount = buy === byWallet ? 500 : 0
    const wrong = outcomes.filter(
      each => each.code !== 'OK' || !possible(states, each).includes(each.priceSatang! + discount),
    )
    expect(wrong).toEqual([])
    // The storm met the changes: every price was sold at.
    expect(new Set(outcomes.map(({ priceSatang }) => priceSatang! + discount))).toEqual(new Set(values))
  },
)

test.each([
  ['a game', 'GAME_NOT_FOUND', 'UPDATE game SET is_active = $1::int::boolean WHERE id = 1'],
  ['a package', 'PACKAGE_NOT_FOUND', 'UPDATE package SET is_active = $1::int::boolean WHERE id = 1'],
  [
    'an account',
    'RECEIVING_ACCOUNT_NOT_FOUND',
    'UPDATE receiving_account SET is_active = $1::int::boolean WHERE id = 2',
  ],
  [
    'guests',
    'GUEST_CHECKOUT_OFF',
    `UPDATE option SET value = $1::int::boolean::text WHERE name = 'ALLOW_GUEST_CHECKOUT'`,
  ],
])(
  '%s taken out and put in again while people buy: no order while it was out, none refused while it was in',
  async (_, code, text) => {
    await it.db.query({ text: 'DELETE FROM reserved_amount' })
    const { states, outcomes } = await storm(
      byBank,
      Array.from({ length: 9 }, (_, n) => (n + 1) % 2),
      set(text),
    )
    const wrong = outcomes.filter(each => !possible(states, each).includes(each.code === 'OK' ? 1 : 0))
    expect(wrong).toEqual([])
    expect(new Set(outcomes.map(each => each.code))).toEqual(new Set(['OK', code]))
  },
)
