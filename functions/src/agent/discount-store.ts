import type { Discount } from '@shop/shared/agent/agent.ts'
import { lowestListPrice, type PriceRow } from '@shop/shared/catalogue/pricing.ts'
import type { Satang } from '@shop/shared/money.ts'
import { getTableColumns } from 'drizzle-orm'
import { listPriceSql } from '../catalogue/store.ts'
import { discount, packagePrice } from '../catalogue/tables.ts'
import type { Sql } from '../database/database.ts'
import { columns, Filter, findPage, jsonObject, likePart, selectList, sqlOf } from '../database/listing.ts'
import { insertManySql } from '../database/values.ts'

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
  filter.where(query.game, games => `g.id = ANY(${games}::int[])`)
  filter.where(query.package || null, name => `p.name ILIKE ${name}`, likePart)
  // The time is written into the SQL, because the statement that counts rows has no use for a parameter.
  const now = `'${query.now.toISOString()}'`
  const joins = `JOIN game g ON g.id = p.game_id
    JOIN package_price r ON r.package_id = p.id AND r.payment = 'wallet' AND r.price_satang > 0`
  const cells = jsonObject<DiscountedPackage['discounts'][number]>(
    sqlOf(discount, 'd', 'tierId', 'discountSatang', 'isActive'),
  )
  const row = columns<DiscountedPackage>({
    packageId: 'p.id',
    package: 'p.name',
    gameId: 'g.id',
    game: 'g.name',
    priceSatang: listPriceSql('r', now),
    costSatang: 'p.cost_satang',
    discounts: `(SELECT coalesce(json_agg(${cells}), '[]') FROM discount d WHERE d.package_id = p.id)`,
  })
  const select = `SELECT ${row}
    FROM page p ${joins}`
  const list = { from: `package p ${joins}`, filter, order: 'g.position, g.id, p.position, p.id', select }
  return findPage(db, list, query)
}

/** Returns the lowest wallet price of each package, now or from the day of its next price on. */
export async function findLowestWalletPrices(tx: Sql, packageIds: number[], now: Date): Promise<Map<number, Satang>> {
  const price = columns<PriceRow & { packageId: number }>({
    ...sqlOf(packagePrice, 'r', 'packageId', 'priceSatang', 'isActive', 'nextPriceSatang'),
    startDay: 'r.start_day::text',
    endDay: 'r.end_day::text',
    nextDay: 'r.next_day::text',
  })
  const rows = await tx.query<PriceRow & { packageId: number }>({
    text: `SELECT ${price}
      FROM package_price r WHERE r.payment = 'wallet' AND r.package_id = ANY($1::int[])`,
    values: [packageIds],
  })
  return new Map(rows.map(row => [row.packageId, lowestListPrice(row, now)]))
}

export async function findDiscounts(db: Sql, packageIds: number[]): Promise<Discount[]> {
  return db.query<Discount>({
    text: `SELECT ${selectList(getTableColumns(discount), 'd')}
      FROM discount d WHERE d.package_id = ANY($1::int[]) ORDER BY d.package_id, d.tier_id`,
    values: [packageIds],
  })
}

export async function saveDiscounts(tx: Sql, discounts: Discount[]): Promise<void> {
  await tx.query({
    text: `${insertManySql(discount)}
      ON CONFLICT (package_id, tier_id) DO UPDATE SET discount_satang = excluded.discount_satang, is_active = excluded.is_active`,
    values: [JSON.stringify(discounts)],
  })
}
