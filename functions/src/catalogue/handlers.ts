import { BANKS } from '@shop/shared/catalogue/banks.ts'
import { PLAYER_FIELD, type PlayerValues, playerFieldsOf } from '@shop/shared/catalogue/catalogue.ts'
import * as contract from '@shop/shared/catalogue/endpoints.ts'
import { isGatewayMethod, type PaymentCode, paymentMethodsFor } from '@shop/shared/catalogue/payment-method.ts'
import { toldVersion } from '@shop/shared/catalogue-version.ts'
import type { ReplyInput } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import type { Caller } from '@shop/shared/permissions.ts'
import { getTerms } from '@shop/shared/settings/endpoints.ts'
import { OPTION, OPTION_NAMES } from '@shop/shared/settings/option.ts'
import { authoriseForeign } from '../account/caller.ts'
import { type Context, limitKey, type Route, route } from '../call/route.ts'
import { catalogueRoute, type Installed, pricedRoute } from './catalogue-route.ts'
import {
  allPackagesOnSale,
  gameOnSale,
  gamesOnSale,
  gatewayMethodsOnSale,
  packagesOnSale,
  type Viewer,
  viewAccount,
} from './on-sale.ts'
import { askPlayer } from './player-check.ts'
import type { Catalogue, CatalogueGame } from './snapshot.ts'

/** @throws GAME_NOT_FOUND */
function mustFindGame(catalogue: Catalogue, code: string): CatalogueGame {
  const game = catalogue.gamesByCode.get(code)
  if (!game?.isActive) throw new AppError('GAME_NOT_FOUND')
  return game
}

const packagesOf = (catalogue: Catalogue, gameCode: string, viewer: Viewer) =>
  packagesOnSale(catalogue, mustFindGame(catalogue, gameCode), viewer)

/** Returns a tier's prices, which only the tier's own agents and managers may see. */
async function listTierPackages(context: Context, { gameCode, tierId }: { gameCode: string; tierId: number }) {
  const { caller, now } = context
  if (caller === 'guest') throw new AppError('UNAUTHENTICATED')
  if (context.account?.tierId !== tierId) authoriseForeign(context, 'agent.manage', 'TIER_NOT_FOUND')
  const catalogue = await context.shop.catalogue.latest()
  if (!catalogue.tierIds.has(tierId)) throw new AppError('TIER_NOT_FOUND')
  return packagesOf(catalogue, gameCode, { caller, tierId, now })
}

async function checkPlayer(context: Context, gameCode: string, typed: PlayerValues) {
  const { shop } = context
  await shop.limits.take('lookupsPerCaller', limitKey(context))
  await shop.limits.take('lookupsPerAddress', context.address)
  const catalogue = await shop.catalogue.latest()
  const game = mustFindGame(catalogue, gameCode)
  if (game.playerChecks.length === 0) throw new AppError('PLAYER_NOT_FOUND')
  const fields = playerFieldsOf(game).map(({ name }) => typed[PLAYER_FIELD[name]] ?? '')
  const verdict = await askPlayer(shop, catalogue, game, fields)
  if (verdict.kind !== 'found') throw new AppError(NOT_FOUND[verdict.kind])
  return { uid: verdict.uid, name: verdict.name }
}

const NOT_FOUND = {
  wrong: 'PLAYER_NOT_FOUND',
  unknown: 'PLAYER_NOT_CHECKED',
  unavailable: 'PLAYER_LOOKUP_TIMED_OUT',
} as const

const PUBLIC_OPTIONS = OPTION_NAMES.filter(name => OPTION[name].isPublic)

async function getPublicConfig({ shop, now }: Context) {
  const { options, version } = await shop.catalogue.latest()
  return {
    options: PUBLIC_OPTIONS.map(name => ({ optionName: name, optionValue: String(options[name]) })),
    catalogueVersion: toldVersion(version, now),
    isHolding: shop.catalogue.isHolding(),
    nowDate: now.toISOString(),
  }
}

const tagsOf = ({ gameTags }: Catalogue, kind: Catalogue['gameTags'][number]['kind']) =>
  gameTags.filter(tag => tag.kind === kind)

const accountsInUse = ({ receivingAccounts }: Catalogue) =>
  [...receivingAccounts.values()].filter(account => account.isActive).map(viewAccount)

/** The methods by which a caller can pay: none of the gateway that it does not collect by, and no transfer to nowhere. */
function methodsOf(
  catalogue: Catalogue,
  caller: Caller,
  { gateway }: Installed,
): ReplyInput<typeof contract.listPaymentMethods> {
  const collected = gatewayMethodsOnSale(catalogue, gateway)
  const hasAccount = accountsInUse(catalogue).length > 0
  return catalogue.paymentMethods.flatMap<
    (typeof collected)[number] | { code: PaymentCode; name: string; image: string }
  >(({ code, name, image }) => {
    if (!paymentMethodsFor(caller).includes(code) || (code === 'bank' && !hasAccount)) return []
    return isGatewayMethod(code) ? collected.filter(method => method.code === code) : [{ code, name, image }]
  })
}

/** @throws GAME_NOT_FOUND also for a game of which the viewer can buy nothing */
function offerOf(catalogue: Catalogue, gameCode: string, viewer: Viewer, installed: Installed) {
  const offered = gameOnSale(catalogue, mustFindGame(catalogue, gameCode), viewer)
  if (!offered) throw new AppError('GAME_NOT_FOUND')
  return {
    ...offered,
    regions: tagsOf(catalogue, 'region').filter(({ code }) => offered.game.regions.includes(code)),
    methods: methodsOf(catalogue, viewer.caller, installed),
    accounts: accountsInUse(catalogue),
  }
}

export const catalogueRoutes: Route[] = [
  pricedRoute(contract.listGames, (catalogue, _, viewer) => gamesOnSale(catalogue, viewer)),
  catalogueRoute(contract.listRegions, catalogue => tagsOf(catalogue, 'region')),
  catalogueRoute(contract.listLanguages, catalogue => tagsOf(catalogue, 'language')),
  catalogueRoute(contract.listPlatforms, catalogue => tagsOf(catalogue, 'platform')),
  pricedRoute(contract.listPackages, (catalogue, _, viewer) => allPackagesOnSale(catalogue, viewer)),
  pricedRoute(contract.listGamePackages, (catalogue, { params }, viewer) =>
    packagesOf(catalogue, params.gameCode, viewer),
  ),
  route(contract.listTierPackages, ({ params }, context) => listTierPackages(context, params)),
  catalogueRoute(contract.listPaymentMethods, (catalogue, _, { caller }, installed) =>
    methodsOf(catalogue, caller, installed),
  ),
  catalogueRoute(contract.listBanks, () => [...BANKS]),
  catalogueRoute(contract.listReceivingAccounts, accountsInUse),
  pricedRoute(contract.getGameOffer, (catalogue, { params }, viewer, installed) =>
    offerOf(catalogue, params.gameCode, viewer, installed),
  ),
  catalogueRoute(contract.listBanners, ({ banners }) => [...banners]),
  catalogueRoute(getTerms, ({ termsInForce: { publishedAt, ...terms } }) => ({
    ...terms,
    publishedAt: publishedAt.toISOString(),
  })),
  // The specification's own path, which serves one game only.
  route(contract.findPlayer, ({ params }, context) => checkPlayer(context, 'pubg', { playerId: params.id })),
  route(contract.checkPlayer, ({ params: { gameCode, playerId }, query }, context) =>
    checkPlayer(context, gameCode, { ...query, playerId }),
  ),
  route(contract.getPublicConfig, (_, context) => getPublicConfig(context)),
]
