import { createHash } from 'node:crypto'
import { type PriceRule, tierOf } from '@shop/shared/catalogue/price-rule.ts'
import * as contract from '@shop/shared/cost/endpoints.ts'
import { PLAN_PROBLEM } from '@shop/shared/cost/plan.ts'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import { findTiers } from '../agent/store.ts'
import { type Context, personOf, type Route, route } from '../call/route.ts'
import { mustFindManagedGame } from '../catalogue/game-handlers.ts'
import { withPrices, writePackages } from '../catalogue/package-changes.ts'
import { findStoredPackages } from '../catalogue/package-store.ts'
import type { Sql } from '../database/database.ts'
import { inJson } from '../http/in-json.ts'
import { type CatalogueChange, changeCatalogue } from '../settings/catalogue-change.ts'
import { countFollowing, findDoubted, findStopped, findTooDear } from './follow-store.ts'
import { listRates, saveRate } from './rates.ts'
import { saveRules } from './rule-store.ts'
import { findRulesOf, type Planned, planPackages, writePlanned } from './rules.ts'
import { findChanges, findLists } from './store.ts'

async function viewCosts({ shop, now }: Context) {
  const { db } = shop
  const lists = (await findLists(db)).map(({ triedAt: _, ...list }) => inJson(list))
  const [stopped, tooDear, doubted] = [await findStopped(db, now), await findTooDear(db), await findDoubted(db)]
  return { lists, rates: await listRates(db, now), isBankAsked: shop.bankRates !== null, stopped, tooDear, doubted }
}

async function listChanges({ shop, now }: Context, query: ParsedInput<typeof contract.listProductChanges>['query']) {
  const { rows, total } = await findChanges(shop.reports, query)
  return { rows: rows.map(inJson), total, nowDate: now.toISOString() }
}

const findTierNames = async (db: Sql) =>
  (await findTiers(db)).filter(({ isActive }) => isActive).map(({ id, name }) => ({ id, name }))

async function viewRules({ shop: { db }, now }: Context, gameId: number) {
  const game = await mustFindManagedGame(db, gameId, now)
  const rules = (await findRulesOf(db, [gameId])).get(gameId) ?? []
  return { gameName: game.name, rules, tiers: await findTierNames(db), ...(await countFollowing(db, gameId)) }
}

type Body = ParsedInput<typeof contract.changePriceRules>['body']

/** What rules would make of a game's packages, with the fingerprint that identifies it when it is confirmed. */
async function planGame(db: Sql, { gameId, rules, applies }: Body, now: Date) {
  const game = await mustFindManagedGame(db, gameId, now)
  const tiers = new Set((await findTiers(db)).map(({ id }) => id))
  if (rules.some(({ target }) => tierOf(target) !== null && !tiers.has(tierOf(target)!)))
    throw new AppError('TIER_NOT_FOUND')
  const packages = await findStoredPackages(db, { gameIds: [game.id] })
  const planned = await planPackages(db, packages, new Map([[gameId, rules]]), now)
  return { planned, answer: answerOf(planned, applies) }
}

const changes = ({ plan }: Planned): boolean => plan.prices.length > 0 || plan.discounts.length > 0

function answerOf(planned: readonly Planned[], applies: boolean) {
  const mark = createHash('sha256')
  for (const { read, plan } of planned) mark.update(JSON.stringify([read.id, read.version, plan]))
  const changed = planned.filter(changes)
  return {
    mark: mark.digest('base64url'),
    changed: applies ? changed.length : 0,
    needsSecond: applies ? changed.filter(({ plan }) => plan.needsSecond).length : 0,
    rows: planned.map(({ read, plan }) => ({
      id: read.id,
      name: read.name,
      costSatang: read.costSatang,
      cells: plan.cells,
      problem: plan.problem && PLAN_PROBLEM[plan.problem],
      needsSecond: changes({ read, plan }) && plan.needsSecond,
    })),
  }
}

/** A game's rules as the audit log keeps them. */
interface Kept {
  rules: PriceRule[]
}

/** Writes the rules of a game and their audit entry. */
export async function writeRules(
  change: CatalogueChange,
  gameId: number,
  { rules }: Kept,
  action: 'priceRule.save' | 'change.undo',
): Promise<void> {
  const before = (await findRulesOf(change.tx, [gameId])).get(gameId) ?? []
  await saveRules(change.tx, gameId, rules)
  const after = (await findRulesOf(change.tx, [gameId])).get(gameId) ?? []
  await change.audit({ action, subject: `priceRule:${gameId}`, before: { rules: before }, after: { rules: after } })
}

async function followInGame(change: CatalogueChange, gameId: number, followsCost: boolean): Promise<void> {
  const all = await findStoredPackages(change.tx, { gameIds: [gameId] })
  const supplied = all.filter(({ sources }) => sources.some(({ supplier }) => supplier !== 'stock'))
  const edits = supplied.map(read => {
    const edit = withPrices(read, [])
    return { ...edit, fields: { ...edit.fields, followsCost } }
  })
  await writePackages(change, edits, 'package.save')
}

async function changeRules(context: Context, body: Body) {
  const { shop } = context
  const { gameId, rules, followsCost, applies, mark } = body
  if (mark === undefined) return (await planGame(shop.db, body, context.now)).answer
  return changeCatalogue(shop, personOf(context), async change => {
    const { planned, answer } = await planGame(change.tx, body, change.person.now)
    if (answer.mark !== mark) throw new AppError('CONFLICT')
    await writeRules(change, gameId, { rules }, 'priceRule.save')
    if (applies) await writePlanned(change, { planned: planned.filter(changes), costs: new Map() }, 'priceRule.apply')
    if (followsCost !== undefined) await followInGame(change, gameId, followsCost)
    return answer
  })
}

export const costRoutes: Route[] = [
  route(contract.listProductChanges, ({ query }, context) => listChanges(context, query)),
  route(contract.getCosts, (_, context) => viewCosts(context)),
  route(contract.saveRate, ({ body }, context) => saveRate(context, body)),
  route(contract.getPriceRules, ({ params }, context) => viewRules(context, params.gameId)),
  route(contract.changePriceRules, ({ body }, context) => changeRules(context, body)),
]
