import { addSeconds, bangkokMonth } from '@shop/shared/time.ts'
import type { ActionType, TopUpPayment, TopUpStatus, TransType } from '@shop/shared/wallet/top-up.ts'
import { monthOfNumber } from '../database/listing.ts'
import {
  as,
  type Expr,
  type Fields,
  notNull,
  orNull,
  outer,
  pick,
  row,
  sql,
  type Text,
  under,
} from '../database/sql.ts'
import { Values } from '../database/values.ts'
import { orders } from '../order/tables.ts'
import { type HistoryCursor, isPaidFrom, type Named, type Sought } from './history-search.ts'
import { ledgerEntry, ledgerTransaction, topUp } from './tables.ts'

/** Builds the queries for the sources of the wallets' history: top-ups, the ledger, and orders that cost nothing. */

type AddValue = Values['add']

/** One line of the history: a top-up in any state, another movement of the ledger, or an order that cost nothing. */
export interface HistoryLine {
  id: string
  no: string
  actionType: ActionType
  transType: TransType
  amountSatang: number
  status: TopUpStatus
  slipId: string | null
  receivingAccountId: number | null
  /** How a top-up is paid; null for another movement. */
  payment: TopUpPayment | null
  orderNo: string | null
  gameName: string | null
  packageName: string | null
  reason: string | null
  createdAt: Date
  isTopUp: boolean
  enteredBy: string | null
  /** For a top-up: whether a line of a bank statement shows its money. */
  hasStatementLine: boolean
  /** Whether the bank has confirmed the slip of a top-up. */
  isSlipConfirmed: boolean
  walletId: string
  ownerUid: string
  agentName: string
  tierName: string
}

/** The fields of a line that its source provides, before names are joined. */
type SourceLine = Omit<
  HistoryLine,
  | 'orderNo'
  | 'gameName'
  | 'packageName'
  | 'hasStatementLine'
  | 'isSlipConfirmed'
  | 'ownerUid'
  | 'agentName'
  | 'tierName'
> & { orderId: string | null }

/** Returns a word of the history as SQL. */
const word = <Word extends ActionType | TransType | TopUpStatus>(text: Word) => as.text<Word>(`'${text}'`)

const [u, o] = [under(topUp, 'u'), under(orders, 'o')]
/** An entry, and the order or top-up that it may be of. */
export const entry = {
  e: under(ledgerEntry, 'e'),
  x: under(ledgerTransaction, 'x'),
  o: outer(orders, 'o'),
  u: outer(topUp, 'u'),
}
const { e, x } = entry

/**
 * How a ledger line is shown: the number of its order, or of the top-up it corrects, and the direction of the money.
 */
export const ENTRY: Fields<Pick<SourceLine, 'no' | 'actionType' | 'transType'>> = {
  no: as.text(`coalesce(${entry.o.orderNo}, ${entry.u.no}, '')`),
  actionType: as.text(`CASE WHEN ${entry.o.id} IS NULL THEN ${word('เติมเงิน')} ELSE ${word('เติมเกม')} END`),
  transType:
    as.text(`CASE WHEN ${x.kind} IN ('order_refunded', 'order_reduced') THEN ${word('คืนเงิน')} WHEN ${e.amountSatang} < 0 THEN ${word('ถอน')}
    ELSE ${word('ฝาก')} END`),
}
export const ENTRY_TABLES = sql`${e} JOIN ${x} ON ${x.id} = ${e.transactionId}
  LEFT JOIN ${entry.o} ON ${entry.o.id} = ${x.subjectId} LEFT JOIN ${entry.u} ON ${entry.u.id} = ${x.subjectId}`

/** A search by a part of an order's number also finds ledger movements up to this long after the order's month. */
const MOVED_DAYS = 92
/**
 * Returns the condition that a line's id or number was named. LIKE is avoided, because the planner expects few matches
 * for a pattern, and would read and sort them all instead of the newest lines. When the part names a month, only that
 * month is read, so that an old line is found without reading all newer ones.
 */
function isNamed(named: Named, line: Record<'id' | 'no' | 'at', Expr<unknown>>, add: AddValue, laterDays = 0): string {
  if ('ids' in named) return `${line.id} = ANY(${add(named.ids)}::uuid[])`
  const contains = `strpos(${line.no}, ${add(named.part)}) ${named.isStart ? '= 1' : '> 0'}`
  const month = monthOfNumber(named.part)
  if (!month) return contains
  const to = addSeconds(month.to, laterDays * 86_400)
  return `${contains} AND ${line.at} >= ${add(month.from)} AND ${line.at} < ${add(to)}`
}

/**
 * Returns the condition that a column names one of the wanted wallets, written as `nameOf` does; nothing when all are
 * wanted.
 */
function isOfWallet(
  { walletId, walletIds }: Sought,
  column: Expr<unknown>,
  add: AddValue,
  nameOf = (id: string) => id,
): string[] {
  if (walletId) return [`${column} = ${add(nameOf(walletId))}`]
  return walletIds ? [`${column} = ANY(${add(walletIds.map(nameOf))})`] : []
}

/** Returns the condition that a moment is in the wanted month; nothing when every month is wanted. */
function isInMonth({ month }: Sought, at: Expr<unknown>, add: AddValue): string[] {
  if (!month) return []
  const { from, to } = bangkokMonth(month)
  return [`${at} >= ${add(from)} AND ${at} < ${add(to)}`]
}

/** The first condition alone can be answered from an index. */
function below(
  { createdAt, id, walletId }: HistoryCursor,
  [at, idColumn, wallet]: [Expr<unknown>, Expr<unknown>, Expr<unknown>],
  add: AddValue,
) {
  const moment = add(createdAt)
  return `${at} <= ${moment} AND (${at}, ${idColumn}, ${wallet}) < (${moment}, ${add(id)}::uuid, ${add(walletId)}::uuid)`
}

const NO_ID = orNull(as.shape<string>('NULL::uuid'))

const TOP_UP_LINE = row<SourceLine>({
  ...pick(u, 'id', 'no', 'amountSatang', 'status', 'slipId', 'receivingAccountId', 'reason', 'createdAt'),
  ...pick(u, 'payment', 'enteredBy', 'walletId'),
  actionType: word('เติมเงิน'),
  transType: word('ฝาก'),
  orderId: NO_ID,
  isTopUp: as.bool('true'),
})

/** What a line that is no top-up has in the fields of one. */
const NO_TOP_UP: Fields<
  Pick<SourceLine, 'status' | 'slipId' | 'receivingAccountId' | 'payment' | 'isTopUp' | 'enteredBy'>
> = {
  status: word('approve'),
  slipId: NO_ID,
  receivingAccountId: orNull(as.int('NULL')),
  payment: orNull(as.text<TopUpPayment>('NULL')),
  isTopUp: as.bool('false'),
  enteredBy: orNull(as.text('NULL')),
}

function topUpSource(filter: Sought, add: AddValue): Text<SourceLine> {
  const where = ['true', ...isOfWallet(filter, u.walletId, add), ...isInMonth(filter, u.createdAt, add)]
  if (filter.named) where.push(isNamed(filter.named, { id: u.id, no: u.no, at: u.createdAt }, add))
  if (filter.after) where.push(below(filter.after, [u.createdAt, u.id, u.walletId], add))
  if (filter.status) where.push(`${u.status} = ANY(${add(filter.status)}::text[])`)
  const order = filter.isOldestFirst ? `${u.createdAt}, ${u.id}` : `${u.createdAt} DESC, ${u.id} DESC`
  return sql`SELECT ${TOP_UP_LINE}
    FROM ${u} WHERE ${where.join(' AND ')} ORDER BY ${order}`
}

/**
 * Ledger movements on wallets, by what they are about. Approved top-ups are left out, because they are lines already.
 */
const KINDS: Record<ActionType, string> = {
  เติมเงิน: `'correction', 'line_booked', 'line_undone'`,
  เติมเกม: `'order_paid', 'order_refunded', 'order_reduced', 'order_payment_undone'`,
}

/**
 * Each type is a query of its own: a line's number is then looked up in one table only, and in none when lines are only
 * counted.
 */
function entrySource(filter: Sought, type: ActionType, add: AddValue, isCounted: boolean): Text<SourceLine> {
  const isOfOrders = type === 'เติมเกม'
  const where = [`${x.kind} IN (${KINDS[type]})`]
  // Both columns hold the same moment. Most entries belong to orders and are read newest first; the others are few and
  // have their own index.
  const at = isOfOrders ? e.at : x.at
  const wallet = as.shape<string>(`substr(${e.account}, 8)::uuid`)
  if (filter.after) where.push(below(filter.after, [at, x.id, wallet], add))
  if (!filter.walletId) where.push(`${e.account} LIKE 'wallet:%'`)
  where.push(...isOfWallet(filter, e.account, add, id => `wallet:${id}`), ...isInMonth(filter, at, add))
  const numbered = { id: x.subjectId, no: isOfOrders ? entry.o.orderNo : entry.u.no, at }
  if (filter.named) where.push(isNamed(filter.named, numbered, add, MOVED_DAYS))
  // One wallet's entries are counted in any order, and only as far as the count is shown.
  const order = isCounted && isOfOrders && filter.walletId ? '' : `ORDER BY ${at} DESC, ${x.id} DESC, ${wallet} DESC`
  const line = row<SourceLine>({
    ...ENTRY,
    ...pick(x, 'id', 'reason'),
    ...NO_TOP_UP,
    amountSatang: as.satang(`abs(${e.amountSatang})`),
    orderId: entry.o.id,
    createdAt: at,
    walletId: wallet,
  })
  return sql`SELECT ${line}
    FROM ${ENTRY_TABLES} WHERE ${where.join(' AND ')} ${order}`
}

/**
 * Counts a wallet's lines for orders that a part of a number names. It starts from those orders and leaves out the
 * entries, because each movement of an order has exactly one on its wallet.
 */
function namedOrdersSource(filter: Sought, walletId: string, named: Named, add: AddValue): Text<never> {
  const where = [`${x.kind} IN (${KINDS.เติมเกม})`, isPaidFrom(add(walletId)), ...isInMonth(filter, x.at, add)]
  where.push(isNamed(named, { id: o.id, no: o.orderNo, at: x.at }, add, MOVED_DAYS))
  return sql`SELECT FROM ${o} JOIN ${x} ON ${x.subjectId} = ${o.id} WHERE ${where.join(' AND ')}`
}

const FREE_LINE = row<SourceLine>({
  ...pick(o, 'id', 'createdAt'),
  no: o.orderNo,
  actionType: word('เติมเกม'),
  transType: word('ถอน'),
  ...NO_TOP_UP,
  amountSatang: as.satang('0'),
  orderId: o.id,
  reason: orNull(as.text('NULL')),
  walletId: notNull(o.walletId),
})

/** An order that cost nothing moved no money, so it has no ledger entry. */
function freeSource(filter: Sought, add: AddValue): Text<SourceLine> {
  const where = [`${o.walletId} IS NOT NULL`, `${o.priceSatang} = 0`, ...isOfWallet(filter, o.walletId, add)]
  where.push(...isInMonth(filter, o.createdAt, add))
  if (filter.after) where.push(below(filter.after, [o.createdAt, o.id, o.walletId], add))
  if (filter.named) where.push(isNamed(filter.named, { id: o.id, no: o.orderNo, at: o.createdAt }, add))
  return sql`SELECT ${FREE_LINE}
    FROM ${o} WHERE ${where.join(' AND ')} ORDER BY ${o.createdAt} DESC, ${o.id} DESC`
}

const wants = (filter: Sought, type: ActionType) => filter.actionType?.includes(type) ?? true

/** Returns the sources of the history as queries over the same columns, and the values of their placeholders. */
export function sourcesOf(filter: Sought, isCounted = false): { sources: Text<unknown>[]; values: unknown[] } {
  const { all: values, add } = new Values()
  const sources: Text<unknown>[] = []
  if (wants(filter, 'เติมเงิน')) sources.push(topUpSource(filter, add))
  // Money that has moved is shown with the status "approve".
  if (filter.status?.includes('approve') ?? true) {
    if (wants(filter, 'เติมเงิน')) sources.push(entrySource(filter, 'เติมเงิน', add, isCounted))
    if (wants(filter, 'เติมเกม')) {
      const { named, walletId } = filter
      const isPart = named !== null && 'part' in named
      const namedOwn = isCounted && walletId && isPart ? namedOrdersSource(filter, walletId, named, add) : null
      sources.push(namedOwn ?? entrySource(filter, 'เติมเกม', add, isCounted), freeSource(filter, add))
    }
  }
  return { sources, values }
}
