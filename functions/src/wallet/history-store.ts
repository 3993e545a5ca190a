import { MOST_COUNTED } from '@shop/shared/list-count.ts'
import { addSeconds, bangkokMonth } from '@shop/shared/time.ts'
import type { WalletStatement } from '@shop/shared/wallet/endpoints.ts'
import { ACTION_TYPES, type ActionType, type TopUpStatus, type TransType } from '@shop/shared/wallet/top-up.ts'
import type { Sql } from '../database/database.ts'
import { inOrderWords, likePart, likeStart, monthOfNumber, personWords } from '../database/listing.ts'
import { Values } from '../database/values.ts'

/** Where a line stands in the history, newest first. */
interface Place {
  createdAt: Date
  id: string
  walletId: string
}

export interface HistoryFilter {
  /** Only this wallet; without it all of them. */
  walletId?: string
  month?: string
  actionType?: ActionType[]
  status?: TopUpStatus[]
  transactionNo?: string
  agentName?: string
}

/** A filter whose numbers and agents have been looked up. */
interface Sought extends Omit<HistoryFilter, 'transactionNo' | 'agentName'> {
  /** Only these, where a name is that of several agents. */
  walletIds?: string[]
  named: Named | null
  /** Only what stands below this line. */
  after?: Place
}

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

/** What a ledger line is called: the order's number or the top-up's it corrects, and which way the money went. */
const ENTRY_COLUMNS = `coalesce(o.order_no, u.no, '') AS no,
  CASE WHEN o.id IS NULL THEN 'เติมเงิน' ELSE 'เติมเกม' END AS action_type,
  CASE WHEN x.kind = 'order_refunded' THEN 'คืนเงิน' WHEN e.amount_satang < 0 THEN 'ถอน' ELSE 'ฝาก' END AS trans_type`
const ENTRY_TABLES = `ledger_entry e JOIN ledger_transaction x ON x.id = e.transaction_id
  LEFT JOIN orders o ON o.id = x.subject_id LEFT JOIN top_up u ON u.id = x.subject_id`

type AddValue = Values['add']

/** Shorter parts of a text are in no index. */
const SHORTEST_INDEXED = 3
/** What may stand in "KT2611-04821937" or "WT2611-04821937". */
const PART_OF_NUMBER = /^(?:[KW]|(?:[KW]?T)?\d{0,4}-?\d{0,8})$/

/**
 * Which numbers contain what somebody typed: few by the ids of their orders and top-ups. What more contain than a list
 * counts is found on the list's way, and so is what is too short to be looked up.
 */
type Named = { ids: string[] } | { part: string; isStart: boolean; isUncounted: boolean }

/** How long after its order's month the ledger may still move something for it that a part of its number finds. */
const MOVED_DAYS = 92

/** That an order was paid from a wallet; by its owner, whose orders have an index. */
const isPaidFrom = (wallet: string) =>
  `o.wallet_id = ${wallet} AND o.buyer_key = (SELECT 'u:' || w.uid FROM wallet w WHERE w.id = ${wallet})`

/** Looked up once for a page and its count, in the wallet's own orders and top-ups where it is one wallet's history. */
async function findNamed(db: Sql, { walletId, transactionNo }: HistoryFilter): Promise<Named | null> {
  if (!transactionNo) return null
  const no = transactionNo.toUpperCase()
  if (!PART_OF_NUMBER.test(no)) return { ids: [] }
  const isStart = /^[KW]T/.test(no)
  if (no.length < SHORTEST_INDEXED) return { part: no, isStart, isUncounted: false }
  const { all: values, add } = new Values()
  const pattern = add(isStart ? likeStart(no) : likePart(no))
  const order = [`o.order_no LIKE ${pattern}`, 'o.wallet_id IS NOT NULL']
  const topUp = [`u.no LIKE ${pattern}`]
  if (walletId) {
    const wallet = add(walletId)
    order.push(isPaidFrom(wallet))
    topUp.push(`u.wallet_id = ${wallet}`)
  } else if (!isStart) order.push(inOrderWords('o', no, add))
  const found = await db.query<{ id: string }>({
    // As a step of its own it is planned for all of them: with the limit alone the planner hopes to meet them by chance.
    // Top-ups come first: many of them are told sooner than many orders.
    text: `WITH named AS MATERIALIZED (SELECT u.id FROM top_up u WHERE ${topUp.join(' AND ')}
        UNION ALL SELECT o.id FROM orders o WHERE ${order.join(' AND ')})
      SELECT id FROM named LIMIT ${MOST_COUNTED + 1}`,
    values,
  })
  if (found.length > MOST_COUNTED) return { part: no, isStart, isUncounted: true }
  return { ids: found.map(({ id }) => id) }
}

async function findWalletIds(db: Sql, agentName: string): Promise<string[]> {
  const found = await db.query<{ id: string }>({
    text: `SELECT w.id FROM wallet w JOIN account a ON a.uid = w.uid WHERE ${personWords('a')} ILIKE $1`,
    values: [likePart(agentName)],
  })
  return found.map(({ id }) => id)
}

/**
 * A number's first letter says whether it is an order's or a top-up's: the others need not be read. A name that one agent
 * has means that wallet, whose lines an index has in their order; null where nobody has it.
 */
async function look(db: Sql, { agentName, ...filter }: HistoryFilter): Promise<Sought | null> {
  const walletIds = agentName ? await findWalletIds(db, agentName) : undefined
  if (walletIds?.length === 0) return null
  const wallets = walletIds?.length === 1 ? { walletId: walletIds[0] } : { walletIds }
  const meant = { K: 'เติมเกม', W: 'เติมเงิน' }[filter.transactionNo?.[0]?.toUpperCase() ?? '']
  const actionType = meant ? (filter.actionType ?? ACTION_TYPES).filter(type => type === meant) : filter.actionType
  if (actionType?.length === 0) return null
  const sought = { ...filter, ...wallets, actionType }
  return { ...sought, named: await findNamed(db, sought) }
}

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
function below({ createdAt, id, walletId }: Place, [at, idColumn, wallet]: [string, string, string], add: AddValue) {
  const moment = add(createdAt)
  return `${at} <= ${moment} AND (${at}, ${idColumn}, ${wallet}) < (${moment}, ${add(id)}::uuid, ${add(walletId)}::uuid)`
}

function topUpSource(filter: Sought, add: AddValue): string {
  const where = ['true', ...isOfWallet(filter, 'u.wallet_id', add), ...isInMonth(filter, 'u.created_at', add)]
  if (filter.named) where.push(isNamed(filter.named, { id: 'u.id', no: 'u.no', at: 'u.created_at' }, add))
  if (filter.after) where.push(below(filter.after, ['u.created_at', 'u.id', 'u.wallet_id'], add))
  if (filter.status) where.push(`u.status = ANY(${add(filter.status)}::text[])`)
  return `SELECT u.id, u.no, 'เติมเงิน' AS action_type, 'ฝาก' AS trans_type, u.amount_satang, u.status, u.slip_id,
      u.receiving_account_id, NULL::uuid AS order_id, u.reason, u.created_at, true AS is_top_up, u.entered_by, u.wallet_id
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
  return `SELECT x.id, ${ENTRY_COLUMNS}, abs(e.amount_satang) AS amount_satang, 'approve' AS status, NULL::uuid AS slip_id,
      NULL::int AS receiving_account_id, o.id AS order_id, x.reason, ${at} AS created_at, false AS is_top_up,
      NULL::text AS entered_by, ${wallet} AS wallet_id
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

/** What was had for nothing moved no money, so no ledger tells of it. */
function freeSource(filter: Sought, add: AddValue): string {
  const where = ['o.wallet_id IS NOT NULL', 'o.price_satang = 0', ...isOfWallet(filter, 'o.wallet_id', add)]
  where.push(...isInMonth(filter, 'o.created_at', add))
  if (filter.after) where.push(below(filter.after, ['o.created_at', 'o.id', 'o.wallet_id'], add))
  if (filter.named) where.push(isNamed(filter.named, { id: 'o.id', no: 'o.order_no', at: 'o.created_at' }, add))
  return `SELECT o.id, o.order_no AS no, 'เติมเกม' AS action_type, 'ถอน' AS trans_type, 0::bigint AS amount_satang,
      'approve' AS status, NULL::uuid AS slip_id, NULL::int AS receiving_account_id, o.id AS order_id, NULL AS reason,
      o.created_at, false AS is_top_up, NULL::text AS entered_by, o.wallet_id
    FROM orders o WHERE ${where.join(' AND ')} ORDER BY o.created_at DESC, o.id DESC`
}

const wants = (filter: Sought, type: ActionType) => filter.actionType?.includes(type) ?? true

/** The sources of the history as queries over the same columns, and the values of their placeholders. */
function sourcesOf(filter: Sought, isCounted = false): { sources: string[]; values: unknown[] } {
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

async function findLines(db: Sql, filter: Sought, limit: number, offset: number): Promise<HistoryLine[]> {
  const { sources, values } = sourcesOf(filter)
  if (sources.length === 0) return []
  const bounded = sources.map(source => `(${source} LIMIT ${limit + offset})`).join(' UNION ALL ')
  return db.query<HistoryLine>({
    text: `WITH line AS (${bounded}), page AS (
        SELECT * FROM line ORDER BY created_at DESC, id DESC, wallet_id DESC LIMIT ${limit} OFFSET ${offset}
      )
      SELECT p.id, p.no, p.action_type AS "actionType", p.trans_type AS "transType", p.amount_satang AS "amountSatang",
        p.status, p.slip_id AS "slipId", p.receiving_account_id AS "receivingAccountId", o.order_no AS "orderNo",
        o.snapshot->>'gameName' AS "gameName", o.snapshot->>'packageName' AS "packageName", p.reason, p.created_at AS "createdAt",
        p.is_top_up AS "isTopUp", p.entered_by AS "enteredBy", p.wallet_id AS "walletId", w.uid AS "ownerUid",
        a.username AS "agentName", t.name AS "tierName",
        EXISTS (SELECT 1 FROM statement_line l WHERE l.top_up_id = p.id) AS "hasStatementLine"
      FROM page p JOIN wallet w ON w.id = p.wallet_id JOIN account a ON a.uid = w.uid JOIN agent_tier t ON t.id = w.tier_id
      LEFT JOIN orders o ON o.id = p.order_id
      ORDER BY p.created_at DESC, p.id DESC, p.wallet_id DESC`,
    values,
  })
}

/** Every number that was looked up has a line, so with no other filter it is known that there are too many to count. */
const isBeyondCounting = ({ month, actionType, status, agentName }: HistoryFilter, named: Sought['named']): boolean =>
  named !== null && 'part' in named && named.isUncounted && !month && !actionType && !status && !agentName

/** A page of the history, newest first, and how many lines match, as far as they are counted. */
export async function findHistory(
  db: Sql,
  filter: HistoryFilter & { page: number; pageSize: number },
): Promise<{ rows: HistoryLine[]; total: number }> {
  const sought = await look(db, filter)
  if (!sought) return { rows: [], total: 0 }
  const { sources, values } = sourcesOf(sought, true)
  if (sources.length === 0) return { rows: [], total: 0 }
  const counted = sources
    .map(source => `(SELECT 1 FROM (${source} LIMIT ${MOST_COUNTED + 1}) AS part)`)
    .join(' UNION ALL ')
  const isBeyond = isBeyondCounting(filter, sought.named)
  const [rows, [count]] = await Promise.all([
    findLines(db, sought, filter.pageSize, (filter.page - 1) * filter.pageSize),
    isBeyond
      ? [{ total: MOST_COUNTED + 1 }]
      : db.query<{ total: number }>({
          text: `SELECT count(*)::int AS total FROM (SELECT FROM (${counted}) AS line LIMIT ${MOST_COUNTED + 1}) AS counted`,
          values,
        }),
  ])
  return { rows, total: count!.total }
}

/** Lines of a download that are in memory at one time. */
const EXPORT_BATCH = 1000

/** The whole history, newest first, in batches; no connection is held while the caller reads one. */
export async function* readHistory(db: Sql, filter: HistoryFilter): AsyncGenerator<HistoryLine[]> {
  const sought = await look(db, filter)
  if (!sought) return
  for (let after: Place | undefined; ; ) {
    const lines = await findLines(db, { ...sought, after }, EXPORT_BATCH, 0)
    if (lines.length > 0) yield lines
    if (lines.length < EXPORT_BATCH) return
    after = lines.at(-1)
  }
}

export type StatementLine = Omit<WalletStatement['rows'][number], 'at' | 'balanceSatang'> & { at: Date }

/** The entries of a wallet in [from, to), oldest first, in batches. */
export async function* readStatement(
  db: Sql,
  walletId: string,
  period: { from: Date; to: Date },
): AsyncGenerator<StatementLine[]> {
  const columns = ENTRY_COLUMNS.replace('AS action_type', 'AS "actionType"').replace('AS trans_type', 'AS "transType"')
  const text = `SELECT x.id, e.at, ${columns}, e.amount_satang AS "amountSatang",
      coalesce((o.snapshot->>'gameName') || ' ' || (o.snapshot->>'packageName'), x.reason, '') AS detail
    FROM ${ENTRY_TABLES}
    WHERE e.account = $1 AND e.at >= $2 AND e.at < $3 AND (e.at, x.id) > ($2, $4::uuid)
    ORDER BY e.at, x.id LIMIT ${EXPORT_BATCH}`
  let last = { at: period.from, id: '00000000-0000-0000-0000-000000000000' }
  for (;;) {
    const rows = await db.query<StatementLine & { id: string }>({
      text,
      values: [`wallet:${walletId}`, last.at, period.to, last.id],
    })
    if (rows.length > 0) yield rows.map(({ id: _, ...line }) => line)
    if (rows.length < EXPORT_BATCH) return
    last = rows.at(-1)!
  }
}
