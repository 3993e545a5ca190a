import { TOLD_STATUSES, type ToldStatus } from '@shop/shared/audit/news.ts'
import { DAYS_AGO, dayAgo, type EarlierDay, type SoldSoFar } from '@shop/shared/backlog/today.ts'
import type { OrderStatus } from '@shop/shared/order/status.ts'
import type { Caller } from '@shop/shared/permissions.ts'
import type { TopUpPayment } from '@shop/shared/wallet/top-up.ts'
import { SOLD_STATUS_LIST } from '../dashboard/sale-day.ts'
import { listSql } from '../database/columns.ts'
import type { Queries } from '../database/database.ts'
import { columns, personName, sqlOf } from '../database/listing.ts'
import { IS_QUEUED, WAITS_SINCE } from '../order/delivering/queue-store.ts'
import { orders, PAID_AT } from '../order/tables.ts'
import { WORTH } from '../transfer/order-money.ts'

/** Events `e` that are told, see `TOLD_STATUSES`; must equal the condition of the partial index `order_event_told`. */
const IS_TOLD = `e.kind IN ('created', 'status') AND e.to_status IN (${listSql(TOLD_STATUSES)})`

const SOLD = `o.status IN (${SOLD_STATUS_LIST})`

export interface SoldHour extends SoldSoFar {
  day: 'today' | EarlierDay
  hour: number
  /** Whether these were paid no later in the day than it is now; the hour of now has two rows. */
  isSoFar: boolean
}

/** Returns what the hours of today and of the days it is compared with sold, of those that sold anything. */
export function findSoldHours(db: Queries, now: Date): Promise<SoldHour[]> {
  const days = Object.entries({ today: 0, ...DAYS_AGO })
  // Bounds that stand in the query itself let the planner see how few orders lie between them.
  const hoursOf = (day: string, from: string, to: string, soFar: string) => `SELECT '${day}' AS day,
      extract(hour FROM o.paid_at AT TIME ZONE 'Asia/Bangkok')::int AS hour, o.paid_at <= ${soFar} AS "isSoFar",
      count(*)::int AS orders, sum(${WORTH})::bigint AS "revenueSatang"
    FROM orders o WHERE ${PAID_AT} >= ${from} AND ${PAID_AT} < ${to} AND ${SOLD} GROUP BY 2, 3`
  return db.query({
    text: days.map(([day], n) => hoursOf(day, `$${3 * n + 1}`, `$${3 * n + 2}`, `$${3 * n + 3}`)).join(' UNION ALL '),
    values: days.flatMap(([, ago]) => {
      const { from, to, soFar } = dayAgo(ago, now)
      return [from, to, soFar]
    }),
  })
}

export interface Deliveries {
  delivered: number
  medianSeconds: number | null
  foundAlone: number
  foundAll: number
  firstSaleAt: Date | null
}

/** The SQL of the seconds that half of the rows took at most; an interval of NULL does not count. */
const median = (interval: string) =>
  `(percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM ${interval})))::int`

/** Returns how today's orders were paid and delivered. @param opensAt before which nobody could have delivered */
export async function findDeliveries(
  db: Queries,
  { from, opensAt }: { from: Date; opensAt: Date },
): Promise<Deliveries> {
  const since = `CASE WHEN o.ended_at > $2 THEN greatest(o.paid_at, $2) ELSE o.paid_at END`
  const [row] = await db.query<Deliveries>({
    text: `SELECT done.*, found.*,
        (SELECT o.paid_at FROM orders o WHERE ${PAID_AT} > '-infinity' ORDER BY ${PAID_AT} LIMIT 1) AS "firstSaleAt"
      FROM (SELECT count(*)::int AS delivered, ${median(`o.ended_at - ${since}`)} AS "medianSeconds"
          FROM orders o WHERE ${PAID_AT} >= $1 AND o.status = 'success') done,
        (SELECT (count(*) FILTER (WHERE e.actor_role = 'system'))::int AS "foundAlone", count(*)::int AS "foundAll"
          FROM order_event e WHERE ${IS_TOLD} AND e.at >= $1 AND e.to_status = 'paid'
            AND e.from_status IN ('waiting_payment', 'expired')) found`,
    values: [from, opensAt],
  })
  return row!
}

export interface OwnDeliveries {
  delivered: number
  failed: number
  medianSeconds: number | null
}

/** Returns what a person delivered since a moment, and how long they took from taking an order. */
export async function findOwnDeliveries(db: Queries, uid: string, since: Date): Promise<OwnDeliveries> {
  const [row] = await db.query<OwnDeliveries>({
    text: `SELECT (count(*) FILTER (WHERE e.to_status = 'success'))::int AS delivered,
        (count(*) FILTER (WHERE e.to_status = 'failed'))::int AS failed,
        ${median(`CASE WHEN e.to_status = 'success' THEN e.at - taken.at END`)} AS "medianSeconds"
      FROM order_event e LEFT JOIN LATERAL (
        SELECT max(t.at) AS at FROM order_event t WHERE t.order_id = e.order_id AND t.version < e.version
          AND t.to_status = 'processing' AND t.from_status <> 'processing' AND t.actor_uid = e.actor_uid) taken ON true
      WHERE ${IS_TOLD} AND e.at >= $2 AND e.actor_uid = $1 AND e.to_status IN ('success', 'failed')`,
    values: [uid, since],
  })
  return row!
}

interface ClaimedRow {
  orderNo: string
  queueNo: number
  gameName: string
  packageName: string
  playerId: string
  waitsSince: Date
  usualMinutes: { from: number; to: number }
}
const CLAIMED = columns<ClaimedRow>({
  ...sqlOf(orders, 'o', 'orderNo', 'queueNo', 'playerId'),
  gameName: `o.snapshot->>'gameName'`,
  packageName: `o.snapshot->>'packageName'`,
  waitsSince: WAITS_SINCE,
  usualMinutes: `o.snapshot->'usualMinutes'`,
})

/** Returns the orders that a person has taken, the longest waiting first. */
export const findClaimed = (db: Queries, uid: string): Promise<ClaimedRow[]> =>
  db.query({
    text: `SELECT ${CLAIMED} FROM orders o WHERE ${IS_QUEUED} AND o.claimed_by = $1 ORDER BY "waitsSince", o.id`,
    values: [uid],
  })

export interface MoveRow {
  at: Date
  orderNo: string
  from: OrderStatus | null
  to: ToldStatus
  actorRole: Caller | 'system'
  actorName: string | null
  gameName: string
  packageName: string
}
const MOVE = columns<MoveRow>({
  at: 'e.at',
  orderNo: 'o.order_no',
  from: 'e.from_status',
  to: 'e.to_status',
  actorRole: 'e.actor_role',
  actorName: personName('a'),
  gameName: `o.snapshot->>'gameName'`,
  packageName: `o.snapshot->>'packageName'`,
})

/** Returns the latest changes of orders that are told, newest first. */
export const findMoves = (db: Queries, most: number): Promise<MoveRow[]> =>
  db.query({
    text: `SELECT ${MOVE}
      FROM (SELECT e.* FROM order_event e WHERE ${IS_TOLD} ORDER BY e.at DESC, e.order_id DESC, e.version DESC LIMIT $1) e
        JOIN orders o ON o.id = e.order_id LEFT JOIN account a ON a.uid = e.actor_uid
      ORDER BY e.at DESC, e.order_id DESC, e.version DESC`,
    values: [most],
  })

export interface ApprovedRow {
  at: Date
  id: string
  no: string
  amountSatang: number
  walletName: string
  payment: TopUpPayment
  /** Null when the shop approved it by itself. */
  actorName: string | null
  isAlone: boolean
}

/** Returns the latest approved top-ups whose money was not taken back, newest first. */
export const findApproved = (db: Queries, most: number): Promise<ApprovedRow[]> =>
  db.query({
    text: `SELECT t.decided_at AS at, t.id, t.no, t.amount_satang AS "amountSatang", t.payment, ${personName('w')} AS "walletName",
        ${personName('a')} AS "actorName", t.decided_by IS NULL AS "isAlone"
      FROM top_up t JOIN wallet ON wallet.id = t.wallet_id JOIN account w ON w.uid = wallet.uid
        LEFT JOIN account a ON a.uid = t.decided_by
      WHERE t.status = 'approve' AND t.corrected_at IS NULL ORDER BY t.decided_at DESC, t.id DESC LIMIT $1`,
    values: [most],
  })
