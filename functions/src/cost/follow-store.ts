import { isBelowCost } from '@shop/shared/catalogue/loss.ts'
import { fellFar } from '@shop/shared/cost/product-change.ts'
import type { Satang } from '@shop/shared/money.ts'
import { findStoredPackages, LARGEST_DISCOUNT, PRICES, type StoredPackage } from '../catalogue/package-store.ts'
import type { Sql } from '../database/database.ts'
import { IS_TOO_DEAR } from '../voucher/store.ts'

/** The SQL of the product `k` of the first supplier among the sources of a package `p`. */
const FIRST_PRODUCT = `LATERAL (SELECT s FROM jsonb_array_elements(p.sources) WITH ORDINALITY AS u(s, place)
      WHERE s->>'supplier' <> 'stock' ORDER BY place LIMIT 1) first
    JOIN supplier_product k ON k.supplier = first.s->>'supplier' AND k.sku = first.s->>'sku'`

/** A package that follows its supplier, with what the supplier tells now. */
interface Told {
  id: number
  gameId: number
  gameName: string
  name: string
  costSatang: Satang | null
  toldSatang: Satang
}

/** Returns the packages whose cost is another than what their supplier tells. A product that is gone tells nothing. */
async function findDiffering(db: Sql): Promise<Told[]> {
  return db.query({
    text: `SELECT p.id, p.game_id AS "gameId", g.name AS "gameName", p.name, p.cost_satang AS "costSatang", k.cost_satang AS "toldSatang"
      FROM package p JOIN game g ON g.id = p.game_id, ${FIRST_PRODUCT}
      WHERE p.follows_cost AND k.gone_at IS NULL AND k.cost_satang IS DISTINCT FROM p.cost_satang AND k.cost_satang IS NOT NULL
      ORDER BY p.id`,
  })
}

/** Returns what packages are to cost from now on, by their ids. */
export async function findNewCosts(db: Sql): Promise<Map<number, Satang>> {
  const told = (await findDiffering(db)).filter(({ costSatang, toldSatang }) => !fellFar(costSatang, toldSatang))
  return new Map(told.map(({ id, toldSatang }) => [id, toldSatang]))
}

/** A package by its names. */
type Named = Omit<Told, 'toldSatang' | 'costSatang'>

/** Returns the packages whose supplier tells so little that a person must decide about it. */
export async function findDoubted(db: Sql): Promise<(Named & { costSatang: Satang; toldSatang: Satang })[]> {
  return (await findDiffering(db)).flatMap(({ costSatang, ...told }) =>
    costSatang !== null && fellFar(costSatang, told.toldSatang) ? [{ ...told, costSatang }] : [],
  )
}

/** Returns the packages that would be sold if their cost had not passed their price. */
export async function findStopped(db: Sql, now: Date): Promise<Named[]> {
  const rows = await db.query<
    Named & Pick<StoredPackage, 'costSatang' | 'agreedLossSatang' | 'discountSatang' | 'prices'>
  >({
    text: `SELECT p.id, p.game_id AS "gameId", g.name AS "gameName", p.name, p.cost_satang AS "costSatang",
        p.agreed_loss_satang AS "agreedLossSatang", ${LARGEST_DISCOUNT} AS "discountSatang", ${PRICES} AS prices
      FROM package p JOIN game g ON g.id = p.game_id
      WHERE p.is_active AND g.is_active AND p.cost_satang IS NOT NULL ORDER BY g.position, g.id, p.position, p.id`,
  })
  return rows
    .filter(sold => isBelowCost(sold, now))
    .map(({ id, gameId, gameName, name }) => ({ id, gameId, gameName, name }))
}

/**
 * Returns the packages that are sold out because a supplier asks more now than a purchase for them may cost: the money would
 * be taken for what is not bought then. Of several suppliers the cheapest is named.
 */
export async function findTooDear(db: Sql): Promise<(Named & { costSatang: Satang; toldSatang: Satang })[]> {
  return db.query({
    text: `SELECT DISTINCT ON (g.position, g.id, p.position, p.id) p.id, p.game_id AS "gameId", g.name AS "gameName", p.name,
        coalesce((s->>'costSatang')::bigint, p.cost_satang) AS "costSatang", k.cost_satang AS "toldSatang"
      FROM package p JOIN game g ON g.id = p.game_id CROSS JOIN jsonb_array_elements(p.sources) AS s
        JOIN supplier_product k ON k.supplier = s->>'supplier' AND k.sku = s->>'sku'
      WHERE p.is_active AND g.is_active AND p.is_out AND k.gone_at IS NULL AND k.is_in_stock AND k.cost_satang IS NOT NULL
        AND ${IS_TOO_DEAR}
      ORDER BY g.position, g.id, p.position, p.id, k.cost_satang`,
  })
}

export const findPackages = (tx: Sql, ids: Iterable<number>): Promise<StoredPackage[]> =>
  findStoredPackages(tx, { ids: [...ids] })

/** Returns how many packages of a game have a supplier, and how many of them follow its costs. */
export async function countFollowing(db: Sql, gameId: number): Promise<{ supplied: number; following: number }> {
  const [row] = await db.query<{ supplied: number; following: number }>({
    text: `SELECT count(*)::int AS supplied, (count(*) FILTER (WHERE p.follows_cost))::int AS following
      FROM package p WHERE p.game_id = $1 AND ${HAS_SUPPLIER}`,
    values: [gameId],
  })
  return row!
}

/** The SQL condition that a package `p` takes its goods from a supplier. */
const HAS_SUPPLIER = `jsonb_path_exists(p.sources, '$[*] ? (@.supplier != "stock")')`
