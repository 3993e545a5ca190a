import { MOST_COUNTED } from '@shop/shared/list-count.ts'
import { LINE_STATE, LINE_STATES } from '@shop/shared/statement/statement.ts'
import { DAY_MS, startOfBangkokDay } from '@shop/shared/time.ts'
import type { TransferUserKind } from '@shop/shared/transfer/transfer.ts'
import type { Queries } from '../database/database.ts'
import { dayOf, duringDays } from '../database/days.ts'
import { columns, Filter, personName } from '../database/listing.ts'
import { DUE } from '../transfer/order-money.ts'

/** Money in the books that has no statement line after this time must be looked into. */
const OVERDUE = '2 days'

/** The name shown in place of a person when a slip service vouched for the payment. */
const BY_SLIP = 'บริการตรวจสลิป'

/**
 * Orders and top-ups whose money is in the books without a statement line: since when, on which account, and on whose
 * word. The account is null when nobody named one. They are found by their transfers that no line shows, and never by
 * looking through all that was ever paid: the index `used_transfer_without_line` holds nothing else.
 */
const ORDERS_WITHOUT_LINE = `SELECT t.kind, t.subject_id AS id, o.order_no AS no, o.receiving_account_id AS account,
    ${DUE} AS amount, t.used_at AS booked_at
  FROM used_transfer t JOIN orders o ON o.id = t.subject_id WHERE t.kind = 'order' AND t.line_id IS NULL`
const TOP_UPS_WITHOUT_LINE = `SELECT t.kind, t.subject_id AS id, u.no, u.receiving_account_id AS account,
    u.amount_satang AS amount, t.used_at AS booked_at
  FROM used_transfer t JOIN top_up u ON u.id = t.subject_id WHERE t.kind = 'topUp' AND t.line_id IS NULL`
const WITHOUT_LINE = `${ORDERS_WITHOUT_LINE} UNION ALL ${TOP_UPS_WITHOUT_LINE}`

const BY = `CASE WHEN b.kind = 'topUp' THEN (SELECT ${personName('a')} FROM top_up u JOIN account a ON a.uid = u.decided_by WHERE u.id = b.id)
  ELSE (SELECT CASE WHEN e.actor_role = 'system' THEN '${BY_SLIP}' ELSE ${personName('a')} END
    FROM order_event e LEFT JOIN account a ON a.uid = e.actor_uid
    WHERE e.order_id = b.id AND e.to_status = 'paid' AND e.from_status <> 'processing' ORDER BY e.version DESC LIMIT 1) END`

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
  const row = columns<BookedRow>({
    kind: 'b.kind',
    id: 'b.id',
    no: 'b.no',
    receivingAccountId: 'b.account',
    amountSatang: 'b.amount',
    bookedAt: 'b.booked_at',
    by: BY,
    isOverdue,
  })
  const [rows, [count]] = await Promise.all([
    db.query<BookedRow>({
      text: `SELECT ${row}
        FROM (${page}) b ${order}`,
      values: filter.values,
    }),
    db.query<{ total: number }>({
      text: `SELECT least(count(*), ${MOST_COUNTED + 1})::int AS total FROM (SELECT ${isOverdue} FROM (${oldest(MOST_COUNTED + 1)}) b) AS counted`,
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
  const overdue = (kind: TransferUserKind) => `(SELECT count(*)::int FROM (SELECT 1 FROM used_transfer
    WHERE kind = '${kind}' AND line_id IS NULL AND used_at >= $1 AND used_at < $2::timestamptz - interval '${OVERDUE}'
    LIMIT ${MOST_COUNTED + 1}) AS counted)`
  const [row] = await db.query<{ orders: number; topUps: number }>({
    text: `SELECT ${overdue('order')} AS orders, ${overdue('topUp')} AS "topUps"`,
    values: [startOfBangkokDay(since), now],
  })
  return row!
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
const STANDS = `t.kind NOT IN ('refund_sent', 'order_payment_undone', 'line_undone')
  AND NOT (t.kind = 'correction' AND t.reverses_id IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM ledger_transaction r
    WHERE r.reverses_id = t.id AND r.reverses_id IS NOT NULL AND r.kind <> 'order_refunded')`

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

function sumDays(db: Queries, { receivingAccountId, from, to }: AccountDaysQuery, now: Date): Promise<AccountDay[]> {
  return db.query<AccountDay>({
    text: `WITH line AS (
        SELECT l.*, u.status IS NOT DISTINCT FROM 'waiting_approve' AS waits, u.no AS top_up_no
        FROM statement_line l LEFT JOIN top_up u ON u.id = l.top_up_id
        WHERE l.day BETWEEN $1 AND $2 AND l.state <> 'void'
      ), posted AS (
        SELECT l.day, t.id FROM line l JOIN ledger_transaction t ON t.subject_id = l.id WHERE ${STANDS}
        UNION ALL SELECT l.day, t.id FROM line l JOIN ledger_transaction t ON t.subject_id = l.order_id WHERE ${STANDS}
        UNION ALL SELECT l.day, t.id FROM line l JOIN ledger_transaction t ON t.subject_id = l.top_up_id WHERE ${STANDS}
        UNION ALL SELECT ${dayOf('t.at')}, t.id FROM ledger_transaction t
          WHERE t.id IN (SELECT e.transaction_id FROM ledger_entry e
              WHERE e.account IN (SELECT 'bank:' || id FROM receiving_account) AND ${duringDays('e.at', '$1', '$2')})
            AND ${STANDS} AND NOT EXISTS (SELECT 1 FROM statement_line x WHERE x.id = t.subject_id)
            AND NOT EXISTS (SELECT 1 FROM statement_line x WHERE x.order_id = t.subject_id)
            AND NOT EXISTS (SELECT 1 FROM statement_line x WHERE x.top_up_id = t.subject_id)
      ), fact (account, day, came, lines, matched, waiting, waits_for, open, open_lines, unrelated, without_line, without, overdue, ledger) AS (
        SELECT receiving_account_id, day, amount_satang, 1,
          CASE WHEN state = ANY($4) AND NOT waits THEN amount_satang ELSE 0 END,
          CASE WHEN waits THEN amount_satang ELSE 0 END, CASE WHEN waits THEN json_build_object('id', top_up_id, 'no', top_up_no) END,
          CASE WHEN state = ANY($5) THEN amount_satang ELSE 0 END, (state = ANY($5))::int,
          CASE WHEN state <> ALL($4) AND state <> ALL($5) THEN amount_satang ELSE 0 END, 0, 0, 0, 0
        FROM line WHERE amount_satang > 0
        UNION ALL
        SELECT account, ${dayOf('booked_at')}, 0, 0, 0, 0, NULL, 0, 0, 0, amount, 1, (booked_at < $6::timestamptz - interval '${OVERDUE}')::int, 0
        FROM (${WITHOUT_LINE}) b WHERE account IS NOT NULL AND ${duringDays('b.booked_at', '$1', '$2')}
        UNION ALL
        SELECT substr(e.account, 6)::int, p.day, 0, 0, 0, 0, NULL, 0, 0, 0, 0, 0, 0, -e.amount_satang
        FROM posted p JOIN ledger_entry e ON e.transaction_id = p.id WHERE e.account LIKE 'bank:%'
      )
      SELECT account AS "receivingAccountId", day::text, sum(came)::bigint AS "inSatang", sum(lines)::int AS lines,
        sum(matched)::bigint AS "matchedSatang", sum(waiting)::bigint AS "waitingSatang",
        coalesce(json_agg(waits_for) FILTER (WHERE waits_for IS NOT NULL), '[]') AS waiting, sum(unrelated)::bigint AS "unrelatedSatang",
        sum(open)::bigint AS "openSatang", sum(open_lines)::int AS open,
        sum(without_line)::bigint AS "withoutLineSatang", sum(without)::int AS "withoutLine", sum(overdue)::int AS overdue,
        sum(ledger)::bigint AS "ledgerSatang"
      FROM fact WHERE $3::int IS NULL OR account = $3 GROUP BY account, day ORDER BY day DESC, account`,
    values: [from, to, receivingAccountId ?? null, BOOKED, OPEN, now],
  })
}
