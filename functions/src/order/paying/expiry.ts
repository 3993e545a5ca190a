import { releaseLapsed } from '@shop/shared/order/claim.ts'
import { expireOrder, type Order, type OrderOutcome } from '@shop/shared/order/order.ts'
import type { Sql } from '../../database/database.ts'
import type { Shop } from '../../shop/shop.ts'
import { lockExpired, lockLapsed, saveOutcome } from '../store.ts'

const BATCH = 200

type Parts = Pick<Shop, 'db' | 'now'>

/** Decides about every order whose time is over, batch by batch. Safe to run twice at once. Returns their number. */
async function runOut(
  shop: Parts,
  lock: (tx: Sql, now: Date, limit: number) => Promise<Order[]>,
  decide: (order: Order, now: Date) => OrderOutcome,
): Promise<number> {
  for (let all = 0; ; ) {
    const batch = await shop.db.transaction(async tx => {
      const now = shop.now()
      const orders = await lock(tx, now, BATCH)
      for (const order of orders) await saveOutcome(tx, decide(order, now))
      return orders.length
    })
    all += batch
    if (batch < BATCH) return all
  }
}

/** Ends every order whose payment did not arrive in time. */
export const expireOrders = (shop: Parts): Promise<number> => runOut(shop, lockExpired, expireOrder)

/** Releases every claimed order whose claimer has not renewed the claim in time. */
export const releaseLapsedClaims = (shop: Parts): Promise<number> => runOut(shop, lockLapsed, releaseLapsed)
