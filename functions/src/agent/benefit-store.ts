import type { Discount } from '@shop/shared/agent/agent.ts'
import type { BenefitRow } from '@shop/shared/agent/endpoints.ts'
import type { Satang } from '@shop/shared/money.ts'
import type { Sql } from '../database/database.ts'
import { likePart } from '../database/listing.ts'

/** Packages with a wallet price and what each tier gets off them, in shop order. */
export async function findBenefits(
  db: Sql,
  filter: { game?: number[]; package?: string; page: number; pageSize: number; tierIds: number[] },
): Promise<{ rows: BenefitRow[]; total: number }> {
  const values: unknown[] = []
  const where = ['true']
  if (filter.game) where.push(`g.id = ANY($${values.push(filter.game)}::int[])`)
  if (filter.package) where.push(`p.name ILIKE $${values.push(likePart(filter.package))}`)
  const matching = `FROM package p JOIN game g ON g.id = p.game_id
    JOIN package_price r ON r.package_id = p.id AND r.payment = 'wallet' AND r.price_satang > 0
    WHERE ${where.join(' AND ')}`
  const page = `LIMIT ${filter.pageSize} OFFSET ${(filter.page - 1) * filter.pageSize}`
  const [rows, [count]] = await Promise.all([
    db.query<Omit<BenefitRow, 'details'> & { details: BenefitRow['details'] }>({
      text: `SELECT p.id AS "packageId", p.name AS package, g.id AS "gameId", g.name AS game, r.price_satang AS "priceSatang",
          (SELECT coalesce(json_agg(json_build_object('tierId', b.tier_id, 'discountSatang', b.discount_satang,
            'isActived', b.is_active)), '[]') FROM benefit b WHERE b.package_id = p.id) AS details
        ${matching} ORDER BY g.position, g.id, p.position, p.id ${page}`,
      values,
    }),
    db.query<{ total: number }>({ text: `SELECT count(*)::int AS total ${matching}`, values }),
  ])
  const complete = rows.map(row => ({
    ...row,
    details: filter.tierIds.map(
      tierId => row.details.find(each => each.tierId === tierId) ?? { tierId, discountSatang: 0, isActived: false },
    ),
  }))
  return { rows: complete, total: count!.total }
}

/** Wallet prices of packages, kept from changing until the transaction ends. */
export async function lockWalletPrices(tx: Sql, packageIds: number[]): Promise<Map<number, Satang>> {
  const rows = await tx.query<{ packageId: number; priceSatang: Satang }>({
    text: `SELECT package_id AS "packageId", price_satang AS "priceSatang" FROM package_price
      WHERE payment = 'wallet' AND package_id = ANY($1::int[]) ORDER BY package_id FOR SHARE`,
    values: [packageIds],
  })
  return new Map(rows.map(row => [row.packageId, row.priceSatang]))
}

export async function findDiscounts(db: Sql, packageIds: number[]): Promise<Discount[]> {
  return db.query<Discount>({
    text: `SELECT package_id AS "packageId", tier_id AS "tierId", discount_satang AS "discountSatang", is_active AS "isActived"
      FROM benefit WHERE package_id = ANY($1::int[]) ORDER BY package_id, tier_id`,
    values: [packageIds],
  })
}

export async function saveDiscounts(tx: Sql, discounts: Discount[]): Promise<void> {
  await tx.query({
    text: `INSERT INTO benefit (package_id, tier_id, discount_satang, is_active)
      SELECT * FROM unnest($1::int[], $2::int[], $3::bigint[], $4::boolean[])
      ON CONFLICT (package_id, tier_id) DO UPDATE SET discount_satang = excluded.discount_satang, is_active = excluded.is_active`,
    values: [
      discounts.map(each => each.packageId),
      discounts.map(each => each.tierId),
      discounts.map(each => each.discountSatang),
      discounts.map(each => each.isActived),
    ],
  })
}
