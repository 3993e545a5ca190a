import * as bulk from '@shop/shared/catalogue/bulk-endpoints.ts'
import { isOnSale, listPriceAt, PAYMENT_METHOD } from '@shop/shared/catalogue/catalogue.ts'
import type { ManagedPackage } from '@shop/shared/catalogue/manage-endpoints.ts'
import * as contract from '@shop/shared/catalogue/manage-endpoints.ts'
import { changedPrice, type PriceEdit, priceProblem, settled } from '@shop/shared/catalogue/pricing.ts'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import { formatBahtShort } from '@shop/shared/money.ts'
import { bangkokDay, formatDay } from '@shop/shared/time.ts'
import type { Sql } from '../database/database.ts'
import { type Context, type Person, personOf, type Route, route } from '../http/route.ts'
import { type CatalogueChange, changeCatalogue, mustBeCurrent, viewLastChange } from '../settings/catalogue-change.ts'
import { reorder } from './arrangement.ts'
import { findManagedGame } from './game-store.ts'
import {
  belowDiscount,
  completePrice,
  mustCoverDiscounts,
  type PackageAction,
  type PackageEdit,
  tiersAbove,
  withPrices,
  writePackages,
} from './package-changes.ts'
import * as store from './package-store.ts'
import { explainPackage } from './price-history.ts'

function viewPackage(stored: store.StoredPackage, now: Date): ManagedPackage {
  const { gameCode: _code, gameName: _name, isGameActive: _active, prices, ...shown } = viewLastChange(stored)
  const onSale = prices.filter(price => isOnSale(price, now))
  const amounts = onSale.map(price => listPriceAt(price, now))
  return {
    ...shown,
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

/** The packages with these ids, each once. @throws PACKAGE_NOT_FOUND */
async function mustFindAll(db: Sql, ids: number[]): Promise<store.StoredPackage[]> {
  const wanted = [...new Set(ids)]
  const found = await store.findStoredPackages(db, { ids: wanted })
  if (found.length < wanted.length) throw new AppError('PACKAGE_NOT_FOUND')
  return found
}

async function listPackages(context: Context, { params, query }: ParsedInput<typeof contract.listManagedPackages>) {
  const { shop, now } = context
  const game = await findManagedGame(shop.db, params.gameId)
  if (!game) throw new AppError('GAME_NOT_FOUND')
  const { rows, total } = await store.findPackagePage(shop.db, { ...query, gameId: game.id })
  return { rows: rows.map(row => viewPackage(row, now)), total, nowDate: now.toISOString(), game }
}

/** Writes one package and answers how it is now. */
async function writeOne(change: CatalogueChange, edit: PackageEdit, action: PackageAction): Promise<ManagedPackage> {
  const [id] = await writePackages(change, [edit], action)
  invariant(id, 'one edit gives one id')
  return viewPackage(await mustFind(change.tx, id), change.person.now)
}

/** The package a save was made from. @throws CONFLICT with `details.current` */
async function readAt({ tx, person }: CatalogueChange, id: number, version: number | undefined) {
  const read = await mustFind(tx, id)
  mustBeCurrent(version, viewPackage(read, person.now))
  return read
}

async function savePackage(context: Context, body: ParsedInput<typeof contract.savePackage>['body']) {
  const { id, version, ...fields } = body
  return changeCatalogue(context.shop.db, personOf(context), async change => {
    if (!(await findManagedGame(change.tx, fields.gameId))) throw new AppError('GAME_NOT_FOUND')
    const read = id === undefined ? null : await readAt(change, id, version)
    if (read && read.gameId !== fields.gameId) throw new AppError('PACKAGE_NOT_FOUND')
    return writeOne(change, { read, fields, prices: [] }, 'package.save')
  })
}

/** @throws PRICE_INVALID with the message of each payment method */
function mustBeGoodPrices(prices: PriceEdit[]): store.StoredPrice[] {
  if (new Set(prices.map(({ payment }) => payment)).size < prices.length) throw new AppError('INVALID_INPUT')
  const problems = prices.flatMap(price => {
    const problem = priceProblem(price)
    return problem ? [[price.payment, problem]] : []
  })
  if (problems.length > 0) throw new AppError('PRICE_INVALID', { fields: Object.fromEntries(problems) })
  return prices.map(completePrice)
}

async function savePrices(context: Context, body: ParsedInput<typeof contract.savePrices>['body']) {
  const prices = mustBeGoodPrices(body.prices)
  return changeCatalogue(context.shop.db, personOf(context), async change => {
    const edit = withPrices(await readAt(change, body.packageId, body.version), prices)
    await mustCoverDiscounts(change.tx, [edit], change.person.now)
    return writeOne(change, edit, 'price.save')
  })
}

async function copyPrices(context: Context, body: ParsedInput<typeof bulk.copyPrices>['body']) {
  return changeCatalogue(context.shop.db, personOf(context), async change => {
    const source = await mustFind(change.tx, body.fromPackageId)
    const targets = (await mustFindAll(change.tx, body.toPackageIds)).filter(({ id }) => id !== source.id)
    const edits = targets.map(target => withPrices(target, source.prices))
    await mustCoverDiscounts(change.tx, edits, change.person.now)
    await writePackages(change, edits, 'price.copy')
    return { changed: edits.length }
  })
}

type Bulk = ParsedInput<typeof bulk.changePackages>['body']
type PriceBulk = Extract<Bulk['action'], { kind: 'price' }>

/** What one package of many would become. */
interface Planned {
  edit: PackageEdit
  before: string
  after: string
  problem: AppError | null
}

function planPrice(read: store.StoredPackage, { payment, change, fromDay }: PriceBulk, now: Date): Planned {
  const found = read.prices.find(price => price.payment === payment)
  const method = PAYMENT_METHOD[payment].name
  if (!found) {
    const problem = new AppError('PRICE_INVALID', { fields: { [payment]: `ไม่มีราคาสำหรับ ${method}` } })
    return { edit: withPrices(read, []), before: '', after: '', problem }
  }
  const price = settled(found, now)
  const priceSatang = changedPrice(price.priceSatang, change)
  const isLater = fromDay !== undefined && fromDay > bangkokDay(now)
  const next = isLater ? { ...price, nextPriceSatang: priceSatang, nextDay: fromDay } : { ...price, priceSatang }
  const wrong = priceProblem(next)
  return {
    edit: withPrices(read, wrong ? [] : [next]),
    before: `${formatBahtShort(price.priceSatang)} บาท`,
    after: `${formatBahtShort(priceSatang)} บาท${isLater ? ` ตั้งแต่ ${formatDay(fromDay)}` : ''}`,
    problem: wrong ? new AppError('PRICE_INVALID', { fields: { [payment]: wrong } }) : null,
  }
}

const STATUS_WORD = { true: 'ใช้งาน', false: 'ไม่ใช้งาน' }

function planStatus(read: store.StoredPackage, isActive: boolean): Planned {
  const edit = { read, fields: { ...read, isActive }, prices: [] }
  return { edit, before: STATUS_WORD[`${read.isActive}`], after: STATUS_WORD[`${isActive}`], problem: null }
}

async function planBulk(tx: Sql, { ids, action }: Bulk, now: Date): Promise<Planned[]> {
  const read = await mustFindAll(tx, ids)
  if (action.kind !== 'price') return read.map(each => planStatus(each, action.kind === 'activate'))
  const planned = read.map(each => planPrice(each, action, now))
  const tiers = await tiersAbove(
    tx,
    planned.map(({ edit }) => edit),
    now,
  )
  return planned.map(plan => {
    const above = tiers.get(plan.edit.read!.id)
    return above ? { ...plan, problem: belowDiscount(above) } : plan
  })
}

async function changePackages({ shop, ...context }: Context, body: Bulk) {
  const { now } = context
  const answer = (planned: Planned[]) => ({
    changed: planned.filter(({ before, after, problem }) => !problem && before !== after).length,
    rows: planned.map(({ edit, before, after, problem }) => ({
      ...{ id: edit.read!.id, name: edit.fields.name, before, after },
      problem: problem && (Object.values(problem.fields ?? {})[0] ?? problem.message),
    })),
  })
  if (body.isDryRun) return answer(await planBulk(shop.db, body, now))
  return changeCatalogue(shop.db, personOf(context), async change => {
    const planned = await planBulk(change.tx, body, now)
    const problem = planned.find(each => each.problem)?.problem
    if (problem) throw problem
    await writePackages(
      change,
      planned.map(({ edit }) => edit),
      'package.bulk',
    )
    return answer(planned)
  })
}

/** The prices a package had before, with their audit entry; for taking a save back. */
export async function restorePrices(change: CatalogueChange, id: number, prices: store.StoredPrice[]): Promise<void> {
  const read = await mustFind(change.tx, id)
  const kept = new Set(prices.map(({ payment }) => payment))
  const dropped = read.prices.map(({ payment }) => payment).filter(payment => !kept.has(payment))
  const edit = { ...withPrices(read, prices), dropped }
  await mustCoverDiscounts(change.tx, [edit], change.person.now)
  await writePackages(change, [edit], 'change.undo')
}

/** The same for the package itself. */
export async function restorePackage(change: CatalogueChange, id: number, fields: store.PackageFields): Promise<void> {
  await writePackages(change, [{ read: await mustFind(change.tx, id), fields, prices: [] }], 'change.undo')
}

async function explain({ shop, now }: { shop: Context['shop']; now: Person['now'] }, id: number, asked?: string) {
  const at = asked === undefined ? now : new Date(asked)
  return { at: at.toISOString(), rows: await explainPackage(shop.db, await mustFind(shop.db, id), { at, now }) }
}

export const packageRoutes: Route[] = [
  route(contract.listManagedPackages, (input, context) => listPackages(context, input)),
  route(contract.savePackage, ({ body }, context) => savePackage(context, body)),
  route(contract.reorderPackages, ({ body }, context) =>
    changeCatalogue(context.shop.db, personOf(context), async change => {
      if (!(await findManagedGame(change.tx, body.gameId))) throw new AppError('GAME_NOT_FOUND')
      const what = { table: 'package', action: 'package.reorder', notFound: 'PACKAGE_NOT_FOUND' } as const
      await reorder(change, { ...what, ...body })
      return { saved: body.order.length }
    }),
  ),
  route(contract.savePrices, ({ body }, context) => savePrices(context, body)),
  route(bulk.changePackages, ({ body }, context) => changePackages(context, body)),
  route(bulk.copyPrices, ({ body }, context) => copyPrices(context, body)),
  route(contract.explainPrices, ({ params, query }, context) => explain(context, params.packageId, query.at)),
]
