import { checkDiscounts, type Discount } from '@shop/shared/agent/agent.ts'
import * as contract from '@shop/shared/agent/endpoints.ts'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import { type Context, personOf, type Route, route } from '../http/route.ts'
import { changeCatalogue } from '../settings/catalogue-change.ts'
import {
  type DiscountedPackage,
  findDiscountedPackages,
  findDiscounts,
  findLowestWalletPrices,
  saveDiscounts,
} from './discount-store.ts'
import { findTiers } from './store.ts'

async function listDiscounts(context: Context, query: ParsedInput<typeof contract.listBenefits>['query']) {
  const { db } = context.shop
  const tiers = (await findTiers(db)).filter(tier => tier.isActive).map(({ id, name }) => ({ id, name }))
  const { rows, total } = await findDiscountedPackages(db, { ...query, now: context.now })
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

/** What the audit log keeps of a package's discounts, by tier. */
const byTier = (discounts: Discount[], packageId: number) =>
  Object.fromEntries(
    discounts
      .filter(each => each.packageId === packageId)
      .map(({ tierId, discountSatang, isActive }) => [`tier:${tierId}`, { discountSatang, isActive }]),
  )

async function saveTierDiscounts(context: Context, { rows }: ParsedInput<typeof contract.saveBenefits>['body']) {
  // A cell that was sent twice takes its last value.
  const cells = rows.flatMap(({ packageId, details }) =>
    details.map(({ isActived: isActive, ...detail }) => ({ packageId, ...detail, isActive })),
  )
  const last = new Map(cells.map(cell => [`${cell.packageId}/${cell.tierId}`, cell]))
  const discounts = [...last.values()]
  const packageIds = [...new Set(discounts.map(({ packageId }) => packageId))]
  return changeCatalogue(context.shop.db, personOf(context), async ({ tx, audit }) => {
    const tierIds = new Set((await findTiers(tx)).map(tier => tier.id))
    if (discounts.some(({ tierId }) => !tierIds.has(tierId))) throw new AppError('TIER_NOT_FOUND')
    checkDiscounts(discounts, await findLowestWalletPrices(tx, packageIds, context.now))
    const before = await findDiscounts(tx, packageIds)
    await saveDiscounts(tx, discounts)
    await audit(
      packageIds.map(packageId => ({
        ...{ action: 'discount.save' as const, subject: `package:${packageId}` },
        ...{ before: byTier(before, packageId), after: byTier(discounts, packageId) },
      })),
    )
    return { saved: discounts.length }
  })
}

export const discountRoutes: Route[] = [
  route(contract.listBenefits, ({ query }, context) => listDiscounts(context, query)),
  route(contract.saveBenefits, ({ body }, context) => saveTierDiscounts(context, body)),
]
