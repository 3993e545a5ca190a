import { as, type Expr, outer, under } from '../database/sql.ts'
import { orders } from '../order/tables.ts'
import { statementLine } from '../statement/tables.ts'
import { usedTransfer } from './tables.ts'

// What an order is about in money, as SQL. Nothing else adds up an order's columns; `house.test` sees to it.

/** What an order is worth: its price and the satang that tell its transfer from others; as the index `orders_total` has it. */
export function worthSql(alias: string): Expr<number> {
  const o = under(orders, alias)
  return as.satang(`(${o.priceSatang} + ${o.tailSatang})`)
}

/** What is to come for an order beside shop credit; as the index `orders_due` has it. */
export function dueSql(alias: string): Expr<number> {
  const o = under(orders, alias)
  return as.satang(`(${o.priceSatang} + ${o.tailSatang} - ${o.creditSatang})`)
}

/** The same of an order `o`. */
export const WORTH = worthSql('o')
export const DUE = dueSql('o')

const [o, u, l] = [under(orders, 'o'), under(usedTransfer, 'u'), outer(statementLine, 'l')]

/** When an order `o` was paid, unpaid orders before all; as the index `orders_paid` has it. */
export const PAID_AT = as.instant(`coalesce(${o.paidAt}, '-infinity')`)

/**
 * When the money of an order `o` that was paid came: by the bank's line or the provider's word on its slip, not when
 * somebody matched it. A line without a time came on its day.
 */
export const WAITS_SINCE = as.instant(`least(${o.paidAt}, greatest(${o.createdAt}, coalesce((
  SELECT coalesce(${l.at}, ${u.toldAt}, (${l.day} + 1)::timestamp AT TIME ZONE 'Asia/Bangkok')
  FROM ${u} LEFT JOIN ${l} ON ${l.id} = ${u.lineId} WHERE ${u.subjectId} = ${o.id}), ${o.paidAt})))`)
