import { GATEWAY_METHODS, PAYMENT_METHOD } from '@shop/shared/catalogue/payment-method.ts'
import { MOST_COUNTED } from '@shop/shared/list-count.ts'
import type { WalletStatement } from '@shop/shared/wallet/endpoints.ts'
import type { TopUpPayment } from '@shop/shared/wallet/top-up.ts'
import { account } from '../account/tables.ts'
import { agentTier } from '../catalogue/tables.ts'
import type { Queries } from '../database/database.ts'
import { as, orNull, outer, pick, row, sql, under } from '../database/sql.ts'
import { orders } from '../order/tables.ts'
import { slipCheck } from '../slipcheck/tables.ts'
import { statementLine } from '../statement/tables.ts'
import { type HistoryCursor, type HistoryFilter, look, type Sought } from './history-search.ts'
import { ENTRY, ENTRY_TABLES, entry, type HistoryLine, sourcesOf } from './history-sources.ts'
import { wallet } from './tables.ts'

const NEWEST = 'p."createdAt" DESC, p.id DESC, p."walletId" DESC'
const OLDEST = 'p."createdAt", p.id, p."walletId"'

const [w, a, t] = [under(wallet, 'w'), under(account, 'a'), under(agentTier, 't')]
const [l, k] = [under(statementLine, 'l'), under(slipCheck, 'k')]
const ordered = outer(orders, 'o')

const HISTORY_LINE = row<HistoryLine>({
  id: as.text('p.id'),
  no: as.text('p.no'),
  actionType: as.text('p."actionType"'),
  transType: as.text('p."transType"'),
  amountSatang: as.satang('p."amountSatang"'),
  status: as.text('p.status'),
  slipId: orNull(as.text('p."slipId"')),
  receivingAccountId: orNull(as.int('p."receivingAccountId"')),
  payment: orNull(as.text<TopUpPayment>('p.payment')),
  orderNo: ordered.orderNo,
  gameName: orNull(as.text(`${ordered.snapshot}->>'gameName'`)),
  packageName: orNull(as.text(`${ordered.snapshot}->>'packageName'`)),
  reason: orNull(as.text('p.reason')),
  createdAt: as.instant('p."createdAt"'),
  isTopUp: as.bool('p."isTopUp"'),
  enteredBy: orNull(as.text('p."enteredBy"')),
  hasStatementLine: as.bool(`EXISTS (SELECT 1 FROM ${l} WHERE ${l.topUpId} = p.id)`),
  isSlipConfirmed: as.bool(`EXISTS (SELECT 1 FROM ${k} WHERE ${k.subjectId} = p.id AND ${k.state} = 'confirmed')`),
  walletId: as.text('p."walletId"'),
  ownerUid: w.uid,
  agentName: a.username,
  tierName: t.name,
})

async function findLines(db: Queries, filter: Sought, limit: number, offset: number): Promise<HistoryLine[]> {
  const { sources, values } = sourcesOf(filter)
  if (sources.length === 0) return []
  const order = filter.isOldestFirst ? OLDEST : NEWEST
  const bounded = sources.map(source => `(${source} LIMIT ${limit + offset})`).join(' UNION ALL ')
  return db.query({
    text: sql`WITH line AS (${bounded}), page AS (
        SELECT p.* FROM line p ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}
      )
      SELECT ${HISTORY_LINE}
      FROM page p JOIN ${w} ON ${w.id} = p."walletId" JOIN ${a} ON ${a.uid} = ${w.uid} JOIN ${t} ON ${t.id} = ${w.tierId}
      LEFT JOIN ${ordered} ON ${ordered.id} = p."orderId"
      ORDER BY ${order}`,
    values,
  })
}

/** Every number that was looked up has a line, so without another filter there are known to be too many to count. */
const isBeyondCounting = ({ month, actionType, status, agentName }: HistoryFilter, named: Sought['named']): boolean =>
  named !== null && 'part' in named && named.isUncounted && !month && !actionType && !status && !agentName

/** Returns a page of the history, newest first unless asked otherwise, and the number of matching lines, as far as they are counted. */
export async function findHistory(
  db: Queries,
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
      : db.query({
          text: sql`SELECT ${row({ total: as.int('count(*)') })} FROM (SELECT FROM (${counted}) AS line LIMIT ${MOST_COUNTED + 1}) AS counted`,
          values,
        }),
  ])
  return { rows, total: count!.total }
}

/** The number of lines that a download holds in memory at one time. */
const EXPORT_BATCH = 1000

/**
 * Yields the whole history, newest first, in batches. No database connection is held while the caller reads a batch.
 */
export async function* readHistory(db: Queries, filter: HistoryFilter): AsyncGenerator<HistoryLine[]> {
  const sought = await look(db, filter)
  if (!sought) return
  for (let after: HistoryCursor | undefined; ; ) {
    const lines = await findLines(db, { ...sought, after }, EXPORT_BATCH, 0)
    if (lines.length > 0) yield lines
    if (lines.length < EXPORT_BATCH) return
    after = lines.at(-1)
  }
}

const { e, x, o, u } = entry
/** SQL of the name of the gateway's method that brought a top-up's money; null for other money. */
const METHOD_NAME = `CASE ${u.payment} ${GATEWAY_METHODS.map(code => `WHEN '${code}' THEN '${PAYMENT_METHOD[code].name}'`).join(' ')} END`

export type StatementLine = Omit<WalletStatement['rows'][number], 'at' | 'balanceSatang'> & { at: Date }

/** Yields the entries of a wallet in [from, to), oldest first, in batches. */
export async function* readStatement(
  db: Queries,
  walletId: string,
  period: { from: Date; to: Date },
): AsyncGenerator<StatementLine[]> {
  const line = row<StatementLine & { id: string }>({
    ...ENTRY,
    id: x.id,
    ...pick(e, 'at', 'amountSatang'),
    detail: as.text(
      `coalesce((${o.snapshot}->>'gameName') || ' ' || (${o.snapshot}->>'packageName'), concat_ws(' · ', ${METHOD_NAME}, ${x.reason}))`,
    ),
  })
  const text = sql`SELECT ${line}
    FROM ${ENTRY_TABLES}
    WHERE ${e.account} = $1 AND ${e.at} >= $2 AND ${e.at} < $3 AND (${e.at}, ${x.id}) > ($2, $4::uuid)
    ORDER BY ${e.at}, ${x.id} LIMIT ${EXPORT_BATCH}`
  let last = { at: period.from, id: '00000000-0000-0000-0000-000000000000' }
  for (;;) {
    const rows = await db.query({
      text,
      values: [`wallet:${walletId}`, last.at, period.to, last.id],
    })
    if (rows.length > 0) yield rows.map(({ id: _, ...line }) => line)
    if (rows.length < EXPORT_BATCH) return
    last = rows.at(-1)!
  }
}
