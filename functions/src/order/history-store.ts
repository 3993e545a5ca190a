import type { PaymentCode } from '@shop/shared/catalogue/catalogue.ts'
import type { historyQuery } from '@shop/shared/order/endpoints.ts'
import type { OrderStatus } from '@shop/shared/order/order.ts'
import { bangkokMonth } from '@shop/shared/time.ts'
import type * as z from 'zod'
import type { Sql } from '../database/database.ts'
import { COUNT_LIMIT, likePart, personName } from '../database/listing.ts'

export type HistoryQuery = z.output<typeof historyQuery>

export interface HistoryRow {
  orderNo: string
  status: OrderStatus
  gameCode: string
  gameName: string
  gamePicture: string
  packageName: string
  playerId: string
  payment: PaymentCode
  amountSatang: number
  createdAt: Date
  expiresAt: Date | null
  transferReportedAt: Date | null
  buyerName: string | null
  claimedBy: string | null
  claimedByName: string | null
}

/** A page of orders and how many there are, at most 10,001. With a buyer: only theirs, unpaid first. */
export async function findOrders(
  db: Sql,
  filter: HistoryQuery & { buyerKey: string | null },
): Promise<{ rows: HistoryRow[]; total: number }> {
  const values: unknown[] = []
  const conditions: string[] = []
  const where = (condition: (placeholder: string) => string, value: unknown) => {
    values.push(value)
    conditions.push(condition(`$${values.length}`))
  }
  if (filter.buyerKey !== null) where(p => `o.buyer_key = ${p}`, filter.buyerKey)
  if (filter.month) {
    const { from, to } = bangkokMonth(filter.month)
    where(p => `o.created_at >= ${p}`, from)
    where(p => `o.created_at < ${p}`, to)
  }
  if (filter.game) where(p => `o.game_id = ANY(${p}::int[])`, filter.game)
  if (filter.status) where(p => `o.status = ANY(${p}::text[])`, filter.status)
  if (filter.orderNo) where(p => `o.order_no LIKE ${p}`, likePart(filter.orderNo.toUpperCase()))
  const matching = `FROM orders o WHERE ${conditions.length > 0 ? conditions.join(' AND ') : 'true'}`
  const unpaidFirst = filter.buyerKey === null ? '' : `(o.status = 'waiting_payment') DESC, `
  const page = `LIMIT ${filter.pageSize} OFFSET ${(filter.page - 1) * filter.pageSize}`

  const [rows, [count]] = await Promise.all([
    db.query<HistoryRow>({
      text: `WITH page AS (SELECT o.* ${matching} ORDER BY ${unpaidFirst} o.created_at DESC, o.id DESC ${page})
        SELECT o.order_no AS "orderNo", o.status, g.code AS "gameCode", g.name AS "gameName", g.picture AS "gamePicture",
          o.snapshot->>'packageName' AS "packageName", o.player_id AS "playerId", o.payment,
          o.price_satang + o.point_satang AS "amountSatang", o.created_at AS "createdAt", o.expires_at AS "expiresAt",
          o.transfer_reported_at AS "transferReportedAt", o.claimed_by AS "claimedBy",
          ${personName('b')} AS "buyerName",
          ${personName('c')} AS "claimedByName"
        FROM page o JOIN game g ON g.id = o.game_id
        LEFT JOIN account b ON b.uid = o.buyer_uid LEFT JOIN account c ON c.uid = o.claimed_by
        ORDER BY ${unpaidFirst} o.created_at DESC, o.id DESC`,
      values,
    }),
    db.query<{ total: number }>({
      text: `SELECT count(*)::int AS total FROM (SELECT 1 ${matching} LIMIT ${COUNT_LIMIT}) counted`,
      values,
    }),
  ])
  return { rows, total: count!.total }
}

export interface WaitingRow {
  orderNo: string
  amountSatang: number
  gameCode: string
  gameName: string
  gamePicture: string
  packageName: string
  expiresAt: Date
  transferReportedAt: Date | null
}

/** The buyer's unpaid orders, newest first. */
export async function findWaitingOrders(db: Sql, buyerKey: string): Promise<WaitingRow[]> {
  return db.query<WaitingRow>({
    name: 'order_waiting',
    text: `SELECT o.order_no AS "orderNo", o.price_satang + o.point_satang AS "amountSatang", g.code AS "gameCode",
        g.name AS "gameName", g.picture AS "gamePicture", o.snapshot->>'packageName' AS "packageName",
        o.expires_at AS "expiresAt", o.transfer_reported_at AS "transferReportedAt"
      FROM orders o JOIN game g ON g.id = o.game_id
      WHERE o.buyer_key = $1 AND o.status = 'waiting_payment' ORDER BY o.created_at DESC`,
    values: [buyerKey],
  })
}
