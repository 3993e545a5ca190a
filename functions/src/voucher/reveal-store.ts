import type { Delivers } from '@shop/shared/catalogue/delivers.ts'
import type { SentNumber } from '@shop/shared/order/codes.ts'
import { gamePackage } from '../catalogue/tables.ts'
import type { Sql } from '../database/database.ts'
import { as, type Fields, json, notNull, orNull, pick, row, sql, under, type ValueOf } from '../database/sql.ts'
import { orders } from '../order/tables.ts'
import type { VoucherKeys } from './store.ts'
import { voucher, voucherAddress } from './tables.ts'

/** Where names stand alone. */
const [codes, given] = [under(voucher), under(voucherAddress)]

const [v, p] = [under(voucher, 'v'), under(gamePackage, 'p')]
const [a, o] = [under(voucherAddress, 'a'), under(orders, 'o')]

const CODE = json(pick(v, 'id', 'lastFour', 'expiresOn', 'region', 'revealedAt', 'revealedOn', 'reveals'))
/** A code that an order has, without the code. Moments are as the database writes them in JSON. */
type OrderCode = ValueOf<typeof CODE>

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
export const CODES_OF_ORDER: Fields<CodesOfOrder> = {
  delivers: as.text(`(SELECT ${p.delivers} FROM ${p} WHERE ${p.id} = ${o.packageId})`),
  codes: as.shape<OrderCode[]>(`(SELECT coalesce(json_agg(${CODE} ORDER BY ${v.soldAt}, ${v.id}), '[]')
    FROM ${v} WHERE ${v.orderId} = ${o.id} AND ${v.state} = 'sold')`),
  codeAddress: orNull(as.text(`(SELECT ${a.address} FROM ${a} WHERE ${a.orderId} = ${o.id})`)),
}

export interface RevealedCode {
  id: string
  sealed: string
  expiresOn: string | null
  region: string
  revealedAt: Date
  revealedOn: string
}

const REVEALED = row<RevealedCode>({
  ...pick(codes, 'id', 'sealed', 'expiresOn', 'region'),
  revealedAt: notNull(codes.revealedAt),
  revealedOn: notNull(codes.revealedOn),
})

/** Counts a look at codes of an order and returns them, still encrypted; the first time and device stay. */
export async function revealVouchers(
  tx: Sql,
  { orderId, ids, device, now }: { orderId: string; ids: readonly string[]; device: string; now: Date },
): Promise<RevealedCode[]> {
  return tx.query({
    text: sql`WITH seen AS (UPDATE ${codes} SET ${codes.revealedAt} = coalesce(${codes.revealedAt}, $3),
          ${codes.revealedOn} = coalesce(${codes.revealedOn}, $4), ${codes.reveals} = ${codes.reveals} + 1
        WHERE ${codes.orderId} = $1 AND ${codes.state} = 'sold' AND ${codes.id} = ANY($2::uuid[])
        RETURNING ${codes.id}, ${codes.sealed}, ${codes.expiresOn}, ${codes.region}, ${codes.revealedAt},
          ${codes.revealedOn}, ${codes.soldAt})
      SELECT ${REVEALED}
      FROM seen ORDER BY ${codes.soldAt}, ${codes.id}`,
    values: [orderId, ids, now, device],
  })
}

/** Keeps the address of an order. A number that was sent to another one opens nothing any more. */
export async function saveCodeAddress(tx: Sql, orderId: string, address: string, now: Date): Promise<void> {
  await tx.query({
    text: sql`INSERT INTO ${given} (${given.orderId}, ${given.address}, ${given.givenAt})
      VALUES ($1, $2, $3)
      ON CONFLICT (${given.orderId}) DO UPDATE SET ${given.address} = $2, ${given.givenAt} = $3,
        ${given.numberHash} = NULL, ${given.sentAt} = NULL, ${given.tries} = 0`,
    values: [orderId, address, now],
  })
}

export async function findCodeAddress(db: Sql, orderId: string): Promise<string | null> {
  const [found] = await db.query({
    text: sql`SELECT ${row(pick(given, 'address'))} FROM ${given} WHERE ${given.orderId} = $1`,
    values: [orderId],
  })
  return found?.address ?? null
}

/**
 * What is kept of a number, so that who reads the database can't open codes with it, under every key, the newest first.
 */
export const numberHashes = (keys: VoucherKeys, orderId: string, number: string): string[] =>
  keys.hashes({ code: `number ${orderId}`, pin: number })

/** Keeps a number that is about to be sent; the one before is over. */
export async function saveNumber(tx: Sql, orderId: string, hash: string, now: Date): Promise<void> {
  await tx.query({
    text: sql`UPDATE ${given} SET ${given.numberHash} = $2, ${given.sentAt} = $3, ${given.tries} = 0
      WHERE ${given.orderId} = $1`,
    values: [orderId, hash, now],
  })
}

/** Returns the last number of an order, locked until the transaction ends. */
export async function lockNumber(tx: Sql, orderId: string): Promise<(SentNumber & { hash: string | null }) | null> {
  const [found] = await tx.query({
    text: sql`SELECT ${row({ ...pick(given, 'sentAt', 'tries'), hash: given.numberHash })} FROM ${given}
      WHERE ${given.orderId} = $1 FOR UPDATE`,
    values: [orderId],
  })
  return found ?? null
}

/** Counts a wrong try. */
export async function countWrongNumber(tx: Sql, orderId: string): Promise<void> {
  await tx.query({
    text: sql`UPDATE ${given} SET ${given.tries} = ${given.tries} + 1 WHERE ${given.orderId} = $1`,
    values: [orderId],
  })
}
