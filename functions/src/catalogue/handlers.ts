import { BANKS } from '@shop/shared/catalogue/banks.ts'
import { paymentMethodsFor } from '@shop/shared/catalogue/catalogue.ts'
import * as contract from '@shop/shared/catalogue/endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { OPTION, OPTION_NAMES } from '@shop/shared/settings/option.ts'
import { bangkokDayNumber } from '@shop/shared/time.ts'
import { authoriseForeign } from '../http/caller.ts'
import { type Context, limitKey, type Route, route } from '../http/route.ts'
import { findOptions } from '../settings/store.ts'
import { findCatalogueVersion } from './snapshot.ts'
import * as store from './store.ts'

const packagesFor = (context: Context, gameCode?: string, tierId = context.account?.tierId ?? null) =>
  store.findPackagesOnSale(context.shop.db, {
    gameCode,
    payments: paymentMethodsFor(context.caller),
    tierId,
    now: context.now,
  })

/** Only games that have something the caller can buy. */
async function listGames(context: Context) {
  const { db } = context.shop
  const [options, packages] = await Promise.all([findOptions(db), packagesFor(context)])
  const games = await store.findGames(db, { checksPlayers: options.CHECK_MIDASBUY })
  const sold = new Set(packages.map(each => each.gameId))
  return games.filter(game => sold.has(game.id))
}

async function listGamePackages(context: Context, gameCode: string, tierId?: number) {
  const packages = await packagesFor(context, gameCode, tierId)
  if (packages.length === 0 && !(await store.findActiveGame(context.shop.db, gameCode)))
    throw new AppError('GAME_NOT_FOUND')
  return packages
}

/** A tier's prices: its own agents' and managers' business. */
async function listTierPackages(context: Context, { gameCode, tierId }: { gameCode: string; tierId: number }) {
  if (context.caller === 'guest') throw new AppError('UNAUTHENTICATED')
  if (context.account?.tierId !== tierId) authoriseForeign(context, 'agent.manage', 'TIER_NOT_FOUND')
  if (!(await store.tierExists(context.shop.db, tierId))) throw new AppError('TIER_NOT_FOUND')
  return listGamePackages(context, gameCode, tierId)
}

async function checkPlayer(context: Context, gameCode: string, playerId: string) {
  const { shop } = context
  await shop.limits.take('lookupsPerCaller', limitKey(context))
  await shop.limits.take('lookupsPerAddress', context.address)
  const game = await store.findActiveGame(shop.db, gameCode)
  if (!game) throw new AppError('GAME_NOT_FOUND')
  if (!game.playerCheck) throw new AppError('PLAYER_NOT_FOUND')
  return shop.playerLookup.findPlayer(gameCode, playerId)
}

async function getPublicConfig(context: Context) {
  const { db } = context.shop
  const [options, written] = await Promise.all([findOptions(db), findCatalogueVersion(db)])
  const shown = OPTION_NAMES.filter(name => OPTION[name].isPublic)
  return {
    options: shown.map(name => ({ optionName: name, optionValue: String(options[name]) })),
    // Sales and next prices begin and end at midnight, when nobody writes anything.
    catalogueVersion: written + bangkokDayNumber(context.now),
    nowDate: context.now.toISOString(),
  }
}

export const catalogueRoutes: Route[] = [
  route(contract.listGames, (_, context) => listGames(context)),
  route(contract.listRegions, (_, { shop }) => store.findGameTags(shop.db, 'region')),
  route(contract.listLanguages, (_, { shop }) => store.findGameTags(shop.db, 'language')),
  route(contract.listPlatforms, (_, { shop }) => store.findGameTags(shop.db, 'platform')),
  route(contract.listPackages, (_, context) => packagesFor(context)),
  route(contract.listGamePackages, ({ params }, context) => listGamePackages(context, params.gameCode)),
  route(contract.listTierPackages, ({ params }, context) => listTierPackages(context, params)),
  route(contract.listPaymentMethods, (_, { shop, caller }) =>
    store.findPaymentMethods(shop.db, paymentMethodsFor(caller)),
  ),
  route(contract.listBanks, async () => [...BANKS]),
  route(contract.listReceivingAccounts, (_, { shop }) => store.findReceivingAccounts(shop.db)),
  route(contract.listBanners, (_, { shop }) => store.findBanners(shop.db)),
  // The specification's own path, which knows one game.
  route(contract.findPlayer, ({ params }, context) => checkPlayer(context, 'pubg', params.id)),
  route(contract.checkPlayer, ({ params }, context) => checkPlayer(context, params.gameCode, params.playerId)),
  route(contract.getPublicConfig, (_, context) => getPublicConfig(context)),
]
