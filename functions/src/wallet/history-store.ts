import { MOST_COUNTED } from '@shop/shared/list-count.ts'
import { bangkokMonth } from '@shop/shared/time.ts'
import type { WalletStatement } from '@shop/shared/wallet/endpoints.ts'
import type { ActionType, TopUpStatus, TransType } from '@shop/shared/wallet/top-up.ts'
import type { Sql } from '../database/database.ts'
import { likePart, orderWords, personWords } from '../database/listing.ts'

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

type AddValue = (value: unknown) => string

/** What has a number, or has what somebody typed of one in it. A whole one is looked up without reading its parts. */
function numbered(typed: string, add: AddValue): { order: string; topUp: string } {
  const no = typed.toUpperCase()
  const isWhole = /^[A-Z]{2}\d{4}-\d{8}$/.test(no)
  const value = add(isWhole ? no : likePart(no))
  if (isWhole) return { order: `o.order_no = ${value}`, topUp: `u.no = ${value}` }
  return { order: `o.order_no LIKE ${value} AND ${orderWords('o')} ILIKE ${value}`, topUp: `u.no LIKE ${value}` }
}

const walletsOf = (agentName: string, add: AddValue) => `SELECT w.id FROM wallet w JOIN account a ON a.uid = w.uid
  WHERE ${personWords('a')} ILIKE ${add(likePart(agentName))}`

/** The first condition alone can be answered from an index. */
function below({ createdAt, id, walletId }: Place, [at, idColumn, wallet]: [string, string, string], add: AddValue) {
  const moment = add(createdAt)
  return `${at} <= ${moment} AND (${at}, ${idColumn}, ${wallet}) < (${moment}, ${add(id)}::uuid, ${add(walletId)}::uuid)`
}

function topUpSource(filter: HistoryFilter, add: AddValue): string {
  const where = ['true']
  if (filter.walletId) where.push(`u.wallet_id = ${add(filter.walletId)}`)
  if (filter.agentName) where.push(`u.wallet_id IN (${walletsOf(filter.agentName, add)})`)
  if (filter.month) {
    const { from, to } = bangkokMonth(filter.month)
    where.push(`u.created_at >= ${add(from)} AND u.created_at < ${add(to)}`)
  }
  if (filter.transactionNo) where.push(numbered(filter.transactionNo, add).topUp)
  if (filter.after) where.push(below(filter.after, ['u.created_at', 'u.id', 'u.wallet_id'], add))
  if (filter.status) where.push(`u.status = ANY(${add(filter.status)}::text[])`)
  return `SELECT u.id, u.no, 'เติมเงิน' AS action_type, 'ฝาก' AS trans_type, u.amount_satang, u.status, u.slip_id,
      u.receiving_account_id, NULL::uuid AS order_id, u.reason, u.created_at, true AS is_top_up, u.entered_by, u.wallet_id
    FROM top_up u WHERE ${where.join(' AND ')} ORDER BY u.created_at DESC, u.id DESC`
}

function entrySource(filter: HistoryFilter, add: AddValue): string {
  // An approved top-up is a line already.
  const where = [`x.kind <> 'top_up'`]
  const wallet = 'substr(e.account, 8)::uuid'
  if (filter.after) where.push(below(filter.after, ['e.at', 'x.id', wallet], add))
  where.push(filter.walletId ? `e.account = ${add(`wallet:${filter.walletId}`)}` : `e.account LIKE 'wallet:%'`)
  if (filter.agentName)
    where.push(`e.account IN (SELECT 'wallet:' || found.id FROM (${walletsOf(filter.agentName, add)}) AS found)`)
  if (filter.month) {
    const { from, to } = bangkokMonth(filter.month)
    where.push(`e.at >= ${add(from)} AND e.at < ${add(to)}`)
  }
  if (filter.transactionNo) {
    const { order, topUp } = numbered(filter.transactionNo, add)
    where.push(`x.subject_id IN (SELECT o.id FROM orders o WHERE ${order} AND o.wallet_id IS NOT NULL
      UNION ALL SELECT u.id FROM top_up u WHERE ${topUp})`)
  }
  if (!wants(filter, 'เติมเงิน')) where.push('o.id IS NOT NULL')
  // Of all that is no top-up's own posting, these put money on wallets or take it back.
  if (!wants(filter, 'เติมเกม')) where.push(`o.id IS NULL AND x.kind IN ('correction', 'line_booked', 'line_undone')`)
  return `SELECT x.id, ${ENTRY_COLUMNS}, abs(e.amount_satang) AS amount_satang, 'approve' AS status, NULL::uuid AS slip_id,
      NULL::int AS receiving_account_id, o.id AS order_id, x.reason, e.at AS created_at, false AS is_top_up,
      NULL::text AS entered_by, ${wallet} AS wallet_id
    FROM ${ENTRY_TABLES} WHERE ${where.join(' AND ')} ORDER BY e.at DESC, x.id DESC, ${wallet} DESC`
}

/** What was had for nothing moved no money, so no ledger tells of it. */
function freeSource(filter: HistoryFilter, add: AddValue): string {
  const where = ['o.wallet_id IS NOT NULL', 'o.price_satang = 0']
  if (filter.after) where.push(below(filter.after, ['o.created_at', 'o.id', 'o.wallet_id'], add))
  if (filter.walletId) where.push(`o.wallet_id = ${add(filter.walletId)}`)
  if (filter.agentName) where.push(`o.wallet_id IN (${walletsOf(filter.agentName, add)})`)
  if (filter.month) {
    const { from, to } = bangkokMonth(filter.month)
    where.push(`o.created_at >= ${add(from)} AND o.created_at < ${add(to)}`)
  }
  if (filter.transactionNo) where.push(numbered(filter.transactionNo, add).order)
  return `SELECT o.id, o.order_no AS no, 'เติมเกม' AS action_type, 'ถอน' AS trans_type, 0::bigint AS amount_satang,
      'approve' AS status, NULL::uuid AS slip_id, NULL::int AS receiving_account_id, o.id AS order_id, NULL AS reason,
      o.created_at, false AS is_top_up, NULL::text AS entered_by, o.wallet_id
    FROM orders o WHERE ${where.join(' AND ')} ORDER BY o.created_at DESC, o.id DESC`
}

const wants = (filter: HistoryFilter, type: ActionType) => filter.actionType?.includes(type) ?? true

/** The sources of the history as queries over the same columns, and the values of their placeholders. */
function sourcesOf(filter: HistoryFilter): { sources: string[]; values: unknown[] } {
  const values: unknown[] = []
  const add: AddValue = value => `$${values.push(value)}`
  const sources: string[] = []
  if (wants(filter, 'เติมเงิน')) sources.push(topUpSource(filter, add))
  // Money that moved is done: the history's statuses know it as approved.
  if (filter.status?.includes('approve') ?? true) {
    sources.push(entrySource(filter, add))
    if (wants(filter, 'เติมเกม')) sources.push(freeSource(filter, add))
  }
  return { sources, values }
}

async function findLines(db: Sql, filter: HistoryFilter, limit: number, offset: number): Promise<HistoryLine[]> {
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

/** A page of the history, newest first, and how many lines match, as far as they are counted. */
export async function findHistory(
  db: Sql,
  filter: HistoryFilter & { page: number; pageSize: number },
): Promise<{ rows: HistoryLine[]; total: number }> {
  const { sources, values } = sourcesOf(filter)
  if (sources.length === 0) return { rows: [], total: 0 }
  const counted = sources
    .map(source => `(SELECT 1 FROM (${source} LIMIT ${MOST_COUNTED + 1}) AS part)`)
    .join(' UNION ALL ')
  const [rows, [count]] = await Promise.all([
    findLines(db, filter, filter.pageSize, (filter.page - 1) * filter.pageSize),
    db.query<{ total: number }>({
      text: `SELECT least(count(*), ${MOST_COUNTED + 1})::int AS total FROM (${counted}) AS counted`,
      values,
    }),
  ])
  return { rows, total: count!.total }
}

/** Lines of a download that are in memory at one time. */
const EXPORT_BATCH = 1000

/** The whole history, newest first, in batches; no connection is held while the caller reads one. */
export async function* readHistory(db: Sql, filter: HistoryFilter): AsyncGenerator<HistoryLine[]> {
  for (let after: Place | undefined; ; ) {
    const lines = await findLines(db, { ...filter, after }, EXPORT_BATCH, 0)
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
