import { MOST_COUNTED } from '@shop/shared/list-count.ts'
import type { LineSourceView, listStatementLines } from '@shop/shared/statement/endpoints.ts'
import { parseSource, type SourceKind } from '@shop/shared/statement/line-source.ts'
import { momentOf, type Payable } from '@shop/shared/statement/matching.ts'
import type { LineEvent, StatementLine } from '@shop/shared/statement/statement.ts'
import { nearAmounts } from '@shop/shared/statement/suggestions.ts'
import type * as z from 'zod'
import { receivingAccount } from '../catalogue/tables.ts'
import type { Queries } from '../database/database.ts'
import { columns, Filter, findPage, jsonObject, likePart, personName, sqlOf } from '../database/listing.ts'
import { DUE } from '../transfer/order-money.ts'
import { LINE_COLUMNS, LINE_JOINS, ORDER_PAYABLE, type StoredLine, TOP_UP_PAYABLE, targetJson } from './store.ts'
import { statementEvent } from './tables.ts'

export type LineQuery = Omit<z.output<typeof listStatementLines.query>, 'page' | 'pageSize'>

export type ListedLine = StoredLine & { decidedByName: string | null; source: LineSourceView }

const MOMENT = `coalesce(l.at, '-infinity')`
const LATEST_FIRST = `l.day DESC, ${MOMENT} DESC, l.no DESC`
const OLDEST_FIRST = `l.day, ${MOMENT}, l.no`
/** The source of a line `l`: its file `lf`, the file's uploader `lg`, and its feed's key `lk`. */
const SOURCE = jsonObject<LineSourceView>({
  kind: `CASE WHEN l.file_id IS NULL THEN 'feed' ELSE 'file' END`,
  id: 'coalesce(l.file_id, l.feed_key_id)',
  name: 'coalesce(lf.file_name, lk.name)',
  byName: personName('lg'),
})
const SOURCE_JOINS = `LEFT JOIN statement_file lf ON lf.id = l.file_id LEFT JOIN account lg ON lg.uid = lf.given_by
  LEFT JOIN feed_key lk ON lk.id = l.feed_key_id`
const LISTED = `${LINE_COLUMNS}, ${columns<Omit<ListedLine, keyof StoredLine>>({
  decidedByName: personName('ld'),
  source: SOURCE,
})}`
const LISTED_JOINS = `${LINE_JOINS} LEFT JOIN account ld ON ld.uid = l.decided_by ${SOURCE_JOINS}`

const SOURCE_COLUMN: Record<SourceKind, string> = { file: 'l.file_id', feed: 'l.feed_key_id' }

function filterOf({
  receivingAccountId,
  from,
  to,
  noSaleOrder,
  state,
  source,
  gap,
  disputed,
  text,
}: LineQuery): Filter {
  const filter = periodOf({ receivingAccountId, from, to })
  if (gap) filter.must(`l.chain = 'gap'`)
  if (disputed) filter.must('l.disputed_at IS NOT NULL')
  if (source) {
    const { kind, id } = parseSource(source)
    filter.must(`l.file_id IS ${kind === 'file' ? 'NOT NULL' : 'NULL'}`)
    filter.where(id, given => `${SOURCE_COLUMN[kind]} = ${given}::uuid`)
  }
  if (noSaleOrder) filter.must(`l.state = 'unmatched'`)
  filter.where(state, states => `l.state = ANY(${states}::text[])`)
  if (text) {
    const inDetail = `l.detail ILIKE ${filter.bind(likePart(text))}`
    const digits = text.replaceAll(',', '')
    const inAmount = /^\d*\.?\d*$/.test(digits)
      ? `to_char(abs(l.amount_satang) / 100.0, 'FM9999999990.00') LIKE ${filter.bind(likePart(digits))}`
      : 'false'
    filter.must(`(${inDetail} OR ${inAmount})`)
  }
  return filter
}

type Place = Pick<LineQuery, 'receivingAccountId' | 'from' | 'to'>

function periodOf({ receivingAccountId, from, to }: Place): Filter {
  const filter = new Filter()
  filter.where(receivingAccountId, id => `l.receiving_account_id = ${id}`)
  filter.where(from, day => `l.day >= ${day}`)
  filter.where(to, day => `l.day <= ${day}`)
  return filter
}

/** A page of lines: what waits is worked off from the oldest, everything else is looked up from the latest. */
export function findLines(db: Queries, query: LineQuery & { page: number; pageSize: number }) {
  const select = `SELECT ${LISTED} FROM page l ${LISTED_JOINS}`
  const order = query.noSaleOrder ? OLDEST_FIRST : LATEST_FIRST
  const list = { from: 'statement_line l', filter: filterOf(query), order, select }
  return findPage<ListedLine>(db, list, query)
}

export async function findListedLine(db: Queries, id: string): Promise<ListedLine | null> {
  const [row] = await db.query<ListedLine>({
    text: `SELECT ${LISTED} FROM statement_line l ${LISTED_JOINS} WHERE l.id = $1`,
    values: [id],
  })
  return row ?? null
}

const EXPORT_BATCH = 1000

/**
 * Yields all lines of a filter, latest first, in batches. No database connection is held while the caller reads a
 * batch.
 */
export async function* readLines(db: Queries, query: LineQuery): AsyncGenerator<ListedLine[]> {
  for (let last: ListedLine | undefined; ; ) {
    const filter = filterOf(query)
    if (last) {
      const place = [last.day, last.at ?? '-infinity', last.no].map(value => filter.bind(value))
      filter.must(`(l.day, ${MOMENT}, l.no) < (${place[0]}::date, ${place[1]}::timestamptz, ${place[2]}::bigint)`)
    }
    const rows = await db.query<ListedLine>({
      text: `WITH page AS (SELECT l.* FROM statement_line l WHERE ${filter} ORDER BY ${LATEST_FIRST} LIMIT ${EXPORT_BATCH})
        SELECT ${LISTED} FROM page l ${LISTED_JOINS} ORDER BY ${LATEST_FIRST}`,
      values: filter.values,
    })
    if (rows.length > 0) yield rows
    if (rows.length < EXPORT_BATCH) return
    last = rows.at(-1)
  }
}

/** Returns how much money came in on an account in a period, and how much of it is decided. */
export async function findSummary(db: Queries, query: Place) {
  const filter = periodOf(query)
  const [row] = await db.query<{ moneyIn: number; decided: number; byItself: number; inSatang: number }>({
    text: `SELECT count(*)::int AS "moneyIn", count(*) FILTER (WHERE l.state <> 'unmatched')::int AS decided,
        count(*) FILTER (WHERE l.state = 'matched' AND l.decided_by IS NULL)::int AS "byItself",
        coalesce(sum(l.amount_satang), 0)::bigint AS "inSatang"
      FROM statement_line l WHERE l.state NOT IN ('out', 'void') AND ${filter}`,
    values: filter.values,
  })
  return row!
}

const MOST_SOURCES = 100

/** Returns the sources of the lines in a period, latest first; without a period only of those that wait. */
export async function findSources(db: Queries, query: Place): Promise<LineSourceView[]> {
  const filter = periodOf(query)
  if (!query.from) filter.must(`l.state = 'unmatched'`)
  const rows = await db.query<{ source: LineSourceView }>({
    text: `SELECT ${SOURCE} AS source FROM (
        SELECT l.file_id, l.feed_key_id, max(l.no) AS latest FROM statement_line l WHERE ${filter}
        GROUP BY l.file_id, l.feed_key_id ORDER BY latest DESC LIMIT ${MOST_SOURCES}
      ) l ${SOURCE_JOINS} ORDER BY l.latest DESC`,
    values: filter.values,
  })
  return rows.map(({ source }) => source)
}

interface AccountRow {
  id: number
  bankCode: string
  accountNo: string
  accountName: string
  isActive: boolean
  waiting: number
  latestDay: string | null
}

export async function findAccounts(db: Queries): Promise<AccountRow[]> {
  const row = columns<AccountRow>({
    ...sqlOf(receivingAccount, 'a', 'id', 'bankCode', 'accountNo', 'accountName', 'isActive'),
    waiting: `(SELECT count(*)::int FROM statement_line l WHERE l.receiving_account_id = a.id AND l.state = 'unmatched')`,
    latestDay: '(SELECT max(l.day)::text FROM statement_line l WHERE l.receiving_account_id = a.id)',
  })
  return db.query<AccountRow>({
    text: `SELECT ${row}
      FROM receiving_account a ORDER BY a.position, a.id`,
  })
}

export type StoredEvent = LineEvent & { actorName: string | null }

/** Returns the decisions about a line, oldest first. */
export async function findEvents(db: Queries, lineId: string): Promise<StoredEvent[]> {
  const event = columns<StoredEvent>({
    ...sqlOf(statementEvent, 'e', 'at', 'step', 'actorUid', 'reason'),
    actorName: personName('p'),
    target: `CASE WHEN e.target_id IS NOT NULL THEN ${targetJson('e.target_kind', 'e.target_id', 'coalesce(o.order_no, u.no)')} END`,
  })
  return db.query<StoredEvent>({
    text: `SELECT ${event}
      FROM statement_event e LEFT JOIN account p ON p.uid = e.actor_uid
      LEFT JOIN orders o ON o.id = e.target_id LEFT JOIN top_up u ON u.id = e.target_id
      WHERE e.line_id = $1 ORDER BY e.version`,
    values: [lineId],
  })
}

/** An order or top-up with the facts by which staff recognise it. */
export interface ShownPayable extends Payable {
  /** The game and package, or the owner of the wallet. */
  title: string
  picture: string | null
  slipId: string | null
}

const SHOWN_ORDER = `SELECT ${columns<ShownPayable>({
  ...ORDER_PAYABLE,
  title: `concat_ws(' · ', o.snapshot->>'gameName', o.snapshot->>'packageName')`,
  picture: `o.snapshot->>'gamePicture'`,
  slipId: 'o.slip_id',
})}, o.id AS sort_id
  FROM orders o`
const SHOWN_TOP_UP = `SELECT ${columns<ShownPayable>({
  ...TOP_UP_PAYABLE,
  title: `'เติมเงิน ' || a.username`,
  picture: 'NULL',
  slipId: 'u.slip_id',
})}, u.id AS sort_id
  FROM top_up u JOIN wallet w ON w.id = u.wallet_id JOIN account a ON a.uid = w.uid`

/** The number of candidates that are examined for a line that nothing fits. */
const MOST_NEAR = 200
const BEFORE = '8 days'
const AFTER = '2 days'

/** Returns for each line the things of similar amount and time, nearest first; `suggest` ranks them. */
export async function findNear(db: Queries, lines: readonly StatementLine[]): Promise<Map<string, ShownPayable[]>> {
  const found = new Map<string, ShownPayable[]>(lines.map(({ id }) => [id, []]))
  const nearest = (amount: string, created: string) =>
    `ORDER BY (${amount} <> l.amount), abs(extract(epoch FROM ${created} - l."from")) LIMIT ${MOST_NEAR}`
  const around = (alias: string) =>
    `${alias}.created_at BETWEEN l."from" - interval '${BEFORE}' AND l."to" + interval '${AFTER}'`
  const rows = await db.query<{ line: string } & ShownPayable>({
    text: `WITH l AS (
        SELECT * FROM unnest($1::uuid[], $2::int[], $3::bigint[], $4::bigint[], $5::bigint[], $6::timestamptz[], $7::timestamptz[])
          AS l (id, account, amount, least, most, "from", "to")
      )
      SELECT l.id AS line, near.* FROM l CROSS JOIN LATERAL (
        (${SHOWN_ORDER} WHERE o.receiving_account_id = l.account AND ${DUE} BETWEEN l.least AND l.most AND ${around('o')}
          ${nearest(DUE, 'o.created_at')})
        UNION ALL
        (${SHOWN_TOP_UP} WHERE (u.receiving_account_id IS NULL OR u.receiving_account_id = l.account)
          AND u.amount_satang BETWEEN l.least AND l.most AND ${around('u')} ${nearest('u.amount_satang', 'u.created_at')})
      ) near`,
    values: [
      lines.map(({ id }) => id),
      lines.map(line => line.receivingAccountId),
      lines.map(line => line.amountSatang),
      lines.map(line => nearAmounts(line.amountSatang).least),
      lines.map(line => nearAmounts(line.amountSatang).most),
      lines.map(line => momentOf(line).from),
      lines.map(line => momentOf(line).to),
    ],
  })
  for (const { line, ...payable } of rows) found.get(line)!.push(payable)
  return found
}

export interface TargetQuery {
  no?: string
  amountSatang?: number
  game?: string
  package?: string
}

/** Finds orders and top-ups for a search by staff, latest first, in the months around a day. */
export async function findTargets(
  db: Queries,
  query: TargetQuery & { day: string; page: number; pageSize: number },
): Promise<{ rows: ShownPayable[]; total: number }> {
  const filter = new Filter()
  const day = filter.bind(query.day)
  const around = (alias: string) =>
    `${alias}.created_at BETWEEN ${day}::date - interval '4 months' AND ${day}::date + interval '1 month'`
  const no = query.no && filter.bind(likePart(query.no.toUpperCase()))
  const amount = query.amountSatang !== undefined && filter.bind(query.amountSatang)
  const conditions = (...each: (string | false | undefined)[]) => each.filter(Boolean).join(' AND ')
  const orders = conditions(
    `o.payment = 'bank'`,
    around('o'),
    no && `o.order_no LIKE ${no}`,
    amount && `${DUE} = ${amount}`,
    query.game && `o.snapshot->>'gameName' ILIKE ${filter.bind(likePart(query.game))}`,
    query.package && `o.snapshot->>'packageName' ILIKE ${filter.bind(likePart(query.package))}`,
  )
  const topUps = conditions(around('u'), no && `u.no LIKE ${no}`, amount && `u.amount_satang = ${amount}`)
  // A search for a game leaves out top-ups.
  const sources = [
    `${SHOWN_ORDER} WHERE ${orders}`,
    ...(query.game || query.package ? [] : [`${SHOWN_TOP_UP} WHERE ${topUps}`]),
  ]
  const end = query.page * query.pageSize
  const first = sources
    .map(source => `(${source} ORDER BY "createdAt" DESC, sort_id DESC LIMIT ${end})`)
    .join(' UNION ALL ')
  const counted = sources
    .map(source => `(SELECT 1 FROM (${source} LIMIT ${MOST_COUNTED + 1}) AS part)`)
    .join(' UNION ALL ')
  const [rows, [count]] = await Promise.all([
    db.query<ShownPayable>({
      text: `SELECT * FROM (${first}) AS found ORDER BY "createdAt" DESC, sort_id DESC LIMIT ${query.pageSize} OFFSET ${end - query.pageSize}`,
      values: filter.values,
    }),
    db.query<{ total: number }>({
      text: `SELECT least(count(*), ${MOST_COUNTED + 1})::int AS total FROM (${counted}) AS counted`,
      values: filter.values,
    }),
  ])
  return { rows, total: count!.total }
}
