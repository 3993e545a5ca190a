import { EXPIRING_DAYS, type VoucherState } from '@shop/shared/voucher/voucher.ts'
import { account } from '../account/tables.ts'
import { game, gamePackage } from '../catalogue/tables.ts'
import type { Queries, Sql } from '../database/database.ts'
import { Filter, findPage, likePart, personName } from '../database/listing.ts'
import { as, type Fields, notNull, orNull, outer, pick, row, sql, under } from '../database/sql.ts'
import { orders } from '../order/tables.ts'
import { IS_REPLACEMENT, IS_SEEN } from './replace-store.ts'
import { isFreeSql, type Voucher } from './store.ts'
import { voucher, voucherBatch, voucherDraft } from './tables.ts'

/** What staff see of the stock, and do to it. A code itself is read by nothing here. */

const [v, codes] = [under(voucher, 'v'), under(voucher)]
const [p, g] = [under(gamePackage, 'p'), under(game, 'g')]
const [b, batches] = [under(voucherBatch, 'b'), under(voucherBatch)]
const drafts = under(voucherDraft)
const ordered = under(orders)
/** What a code or a batch may not have: an order, a batch, and somebody who imported it or took it away. */
const [o, from, a] = [outer(orders, 'o'), outer(voucherBatch, 'b'), outer(account, 'a')]

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
const countsOf = (day: string): Fields<Counts> => {
  const counted = (condition: string) => as.int(`count(*) FILTER (WHERE ${condition})`)
  return {
    free: counted(isFreeSql(day)),
    expired: counted(`${v.state} = 'free' AND ${v.expiresOn} <= ${day}::date`),
    reserved: counted(`${v.state} = 'reserved'`),
    sold: counted(`${v.state} = 'sold'`),
    withdrawn: counted(`${v.state} = 'withdrawn'`),
  }
}

/** The condition that a code `v` can be sold on a day, but not for long. */
const isExpiringSql = (day: string): string => `${isFreeSql(day)} AND ${v.expiresOn} <= ${day}::date + ${EXPIRING_DAYS}`

interface StockRow extends Counts {
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
const OF_PACKAGE = `${p} JOIN ${g} ON ${g.id} = ${p.gameId} LEFT JOIN stock s ON s.package_id = ${p.id}`

const stockCte = (day: string, packageId: string): string => `WITH stock AS MATERIALIZED (
  SELECT ${v.packageId}, ${row(countsOf(day))}, count(*) FILTER (WHERE ${isExpiringSql(day)})::int AS expiring,
    min(${v.expiresOn}) FILTER (WHERE ${isFreeSql(day)}) AS soonest,
    coalesce(sum(${v.costSatang}) FILTER (WHERE ${isFreeSql(day)}), 0)::bigint AS value
  FROM ${v} WHERE ${packageId}::int IS NULL OR ${v.packageId} = ${packageId}::int GROUP BY ${v.packageId})`

const NEEDS = {
  low: `${p.isActive} AND ${p.lowStock} > 0 AND coalesce(s.free, 0) <= ${p.lowStock}`,
  expiring: 's.expiring > 0',
} as const

interface StockQuery extends Paging {
  text?: string | undefined
  packageId?: number | undefined
  needs?: keyof typeof NEEDS | undefined
}

/** A count of `s`, of a package that may have none. */
const counted = (name: string) => as.int(`coalesce(s.${name}, 0)`)
const STOCK: Fields<StockRow> = {
  packageId: p.id,
  packageName: p.name,
  gameName: g.name,
  ...pick(p, 'isActive', 'isOut', 'lowStock'),
  free: counted('free'),
  expired: counted('expired'),
  reserved: counted('reserved'),
  sold: counted('sold'),
  withdrawn: counted('withdrawn'),
  expiring: counted('expiring'),
  soonestExpiry: orNull(as.text('s.soonest')),
  valueSatang: as.satang('coalesce(s.value, 0)'),
}

/** Returns the packages that deliver codes, those first that have least. */
export async function findStock(db: Queries, { text, packageId, needs, page, pageSize }: StockQuery, day: string) {
  const filter = new Filter(`(${p.delivers} = 'code' OR s.package_id IS NOT NULL)`)
  const [today, only] = [filter.bind(day), filter.bind(packageId ?? null)]
  filter.where(packageId, bound => `${p.id} = ${bound}::int`)
  filter.where(text, bound => `(${p.name} ILIKE ${bound} OR ${g.name} ILIKE ${bound})`, likePart)
  if (needs) filter.must(NEEDS[needs])
  const limits = `LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`
  const rows = await db.query({
    text: sql`${stockCte(today, only)}
      SELECT ${row({ ...STOCK, total: as.int('count(*) OVER ()') })}
      FROM ${OF_PACKAGE} WHERE ${filter} ORDER BY ${p.isActive} DESC, coalesce(s.free, 0), ${p.id} ${limits}`,
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
    text: sql`${stockCte('$1', 'NULL')}
      SELECT ${row({ name: as.text(`${g.name} || ' ' || ${p.name}`), free: STOCK.free, expiring: STOCK.expiring })}
      FROM ${OF_PACKAGE} WHERE ${p.delivers} = 'code' AND ${p.sources} @> '[{"supplier": "stock"}]' AND ${NEEDS[needs]}
      ORDER BY coalesce(s.free, 0), ${p.id}`,
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

const inBatch = (name: keyof Counts) => as.int(`c.${name}`)
const OF_BATCH: Fields<Counts> = {
  free: inBatch('free'),
  expired: inBatch('expired'),
  reserved: inBatch('reserved'),
  sold: inBatch('sold'),
  withdrawn: inBatch('withdrawn'),
}

export function findBatches(db: Queries, of: { packageId: number } & Paging, day: string) {
  const filter = new Filter()
  const today = filter.bind(day)
  filter.where(of.packageId, bound => `${b.packageId} = ${bound}::int AND ${today}::date IS NOT NULL`)
  return findPage(
    db,
    {
      from: sql`${b}`,
      filter,
      order: `${b.id} DESC`,
      select: sql`SELECT ${row<BatchRow>({
        ...pick(b, 'id', 'name', 'pieces', 'costSatang', 'importedAt'),
        importedByName: orNull(personName('a')),
        ...OF_BATCH,
      })}
        FROM page b LEFT JOIN ${a} ON ${a.uid} = ${b.importedBy}
        CROSS JOIN LATERAL (SELECT ${row(countsOf(today)).text} FROM ${v} WHERE ${v.batchId} = ${b.id}) AS c`,
    },
    of,
  )
}

const SHOWN = {
  ...pick(v, 'id', 'lastFour', 'state', 'expiresOn', 'region', 'batchId', 'costSatang', 'createdAt', 'soldAt'),
  ...pick(v, 'revealedAt', 'revealedOn', 'reveals', 'withdrawnAt', 'withdrawnReason', 'evidenceSlipId', 'complaint'),
}

export interface VoucherRow extends Pick<Voucher, keyof typeof SHOWN> {
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
  filter.where(of.packageId, bound => `${v.packageId} = ${bound}::int`)
  filter.where(of.batchId, bound => `${v.batchId} = ${bound}::uuid`)
  filter.where(
    of.orderNo,
    bound => `${v.orderId} = (SELECT ${ordered.id} FROM ${ordered} WHERE ${ordered.orderNo} = ${bound})`,
  )
  filter.where(of.state, bound => `${v.state} = ${bound}`)
  filter.where(
    of.lastFour,
    bound => `${v.lastFour} LIKE ${bound}`,
    end => `%${end.toUpperCase()}`,
  )
  return findPage(
    db,
    {
      from: sql`${v}`,
      filter,
      order: `${v.id} DESC`,
      select: sql`SELECT ${row<VoucherRow>({
        ...SHOWN,
        isExpired: as.bool(`coalesce(${v.expiresOn} <= ${today}::date, false)`),
        isSeen: as.bool(IS_SEEN),
        isReplacement: as.bool(IS_REPLACEMENT),
        orderNo: o.orderNo,
        batchName: from.name,
        withdrawnByName: orNull(personName('a')),
      })}
        FROM page v LEFT JOIN ${o} ON ${o.id} = ${v.orderId} LEFT JOIN ${from} ON ${from.id} = ${v.batchId}
          LEFT JOIN ${a} ON ${a.uid} = ${v.withdrawnBy}`,
    },
    of,
  )
}

/** Returns which of these hashes of codes alone belong to codes that the shop has or has had. */
export async function findKnownHashes(db: Queries, hashes: readonly string[]): Promise<Set<string>> {
  const rows = await db.query({
    text: sql`SELECT ${row({ hash: notNull(codes.codeHash) })} FROM ${codes} WHERE ${codes.codeHash} = ANY($1::text[])`,
    values: [hashes],
  })
  return new Set(rows.map(({ hash }) => hash))
}

export type Draft = typeof voucherDraft.$inferSelect

/** Keeps the codes of a file that somebody looks at, in place of what they looked at before. */
export async function saveDraft(tx: Sql, { id, packageId, sealed, madeBy, madeAt }: Draft): Promise<void> {
  await tx.query({ text: sql`DELETE FROM ${drafts} WHERE ${drafts.madeBy} = $1`, values: [madeBy] })
  await tx.query({
    text: sql`INSERT INTO ${drafts} (${drafts.id}, ${drafts.packageId}, ${drafts.sealed}, ${drafts.madeBy},
      ${drafts.madeAt}) VALUES ($1, $2, $3, $4, $5)`,
    values: [id, packageId, sealed, madeBy, madeAt],
  })
}

/** Takes a draft away from where it is kept; null when it is not there, is another's or was made before a moment. */
export async function takeDraft(tx: Sql, id: string, madeBy: string, since: Date): Promise<Draft | null> {
  const [draft] = await tx.query({
    text: sql`DELETE FROM ${drafts} WHERE ${drafts.id} = $1 AND ${drafts.madeBy} = $2 AND ${drafts.madeAt} > $3
      RETURNING ${row(pick(drafts, 'id', 'packageId', 'sealed', 'madeBy', 'madeAt'))}`,
    values: [id, madeBy, since],
  })
  return draft ?? null
}

export async function insertBatch(tx: Sql, batch: typeof voucherBatch.$inferSelect): Promise<void> {
  const { id, packageId, name, pieces, costSatang, importedBy, importedAt } = batch
  await tx.query({
    text: sql`INSERT INTO ${batches} (${batches.id}, ${batches.packageId}, ${batches.name}, ${batches.pieces},
      ${batches.costSatang},
        ${batches.importedBy}, ${batches.importedAt})
      VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    values: [id, packageId, name, pieces, costSatang, importedBy, importedAt],
  })
}

export async function savePieces(tx: Sql, batchId: string, pieces: number): Promise<void> {
  await tx.query({
    text: sql`UPDATE ${batches} SET ${batches.pieces} = $2 WHERE ${batches.id} = $1`,
    values: [batchId, pieces],
  })
}

/** One code, or all of a batch. */
export type Which = { id: string } | { batchId: string }

const whichSql = (which: Which, bound: string): string =>
  'id' in which ? `${v.id} = ${bound}::uuid` : `${v.batchId} = ${bound}::uuid`
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
      ? sql`SELECT ${row<Named>({ ...pick(codes, 'packageId'), name: codes.lastFour })} FROM ${codes} WHERE ${codes.id} = $1`
      : sql`SELECT ${row<Named>(pick(batches, 'packageId', 'name'))} FROM ${batches} WHERE ${batches.id} = $1`
  const [named] = await db.query({ text, values: [idOf(which)] })
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
    text: sql`UPDATE ${v} SET ${codes.state} = 'withdrawn', ${codes.withdrawnAt} = $2, ${codes.withdrawnBy} = $3,
      ${codes.withdrawnReason} = $4
      WHERE ${whichSql(which, '$1')} AND ${v.state} = 'free' RETURNING ${row(pick(v, 'id'))}`,
    values: [idOf(which), now, uid, reason],
  })
  return gone.length
}

/** Puts back what was taken out of sale, other than what a buyer has had. Returns how many codes that were. */
export async function returnWithdrawn(tx: Sql, which: Which): Promise<number> {
  const back = await tx.query({
    text: sql`UPDATE ${v} SET ${codes.state} = 'free', ${codes.withdrawnAt} = NULL, ${codes.withdrawnBy} = NULL,
      ${codes.withdrawnReason} = NULL
      WHERE ${whichSql(which, '$1')} AND ${v.state} = 'withdrawn' AND ${v.orderId} IS NULL RETURNING ${row(pick(v, 'id'))}`,
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
  const [found] = await db.query({
    text: sql`SELECT ${row<SealedRow>({
      ...pick(v, 'id', 'sealed', 'lastFour'),
      costSatang: as.satang(`coalesce(${v.costSatang}, ${p.costSatang}, 0)`),
    })}
      FROM ${v} JOIN ${p} ON ${p.id} = ${v.packageId} WHERE ${v.id} = $1`,
    values: [id],
  })
  return found ?? null
}
