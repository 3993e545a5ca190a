import type { TierDiscount } from '@shop/shared/agent/agent.ts'
import type { Sql } from '../database/database.ts'

/**
 * The active discounts of a package that are higher than a wallet price, for `checkPriceAboveDiscounts`. Call it after
 * that price was written in the same transaction: who saves discounts at the same moment waits for its row.
 */
export async function discountsAbove(tx: Sql, packageId: number, priceSatang: number): Promise<TierDiscount[]> {
  return tx.query<TierDiscount>({
    text: `SELECT t.id AS "tierId", t.name AS "tierName", d.discount_satang AS "discountSatang"
      FROM discount d JOIN agent_tier t ON t.id = d.tier_id
      WHERE d.package_id = $1 AND d.is_active AND d.discount_satang > $2 ORDER BY t.id`,
    values: [packageId, priceSatang],
  })
}
