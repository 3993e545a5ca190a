import type { BacklogKind } from '@shop/shared/backlog/backlog.ts'
import { MOST_KEPT } from '@shop/shared/list-count.ts'
import { WAITING as WAITING_ORDERS, type WaitingFor } from '@shop/shared/order/history.ts'
import type { Caller } from '@shop/shared/permissions.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { WORD_SECONDS } from '@shop/shared/value/value.ts'
import { receivingAccount } from '../catalogue/tables.ts'
import { chatMessage } from '../chat/tables.ts'
import { listSql } from '../database/columns.ts'
import type { Sql } from '../database/database.ts'
import { as, orNull, pick, row, sql, under, unionAll } from '../database/sql.ts'
import { UNKNOWN_SINCE, unknownCharges } from '../gateway/store.ts'
import { charge } from '../gateway/tables.ts'
import { IS_QUEUED } from '../order/delivering/queue-store.ts'
import { orders } from '../order/tables.ts'
import { KINDS_FOR_PEOPLE } from '../outbox/job-kind.ts'
import { outbox } from '../outbox/tables.ts'
import { lostPurchase, lostSlip } from '../restore/tables.ts'
import { owedRefund, statementFile, statementLine } from '../statement/tables.ts'
import { WAITS_SINCE, WORTH, worthSql } from '../transfer/order-money.ts'
import { slip } from '../upload/tables.ts'
import { secondWord } from '../value/tables.ts'
import { wordActionsOf } from '../value/word-store.ts'
import { topUp } from '../wallet/tables.ts'

export interface WaitingRow {
  count: number
  oldest: Date | null
  amountSatang: number | null
  inHand: number
  receivingAccountId: number | null
}

const [o, a, s] = [under(orders, 'o'), under(receivingAccount, 'a'), under(slip, 's')]
const [c, l, x] = [under(charge, 'c'), under(statementLine, 'l'), under(lostSlip, 'x')]
/** Where names stand alone. */
const [order, added, line, lost] = [under(orders), under(topUp), under(statementLine), under(lostPurchase)]
const [job, owed, word] = [under(outbox), under(owedRefund), under(secondWord)]
const [file, message] = [under(statementFile), under(chatMessage)]

/** Since when a line waits, and what it says. */
const LINE = `coalesce(${line.at}, ${line.day}::timestamp AT TIME ZONE 'Asia/Bangkok'), ${line.amountSatang}, false, ${line.receivingAccountId}
    FROM ${line}`

/** Returns the SQL of the orders in one of staff's lists of transfer reports. */
const reportedAs = (list: WaitingFor) => `SELECT ${order.transferReportedAt}, ${worthSql('orders')}, false, NULL::int
  FROM ${order} WHERE ${order.status} = '${WAITING_ORDERS[list].status}' AND ${order.transferReportedAt} IS NOT NULL`

/**
 * For each kind of waiting row: since when it waits, its amount, whether somebody has taken it, and its receiving
 * account.
 */
const WAITING = {
  // The shop itself may have taken the order.
  orders: `SELECT ${WAITS_SINCE} AS since, ${WORTH} AS amount, ${o.status} = 'processing' AS in_hand, NULL::int AS account
    FROM ${o} WHERE ${IS_QUEUED}`,
  reports: reportedAs('reported'),
  lateReports: reportedAs('lateReport'),
  corrections: `SELECT ${order.endedAt}, ${worthSql('orders')}, false, NULL::int
    FROM ${order} WHERE ${order.status} = 'failed' AND ${order.proposedPlayer} IS NOT NULL`,
  failed: `SELECT ${order.endedAt}, ${worthSql('orders')}, false, NULL::int
    FROM ${order} WHERE ${order.status} = 'failed' AND ${order.proposedPlayer} IS NULL`,
  topUps: `SELECT ${added.createdAt}, ${added.amountSatang}, ${added.firstApprovedBy} IS NOT NULL, NULL::int FROM ${added} WHERE ${added.status} = 'waiting_approve'`,
  lines: `SELECT ${LINE} WHERE ${line.state} = 'unmatched'`,
  lostSlips: `SELECT ${s.createdAt}, NULL::bigint, false, NULL::int
    FROM ${x} JOIN ${s} ON ${s.id} = ${x.slipId} WHERE ${x.closedAt} IS NULL
    UNION ALL SELECT ${lost.foundAt}, ${lost.costSatang}, false, NULL::int FROM ${lost} WHERE ${lost.closedAt} IS NULL`,
  disputed: `SELECT ${LINE} WHERE ${line.disputedAt} IS NOT NULL`,
  unknownCharges: `SELECT ${UNKNOWN_SINCE}, ${c.amountSatang}, false, NULL::int FROM ${c} WHERE ${unknownCharges('(SELECT now FROM given)')}`,
  deadJobs: `SELECT ${job.settledAt}, NULL::bigint, false, NULL::int FROM ${job}
    WHERE ${job.state} = 'dead' AND ${job.kind} IN (${listSql(KINDS_FOR_PEOPLE)})`,
  refunds: `SELECT ${owed.createdAt}, ${owed.amountSatang}, false, NULL::int FROM ${owed} WHERE ${owed.sentAt} IS NULL AND ${owed.undoneAt} IS NULL`,
  secondWords: `SELECT ${word.askedAt}, ${word.amountSatang}, false, NULL::int FROM ${word}
    WHERE ${word.state} = 'waiting' AND ${word.askedBy} IS DISTINCT FROM (SELECT uid FROM given)
      AND ${word.action} = ANY((SELECT words FROM given)::text[]) AND ${word.askedAt} > (SELECT words_since FROM given)`,
  waitingFiles: `SELECT ${file.importedAt}, NULL::bigint, false, ${file.receivingAccountId}
    FROM ${file} WHERE ${file.needsSecond} AND ${file.confirmedBy} IS NULL AND ${file.importedAt} IS NOT NULL`,
  messages: `SELECT ${message.createdAt}, NULL::bigint, false, NULL::int FROM ${message} WHERE ${message.state} = 'dead'`,
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
  const each = COUNTED.flatMap(([kind, waiting]) =>
    waiting !== null && asked.includes(kind)
      ? [
          sql`SELECT ${row<WaitingRow & { kind: BacklogKind }>({
            kind: as.text(`'${kind}'`),
            count: as.int('count(*)'),
            oldest: orNull(as.instant('min(since)')),
            amountSatang: orNull(as.satang('sum(amount)')),
            inHand: as.int('count(*) FILTER (WHERE in_hand)'),
            receivingAccountId: orNull(as.int('(array_agg(account ORDER BY since))[1]')),
          })}
      FROM (SELECT * FROM (${waiting}) AS all_of (since, amount, in_hand, account) LIMIT ${MOST_KEPT + 1}) AS waiting`,
        ]
      : [],
  )
  const rows = await db.query({
    text: sql`WITH given AS (SELECT $1::text AS uid, $2::text[] AS words, $3::timestamptz AS words_since, $4::timestamptz AS now)
      ${unionAll(each)}`,
    values: [uid, wordActionsOf(caller), addSeconds(now, -WORD_SECONDS), now],
  })
  return Object.fromEntries(rows.map(({ kind, ...waiting }) => [kind, waiting]))
}

/** Returns the active receiving accounts with the moment of the last statement line known of each. */
export function findLastLines(db: Sql) {
  return db.query({
    text: sql`SELECT ${row({
      ...pick(a, 'bankCode', 'accountNo'),
      receivingAccountId: a.id,
      lastLineAt: orNull(as.instant('l.at')),
    })}
      FROM ${a}
      LEFT JOIN LATERAL (SELECT coalesce(${l.at}, ${l.day}::timestamp AT TIME ZONE 'Asia/Bangkok') AS at FROM ${l}
        WHERE ${l.receivingAccountId} = ${a.id} ORDER BY ${l.day} DESC, coalesce(${l.at}, '-infinity') DESC, ${l.no} DESC LIMIT 1) l ON true
      WHERE ${a.isActive} ORDER BY ${a.position}, ${a.id}`,
  })
}

export async function countDeadCalls(db: Sql): Promise<number> {
  const [found] = await db.query({
    text: sql`SELECT ${row({ n: as.int('count(*)') })} FROM ${job} WHERE ${job.state} = 'dead'`,
  })
  return found!.n
}
