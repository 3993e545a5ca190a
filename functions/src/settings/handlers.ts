import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import * as contract from '@shop/shared/settings/endpoints.ts'
import { isGuard, loosens, OPTION, type OptionName } from '@shop/shared/settings/option.ts'
import { findLastWriter } from '../audit/store.ts'
import { type Context, personOf, type Route, route } from '../call/route.ts'
import { inJson } from '../http/in-json.ts'
import { moveValue } from '../value/moving.ts'
import { type CatalogueChange, changeCatalogue } from './catalogue-change.ts'
import * as store from './store.ts'

const listOptions = async ({ shop }: Context) => (await store.findSetOptions(shop.db)).map(inJson)

async function findSetOption({ tx }: CatalogueChange, optionName: OptionName): Promise<contract.SetOption> {
  const found = (await store.findSetOptions(tx)).find(set => set.optionName === optionName)
  invariant(found, 'every option has a value')
  return inJson(found)
}

/** @throws FORBIDDEN, SECOND_WORD_NEEDED when the option protects the shop's money */
async function mustMayLoosen(
  { tx, person }: CatalogueChange,
  { optionName, from, to }: { optionName: OptionName; from: string; to: string },
): Promise<void> {
  if (!isGuard(optionName) || from === to) return
  const kind = loosens(optionName, from, to) ? 'guardLoosened' : 'guardSet'
  const note = `${OPTION[optionName].label}: ${from} → ${to}`
  await moveValue(tx, person, { kind, amountSatang: 0, subject: `option:${optionName}`, note })
}

/**
 * Writes an option and its audit entry. @throws OPTION_INVALID naming the allowed values, and the errors of moveValue
 */
export async function writeOption(
  change: CatalogueChange,
  { optionName, optionValue }: { optionName: OptionName; optionValue: string },
  action: 'option.save' | 'change.undo',
): Promise<contract.SetOption> {
  const { read, takes } = OPTION[optionName]
  if (read(optionValue) === null) throw new AppError('OPTION_INVALID', { fields: { optionValue: takes } })
  const before = await findSetOption(change, optionName)
  await mustMayLoosen(change, { optionName, from: before.optionValue, to: optionValue })
  await store.saveOptionRow(change, { optionName, optionValue })
  const kept = { before: { value: before.optionValue }, after: { value: optionValue } }
  await change.audit({ action, subject: `option:${optionName}`, ...kept })
  return findSetOption(change, optionName)
}

async function saveOption(context: Context, { fromValue, ...set }: ParsedInput<typeof contract.saveOption>['body']) {
  return changeCatalogue(context.shop, personOf(context), async change => {
    const current = await findSetOption(change, set.optionName)
    if (current.optionValue !== fromValue) throw new AppError('CONFLICT', { details: { current } })
    return writeOption(change, set, 'option.save')
  })
}

type StoredTerms = Awaited<ReturnType<typeof store.findLatestTerms>>

/** Publishes the next version of the terms. */
export async function writeTerms(
  change: CatalogueChange,
  body: string,
  read: StoredTerms,
  action: 'terms.publish' | 'change.undo',
): Promise<StoredTerms> {
  const version = String(Number(read.version) + 1)
  await store.insertTerms(change, { version, body })
  const before = { version: read.version, body: read.body }
  await change.audit({ action, subject: 'terms:inForce', before, after: { version, body } })
  return store.findLatestTerms(change.tx)
}

async function publishTerms(
  context: Context,
  { body, fromVersion }: ParsedInput<typeof contract.publishTerms>['body'],
) {
  return changeCatalogue(context.shop, personOf(context), async change => {
    const read = await store.findLatestTerms(change.tx)
    if (read.version !== fromVersion) {
      const by = await findLastWriter(change.tx, 'terms:inForce')
      throw new AppError('CONFLICT', { details: { current: inJson(read), by } })
    }
    return inJson(await writeTerms(change, body, read, 'terms.publish'))
  })
}

export const settingsRoutes: Route[] = [
  route(contract.listOptions, (_, context) => listOptions(context)),
  route(contract.saveOption, ({ body }, context) => saveOption(context, body)),
  route(contract.listTerms, async (_, { shop }) => (await store.findTerms(shop.db)).map(inJson)),
  route(contract.publishTerms, ({ body }, context) => publishTerms(context, body)),
]
