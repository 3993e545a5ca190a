import type { Satang } from '@shop/shared/money.ts'
import type { Order } from '@shop/shared/order/order.ts'
import { countSale, isSold } from '../../dashboard/sale-day.ts'
import type { Sql } from '../../database/database.ts'
import { as, row, sql, under } from '../../database/sql.ts'
import { voucher } from '../../voucher/tables.ts'
import { orders } from '../tables.ts'

const [o, v] = [under(orders), under(voucher)]

/** Gives an order another cost, and its day's sales the difference. Its transaction holds the order's lock. */
async function saveCost(tx: Sql, { id, ...sold }: Order, costSatang: Satang): Promise<void> {
  if (costSatang === sold.costSatang) return
  await tx.query({
    text: sql`UPDATE ${o} SET ${o.costSatang} = $2 WHERE ${o.id} = $1`,
    values: [id, costSatang],
  })
  if (!isSold(sold.status) || !sold.paidAt) return
  await countSale(tx, sold, -1)
  await countSale(tx, { ...sold, costSatang }, 1)
}

/**
 * Lets an order whose last piece was delivered cost what the codes did that it took from the shop's stock. What else it
 * brought costs what was taken for granted when it was placed.
 */
export async function costByStock(tx: Sql, order: Order): Promise<void> {
  const [had] = await tx.query({
    text: sql`SELECT ${row({ pieces: as.int('count(*)'), satang: as.satang(`coalesce(sum(${v.costSatang}), 0)`) })} FROM ${v}
      WHERE ${v.orderId} = $1 AND ${v.state} = 'sold' AND ${v.batchId} IS NOT NULL`,
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
