import { checkDiscounts, type Discount } from '@shop/shared/agent/agent.ts'
import * as contract from '@shop/shared/agent/endpoints.ts'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import { type Person, personOf, type Route, route } from '../call/route.ts'
import { agreeLosses } from '../catalogue/loss.ts'
import { type CatalogueChange, changeCatalogue } from '../settings/catalogue-change.ts'
import type { Shop } from '../shop/shop.ts'
import {
  type DiscountedPackage,
  findDiscountedPackages,
  findDiscounts,
  findLowestWalletPrices,
  saveDiscounts,
} from './discount-store.ts'
import { findTiers } from './store.ts'

type Rows = Pick<Shop, 'db' | 'catalogue'>

async function listDiscounts(
  { shop: { db }, now }: { shop: Rows; now: Date },
  query: ParsedInput<typeof contract.listBenefits>['query'],
) {
  const tiers = (await findTiers(db)).filter(tier => tier.isActive).map(({ id, name }) => ({ id, name }))
  const { rows, total } = await findDiscountedPackages(db, { ...query, now })
  const detailOf = (tierId: number, discounts: DiscountedPackage['discounts']) => {
    const set = discounts.find(each => each.tierId === tierId)
    return { tierId, discountSatang: set?.discountSatang ?? 0, isActived: set?.isActive ?? false }
  }
  return {
    tiers,
    rows: rows.map(({ discounts, ...row }) => ({ ...row, details: tiers.map(({ id }) => detailOf(id, discounts)) })),
    total,
  }
}

/** Returns a package's discounts by tier, as the audit log stores them. */
const byTier = (discounts: Discount[], packageId: number) =>
  Object.fromEntries(
    discounts
      .filter(each => each.packageId === packageId)
      .map(({ tierId, discountSatang, isActive }) => [`tier:${tierId}`, { discountSatang, isActive }]),
  )

type Changes = ParsedInput<typeof contract.saveBenefits>['body']

async function saveTierDiscounts(shop: Rows, by: Person, { rows, allowsFree }: Changes) {
  // When a cell was sent twice, its last value counts.
  const cells = rows.flatMap(({ packageId, details }) =>
    details.map(({ isActived: isActive, ...detail }) => ({ packageId, ...detail, isActive })),
  )
  const last = new Map(cells.map(cell => [`${cell.packageId}/${cell.tierId}`, cell]))
  const discounts = [...last.values()]
  return changeCatalogue(shop, by, change => writeDiscounts(change, discounts, 'discount.save', allowsFree))
}

/** @throws TIER_NOT_FOUND, DISCOUNT_ABOVE_PRICE, DISCOUNT_MAKES_FREE, SECOND_WORD_NEEDED */
async function writeDiscounts(
  change: CatalogueChange,
  discounts: Discount[],
  action: 'discount.save' | 'change.undo',
  allowsFree: boolean,
) {
  const { tx, person } = change
  const packageIds = [...new Set(discounts.map(({ packageId }) => packageId))]
  const tierIds = new Set((await findTiers(tx)).map(tier => tier.id))
  if (discounts.some(({ tierId }) => !tierIds.has(tierId))) throw new AppError('TIER_NOT_FOUND')
  checkDiscounts(discounts, await findLowestWalletPrices(tx, packageIds, person.now), { allowsFree })
  await saveTierCells(change, discounts, action)
  agreeLosses(change, packageIds)
  return { saved: discounts.length }
}

/** Writes discounts that were checked, with their audit entries; the losses they may make are the caller's to judge. */
export async function saveTierCells(
  { tx, audit }: CatalogueChange,
  discounts: Discount[],
  action: 'discount.save' | 'cost.follow' | 'priceRule.apply' | 'change.undo',
): Promise<void> {
  if (discounts.length === 0) return
  const packageIds = [...new Set(discounts.map(({ packageId }) => packageId))]
  const before = await findDiscounts(tx, packageIds)
  await saveDiscounts(tx, discounts)
  const after = await findDiscounts(tx, packageIds)
  await audit(
    packageIds.map(packageId => ({
      action,
      subject: `discount:${packageId}` as const,
      before: byTier(before, packageId),
      after: byTier(after, packageId),
    })),
  )
}

type Cells = ReturnType<typeof byTier>

/** Writes the discounts that packages had before; a discount that did not exist is switched off. */
export async function restoreDiscounts(
  change: CatalogueChange,
  earlier: readonly { packageId: number; before: Cells; after: Cells }[],
): Promise<void> {
  const discounts = earlier.flatMap(({ packageId, before, after }) =>
    Object.keys({ ...after, ...before }).map(key => {
      const cell = before[key] ?? { discountSatang: 0, isActive: false }
      return { packageId, tierId: Number(key.slice('tier:'.length)), ...cell }
    }),
  )
  // A second person may have to agree that a tier gets the package free again.
  await writeDiscounts(change, discounts, 'change.undo', true)
}

export const discountRoutes: Route[] = [
  route(contract.listBenefits, ({ query }, context) => listDiscounts(context, query)),
  route(contract.saveBenefits, ({ body }, context) => saveTierDiscounts(context.shop, personOf(context), body)),
]
