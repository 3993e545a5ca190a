import type { Delivers, Source } from '@shop/shared/catalogue/delivers.ts'
import type { PriceCode } from '@shop/shared/catalogue/payment-method.ts'
import type { PriceRow } from '@shop/shared/catalogue/pricing.ts'
import type { Satang } from '@shop/shared/money.ts'
import type { Sql } from '../database/database.ts'
import { Filter, findPage, likePart } from '../database/listing.ts'
import { as, coalesce, type Fields, json, outer, pick, row, sql, under } from '../database/sql.ts'
import { excludedSql, recordOf, sentSql, storingMany } from '../database/values.ts'
import { type CatalogueChange, lastChangeOf, type StoredLastChange } from '../settings/catalogue-change.ts'
import { agentTier, discount, game, gamePackage, packagePrice } from './tables.ts'

export interface StoredPrice extends PriceRow {
  payment: PriceCode
}

/** The fields of a package, beside its prices, that staff write. */
export interface PackageFields {
  gameId: number
  name: string
  desc: string
  isActive: boolean
  /** The shop's cost of one piece; null when unknown. */
  costSatang: Satang | null
  /** Whether the cost is that of its first supplier, whenever that one changes it. */
  followsCost: boolean
  delivers: Delivers
  /** Where its goods come from, in the order in which they are asked. */
  sources: Source[]
  /** Whether its sources deliver its paid orders. */
  isAutomatic: boolean
  /** What its buyer must agree to before paying; empty for nothing. */
  warning: string
  /** How its codes are redeemed. */
  redeemHelp: string
  /** Managers are told when fewer codes than this are left in stock. */
  lowStock: number
}

/** A package with its prices, as the back office reads it. */
export interface StoredPackage extends PackageFields, StoredLastChange {
  id: number
  no: number
  gameCode: string
  gameName: string
  isGameActive: boolean
  prices: StoredPrice[]
  /** The loss for one piece that a second person agreed to. */
  agreedLossSatang: Satang
  /** The largest discount of any tier. */
  discountSatang: Satang
}

const [p, g, r, d] = [under(gamePackage, 'p'), under(game, 'g'), under(packagePrice, 'r'), under(discount, 'd')]
const SAVED = lastChangeOf(p)
const PRICE = json<StoredPrice>(
  pick(r, 'payment', 'priceSatang', 'startDay', 'endDay', 'isActive', 'nextPriceSatang', 'nextDay'),
)
/** The prices of a package `p`. */
export const PRICES = as.shape<StoredPrice[]>(
  `(SELECT coalesce(json_agg(${PRICE} ORDER BY ${r.payment}), '[]') FROM ${r} WHERE ${r.packageId} = ${p.id})`,
)
/** The largest discount of any tier on a package `p`. */
export const LARGEST_DISCOUNT = as.satang(
  `(SELECT coalesce(max(${d.discountSatang}), 0) FROM ${d} WHERE ${d.packageId} = ${p.id} AND ${d.isActive})`,
)
const PACKAGE = row<StoredPackage>({
  ...pick(p, 'id', 'gameId', 'name', 'isActive', 'costSatang', 'followsCost', 'agreedLossSatang', 'delivers'),
  ...pick(p, 'sources', 'isAutomatic', 'warning', 'redeemHelp', 'lowStock'),
  no: p.position,
  gameCode: g.code,
  gameName: g.name,
  isGameActive: g.isActive,
  desc: p.description,
  prices: PRICES,
  discountSatang: LARGEST_DISCOUNT,
  ...SAVED.fields,
})
const packages = (table: string) => sql`SELECT ${PACKAGE}
  FROM ${table} JOIN ${g} ON ${g.id} = ${p.gameId} ${SAVED.join}`
const SHOP_ORDER = `${g.position}, ${g.id}, ${p.position}, ${p.id}`

/** Returns packages in shop order: those with these ids, those of these games, or all. */
export async function findStoredPackages(
  db: Sql,
  want: { ids?: number[]; gameIds?: number[] },
): Promise<StoredPackage[]> {
  const filter = new Filter()
  filter.where(want.ids, ids => `${p.id} = ANY(${ids}::int[])`)
  filter.where(want.gameIds, ids => `${p.gameId} = ANY(${ids}::int[])`)
  return db.query({ text: sql`${packages(`${p}`)} WHERE ${filter} ORDER BY ${SHOP_ORDER}`, values: filter.values })
}

export async function findStoredPackage(db: Sql, id: number): Promise<StoredPackage | null> {
  const [found] = await findStoredPackages(db, { ids: [id] })
  return found ?? null
}

/** Filters for a list of a game's packages. */
interface PackageFilter {
  gameId: number
  name?: string
  status?: 'active' | 'inactive'
}

function filterOf({ gameId, name, status }: PackageFilter): Filter {
  const filter = new Filter()
  filter.where(gameId, id => `${p.gameId} = ${id}`)
  filter.where(name || null, text => `${p.name} ILIKE ${text}`, likePart)
  filter.where(status && status === 'active', isActive => `${p.isActive} = ${isActive}`)
  return filter
}

/** Returns all packages that match the filter, in shop order. */
export async function findPackagesLike(db: Sql, query: PackageFilter): Promise<StoredPackage[]> {
  const filter = filterOf(query)
  return db.query({ text: sql`${packages(`${p}`)} WHERE ${filter} ORDER BY ${SHOP_ORDER}`, values: filter.values })
}

/** Returns a page of the packages that match the filter. */
export async function findPackagePage(
  db: Sql,
  query: PackageFilter & { page: number; pageSize: number },
): Promise<{ rows: StoredPackage[]; total: number }> {
  const filter = filterOf(query)
  const from = sql`${p} JOIN ${g} ON ${g.id} = ${p.gameId}`
  return findPage(db, { from, filter, order: SHOP_ORDER, select: packages('page p') }, query)
}

/** Returns the packages that have one of these names in their game. */
export async function findNamesakes(
  db: Sql,
  names: { gameId: number; name: string }[],
): Promise<{ id: number; gameId: number; name: string }[]> {
  return db.query({
    text: sql`SELECT ${row(pick(p, 'id', 'gameId', 'name'))} FROM unnest($1::int[], $2::text[]) AS u(game_id, name)
      JOIN ${p} ON ${p.gameId} = u.game_id AND ${p.name} = u.name`,
    values: [names.map(({ gameId }) => gameId), names.map(({ name }) => name)],
  })
}

/** Takes new package ids from the sequence. */
export async function takePackageIds(tx: Sql, count: number): Promise<number[]> {
  const id = as.int(`nextval(pg_get_serial_sequence('package', 'id'))`)
  const rows = await tx.query({
    text: sql`SELECT ${row({ id })} FROM generate_series(1, $1)`,
    values: [count],
  })
  return rows.map(({ id }) => id)
}

const stored = under(gamePackage)
/** Where each field of a package is stored. */
const { gameId, ...STORED }: Fields<PackageFields> = {
  ...pick(stored, 'gameId', 'name', 'isActive', 'costSatang', 'followsCost', 'delivers', 'sources', 'isAutomatic'),
  ...pick(stored, 'warning', 'redeemHelp', 'lowStock'),
  desc: stored.description,
}
const SENT = { id: stored.id, gameId, ...STORED }

/** For servers of the release before `sources`, which know one supplier. */
const FIRST_SKU = `CASE WHEN s.sources->0->>'supplier' = 'seagm' THEN s.sources->0->>'sku' END`

const old = outer(gamePackage, 'old')
const { supplierSku, position, version, updatedAt, updatedBy } = stored
/** A field of a new package is stored for one that is there, too; only its game stays. `at` is the order of those sent. */
const SAVE_PACKAGES = sql`WITH sent AS MATERIALIZED (SELECT * FROM json_to_recordset($1) AS s (${recordOf(SENT)}, at int)), last AS MATERIALIZED (
    SELECT ${gameId}, max(${position}) AS position FROM ${stored} WHERE ${gameId} IN (SELECT "gameId" FROM sent) GROUP BY ${gameId}
  )
  INSERT INTO ${stored} AS p (${Object.values(SENT)}, ${supplierSku}, ${position}, ${updatedAt}, ${updatedBy})
  SELECT ${sentSql(SENT, 's')}, ${FIRST_SKU}, coalesce(last.position, 0)
      + count(*) FILTER (WHERE ${old.id} IS NULL) OVER (PARTITION BY s."gameId" ORDER BY s.at), $2, $3
  FROM sent s LEFT JOIN ${old} ON ${old.id} = s.id LEFT JOIN last ON last.${gameId} = s."gameId"
  ON CONFLICT (${stored.id}) DO UPDATE SET ${excludedSql({ ...STORED, supplierSku })},
    ${version} = ${p.version} + 1, ${updatedAt} = $2, ${updatedBy} = $3`

/** Adds packages at the end of their games, or overwrites existing ones and raises their version. */
export async function savePackageRows(
  { tx, person }: CatalogueChange,
  rows: (PackageFields & { id: number })[],
): Promise<void> {
  await tx.query({
    text: SAVE_PACKAGES,
    values: [JSON.stringify(rows.map((row, at) => ({ ...row, at }))), person.now, person.uid],
  })
}

export type PriceOf = StoredPrice & { packageId: number }

/** Adds prices, or overwrites those of the same package and payment method. */
export const savePriceRows = storingMany(packagePrice, { key: ['packageId', 'payment'], without: ['id'] })

export async function deletePriceRows(tx: Sql, gone: Pick<PriceOf, 'packageId' | 'payment'>[]): Promise<void> {
  if (gone.length === 0) return
  await tx.query({
    text: sql`DELETE FROM ${r} USING unnest($1::int[], $2::text[]) AS u(package_id, payment)
      WHERE ${r.packageId} = u.package_id AND ${r.payment} = u.payment`,
    values: [gone.map(({ packageId }) => packageId), gone.map(({ payment }) => payment)],
  })
}

const t = under(agentTier, 't')
const off = outer(discount, 'd')

/** Returns active discounts that exceed a package's price, with the name of their tier. */
export async function discountsAbove(
  tx: Sql,
  prices: { packageId: number; priceSatang: Satang }[],
): Promise<{ packageId: number; tier: string }[]> {
  if (prices.length === 0) return []
  return tx.query({
    text: sql`SELECT ${row({ packageId: d.packageId, tier: t.name })}
      FROM unnest($1::int[], $2::bigint[]) AS u(package_id, price)
      JOIN ${d} ON ${d.packageId} = u.package_id AND ${d.isActive} AND ${d.discountSatang} > u.price
      JOIN ${t} ON ${t.id} = ${d.tierId} ORDER BY ${t.id}, ${d.packageId}`,
    values: [prices.map(({ packageId }) => packageId), prices.map(({ priceSatang }) => priceSatang)],
  })
}

/** Returns every tier with its current discount on a package. */
export async function findTierDiscounts(
  db: Sql,
  packageId: number,
): Promise<{ id: number; name: string; discountSatang: Satang }[]> {
  return db.query({
    text: sql`SELECT ${row({ ...pick(t, 'id', 'name'), discountSatang: coalesce(off.discountSatang, 0) })} FROM ${t}
      LEFT JOIN ${off} ON ${off.tierId} = ${t.id} AND ${off.packageId} = $1 AND ${off.isActive} ORDER BY ${t.id}`,
    values: [packageId],
  })
}
