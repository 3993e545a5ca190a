import type { Delivers, Source } from '@shop/shared/catalogue/delivers.ts'
import type { PriceCode } from '@shop/shared/catalogue/payment-method.ts'
import { type PriceEdit, priceProblem, settled } from '@shop/shared/catalogue/price-editing.ts'
import { lowestListPrice } from '@shop/shared/catalogue/pricing.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import type { Satang } from '@shop/shared/money.ts'
import type { Sql } from '../database/database.ts'
import type { CatalogueChange } from '../settings/catalogue-change.ts'
import { agreeLosses } from './loss.ts'
import * as store from './package-store.ts'

/** The wanted state of one package; `read` is its earlier state, null for a new one. */
export interface PackageEdit {
  read: store.StoredPackage | null
  fields: store.PackageFields
  /** Prices to write; payment methods that are missing keep their price. */
  prices: store.StoredPrice[]
  /** Payment methods whose price is removed. */
  dropped?: PriceCode[]
}

export type PackageAction =
  | 'package.save'
  | 'package.bulk'
  | 'package.import'
  | 'price.save'
  | 'price.copy'
  | 'cost.follow'
  | 'priceRule.apply'
  | 'change.undo'

/** Makes an edit that changes prices and leaves the package's own fields as they are. */
export const withPrices = (read: store.StoredPackage, prices: store.StoredPrice[]): PackageEdit => ({
  read,
  fields: fieldsOf(read),
  prices,
})

/** Returns the fields of a package that the audit log stores. */
export const fieldsOf = (fields: store.PackageFields): store.PackageFields => {
  const { gameId, name, desc, isActive, costSatang, followsCost, delivers, sources } = fields
  const { isAutomatic, warning, redeemHelp, lowStock } = fields
  const cost = { costSatang, followsCost }
  return { gameId, name, desc, isActive, ...cost, delivers, sources, isAutomatic, warning, redeemHelp, lowStock }
}

/** The delivery of a new package: by hand, at an unknown cost. */
export const BY_HAND = {
  costSatang: null,
  followsCost: false,
  delivers: 'top_up' as Delivers,
  sources: [] as Source[],
  isAutomatic: false,
  warning: '',
  redeemHelp: '',
  lowStock: 0,
} satisfies Partial<store.PackageFields>

/** Returns the prices for the audit log, by payment method. */
const byPayment = (prices: readonly store.StoredPrice[]) =>
  Object.fromEntries(
    prices
      .toSorted((a, b) => a.payment.localeCompare(b.payment))
      .map(({ payment, priceSatang, startDay, endDay, isActive, nextPriceSatang, nextDay }) => [
        payment,
        { priceSatang, startDay, endDay, isActive, nextPriceSatang, nextDay },
      ]),
  )

/** Returns the prices of a package after an edit; next prices whose day has come have replaced the earlier ones. */
function pricesAfter({ read, prices, dropped = [] }: PackageEdit, now: Date): store.StoredPrice[] {
  const all = new Map([...(read?.prices ?? []), ...prices].map(price => [price.payment, settled(price, now)]))
  return [...all.values()].filter(({ payment }) => !dropped.includes(payment))
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Tells whether an edit changes the package's own fields, and whether it changes its prices. */
export function changesOf(edit: PackageEdit, now: Date): { fields: boolean; prices: boolean } {
  const { read, fields } = edit
  const was = (read?.prices ?? []).map(price => settled(price, now))
  return {
    fields: !read || !isSame(fieldsOf(read), fieldsOf(fields)),
    prices: !isSame(byPayment(was), byPayment(pricesAfter(edit, now))),
  }
}

/** Completes a price that passed `priceProblem`. */
export function completePrice(edit: PriceEdit): store.StoredPrice {
  const { priceSatang, startDay } = edit
  invariant(priceSatang !== null && startDay !== null && !priceProblem(edit), 'the price was checked')
  return { ...edit, priceSatang, startDay }
}

/** Returns the tiers whose discount would exceed the price, by package id; new packages have none. */
export async function tiersAbove(tx: Sql, edits: readonly PackageEdit[], now: Date): Promise<Map<number, string[]>> {
  const sold = edits.flatMap(({ read, prices }) =>
    prices
      .filter(price => read && price.payment === 'wallet' && price.isActive)
      .map(price => ({ packageId: read!.id, priceSatang: lowestListPrice(price, now) })),
  )
  const tiers = new Map<number, string[]>()
  for (const { packageId, tier } of await store.discountsAbove(tx, sold))
    tiers.set(packageId, [...(tiers.get(packageId) ?? []), tier])
  return tiers
}

export const belowDiscount = (tiers: string[]) =>
  new AppError('PRICE_BELOW_DISCOUNT', { values: { tiers: tiers.join(', ') }, details: { tiers } })

/** @throws PRICE_BELOW_DISCOUNT naming the tiers */
export async function mustCoverDiscounts(tx: Sql, edits: readonly PackageEdit[], now: Date): Promise<void> {
  const tiers = [...(await tiersAbove(tx, edits, now)).values()].flat()
  if (tiers.length > 0) throw belowDiscount([...new Set(tiers)])
}

/** Returns the costs that an edit removes. */
const forgottenCosts = (edits: readonly PackageEdit[]): Map<number, Satang> =>
  new Map(
    edits.flatMap(({ read, fields }) =>
      read && read.costSatang !== null && fields.costSatang === null ? [[read.id, read.costSatang]] : [],
    ),
  )

/**
 * Writes packages and prices with their audit entries; unchanged parts are not written. Returns their ids.
 * The change ends with SECOND_WORD_NEEDED when the loss for a piece would exceed the agreed one.
 */
export async function writePackages(
  change: CatalogueChange,
  edits: readonly PackageEdit[],
  action: PackageAction,
): Promise<number[]> {
  const { tx, person } = change
  const newIds = await store.takePackageIds(tx, edits.filter(({ read }) => !read).length)
  const all = edits.map(edit => ({
    ...edit,
    id: edit.read?.id ?? newIds.shift()!,
    after: pricesAfter(edit, person.now),
    changes: changesOf(edit, person.now),
  }))
  const changed = all.filter(({ changes }) => changes.fields || changes.prices)
  const rows = changed.map(({ id, fields }) => ({ id, ...fieldsOf(fields) }))
  await store.savePackageRows(change, rows)
  const repriced = changed.filter(({ changes }) => changes.prices)
  const prices = repriced.flatMap(({ id, after }) => after.map(price => ({ ...price, packageId: id })))
  await store.savePriceRows(tx, prices)
  const gone = repriced.flatMap(({ id, dropped = [] }) => dropped.map(payment => ({ packageId: id, payment })))
  await store.deletePriceRows(tx, gone)
  const writes = changed
    .filter(({ changes }) => changes.fields)
    .map(({ id, read, fields }) => {
      const before = read && { ...fieldsOf(read) }
      return { action, subject: `package:${id}` as const, before, after: { ...fieldsOf(fields) } }
    })
  const priceWrites = repriced.map(({ id, read, after }) => {
    const before = byPayment(read?.prices ?? [])
    return { action, subject: `price:${id}` as const, before, after: byPayment(after) }
  })
  await change.audit([...writes, ...priceWrites])
  const changedIds = changed.map(({ id }) => id)
  agreeLosses(change, changedIds, forgottenCosts(changed))
  return all.map(({ id }) => id)
}
