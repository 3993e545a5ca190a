import { MOST_COUNTED } from '@shop/shared/list-count.ts'
import { LINE_STATE, LINE_STATES } from '@shop/shared/statement/statement.ts'
import { DAY_MS, startOfBangkokDay } from '@shop/shared/time.ts'
import type { TransferUserKind } from '@shop/shared/transfer/transfer.ts'
import { account } from '../account/tables.ts'
import { receivingAccount } from '../catalogue/tables.ts'
import type { Queries } from '../database/database.ts'
import { dayOf, duringDays } from '../database/days.ts'
import { Filter, personName } from '../database/listing.ts'
import { as, orNull, outer, row, sql, under } from '../database/sql.ts'
import { orderEvent, orders } from '../order/tables.ts'
import { DUE } from '../transfer/order-money.ts'
import { usedTransfer } from '../transfer/tables.ts'
import { ledgerEntry, ledgerTransaction, topUp } from '../wallet/tables.ts'
import { statementLine } from './tables.ts'

const [t, o, u] = [under(usedTransfer, 't'), under(orders, 'o'), under(topUp, 'u')]
const [a, happened] = [under(account, 'a'), under(orderEvent, 'e')]
const [l, x] = [under(statementLine, 'l'), under(statementLine, 'x')]
const [posting, reversal, e] = [under(ledgerTransaction, 't'), under(ledgerTransaction, 'r'), under(ledgerEntry, 'e')]
/** The top-up of a line. */
const its = outer(topUp, 'u')
/** Where names stand alone. */
const [transfer, line, shopAccount] = [under(usedTransfer), under(statementLine), under(receivingAccount)]

/** Money in the books that has no statement line after this time must be looked into. */
const OVERDUE = '2 days'

/** The name shown in place of a person when a slip service vouched for the payment. */
const BY_SLIP = 'บริการตรวจสลิป'

/**
 * Orders and top-ups whose money is in the books without a statement line: since when, on which account, and on whose
 * word. The account is null when nobody named one. They are found by their transfers that no line shows, and never by
 * looking through all that was ever paid: the index `used_transfer_without_line` holds nothing else.
 */
const ORDERS_WITHOUT_LINE = `SELECT ${t.kind}, ${t.subjectId} AS id, ${o.orderNo} AS no, ${o.receivingAccountId} AS account,
    ${DUE} AS amount, ${t.usedAt} AS booked_at
  FROM ${t} JOIN ${o} ON ${o.id} = ${t.subjectId} WHERE ${t.kind} = 'order' AND ${t.lineId} IS NULL`
const TOP_UPS_WITHOUT_LINE = `SELECT ${t.kind}, ${t.subjectId} AS id, ${u.no}, ${u.receivingAccountId} AS account,
    ${u.amountSatang} AS amount, ${t.usedAt} AS booked_at
  FROM ${t} JOIN ${u} ON ${u.id} = ${t.subjectId} WHERE ${t.kind} = 'topUp' AND ${t.lineId} IS NULL`
const WITHOUT_LINE = `${ORDERS_WITHOUT_LINE} UNION ALL ${TOP_UPS_WITHOUT_LINE}`

const BY = `CASE WHEN b.kind = 'topUp'
    THEN (SELECT ${personName('a')} FROM ${u} JOIN ${a} ON ${a.uid} = ${u.decidedBy} WHERE ${u.id} = b.id)
  ELSE (SELECT CASE WHEN ${happened.actorRole} = 'system' THEN '${BY_SLIP}' ELSE ${personName('a')} END
    FROM ${happened} LEFT JOIN ${a} ON ${a.uid} = ${happened.actorUid}
    WHERE ${happened.orderId} = b.id AND ${happened.toStatus} = 'paid' AND ${happened.fromStatus} <> 'processing'
      ORDER BY ${happened.version} DESC LIMIT 1) END`

export interface BookedRow {
  kind: 'order' | 'topUp'
  id: string
  no: string
  receivingAccountId: number | null
  amountSatang: number
  bookedAt: Date
  by: string | null
  isOverdue: boolean
}

export interface BookedQuery {
  receivingAccountId?: number
  day?: string
  overdue: boolean
  page: number
  pageSize: number
}

/** Returns a page of what has been in the books without a line since a Bangkok day, oldest first. */
export async function findBookedWithoutLine(
  db: Queries,
  query: BookedQuery,
  { since, now }: { since: string; now: Date },
): Promise<{ rows: BookedRow[]; total: number }> {
  const filter = new Filter()
  const isOverdue = `b.booked_at < ${filter.bind(now)}::timestamptz - interval '${OVERDUE}'`
  filter.where(startOfBangkokDay(since), from => `b.booked_at >= ${from}`)
  filter.where(query.receivingAccountId, id => `b.account = ${id}`)
  filter.where(query.day, day => duringDays('b.booked_at', day, day))
  if (query.overdue) filter.must(isOverdue)
  const order = 'ORDER BY b.booked_at, b.id'
  // Each kind is read separately and only as far as the page needs, so that orders are read in the order of an index.
  const oldest = (limit: number) =>
    [ORDERS_WITHOUT_LINE, TOP_UPS_WITHOUT_LINE]
      .map(kind => `(SELECT b.* FROM (${kind}) b WHERE ${filter} ${order} LIMIT ${limit})`)
      .join(' UNION ALL ')
  const page = `SELECT b.* FROM (${oldest(query.page * query.pageSize)}) b ${order}
    LIMIT ${query.pageSize} OFFSET ${(query.page - 1) * query.pageSize}`
  const booked = row<BookedRow>({
    kind: as.text<BookedRow['kind']>('b.kind'),
    id: as.text('b.id'),
    no: as.text('b.no'),
    receivingAccountId: orNull(as.int('b.account')),
    amountSatang: as.satang('b.amount'),
    bookedAt: as.instant('b.booked_at'),
    by: orNull(as.text(BY)),
    isOverdue: as.bool(isOverdue),
  })
  const total = as.int(`least(count(*), ${MOST_COUNTED + 1})`)
  const [rows, [count]] = await Promise.all([
    db.query({ text: sql`SELECT ${booked} FROM (${page}) b ${order}`, values: filter.values }),
    db.query({
      text: sql`SELECT ${row({ total })} FROM (SELECT ${isOverdue} FROM (${oldest(MOST_COUNTED + 1)}) b) AS counted`,
      values: filter.values,
    }),
  ])
  return { rows, total: count!.total }
}

/**
 * Counts the orders and top-ups that were paid on a slip's or a person's word and whose line did not come in time; each
 * up to 1,001. @param since a Bangkok day
 */
export async function countOverdue(db: Queries, since: string, now: Date): Promise<{ orders: number; topUps: number }> {
  const overdue = (kind: TransferUserKind) =>
    as.int(`(SELECT count(*) FROM (SELECT 1 FROM ${transfer}
    WHERE ${transfer.kind} = '${kind}' AND ${transfer.lineId} IS NULL AND ${transfer.usedAt} >= $1
      AND ${transfer.usedAt} < $2::timestamptz - interval '${OVERDUE}'
    LIMIT ${MOST_COUNTED + 1}) AS counted)`)
  const [found] = await db.query({
    text: sql`SELECT ${row({ orders: overdue('order'), topUps: overdue('topUp') })}`,
    values: [startOfBangkokDay(since), now],
  })
  return found!
}

export interface AccountDay {
  receivingAccountId: number
  day: string
  inSatang: number
  lines: number
  matchedSatang: number
  waitingSatang: number
  waiting: { id: string; no: string }[]
  openSatang: number
  open: number
  unrelatedSatang: number
  withoutLineSatang: number
  withoutLine: number
  overdue: number
  ledgerSatang: number
}

const BOOKED = LINE_STATES.filter(state => LINE_STATE[state].isBooked)
const OPEN = LINE_STATES.filter(state => LINE_STATE[state].isOpen)

/** Postings that count: those that were not reversed, without sent refunds, which bring no money in. */
const STANDS = `${posting.kind} NOT IN ('refund_sent', 'order_payment_undone', 'line_undone')
  AND NOT (${posting.kind} = 'correction' AND ${posting.reversesId} IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM ${reversal}
    WHERE ${reversal.reversesId} = ${posting.id} AND ${reversal.reversesId} IS NOT NULL AND ${reversal.kind} <> 'order_refunded')`

interface AccountDaysQuery {
  receivingAccountId?: number
  /** Bangkok days, both included. */
  from: string
  to: string
}

/** Days that one statement adds up: with ten million orders a week met the time limit on a busy machine. */
const DAYS_AT_ONCE = 2

const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10)

/** Returns the parts of a period that one statement each adds up, the latest first. */
export function partsOf({ from, to }: { from: string; to: string }): { from: string; to: string }[] {
  const parts: { from: string; to: string }[] = []
  for (let last = to; last >= from; last = dayBefore(last, DAYS_AT_ONCE)) {
    const first = dayBefore(last, DAYS_AT_ONCE - 1)
    parts.push({ from: first > from ? first : from, to: last })
  }
  return parts
}

/**
 * Returns the days with activity on accounts, latest first. Money from a line counts for the line's day, whenever it
 * was posted; the rest of the ledger counts for the day of its posting. No day depends on another.
 */
export async function findAccountDays(db: Queries, query: AccountDaysQuery, now: Date): Promise<AccountDay[]> {
  const days: AccountDay[] = []
  for (const part of partsOf(query)) days.push(...(await sumDays(db, { ...query, ...part }, now)))
  return days
}

/** Of the facts of an account and a day. */
const ACCOUNT_DAY = row<AccountDay>({
  receivingAccountId: as.int('account'),
  day: as.text('day'),
  inSatang: as.satang('sum(came)'),
  lines: as.int('sum(lines)'),
  matchedSatang: as.satang('sum(matched)'),
  waitingSatang: as.satang('sum(waiting)'),
  waiting: as.shape<AccountDay['waiting']>(`coalesce(json_agg(waits_for) FILTER (WHERE waits_for IS NOT NULL), '[]')`),
  unrelatedSatang: as.satang('sum(unrelated)'),
  openSatang: as.satang('sum(open)'),
  open: as.int('sum(open_lines)'),
  withoutLineSatang: as.satang('sum(without_line)'),
  withoutLine: as.int('sum(without)'),
  overdue: as.int('sum(overdue)'),
  ledgerSatang: as.satang('sum(ledger)'),
})

function sumDays(db: Queries, { receivingAccountId, from, to }: AccountDaysQuery, now: Date): Promise<AccountDay[]> {
  return db.query({
    text: sql`WITH line AS (
        SELECT l.*, ${its.status} IS NOT DISTINCT FROM 'waiting_approve' AS waits, ${its.no} AS top_up_no
        FROM ${l} LEFT JOIN ${its} ON ${its.id} = ${l.topUpId}
        WHERE ${l.day} BETWEEN $1 AND $2 AND ${l.state} <> 'void'
      ), posted AS (
        SELECT ${l.day}, ${posting.id} FROM line l JOIN ${posting} ON ${posting.subjectId} = ${l.id} WHERE ${STANDS}
        UNION ALL SELECT ${l.day}, ${posting.id} FROM line l JOIN ${posting} ON ${posting.subjectId} = ${l.orderId}
          WHERE ${STANDS}
        UNION ALL SELECT ${l.day}, ${posting.id} FROM line l JOIN ${posting} ON ${posting.subjectId} = ${l.topUpId}
          WHERE ${STANDS}
        UNION ALL SELECT ${dayOf(`${posting.at}`)}, ${posting.id} FROM ${posting}
          WHERE ${posting.id} IN (SELECT ${e.transactionId} FROM ${e}
              WHERE ${e.account} IN (SELECT 'bank:' || ${shopAccount.id} FROM ${shopAccount})
                AND ${duringDays(`${e.at}`, '$1', '$2')})
            AND ${STANDS} AND NOT EXISTS (SELECT 1 FROM ${x} WHERE ${x.id} = ${posting.subjectId})
            AND NOT EXISTS (SELECT 1 FROM ${x} WHERE ${x.orderId} = ${posting.subjectId})
            AND NOT EXISTS (SELECT 1 FROM ${x} WHERE ${x.topUpId} = ${posting.subjectId})
      ), fact (account, day, came, lines, matched, waiting, waits_for, open, open_lines, unrelated, without_line, without, overdue, ledger) AS (
        SELECT ${line.receivingAccountId}, ${line.day}, ${line.amountSatang}, 1,
          CASE WHEN ${line.state} = ANY($4) AND NOT waits THEN ${line.amountSatang} ELSE 0 END,
          CASE WHEN waits THEN ${line.amountSatang} ELSE 0 END,
          CASE WHEN waits THEN json_build_object('id', ${line.topUpId}, 'no', top_up_no) END,
          CASE WHEN ${line.state} = ANY($5) THEN ${line.amountSatang} ELSE 0 END, (${line.state} = ANY($5))::int,
          CASE WHEN ${line.state} <> ALL($4) AND ${line.state} <> ALL($5) THEN ${line.amountSatang} ELSE 0 END, 0, 0, 0, 0
        FROM line WHERE ${line.amountSatang} > 0
        UNION ALL
        SELECT account, ${dayOf('booked_at')}, 0, 0, 0, 0, NULL, 0, 0, 0, amount, 1,
          (booked_at < $6::timestamptz - interval '${OVERDUE}')::int, 0
        FROM (${WITHOUT_LINE}) b WHERE account IS NOT NULL AND ${duringDays('b.booked_at', '$1', '$2')}
        UNION ALL
        SELECT substr(${e.account}, 6)::int, p.day, 0, 0, 0, 0, NULL, 0, 0, 0, 0, 0, 0, -${e.amountSatang}
        FROM posted p JOIN ${e} ON ${e.transactionId} = p.id WHERE ${e.account} LIKE 'bank:%'
      )
      SELECT ${ACCOUNT_DAY}
      FROM fact WHERE $3::int IS NULL OR account = $3 GROUP BY account, day ORDER BY day DESC, account`,
    values: [from, to, receivingAccountId ?? null, BOOKED, OPEN, now],
  })
}
