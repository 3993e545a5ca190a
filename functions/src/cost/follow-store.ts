import { isBelowCost } from '@shop/shared/catalogue/loss.ts'
import { fellFar } from '@shop/shared/cost/product-change.ts'
import type { Satang } from '@shop/shared/money.ts'
import { findStoredPackages, LARGEST_DISCOUNT, PRICES, type StoredPackage } from '../catalogue/package-store.ts'
import { game, gamePackage } from '../catalogue/tables.ts'
import type { Sql } from '../database/database.ts'
import { as, notNull, pick, row, sql, under } from '../database/sql.ts'
import { IS_TOO_DEAR } from '../voucher/store.ts'
import { supplierProduct } from './tables.ts'

const [p, g] = [under(gamePackage, 'p'), under(game, 'g')]
const k = under(supplierProduct, 'k')

/** The SQL of the product `k` of the first supplier among the sources of a package `p`. */
const FIRST_PRODUCT = `LATERAL (SELECT s FROM jsonb_array_elements(${p.sources}) WITH ORDINALITY AS u(s, place)
      WHERE s->>'supplier' <> 'stock' ORDER BY place LIMIT 1) first
    JOIN ${k} ON ${k.supplier} = first.s->>'supplier' AND ${k.sku} = first.s->>'sku'`

/** A package by its names. */
interface Named {
  id: number
  gameId: number
  gameName: string
  name: string
}
const NAMED = { ...pick(p, 'id', 'gameId', 'name'), gameName: g.name }

/** A package that follows its supplier, with what the supplier tells now. */
interface Told extends Named {
  costSatang: Satang | null
  toldSatang: Satang
}

/** Returns the packages whose cost is another than what their supplier tells. A product that is gone tells nothing. */
async function findDiffering(db: Sql): Promise<Told[]> {
  return db.query({
    text: sql`SELECT ${row<Told>({ ...NAMED, ...pick(p, 'costSatang'), toldSatang: notNull(k.costSatang) })}
      FROM ${p} JOIN ${g} ON ${g.id} = ${p.gameId}, ${FIRST_PRODUCT}
      WHERE ${p.followsCost} AND ${k.goneAt} IS NULL AND ${k.costSatang} IS DISTINCT FROM ${p.costSatang}
        AND ${k.costSatang} IS NOT NULL
      ORDER BY ${p.id}`,
  })
}

/** Returns what packages are to cost from now on, by their ids. */
export async function findNewCosts(db: Sql): Promise<Map<number, Satang>> {
  const told = (await findDiffering(db)).filter(({ costSatang, toldSatang }) => !fellFar(costSatang, toldSatang))
  return new Map(told.map(({ id, toldSatang }) => [id, toldSatang]))
}

/** Returns the packages whose supplier tells so little that a person must decide about it. */
export async function findDoubted(db: Sql): Promise<(Named & { costSatang: Satang; toldSatang: Satang })[]> {
  return (await findDiffering(db)).flatMap(({ costSatang, ...told }) =>
    costSatang !== null && fellFar(costSatang, told.toldSatang) ? [{ ...told, costSatang }] : [],
  )
}

/** Returns the packages that would be sold if their cost had not passed their price. */
export async function findStopped(db: Sql, now: Date): Promise<Named[]> {
  const rows = await db.query({
    text: sql`SELECT ${row({
      ...NAMED,
      ...pick(p, 'costSatang', 'agreedLossSatang'),
      discountSatang: LARGEST_DISCOUNT,
      prices: PRICES,
    })}
      FROM ${p} JOIN ${g} ON ${g.id} = ${p.gameId}
      WHERE ${p.isActive} AND ${g.isActive} AND ${p.costSatang} IS NOT NULL
      ORDER BY ${g.position}, ${g.id}, ${p.position}, ${p.id}`,
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
    text: sql`SELECT DISTINCT ON (${g.position}, ${g.id}, ${p.position}, ${p.id}) ${row({
      ...NAMED,
      costSatang: as.satang(`coalesce((s->>'costSatang')::bigint, ${p.costSatang})`),
      toldSatang: notNull(k.costSatang),
    })}
      FROM ${p} JOIN ${g} ON ${g.id} = ${p.gameId} CROSS JOIN jsonb_array_elements(${p.sources}) AS s
        JOIN ${k} ON ${k.supplier} = s->>'supplier' AND ${k.sku} = s->>'sku'
      WHERE ${p.isActive} AND ${g.isActive} AND ${p.isOut} AND ${k.goneAt} IS NULL AND ${k.isInStock}
        AND ${k.costSatang} IS NOT NULL AND ${IS_TOO_DEAR}
      ORDER BY ${g.position}, ${g.id}, ${p.position}, ${p.id}, ${k.costSatang}`,
  })
}

export const findPackages = (tx: Sql, ids: Iterable<number>): Promise<StoredPackage[]> =>
  findStoredPackages(tx, { ids: [...ids] })

/** The SQL condition that a package `p` takes its goods from a supplier. */
const HAS_SUPPLIER = `jsonb_path_exists(${p.sources}, '$[*] ? (@.supplier != "stock")')`

/** Returns how many packages of a game have a supplier, and how many of them follow its costs. */
export async function countFollowing(db: Sql, gameId: number): Promise<{ supplied: number; following: number }> {
  const [found] = await db.query({
    text: sql`SELECT ${row({
      supplied: as.int('count(*)'),
      following: as.int(`count(*) FILTER (WHERE ${p.followsCost})`),
    })} FROM ${p} WHERE ${p.gameId} = $1 AND ${HAS_SUPPLIER}`,
    values: [gameId],
  })
  return found!
}
