import { EXPIRING_DAYS, type VoucherState } from '@shop/shared/voucher/voucher.ts'
import type { Queries, Sql } from '../database/database.ts'
import { Filter, findPage, likePart, personName } from '../database/listing.ts'
import { IS_REPLACEMENT, IS_SEEN } from './replace-store.ts'
import { isFreeSql, type Voucher } from './store.ts'
import type { voucherBatch, voucherDraft } from './tables.ts'

/** What staff see of the stock, and do to it. A code itself is read by nothing here. */

interface Paging {
  page: number
  pageSize: number
}

/** How many codes there are in each state. */
interface Counts {
  free: number
  expired: number
  reserved: number
  sold: number
  withdrawn: number
}

/** Counts codes `v` of each state on a Bangkok day. */
const countsSql = (day: string): string => `count(*) FILTER (WHERE ${isFreeSql(day)})::int AS free,
  count(*) FILTER (WHERE v.state = 'free' AND v.expires_on <= ${day}::date)::int AS expired,
  count(*) FILTER (WHERE v.state = 'reserved')::int AS reserved,
  count(*) FILTER (WHERE v.state = 'sold')::int AS sold,
  count(*) FILTER (WHERE v.state = 'withdrawn')::int AS withdrawn`

/** The condition that a code `v` can be sold on a day, but not for long. */
const isExpiringSql = (day: string): string => `${isFreeSql(day)} AND v.expires_on <= ${day}::date + ${EXPIRING_DAYS}`

export interface StockRow extends Counts {
  packageId: number
  packageName: string
  gameName: string
  isActive: boolean
  isOut: boolean
  lowStock: number
  expiring: number
  soonestExpiry: string | null
  valueSatang: number
}

/** What a package `p` of the game `g` has; `s` are the counts. */
const OF_PACKAGE = `package p JOIN game g ON g.id = p.game_id LEFT JOIN stock s ON s.package_id = p.id`

const stockCte = (day: string, packageId: string): string => `WITH stock AS MATERIALIZED (
  SELECT v.package_id, ${countsSql(day)}, count(*) FILTER (WHERE ${isExpiringSql(day)})::int AS expiring,
    min(v.expires_on) FILTER (WHERE ${isFreeSql(day)}) AS soonest,
    coalesce(sum(v.cost_satang) FILTER (WHERE ${isFreeSql(day)}), 0)::bigint AS value
  FROM voucher v WHERE ${packageId}::int IS NULL OR v.package_id = ${packageId}::int GROUP BY v.package_id)`

const NEEDS = {
  low: 'p.is_active AND p.low_stock > 0 AND coalesce(s.free, 0) <= p.low_stock',
  expiring: 's.expiring > 0',
} as const

interface StockQuery extends Paging {
  text?: string | undefined
  packageId?: number | undefined
  needs?: keyof typeof NEEDS | undefined
}

/** Returns the packages that deliver codes, those first that have least. */
export async function findStock(db: Queries, { text, packageId, needs, page, pageSize }: StockQuery, day: string) {
  const filter = new Filter(`(p.delivers = 'code' OR s.package_id IS NOT NULL)`)
  const [today, only] = [filter.bind(day), filter.bind(packageId ?? null)]
  filter.where(packageId, bound => `p.id = ${bound}::int`)
  filter.where(text, bound => `(p.name ILIKE ${bound} OR g.name ILIKE ${bound})`, likePart)
  if (needs) filter.must(NEEDS[needs])
  const limits = `LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`
  const rows = await db.query<StockRow & { total: number }>({
    text: `${stockCte(today, only)}
      SELECT p.id AS "packageId", p.name AS "packageName", g.name AS "gameName", p.is_active AS "isActive", p.is_out AS "isOut",
        p.low_stock AS "lowStock", ${['free', 'expired', 'reserved', 'sold', 'withdrawn', 'expiring'].map(name => `coalesce(s.${name}, 0) AS ${name}`)},
        s.soonest::text AS "soonestExpiry", coalesce(s.value, 0) AS "valueSatang", count(*) OVER ()::int AS total
      FROM ${OF_PACKAGE} WHERE ${filter} ORDER BY p.is_active DESC, coalesce(s.free, 0), p.id ${limits}`,
    values: filter.values,
  })
  return { rows, total: rows[0]?.total ?? 0 }
}

/** Returns the names of active packages that need somebody, those first that have least, and how many codes those are. */
export async function findNeedy(
  db: Queries,
  needs: keyof typeof NEEDS,
  day: string,
): Promise<{ name: string; free: number; expiring: number }[]> {
  return db.query({
    text: `${stockCte('$1', 'NULL')}
      SELECT g.name || ' ' || p.name AS name, coalesce(s.free, 0) AS free, coalesce(s.expiring, 0) AS expiring
      FROM ${OF_PACKAGE} WHERE p.delivers = 'code' AND p.sources @> '[{"supplier": "stock"}]' AND ${NEEDS[needs]}
      ORDER BY coalesce(s.free, 0), p.id`,
    values: [day],
  })
}

export interface BatchRow extends Counts {
  id: string
  name: string
  pieces: number
  costSatang: number
  importedByName: string | null
  importedAt: Date
}

export function findBatches(db: Queries, of: { packageId: number } & Paging, day: string) {
  const filter = new Filter()
  const today = filter.bind(day)
  filter.where(of.packageId, bound => `b.package_id = ${bound}::int AND ${today}::date IS NOT NULL`)
  return findPage<BatchRow>(
    db,
    {
      from: 'voucher_batch b',
      filter,
      order: 'b.id DESC',
      select: `SELECT b.id, b.name, b.pieces, b.cost_satang AS "costSatang", b.imported_at AS "importedAt", ${personName('a')} AS "importedByName", c.*
        FROM page b LEFT JOIN account a ON a.uid = b.imported_by
        CROSS JOIN LATERAL (SELECT ${countsSql(today)} FROM voucher v WHERE v.batch_id = b.id) AS c`,
    },
    of,
  )
}

export interface VoucherRow
  extends Pick<
    Voucher,
    | 'id'
    | 'lastFour'
    | 'state'
    | 'expiresOn'
    | 'region'
    | 'batchId'
    | 'costSatang'
    | 'createdAt'
    | 'soldAt'
    | 'revealedAt'
    | 'revealedOn'
    | 'reveals'
    | 'withdrawnAt'
    | 'withdrawnReason'
    | 'evidenceSlipId'
    | 'complaint'
  > {
  isExpired: boolean
  isSeen: boolean
  isReplacement: boolean
  orderNo: string | null
  batchName: string | null
  withdrawnByName: string | null
}

interface VoucherQuery extends Paging {
  packageId?: number | undefined
  batchId?: string | undefined
  orderNo?: string | undefined
  state?: VoucherState | undefined
  lastFour?: string | undefined
}

export function findVouchers(db: Queries, of: VoucherQuery, day: string) {
  const filter = new Filter()
  const today = filter.bind(day)
  filter.must(`${today}::date IS NOT NULL`)
  filter.where(of.packageId, bound => `v.package_id = ${bound}::int`)
  filter.where(of.batchId, bound => `v.batch_id = ${bound}::uuid`)
  filter.where(of.orderNo, bound => `v.order_id = (SELECT id FROM orders WHERE order_no = ${bound})`)
  filter.where(of.state, bound => `v.state = ${bound}`)
  filter.where(
    of.lastFour,
    bound => `v.last_four LIKE ${bound}`,
    end => `%${end.toUpperCase()}`,
  )
  return findPage<VoucherRow>(
    db,
    {
      from: 'voucher v',
      filter,
      order: 'v.id DESC',
      select: `SELECT v.id, v.last_four AS "lastFour", v.state, v.expires_on::text AS "expiresOn", v.region, v.batch_id AS "batchId",
          v.cost_satang AS "costSatang", v.created_at AS "createdAt", v.sold_at AS "soldAt", v.revealed_at AS "revealedAt",
          v.revealed_on AS "revealedOn", v.reveals,
          v.withdrawn_at AS "withdrawnAt", v.withdrawn_reason AS "withdrawnReason", v.evidence_slip_id AS "evidenceSlipId", v.complaint,
          ${IS_SEEN} AS "isSeen", ${IS_REPLACEMENT} AS "isReplacement", coalesce(v.expires_on <= ${today}::date, false) AS "isExpired",
          o.order_no AS "orderNo", b.name AS "batchName", ${personName('a')} AS "withdrawnByName"
        FROM page v LEFT JOIN orders o ON o.id = v.order_id LEFT JOIN voucher_batch b ON b.id = v.batch_id
          LEFT JOIN account a ON a.uid = v.withdrawn_by`,
    },
    of,
  )
}

/** Returns which of these hashes of codes alone belong to codes that the shop has or has had. */
export async function findKnownHashes(db: Queries, hashes: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ hash: string }>({
    text: 'SELECT code_hash AS hash FROM voucher WHERE code_hash = ANY($1::text[])',
    values: [hashes],
  })
  return new Set(rows.map(({ hash }) => hash))
}

export type Draft = typeof voucherDraft.$inferSelect

/** Keeps the codes of a file that somebody looks at, in place of what they looked at before. */
export async function saveDraft(tx: Sql, { id, packageId, sealed, madeBy, madeAt }: Draft): Promise<void> {
  await tx.query({ text: 'DELETE FROM voucher_draft WHERE made_by = $1', values: [madeBy] })
  await tx.query({
    text: 'INSERT INTO voucher_draft (id, package_id, sealed, made_by, made_at) VALUES ($1, $2, $3, $4, $5)',
    values: [id, packageId, sealed, madeBy, madeAt],
  })
}

/** Takes a draft away from where it is kept; null when it is not there, is another's or was made before a moment. */
export async function takeDraft(tx: Sql, id: string, madeBy: string, since: Date): Promise<Draft | null> {
  const [draft] = await tx.query<Draft>({
    text: `DELETE FROM voucher_draft WHERE id = $1 AND made_by = $2 AND made_at > $3
      RETURNING id, package_id AS "packageId", sealed, made_by AS "madeBy", made_at AS "madeAt"`,
    values: [id, madeBy, since],
  })
  return draft ?? null
}

export async function insertBatch(tx: Sql, batch: typeof voucherBatch.$inferSelect): Promise<void> {
  const { id, packageId, name, pieces, costSatang, importedBy, importedAt } = batch
  await tx.query({
    text: `INSERT INTO voucher_batch (id, package_id, name, pieces, cost_satang, imported_by, imported_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    values: [id, packageId, name, pieces, costSatang, importedBy, importedAt],
  })
}

export async function savePieces(tx: Sql, batchId: string, pieces: number): Promise<void> {
  await tx.query({ text: 'UPDATE voucher_batch SET pieces = $2 WHERE id = $1', values: [batchId, pieces] })
}

/** One code, or all of a batch. */
export type Which = { id: string } | { batchId: string }

const whichSql = (which: Which, bound: string): string =>
  'id' in which ? `v.id = ${bound}::uuid` : `v.batch_id = ${bound}::uuid`
const idOf = (which: Which): string => ('id' in which ? which.id : which.batchId)

/** What an audit entry and a price are looked up by. */
export interface Named {
  packageId: number
  /** The end of a single code, or the batch's name. */
  name: string
}

/** Returns what a code or a batch is called; null when there is none. */
export async function findNamed(db: Queries, which: Which): Promise<Named | null> {
  const text =
    'id' in which
      ? 'SELECT package_id AS "packageId", last_four AS name FROM voucher WHERE id = $1'
      : 'SELECT package_id AS "packageId", name FROM voucher_batch WHERE id = $1'
  const [named] = await db.query<Named>({ text, values: [idOf(which)] })
  return named ?? null
}

interface By {
  uid: string
  reason: string
  now: Date
}

/** Takes what is free out of sale; what somebody is buying in this moment stays. Returns how many codes that were. */
export async function withdrawFree(tx: Sql, which: Which, { uid, reason, now }: By): Promise<number> {
  const gone = await tx.query({
    text: `UPDATE voucher v SET state = 'withdrawn', withdrawn_at = $2, withdrawn_by = $3, withdrawn_reason = $4
      WHERE ${whichSql(which, '$1')} AND v.state = 'free' RETURNING v.id`,
    values: [idOf(which), now, uid, reason],
  })
  return gone.length
}

/** Puts back what was taken out of sale, other than what a buyer has had. Returns how many codes that were. */
export async function returnWithdrawn(tx: Sql, which: Which): Promise<number> {
  const back = await tx.query({
    text: `UPDATE voucher v SET state = 'free', withdrawn_at = NULL, withdrawn_by = NULL, withdrawn_reason = NULL
      WHERE ${whichSql(which, '$1')} AND v.state = 'withdrawn' AND v.order_id IS NULL RETURNING v.id`,
    values: [idOf(which)],
  })
  return back.length
}

interface SealedRow extends Pick<Voucher, 'id' | 'sealed' | 'lastFour'> {
  /** What it cost, or what its package does. */
  costSatang: number
}

/** Returns a code, encrypted. */
export async function findSealed(db: Queries, id: string): Promise<SealedRow | null> {
  const [row] = await db.query<SealedRow>({
    text: `SELECT v.id, v.sealed, v.last_four AS "lastFour", coalesce(v.cost_satang, p.cost_satang, 0) AS "costSatang"
      FROM voucher v JOIN package p ON p.id = v.package_id WHERE v.id = $1`,
    values: [id],
  })
  return row ?? null
}
