import { createHash, createHmac } from 'node:crypto'
import { uuidv7 } from 'uuidv7'
import { createVault, type Vault } from '../account/vault.ts'
import type { Queries, Sql } from '../database/database.ts'
import type { Environment } from '../environment.ts'
import type { PlainCode } from '../supplier/provider.ts'
import type { voucher } from './tables.ts'

export type Voucher = typeof voucher.$inferSelect

/** What is encrypted of a code. */
type Sealed = Pick<PlainCode, 'code' | 'pin' | 'serial'>

/** Hides codes from everybody who reads the database, and tells whether one has been here before. */
export interface VoucherKeys {
  /** Encrypts for the row with this id, with the newest key. */
  seal(id: string, code: Sealed): Promise<string>
  /** @throws when none of the keys encrypted it for this row */
  open(id: string, sealed: string): Promise<Sealed>
  /** Whether the newest key encrypted it. */
  isNewest(id: string, sealed: string): Promise<boolean>
  /** The hashes of a code under every key, the newest first. */
  hashes(code: Pick<PlainCode, 'code' | 'pin'>): string[]
}

/** Codes are typed in capitals or not, and with dashes or not: that makes no other code. */
const plain = (text: string): string => text.replace(/[\s-]/g, '').toUpperCase()

const derived = (key: string, purpose: string): string =>
  createHash('sha256').update(`voucher ${purpose}\n${key}`).digest('base64url')

/** @param keys VOUCHER_KEYS, the newest first */
export function createVoucherKeys(keys: readonly string[]): VoucherKeys {
  const vault: Vault = createVault(keys.map(key => derived(key, 'seal')))
  const hashing = keys.map(key => derived(key, 'hash'))
  const opened = async (id: string, sealed: string) => {
    const found = await vault.open(id, sealed)
    if (!found) throw new Error('a code is encrypted with a key that VOUCHER_KEYS no longer holds')
    return found
  }
  return {
    seal: (id, { code, pin, serial }) => vault.seal(id, Buffer.from(JSON.stringify({ code, pin, serial }))),
    open: async (id, sealed) => JSON.parse(Buffer.from((await opened(id, sealed)).secret).toString()) as Sealed,
    isNewest: async (id, sealed) => (await opened(id, sealed)).key === 0,
    hashes: ({ code, pin }) =>
      hashing.map(key =>
        createHmac('sha256', key)
          .update(`${plain(code)}\n${plain(pin ?? '')}`)
          .digest('base64url'),
      ),
  }
}

/** Known to everybody who reads this. */
const DEVELOPMENT_KEY = 'only for development, not a secret of codes'

/** Returns null where production has no keys: such a shop sells no codes. */
export function openVouchers({
  VOUCHER_KEYS: keys,
  NODE_ENV,
}: Pick<Environment, 'VOUCHER_KEYS' | 'NODE_ENV'>): VoucherKeys | null {
  if (keys.length > 0) return createVoucherKeys(keys)
  return NODE_ENV === 'production' ? null : createVoucherKeys([DEVELOPMENT_KEY])
}

/** What staff may see of a code. */
export const lastFourOf = ({ code }: Pick<PlainCode, 'code'>): string => plain(code).slice(-4)

/** A code that is new to the shop, encrypted. */
export type NewVoucher = Pick<
  Voucher,
  'id' | 'packageId' | 'batchId' | 'attemptId' | 'orderId' | 'state' | 'costSatang' | 'region'
>

/**
 * Stores codes; returns how many of them the shop had never seen. One that was here before, in stock or sold, from
 * whatever source, is left out.
 */
export async function insertVouchers(
  tx: Sql,
  keys: VoucherKeys,
  codes: readonly (PlainCode & { region?: string })[],
  of: Pick<NewVoucher, 'packageId' | 'batchId' | 'attemptId' | 'orderId' | 'state' | 'costSatang'>,
  now: Date,
): Promise<number> {
  const rows = await Promise.all(
    codes.map(async code => {
      const id = uuidv7()
      const hashes = keys.hashes(code)
      return {
        id,
        hash: hashes[0]!,
        hashes,
        sealed: await keys.seal(id, code),
        lastFour: lastFourOf(code),
        expiresOn: code.expiresOn,
        region: code.region ?? '',
      }
    }),
  )
  const made = await tx.query({
    text: `INSERT INTO voucher (id, package_id, batch_id, attempt_id, order_id, state, cost_satang, created_at, reserved_at, sold_at,
        sealed, hash, last_four, expires_on, region)
      SELECT r.id, $2, $3, $4, $5, $6, $7, $8, CASE WHEN $6 = 'reserved' THEN $8::timestamptz END,
        CASE WHEN $6 = 'sold' THEN $8::timestamptz END, r.sealed, r.hash, r."lastFour", r."expiresOn", r.region
      FROM json_to_recordset($1) AS r (id uuid, hash text, hashes json, sealed text, "lastFour" text, "expiresOn" date, region text)
      WHERE NOT EXISTS (SELECT FROM voucher v, json_array_elements_text(r.hashes) AS had(hash) WHERE v.hash = had.hash)
      ON CONFLICT ON CONSTRAINT voucher_hash DO NOTHING RETURNING id`,
    values: [JSON.stringify(rows), of.packageId, of.batchId, of.attemptId, of.orderId, of.state, of.costSatang, now],
  })
  return made.length
}

/** The condition that a code `v` can still be sold on a Bangkok day. */
export const isFreeSql = (day: string): string =>
  `v.state = 'free' AND (v.expires_on IS NULL OR v.expires_on > ${day}::date)`

/**
 * The codes of a package that a statement is to reserve, first those that expire first. A row that somebody else is
 * taking in this moment is passed over, so nobody waits.
 */
export const pickedSql = (packageId: string, pieces: string, day: string): string =>
  `SELECT v.id FROM voucher v WHERE v.package_id = ${packageId}::int AND ${isFreeSql(day)}
    ORDER BY v.expires_on NULLS LAST, v.id LIMIT ${pieces}::int FOR UPDATE SKIP LOCKED`

/** Reserves up to this many codes for an order of before; returns how many there were. */
export async function reserveVouchers(
  tx: Sql,
  want: { orderId: string; packageId: number; pieces: number; day: string; now: Date },
): Promise<number> {
  const rows = await tx.query({
    text: `UPDATE voucher SET state = 'reserved', order_id = $1, reserved_at = $5
      WHERE id IN (${pickedSql('$2', '$3', '$4')}) RETURNING id`,
    values: [want.orderId, want.packageId, want.pieces, want.day, want.now],
  })
  return rows.length
}

/**
 * A CTE's statement that gives back what orders had reserved and will not take. @param saved the rows (id, status) of orders
 */
export const freedSql = (
  saved: string,
): string => `UPDATE voucher v SET state = 'free', order_id = NULL, reserved_at = NULL
  FROM ${saved} s WHERE v.order_id = s.id AND v.state = 'reserved'
    AND s.status IN ('cancel', 'expired', 'failed', 'refunding', 'refunded') RETURNING v.id`

/** Hands an order the codes that it had reserved; returns how many codes it then has in all. */
export async function sellReserved(tx: Sql, orderId: string, now: Date): Promise<number> {
  await tx.query({
    text: `UPDATE voucher SET state = 'sold', sold_at = $2 WHERE order_id = $1 AND state = 'reserved'`,
    values: [orderId, now],
  })
  return countSold(tx, orderId)
}

/** Returns how many codes an order has. */
export async function countSold(tx: Sql, orderId: string): Promise<number> {
  const [row] = await tx.query<{ pieces: number }>({
    text: `SELECT count(*)::int AS pieces FROM voucher WHERE order_id = $1 AND state = 'sold'`,
    values: [orderId],
  })
  return row!.pieces
}

/** Returns how many codes of a package can be sold now. */
export async function countFree(db: Sql, packageId: number, day: string): Promise<number> {
  const [row] = await db.query<{ pieces: number }>({
    text: `SELECT count(*)::int AS pieces FROM voucher v WHERE v.package_id = $1 AND ${isFreeSql('$2')}`,
    values: [packageId, day],
  })
  return row!.pieces
}

/**
 * The SQL of whether none of the sources of a package `p` has it on a Bangkok day: the stock is empty, and what suppliers
 * are known to have is gone or out of stock. A source of which nothing is known may have it; so may staff, who deliver
 * by hand.
 */
const isOutSql = (
  day: string,
): string => `((p.delivers = 'code' OR p.is_automatic) AND jsonb_array_length(p.sources) > 0
  AND NOT EXISTS (SELECT FROM jsonb_array_elements(p.sources) AS s WHERE CASE
    WHEN s->>'supplier' = 'stock'
      THEN p.delivers <> 'code' OR EXISTS (SELECT FROM voucher v WHERE v.package_id = p.id AND ${isFreeSql(day)})
    ELSE NOT EXISTS (SELECT FROM supplier_product k WHERE k.supplier = s->>'supplier' AND k.sku = s->>'sku'
      AND (k.gone_at IS NOT NULL OR NOT k.is_in_stock)) END))`

/**
 * Writes which packages are sold out, where that has changed, so that every server tells so before anybody orders.
 * @param packageId the only one to look at; null looks at all
 */
export async function refreshOut(db: Queries, packageId: number | null, day: string): Promise<void> {
  const changed = await db.query<{ id: number }>({
    text: `SELECT p.id FROM package p WHERE ($1::int IS NULL OR p.id = $1) AND p.is_out <> ${isOutSql('$2')}`,
    values: [packageId, day],
  })
  if (changed.length === 0) return
  await db.query({
    text: `UPDATE package p SET is_out = ${isOutSql('$2')} WHERE p.id = ANY($1::int[])`,
    values: [changed.map(({ id }) => id), day],
  })
}
