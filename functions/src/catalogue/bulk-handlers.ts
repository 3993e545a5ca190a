import { createHash } from 'node:crypto'
import * as contract from '@shop/shared/catalogue/bulk-endpoints.ts'
import { PAYMENT_METHOD, type PriceCode } from '@shop/shared/catalogue/payment-method.ts'
import { changedPrice, priceFaultNow, settled } from '@shop/shared/catalogue/price-editing.ts'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import { formatBahtShort } from '@shop/shared/money.ts'
import { bangkokDay, formatDay } from '@shop/shared/time.ts'
import { type Context, personOf, type Route, route } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import { changeCatalogue } from '../settings/catalogue-change.ts'
import {
  belowDiscount,
  mustCoverDiscounts,
  type PackageEdit,
  tiersAbove,
  withPrices,
  writePackages,
} from './package-changes.ts'
import { findPackagesLike, findStoredPackages, type StoredPackage, type StoredPrice } from './package-store.ts'

/** Returns the packages with these ids, each once. @throws PACKAGE_NOT_FOUND */
async function mustFindAll(db: Sql, ids: number[]): Promise<StoredPackage[]> {
  const wanted = [...new Set(ids)]
  const found = await findStoredPackages(db, { ids: wanted })
  if (found.length < wanted.length) throw new AppError('PACKAGE_NOT_FOUND')
  return found
}

async function copyPrices(context: Context, body: ParsedInput<typeof contract.copyPrices>['body']) {
  return changeCatalogue(context.shop, personOf(context), async change => {
    const [source] = await mustFindAll(change.tx, [body.fromPackageId])
    invariant(source, 'it was found')
    const targets = (await mustFindAll(change.tx, body.toPackageIds)).filter(({ id }) => id !== source.id)
    const edits = targets.map(target => withPrices(target, source.prices))
    await mustCoverDiscounts(change.tx, edits, change.person.now)
    await writePackages(change, edits, 'price.copy')
    return { changed: edits.length }
  })
}

type Bulk = ParsedInput<typeof contract.changePackages>['body']
type PriceBulk = Extract<Bulk['action'], { kind: 'price' }>

/** Returns the packages that a bulk change selects. @throws PACKAGE_NOT_FOUND */
async function findMeant(db: Sql, packages: Bulk['packages']): Promise<StoredPackage[]> {
  return 'ids' in packages ? mustFindAll(db, packages.ids) : findPackagesLike(db, packages)
}

/** One package of a bulk change, before and after. */
interface Planned {
  edit: PackageEdit & { read: StoredPackage }
  before: string
  after: string
  problem: AppError | null
  /** Whether the problem is a planned price that the change would replace. */
  hasPlanned?: boolean
}

const editsOf = (planned: readonly Planned[]) => planned.map(({ edit }) => edit)

const keep = (read: StoredPackage): Planned['edit'] => ({ ...withPrices(read, []), read })

const wrongPrice = (payment: PriceCode, text: string) => new AppError('PRICE_INVALID', { fields: { [payment]: text } })

/** "39 บาท ตั้งแต่ 15/01/2027"; '' without a planned price. */
const plannedText = ({ nextPriceSatang, nextDay }: Pick<StoredPrice, 'nextPriceSatang' | 'nextDay'>) =>
  nextPriceSatang === null || nextDay === null
    ? ''
    : `${formatBahtShort(nextPriceSatang)} บาท ตั้งแต่ ${formatDay(nextDay)}`

const afterwards = (planned: string) => planned && ` แล้ว ${planned}`

/** A planned price that is there is never dropped unasked: there is room for one only. */
function planPrice(read: StoredPackage, action: PriceBulk, now: Date): Planned {
  const { payment, change, fromDay, replacesPlanned } = action
  const found = read.prices.find(price => price.payment === payment)
  if (!found) {
    const problem = wrongPrice(payment, `ไม่มีราคาสำหรับ ${PAYMENT_METHOD[payment].name}`)
    return { edit: keep(read), before: '', after: '', problem }
  }
  const price = settled(found, now)
  const priceSatang = changedPrice(price.priceSatang, change)
  const isLater = fromDay !== undefined && fromDay > bangkokDay(now)
  const next = isLater ? { ...price, nextPriceSatang: priceSatang, nextDay: fromDay } : { ...price, priceSatang }
  const wrong = priceFaultNow(next, found, now)?.text
  const was = plannedText(price)
  const hasPlanned = !wrong && isLater && was !== '' && was !== plannedText(next) && !replacesPlanned
  const problem = hasPlanned ? `มีราคาล่วงหน้า ${was} อยู่แล้ว จะถูกแทนที่` : wrong
  return {
    edit: problem ? keep(read) : { ...keep(read), prices: [next] },
    before: `${formatBahtShort(price.priceSatang)} บาท${afterwards(was)}`,
    after: isLater ? plannedText(next) : `${formatBahtShort(priceSatang)} บาท${afterwards(was)}`,
    problem: problem ? wrongPrice(payment, problem) : null,
    hasPlanned,
  }
}

const STATUS_WORD = { true: 'ใช้งาน', false: 'ไม่ใช้งาน' }

function planStatus(read: StoredPackage, isActive: boolean): Planned {
  const edit = { read, fields: { ...read, isActive }, prices: [] }
  return { edit, before: STATUS_WORD[`${read.isActive}`], after: STATUS_WORD[`${isActive}`], problem: null }
}

async function planBulk(tx: Sql, { packages, action, isWithoutProblems }: Bulk, now: Date): Promise<Planned[]> {
  const read = await findMeant(tx, packages)
  if (action.kind !== 'price') return read.map(each => planStatus(each, action.kind === 'activate'))
  const planned = read.map(each => planPrice(each, action, now))
  const tiers = await tiersAbove(tx, editsOf(planned), now)
  const judged = planned.map(plan => {
    const above = tiers.get(plan.edit.read.id)
    return above ? { ...plan, problem: belowDiscount(above) } : plan
  })
  return isWithoutProblems ? judged.filter(({ problem }) => !problem) : judged
}

/** The most rows that a preview shows; rows with problems come first. */
const MOST_SHOWN = 1000

/** Returns a plan for display, with the fingerprint that identifies it when it is confirmed. */
function answerOf(planned: readonly Planned[]) {
  const mark = createHash('sha256')
  for (const { edit, before, after } of planned)
    mark.update(JSON.stringify([edit.read.id, edit.read.version, before, after]))
  const rows = planned.map(({ edit, before, after, problem }) => ({
    id: edit.read.id,
    name: edit.fields.name,
    before,
    after,
    problem: problem && (Object.values(problem.fields ?? {})[0] ?? problem.message),
  }))
  return {
    total: rows.length,
    changed: rows.filter(({ before, after, problem }) => !problem && before !== after).length,
    problems: rows.filter(({ problem }) => problem).length,
    planned: planned.filter(({ hasPlanned }) => hasPlanned).length,
    rows: rows.toSorted((a, b) => Number(b.problem !== null) - Number(a.problem !== null)).slice(0, MOST_SHOWN),
    mark: mark.digest('base64url'),
  }
}

async function changePackages(context: Context, body: Bulk) {
  const { shop, now } = context
  if (body.mark === undefined) return answerOf(await planBulk(shop.db, body, now))
  return changeCatalogue(shop, personOf(context), async change => {
    const planned = await planBulk(change.tx, body, now)
    const answer = answerOf(planned)
    if (answer.mark !== body.mark) throw new AppError('CONFLICT')
    const problem = planned.find(each => each.problem)?.problem
    if (problem) throw problem
    await writePackages(change, editsOf(planned), 'package.bulk')
    return answer
  })
}

export const bulkRoutes: Route[] = [
  route(contract.changePackages, ({ body }, context) => changePackages(context, body)),
  route(contract.copyPrices, ({ body }, context) => copyPrices(context, body)),
]
