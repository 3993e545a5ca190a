import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { MOST_COUNTED } from '@shop/shared/list-count.ts'
import type { listOwnOrders } from '@shop/shared/order/own-endpoints.ts'
import type { OrderStatus } from '@shop/shared/order/status.ts'
import { ORDER_TAB, ORDER_TABS, type OrderTab } from '@shop/shared/order/tabs.ts'
import type { Queries } from '../../database/database.ts'
import type { Filter } from '../../database/listing.ts'
import { as, type Fields, notNull, row, sql, under } from '../../database/sql.ts'
import { DUE } from '../../transfer/order-money.ts'
import { orders, RUNNING_STATUS_LIST, waitingBuyer } from '../tables.ts'
import { filterOwn, type HistoryRow, NEWEST, rowOf, rowsFrom, SORT, selectRows } from './history-store.ts'

/** A buyer's own orders. */

const [o, bare] = [under(orders, 'o'), under(orders)]

const IF_REPORTED = {
  always: '',
  unreported: ` AND ${o.transferReportedAt} IS NULL`,
  reported: ` AND ${o.transferReportedAt} IS NOT NULL`,
}

/** @param key the placeholder of the buyer's key */
const isUnder = (tab: OrderTab, key: string): string => {
  const parts = Object.entries(ORDER_TAB[tab]) as [keyof typeof IF_REPORTED, OrderStatus[]][]
  const conditions = parts.flatMap(([when, statuses]) =>
    statuses.map(status => `${hasStatus(status, key)}${IF_REPORTED[when]}`),
  )
  return `(${conditions.join(' OR ')})`
}

const hasStatus = (status: OrderStatus, key: string): string =>
  status === 'waiting_payment' ? `${waitingBuyer('o')} = ${key}` : `${o.status} = '${status}'`

type TabCounts = Record<'all' | OrderTab, number>
export const NO_ORDERS: TabCounts = { all: 0, pay: 0, underWay: 0, done: 0, trouble: 0 }

/** Each tab is counted for itself, so that none reads on through a buyer's other orders. */
function countTabs(filter: Filter, key: string) {
  const count = (where: string) =>
    as.int(`(SELECT count(*) FROM (SELECT 1 FROM ${o} WHERE ${where} LIMIT ${MOST_COUNTED + 1}) AS counted)`)
  const tabs = ORDER_TABS.map(tab => [tab, count(`${filter} AND ${isUnder(tab, key)}`)])
  return sql`SELECT ${row<TabCounts>({ all: count(`${filter}`), ...(Object.fromEntries(tabs) as Fields<Record<OrderTab, number>>) })}`
}

/** Returns a page of a buyer's orders, unpaid ones first, then newest first, and how many there are under each tab. */
export async function findOwnOrders(
  db: Queries,
  buyerKey: string,
  { tab, page, pageSize, ...query }: ParsedInput<typeof listOwnOrders>['query'],
): Promise<{ rows: HistoryRow[]; counts: TabCounts }> {
  const filter = filterOwn(query)
  const key = filter.bind(buyerKey)
  filter.must(`${o.buyerKey} = ${key}`)
  const offset = (page - 1) * pageSize
  // Two lists are read, each in the order of an index, because a buyer may have very many orders of which only a few
  // are unpaid.
  const part = (isUnpaid: boolean) => `(SELECT o.* FROM ${o} WHERE ${filter}${tab ? ` AND ${isUnder(tab, key)}` : ''}
    AND ${isUnpaid ? hasStatus('waiting_payment', key) : `${o.status} <> 'waiting_payment'`} ORDER BY ${NEWEST} LIMIT ${pageSize + offset})`
  const order = `(${o.status} = 'waiting_payment') DESC, ${NEWEST}`
  const [rows, [counts]] = await Promise.all([
    db.query({
      text: sql`WITH page AS (SELECT o.* FROM (${part(true)} UNION ALL ${part(false)}) AS o ORDER BY ${order} LIMIT ${pageSize} OFFSET ${offset})
        ${selectRows('page', SORT.createdAt)} ORDER BY ${order}`,
      values: filter.values,
    }),
    db.query({ text: countTabs(filter, key), values: filter.values }),
  ])
  return { rows, counts: counts! }
}

/** Must equal the condition of the partial index `orders_running`. */
const IS_RUNNING = `(${o.status} IN (${RUNNING_STATUS_LIST}) OR (${o.status} = 'expired' AND ${o.transferReportedAt} IS NOT NULL))`
const MOST_RUNNING = 20
const RUNNING_FIRST = `(${o.status} = 'waiting_payment' AND ${o.transferReportedAt} IS NULL) DESC, ${NEWEST}`
/** For the buyers' keys $1, of those that ended the ones after $2. */
const RUNNING = `SELECT o.* FROM ${o} WHERE ${o.buyerKey} = ANY($1) AND ${IS_RUNNING}
  AND (${o.endedAt} IS NULL OR ${o.endedAt} > $2) ORDER BY ${RUNNING_FIRST} LIMIT ${MOST_RUNNING}`

/**
 * Returns the orders of some buyers' keys that are under way or failed after `endedAfter`: unpaid first, then newest
 * first.
 */
export async function findRunningOrders(db: Queries, buyerKeys: string[], endedAfter: Date): Promise<HistoryRow[]> {
  return db.query({
    name: 'order_running',
    text: sql`WITH page AS (${RUNNING}) ${selectRows('page', SORT.createdAt)} ORDER BY ${RUNNING_FIRST}`,
    values: [buyerKeys, endedAfter],
  })
}

/** Deliveries among which the players of an account are looked for; a reseller's last ones name many players. */
const LOOKED_THROUGH = 30

/** Returns the same and the last deliveries of a game to the account of the first key, in one statement. */
export async function findBuyerOrders(
  db: Queries,
  { buyerKeys, endedAfter, gameId }: { buyerKeys: string[]; endedAfter: Date; gameId: number },
): Promise<{ running: HistoryRow[]; deliveries: HistoryRow[] }> {
  const rows = await db.query({
    name: 'order_of_buyer',
    // What was delivered is no longer under way, so no order stands in both.
    text: sql`WITH page AS ((${RUNNING}) UNION ALL (SELECT o.* FROM ${o} WHERE ${o.buyerKey} = $3 AND ${o.gameId} = $4
        AND ${o.status} = 'success' ORDER BY ${NEWEST} LIMIT ${LOOKED_THROUGH}))
      ${selectRows('page', SORT.createdAt)} ORDER BY ${RUNNING_FIRST}`,
    values: [buyerKeys, endedAfter, buyerKeys[0], gameId],
  })
  const { deliveries = [], running = [] } = Object.groupBy(rows, row =>
    row.status === 'success' ? 'deliveries' : 'running',
  )
  return { running, deliveries }
}

/** Returns the buyer's unpaid orders, newest first. All of them expire, because they wait for a transfer. */
export async function findWaitingOrders(db: Queries, buyerKey: string): Promise<(HistoryRow & { expiresAt: Date })[]> {
  return db.query({
    name: 'order_waiting',
    text: sql`SELECT ${row<HistoryRow & { expiresAt: Date }>({
      ...rowOf(SORT.createdAt),
      // What is still to be paid.
      amountSatang: DUE,
      expiresAt: notNull(o.expiresAt),
    })}
  ${rowsFrom('orders')}
      WHERE ${waitingBuyer('o')} = $1 ORDER BY ${o.createdAt} DESC`,
    values: [buyerKey],
  })
}

/** How many orders of a buyer were delivered. */
export async function countFinished(db: Queries, buyerKey: string): Promise<number> {
  const [found] = await db.query({
    text: sql`SELECT ${row({ n: as.int('count(*)') })} FROM ${bare} WHERE ${bare.buyerKey} = $1 AND ${bare.status} = 'success'`,
    values: [buyerKey],
  })
  return found!.n
}
