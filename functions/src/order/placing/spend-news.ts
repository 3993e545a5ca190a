import { MOST_SPENDS_TOLD, WATCH_HOURS, WATCH_OPENERS } from '@shop/shared/account/news.ts'
import { bangkokDay, DAY_MS, startOfBangkokDay } from '@shop/shared/time.ts'
import { tellOwner } from '../../access/news.ts'
import { ownerNews } from '../../account/tables.ts'
import type { Sql } from '../../database/database.ts'
import { as, pick, row, sql, under } from '../../database/sql.ts'
import type { Shop } from '../../shop/shop.ts'
import { wallet } from '../../wallet/tables.ts'
import { orders } from '../tables.ts'

/** A job that did not run for up to this many hours still finds what it missed. */
const LATE_HOURS = 24

const [n, o, t, w] = [under(ownerNews, 'n'), under(orders, 'o'), under(ownerNews, 't'), under(wallet, 'w')]
const ranked = under(orders, 'r')

interface Spend {
  uid: string
  orderNo: string
  bought: string
  amountSatang: number
  at: Date
  isLast: boolean
}

/**
 * Purchases in the days after a security change that their owner was not told of yet; only the first few of each
 * Bangkok day, which are reported one by one.
 */
const UNTOLD = sql`WITH spend AS (
    SELECT DISTINCT ${n.uid}, ${o.orderNo}, ${o.snapshot}->>'gameName' || ' ' || (${o.snapshot}->>'packageName') AS bought,
      ${o.priceSatang}, ${o.createdAt}, (${o.createdAt} AT TIME ZONE 'Asia/Bangkok')::date AS day
    FROM ${n} JOIN ${o} ON ${o.buyerKey} = 'u:' || ${n.uid} AND ${o.walletId} IS NOT NULL
      AND ${o.createdAt} BETWEEN ${n.at} AND ${n.at} + $3 * interval '1 hour'
    WHERE ${n.kind} = ANY($1) AND ${n.at} > $2::timestamptz - ($3 + $4) * interval '1 hour'
  ), told AS (
    SELECT s.*, EXISTS (SELECT 1 FROM ${t} WHERE ${t.uid} = s.uid AND ${t.kind} = 'spentAfterChange' AND ${t.about} = s.order_no) AS is_told
    FROM spend s
  ), ranked AS (
    SELECT t.*, count(*) FILTER (WHERE is_told) OVER (PARTITION BY uid, day) + count(*) FILTER (WHERE NOT is_told)
        OVER (PARTITION BY uid, day ORDER BY created_at, order_no) AS place
    FROM told t
  )
  SELECT ${row<Spend>({
    ...pick(ranked, 'orderNo'),
    uid: as.text('r.uid'),
    bought: as.text('r.bought'),
    amountSatang: ranked.priceSatang,
    at: ranked.createdAt,
    isLast: as.bool('r.place = $5'),
  })}
  FROM ranked r WHERE NOT is_told AND place <= $5 ORDER BY ${ranked.createdAt}, ${ranked.orderNo}`

async function findUntold(db: Sql, now: Date): Promise<Spend[]> {
  return db.query({ text: UNTOLD, values: [WATCH_OPENERS, now, WATCH_HOURS, LATE_HOURS, MOST_SPENDS_TOLD] })
}

/**
 * Tells owners of each purchase from their wallet that follows a reset, a new way to sign in or the like. It reads the
 * stored orders, so placing an order costs nothing for it. Two runs at once tell each purchase only once.
 */
export async function tellSpends({ db, now }: Pick<Shop, 'db' | 'now'>): Promise<void> {
  for (const { uid, at, isLast, ...spend } of await findUntold(db, now())) {
    const facts = { ...spend, ...(isLast && { isLast }) }
    const news = { uid, kind: 'spentAfterChange', byShop: false, at, facts, about: spend.orderNo } as const
    await db.transaction(tx => tellOwner(tx, news))
  }
}

/** Sums are not sent before this hour, so that nobody is woken. */
const FIRST_HOUR_MS = 8 * 3_600_000

/** Tells owners once how much was bought from their wallet yesterday. */
export async function tellDailySpending({ db, now }: Pick<Shop, 'db' | 'now'>): Promise<void> {
  const at = now()
  const to = startOfBangkokDay(bangkokDay(at))
  if (at.getTime() - to.getTime() < FIRST_HOUR_MS) return
  const from = new Date(to.getTime() - DAY_MS)
  const day = bangkokDay(from)
  const sums = await db.query({
    text: sql`SELECT ${row({ uid: w.uid, count: as.int('count(*)'), amountSatang: as.satang(`sum(${o.priceSatang})`) })}
      FROM ${o} JOIN ${w} ON ${w.id} = ${o.walletId}
      WHERE ${o.createdAt} >= $1 AND ${o.createdAt} < $2
        AND NOT EXISTS (SELECT 1 FROM ${t} WHERE ${t.uid} = ${w.uid} AND ${t.kind} = 'dailySpending' AND ${t.about} = $3)
      GROUP BY ${w.uid} ORDER BY ${w.uid}`,
    values: [from, to, day],
  })
  for (const { uid, ...sum } of sums) {
    const news = { uid, kind: 'dailySpending', byShop: false, at, facts: { ...sum, day }, about: day } as const
    await db.transaction(tx => tellOwner(tx, news))
  }
}
