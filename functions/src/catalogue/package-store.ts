import type { Delivers, Source } from '@shop/shared/catalogue/delivers.ts'
import type { PriceCode } from '@shop/shared/catalogue/payment-method.ts'
import type { PriceRow } from '@shop/shared/catalogue/pricing.ts'
import type { Satang } from '@shop/shared/money.ts'
import type { Sql } from '../database/database.ts'
import { columns, Filter, findPage, jsonObject, likePart, sqlOf } from '../database/listing.ts'
import { insertManySql, recordSql } from '../database/values.ts'
import { type CatalogueChange, lastChangeOf, type StoredLastChange } from '../settings/catalogue-change.ts'
import { gamePackage, packagePrice } from './tables.ts'

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

const SAVED = lastChangeOf('p')
const PRICE = jsonObject<StoredPrice>(
  sqlOf(packagePrice, 'r', 'payment', 'priceSatang', 'startDay', 'endDay', 'isActive', 'nextPriceSatang', 'nextDay'),
)
/** The SQL of the prices of a package `p`, as a JSON list. */
export const PRICES = `(SELECT coalesce(json_agg(${PRICE} ORDER BY r.payment), '[]') FROM package_price r WHERE r.package_id = p.id)`
/** The SQL of the largest discount of any tier on a package `p`. */
export const LARGEST_DISCOUNT =
  '(SELECT coalesce(max(d.discount_satang), 0) FROM discount d WHERE d.package_id = p.id AND d.is_active)'
const PACKAGE = columns<Omit<StoredPackage, keyof StoredLastChange>>({
  ...sqlOf(
    gamePackage,
    'p',
    'id',
    'gameId',
    'name',
    'isActive',
    'costSatang',
    'followsCost',
    'agreedLossSatang',
    'delivers',
    'sources',
    'isAutomatic',
    'warning',
    'redeemHelp',
    'lowStock',
  ),
  no: 'p.position',
  gameCode: 'g.code',
  gameName: 'g.name',
  isGameActive: 'g.is_active',
  desc: 'p.description',
  prices: PRICES,
  discountSatang: LARGEST_DISCOUNT,
})
const packages = (table: string) => `SELECT ${PACKAGE}, ${SAVED.columns}
  FROM ${table} p JOIN game g ON g.id = p.game_id ${SAVED.join}`
const SHOP_ORDER = 'g.position, g.id, p.position, p.id'

/** Returns packages in shop order: those with these ids, those of these games, or all. */
export async function findStoredPackages(
  db: Sql,
  want: { ids?: number[]; gameIds?: number[] },
): Promise<StoredPackage[]> {
  const filter = new Filter()
  filter.where(want.ids, ids => `p.id = ANY(${ids}::int[])`)
  filter.where(want.gameIds, ids => `p.game_id = ANY(${ids}::int[])`)
  return db.query({ text: `${packages('package')} WHERE ${filter} ORDER BY ${SHOP_ORDER}`, values: filter.values })
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
  filter.where(gameId, id => `p.game_id = ${id}`)
  filter.where(name || null, text => `p.name ILIKE ${text}`, likePart)
  filter.where(status && status === 'active', isActive => `p.is_active = ${isActive}`)
  return filter
}

/** Returns all packages that match the filter, in shop order. */
export async function findPackagesLike(db: Sql, query: PackageFilter): Promise<StoredPackage[]> {
  const filter = filterOf(query)
  return db.query({ text: `${packages('package')} WHERE ${filter} ORDER BY ${SHOP_ORDER}`, values: filter.values })
}

/** Returns a page of the packages that match the filter. */
export async function findPackagePage(
  db: Sql,
  query: PackageFilter & { page: number; pageSize: number },
): Promise<{ rows: StoredPackage[]; total: number }> {
  const filter = filterOf(query)
  const from = 'package p JOIN game g ON g.id = p.game_id'
  return findPage(db, { from, filter, order: SHOP_ORDER, select: packages('page') }, query)
}

/** Returns the packages that have one of these names in their game. */
export async function findNamesakes(
  db: Sql,
  names: { gameId: number; name: string }[],
): Promise<{ id: number; gameId: number; name: string }[]> {
  return db.query({
    text: `SELECT p.id, p.game_id AS "gameId", p.name FROM unnest($1::int[], $2::text[]) AS u(game_id, name)
      JOIN package p ON p.game_id = u.game_id AND p.name = u.name`,
    values: [names.map(({ gameId }) => gameId), names.map(({ name }) => name)],
  })
}

/** Takes new package ids from the sequence. */
export async function takePackageIds(tx: Sql, count: number): Promise<number[]> {
  const rows = await tx.query<{ id: number }>({
    text: `SELECT nextval(pg_get_serial_sequence('package', 'id'))::int AS id FROM generate_series(1, $1)`,
    values: [count],
  })
  return rows.map(({ id }) => id)
}

/** The packages to save, as a statement receives them; `at` is their order. */
const SENT = recordSql({
  id: 'int',
  gameId: 'int',
  name: 'text',
  desc: 'text',
  isActive: 'boolean',
  costSatang: 'bigint',
  followsCost: 'boolean',
  delivers: 'text',
  sources: 'jsonb',
  isAutomatic: 'boolean',
  warning: 'text',
  redeemHelp: 'text',
  lowStock: 'int',
  at: 'int',
} satisfies Record<'id' | 'at' | keyof PackageFields, string>)

/** For servers of the release before `sources`, which know one supplier. */
const FIRST_SKU = `CASE WHEN s.sources->0->>'supplier' = 'seagm' THEN s.sources->0->>'sku' END`

/** Adds packages at the end of their games, or overwrites existing ones and raises their version. */
export async function savePackageRows(
  { tx, person }: CatalogueChange,
  rows: (PackageFields & { id: number })[],
): Promise<void> {
  await tx.query({
    text: `WITH sent AS MATERIALIZED (SELECT * FROM json_to_recordset($1) AS s (${SENT})), last AS MATERIALIZED (
        SELECT game_id, max(position) AS position FROM package WHERE game_id IN (SELECT "gameId" FROM sent) GROUP BY game_id
      )
      INSERT INTO package AS p (id, game_id, name, description, is_active, cost_satang, follows_cost, delivers, sources, supplier_sku, is_automatic,
        warning, redeem_help, low_stock, position, updated_at, updated_by)
      SELECT s.id, s."gameId", s.name, s."desc", s."isActive", s."costSatang", s."followsCost", s.delivers, s.sources, ${FIRST_SKU},
        s."isAutomatic", s.warning, s."redeemHelp", s."lowStock",
        coalesce(last.position, 0)
          + count(*) FILTER (WHERE old.id IS NULL) OVER (PARTITION BY s."gameId" ORDER BY s.at), $2, $3
      FROM sent s LEFT JOIN package old ON old.id = s.id LEFT JOIN last ON last.game_id = s."gameId"
      ON CONFLICT (id) DO UPDATE SET name = excluded.name, description = excluded.description,
        is_active = excluded.is_active, cost_satang = excluded.cost_satang, follows_cost = excluded.follows_cost, delivers = excluded.delivers,
        sources = excluded.sources, supplier_sku = excluded.supplier_sku, is_automatic = excluded.is_automatic,
        warning = excluded.warning, redeem_help = excluded.redeem_help, low_stock = excluded.low_stock, version = p.version + 1, updated_at = $2, updated_by = $3`,
    values: [JSON.stringify(rows.map((row, at) => ({ ...row, at }))), person.now, person.uid],
  })
}

export type PriceOf = StoredPrice & { packageId: number }

/** Adds prices, or overwrites those of the same package and payment method. */
export async function savePriceRows(tx: Sql, prices: PriceOf[]): Promise<void> {
  await tx.query({
    text: `${insertManySql(packagePrice, ['id'])}
      ON CONFLICT (package_id, payment) DO UPDATE SET price_satang = excluded.price_satang,
        start_day = excluded.start_day, end_day = excluded.end_day, is_active = excluded.is_active,
        next_price_satang = excluded.next_price_satang, next_day = excluded.next_day`,
    values: [JSON.stringify(prices)],
  })
}

export async function deletePriceRows(tx: Sql, gone: Pick<PriceOf, 'packageId' | 'payment'>[]): Promise<void> {
  if (gone.length === 0) return
  await tx.query({
    text: `DELETE FROM package_price r USING unnest($1::int[], $2::text[]) AS u(package_id, payment)
      WHERE r.package_id = u.package_id AND r.payment = u.payment`,
    values: [gone.map(({ packageId }) => packageId), gone.map(({ payment }) => payment)],
  })
}

/** Returns active discounts that exceed a package's price, with the name of their tier. */
export async function discountsAbove(
  tx: Sql,
  prices: { packageId: number; priceSatang: Satang }[],
): Promise<{ packageId: number; tier: string }[]> {
  if (prices.length === 0) return []
  return tx.query({
    text: `SELECT d.package_id AS "packageId", t.name AS tier
      FROM unnest($1::int[], $2::bigint[]) AS u(package_id, price)
      JOIN discount d ON d.package_id = u.package_id AND d.is_active AND d.discount_satang > u.price
      JOIN agent_tier t ON t.id = d.tier_id ORDER BY t.id, d.package_id`,
    values: [prices.map(({ packageId }) => packageId), prices.map(({ priceSatang }) => priceSatang)],
  })
}

/** Returns every tier with its current discount on a package. */
export async function findTierDiscounts(
  db: Sql,
  packageId: number,
): Promise<{ id: number; name: string; discountSatang: Satang }[]> {
  return db.query({
    text: `SELECT t.id, t.name, coalesce(d.discount_satang, 0) AS "discountSatang" FROM agent_tier t
      LEFT JOIN discount d ON d.tier_id = t.id AND d.package_id = $1 AND d.is_active ORDER BY t.id`,
    values: [packageId],
  })
}
