import type { PaymentCode } from '@shop/shared/catalogue/catalogue.ts'
import type { allOrdersQuery } from '@shop/shared/order/endpoints.ts'
import type { OrderStatus } from '@shop/shared/order/status.ts'
import { bangkokMonth } from '@shop/shared/time.ts'
import type * as z from 'zod'
import type { Sql } from '../database/database.ts'
import { Filter, findPage, likePart, personName } from '../database/listing.ts'

export type HistoryQuery = z.output<typeof allOrdersQuery>

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
  priceSatang: number
  tailSatang: number
  createdAt: Date
  expiresAt: Date | null
  transferReportedAt: Date | null
  buyerKey: string
  buyerUid: string | null
  buyerName: string | null
  claimedBy: string | null
  claimedByName: string | null
}

const GOODS = `g.code AS "gameCode", o.snapshot->>'gameName' AS "gameName", o.snapshot->>'gamePicture' AS "gamePicture",
  o.snapshot->>'packageName' AS "packageName"`
const MONEY = `o.price_satang + o.tail_satang AS "amountSatang", o.expires_at AS "expiresAt",
  o.transfer_reported_at AS "transferReportedAt"`

/** A page of orders, newest first. With a buyer: only theirs, unpaid first. */
export async function findOrders(
  db: Sql,
  query: HistoryQuery & { buyerKey: string | null },
): Promise<{ rows: HistoryRow[]; total: number }> {
  const filter = new Filter()
  filter.where(query.buyerKey, key => `o.buyer_key = ${key}`)
  if (query.month) {
    const { from, to } = bangkokMonth(query.month)
    filter.where(from, from => `o.created_at >= ${from}`)
    filter.where(to, to => `o.created_at < ${to}`)
  }
  filter.where(query.game, games => `o.game_id = ANY(${games}::int[])`)
  filter.where(query.status, statuses => `o.status = ANY(${statuses}::text[])`)
  if (query.waiting === 'lateReport') filter.must(`o.status = 'expired' AND o.transfer_reported_at IS NOT NULL`)
  filter.where(
    query.orderNo || null,
    no => `o.order_no LIKE ${no}`,
    no => likePart(no.toUpperCase()),
  )
  const select = `SELECT o.order_no AS "orderNo", o.status, ${GOODS}, o.player_id AS "playerId", o.payment, ${MONEY},
      o.created_at AS "createdAt", o.claimed_by AS "claimedBy", o.buyer_key AS "buyerKey", o.buyer_uid AS "buyerUid",
      o.price_satang AS "priceSatang", o.tail_satang AS "tailSatang", ${personName('b')} AS "buyerName",
      ${personName('c')} AS "claimedByName"
    FROM page o JOIN game g ON g.id = o.game_id
    LEFT JOIN account b ON b.uid = o.buyer_uid LEFT JOIN account c ON c.uid = o.claimed_by`
  const unpaidFirst = query.buyerKey === null ? '' : `(o.status = 'waiting_payment') DESC, `
  return findPage(db, { from: 'orders o', filter, order: `${unpaidFirst}o.created_at DESC, o.id DESC`, select }, query)
}

export type WaitingRow = Pick<
  HistoryRow,
  'orderNo' | 'amountSatang' | 'gameCode' | 'gameName' | 'gamePicture' | 'packageName' | 'transferReportedAt'
> & { expiresAt: Date }

/** The buyer's unpaid orders, newest first. */
export async function findWaitingOrders(db: Sql, buyerKey: string): Promise<WaitingRow[]> {
  return db.query<WaitingRow>({
    name: 'order_waiting',
    text: `SELECT o.order_no AS "orderNo", ${GOODS}, ${MONEY}
      FROM orders o JOIN game g ON g.id = o.game_id
      WHERE o.buyer_key = $1 AND o.status = 'waiting_payment' ORDER BY o.created_at DESC`,
    values: [buyerKey],
  })
}

/** How many orders of a buyer were delivered. */
export async function countFinished(db: Sql, buyerKey: string): Promise<number> {
  const [row] = await db.query<{ n: number }>({
    text: `SELECT count(*)::int AS n FROM orders WHERE buyer_key = $1 AND status = 'success'`,
    values: [buyerKey],
  })
  return row!.n
}
