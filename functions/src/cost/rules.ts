import type { PriceRule } from '@shop/shared/catalogue/price-rule.ts'
import { type Plan, planOf, type TierDiscount } from '@shop/shared/cost/plan.ts'
import type { Satang } from '@shop/shared/money.ts'
import { findDiscounts } from '../agent/discount-store.ts'
import { saveTierCells } from '../agent/discounts.ts'
import { agreeLosses } from '../catalogue/loss.ts'
import { mustCoverDiscounts, type PackageAction, withPrices, writePackages } from '../catalogue/package-changes.ts'
import type { StoredPackage, StoredPrice } from '../catalogue/package-store.ts'
import type { Sql } from '../database/database.ts'
import type { CatalogueChange } from '../settings/catalogue-change.ts'
import { findRules } from './rule-store.ts'

/** A package with what its game's rules make of it. */
export interface Planned {
  read: StoredPackage
  plan: Plan<StoredPrice>
}

/** Returns the discounts of each package in the order of the tiers. */
async function findTierDiscounts(db: Sql, ids: number[]): Promise<Map<number, TierDiscount[]>> {
  const all = await findDiscounts(db, ids)
  return new Map(
    ids.map(id => [
      id,
      all
        .filter(({ packageId }) => packageId === id)
        .map(({ tierId, discountSatang, isActive }) => ({ tierId, discountSatang, isActive })),
    ]),
  )
}

/** @param rules those of a game, by its id */
export async function planPackages(
  db: Sql,
  packages: readonly StoredPackage[],
  rules: ReadonlyMap<number, readonly PriceRule[]>,
  now: Date,
): Promise<Planned[]> {
  const discounts = await findTierDiscounts(
    db,
    packages.map(({ id }) => id),
  )
  return packages.map(read => ({
    read,
    plan: planOf({ ...read, discounts: discounts.get(read.id) ?? [] }, rules.get(read.gameId) ?? [], now),
  }))
}

/** Writes costs, if these change, and the prices and discounts that rules make of them. @throws PRICE_BELOW_DISCOUNT */
export async function writePlanned(
  change: CatalogueChange,
  { planned, costs }: { planned: readonly Planned[]; costs: ReadonlyMap<number, Satang> },
  action: Extract<PackageAction, 'cost.follow' | 'priceRule.apply'>,
): Promise<void> {
  const edits = planned.map(({ read, plan }) => {
    const edit = withPrices(read, plan.prices)
    return { ...edit, fields: { ...edit.fields, costSatang: costs.get(read.id) ?? read.costSatang } }
  })
  await writePackages(change, edits, action)
  const cells = planned.flatMap(({ read, plan }) => plan.discounts.map(cell => ({ ...cell, packageId: read.id })))
  await saveTierCells(change, cells, action)
  await mustCoverDiscounts(change.tx, edits, change.person.now)
  agreeLosses(
    change,
    cells.map(({ packageId }) => packageId),
  )
}

/** Returns the rules of these games. */
export async function findRulesOf(db: Sql, gameIds: Iterable<number>): Promise<Map<number, PriceRule[]>> {
  const rows = await findRules(db, [...new Set(gameIds)])
  return new Map(
    [...Map.groupBy(rows, ({ gameId }) => gameId)].map(([id, of]) => [id, of.map(({ gameId: _, ...rule }) => rule)]),
  )
}
