import { MOST_COUNTED } from '@shop/shared/list-count.ts'
import type { LineSourceView, listStatementLines } from '@shop/shared/statement/endpoints.ts'
import { parseSource, type SourceKind } from '@shop/shared/statement/line-source.ts'
import { momentOf, type Payable } from '@shop/shared/statement/matching.ts'
import type { LineEvent, LineTarget, StatementLine } from '@shop/shared/statement/statement.ts'
import { nearAmounts } from '@shop/shared/statement/suggestions.ts'
import type * as z from 'zod'
import { account } from '../account/tables.ts'
import { receivingAccount } from '../catalogue/tables.ts'
import type { Queries } from '../database/database.ts'
import { Filter, findPage, likePart, personName } from '../database/listing.ts'
import {
  as,
  type Expr,
  type Fields,
  json,
  notNull,
  orNull,
  outer,
  pick,
  row,
  sql,
  type Text,
  under,
} from '../database/sql.ts'
import { orders } from '../order/tables.ts'
import { DUE } from '../transfer/order-money.ts'
import { topUp, wallet } from '../wallet/tables.ts'
import { LINE, LINE_JOINS, ORDER_PAYABLE, type StoredLine, TOP_UP_PAYABLE, targetJson } from './store.ts'
import { feedKey, statementEvent, statementFile, statementLine } from './tables.ts'

export type LineQuery = Omit<z.output<typeof listStatementLines.query>, 'page' | 'pageSize'>

export type ListedLine = StoredLine & { decidedByName: string | null; source: LineSourceView }

const l = under(statementLine, 'l')
const [lf, lg, lk] = [outer(statementFile, 'lf'), outer(account, 'lg'), outer(feedKey, 'lk')]
const ld = outer(account, 'ld')

const MOMENT = `coalesce(${l.at}, '-infinity')`
const LATEST_FIRST = `${l.day} DESC, ${MOMENT} DESC, ${l.no} DESC`
const OLDEST_FIRST = `${l.day}, ${MOMENT}, ${l.no}`
/** The source of a line `l`: its file `lf`, the file's uploader `lg`, and its feed's key `lk`. */
const SOURCE = json<LineSourceView>({
  kind: as.text<SourceKind>(`CASE WHEN ${l.fileId} IS NULL THEN 'feed' ELSE 'file' END`),
  id: orNull(as.text(`coalesce(${l.fileId}, ${l.feedKeyId})`)),
  name: orNull(as.text(`coalesce(${lf.fileName}, ${lk.name})`)),
  byName: orNull(personName('lg')),
})
const SOURCE_JOINS = sql`LEFT JOIN ${lf} ON ${lf.id} = ${l.fileId} LEFT JOIN ${lg} ON ${lg.uid} = ${lf.givenBy}
  LEFT JOIN ${lk} ON ${lk.id} = ${l.feedKeyId}`
const LISTED = row<ListedLine>({ ...LINE, decidedByName: orNull(personName('ld')), source: SOURCE })
const LISTED_JOINS = sql`${LINE_JOINS} LEFT JOIN ${ld} ON ${ld.uid} = ${l.decidedBy} ${SOURCE_JOINS}`

const SOURCE_COLUMN: Record<SourceKind, Expr<string | null>> = { file: l.fileId, feed: l.feedKeyId }

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
  if (gap) filter.must(`${l.chain} = 'gap'`)
  if (disputed) filter.must(`${l.disputedAt} IS NOT NULL`)
  if (source) {
    const { kind, id } = parseSource(source)
    filter.must(`${l.fileId} IS ${kind === 'file' ? 'NOT NULL' : 'NULL'}`)
    filter.where(id, given => `${SOURCE_COLUMN[kind]} = ${given}::uuid`)
  }
  if (noSaleOrder) filter.must(`${l.state} = 'unmatched'`)
  filter.where(state, states => `${l.state} = ANY(${states}::text[])`)
  if (text) {
    const inDetail = `${l.detail} ILIKE ${filter.bind(likePart(text))}`
    const digits = text.replaceAll(',', '')
    const inAmount = /^\d*\.?\d*$/.test(digits)
      ? `to_char(abs(${l.amountSatang}) / 100.0, 'FM9999999990.00') LIKE ${filter.bind(likePart(digits))}`
      : 'false'
    filter.must(`(${inDetail} OR ${inAmount})`)
  }
  return filter
}

type Place = Pick<LineQuery, 'receivingAccountId' | 'from' | 'to'>

function periodOf({ receivingAccountId, from, to }: Place): Filter {
  const filter = new Filter()
  filter.where(receivingAccountId, id => `${l.receivingAccountId} = ${id}`)
  filter.where(from, day => `${l.day} >= ${day}`)
  filter.where(to, day => `${l.day} <= ${day}`)
  return filter
}

/** A page of lines: what waits is worked off from the oldest, everything else is looked up from the latest. */
export function findLines(db: Queries, query: LineQuery & { page: number; pageSize: number }) {
  const select = sql`SELECT ${LISTED} FROM page l ${LISTED_JOINS}`
  const order = query.noSaleOrder ? OLDEST_FIRST : LATEST_FIRST
  const list = { from: sql`${l}`, filter: filterOf(query), order, select }
  return findPage(db, list, query)
}

export async function findListedLine(db: Queries, id: string): Promise<ListedLine | null> {
  const [found] = await db.query({
    text: sql`SELECT ${LISTED} FROM ${l} ${LISTED_JOINS} WHERE ${l.id} = $1`,
    values: [id],
  })
  return found ?? null
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
      filter.must(`(${l.day}, ${MOMENT}, ${l.no}) < (${place[0]}::date, ${place[1]}::timestamptz, ${place[2]}::bigint)`)
    }
    const rows: ListedLine[] = await db.query({
      text: sql`WITH page AS (SELECT l.* FROM ${l} WHERE ${filter} ORDER BY ${LATEST_FIRST} LIMIT ${EXPORT_BATCH})
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
  const summary = row({
    moneyIn: as.int('count(*)'),
    decided: as.int(`count(*) FILTER (WHERE ${l.state} <> 'unmatched')`),
    byItself: as.int(`count(*) FILTER (WHERE ${l.state} = 'matched' AND ${l.decidedBy} IS NULL)`),
    inSatang: as.satang(`coalesce(sum(${l.amountSatang}), 0)`),
  })
  const [found] = await db.query({
    text: sql`SELECT ${summary} FROM ${l} WHERE ${l.state} NOT IN ('out', 'void') AND ${filter}`,
    values: filter.values,
  })
  return found!
}

const MOST_SOURCES = 100

/** Returns the sources of the lines in a period, latest first; without a period only of those that wait. */
export async function findSources(db: Queries, query: Place): Promise<LineSourceView[]> {
  const filter = periodOf(query)
  if (!query.from) filter.must(`${l.state} = 'unmatched'`)
  const rows = await db.query({
    text: sql`SELECT ${row({ source: SOURCE })} FROM (
        SELECT ${l.fileId}, ${l.feedKeyId}, max(${l.no}) AS latest FROM ${l} WHERE ${filter}
        GROUP BY ${l.fileId}, ${l.feedKeyId} ORDER BY latest DESC LIMIT ${MOST_SOURCES}
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

const ra = under(receivingAccount, 'a')

export async function findAccounts(db: Queries): Promise<AccountRow[]> {
  const account = row<AccountRow>({
    ...pick(ra, 'id', 'bankCode', 'accountNo', 'accountName', 'isActive'),
    waiting: as.int(
      `(SELECT count(*) FROM ${l} WHERE ${l.receivingAccountId} = ${ra.id} AND ${l.state} = 'unmatched')`,
    ),
    latestDay: orNull(as.text(`(SELECT max(${l.day}) FROM ${l} WHERE ${l.receivingAccountId} = ${ra.id})`)),
  })
  return db.query({ text: sql`SELECT ${account} FROM ${ra} ORDER BY ${ra.position}, ${ra.id}` })
}

export type StoredEvent = LineEvent & { actorName: string | null }

const e = under(statementEvent, 'e')
const [p, eo, eu] = [outer(account, 'p'), outer(orders, 'o'), outer(topUp, 'u')]

/** Returns the decisions about a line, oldest first. */
export async function findEvents(db: Queries, lineId: string): Promise<StoredEvent[]> {
  const no = as.text(`coalesce(${eo.orderNo}, ${eu.no})`)
  const target = targetJson(notNull(e.targetKind), notNull(e.targetId), no)
  const event = row<StoredEvent>({
    ...pick(e, 'at', 'step', 'actorUid', 'reason'),
    actorName: orNull(personName('p')),
    target: orNull(as.shape<LineTarget>(`CASE WHEN ${e.targetId} IS NOT NULL THEN ${target} END`)),
  })
  return db.query({
    text: sql`SELECT ${event}
      FROM ${e} LEFT JOIN ${p} ON ${p.uid} = ${e.actorUid}
      LEFT JOIN ${eo} ON ${eo.id} = ${e.targetId} LEFT JOIN ${eu} ON ${eu.id} = ${e.targetId}
      WHERE ${e.lineId} = $1 ORDER BY ${e.version}`,
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

const [o, u, w, a] = [under(orders, 'o'), under(topUp, 'u'), under(wallet, 'w'), under(account, 'a')]
const SHOWN_ORDER: Fields<ShownPayable> = {
  ...ORDER_PAYABLE,
  title: as.text(`concat_ws(' · ', ${o.snapshot}->>'gameName', ${o.snapshot}->>'packageName')`),
  picture: orNull(as.text(`${o.snapshot}->>'gamePicture'`)),
  slipId: o.slipId,
}
const SHOWN_TOP_UP: Fields<ShownPayable> = {
  ...TOP_UP_PAYABLE,
  title: as.text(`'เติมเงิน ' || ${a.username}`),
  picture: orNull(as.text('NULL')),
  slipId: u.slipId,
}
const TOP_UPS = sql`${u} JOIN ${w} ON ${w.id} = ${u.walletId} JOIN ${a} ON ${a.uid} = ${w.uid}`

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
  /** With the id of the line that it is near to. */
  type Near = ShownPayable & { line: string }
  const rows = await db.query({
    text: sql`WITH l AS (
        SELECT * FROM unnest($1::uuid[], $2::int[], $3::bigint[], $4::bigint[], $5::bigint[], $6::timestamptz[], $7::timestamptz[])
          AS l (id, account, amount, least, most, "from", "to")
      )
      SELECT near.* FROM l CROSS JOIN LATERAL (
        (SELECT ${row<Near>({ ...SHOWN_ORDER, line: l.id })} FROM ${o}
          WHERE ${o.receivingAccountId} = l.account AND ${DUE} BETWEEN l.least AND l.most AND ${around('o')}
          ${nearest(DUE.sql, `${o.createdAt}`)})
        UNION ALL
        (SELECT ${row<Near>({ ...SHOWN_TOP_UP, line: l.id })} FROM ${TOP_UPS}
          WHERE (${u.receivingAccountId} IS NULL OR ${u.receivingAccountId} = l.account)
          AND ${u.amountSatang} BETWEEN l.least AND l.most AND ${around('u')} ${nearest(`${u.amountSatang}`, `${u.createdAt}`)})
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

type Sorted = ShownPayable & { sortId: string }

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
  const ordersLike = conditions(
    `${o.payment} = 'bank'`,
    around('o'),
    no && `${o.orderNo} LIKE ${no}`,
    amount && `${DUE} = ${amount}`,
    query.game && `${o.snapshot}->>'gameName' ILIKE ${filter.bind(likePart(query.game))}`,
    query.package && `${o.snapshot}->>'packageName' ILIKE ${filter.bind(likePart(query.package))}`,
  )
  const topUps = conditions(around('u'), no && `${u.no} LIKE ${no}`, amount && `${u.amountSatang} = ${amount}`)
  // A search for a game leaves out top-ups.
  const hasTopUps = !query.game && !query.package
  const found = sql`SELECT ${row<Sorted>({ ...SHOWN_ORDER, sortId: o.id })} FROM ${o} WHERE ${ordersLike}`
  const foundTopUps = sql`SELECT ${row<Sorted>({ ...SHOWN_TOP_UP, sortId: u.id })} FROM ${TOP_UPS} WHERE ${topUps}`
  const end = query.page * query.pageSize
  const latest = (source: Text<Sorted>) => sql`(${source} ORDER BY "createdAt" DESC, "sortId" DESC LIMIT ${end})`
  const counting = (source: Text<Sorted>) => `(SELECT 1 FROM (${source} LIMIT ${MOST_COUNTED + 1}) AS part)`
  const counted = [found, ...(hasTopUps ? [foundTopUps] : [])].map(counting).join(' UNION ALL ')
  const total = as.int(`least(count(*), ${MOST_COUNTED + 1})`)
  const [rows, [count]] = await Promise.all([
    db.query({
      text: sql`SELECT * FROM (${latest(found)}${hasTopUps ? ` UNION ALL ${latest(foundTopUps)}` : ''}) AS found
        ORDER BY "createdAt" DESC, "sortId" DESC LIMIT ${query.pageSize} OFFSET ${end - query.pageSize}`,
      values: filter.values,
    }),
    db.query({ text: sql`SELECT ${row({ total })} FROM (${counted}) AS counted`, values: filter.values }),
  ])
  return { rows, total: count!.total }
}
