import type { Discount } from '@shop/shared/agent/agent.ts'
import { lowestListPrice, type PriceRow } from '@shop/shared/catalogue/pricing.ts'
import type { Satang } from '@shop/shared/money.ts'
import { listPriceSql } from '../catalogue/store.ts'
import { discount, game, gamePackage, packagePrice } from '../catalogue/tables.ts'
import type { Sql } from '../database/database.ts'
import { Filter, findPage, likePart } from '../database/listing.ts'
import { listOf, pick, row, sql, under } from '../database/sql.ts'
import { storingMany } from '../database/values.ts'

const [g, p] = [under(game, 'g'), under(gamePackage, 'p')]
const [r, d] = [under(packagePrice, 'r'), under(discount, 'd')]

/** A package sold from the wallet, with the tiers' discounts that were set for it. */
export interface DiscountedPackage {
  packageId: number
  package: string
  gameId: number
  game: string
  priceSatang: Satang
  costSatang: Satang | null
  discounts: Omit<Discount, 'packageId'>[]
}

/** A page of the packages with a wallet price, in shop order. */
export async function findDiscountedPackages(
  db: Sql,
  query: { game?: number[]; package?: string; page: number; pageSize: number; now: Date },
): Promise<{ rows: DiscountedPackage[]; total: number }> {
  const filter = new Filter()
  filter.where(query.game, games => `${g.id} = ANY(${games}::int[])`)
  filter.where(query.package || null, name => `${p.name} ILIKE ${name}`, likePart)
  // The time is written into the SQL, because the statement that counts rows has no use for a parameter.
  const now = `'${query.now.toISOString()}'`
  const joins = sql`JOIN ${g} ON ${g.id} = ${p.gameId}
    JOIN ${r} ON ${r.packageId} = ${p.id} AND ${r.payment} = 'wallet' AND ${r.priceSatang} > 0`
  const select = sql`SELECT ${row<DiscountedPackage>({
    packageId: p.id,
    package: p.name,
    gameId: g.id,
    game: g.name,
    priceSatang: listPriceSql('r', now),
    costSatang: p.costSatang,
    discounts: listOf(
      sql`${row(pick(d, 'tierId', 'discountSatang', 'isActive'))} FROM ${d} WHERE ${d.packageId} = ${p.id}`,
    ),
  })}
    FROM page p ${joins}`
  const order = `${g.position}, ${g.id}, ${p.position}, ${p.id}`
  return findPage(db, { from: sql`${p} ${joins}`, filter, order, select }, query)
}

/** Returns the lowest wallet price of each package, now or from the day of its next price on. */
export async function findLowestWalletPrices(tx: Sql, packageIds: number[], now: Date): Promise<Map<number, Satang>> {
  const price = row<PriceRow & { packageId: number }>({
    ...pick(r, 'packageId', 'priceSatang', 'isActive', 'nextPriceSatang', 'startDay', 'endDay', 'nextDay'),
  })
  const rows = await tx.query({
    text: sql`SELECT ${price}
      FROM ${r} WHERE ${r.payment} = 'wallet' AND ${r.packageId} = ANY($1::int[])`,
    values: [packageIds],
  })
  return new Map(rows.map(each => [each.packageId, lowestListPrice(each, now)]))
}

export async function findDiscounts(db: Sql, packageIds: number[]): Promise<Discount[]> {
  return db.query({
    text: sql`SELECT ${row<Discount>(d)}
      FROM ${d} WHERE ${d.packageId} = ANY($1::int[]) ORDER BY ${d.packageId}, ${d.tierId}`,
    values: [packageIds],
  })
}

const storing = storingMany(discount, { key: ['packageId', 'tierId'] })

export const saveDiscounts = (tx: Sql, discounts: Discount[]): Promise<void> => storing(tx, discounts)
