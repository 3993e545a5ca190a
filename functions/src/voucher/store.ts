import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { uuidv7 } from 'uuidv7'
import { gamePackage } from '../catalogue/tables.ts'
import { supplierProduct } from '../cost/tables.ts'
import type { Queries, Sql } from '../database/database.ts'
import { as, locked, pick, row, sql, under } from '../database/sql.ts'
import type { Environment } from '../environment/environment.ts'
import { orders } from '../order/tables.ts'
import type { PlainCode } from '../supplier/provider.ts'
import type { TextKeys } from '../webhook/reseal.ts'
import { voucher } from './tables.ts'

declare module '../shop/shop.ts' {
  interface Shop {
    /** Hides the codes that are sold; null when the shop has none. */
    vouchers: VoucherKeys | null
  }
}

export type Voucher = typeof voucher.$inferSelect

const [v, kept] = [under(voucher, 'v'), under(voucher)]
/** Codes that an inner statement has looked at. */
const u = under(voucher, 'u')
const [p, packages] = [under(gamePackage, 'p'), under(gamePackage)]
const [o, k] = [under(orders, 'o'), under(supplierProduct, 'k')]

/** What is encrypted of a code. */
type Sealed = Pick<PlainCode, 'code' | 'pin' | 'serial'>

/** Hides codes from everybody who reads the database, and tells whether one has been here before. */
export interface VoucherKeys extends TextKeys {
  /** Encrypts for the row with this id, with the newest key. */
  seal(id: string, code: Sealed): string
  /** @throws when none of the keys encrypted it for this row */
  open(id: string, sealed: string): Sealed
  /** The hashes of a code and its PIN under every key, the newest first. */
  hashes(code: Pick<PlainCode, 'code' | 'pin'>): string[]
  /** The same of a code alone, which is what makes it the same code. */
  codeHashes(code: Pick<PlainCode, 'code'>): string[]
}

/** Codes are typed in capitals or not, and with dashes or not: that makes no other code. */
const plain = (text: string): string => text.replace(/[\s-]/g, '').toUpperCase()

const derived = (key: string, purpose: string): Buffer =>
  createHash('sha256').update(`voucher ${purpose}\n${key}`).digest()

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
const NAME_LENGTH = 8

/** @param keys VOUCHER_KEYS, the newest first */
function createVoucherKeys(keys: readonly string[]): VoucherKeys {
  const all = keys.map(key => ({
    name: derived(key, 'name').toString('base64url').slice(0, NAME_LENGTH),
    sealing: derived(key, 'seal'),
    hashing: derived(key, 'hash'),
  }))
  const [newest] = all
  const sealText = (id: string, text: string) => {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv(CIPHER, newest!.sealing, iv).setAAD(Buffer.from(id))
    const bytes = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return `${newest!.name}.${bytes.toString('base64url')}`
  }
  const openText = (id: string, sealed: string) => {
    const key = all.find(({ name }) => sealed.startsWith(`${name}.`))
    if (!key) return null
    const bytes = Buffer.from(sealed.slice(key.name.length + 1), 'base64url')
    const decipher = createDecipheriv(CIPHER, key.sealing, bytes.subarray(0, IV_BYTES)).setAAD(Buffer.from(id))
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    try {
      return decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    } catch {
      return null
    }
  }
  const hashes: VoucherKeys['hashes'] = ({ code, pin }) =>
    all.map(({ hashing }) =>
      createHmac('sha256', hashing)
        .update(`${plain(code)}\n${plain(pin ?? '')}`)
        .digest('base64url'),
    )
  return {
    sealText,
    openText,
    seal: (id, { code, pin, serial }) => sealText(id, JSON.stringify({ code, pin, serial })),
    open(id, sealed) {
      const text = openText(id, sealed)
      if (text === null) throw new Error('a code is encrypted with a key that VOUCHER_KEYS no longer holds')
      return JSON.parse(text) as Sealed
    },
    names: all.map(({ name }) => name),
    hashes,
    codeHashes: ({ code }) => hashes({ code, pin: null }),
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

/** What staff may see of a code: its last four characters, and never more than a third of it. */
export function lastFourOf({ code }: Pick<PlainCode, 'code'>): string {
  const bare = plain(code)
  const shown = Math.min(4, Math.floor(bare.length / 3))
  return bare.slice(bare.length - shown)
}

/** A code that is new to the shop, encrypted. */
export type NewVoucher = Pick<
  Voucher,
  'id' | 'packageId' | 'batchId' | 'attemptId' | 'orderId' | 'state' | 'costSatang' | 'region'
>

/** So many codes are stored by one statement. */
const ROWS = 2000

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
  // While a key is changed, two servers may keep the same code under different hashes, which no unique key would notice.
  await tx.query({ text: sql`SELECT ${locked(`'voucher'`)}` })
  let made = 0
  const firsts = [...new Map(codes.toReversed().map(code => [keys.codeHashes(code)[0], code])).values()].toReversed()
  for (let from = 0; from < firsts.length; from += ROWS) {
    const rows = firsts.slice(from, from + ROWS).map(code => newRow(keys, code))
    const stored = await tx.query({
      text: sql`INSERT INTO ${kept} (${kept.id}, ${kept.packageId}, ${kept.batchId}, ${kept.attemptId}, ${kept.orderId},
          ${kept.state}, ${kept.costSatang}, ${kept.createdAt}, ${kept.reservedAt}, ${kept.soldAt}, ${kept.sealed},
          ${kept.hash}, ${kept.codeHash}, ${kept.lastFour}, ${kept.expiresOn}, ${kept.region})
        SELECT r.id, $2, $3, $4, $5, $6, $7, $8, CASE WHEN $6 = 'reserved' THEN $8::timestamptz END,
          CASE WHEN $6 = 'sold' THEN $8::timestamptz END, r.sealed, r.hash, r."codeHash", r."lastFour", r."expiresOn", r.region
        FROM json_to_recordset($1) AS r (id uuid, hash text, hashes json, "codeHash" text, "codeHashes" json, sealed text,
          "lastFour" text, "expiresOn" date, region text)
        WHERE NOT EXISTS (SELECT FROM ${v}, json_array_elements_text(r."codeHashes") AS had(hash) WHERE ${v.codeHash} = had.hash)
          AND NOT EXISTS (SELECT FROM ${v}, json_array_elements_text(r.hashes) AS had(hash) WHERE ${v.hash} = had.hash)
        ON CONFLICT ON CONSTRAINT voucher_hash DO NOTHING RETURNING ${row(pick(kept, 'id'))}`,
      values: [JSON.stringify(rows), of.packageId, of.batchId, of.attemptId, of.orderId, of.state, of.costSatang, now],
    })
    made += stored.length
  }
  return made
}

function newRow(keys: VoucherKeys, code: PlainCode & { region?: string }) {
  const id = uuidv7()
  const hashes = keys.hashes(code)
  const codeHashes = keys.codeHashes(code)
  const sealed = keys.seal(id, code)
  const { expiresOn, region = '' } = code
  const [hash, codeHash] = [hashes[0]!, codeHashes[0]!]
  return { id, hash, hashes, codeHash, codeHashes, sealed, lastFour: lastFourOf(code), expiresOn, region }
}

/** The condition that a code `v` can still be sold on a Bangkok day. */
export const isFreeSql = (day: string): string =>
  `${v.state} = 'free' AND (${v.expiresOn} IS NULL OR ${v.expiresOn} > ${day}::date)`

/**
 * The codes of a package that a statement is to reserve, first those that expire first. A row that somebody else is
 * taking in this moment is passed over, so nobody waits.
 */
export const pickedSql = (packageId: string, pieces: string, day: string): string =>
  `SELECT ${v.id} FROM ${v} WHERE ${v.packageId} = ${packageId}::int AND ${isFreeSql(day)}
    ORDER BY ${v.expiresOn} NULLS LAST, ${v.id} LIMIT ${pieces}::int FOR UPDATE SKIP LOCKED`

/** Strangers never hold more than half of so many codes of a package, however many there are. */
const LOOKED_AT = 200

/**
 * The condition that a code `v` is among those that strangers together may hold without paying: of a package's unsold
 * codes the half that goes first, rounded down. What they hold already is among these, so that orders of the same moment
 * can't take more: each of them sees the same half.
 */
const isOpenSql = (packageId: string, day: string): string => `${v.id} IN (SELECT r.id FROM (
    SELECT ${u.id}, row_number() OVER (ORDER BY ${u.expiresOn} NULLS LAST, ${u.id}) AS nth, count(*) OVER () AS unsold FROM (
      SELECT f.* FROM (SELECT ${v.id}, ${v.expiresOn} FROM ${v} WHERE ${v.packageId} = ${packageId}::int AND ${isFreeSql(day)}
        ORDER BY ${v.expiresOn} NULLS LAST, ${v.id} LIMIT ${LOOKED_AT}) f
      UNION ALL SELECT ${v.id}, ${v.expiresOn} FROM ${v} JOIN ${o} ON ${o.id} = ${v.orderId}
        WHERE ${v.packageId} = ${packageId}::int AND ${v.state} = 'reserved' AND ${o.status} = 'waiting_payment'
          AND ${o.guestSlot} IS NOT NULL
    ) u) r WHERE r.nth <= r.unsold / 2)`

/** The codes that a statement is to reserve for the unpaid order of a stranger. */
export const pickedForStrangerSql = (packageId: string, pieces: string, day: string): string =>
  `SELECT ${v.id} FROM ${v} WHERE ${v.packageId} = ${packageId}::int AND ${isFreeSql(day)} AND ${isOpenSql(packageId, day)}
    ORDER BY ${v.expiresOn} NULLS LAST, ${v.id} LIMIT ${pieces}::int FOR UPDATE SKIP LOCKED`

const PIECES = row({ pieces: as.int('count(*)') })

/** Returns how many codes of a package strangers may still put aside. */
export async function countOpen(db: Sql, packageId: number, day: string): Promise<number> {
  const [found] = await db.query({
    text: sql`SELECT ${PIECES} FROM ${v} WHERE ${v.packageId} = $1 AND ${isFreeSql('$2')}
      AND ${isOpenSql('$1', '$2')}`,
    values: [packageId, day],
  })
  return found!.pieces
}

/** Reserves up to this many codes for an order of before; returns how many there were. */
export async function reserveVouchers(
  tx: Sql,
  want: { orderId: string; packageId: number; pieces: number; day: string; now: Date },
): Promise<number> {
  const rows = await tx.query({
    text: sql`UPDATE ${kept} SET ${kept.state} = 'reserved', ${kept.orderId} = $1, ${kept.reservedAt} = $5
      WHERE ${kept.id} IN (${pickedSql('$2', '$3', '$4')}) RETURNING ${row(pick(kept, 'id'))}`,
    values: [want.orderId, want.packageId, want.pieces, want.day, want.now],
  })
  return rows.length
}

/**
 * A CTE's statement that gives back what orders had reserved and will not take. @param saved the rows (id, status) of orders
 */
export const freedSql = (
  saved: string,
): string => `UPDATE ${v} SET ${kept.state} = 'free', ${kept.orderId} = NULL, ${kept.reservedAt} = NULL
  FROM ${saved} s WHERE ${v.orderId} = s.id AND ${v.state} = 'reserved'
    AND s.status IN ('success', 'cancel', 'expired', 'failed', 'refunding', 'refunded') RETURNING ${v.id}`

/** Hands an order the codes that it had reserved; returns how many codes it then has in all. */
export async function sellReserved(tx: Sql, orderId: string, now: Date): Promise<number> {
  await tx.query({
    text: sql`UPDATE ${kept} SET ${kept.state} = 'sold', ${kept.soldAt} = $2
      WHERE ${kept.orderId} = $1 AND ${kept.state} = 'reserved'`,
    values: [orderId, now],
  })
  return countSold(tx, orderId)
}

/** Returns how many codes an order has. */
export async function countSold(tx: Sql, orderId: string): Promise<number> {
  const [found] = await tx.query({
    text: sql`SELECT ${PIECES} FROM ${kept} WHERE ${kept.orderId} = $1 AND ${kept.state} = 'sold'`,
    values: [orderId],
  })
  return found!.pieces
}

/** Returns how many codes of a package can be sold now. */
export async function countFree(db: Sql, packageId: number, day: string): Promise<number> {
  const [found] = await db.query({
    text: sql`SELECT ${PIECES} FROM ${v} WHERE ${v.packageId} = $1 AND ${isFreeSql('$2')}`,
    values: [packageId, day],
  })
  return found!.pieces
}

const soonestSql = (state: 'free' | 'reserved', day: string): string =>
  `(SELECT min(${v.expiresOn}) FROM ${v}
    WHERE ${v.packageId} = ${p.id} AND ${v.state} = '${state}' AND ${v.expiresOn} > ${day}::date)`

/**
 * Returns for the packages of a game the day on which a code of the stock expires at the soonest. One that is reserved
 * counts: it is the next to be sold if its order is not paid.
 */
export function findSoonestExpiries(
  db: Queries,
  gameId: number,
  day: string,
): Promise<{ packageId: number; soonestExpiry: string }[]> {
  return db.query({
    text: sql`SELECT ${row({ packageId: as.int('s."packageId"'), soonestExpiry: as.text('s."soonestExpiry"') })}
      FROM (SELECT ${p.id} AS "packageId",
        least(${soonestSql('free', '$2')}, ${soonestSql('reserved', '$2')})::text AS "soonestExpiry"
      FROM ${p} WHERE ${p.gameId} = $1 AND ${p.isActive} AND ${p.delivers} = 'code'
        AND ${p.sources} @> '[{"supplier": "stock"}]') s
      WHERE s."soonestExpiry" IS NOT NULL ORDER BY s."packageId"`,
    values: [gameId, day],
  })
}

/**
 * The SQL of whether a package `p` that is delivered automatically would not be bought as the product `k` of its source
 * `s`, whose price of today is above what a purchase may cost. Without a rate of its currency every price is.
 */
export const IS_TOO_DEAR = `(${p.isAutomatic} AND coalesce(${k.costSatang} > coalesce((s->>'costSatang')::bigint,
  ${p.costSatang}), true))`

/**
 * The SQL of whether none of the sources of a package `p` has it on a Bangkok day: the stock is empty, and what suppliers
 * are known to have is gone, out of stock or too dear. A source of which nothing is known may have it; so may staff, who
 * deliver by hand.
 */
const isOutSql = (
  day: string,
): string => `((${p.delivers} = 'code' OR ${p.isAutomatic}) AND jsonb_array_length(${p.sources}) > 0
  AND NOT EXISTS (SELECT FROM jsonb_array_elements(${p.sources}) AS s WHERE CASE
    WHEN s->>'supplier' = 'stock'
      THEN ${p.delivers} <> 'code' OR EXISTS (SELECT FROM ${v} WHERE ${v.packageId} = ${p.id} AND ${isFreeSql(day)})
    ELSE NOT EXISTS (SELECT FROM ${k} WHERE ${k.supplier} = s->>'supplier' AND ${k.sku} = s->>'sku'
      AND (${k.goneAt} IS NOT NULL OR NOT ${k.isInStock} OR ${IS_TOO_DEAR})) END))`

/**
 * Writes which packages are sold out, where that has changed, so that every server tells so before anybody orders.
 * @param packageId the only one to look at; null looks at all
 */
export async function refreshOut(db: Queries, packageId: number | null, day: string): Promise<void> {
  const changed = await db.query({
    text: sql`SELECT ${row(pick(p, 'id'))} FROM ${p} WHERE ($1::int IS NULL OR ${p.id} = $1) AND ${p.isOut} <> ${isOutSql('$2')}`,
    values: [packageId, day],
  })
  if (changed.length === 0) return
  await db.query({
    text: sql`UPDATE ${p} SET ${packages.isOut} = ${isOutSql('$2')} WHERE ${p.id} = ANY($1::int[])`,
    values: [changed.map(({ id }) => id), day],
  })
}
