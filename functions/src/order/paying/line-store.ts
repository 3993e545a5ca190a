import { dueOf, type Order } from '@shop/shared/order/order.ts'
import type { Sql } from '../../database/database.ts'

interface OrderLine {
  id: string
  amountSatang: number
  /** Bangkok day "YYYY-MM-DD"; `at` is set when the bank also gave the time. */
  day: string
  at: Date | null
  detail: string
}

/** Returns the statement line that is matched to an order. */
export async function findStatementLine(db: Sql, orderId: string): Promise<OrderLine | null> {
  const [row] = await db.query<OrderLine>({
    text: `SELECT id, amount_satang AS "amountSatang", day::text, at, detail FROM statement_line WHERE order_id = $1`,
    values: [orderId],
  })
  return row ?? null
}

/** Returns by how many satang that line falls short of what was due for the order. */
export async function findShortSatang(db: Sql, order: Order): Promise<number> {
  const line = await findStatementLine(db, order.id)
  return line ? Math.max(0, dueOf(order) - line.amountSatang) : 0
}
