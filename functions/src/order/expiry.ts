import { expireOrder } from '@shop/shared/order/order.ts'
import { deleteExpiredCounts } from '../http/rate-limit.ts'
import type { Shop } from '../shop.ts'
import { deleteReusableAmounts } from './placing-store.ts'
import { lockExpired, saveOutcome } from './store.ts'

const BATCH = 200

/** Ends every order whose time ran out; safe to run twice at once. Returns how many it ended. */
export async function expireOrders(shop: Pick<Shop, 'db' | 'now'>): Promise<number> {
  let ended = 0
  for (;;) {
    const batch = await shop.db.transaction(async tx => {
      const now = shop.now()
      const orders = await lockExpired(tx, now, BATCH)
      for (const order of orders) await saveOutcome(tx, expireOrder(order, now))
      return orders.length
    })
    ended += batch
    if (batch < BATCH) break
  }
  await deleteReusableAmounts(shop.db, shop.now())
  await deleteExpiredCounts(shop.db)
  return ended
}
