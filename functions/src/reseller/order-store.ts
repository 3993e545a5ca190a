import type { Satang } from '@shop/shared/money.ts'
import type { Order } from '@shop/shared/order/order.ts'
import { type ApiStatus, apiStatusOf, statusesOf } from '@shop/shared/reseller/reseller.ts'
import type { LedgerTransaction } from '@shop/shared/wallet/ledger.ts'
import type { Sql } from '../database/database.ts'
import { columns, sqlOf } from '../database/listing.ts'
import { Values } from '../database/values.ts'
import { orders } from '../order/tables.ts'
import { isFreeSql } from '../voucher/store.ts'
import { resellerOrder } from './tables.ts'

/** An order that a key placed, as the API tells it. */
export interface PlacedByKey
  extends Pick<
    Order,
    'orderNo' | 'status' | 'packageId' | 'playerId' | 'playerName' | 'reason' | 'createdAt' | 'endedAt'
  > {
  /** The order's own id, by which lists continue. */
  id: string
  ref: string
  canceledAt: Date | null
  /** What was ordered, and what the order is of by now. */
  asked: number
  quantity: number
  askedSatang: Satang
  priceSatang: Satang
  gameCode: string
  packageName: string
  /** Codes that it has. */
  codes: number
}

/** `o`, `r` and `g` are the order, how it was asked for, and its game. */
const PLACED = columns<PlacedByKey>({
  ...sqlOf(orders, 'o', 'id', 'orderNo', 'status', 'packageId', 'playerId', 'playerName', 'reason', 'createdAt'),
  ...sqlOf(orders, 'o', 'endedAt', 'quantity', 'priceSatang'),
  ...sqlOf(resellerOrder, 'r', 'ref', 'canceledAt'),
  asked: 'r.quantity',
  askedSatang: 'r.price_satang',
  gameCode: 'g.code',
  packageName: `o.snapshot->>'packageName'`,
  codes: `(SELECT count(*)::int FROM voucher v WHERE v.order_id = o.id AND v.state = 'sold')`,
})
const FROM = 'reseller_order r JOIN orders o ON o.id = r.order_id JOIN game g ON g.id = o.game_id'

/** Finds one of an agent's orders by its number or by the agent's own reference. */
export async function findPlaced(
  db: Sql,
  uid: string,
  by: { orderNo: string } | { ref: string },
): Promise<PlacedByKey | null> {
  const [column, value] = 'ref' in by ? ['r.ref', by.ref] : ['o.order_no', by.orderNo]
  const [row] = await db.query<PlacedByKey>({
    name: `placed_by_key_${'ref' in by ? 'ref' : 'no'}`,
    text: `SELECT ${PLACED} FROM ${FROM} WHERE r.uid = $1 AND ${column} = $2`,
    values: [uid, value],
  })
  return row ?? null
}

export interface ListedBy {
  status?: ApiStatus
  packageId?: number
  /** The order after which the list goes on. */
  after: string | null
  limit: number
}

/** An agent's orders that keys placed, newest first. */
export async function findPlacedList(db: Sql, uid: string, by: ListedBy): Promise<PlacedByKey[]> {
  const { all: values, add } = new Values()
  const where = [`r.uid = ${add(uid)}`]
  if (by.after) where.push(`r.order_id < ${add(by.after)}::uuid`)
  if (by.status) {
    where.push(`o.status = ANY(${add(statusesOf(by.status))}::text[])`)
    if (apiStatusOf('refunded', true) === by.status) where.push('r.canceled_at IS NOT NULL')
    if (apiStatusOf('refunded', false) === by.status) where.push('r.canceled_at IS NULL')
  }
  if (by.packageId) where.push(`o.package_id = ${add(by.packageId)}`)
  return db.query<PlacedByKey>({
    text: `SELECT ${PLACED} FROM ${FROM} WHERE ${where.join(' AND ')} ORDER BY r.order_id DESC LIMIT ${add(by.limit)}`,
    values,
  })
}

/** Marks an order as canceled by its caller; it is refunded in the same transaction. */
export async function saveCanceled(tx: Sql, orderId: string, now: Date): Promise<void> {
  await tx.query({ text: 'UPDATE reseller_order SET canceled_at = $2 WHERE order_id = $1', values: [orderId, now] })
}

/** The ids of the codes of an order that can be read. */
export async function findSoldCodes(tx: Sql, orderId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>({
    text: `SELECT id FROM voucher WHERE order_id = $1 AND state = 'sold'`,
    values: [orderId],
  })
  return rows.map(({ id }) => id)
}

/** How many codes of each package the shop's own stock can sell on a Bangkok day. */
export async function countStock(db: Sql, packageIds: readonly number[], day: string): Promise<Map<number, number>> {
  if (packageIds.length === 0) return new Map()
  const rows = await db.query<{ packageId: number; pieces: number }>({
    name: 'stock_counts',
    text: `SELECT v.package_id AS "packageId", count(*)::int AS pieces FROM voucher v
      WHERE v.package_id = ANY($1::int[]) AND ${isFreeSql('$2')}
      GROUP BY v.package_id`,
    values: [packageIds, day],
  })
  return new Map(rows.map(({ packageId, pieces }) => [packageId, pieces]))
}

/** One movement of a wallet. `at` is as the database writes it in JSON. */
export interface WalletEntry {
  id: string
  at: string
  kind: LedgerTransaction['kind']
  amountSatang: Satang
  orderNo: string | null
  ref: string | null
}

/** Where a wallet's list goes on: below this entry, before which the balance was this. */
export interface EntryCursor {
  at: string
  id: string
  balanceSatang: Satang
}

/** A wallet's movements, newest first, and its balance at the same moment. */
export async function findEntries(
  db: Sql,
  walletId: string,
  { after, limit }: { after: EntryCursor | null; limit: number },
): Promise<{ entries: WalletEntry[]; balanceSatang: Satang }> {
  const { all: values, add } = new Values()
  const account = add(`wallet:${walletId}`)
  const below = after
    ? `AND e.at <= ${add(after.at)}::timestamptz AND (e.at, x.id) < (${add(after.at)}::timestamptz, ${add(after.id)}::uuid)`
    : ''
  const entry = columns<WalletEntry>({
    id: 'x.id',
    at: 'e.at',
    kind: 'x.kind',
    amountSatang: 'e.amount_satang',
    orderNo: 'o.order_no',
    ref: 'r.ref',
  })
  const [row] = await db.query<{ entries: WalletEntry[] | null; balanceSatang: Satang }>({
    text: `SELECT (SELECT json_agg(t) FROM (SELECT ${entry}
        FROM ledger_entry e JOIN ledger_transaction x ON x.id = e.transaction_id
          LEFT JOIN orders o ON o.id = x.subject_id LEFT JOIN reseller_order r ON r.order_id = o.id
        WHERE e.account = ${account} ${below} ORDER BY e.at DESC, x.id DESC LIMIT ${add(limit)}) t) AS entries,
      (SELECT balance_satang FROM wallet WHERE id = ${add(walletId)}::uuid) AS "balanceSatang"`,
    values,
  })
  return { entries: row!.entries ?? [], balanceSatang: row!.balanceSatang }
}

/** What a key has spent in a Bangkok day. */
export async function findSpent(db: Sql, keyId: string, day: string): Promise<Satang> {
  const [row] = await db.query<{ spent: Satang }>({
    name: 'key_spent',
    text: 'SELECT spent_satang AS spent FROM reseller_day WHERE key_id = $1 AND day = $2',
    values: [keyId, day],
  })
  return row?.spent ?? 0
}
