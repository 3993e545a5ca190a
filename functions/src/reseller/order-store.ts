import type { Satang } from '@shop/shared/money.ts'
import type { Order } from '@shop/shared/order/order.ts'
import { type ApiStatus, apiStatusOf, statusesOf } from '@shop/shared/reseller/reseller.ts'
import type { LedgerTransaction } from '@shop/shared/wallet/ledger.ts'
import { game } from '../catalogue/tables.ts'
import type { Sql } from '../database/database.ts'
import { as, listOf, outer, pick, row, sql, under } from '../database/sql.ts'
import { Values } from '../database/values.ts'
import { orders } from '../order/tables.ts'
import { isFreeSql } from '../voucher/store.ts'
import { voucher } from '../voucher/tables.ts'
import { ledgerEntry, ledgerTransaction, wallet } from '../wallet/tables.ts'
import { resellerDay, resellerOrder } from './tables.ts'

const [o, r, g] = [under(orders, 'o'), under(resellerOrder, 'r'), under(game, 'g')]
const v = under(voucher, 'v')
/** Where names stand alone. */
const [placed, codes, wallets, days] = [under(resellerOrder), under(voucher), under(wallet), under(resellerDay)]

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
const PLACED = row<PlacedByKey>({
  ...pick(o, 'id', 'orderNo', 'status', 'packageId', 'playerId', 'playerName', 'reason', 'createdAt'),
  ...pick(o, 'endedAt', 'quantity', 'priceSatang'),
  ...pick(r, 'ref', 'canceledAt'),
  asked: r.quantity,
  askedSatang: r.priceSatang,
  gameCode: g.code,
  packageName: as.text(`${o.snapshot}->>'packageName'`),
  codes: as.int(`(SELECT count(*) FROM ${v} WHERE ${v.orderId} = ${o.id} AND ${v.state} = 'sold')`),
})
const FROM = `${r} JOIN ${o} ON ${o.id} = ${r.orderId} JOIN ${g} ON ${g.id} = ${o.gameId}`

/** Finds one of an agent's orders by its number or by the agent's own reference. */
export async function findPlaced(
  db: Sql,
  uid: string,
  by: { orderNo: string } | { ref: string },
): Promise<PlacedByKey | null> {
  const [column, value] = 'ref' in by ? [r.ref, by.ref] : [o.orderNo, by.orderNo]
  const [found] = await db.query({
    name: `placed_by_key_${'ref' in by ? 'ref' : 'no'}`,
    text: sql`SELECT ${PLACED} FROM ${FROM} WHERE ${r.uid} = $1 AND ${column} = $2`,
    values: [uid, value],
  })
  return found ?? null
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
  const where = [`${r.uid} = ${add(uid)}`]
  if (by.after) where.push(`${r.orderId} < ${add(by.after)}::uuid`)
  if (by.status) {
    where.push(`${o.status} = ANY(${add(statusesOf(by.status))}::text[])`)
    if (apiStatusOf('refunded', true) === by.status) where.push(`${r.canceledAt} IS NOT NULL`)
    if (apiStatusOf('refunded', false) === by.status) where.push(`${r.canceledAt} IS NULL`)
  }
  if (by.packageId) where.push(`${o.packageId} = ${add(by.packageId)}`)
  return db.query({
    text: sql`SELECT ${PLACED} FROM ${FROM} WHERE ${where.join(' AND ')} ORDER BY ${r.orderId} DESC LIMIT ${add(by.limit)}`,
    values,
  })
}

/** Marks an order as canceled by its caller; it is refunded in the same transaction. */
export async function saveCanceled(tx: Sql, orderId: string, now: Date): Promise<void> {
  await tx.query({
    text: sql`UPDATE ${placed} SET ${placed.canceledAt} = $2 WHERE ${placed.orderId} = $1`,
    values: [orderId, now],
  })
}

/** The ids of the codes of an order that can be read. */
export async function findSoldCodes(tx: Sql, orderId: string): Promise<string[]> {
  const rows = await tx.query({
    text: sql`SELECT ${row(pick(codes, 'id'))} FROM ${codes} WHERE ${codes.orderId} = $1 AND ${codes.state} = 'sold'`,
    values: [orderId],
  })
  return rows.map(({ id }) => id)
}

/** How many codes of each package the shop's own stock can sell on a Bangkok day. */
export async function countStock(db: Sql, packageIds: readonly number[], day: string): Promise<Map<number, number>> {
  if (packageIds.length === 0) return new Map()
  const rows = await db.query({
    name: 'stock_counts',
    text: sql`SELECT ${row({ ...pick(v, 'packageId'), pieces: as.int('count(*)') })} FROM ${v}
      WHERE ${v.packageId} = ANY($1::int[]) AND ${isFreeSql('$2')}
      GROUP BY ${v.packageId}`,
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

const [e, x] = [under(ledgerEntry, 'e'), under(ledgerTransaction, 'x')]
const [ordered, asked] = [outer(orders, 'o'), outer(resellerOrder, 'r')]
const ENTRY = row({
  ...pick(x, 'id', 'kind'),
  ...pick(e, 'at', 'amountSatang'),
  ...pick(ordered, 'orderNo'),
  ...pick(asked, 'ref'),
})

/** A wallet's movements, newest first, and its balance at the same moment. */
export async function findEntries(
  db: Sql,
  walletId: string,
  { after, limit }: { after: EntryCursor | null; limit: number },
): Promise<{ entries: WalletEntry[]; balanceSatang: Satang }> {
  const { all: values, add } = new Values()
  const account = add(`wallet:${walletId}`)
  const below = after
    ? `AND ${e.at} <= ${add(after.at)}::timestamptz
        AND (${e.at}, ${x.id}) < (${add(after.at)}::timestamptz, ${add(after.id)}::uuid)`
    : ''
  const entries = listOf(sql`${ENTRY}
    FROM ${e} JOIN ${x} ON ${x.id} = ${e.transactionId}
      LEFT JOIN ${ordered} ON ${ordered.id} = ${x.subjectId} LEFT JOIN ${asked} ON ${asked.orderId} = ${ordered.id}
    WHERE ${e.account} = ${account} ${below} ORDER BY ${e.at} DESC, ${x.id} DESC LIMIT ${add(limit)}`)
  const balanceSatang = as.satang(
    `(SELECT ${wallets.balanceSatang} FROM ${wallets} WHERE ${wallets.id} = ${add(walletId)}::uuid)`,
  )
  const [found] = await db.query({ text: sql`SELECT ${row({ entries, balanceSatang })}`, values })
  return found!
}

/** What a key has spent in a Bangkok day. */
export async function findSpent(db: Sql, keyId: string, day: string): Promise<Satang> {
  const [found] = await db.query({
    name: 'key_spent',
    text: sql`SELECT ${row({ spent: days.spentSatang })} FROM ${days} WHERE ${days.keyId} = $1 AND ${days.day} = $2`,
    values: [keyId, day],
  })
  return found?.spent ?? 0
}
