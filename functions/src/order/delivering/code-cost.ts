import type { Satang } from '@shop/shared/money.ts'
import type { Order } from '@shop/shared/order/order.ts'
import { countSale, isSold } from '../../dashboard/sale-day.ts'
import type { Sql } from '../../database/database.ts'

/** Gives an order another cost, and its day's sales the difference. Its transaction holds the order's lock. */
async function saveCost(tx: Sql, { id, ...sold }: Order, costSatang: Satang): Promise<void> {
  if (costSatang === sold.costSatang) return
  await tx.query({ text: 'UPDATE orders SET cost_satang = $2 WHERE id = $1', values: [id, costSatang] })
  if (!isSold(sold.status) || !sold.paidAt) return
  await countSale(tx, sold, -1)
  await countSale(tx, { ...sold, costSatang }, 1)
}

/**
 * Lets an order whose last piece was delivered cost what the codes did that it took from the shop's stock. What else it
 * brought costs what was taken for granted when it was placed.
 */
export async function costByStock(tx: Sql, order: Order): Promise<void> {
  const [had] = await tx.query<{ pieces: number; satang: Satang }>({
    text: `SELECT count(*)::int AS pieces, coalesce(sum(cost_satang), 0)::bigint AS satang FROM voucher
      WHERE order_id = $1 AND state = 'sold' AND batch_id IS NOT NULL`,
    values: [order.id],
  })
  const { pieces, satang } = had!
  const others = order.quantity - pieces
  // Without a cost of before nobody knows what the others cost.
  if (pieces === 0 || (others > 0 && order.costSatang === null)) return
  await saveCost(tx, order, satang + Math.round(((order.costSatang ?? 0) * others) / order.quantity))
}

/** Adds what a code costs that took the place of a bad one. */
export async function costMore(tx: Sql, order: Order, satang: Satang | null): Promise<void> {
  if (order.costSatang !== null && satang !== null) await saveCost(tx, order, order.costSatang + satang)
}
