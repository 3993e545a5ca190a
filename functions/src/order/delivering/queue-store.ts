import { QUEUE_GROUP_ROWS, QUEUED, type QueueGroup } from '@shop/shared/order/queue.ts'
import type { QueueRow } from '@shop/shared/order/queue-endpoints.ts'
import { listSql } from '../../database/columns.ts'
import type { Sql } from '../../database/database.ts'
import { columns, Filter, likePart, personName, sqlOf } from '../../database/listing.ts'
import { isHeldSql } from '../../supplier/proof-store.ts'
import { WORTH } from '../../transfer/order-money.ts'
import { orders } from '../tables.ts'

/** The condition for orders `o` in the queue; must equal that of the partial index `orders_queue`. */
export const IS_QUEUED = `o.status IN (${listSql(QUEUED)})`

/** Returns a text that differs after every change of the queue. */
export async function findQueueVersion(db: Sql): Promise<string> {
  const [row] = await db.query<{ version: string }>({
    name: 'queue_version',
    text: `SELECT md5(coalesce(string_agg(o.id || ' ' || o.version, ',' ORDER BY o.paid_at, o.id), '')) AS version
      FROM orders o WHERE ${IS_QUEUED}`,
  })
  return row!.version
}

/**
 * When the money of an order `o` came: by the bank's line or the provider's word on its slip, not when somebody matched
 * it. A line without a time came on its day.
 */
export const WAITS_SINCE = `least(o.paid_at, greatest(o.created_at, coalesce((
  SELECT coalesce(l.at, u.told_at, (l.day + 1)::timestamp AT TIME ZONE 'Asia/Bangkok')
  FROM used_transfer u LEFT JOIN statement_line l ON l.id = u.line_id WHERE u.subject_id = o.id), o.paid_at)))`

export interface StoredQueueRow extends Omit<QueueRow, 'paidAt' | 'waitsSince' | 'commands'> {
  paidAt: Date
  waitsSince: Date
  buyerKey: string
  buyerUid: string | null
  priceSatang: number
  tailSatang: number
  transferReportedAt: Date | null
}

type CountedQueueRow = StoredQueueRow & { total: number }

const QUEUE_ROW = columns<CountedQueueRow>({
  ...sqlOf(orders, 'o', 'orderNo', 'queueNo', 'status', 'gameId', 'quantity', 'playerId', 'priceSatang', 'tailSatang'),
  ...sqlOf(orders, 'o', 'paidAt', 'transferReportedAt', 'claimedBy', 'buyerKey', 'buyerUid'),
  waitsSince: 'o.waits_since',
  group: 'o."group"',
  total: 'o.total',
  gameName: `o.snapshot->>'gameName'`,
  gamePicture: `o.snapshot->>'gamePicture'`,
  usualMinutes: `o.snapshot->'usualMinutes'`,
  packageName: `o.snapshot->>'packageName'`,
  amountSatang: WORTH,
  claimedByName: personName('c'),
  isHeld: isHeldSql('o'),
})

/** Returns the queue for one person: the oldest orders of each group, and the number of all that match the text. */
export async function findQueue(
  db: Sql,
  ask: { uid: string; group?: QueueGroup; text?: string },
): Promise<{ rows: StoredQueueRow[]; counts: Record<QueueGroup, number> }> {
  const filter = new Filter(IS_QUEUED)
  const uid = filter.bind(ask.uid)
  filter.where(
    ask.text || null,
    text =>
      `(o.order_no LIKE upper(${text}) OR o.player_id ILIKE ${text} OR ${filter.bind(ask.text)} = o.queue_no::text)`,
    likePart,
  )
  const rows = await db.query<CountedQueueRow>({
    text: `WITH queued AS (
        SELECT o.*, ${WAITS_SINCE} AS waits_since, CASE WHEN o.status = 'paid' THEN 'open' WHEN o.claimed_by = ${uid} THEN 'mine' ELSE 'others' END AS "group"
        FROM orders o WHERE ${filter}
      ), ranked AS (
        SELECT q.*, row_number() OVER (PARTITION BY "group" ORDER BY waits_since, id) AS place,
          (count(*) OVER (PARTITION BY "group"))::int AS total
        FROM queued q
      )
      SELECT ${QUEUE_ROW}
      FROM ranked o LEFT JOIN account c ON c.uid = o.claimed_by
      WHERE o.place <= ${QUEUE_GROUP_ROWS}
      ORDER BY CASE "group" WHEN 'mine' THEN 1 WHEN 'open' THEN 2 ELSE 3 END, o.place`,
    values: filter.values,
  })
  const counts = { mine: 0, open: 0, others: 0 }
  for (const { group, total } of rows) counts[group] = total
  const shown = rows.filter(({ group }) => ask.group === undefined || group === ask.group)
  return { rows: shown.map(({ total: _, ...row }) => row), counts }
}

/**
 * Renews the caller's claim of an order and of those claimed in the same moment, because they are worked on one after
 * the other. Returns the new end; null when the caller has no claim.
 */
export async function renewClaims(db: Sql, ask: { orderNo: string; uid: string; until: Date }): Promise<Date | null> {
  const renewed = await db.query<{ orderNo: string }>({
    text: `UPDATE orders o SET claim_until = $3 FROM orders named
      WHERE named.order_no = $1 AND named.claimed_by = $2 AND named.status = 'processing'
        AND o.claim_until IS NOT NULL AND o.claimed_by = $2 AND o.claimed_at = named.claimed_at
      RETURNING o.order_no AS "orderNo"`,
    values: [ask.orderNo, ask.uid, ask.until],
  })
  return renewed.some(({ orderNo }) => orderNo === ask.orderNo) ? ask.until : null
}
