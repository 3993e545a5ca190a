import type { Delivers } from '@shop/shared/catalogue/delivers.ts'
import type { SentNumber } from '@shop/shared/order/codes.ts'
import type { Sql } from '../database/database.ts'
import { jsonObject, type SqlOf, sqlOf } from '../database/listing.ts'
import type { VoucherKeys } from './store.ts'
import { voucher } from './tables.ts'

/** A code that an order has, without the code. Moments are as the database writes them in JSON. */
interface OrderCode {
  id: string
  lastFour: string
  expiresOn: string | null
  region: string
  revealedAt: string | null
  revealedOn: string | null
  reveals: number
}

/** What an order's page knows of its codes. */
export interface CodesOfOrder {
  /** What its package brings today. */
  delivers: Delivers
  /** Those that it has, in the order in which they came. */
  codes: OrderCode[]
  /** Where its guest has the number that opens the codes elsewhere. */
  codeAddress: string | null
}

/** The SQL of them for an order `o`. */
export const CODES_OF_ORDER: SqlOf<CodesOfOrder> = {
  delivers: '(SELECT p.delivers FROM package p WHERE p.id = o.package_id)',
  codes: `(SELECT coalesce(json_agg(${jsonObject<OrderCode>(
    sqlOf(voucher, 'v', 'id', 'lastFour', 'expiresOn', 'region', 'revealedAt', 'revealedOn', 'reveals'),
  )} ORDER BY v.sold_at, v.id), '[]') FROM voucher v WHERE v.order_id = o.id AND v.state = 'sold')`,
  codeAddress: '(SELECT a.address FROM voucher_address a WHERE a.order_id = o.id)',
}

export interface RevealedCode {
  id: string
  sealed: string
  expiresOn: string | null
  region: string
  revealedAt: Date
  revealedOn: string
}

/** Counts a look at codes of an order and returns them, still encrypted; the first time and device stay. */
export async function revealVouchers(
  tx: Sql,
  { orderId, ids, device, now }: { orderId: string; ids: readonly string[]; device: string; now: Date },
): Promise<RevealedCode[]> {
  return tx.query<RevealedCode>({
    text: `WITH seen AS (UPDATE voucher SET revealed_at = coalesce(revealed_at, $3), revealed_on = coalesce(revealed_on, $4),
          reveals = reveals + 1
        WHERE order_id = $1 AND state = 'sold' AND id = ANY($2::uuid[])
        RETURNING id, sealed, expires_on, region, revealed_at, revealed_on, sold_at)
      SELECT id, sealed, expires_on::text AS "expiresOn", region, revealed_at AS "revealedAt", revealed_on AS "revealedOn"
      FROM seen ORDER BY sold_at, id`,
    values: [orderId, ids, now, device],
  })
}

/** Keeps the address of an order. A number that was sent to another one opens nothing any more. */
export async function saveCodeAddress(tx: Sql, orderId: string, address: string, now: Date): Promise<void> {
  await tx.query({
    text: `INSERT INTO voucher_address (order_id, address, given_at) VALUES ($1, $2, $3)
      ON CONFLICT (order_id) DO UPDATE SET address = $2, given_at = $3, number_hash = NULL, sent_at = NULL, tries = 0`,
    values: [orderId, address, now],
  })
}

export async function findCodeAddress(db: Sql, orderId: string): Promise<string | null> {
  const [row] = await db.query<{ address: string }>({
    text: 'SELECT address FROM voucher_address WHERE order_id = $1',
    values: [orderId],
  })
  return row?.address ?? null
}

/**
 * What is kept of a number, so that who reads the database can't open codes with it, under every key, the newest first.
 */
export const numberHashes = (keys: VoucherKeys, orderId: string, number: string): string[] =>
  keys.hashes({ code: `number ${orderId}`, pin: number })

/** Keeps a number that is about to be sent; the one before is over. */
export async function saveNumber(tx: Sql, orderId: string, hash: string, now: Date): Promise<void> {
  await tx.query({
    text: 'UPDATE voucher_address SET number_hash = $2, sent_at = $3, tries = 0 WHERE order_id = $1',
    values: [orderId, hash, now],
  })
}

/** Returns the last number of an order, locked until the transaction ends. */
export async function lockNumber(tx: Sql, orderId: string): Promise<(SentNumber & { hash: string | null }) | null> {
  const [row] = await tx.query<SentNumber & { hash: string | null }>({
    text: `SELECT number_hash AS hash, sent_at AS "sentAt", tries FROM voucher_address WHERE order_id = $1 FOR UPDATE`,
    values: [orderId],
  })
  return row ?? null
}

/** Counts a wrong try. */
export async function countWrongNumber(tx: Sql, orderId: string): Promise<void> {
  await tx.query({ text: 'UPDATE voucher_address SET tries = tries + 1 WHERE order_id = $1', values: [orderId] })
}
