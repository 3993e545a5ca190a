import { dueOf, type Order } from '@shop/shared/order/order.ts'
import type { Sql } from '../../database/database.ts'
import { pick, row, sql, under } from '../../database/sql.ts'
import { statementLine } from '../../statement/tables.ts'

interface OrderLine {
  id: string
  amountSatang: number
  /** Bangkok day "YYYY-MM-DD"; `at` is set when the bank also gave the time. */
  day: string
  at: Date | null
  detail: string
}

const l = under(statementLine)

/** Returns the statement line that is matched to an order. */
export async function findStatementLine(db: Sql, orderId: string): Promise<OrderLine | null> {
  const [found] = await db.query({
    text: sql`SELECT ${row<OrderLine>(pick(l, 'id', 'amountSatang', 'day', 'at', 'detail'))} FROM ${l} WHERE ${l.orderId} = $1`,
    values: [orderId],
  })
  return found ?? null
}

/** Returns by how many satang that line falls short of what was due for the order. */
export async function findShortSatang(db: Sql, order: Order): Promise<number> {
  const line = await findStatementLine(db, order.id)
  return line ? Math.max(0, dueOf(order) - line.amountSatang) : 0
}
