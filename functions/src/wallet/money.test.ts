import type { EndpointInput, EndpointShape, Reply } from '@shop/shared/endpoint.ts'
import type { AppError } from '@shop/shared/errors.ts'
import { confirmOrder, updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import * as contract from '@shop/shared/wallet/endpoints.ts'
import { expect, onTestFinished } from 'vitest'
import { fixture } from '../testing/fixture.ts'
import { type Random, testAtRandom } from '../testing/random.ts'
import { addAccount, createTestShop, onceKey, type TestShop } from '../testing/shop.ts'
import { addSlip, addWallet, walletBalance } from '../testing/wallet.ts'
import { checkLedger } from './ledger-check.ts'

const AGENTS = 6
const WORKERS = 24
const OPENING_SATANG = 500_000
/** What a run may be refused with; anything else, INTERNAL above all, is a fault. */
const EXPECTED = new Set([
  'OK',
  'PIN_WRONG',
  'PIN_LOCKED',
  'WALLET_BALANCE_TOO_LOW',
  'ORDER_STATUS_NOT_ALLOWED',
  'ORDER_CLAIMED_BY_OTHER',
  'TOP_UP_NOT_WAITING',
  'TOP_UP_NEEDS_SLIP',
  'TOP_UP_NEEDS_SECOND_APPROVER',
  'TOP_UP_ABOVE_ROOM',
  'CONFLICT',
  'NOT_FOUND',
  'ORDER_OVER_TIER_LIMIT',
  'SLIP_REUSED',
  'SECOND_WORD_NEEDED',
])

let it: TestShop

/** One run: what was asked, and what the acknowledged answers say each wallet must hold. */
function createRun(agents: string[], { draw: random, below, pick, tell }: Random) {
  const orders = new Map<string, { agent: string; amountSatang: number }>()
  const topUps = new Map<string, { agent: string; amountSatang: number; version: number }>()
  const buys: { agent: string; input: EndpointInput<typeof confirmOrder> }[] = []
  const refunded = new Set<string>()
  const credited = new Set<string>()
  const corrected = new Set<string>()
  const codes = new Map<string, number>()

  /** Sends a call; counts how it ended and gives the reply of one that succeeded. */
  async function send<E extends EndpointShape>(
    uid: string,
    endpoint: E,
    input: EndpointInput<E>,
  ): Promise<Reply<E> | null> {
    const [reply, code] = await it
      .as(uid)
      .call(endpoint, input)
      .then(
        result => [result, 'OK'] as const,
        (error: AppError) => [null, error.code] as const,
      )
    codes.set(code, (codes.get(code) ?? 0) + 1)
    tell(`${uid} ${endpoint.path} ${JSON.stringify(input)}: ${code}`)
    return reply
  }

  async function buy(): Promise<void> {
    // Now and then a browser repeats an earlier request, which must have no second effect.
    const repeated = random() < 0.1 ? pick(buys) : undefined
    const agent = repeated?.agent ?? pick(agents)!
    const sold = { gameId: fixture.pubg.id, packageId: fixture.pubg.package, playerId: '1', termsVersion: '1' }
    const body = { ...sold, quantity: 1 + below(8), pin: random() < 0.02 ? '0000' : '1234' }
    const input = repeated?.input ?? { body, idempotencyKey: onceKey() }
    buys.push({ agent, input })
    const order = await send(agent, confirmOrder, input)
    if (order) orders.set(order.orderNo, { agent, amountSatang: order.amountSatang })
  }

  async function askTopUp(): Promise<void> {
    const agent = pick(agents)!
    const amountSatang = 10_000 + below(random() < 0.1 ? 5_000_000 : 400_000)
    const slipId = random() < 0.9 ? await addSlip(it, `u:${agent}`) : null
    const saved = await send(agent, contract.saveTopUp, { body: { amountSatang, slipId }, idempotencyKey: onceKey() })
    if (saved) topUps.set(saved.id, { agent, amountSatang, version: 1 })
  }

  async function editTopUp(): Promise<void> {
    const [id, topUp] = pick([...topUps]) ?? []
    if (!id || !topUp) return
    const amountSatang = 10_000 + below(300_000)
    const body = { id, amountSatang, slipId: await addSlip(it, `u:${topUp.agent}`) }
    await send(topUp.agent, contract.saveTopUp, { body, idempotencyKey: onceKey() })
  }

  async function cancelTopUp(): Promise<void> {
    const [id, topUp] = pick([...topUps]) ?? []
    if (id && topUp) await send(topUp.agent, contract.cancelTopUp, { body: { id, status: 'cancel' } })
  }

  async function decideTopUp(): Promise<void> {
    const id = pick([...topUps.keys()].filter(each => !credited.has(each)).slice(-20))
    if (!id) return
    const seen = await it.as('staff').call(contract.getTopUpForStaff, { params: { id } })
    const status = random() < 0.85 ? ('approve' as const) : ('reject' as const)
    const body = { id, version: seen.version, status, reason: 'ตรวจแล้ว' }
    const decided = await send(pick(['manager', 'manager2', 'manager3'])!, contract.decideTopUp, {
      body,
      idempotencyKey: onceKey(),
    })
    if (decided?.status !== 'approve') return
    credited.add(id)
    topUps.get(id)!.amountSatang = seen.amountSatang
  }

  async function correctTopUp(): Promise<void> {
    const id = pick([...credited])
    if (!id) return
    const body = { id, reason: 'ผิดรายการ' }
    if (await send('manager', contract.correctTopUp, { body, idempotencyKey: onceKey() })) corrected.add(id)
  }

  async function changeOrder(): Promise<void> {
    const orderNo = pick([...orders.keys()].slice(-50))
    if (!orderNo) return
    const status = pick(['processing', 'success', 'failed', 'refunded', 'refunded', 'paid'] as const)!
    const body = { orderNo, status, reason: 'ทดสอบ', deliveryReference: 'REF-1' }
    const by = status === 'refunded' ? 'manager' : pick(['staff', 'manager'])!
    const changed = await send(by, updateOrderStatus, { body })
    if (changed?.status === 'refunded') refunded.add(orderNo)
  }

  const steps = [
    buy,
    buy,
    buy,
    buy,
    buy,
    buy,
    askTopUp,
    askTopUp,
    decideTopUp,
    decideTopUp,
    decideTopUp,
    editTopUp,
    cancelTopUp,
    correctTopUp,
    changeOrder,
    changeOrder,
  ]

  /** What the answers say stands on an agent's wallet. */
  function expectedBalance(agent: string): number {
    const sum = (list: Iterable<{ agent: string; amountSatang: number }>) =>
      [...list].filter(each => each.agent === agent).reduce((total, each) => total + each.amountSatang, 0)
    const found = <T>(from: Map<string, T>, keys: Set<string>) => [...keys].map(key => from.get(key)!)
    const topUpSum = sum(found(topUps, credited)) - sum(found(topUps, corrected))
    return OPENING_SATANG + topUpSum - sum(orders.values()) + sum(found(orders, refunded))
  }

  return { step: () => pick(steps)!(), codes, expectedBalance, count: { orders, credited, corrected, refunded } }
}

testAtRandom(
  'money adds up to the satang after random interleaved steps',
  { size: 1200, seeds: [1, 2] },
  async random => {
    const { seed, size, isWhole } = random
    it = await createTestShop()
    onTestFinished(() => it.db.close())
    for (const uid of ['manager2', 'manager3']) await addAccount(it, uid, 'manager')
    const agents = Array.from({ length: AGENTS }, (_, n) => `agent-${seed}-${n}`)
    for (const uid of agents) {
      await addAccount(it, uid, 'agent')
      await addWallet(it.db, { uid, balanceSatang: OPENING_SATANG, pin: '1234', now: it.clock.now })
    }
    const run = createRun(agents, random)
    let left = size
    await Promise.all(
      Array.from({ length: WORKERS }, async () => {
        while (left-- > 0) await run.step()
      }),
    )

    expect([...run.codes.keys()].filter(code => !EXPECTED.has(code))).toEqual([])
    for (const kind of isWhole ? Object.values(run.count) : []) expect(kind.size).toBeGreaterThan(0)
    const held = await Promise.all(agents.map(agent => walletBalance(it.db, agent)))
    expect(held).toEqual(agents.map(run.expectedBalance))
    const report = await checkLedger(it.db)
    expect(report.breaches).toEqual([])
    expect(report.inSatang).toBe(report.outSatang + report.balancesSatang)
  },
)
