import type { BacklogKind } from '@shop/shared/backlog/backlog.ts'
import { MOST_KEPT } from '@shop/shared/list-count.ts'
import { WAITING as WAITING_ORDERS, type WaitingFor } from '@shop/shared/order/history.ts'
import type { Caller } from '@shop/shared/permissions.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { WORD_SECONDS } from '@shop/shared/value/value.ts'
import { listSql } from '../database/columns.ts'
import type { Sql } from '../database/database.ts'
import { UNKNOWN_SINCE, unknownCharges } from '../gateway/store.ts'
import { IS_QUEUED, WAITS_SINCE } from '../order/delivering/queue-store.ts'
import { KINDS_FOR_PEOPLE } from '../outbox/job-kind.ts'
import { WORTH, worthSql } from '../transfer/order-money.ts'
import { wordActionsOf } from '../value/word-store.ts'

export interface WaitingRow {
  count: number
  oldest: Date | null
  amountSatang: number | null
  inHand: number
  receivingAccountId: number | null
}

/** Returns the SQL of the orders in one of staff's lists of transfer reports. */
const reportedAs = (list: WaitingFor) => `SELECT transfer_reported_at, ${worthSql('orders')}, false, NULL::int
  FROM orders WHERE status = '${WAITING_ORDERS[list].status}' AND transfer_reported_at IS NOT NULL`

/**
 * For each kind of waiting row: since when it waits, its amount, whether somebody has taken it, and its receiving
 * account.
 */
const WAITING = {
  // The shop itself may have taken the order.
  orders: `SELECT ${WAITS_SINCE} AS since, ${WORTH} AS amount, o.status = 'processing' AS in_hand, NULL::int AS account
    FROM orders o WHERE ${IS_QUEUED}`,
  reports: reportedAs('reported'),
  lateReports: reportedAs('lateReport'),
  corrections: `SELECT ended_at, ${worthSql('orders')}, false, NULL::int
    FROM orders WHERE status = 'failed' AND proposed_player IS NOT NULL`,
  failed: `SELECT ended_at, ${worthSql('orders')}, false, NULL::int
    FROM orders WHERE status = 'failed' AND proposed_player IS NULL`,
  topUps: `SELECT created_at, amount_satang, first_approved_by IS NOT NULL, NULL::int FROM top_up WHERE status = 'waiting_approve'`,
  lines: `SELECT coalesce(at, day::timestamp AT TIME ZONE 'Asia/Bangkok'), amount_satang, false, receiving_account_id
    FROM statement_line WHERE state = 'unmatched'`,
  lostSlips: `SELECT s.created_at, NULL::bigint, false, NULL::int
    FROM lost_slip x JOIN slip s ON s.id = x.slip_id WHERE x.closed_at IS NULL
    UNION ALL SELECT found_at, cost_satang, false, NULL::int FROM lost_purchase WHERE closed_at IS NULL`,
  disputed: `SELECT coalesce(at, day::timestamp AT TIME ZONE 'Asia/Bangkok'), amount_satang, false, receiving_account_id
    FROM statement_line WHERE disputed_at IS NOT NULL`,
  unknownCharges: `SELECT ${UNKNOWN_SINCE}, c.amount_satang, false, NULL::int FROM charge c WHERE ${unknownCharges('(SELECT now FROM given)')}`,
  deadJobs: `SELECT settled_at, NULL::bigint, false, NULL::int FROM outbox
    WHERE state = 'dead' AND kind IN (${listSql(KINDS_FOR_PEOPLE)})`,
  refunds: `SELECT created_at, amount_satang, false, NULL::int FROM owed_refund WHERE sent_at IS NULL AND undone_at IS NULL`,
  secondWords: `SELECT asked_at, amount_satang, false, NULL::int FROM second_word
    WHERE state = 'waiting' AND asked_by IS DISTINCT FROM (SELECT uid FROM given)
      AND action = ANY((SELECT words FROM given)::text[]) AND asked_at > (SELECT words_since FROM given)`,
  waitingFiles: `SELECT imported_at, NULL::bigint, false, receiving_account_id
    FROM statement_file WHERE needs_second AND confirmed_by IS NULL AND imported_at IS NOT NULL`,
  messages: `SELECT created_at, NULL::bigint, false, NULL::int FROM chat_message WHERE state = 'dead'`,
  // The reconciliation counts it, which reads too much for every page.
  withoutLine: null,
} satisfies Record<BacklogKind, string | null>
const COUNTED = Object.entries(WAITING) as [BacklogKind, string | null][]

/** Counts what waits of each of these kinds, in one statement; kinds that are counted elsewhere are left out. */
export async function findWaiting(
  db: Sql,
  asked: readonly BacklogKind[],
  /** The person the list is for; without a uid, everybody in that role. */
  { uid, caller, now }: { uid: string | null; caller: Caller; now: Date },
): Promise<Partial<Record<BacklogKind, WaitingRow>>> {
  const counted = COUNTED.filter(([kind, waiting]) => waiting !== null && asked.includes(kind))
  const each = counted.map(
    ([
      kind,
      waiting,
    ]) => `SELECT '${kind}' AS kind, count(*)::int AS count, min(since) AS oldest, sum(amount)::bigint AS "amountSatang",
        (count(*) FILTER (WHERE in_hand))::int AS "inHand", (array_agg(account ORDER BY since))[1] AS "receivingAccountId"
      FROM (SELECT * FROM (${waiting}) AS all_of (since, amount, in_hand, account) LIMIT ${MOST_KEPT + 1}) AS waiting`,
  )
  const rows = await db.query<WaitingRow & { kind: BacklogKind }>({
    text: `WITH given AS (SELECT $1::text AS uid, $2::text[] AS words, $3::timestamptz AS words_since, $4::timestamptz AS now)
      ${each.join(' UNION ALL ')}`,
    values: [uid, wordActionsOf(caller), addSeconds(now, -WORD_SECONDS), now],
  })
  return Object.fromEntries(rows.map(({ kind, ...row }) => [kind, row]))
}

/** Returns the active receiving accounts with the moment of the last statement line known of each. */
export function findLastLines(db: Sql) {
  return db.query<{ receivingAccountId: number; bankCode: string; accountNo: string; lastLineAt: Date | null }>({
    text: `SELECT a.id AS "receivingAccountId", a.bank_code AS "bankCode", a.account_no AS "accountNo", l.at AS "lastLineAt"
      FROM receiving_account a
      LEFT JOIN LATERAL (SELECT coalesce(l.at, l.day::timestamp AT TIME ZONE 'Asia/Bangkok') AS at FROM statement_line l
        WHERE l.receiving_account_id = a.id ORDER BY l.day DESC, coalesce(l.at, '-infinity') DESC, l.no DESC LIMIT 1) l ON true
      WHERE a.is_active ORDER BY a.position, a.id`,
  })
}

export async function countDeadCalls(db: Sql): Promise<number> {
  const [row] = await db.query<{ n: number }>({ text: `SELECT count(*)::int AS n FROM outbox WHERE state = 'dead'` })
  return row!.n
}
