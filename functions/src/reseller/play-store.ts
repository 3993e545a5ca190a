import type { Satang } from '@shop/shared/money.ts'
import { PLAY_MONEY_SATANG } from '@shop/shared/reseller/play.ts'
import type { ApiStatus } from '@shop/shared/reseller/reseller.ts'
import { uuidv7 } from 'uuidv7'
import type { Sql } from '../database/database.ts'
import { as, outer, pick, row, sql, under } from '../database/sql.ts'
import { Values } from '../database/values.ts'
import { playEntry, playOrder, playWallet, resellerDay } from './tables.ts'

export type PlayOrder = typeof playOrder.$inferSelect

const [o, e, d] = [under(playOrder, 'o'), under(playEntry, 'e'), under(resellerDay, 'd')]
/** Where names stand alone, and what an INSERT brings. */
const [wallets, own, entries] = [under(playWallet), under(playOrder), under(playEntry)]
const [days, sent] = [under(resellerDay), under(resellerDay, 'excluded')]

const ORDER = row<PlayOrder>({ ...o })

/** Returns the balance of a play wallet, which is made at its first use, locked until the transaction ends. */
export async function lockPlayWallet(tx: Sql, uid: string, now: Date): Promise<Satang> {
  const made = await tx.query({
    text: sql`INSERT INTO ${wallets} (${wallets.uid}, ${wallets.balanceSatang}) VALUES ($1, 0) ON CONFLICT DO NOTHING
      RETURNING ${row(pick(wallets, 'uid'))}`,
    values: [uid],
  })
  if (made.length > 0) await movePlay(tx, { uid, orderId: null, amountSatang: PLAY_MONEY_SATANG, now })
  const [found] = await tx.query({
    text: sql`SELECT ${row({ balance: wallets.balanceSatang })} FROM ${wallets} WHERE ${wallets.uid} = $1 FOR UPDATE`,
    values: [uid],
  })
  return found!.balance
}

/** Moves play money and returns the entry; a wallet that would go below zero violates `play_wallet_balance_not_negative`. */
export async function movePlay(
  tx: Sql,
  { uid, orderId, amountSatang, now }: { uid: string; orderId: string | null; amountSatang: Satang; now: Date },
): Promise<{ entryId: string; balance: Satang }> {
  const [moved] = await tx.query({
    text: sql`WITH moved AS (UPDATE ${wallets} SET ${wallets.balanceSatang} = ${wallets.balanceSatang} + $3
        WHERE ${wallets.uid} = $1 RETURNING ${wallets.balanceSatang})
      INSERT INTO ${entries} (${entries.id}, ${entries.uid}, ${entries.orderId}, ${entries.amountSatang}, ${entries.balanceSatang},
        ${entries.at}) SELECT $4, $1, $2::uuid, $3, ${wallets.balanceSatang}, $5 FROM moved
      RETURNING ${row({ entryId: entries.id, balance: entries.balanceSatang })}`,
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
  const [column, value] = 'ref' in by ? [o.ref, by.ref] : 'id' in by ? [o.id, by.id] : [o.no, by.orderNo]
  const [found] = await db.query({
    text: sql`SELECT ${ORDER} FROM ${o} WHERE ${column} = $2 AND ($1::text IS NULL OR ${o.uid} = $1) ${lock ? 'FOR UPDATE' : ''}`,
    values: [uid, value],
  })
  return found ?? null
}

export async function findPlayOrders(
  db: Sql,
  uid: string,
  by: { status?: ApiStatus; packageId?: number; after: string | null; limit: number },
): Promise<PlayOrder[]> {
  const { all: values, add } = new Values()
  const where = [`${o.uid} = ${add(uid)}`]
  if (by.after) where.push(`${o.id} < ${add(by.after)}::uuid`)
  if (by.status) where.push(`${o.status} = ${add(by.status)}`)
  if (by.packageId) where.push(`${o.packageId} = ${add(by.packageId)}`)
  const text = sql`SELECT ${ORDER} FROM ${o} WHERE ${where.join(' AND ')} ORDER BY ${o.id} DESC LIMIT ${add(by.limit)}`
  return db.query({ text, values })
}

type Progress = Pick<PlayOrder, 'status' | 'step' | 'delivered' | 'refundedSatang' | 'endedAt'>

export async function savePlayProgress(tx: Sql, id: string, to: Progress): Promise<void> {
  await tx.query({
    text: sql`UPDATE ${own} SET ${own.status} = $2, ${own.step} = $3, ${own.delivered} = $4, ${own.refundedSatang} = $5,
        ${own.endedAt} = $6 WHERE ${own.id} = $1`,
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

const of = outer(playOrder, 'o')
const ENTRY = row<PlayEntryRow>({
  ...pick(e, 'id', 'at', 'amountSatang', 'balanceSatang'),
  orderNo: of.no,
  ref: of.ref,
})

export async function findPlayEntries(
  db: Sql,
  uid: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<PlayEntryRow[]> {
  const { all: values, add } = new Values()
  const where = [`${e.uid} = ${add(uid)}`]
  if (after) where.push(`${e.id} < ${add(after)}::uuid`)
  return db.query({
    text: sql`SELECT ${ENTRY} FROM ${e} LEFT JOIN ${of} ON ${of.id} = ${e.orderId}
      WHERE ${where.join(' AND ')} ORDER BY ${e.id} DESC LIMIT ${add(limit)}`,
    values,
  })
}

/** Counts what an order of a test key costs against the key's day; returns what it had spent before. */
export async function spendPlay(
  tx: Sql,
  { keyId, day, priceSatang }: { keyId: string; day: string; priceSatang: Satang },
): Promise<Satang> {
  const [found] = await tx.query({
    text: sql`INSERT INTO ${days} AS d (${days.keyId}, ${days.day}, ${days.orders}, ${days.spentSatang}) VALUES ($1, $2, 1, $3)
      ON CONFLICT (${days.keyId}, ${days.day}) DO UPDATE SET ${days.orders} = ${d.orders} + 1,
        ${days.spentSatang} = ${d.spentSatang} + ${sent.spentSatang}
      RETURNING ${row({ before: as.satang(`${days.spentSatang} - $3`) })}`,
    values: [keyId, day, priceSatang],
  })
  return found!.before
}
