import type { Satang } from '@shop/shared/money.ts'
import { PLAY_MONEY_SATANG } from '@shop/shared/reseller/play.ts'
import type { ApiStatus } from '@shop/shared/reseller/reseller.ts'
import { uuidv7 } from 'uuidv7'
import type { Sql } from '../database/database.ts'
import { columns, sqlOf } from '../database/listing.ts'
import { Values } from '../database/values.ts'
import { playEntry, playOrder } from './tables.ts'

export type PlayOrder = Omit<typeof playOrder.$inferSelect, 'status'> & { status: ApiStatus }

const ORDER = columns<PlayOrder>({
  ...sqlOf(playOrder, 'o', 'id', 'no', 'uid', 'ref', 'requestHash', 'packageId', 'playerId', 'quantity', 'delivered'),
  ...sqlOf(playOrder, 'o', 'priceSatang', 'refundedSatang', 'step', 'createdAt', 'endedAt'),
  status: 'o.status',
})

/** Returns the balance of a play wallet, which is made at its first use, locked until the transaction ends. */
export async function lockPlayWallet(tx: Sql, uid: string, now: Date): Promise<Satang> {
  const made = await tx.query({
    text: 'INSERT INTO play_wallet (uid, balance_satang) VALUES ($1, 0) ON CONFLICT DO NOTHING RETURNING uid',
    values: [uid],
  })
  if (made.length > 0) await movePlay(tx, { uid, orderId: null, amountSatang: PLAY_MONEY_SATANG, now })
  const [row] = await tx.query<{ balance: Satang }>({
    text: 'SELECT balance_satang AS balance FROM play_wallet WHERE uid = $1 FOR UPDATE',
    values: [uid],
  })
  return row!.balance
}

/** Moves play money and returns the entry; a wallet that would go below zero violates `play_wallet_balance_not_negative`. */
export async function movePlay(
  tx: Sql,
  { uid, orderId, amountSatang, now }: { uid: string; orderId: string | null; amountSatang: Satang; now: Date },
): Promise<{ entryId: string; balance: Satang }> {
  const [moved] = await tx.query<{ entryId: string; balance: Satang }>({
    text: `WITH moved AS (UPDATE play_wallet SET balance_satang = balance_satang + $3 WHERE uid = $1 RETURNING balance_satang)
      INSERT INTO play_entry (id, uid, order_id, amount_satang, balance_satang, at) SELECT $4, $1, $2::uuid, $3, balance_satang, $5 FROM moved
      RETURNING id AS "entryId", balance_satang AS balance`,
    values: [uid, orderId, amountSatang, uuidv7(), now],
  })
  return moved!
}

/** Fills a play wallet up again. */
export async function refillPlay(tx: Sql, uid: string, now: Date): Promise<void> {
  const missing = PLAY_MONEY_SATANG - (await lockPlayWallet(tx, uid, now))
  if (missing > 0) await movePlay(tx, { uid, orderId: null, amountSatang: missing, now })
}

export async function insertPlayOrder(tx: Sql, order: typeof playOrder.$inferInsert): Promise<void> {
  await tx.orm.insert(playOrder).values(order)
}

type Named = { orderNo: string } | { ref: string } | { id: string }

/** @param lock whether the order stays locked until the transaction ends */
export async function findPlayOrder(db: Sql, uid: string | null, by: Named, lock = false): Promise<PlayOrder | null> {
  const [column, value] = 'ref' in by ? ['o.ref', by.ref] : 'id' in by ? ['o.id', by.id] : ['o.no', by.orderNo]
  const [row] = await db.query<PlayOrder>({
    text: `SELECT ${ORDER} FROM play_order o WHERE ${column} = $2 AND ($1::text IS NULL OR o.uid = $1) ${lock ? 'FOR UPDATE' : ''}`,
    values: [uid, value],
  })
  return row ?? null
}

export async function findPlayOrders(
  db: Sql,
  uid: string,
  by: { status?: ApiStatus; packageId?: number; after: string | null; limit: number },
): Promise<PlayOrder[]> {
  const { all: values, add } = new Values()
  const where = [`o.uid = ${add(uid)}`]
  if (by.after) where.push(`o.id < ${add(by.after)}::uuid`)
  if (by.status) where.push(`o.status = ${add(by.status)}`)
  if (by.packageId) where.push(`o.package_id = ${add(by.packageId)}`)
  const text = `SELECT ${ORDER} FROM play_order o WHERE ${where.join(' AND ')} ORDER BY o.id DESC LIMIT ${add(by.limit)}`
  return db.query<PlayOrder>({ text, values })
}

type Progress = Pick<PlayOrder, 'status' | 'step' | 'delivered' | 'refundedSatang' | 'endedAt'>

export async function savePlayProgress(tx: Sql, id: string, to: Progress): Promise<void> {
  await tx.query({
    text: `UPDATE play_order SET status = $2, step = $3, delivered = $4, refunded_satang = $5, ended_at = $6 WHERE id = $1`,
    values: [id, to.status, to.step, to.delivered, to.refundedSatang, to.endedAt],
  })
}

export interface PlayEntryRow {
  id: string
  at: Date
  amountSatang: Satang
  balanceSatang: Satang
  orderNo: string | null
  ref: string | null
}

export async function findPlayEntries(
  db: Sql,
  uid: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<PlayEntryRow[]> {
  const { all: values, add } = new Values()
  const where = [`e.uid = ${add(uid)}`]
  if (after) where.push(`e.id < ${add(after)}::uuid`)
  const row = columns<PlayEntryRow>({
    ...sqlOf(playEntry, 'e', 'id', 'at', 'amountSatang', 'balanceSatang'),
    orderNo: 'o.no',
    ref: 'o.ref',
  })
  return db.query<PlayEntryRow>({
    text: `SELECT ${row} FROM play_entry e LEFT JOIN play_order o ON o.id = e.order_id
      WHERE ${where.join(' AND ')} ORDER BY e.id DESC LIMIT ${add(limit)}`,
    values,
  })
}

/** Counts what an order of a test key costs against the key's day; returns what it had spent before. */
export async function spendPlay(
  tx: Sql,
  { keyId, day, priceSatang }: { keyId: string; day: string; priceSatang: Satang },
): Promise<Satang> {
  const [row] = await tx.query<{ before: Satang }>({
    text: `INSERT INTO reseller_day AS d (key_id, day, orders, spent_satang) VALUES ($1, $2, 1, $3)
      ON CONFLICT (key_id, day) DO UPDATE SET orders = d.orders + 1, spent_satang = d.spent_satang + excluded.spent_satang
      RETURNING spent_satang - $3 AS before`,
    values: [keyId, day, priceSatang],
  })
  return row!.before
}
