import { confirmOrder, listAllOrders, updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { expect } from 'vitest'
import { fixture } from './fixture.ts'
import { buyByBank } from './orders.ts'
import { callerOf, onceKey } from './shop.ts'

const BUYERS = 3

let players = 0

/** People who buy by transfer and from a wallet, and staff who confirm and refund, until they are told to stop. */
export function startTraffic(url: string) {
  const request = (path: string, init?: RequestInit) => fetch(url + path, init)
  const as = (uid: string | null) => callerOf(request, { now: new Date() }, uid)
  const failures: string[] = []
  let rounds = 0
  let bought: Record<string, unknown> = {}
  let isOpen = true
  async function buyAndRefund(): Promise<void> {
    const admin = as('admin')
    const { orderNo } = await buyByBank(as(null), bought)
    for (const status of ['paid', 'refunded'] as const)
      await admin.call(updateOrderStatus, { body: { orderNo, status, reason: 'เติมไม่ได้' } })
    const { rows } = await admin.call(listAllOrders, { query: { orderNo } })
    expect(rows.map(order => order.orderNo)).toEqual([orderNo])
  }
  async function round(): Promise<void> {
    await buyAndRefund().catch(error => {
      // A price has 99 amounts of an account: when a long migration needs more, the wallets buy on.
      if (error.code !== 'ACCOUNT_AMOUNTS_EXHAUSTED') throw error
    })
    const playerId = String(++players)
    const body = { gameId: fixture.pubg.id, packageId: fixture.pubg.package, playerId, termsVersion: '1' }
    await as('agent').call(confirmOrder, { body: { ...body, pin: '1234' }, idempotencyKey: onceKey() })
  }
  const all = Promise.all(
    Array.from({ length: BUYERS }, async () => {
      while (isOpen) {
        await round().catch((error: Error) => failures.push(error.message))
        rounds++
      }
    }),
  )
  return {
    /** Resolves when so many more orders went their whole way; those by transfer are for this. */
    async pass(count: number, order: Record<string, unknown> = {}) {
      bought = order
      const wanted = rounds + count
      await expect.poll(() => rounds, { timeout: 60_000 }).toBeGreaterThanOrEqual(wanted)
    },
    async stop() {
      isOpen = false
      await all
      return failures
    },
  }
}
