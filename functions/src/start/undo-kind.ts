import type { GatewayMethod, PriceCode } from '@shop/shared/catalogue/payment-method.ts'
import type { PriceRow } from '@shop/shared/catalogue/pricing.ts'
import type { MethodTerms } from '@shop/shared/gateway/gateway.ts'
import type { OptionName } from '@shop/shared/settings/option.ts'
import { restoreDiscounts } from '../agent/discounts.ts'
import { writeTier } from '../agent/handlers.ts'
import type { Route } from '../call/route.ts'
import { restoreOrder } from '../catalogue/arrangement.ts'
import { mustFindBanner, writeBanner } from '../catalogue/banner-handlers.ts'
import { writeGame, writeTags } from '../catalogue/game-handlers.ts'
import { findManagedGame, gameFieldsOf } from '../catalogue/game-store.ts'
import { restorePackages, restorePrices } from '../catalogue/package-handlers.ts'
import { mustFindAccount, writeAccount, writeMethods, writeMethodTerms } from '../catalogue/payment-handlers.ts'
import { writeRules } from '../cost/handlers.ts'
import type { CatalogueChange } from '../settings/catalogue-change.ts'
import { writeOption, writeTerms } from '../settings/handlers.ts'
import { findLatestTerms } from '../settings/store.ts'
import { type Restore, type Restores, undoRoutes } from '../settings/undo.ts'

// The audit log holds exactly what these writers saved, so the types of their parameters also describe earlier states.

/** Makes a `Restore` from a function that writes one thing. */
const each =
  <State>(write: (change: CatalogueChange, id: string, state: State) => Promise<unknown>): Restore =>
  async (change, things) => {
    for (const { id, before } of things) await write(change, id, before as State)
  }

type Game = Parameters<typeof writeGame>[1]
type Account = Parameters<typeof writeAccount>[1]
type Banner = Parameters<typeof writeBanner>[1]
type Tags = Parameters<typeof writeTags>[1]
type Methods = Parameters<typeof writeMethods>[1]
type Tier = Parameters<typeof writeTier>[1]
type PackageFields = Parameters<typeof restorePackages>[1][number]['state']
type Discounts = Parameters<typeof restoreDiscounts>[1][number]
type Places = Record<string, number>

/** For each kind of thing, how its earlier state is saved again. */
const UNDO_KIND = {
  game: each<Game>(async (change, id, state) => {
    const read = await findManagedGame(change.tx, Number(id), change.person.now)
    // An old audit entry lacks the fields that were introduced after it.
    return writeGame(change, { ...(read && gameFieldsOf(read)), ...state }, read, 'change.undo')
  }),
  gameOrder: each<Places>((change, _, places) => restoreOrder(change, { table: 'game' }, places)),
  gameTag: each<Pick<Tags, 'tags'>>((change, kind, { tags }) =>
    writeTags(change, { kind: kind as Tags['kind'], tags }, 'change.undo'),
  ),
  package: (change, things) =>
    restorePackages(
      change,
      things.map(({ id, before }) => ({ id: Number(id), state: before as PackageFields })),
    ),
  packageOrder: each<Places>((change, gameId, places) =>
    restoreOrder(change, { table: 'package', gameId: Number(gameId) }, places),
  ),
  price: (change, things) =>
    restorePrices(
      change,
      things.map(({ id, before }) => ({ id: Number(id), state: pricesOf(before as Record<PriceCode, PriceRow>) })),
    ),
  priceRule: each<Parameters<typeof writeRules>[2]>((change, id, state) =>
    writeRules(change, Number(id), state, 'change.undo'),
  ),
  // Names and order are one thing, and the terms of each method another.
  paymentMethod: each<{ methods: Methods } | MethodTerms>((change, id, state) =>
    'methods' in state
      ? writeMethods(change, state.methods, 'change.undo')
      : writeMethodTerms(change, id as GatewayMethod, state, 'change.undo'),
  ),
  receivingAccount: each<Account>(async (change, id, state) =>
    writeAccount(change, state, await mustFindAccount(change, Number(id)), 'change.undo'),
  ),
  banner: each<Banner>(async (change, id, state) =>
    writeBanner(change, state, await mustFindBanner(change, Number(id)), 'change.undo'),
  ),
  bannerOrder: each<Places>((change, _, places) => restoreOrder(change, { table: 'banner' }, places)),
  option: each<{ value: string }>((change, name, { value }) =>
    writeOption(change, { optionName: name as OptionName, optionValue: value }, 'change.undo'),
  ),
  // Customers may have accepted a version, so the earlier text becomes the next version.
  terms: each<{ body: string }>(async (change, _, { body }) =>
    writeTerms(change, body, await findLatestTerms(change.tx), 'change.undo'),
  ),
  tier: each<Tier>((change, id, state) => writeTier(change, { ...state, id: Number(id) }, 'change.undo')),
  discount: (change, things) =>
    restoreDiscounts(
      change,
      things.map(({ id, before, after }) => ({
        packageId: Number(id),
        before: before as Discounts['before'],
        after: (after ?? {}) as Discounts['after'],
      })),
    ),
} satisfies Restores

const pricesOf = (prices: Record<PriceCode, PriceRow>) =>
  Object.entries(prices).map(([payment, price]) => ({ ...price, payment: payment as PriceCode }))

export const undo: Route[] = undoRoutes(UNDO_KIND)
