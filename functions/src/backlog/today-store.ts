import { TOLD_STATUSES, type ToldStatus } from '@shop/shared/audit/news.ts'
import { DAYS_AGO, dayAgo, type EarlierDay, type SoldSoFar } from '@shop/shared/backlog/today.ts'
import type { OrderStatus } from '@shop/shared/order/status.ts'
import type { Caller } from '@shop/shared/permissions.ts'
import type { TopUpPayment } from '@shop/shared/wallet/top-up.ts'
import { account } from '../account/tables.ts'
import { SOLD_STATUS_LIST } from '../dashboard/sale-day.ts'
import { listSql } from '../database/columns.ts'
import type { Queries } from '../database/database.ts'
import { personName } from '../database/listing.ts'
import { as, type Expr, notNull, orNull, outer, pick, row, sql, under, unionAll } from '../database/sql.ts'
import { IS_QUEUED } from '../order/delivering/queue-store.ts'
import { orderEvent, orders } from '../order/tables.ts'
import { PAID_AT, WAITS_SINCE, WORTH } from '../transfer/order-money.ts'
import { topUp, wallet } from '../wallet/tables.ts'

const [o, e, t] = [under(orders, 'o'), under(orderEvent, 'e'), under(orderEvent, 't')]
const [u, purse, w] = [under(topUp, 't'), under(wallet, 'wallet'), under(account, 'w')]
/** Who did it. */
const a = outer(account, 'a')

/** Events `e` that are told, see `TOLD_STATUSES`; must equal the condition of the partial index `order_event_told`. */
const IS_TOLD = `${e.kind} IN ('created', 'status') AND ${e.toStatus} IN (${listSql(TOLD_STATUSES)})`

const SOLD = `${o.status} IN (${SOLD_STATUS_LIST})`

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
  const hoursOf = (day: string, from: string, to: string, soFar: string) => sql`SELECT ${row<SoldHour>({
    day: as.text(`'${day}'`),
    hour: as.int(`extract(hour FROM ${o.paidAt} AT TIME ZONE 'Asia/Bangkok')`),
    isSoFar: as.bool(`${o.paidAt} <= ${soFar}`),
    orders: as.int('count(*)'),
    revenueSatang: as.satang(`sum(${WORTH})`),
  })}
    FROM ${o} WHERE ${PAID_AT} >= ${from} AND ${PAID_AT} < ${to} AND ${SOLD} GROUP BY "hour", "isSoFar"`
  return db.query({
    text: unionAll(days.map(([day], n) => hoursOf(day, `$${3 * n + 1}`, `$${3 * n + 2}`, `$${3 * n + 3}`))),
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
const median = (interval: string): Expr<number | null> =>
  orNull(as.int(`percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM ${interval}))`))

/** Returns how today's orders were paid and delivered. @param opensAt before which nobody could have delivered */
export async function findDeliveries(
  db: Queries,
  { from, opensAt }: { from: Date; opensAt: Date },
): Promise<Deliveries> {
  const since = `CASE WHEN ${o.endedAt} > $2 THEN greatest(${o.paidAt}, $2) ELSE ${o.paidAt} END`
  const done = row({ delivered: as.int('count(*)'), medianSeconds: median(`${o.endedAt} - ${since}`) })
  const found = row({
    foundAlone: as.int(`count(*) FILTER (WHERE ${e.actorRole} = 'system')`),
    foundAll: as.int('count(*)'),
  })
  const [all] = await db.query({
    text: sql`SELECT ${row<Deliveries>({
      delivered: as.int('done.delivered'),
      medianSeconds: orNull(as.int('done."medianSeconds"')),
      foundAlone: as.int('found."foundAlone"'),
      foundAll: as.int('found."foundAll"'),
      firstSaleAt: orNull(
        as.instant(`(SELECT ${o.paidAt} FROM ${o} WHERE ${PAID_AT} > '-infinity' ORDER BY ${PAID_AT} LIMIT 1)`),
      ),
    })}
      FROM (SELECT ${done.text}
          FROM ${o} WHERE ${PAID_AT} >= $1 AND ${o.status} = 'success') done,
        (SELECT ${found.text}
          FROM ${e} WHERE ${IS_TOLD} AND ${e.at} >= $1 AND ${e.toStatus} = 'paid'
            AND ${e.fromStatus} IN ('waiting_payment', 'expired')) found`,
    values: [from, opensAt],
  })
  return all!
}

export interface OwnDeliveries {
  delivered: number
  failed: number
  medianSeconds: number | null
}

/** Returns what a person delivered since a moment, and how long they took from taking an order. */
export async function findOwnDeliveries(db: Queries, uid: string, since: Date): Promise<OwnDeliveries> {
  const [all] = await db.query({
    text: sql`SELECT ${row<OwnDeliveries>({
      delivered: as.int(`count(*) FILTER (WHERE ${e.toStatus} = 'success')`),
      failed: as.int(`count(*) FILTER (WHERE ${e.toStatus} = 'failed')`),
      medianSeconds: median(`CASE WHEN ${e.toStatus} = 'success' THEN ${e.at} - taken.at END`),
    })}
      FROM ${e} LEFT JOIN LATERAL (
        SELECT max(${t.at}) AS at FROM ${t} WHERE ${t.orderId} = ${e.orderId} AND ${t.version} < ${e.version}
          AND ${t.toStatus} = 'processing' AND ${t.fromStatus} <> 'processing' AND ${t.actorUid} = ${e.actorUid}) taken ON true
      WHERE ${IS_TOLD} AND ${e.at} >= $2 AND ${e.actorUid} = $1 AND ${e.toStatus} IN ('success', 'failed')`,
    values: [uid, since],
  })
  return all!
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
const CLAIMED = row<ClaimedRow>({
  ...pick(o, 'orderNo', 'playerId'),
  queueNo: notNull(o.queueNo),
  gameName: as.text(`${o.snapshot}->>'gameName'`),
  packageName: as.text(`${o.snapshot}->>'packageName'`),
  waitsSince: WAITS_SINCE,
  usualMinutes: as.shape(`${o.snapshot}->'usualMinutes'`),
})

/** Returns the orders that a person has taken, the longest waiting first. */
export const findClaimed = (db: Queries, uid: string): Promise<ClaimedRow[]> =>
  db.query({
    text: sql`SELECT ${CLAIMED} FROM ${o} WHERE ${IS_QUEUED} AND ${o.claimedBy} = $1 ORDER BY "waitsSince", ${o.id}`,
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
const MOVE = row<MoveRow>({
  at: e.at,
  orderNo: o.orderNo,
  from: e.fromStatus,
  to: as.text(`${e.toStatus}`),
  actorRole: e.actorRole,
  actorName: orNull(personName('a')),
  gameName: as.text(`${o.snapshot}->>'gameName'`),
  packageName: as.text(`${o.snapshot}->>'packageName'`),
})

/** Returns the latest changes of orders that are told, newest first. */
export const findMoves = (db: Queries, most: number): Promise<MoveRow[]> =>
  db.query({
    text: sql`SELECT ${MOVE}
      FROM (SELECT e.* FROM ${e} WHERE ${IS_TOLD} ORDER BY ${e.at} DESC, ${e.orderId} DESC, ${e.version} DESC LIMIT $1) e
        JOIN ${o} ON ${o.id} = ${e.orderId} LEFT JOIN ${a} ON ${a.uid} = ${e.actorUid}
      ORDER BY ${e.at} DESC, ${e.orderId} DESC, ${e.version} DESC`,
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
    text: sql`SELECT ${row<ApprovedRow>({
      ...pick(u, 'id', 'no', 'amountSatang', 'payment'),
      at: notNull(u.decidedAt),
      walletName: personName('w'),
      actorName: orNull(personName('a')),
      isAlone: as.bool(`${u.decidedBy} IS NULL`),
    })}
      FROM ${u} JOIN ${purse} ON ${purse.id} = ${u.walletId} JOIN ${w} ON ${w.uid} = ${purse.uid}
        LEFT JOIN ${a} ON ${a.uid} = ${u.decidedBy}
      WHERE ${u.status} = 'approve' AND ${u.correctedAt} IS NULL ORDER BY ${u.decidedAt} DESC, ${u.id} DESC LIMIT $1`,
    values: [most],
  })
