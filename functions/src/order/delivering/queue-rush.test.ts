import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { claimOrders, renewClaim } from '@shop/shared/order/queue-endpoints.ts'
import { expect, onTestFinished } from 'vitest'
import { addPaidOrders } from '../../testing/queue.ts'
import { manyOf, randomFrom, testAtRandom } from '../../testing/random.ts'
import { addAccount, createTestShop, type TestCaller, type TestShop } from '../../testing/shop.ts'
import { releaseLapsedClaims } from '../paying/expiry.ts'

const STAFF = 50
const LEASE_SECONDS = 15 * 60
/** What is left by then goes on waiting. */
const WORK_MS = manyOf(15_000, 4_000)

let it: TestShop
async function openShop(): Promise<void> {
  it = await createTestShop()
  onTestFinished(() => it.db.close())
  for (let n = 0; n < STAFF; n++) await addAccount(it, `staff-${n}`, 'staff')
}

/** What the people know of: who was told that an order is delivered, and which orders have ended. */
interface Work {
  /** Oldest first, as the queue shows them. */
  waiting: string[]
  deliveredBy: Map<string, string[]>
  codes: Map<string, number>
  until: number
}

type Move = 'claim' | 'claimMany' | 'complete' | 'fail' | 'release' | 'abandon' | 'remember' | 'renew'
const MOVES: Move[] = [
  'claimMany',
  'claim',
  'complete',
  'complete',
  'complete',
  'complete',
  'fail',
  'release',
  'abandon',
  'remember',
  'renew',
]

/** One person, who does what comes to mind to orders that they have, had or want. */
async function work(uid: string, random: () => number, shared: Work, tell: (what: string) => void): Promise<void> {
  const caller: TestCaller = it.as(uid)
  let mine: string[] = []
  const abandoned: string[] = []
  const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)]
  /** Everybody reaches for the same oldest orders. */
  const wanted = () => pick(shared.waiting.slice(0, 2 * STAFF))
  const change = async (orderNo: string, status: 'processing' | 'success' | 'failed' | 'paid') => {
    const body = { orderNo, status, reason: 'ตรวจแล้ว', deliveryReference: uid }
    const code = await caller.codeOf(updateOrderStatus, { body })
    shared.codes.set(code, (shared.codes.get(code) ?? 0) + 1)
    tell(`${uid} sets ${orderNo} ${status}: ${code}`)
    if (code === 'OK' && status === 'success')
      shared.deliveredBy.set(orderNo, [...(shared.deliveredBy.get(orderNo) ?? []), uid])
    if (code === 'OK' && (status === 'success' || status === 'failed'))
      shared.waiting = shared.waiting.filter(each => each !== orderNo)
    return code === 'OK'
  }
  const moves: Record<Move, () => Promise<void>> = {
    async claim() {
      const orderNo = wanted()
      if (orderNo && (await change(orderNo, 'processing'))) mine.push(orderNo)
    },
    async claimMany() {
      const orderNos = [...new Set(Array.from({ length: 6 }, wanted))].filter(each => each !== undefined)
      if (orderNos.length === 0) return
      const { claimed, refused } = await caller.call(claimOrders, { body: { orderNos } })
      expect(claimed.length + refused.length).toBe(orderNos.length)
      tell(`${uid} claims ${claimed}`)
      mine.push(...claimed)
    },
    async complete() {
      const orderNo = mine.pop()
      if (orderNo) await change(orderNo, 'success')
    },
    async fail() {
      const orderNo = mine.pop()
      if (orderNo) await change(orderNo, 'failed')
    },
    async release() {
      const orderNo = mine.pop()
      if (orderNo) await change(orderNo, 'paid')
    },
    async abandon() {
      abandoned.push(...mine)
      mine = []
    },
    /** Back at what they had left lying, whatever became of it. */
    async remember() {
      const orderNo = abandoned.shift()
      if (orderNo) await change(orderNo, 'success')
    },
    async renew() {
      const orderNo = pick(mine)
      if (orderNo) await caller.call(renewClaim, { body: { orderNo } })
    },
  }
  while (Date.now() < shared.until && shared.waiting.length > 0) await moves[pick(MOVES)!]()
}

interface StoredEvent {
  orderNo: string
  status: string
  version: number
  kind: string
  from: string | null
  to: string
  actor: string | null
  role: string
}

const readEvents = () =>
  it.db.query<StoredEvent>({
    text: `SELECT o.order_no AS "orderNo", o.status, e.version, e.kind, e.from_status AS "from", e.to_status AS "to",
        e.actor_uid AS actor, e.actor_role AS role
      FROM orders o JOIN order_event e ON e.order_id = o.id ORDER BY o.order_no, e.version`,
  })

/** Each event goes on from the one before; what is claimed is changed by its claimer or runs out. */
function mustAddUp(events: StoredEvent[]): void {
  let claimer: string | null = null
  for (const [at, event] of events.entries()) {
    expect([event.version, event.from]).toEqual([at + 1, events[at - 1]?.to ?? null])
    if (event.from === 'processing' && event.role !== 'system') expect(event.actor).toBe(claimer)
    if (event.from === 'paid' && event.to === 'success') {
      // Told late: their lease ran out, and nobody claimed since.
      expect([events[at - 1]!.kind, events[at - 1]!.role, event.actor]).toEqual(['claim_released', 'system', claimer])
    }
    if (event.to === 'processing') claimer = event.actor
  }
  expect(events.at(-1)!.to).toBe(events[0]!.status)
}

const NAME = '50 staff at orders at random: each is delivered at most once, ends or waits, and its events add up'

testAtRandom(NAME, { size: 2000 }, async ({ seed, size, isWhole, tell }) => {
  await openShop()
  const waiting = await addPaidOrders(it.db, { count: size, paidAt: it.clock.now })
  const shared: Work = { waiting, deliveredBy: new Map(), codes: new Map(), until: Date.now() + WORK_MS }
  let isOver = false
  const clock = async () => {
    while (!isOver) {
      it.clock.advance(60)
      await releaseLapsedClaims(it.shop)
      await new Promise(resolve => setTimeout(resolve, 100))
    }
  }
  const ticking = clock()
  await Promise.all(Array.from({ length: STAFF }, (_, n) => work(`staff-${n}`, randomFrom(seed + n), shared, tell)))
  isOver = true
  await ticking
  it.clock.advance(LEASE_SECONDS)
  await releaseLapsedClaims(it.shop)

  const byOrder = Map.groupBy(await readEvents(), ({ orderNo }) => orderNo)
  expect(byOrder.size).toBe(size)
  const counts: Record<string, number> = {}
  for (const [orderNo, events] of byOrder) {
    mustAddUp(events)
    const { status } = events[0]!
    counts[status] = (counts[status] ?? 0) + 1
    const deliveries = events.filter(({ to }) => to === 'success').map(({ actor }) => actor!)
    expect(deliveries).toEqual(shared.deliveredBy.get(orderNo) ?? [])
    expect(deliveries.length).toBe(status === 'success' ? 1 : 0)
    expect(['paid', 'success', 'failed']).toContain(status)
  }
  console.log(counts, Object.fromEntries(shared.codes))
  const late = [...byOrder.values()].flat().filter(({ from, to }) => from === 'paid' && to === 'success')
  const lapsed = [...byOrder.values()].flat().filter(({ kind, role }) => kind === 'claim_released' && role === 'system')
  // Else nothing was tried of what is proven.
  if (!isWhole) return
  expect(counts.success).toBeGreaterThan(STAFF)
  expect([lapsed.length > 0, late.length > 0, (shared.codes.get('ORDER_CLAIMED_BY_OTHER') ?? 0) > 0]).toEqual([
    true,
    true,
    true,
  ])
})
