import { isOwnLineAccount } from '@shop/shared/account/account.ts'
import type { SaleChannel } from '@shop/shared/dashboard/channel.ts'
import { invariant } from '@shop/shared/errors.ts'
import { amountOf, type Order } from '@shop/shared/order/order.ts'
import { ORDER_STATUS, ORDER_STATUSES, type OrderStatus } from '@shop/shared/order/status.ts'
import { bangkokDay } from '@shop/shared/time.ts'
import { listSql } from '../database/columns.ts'
import type { Sql } from '../database/database.ts'
import { as, type Expr, pick, row, sql, under } from '../database/sql.ts'
import { type Placeholders, Values } from '../database/values.ts'
import { orders } from '../order/tables.ts'
import { WORTH } from '../transfer/order-money.ts'
import { soldDay } from './tables.ts'

/**
 * The number of rows that one day of a package may be spread over, so that this many buyers at the same moment never
 * wait for each other.
 */
const SLOTS = 8

/** Tells whether an order counts as sold: the shop has received its money and not given it back. */
export const isSold = (status: OrderStatus): boolean => ORDER_STATUS[status].money === 'held'

type Sold = Pick<Order, 'packageId' | 'payment' | 'buyerUid' | 'quantity' | 'priceSatang' | 'tailSatang' | 'costSatang'>

/**
 * Whom a sale is counted under: the owner of the wallet that paid, else the kind of buyer. It follows from what an order
 * never changes, so a sale is taken off where it was added. `channelSql` says the same in SQL.
 */
function buyerOf({ payment, buyerUid }: Sold): string {
  if (payment === 'wallet') return buyerUid ?? ''
  if (buyerUid === null) return 'guest' satisfies SaleChannel
  return (isOwnLineAccount(buyerUid) ? 'line' : 'member') satisfies SaleChannel
}

/** Returns the SQL of the channel of an order, for the orders under an alias. */
export function channelSql(alias: string): Expr<SaleChannel> {
  const o = under(orders, alias)
  return as.text(`CASE WHEN ${o.payment} = 'wallet' THEN 'reseller'
  WHEN ${o.buyerUid} IS NULL THEN 'guest' WHEN ${o.buyerUid} LIKE 'line:%' THEN 'line' ELSE 'member' END`)
}

const o = under(orders, 'o')
const BUYER = `CASE WHEN ${o.payment} = 'wallet' THEN coalesce(${o.buyerUid}, '') ELSE ${channelSql('o')} END`

/** Of a day or a month. */
const sold = under(soldDay)
const KEY = pick(sold, 'day', 'packageId', 'payment', 'buyer')
const SUMS = pick(sold, 'orders', 'quantity', 'revenueSatang', 'costSatang', 'uncostedSatang')

/**
 * Adds to the day or month of a package and a buyer: in a row that nobody has locked, else in a new one, else in the
 * first that becomes free.
 */
function addSql(
  table: string,
  day: string,
  { packageId, payment, buyer, orders, quantity, revenueSatang, costSatang, uncostedSatang }: SentSale,
  after: readonly string[],
): string {
  const sums = [orders, quantity, revenueSatang, costSatang, uncostedSatang]
  const at = `${sold.day} = ${day}::date AND ${sold.packageId} = ${packageId} AND ${sold.payment} = ${payment} AND ${sold.buyer} = ${buyer}`
  const done = after.map(name => `(SELECT count(*) AS rows FROM ${name}) AS after_${name}`)
  const made = after.map(name => `after_${name}.rows > 0`)
  const added = Object.values(SUMS).map(sum => `${sum} = d.${sum} + excluded.${sum}`)
  return `INSERT INTO ${table} AS d (${Object.values({ ...KEY, slot: sold.slot, ...SUMS })})
      SELECT ${day}::date, ${packageId}::int, ${payment}::text, ${buyer}::text, coalesce(
          (SELECT ${sold.slot} FROM ${table} WHERE ${at} LIMIT 1 FOR UPDATE SKIP LOCKED),
          (SELECT slot FROM generate_series(0, ${SLOTS - 1}) AS slot
            WHERE slot NOT IN (SELECT ${sold.slot} FROM ${table} WHERE ${at}) ORDER BY random() LIMIT 1),
          floor(random() * ${SLOTS})::int
        ), ${sums.map(sum => `${sum}::bigint`).join(', ')}
      ${done.length > 0 ? `FROM ${done.join(', ')} WHERE ${made.join(' AND ')}` : ''}
      ON CONFLICT (${Object.values({ ...KEY, slot: sold.slot })}) DO UPDATE SET ${added.join(', ')}
      RETURNING ${sold.slot}`
}

/**
 * Returns CTEs that count a sale. They run after the
 * CTEs in `after`, and write nothing when one of those returned no row. The caller must already hold all other locks
 * that it needs, and the day is locked before the month; so two sales never wait for each other.
 */
export function saleCtes(sent: SentSale, after: readonly string[] = []): string {
  return `sold AS (${addSql('sold_day', sent.day, sent, after)}), sold_in_month AS (${addSql('sold_month', sent.month, sent, ['sold'])})`
}

type SentSale = Placeholders<ReturnType<typeof saleValues>>

/** @param times 1 counts the sale, -1 removes it from the day on which it was paid */
export function saleValues(order: Sold, paidAt: Date, times: 1 | -1 = 1) {
  const revenue = amountOf(order)
  const day = bangkokDay(paidAt)
  return {
    day,
    month: `${day.slice(0, 7)}-01`,
    packageId: order.packageId,
    payment: order.payment,
    buyer: buyerOf(order),
    orders: times,
    quantity: times * order.quantity,
    revenueSatang: times * revenue,
    costSatang: times * (order.costSatang ?? 0),
    uncostedSatang: order.costSatang === null ? times * revenue : 0,
  }
}

/** What a change of an order may change about its sale. */
export type SoldAs = Pick<Order, 'paidAt' | 'quantity' | 'priceSatang' | 'costSatang'>

/** Counts an order that was just paid, or removes one from the day on which it was paid. */
export async function countSale(tx: Sql, order: Sold & Pick<Order, 'paidAt'>, times: 1 | -1): Promise<void> {
  const { paidAt } = order
  invariant(paidAt, 'a sale has the moment at which it was paid')
  const values = new Values()
  const text = sql`WITH ${saleCtes(values.addAll(saleValues(order, paidAt, times)))} SELECT`
  await tx.query({ name: 'sale_count', text, values: values.all })
}

/** The statuses of orders that count as sold, as an SQL list. */
export const SOLD_STATUS_LIST = listSql(ORDER_STATUSES.filter(isSold))

/** The sums computed from the orders themselves. */
const FROM_ORDERS = `SELECT (${o.paidAt} AT TIME ZONE 'Asia/Bangkok')::date AS ${sold.day}, ${o.packageId}, ${o.payment}, ${BUYER} AS ${sold.buyer},
    count(*) AS ${sold.orders}, sum(${o.quantity}) AS ${sold.quantity}, sum(${WORTH}) AS ${sold.revenueSatang},
    coalesce(sum(${o.costSatang}), 0) AS ${sold.costSatang},
    coalesce(sum(${WORTH}) FILTER (WHERE ${o.costSatang} IS NULL), 0) AS ${sold.uncostedSatang}
  FROM ${o} WHERE ${o.paidAt} IS NOT NULL AND ${o.status} IN (${SOLD_STATUS_LIST}) GROUP BY 1, 2, 3, 4`

const [KEYS, ALL_SUMS] = [
  `${Object.values(KEY)}`,
  Object.values(SUMS)
    .map(sum => `sum(${sum}) AS ${sum}`)
    .join(', '),
]

/** The sums of months computed from the days. */
const FROM_DAYS = `SELECT date_trunc('month', ${sold.day})::date AS ${sold.day}, ${sold.packageId}, ${sold.payment}, ${sold.buyer}, ${ALL_SUMS}
  FROM ${sold} GROUP BY 1, 2, 3, 4`

const sumsOf = (side: string) => Object.values(SUMS).map(sum => `coalesce(${side}.${sum}, 0)`)
const WHAT = row({ what: as.text('what') })

const differences = (table: string, expected: string) => `SELECT
    format('%s %s package %s by %s of %s: %s orders, %s pieces, %s satang, cost %s, without cost %s; expected %s, %s, %s, %s, %s',
      '${table}', ${KEYS}, ${[...sumsOf('t'), ...sumsOf('s')].join(', ')}) AS what
  FROM (SELECT ${KEYS}, ${ALL_SUMS} FROM ${table} GROUP BY ${KEYS}) t
  FULL JOIN (${expected}) s USING (${KEYS})
  WHERE (${sumsOf('t')}) IS DISTINCT FROM (${sumsOf('s')})`

/** Finds days that differ from their orders, and months that differ from their days: one row with the text `what` for each. */
export const SALE_BREACHES = sql`SELECT ${WHAT} FROM (
    ${differences('sold_day', FROM_ORDERS)} UNION ALL ${differences('sold_month', FROM_DAYS)}
  ) AS different`

/** Computes every day and month again from the orders; new sales wait until it is done. */
export async function rebuildSales(tx: Pick<Sql, 'query'>): Promise<void> {
  // The lock waits for sales that have been counted, and later ones add to the new sums.
  await tx.query({ text: sql`LOCK TABLE sold_day, sold_month IN EXCLUSIVE MODE` })
  for (const [table, expected] of Object.entries({ sold_day: FROM_ORDERS, sold_month: FROM_DAYS })) {
    await tx.query({ text: sql`DELETE FROM ${table}` })
    await tx.query({
      text: sql`INSERT INTO ${table} (${sold.slot}, ${KEYS}, ${Object.values(SUMS)}) SELECT 0, * FROM (${expected}) AS sold`,
    })
  }
}
