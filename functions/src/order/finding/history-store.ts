import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { MOST_COUNTED } from '@shop/shared/list-count.ts'
import type { exportAllOrders } from '@shop/shared/order/finding-endpoints.ts'
import {
  type FoundBy,
  isCarriedOver,
  OPEN_STATUSES,
  type OrderSort,
  SHORTEST_SEARCH,
  sortingOf,
  WAITING,
  type WaitingFor,
} from '@shop/shared/order/history.ts'
import type { listOwnOrders } from '@shop/shared/order/own-endpoints.ts'
import type { TypedField } from '@shop/shared/order/player.ts'
import type { OrderStatus } from '@shop/shared/order/status.ts'
import { bangkokMonth } from '@shop/shared/time.ts'
import { account } from '../../account/tables.ts'
import { game } from '../../catalogue/tables.ts'
import type { Queries } from '../../database/database.ts'
import {
  type Cursor,
  cursorOf,
  Filter,
  findPage,
  inOrderWords,
  isEnd,
  likePart,
  lineId,
  mustFollow,
  orderOf,
  personName,
  readCursor,
  type SortKeys,
} from '../../database/listing.ts'
import { as, type Expr, type Fields, orNull, pick, row, sql, under } from '../../database/sql.ts'
import { owedRefund } from '../../statement/tables.ts'
import { DUE, PAID_AT, WORTH } from '../../transfer/order-money.ts'
import { CREDIT_BACK, IS_REFUND_ASKED } from '../money-back-store.ts'
import { orders } from '../tables.ts'
import { mustBeOfSale } from './sold-filter.ts'
import { beginsNumber, findBuyerKeys, findByWords, mustContain, mustEnd } from './words-store.ts'

type OwnQuery = Omit<ParsedInput<typeof listOwnOrders>['query'], 'tab' | 'page' | 'pageSize'>
export type StaffQuery = ParsedInput<typeof exportAllOrders>['query']

const [o, g, f] = [under(orders, 'o'), under(game, 'g'), under(owedRefund, 'f')]

/** The columns of an order that its row in a list shows as they are. */
const OWN = {
  ...pick(o, 'orderNo', 'status', 'playerId', 'playerName', 'payment', 'priceSatang', 'tailSatang'),
  ...pick(o, 'costSatang', 'quantity', 'createdAt', 'expiresAt', 'transferReportedAt', 'paidAt', 'queueNo'),
  ...pick(o, 'buyerKey', 'buyerUid', 'claimedBy'),
}

/** An order in a list. The contract of each list decides which fields leave the server. */
export interface HistoryRow extends Pick<typeof orders.$inferSelect, keyof typeof OWN> {
  gameCode: string
  gameName: string
  gamePicture: string
  packageName: string
  amountSatang: number
  buyerName: string | null
  lineId: string | null
  claimedByName: string | null
  fields: TypedField[]
  /** Whether its buyer proposes another player. */
  isProposed: boolean
  /** Whether money is owed for it that nobody knows where to send. */
  isPayeeMissing: boolean
  /** Whether it failed and its buyer asked for the money. */
  isRefundAsked: boolean
  creditBackSatang: number
  /** The position from which a list continues after this row. */
  cursor: Cursor
}

const AT = { sql: o.createdAt, type: 'timestamptz' } as const
const ID = { sql: o.id, type: 'uuid' } as const
const PAID = { sql: PAID_AT, type: 'timestamptz' } as const
export const NEWEST = orderOf([AT, ID], 'desc')

/** The SQL of an order `o`, its game `g`, its buyer `b` and its claimer `c`. */
const ROW: Fields<Omit<HistoryRow, 'cursor'>> = {
  ...OWN,
  gameCode: g.code,
  gameName: as.text(`${o.snapshot}->>'gameName'`),
  gamePicture: as.text(`${o.snapshot}->>'gamePicture'`),
  packageName: as.text(`${o.snapshot}->>'packageName'`),
  amountSatang: WORTH,
  buyerName: orNull(personName('b')),
  lineId: lineId('b'),
  claimedByName: orNull(personName('c')),
  fields: as.shape(`${o.snapshot}->'fields'`),
  isProposed: as.bool(`${o.proposedPlayer} IS NOT NULL`),
  isPayeeMissing: as.bool(`${o.status} = 'refunding' AND EXISTS (SELECT FROM ${f}
    WHERE ${f.orderId} = ${o.id} AND ${f.sentAt} IS NULL AND ${f.undoneAt} IS NULL AND ${f.payee} IS NULL AND ${f.creditId} IS NULL
      AND ${f.fromCreditId} IS NULL)`),
  isRefundAsked: IS_REFUND_ASKED,
  creditBackSatang: CREDIT_BACK,
}

/** Each sort key of `SORT` needs an index, which tables.ts names. */
export const SORT: Record<OrderSort | 'reportedAt', SortKeys> = {
  createdAt: [AT, ID],
  paidAt: [PAID, ID],
  amount: [{ sql: WORTH, type: 'bigint' }, AT, ID],
  queueNo: [{ sql: o.queueNo, type: 'bigint' }],
  // Only waiting orders are sorted by it, and those are few.
  reportedAt: [{ sql: `coalesce(${o.transferReportedAt}, 'infinity')`, type: 'timestamptz' }, ID],
}

/** Limits a list to a month; with `isCarried` it also includes earlier orders. */
type InMonth = (filter: Filter, month: string, isCarried: boolean) => void

const within =
  (moment: Expr<unknown>): InMonth =>
  (filter, month, isCarried) => {
    const { from, to } = bangkokMonth(month)
    if (!isCarried) filter.where(from, from => `${moment} >= ${from}`)
    filter.where(to, to => `${moment} < ${to}`)
  }

/** The index `orders_month_queue` must use the same expression. */
const MONTH = `date_trunc('month', ${o.createdAt} AT TIME ZONE 'Asia/Bangkok')`

/**
 * How a sorted list is limited to a month, and the order in which its rows are counted. Lists by payment are counted by
 * payment time, because such rows stand together in that index. Queue numbers have an index by month; without it a list
 * of an old month would read past all newer rows.
 */
const MONTH_OF: Record<OrderSort, { inMonth: InMonth; counted: string }> = {
  createdAt: { inMonth: within(AT.sql), counted: NEWEST },
  amount: { inMonth: within(AT.sql), counted: NEWEST },
  paidAt: { inMonth: within(PAID.sql), counted: orderOf(SORT.paidAt, 'desc') },
  queueNo: {
    inMonth: (filter, month, isCarried) =>
      filter.where(`${month}-01`, day => `${MONTH} ${isCarried ? '<=' : '='} ${day}::timestamp`),
    counted: orderOf(SORT.queueNo, 'desc'),
  },
}

export function filterOwn(query: OwnQuery, { inMonth } = MONTH_OF.createdAt, isCarried = false): Filter {
  const filter = new Filter()
  if (query.month) inMonth(filter, query.month, isCarried)
  // For a single game or status the index is also ordered by time; for several it is not.
  if (query.game?.length === 1) filter.where(query.game[0], game => `${o.gameId} = ${game}`)
  else filter.where(query.game, games => `${o.gameId} = ANY(${games}::int[])`)
  if (query.status?.length === 1) filter.where(query.status[0], status => `${o.status} = ${status}`)
  else filter.where(query.status, statuses => `${o.status} = ANY(${statuses}::text[])`)
  if (query.orderNo && isEnd(query.orderNo)) mustEnd(filter, query.orderNo)
  else if (query.orderNo && !beginsNumber(filter, query.orderNo)) {
    const part = query.orderNo.toUpperCase()
    filter.must(inOrderWords('o', part, it => filter.bind(it)))
    filter.where(likePart(part), pattern => `${o.orderNo} LIKE ${pattern}`)
  }
  return filter
}

/** Limits a list to the orders that wait for something that staff must do. */
function mustWait(filter: Filter, waiting: WaitingFor, uid: string): void {
  const { status, isReported, isCorrected, isMine } = WAITING[waiting]
  filter.must(`${o.status} = '${status}'`)
  if (isReported) filter.must(`${o.transferReportedAt} IS NOT NULL`)
  if (isCorrected !== undefined) filter.must(`(${o.proposedPlayer} IS NOT NULL) = ${isCorrected}`)
  if (isMine) filter.where(uid, uid => `${o.claimedBy} = ${uid}`)
}

/** Returns the conditions and the order of the rows that staff's filters select. */
async function selectFor(db: Queries, query: StaffQuery, uid: string) {
  const { sort, direction } = sortingOf(query)
  const monthOf = MONTH_OF[query.waiting || sort === 'reportedAt' ? 'createdAt' : sort]
  const filter = filterOwn(query, monthOf, isCarriedOver(query.status))
  mustBeOfSale(filter, query, PAID.sql)
  if (query.waiting) mustWait(filter, query.waiting, uid)
  // Unpaid orders have no queue number to sort by.
  else if (sort === 'queueNo') filter.must(`${o.queueNo} IS NOT NULL`)
  // The text stays last: without another condition, a very common one is known to match more orders than are counted.
  const isTextAlone = filter.isEmpty
  const isCommon = query.text ? await mustContain(db, filter, query.text) : false
  const total = isTextAlone && isCommon ? MOST_COUNTED + 1 : undefined
  const counted = query.month || query.paidFrom ? monthOf.counted : NEWEST
  return { filter, keys: SORT[sort], direction, counted, total }
}

/**
 * Joins an account by its uid, row by row: a plain join may be merged with all accounts up to the uid where the sample
 * knew few claimers.
 */
const joinAccount = (alias: string, uid: Expr<string | null>) => {
  const each = under(account, 'account')
  return `LEFT JOIN LATERAL (SELECT * FROM ${each} WHERE ${each.uid} = ${uid} LIMIT 1) ${alias} ON true`
}

export const rowOf = (keys: SortKeys): Fields<HistoryRow> => ({ ...ROW, cursor: as.shape(cursorOf(keys)) })

/** @param from the orders, or some of them */
export const rowsFrom = (from: string) =>
  `FROM ${from} o JOIN ${g} ON ${g.id} = ${o.gameId} ${joinAccount('b', o.buyerUid)} ${joinAccount('c', o.claimedBy)}`

export const selectRows = (from: string, keys: SortKeys) => sql`SELECT ${row<HistoryRow>(rowOf(keys))}
  ${rowsFrom(from)}`

/** Returns a page of all orders, filtered and sorted for `uid`, a member of the staff. */
export async function findOrders(
  db: Queries,
  query: StaffQuery & { page: number; pageSize: number; after?: string },
  uid: string,
): Promise<{ rows: HistoryRow[]; total: number }> {
  const { filter, keys, direction, counted, total } = await selectFor(db, query, uid)
  const after = query.after ? readCursor(query.after, keys) : null
  const goOn = after && ((filter: Filter) => mustFollow(filter, keys, direction, after))
  const order = orderOf(keys, direction)
  const list = { from: sql`${o}`, filter, goOn, order, counted: { limit: MOST_COUNTED + 1, order: counted }, total }
  return findPage(db, { ...list, select: selectRows('page', keys) }, query)
}

/** The number of orders that a download holds in memory at one time. */
const EXPORT_BATCH = 1000

/**
 * Yields all orders that the filters select, in batches. No database connection is held while the caller reads a batch.
 */
export async function* readOrders(db: Queries, query: StaffQuery, uid: string): AsyncGenerator<HistoryRow[]> {
  for (let after: Cursor | null = null; ; ) {
    const { filter, keys, direction } = await selectFor(db, query, uid)
    if (after) mustFollow(filter, keys, direction, after)
    const order = orderOf(keys, direction)
    const rows: HistoryRow[] = await db.query({
      text: sql`WITH page AS (SELECT o.* FROM ${o} WHERE ${filter} ORDER BY ${order} LIMIT ${EXPORT_BATCH})
        ${selectRows('page', keys)} ORDER BY ${order}`,
      values: filter.values,
    })
    if (rows.length > 0) yield rows
    if (rows.length < EXPORT_BATCH) return
    after = rows.at(-1)!.cursor
  }
}

/** The most orders of one kind that a search returns, newest first. */
const MOST_FOUND = 5

async function findNewest(db: Queries, filter: Filter): Promise<HistoryRow[]> {
  return db.query({
    text: sql`WITH page AS (SELECT o.* FROM ${o} WHERE ${filter} ORDER BY ${NEWEST} LIMIT ${MOST_FOUND})
      ${selectRows('page', SORT.createdAt)} ORDER BY ${NEWEST}`,
    values: filter.values,
  })
}

/**
 * Returns the newest orders of some buyers. Each buyer's newest are read by the index; a single condition for all would
 * read every order of theirs.
 */
async function findNewestOf(db: Queries, buyerKeys: string[]): Promise<HistoryRow[]> {
  return db.query({
    text: sql`WITH page AS (SELECT o.* FROM unnest($1::text[]) AS buyer (key) CROSS JOIN LATERAL (
          SELECT o.* FROM ${o} WHERE ${o.buyerKey} = buyer.key ORDER BY ${NEWEST} LIMIT ${MOST_FOUND}
        ) AS o ORDER BY ${NEWEST} LIMIT ${MOST_FOUND})
      ${selectRows('page', SORT.createdAt)} ORDER BY ${NEWEST}`,
    values: [buyerKeys],
  })
}

/**
 * Finds orders by a text, grouped by what it matches; amounts must match exactly and are whole baht. @param ofSlip the
 * orders, among other things, whose slip has the text as its reference
 */
export async function findBySearch(
  db: Queries,
  text: string,
  { amountSatang, ofSlip }: { amountSatang: number | null; ofSlip: string[] },
): Promise<Record<FoundBy, HistoryRow[]>> {
  const byStart = new Filter()
  const isStart = beginsNumber(byStart, text)
  const isInside = !isStart && text.length >= SHORTEST_SEARCH
  const find = (condition: (filter: Filter) => string) => {
    const filter = new Filter()
    filter.must(condition(filter))
    return findNewest(db, filter)
  }
  const [byWords, keys] = isInside ? await Promise.all([findByWords(db, text), findBuyerKeys(db, text)]) : [null, []]
  const slips = isInside ? ofSlip : []
  const none: HistoryRow[] = []
  const inWords = (contains: (pattern: string) => string) =>
    byWords ? find(filter => `${byWords.condition(filter)} AND (${contains(filter.bind(likePart(text)))})`) : none
  const [orderNo, player, buyer, slip, amount] = await Promise.all([
    isStart ? findNewest(db, byStart) : inWords(part => `${o.orderNo} ILIKE ${part}`),
    inWords(part => `${o.playerId} ILIKE ${part} OR ${o.playerName} ILIKE ${part}`),
    keys.length > 0 ? findNewestOf(db, keys) : none,
    slips.length > 0 ? find(filter => `${o.id} = ANY(${filter.bind(slips)}::uuid[])`) : none,
    amountSatang === null ? none : find(filter => `${DUE} = ${filter.bind(amountSatang)}`),
  ])
  return { orderNo, player, buyer, slip, amount }
}

/** Counts orders from before a moment that are still open and have none of these statuses, up to 1,001. */
export async function countOpenBefore(db: Queries, before: Date, except: readonly OrderStatus[]): Promise<number> {
  const [found] = await db.query({
    name: 'order_open_before',
    text: sql`SELECT ${row({ n: as.int('count(*)') })} FROM (SELECT 1 FROM ${o} WHERE ${o.status} = ANY($1) AND ${o.createdAt} < $2 LIMIT ${MOST_COUNTED + 1}) AS counted`,
    values: [OPEN_STATUSES.filter(status => !except.includes(status)), before],
  })
  return found!.n
}
