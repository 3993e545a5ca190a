import { BANKS } from '@shop/shared/catalogue/banks.ts'
import { paymentMethodsFor, VERIFIABLE_GAME_CODE } from '@shop/shared/catalogue/catalogue.ts'
import * as contract from '@shop/shared/catalogue/endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { isAdminSide } from '@shop/shared/permissions.ts'
import { OPTION, OPTION_NAMES } from '@shop/shared/settings/option.ts'
import { type Context, limitKey, type Route, route } from '../http/route.ts'
import { findOptions } from '../settings/store.ts'
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
  const [games, packages] = await Promise.all([store.findGames(context.shop.db), packagesFor(context)])
  const sold = new Set(packages.map(each => each.gameId))
  return games.filter(game => sold.has(game.id))
}

async function listGamePackages(context: Context, gameCode: string, tierId?: number) {
  const packages = await packagesFor(context, gameCode, tierId)
  if (packages.length === 0 && !(await store.gameExists(context.shop.db, gameCode)))
    throw new AppError('GAME_NOT_FOUND')
  return packages
}

async function findPlayer(context: Context, id: string) {
  const { limits } = context.shop
  await limits.take('lookupsPerCaller', limitKey(context))
  await limits.take('lookupsPerAddress', context.address)
  return context.shop.playerLookup.findPlayer(VERIFIABLE_GAME_CODE, id)
}

async function getPublicConfig(context: Context) {
  const options = await findOptions(context.shop.db)
  const shown = OPTION_NAMES.filter(name => OPTION[name].isPublic)
  return {
    options: shown.map(name => ({ optionName: name, optionValue: String(options[name]) })),
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
  route(contract.listTierPackages, ({ params }, context) => {
    const ownTier = context.account?.tierId === params.tierId
    if (!ownTier && !isAdminSide(context.caller)) throw new AppError('TIER_NOT_FOUND')
    return listGamePackages(context, params.gameCode, params.tierId)
  }),
  route(contract.listPaymentMethods, (_, { shop, caller }) =>
    store.findPaymentMethods(shop.db, paymentMethodsFor(caller)),
  ),
  route(contract.listBanks, async () => [...BANKS]),
  route(contract.listReceivingAccounts, (_, { shop }) => store.findReceivingAccounts(shop.db)),
  route(contract.listBanners, (_, { shop }) => store.findBanners(shop.db)),
  route(contract.findPlayer, ({ params }, context) => findPlayer(context, params.id)),
  route(contract.getPublicConfig, (_, context) => getPublicConfig(context)),
]
