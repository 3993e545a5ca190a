import { isBelowCost } from '@shop/shared/catalogue/loss.ts'
import type { ManagedPackage } from '@shop/shared/catalogue/manage-endpoints.ts'
import * as contract from '@shop/shared/catalogue/manage-endpoints.ts'
import { type PriceEdit, priceFaultNow, settled } from '@shop/shared/catalogue/price-editing.ts'
import { isOnSale, listPriceAt } from '@shop/shared/catalogue/pricing.ts'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import { type Context, type Person, personOf, type Route, route } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import { type CatalogueChange, changeCatalogue, mustBeCurrent, viewLastChange } from '../settings/catalogue-change.ts'
import { reorder } from './arrangement.ts'
import { mustFindManagedGame } from './game-handlers.ts'
import {
  BY_HAND,
  completePrice,
  fieldsOf,
  mustCoverDiscounts,
  type PackageAction,
  type PackageEdit,
  withPrices,
  writePackages,
} from './package-changes.ts'
import * as store from './package-store.ts'
import { explainPackage } from './price-history.ts'

function viewPackage(stored: store.StoredPackage, now: Date): ManagedPackage {
  const { gameCode: _code, gameName: _name, isGameActive: _active, prices, ...rest } = viewLastChange(stored)
  const { agreedLossSatang: _agreed, discountSatang: _discount, ...shown } = rest
  const onSale = prices.filter(price => isOnSale(price, now))
  const amounts = onSale.map(price => listPriceAt(price, now))
  return {
    ...shown,
    isBelowCost: isBelowCost(stored, now),
    masterPackage: prices.map(price => settled(price, now)),
    minPriceSatang: amounts.length > 0 ? Math.min(...amounts) : null,
    maxPriceSatang: amounts.length > 0 ? Math.max(...amounts) : null,
    payments: onSale.map(({ payment }) => payment),
  }
}

async function mustFind(db: Sql, id: number): Promise<store.StoredPackage> {
  const found = await store.findStoredPackage(db, id)
  if (!found) throw new AppError('PACKAGE_NOT_FOUND')
  return found
}

async function listPackages(context: Context, { params, query }: ParsedInput<typeof contract.listManagedPackages>) {
  const { shop, now } = context
  const game = await mustFindManagedGame(shop.db, params.gameId, now)
  const { rows, total } = await store.findPackagePage(shop.db, { ...query, gameId: game.id })
  return { rows: rows.map(row => viewPackage(row, now)), total, nowDate: now.toISOString(), game }
}

/** Writes one package and returns its new state. */
async function writeOne(change: CatalogueChange, edit: PackageEdit, action: PackageAction): Promise<ManagedPackage> {
  const [id] = await writePackages(change, [edit], action)
  invariant(id, 'one edit gives one id')
  return viewPackage(await mustFind(change.tx, id), change.person.now)
}

/** Reads the package that a save is based on. @throws CONFLICT with `details.current` when somebody changed it since */
async function readAt({ tx, person }: CatalogueChange, id: number, version: number | undefined) {
  const read = await mustFind(tx, id)
  mustBeCurrent(version, viewPackage(read, person.now))
  return read
}

async function savePackage(context: Context, body: ParsedInput<typeof contract.savePackage>['body']) {
  const { id, version, prices, costSatang, ...fields } = body
  return changeCatalogue(context.shop, personOf(context), async change => {
    await mustFindManagedGame(change.tx, fields.gameId, change.person.now)
    const read = id === undefined ? null : await readAt(change, id, version)
    if (read && read.gameId !== fields.gameId) throw new AppError('PACKAGE_NOT_FOUND')
    const before = { ...BY_HAND, ...(read && fieldsOf(read)), ...fields }
    const good = mustBeGoodPrices(prices, read, change.person.now)
    const edit = { read, fields: deliveredAs(before, { costSatang }), prices: good }
    await mustCoverDiscounts(change.tx, [edit], change.person.now)
    return writeOne(change, edit, 'package.save')
  })
}

/** @throws PRICE_INVALID with the message of each payment method */
function mustBeGoodPrices(prices: PriceEdit[], read: store.StoredPackage | null, now: Date): store.StoredPrice[] {
  if (new Set(prices.map(({ payment }) => payment)).size < prices.length) throw new AppError('INVALID_INPUT')
  const problems = prices.flatMap(price => {
    const fault = priceFaultNow(
      price,
      read?.prices.find(was => was.payment === price.payment),
      now,
    )
    return fault ? [[price.payment, fault.text]] : []
  })
  if (problems.length > 0) throw new AppError('PRICE_INVALID', { fields: Object.fromEntries(problems) })
  return prices.map(completePrice)
}

type Delivery = Pick<
  store.PackageFields,
  'costSatang' | 'followsCost' | 'delivers' | 'sources' | 'isAutomatic' | 'warning' | 'redeemHelp' | 'lowStock'
>

/** @throws AUTOMATIC_INCOMPLETE */
function deliveredAs(fields: store.PackageFields, body: Partial<Delivery>) {
  const { costSatang, followsCost, delivers, sources, isAutomatic, warning, redeemHelp, lowStock } = body
  const given = { costSatang, followsCost, delivers, sources, isAutomatic, warning, redeemHelp, lowStock }
  const after = { ...fields, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) }
  if (after.isAutomatic && (after.costSatang === null || after.sources.length === 0))
    throw new AppError('AUTOMATIC_INCOMPLETE')
  return after
}

async function savePrices(context: Context, body: ParsedInput<typeof contract.savePrices>['body']) {
  return changeCatalogue(context.shop, personOf(context), async change => {
    const read = await readAt(change, body.packageId, body.version)
    const edit = withPrices(read, mustBeGoodPrices(body.prices, read, change.person.now))
    edit.fields = deliveredAs(edit.fields, body)
    await mustCoverDiscounts(change.tx, [edit], change.person.now)
    return writeOne(change, edit, 'price.save')
  })
}

type Earlier<State> = readonly { id: number; state: State }[]

/** Reads packages and pairs them with what is to be written. @throws PACKAGE_NOT_FOUND */
async function readEach<State>({ tx }: CatalogueChange, earlier: Earlier<State>) {
  const stored = await store.findStoredPackages(tx, { ids: earlier.map(({ id }) => id) })
  const byId = new Map(stored.map(each => [each.id, each]))
  return earlier.map(({ id, state }) => {
    const read = byId.get(id)
    if (!read) throw new AppError('PACKAGE_NOT_FOUND')
    return { read, state }
  })
}

/** Undoes a change of prices: writes the prices that packages had before. */
export async function restorePrices(change: CatalogueChange, earlier: Earlier<store.StoredPrice[]>): Promise<void> {
  const edits = (await readEach(change, earlier)).map(({ read, state }) => {
    const kept = new Set(state.map(({ payment }) => payment))
    const dropped = read.prices.map(({ payment }) => payment).filter(payment => !kept.has(payment))
    return { ...withPrices(read, state), dropped }
  })
  await mustCoverDiscounts(change.tx, edits, change.person.now)
  await writePackages(change, edits, 'change.undo')
}

/** Undoes a change of the packages themselves. */
export async function restorePackages(change: CatalogueChange, earlier: Earlier<store.PackageFields>): Promise<void> {
  // An old audit entry lacks the fields that were introduced after it.
  const edits = (await readEach(change, earlier)).map(({ read, state }) => ({
    read,
    fields: { ...fieldsOf(read), ...state },
    prices: [],
  }))
  await writePackages(change, edits, 'change.undo')
}

async function explain({ shop, now }: { shop: Context['shop']; now: Person['now'] }, id: number, asked?: string) {
  const at = asked === undefined ? now : new Date(asked)
  return { at: at.toISOString(), rows: await explainPackage(shop.db, await mustFind(shop.db, id), { at, now }) }
}

export const packageRoutes: Route[] = [
  route(contract.listManagedPackages, (input, context) => listPackages(context, input)),
  route(contract.savePackage, ({ body }, context) => savePackage(context, body)),
  route(contract.reorderPackages, ({ body }, context) =>
    changeCatalogue(context.shop, personOf(context), async change => {
      await mustFindManagedGame(change.tx, body.gameId, change.person.now)
      const what = { table: 'package', action: 'package.reorder', notFound: 'PACKAGE_NOT_FOUND' } as const
      await reorder(change, { ...what, ...body })
      return { saved: body.order.length }
    }),
  ),
  route(contract.savePrices, ({ body }, context) => savePrices(context, body)),
  route(contract.explainPrices, ({ params, query }, context) => explain(context, params.packageId, query.at)),
]
