import { addSeconds, bangkokMonth } from '@shop/shared/time.ts'
import type { ActionType, TopUpStatus, TransType } from '@shop/shared/wallet/top-up.ts'
import { columns, monthOfNumber, type SqlOf } from '../database/listing.ts'
import { Values } from '../database/values.ts'
import { type HistoryCursor, isPaidFrom, type Named, type Sought } from './history-search.ts'

/** Where the lines of the wallets' history stand: top-ups, the ledger, and orders that cost nothing; each as one query. */

type AddValue = Values['add']

/** One line of the history: a top-up in any state, what the ledger moved for something else, or an order that cost nothing. */
export interface HistoryLine {
  id: string
  no: string
  actionType: ActionType
  transType: TransType
  amountSatang: number
  status: TopUpStatus
  slipId: string | null
  receivingAccountId: number | null
  orderNo: string | null
  gameName: string | null
  packageName: string | null
  reason: string | null
  createdAt: Date
  isTopUp: boolean
  enteredBy: string | null
  /** Of a top-up: a line of a bank statement shows its money. */
  hasStatementLine: boolean
  walletId: string
  ownerUid: string
  agentName: string
  tierName: string
}

/** What is read of a line where it stands, before its names are joined. */
type SourceLine = Omit<
  HistoryLine,
  'orderNo' | 'gameName' | 'packageName' | 'hasStatementLine' | 'ownerUid' | 'agentName' | 'tierName'
> & { orderId: string | null }

/** A word of the history as SQL. */
const word = (text: ActionType | TransType | TopUpStatus) => `'${text}'`

/** What a ledger line is called: the order's number or the top-up's it corrects, and which way the money went. */
export const ENTRY: SqlOf<Pick<SourceLine, 'no' | 'actionType' | 'transType'>> = {
  no: `coalesce(o.order_no, u.no, '')`,
  actionType: `CASE WHEN o.id IS NULL THEN ${word('เติมเงิน')} ELSE ${word('เติมเกม')} END`,
  transType: `CASE WHEN x.kind = 'order_refunded' THEN ${word('คืนเงิน')} WHEN e.amount_satang < 0 THEN ${word('ถอน')} ELSE ${word('ฝาก')} END`,
}
export const ENTRY_TABLES = `ledger_entry e JOIN ledger_transaction x ON x.id = e.transaction_id
  LEFT JOIN orders o ON o.id = x.subject_id LEFT JOIN top_up u ON u.id = x.subject_id`

/** How long after its order's month the ledger may still move something for it that a part of its number finds. */
const MOVED_DAYS = 92
/**
 * That a line's id, or its number, is among the named ones. Not by LIKE: the planner takes what a pattern matches for few,
 * and would read and sort them all instead of the newest lines; nor beyond a month that the part names, or all newer lines
 * were read on the way to an old one's.
 */
function isNamed(named: Named, line: { id: string; no: string; at: string }, add: AddValue, laterDays = 0): string {
  if ('ids' in named) return `${line.id} = ANY(${add(named.ids)}::uuid[])`
  const contains = `strpos(${line.no}, ${add(named.part)}) ${named.isStart ? '= 1' : '> 0'}`
  const month = monthOfNumber(named.part)
  if (!month) return contains
  const to = addSeconds(month.to, laterDays * 86_400)
  return `${contains} AND ${line.at} >= ${add(month.from)} AND ${line.at} < ${add(to)}`
}

/** That a column names one of the sought wallets, written as `nameOf` does; nothing where all are sought. */
function isOfWallet(
  { walletId, walletIds }: Sought,
  column: string,
  add: AddValue,
  nameOf = (id: string) => id,
): string[] {
  if (walletId) return [`${column} = ${add(nameOf(walletId))}`]
  return walletIds ? [`${column} = ANY(${add(walletIds.map(nameOf))})`] : []
}

/** That a moment is in the sought month; nothing where every month is sought. */
function isInMonth({ month }: Sought, at: string, add: AddValue): string[] {
  if (!month) return []
  const { from, to } = bangkokMonth(month)
  return [`${at} >= ${add(from)} AND ${at} < ${add(to)}`]
}

/** The first condition alone can be answered from an index. */
function below(
  { createdAt, id, walletId }: HistoryCursor,
  [at, idColumn, wallet]: [string, string, string],
  add: AddValue,
) {
  const moment = add(createdAt)
  return `${at} <= ${moment} AND (${at}, ${idColumn}, ${wallet}) < (${moment}, ${add(id)}::uuid, ${add(walletId)}::uuid)`
}

const TOP_UP_LINE = columns<SourceLine>({
  id: 'u.id',
  no: 'u.no',
  actionType: word('เติมเงิน'),
  transType: word('ฝาก'),
  amountSatang: 'u.amount_satang',
  status: 'u.status',
  slipId: 'u.slip_id',
  receivingAccountId: 'u.receiving_account_id',
  orderId: 'NULL::uuid',
  reason: 'u.reason',
  createdAt: 'u.created_at',
  isTopUp: 'true',
  enteredBy: 'u.entered_by',
  walletId: 'u.wallet_id',
})

function topUpSource(filter: Sought, add: AddValue): string {
  const where = ['true', ...isOfWallet(filter, 'u.wallet_id', add), ...isInMonth(filter, 'u.created_at', add)]
  if (filter.named) where.push(isNamed(filter.named, { id: 'u.id', no: 'u.no', at: 'u.created_at' }, add))
  if (filter.after) where.push(below(filter.after, ['u.created_at', 'u.id', 'u.wallet_id'], add))
  if (filter.status) where.push(`u.status = ANY(${add(filter.status)}::text[])`)
  return `SELECT ${TOP_UP_LINE}
    FROM top_up u WHERE ${where.join(' AND ')} ORDER BY u.created_at DESC, u.id DESC`
}

/** What the ledger moves on wallets, by what it is about; an approved top-up is a line already. */
const KINDS: Record<ActionType, string> = {
  เติมเงิน: `'correction', 'line_booked', 'line_undone'`,
  เติมเกม: `'order_paid', 'order_refunded', 'order_payment_undone'`,
}

/** Each type for itself: then a line's number is looked up in one table, and in none where lines are only counted. */
function entrySource(filter: Sought, type: ActionType, add: AddValue, isCounted: boolean): string {
  const isOfOrders = type === 'เติมเกม'
  const where = [`x.kind IN (${KINDS[type]})`]
  // The same moment: most entries are of orders and are read newest first, the others are few and have an index of their own.
  const at = isOfOrders ? 'e.at' : 'x.at'
  const wallet = 'substr(e.account, 8)::uuid'
  if (filter.after) where.push(below(filter.after, [at, 'x.id', wallet], add))
  if (!filter.walletId) where.push(`e.account LIKE 'wallet:%'`)
  where.push(...isOfWallet(filter, 'e.account', add, id => `wallet:${id}`), ...isInMonth(filter, at, add))
  const numbered = { id: 'x.subject_id', no: isOfOrders ? 'o.order_no' : 'u.no', at }
  if (filter.named) where.push(isNamed(filter.named, numbered, add, MOVED_DAYS))
  // One wallet's are counted as they stand, and no further than is told.
  const order = isCounted && isOfOrders && filter.walletId ? '' : `ORDER BY ${at} DESC, x.id DESC, ${wallet} DESC`
  const line = columns<SourceLine>({
    ...ENTRY,
    id: 'x.id',
    amountSatang: 'abs(e.amount_satang)',
    status: word('approve'),
    slipId: 'NULL::uuid',
    receivingAccountId: 'NULL::int',
    orderId: 'o.id',
    reason: 'x.reason',
    createdAt: at,
    isTopUp: 'false',
    enteredBy: 'NULL::text',
    walletId: wallet,
  })
  return `SELECT ${line}
    FROM ${ENTRY_TABLES} WHERE ${where.join(' AND ')} ${order}`
}

/**
 * The same lines of one wallet's orders that a part of a number names, to be counted: from those orders on, for each of the
 * wallet's lines would look one up, and without the entries, of which an order's every movement has one on its wallet.
 */
function namedOrdersSource(filter: Sought, walletId: string, named: Named, add: AddValue): string {
  const where = [`x.kind IN (${KINDS.เติมเกม})`, isPaidFrom(add(walletId)), ...isInMonth(filter, 'x.at', add)]
  where.push(isNamed(named, { id: 'o.id', no: 'o.order_no', at: 'x.at' }, add, MOVED_DAYS))
  return `SELECT FROM orders o JOIN ledger_transaction x ON x.subject_id = o.id WHERE ${where.join(' AND ')}`
}

const FREE_LINE = columns<SourceLine>({
  id: 'o.id',
  no: 'o.order_no',
  actionType: word('เติมเกม'),
  transType: word('ถอน'),
  amountSatang: '0::bigint',
  status: word('approve'),
  slipId: 'NULL::uuid',
  receivingAccountId: 'NULL::int',
  orderId: 'o.id',
  reason: 'NULL',
  createdAt: 'o.created_at',
  isTopUp: 'false',
  enteredBy: 'NULL::text',
  walletId: 'o.wallet_id',
})

/** What was had for nothing moved no money, so no ledger tells of it. */
function freeSource(filter: Sought, add: AddValue): string {
  const where = ['o.wallet_id IS NOT NULL', 'o.price_satang = 0', ...isOfWallet(filter, 'o.wallet_id', add)]
  where.push(...isInMonth(filter, 'o.created_at', add))
  if (filter.after) where.push(below(filter.after, ['o.created_at', 'o.id', 'o.wallet_id'], add))
  if (filter.named) where.push(isNamed(filter.named, { id: 'o.id', no: 'o.order_no', at: 'o.created_at' }, add))
  return `SELECT ${FREE_LINE}
    FROM orders o WHERE ${where.join(' AND ')} ORDER BY o.created_at DESC, o.id DESC`
}

const wants = (filter: Sought, type: ActionType) => filter.actionType?.includes(type) ?? true

/** The sources of the history as queries over the same columns, and the values of their placeholders. */
export function sourcesOf(filter: Sought, isCounted = false): { sources: string[]; values: unknown[] } {
  const { all: values, add } = new Values()
  const sources: string[] = []
  if (wants(filter, 'เติมเงิน')) sources.push(topUpSource(filter, add))
  // Money that moved is done: the history's statuses know it as approved.
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
