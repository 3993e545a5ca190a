import { QUEUE_GROUP_ROWS, QUEUED, type QueueGroup } from '@shop/shared/order/queue.ts'
import type { QueueRow } from '@shop/shared/order/queue-endpoints.ts'
import { account } from '../../account/tables.ts'
import { listSql } from '../../database/columns.ts'
import type { Sql } from '../../database/database.ts'
import { Filter, likePart, personName } from '../../database/listing.ts'
import { as, notNull, orNull, outer, pick, row, sql, under } from '../../database/sql.ts'
import { isHeldSql } from '../../supplier/proof-store.ts'
import { WAITS_SINCE, WORTH } from '../../transfer/order-money.ts'
import { orders } from '../tables.ts'

const [o, named, bare] = [under(orders, 'o'), under(orders, 'named'), under(orders)]
const c = outer(account, 'c')

/** The condition for orders `o` in the queue; must equal that of the partial index `orders_queue`. */
export const IS_QUEUED = `${o.status} IN (${listSql(QUEUED)})`

/** Returns a text that differs after every change of the queue. */
export async function findQueueVersion(db: Sql): Promise<string> {
  const version = as.text(
    `md5(coalesce(string_agg(${o.id} || ' ' || ${o.version}, ',' ORDER BY ${o.paidAt}, ${o.id}), ''))`,
  )
  const [found] = await db.query({
    name: 'queue_version',
    text: sql`SELECT ${row({ version })} FROM ${o} WHERE ${IS_QUEUED}`,
  })
  return found!.version
}

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

const QUEUE_ROW = row<CountedQueueRow>({
  ...pick(o, 'orderNo', 'gameId', 'quantity', 'playerId', 'priceSatang', 'tailSatang'),
  ...pick(o, 'transferReportedAt', 'claimedBy', 'buyerKey', 'buyerUid'),
  status: as.text(`${o.status}`),
  queueNo: notNull(o.queueNo),
  paidAt: notNull(o.paidAt),
  waitsSince: as.instant('o.waits_since'),
  group: as.text('o."group"'),
  total: as.int('o.total'),
  gameName: as.text(`${o.snapshot}->>'gameName'`),
  gamePicture: as.text(`${o.snapshot}->>'gamePicture'`),
  usualMinutes: as.shape(`${o.snapshot}->'usualMinutes'`),
  packageName: as.text(`${o.snapshot}->>'packageName'`),
  amountSatang: WORTH,
  claimedByName: orNull(personName('c')),
  isHeld: as.bool(isHeldSql('o')),
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
      `(${o.orderNo} LIKE upper(${text}) OR ${o.playerId} ILIKE ${text} OR ${filter.bind(ask.text)} = ${o.queueNo}::text)`,
    likePart,
  )
  const rows = await db.query({
    text: sql`WITH queued AS (
        SELECT o.*, ${WAITS_SINCE} AS waits_since, CASE WHEN ${o.status} = 'paid' THEN 'open' WHEN ${o.claimedBy} = ${uid} THEN 'mine' ELSE 'others' END AS "group"
        FROM ${o} WHERE ${filter}
      ), ranked AS (
        SELECT q.*, row_number() OVER (PARTITION BY "group" ORDER BY waits_since, id) AS place,
          (count(*) OVER (PARTITION BY "group"))::int AS total
        FROM queued q
      )
      SELECT ${QUEUE_ROW}
      FROM ranked o LEFT JOIN ${c} ON ${c.uid} = ${o.claimedBy}
      WHERE o.place <= ${QUEUE_GROUP_ROWS}
      ORDER BY CASE "group" WHEN 'mine' THEN 1 WHEN 'open' THEN 2 ELSE 3 END, o.place`,
    values: filter.values,
  })
  const counts = { mine: 0, open: 0, others: 0 }
  for (const { group, total } of rows) counts[group] = total
  const shown = rows.filter(({ group }) => ask.group === undefined || group === ask.group)
  return { rows: shown.map(({ total: _, ...shown }) => shown), counts }
}

/**
 * Renews the caller's claim of an order and of those claimed in the same moment, because they are worked on one after
 * the other. Returns the new end; null when the caller has no claim.
 */
export async function renewClaims(db: Sql, ask: { orderNo: string; uid: string; until: Date }): Promise<Date | null> {
  const renewed = await db.query({
    text: sql`UPDATE ${o} SET ${bare.claimUntil} = $3 FROM ${named}
      WHERE ${named.orderNo} = $1 AND ${named.claimedBy} = $2 AND ${named.status} = 'processing'
        AND ${o.claimUntil} IS NOT NULL AND ${o.claimedBy} = $2 AND ${o.claimedAt} = ${named.claimedAt}
      RETURNING ${row(pick(o, 'orderNo'))}`,
    values: [ask.orderNo, ask.uid, ask.until],
  })
  return renewed.some(({ orderNo }) => orderNo === ask.orderNo) ? ask.until : null
}
