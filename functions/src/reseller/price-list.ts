import { PLAYER_FIELD } from '@shop/shared/catalogue/catalogue.ts'
import { sellingPriceOf } from '@shop/shared/catalogue/pricing.ts'
import { toldVersion } from '@shop/shared/catalogue-version.ts'
import type { EndpointShape, ParsedInput, ReplyInput } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import * as v1 from '@shop/shared/reseller/v1-endpoints.ts'
import { bangkokDay } from '@shop/shared/time.ts'
import type { Context as HonoContext } from 'hono'
import { authorise, identify, prove } from '../account/caller.ts'
import { parseInput, type Route } from '../call/route.ts'
import { keepAnswers } from '../catalogue/kept-answers.ts'
import { allPackagesOnSale, gamesOnSale, type Viewer } from '../catalogue/on-sale.ts'
import type { Catalogue } from '../catalogue/snapshot.ts'
import type { Shop } from '../shop/shop.ts'
import { machineOf } from './desk.ts'
import { countStock } from './order-store.ts'
import { playGames, playPackages } from './play.ts'

/** How old a count of the shop's own stock may be that the list tells; an order counts anew. */
const STOCK_MS = 2000

interface Kept {
  body: Uint8Array<ArrayBuffer>
  /** By `performance.now()`; infinite for what the catalogue alone decides. */
  until: number
}

/** Answers made from a catalogue on one day, by tier and path: every agent of a tier reads the same. */
const answersOf = keepAnswers<Kept>()

interface Made<E extends EndpointShape> {
  reply: ReplyInput<E>
  /** For how many ms it holds, if something beside the catalogue decides it. */
  holdsMs: number
}

interface Builds<E extends EndpointShape> {
  live: (shop: Shop, catalogue: Catalogue, input: ParsedInput<E>, viewer: Viewer) => Promise<Made<E>>
  play: (input: ParsedInput<E>) => ReplyInput<E>
}

/** Binds a read of what is sold. Machines ask for it again and again, so its answer is kept as it is sent. */
function listRoute<E extends EndpointShape>(endpoint: E, { live, play }: Builds<E>): Route {
  const bytesOf = (reply: ReplyInput<E>) => new TextEncoder().encode(JSON.stringify(endpoint.reply.parse(reply)))
  async function bodyOf(c: HonoContext, shop: Shop): Promise<Uint8Array<ArrayBuffer>> {
    const identity = await identify(await prove(c.req, shop, true), shop)
    authorise(identity, endpoint.allow)
    const input = parseInput(c, endpoint) as ParsedInput<E>
    if (machineOf(identity).key.mode === 'test') return bytesOf(play(input))
    const [catalogue, now] = [await shop.catalogue.latest(), shop.now()]
    const tierId = identity.account?.tierId ?? null
    const answers = answersOf(catalogue, toldVersion(catalogue.version, now))
    const name = `${tierId} ${endpoint.path} ${JSON.stringify(input.query ?? null)}`
    const before = answers.get(name)
    if (before && before.until > performance.now()) return before.body
    const { reply, holdsMs } = await live(shop, catalogue, input, { caller: identity.caller, tierId, now })
    const body = bytesOf(reply)
    answers.set(name, { body, until: performance.now() + holdsMs })
    return body
  }
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
  return { endpoint, answer: async (c, shop) => c.body(await bodyOf(c, shop), 200, headers) }
}

/** What a machine can buy: it pays from a wallet. */
const walletPackages = (catalogue: Catalogue, viewer: Viewer) =>
  allPackagesOnSale(catalogue, viewer).filter(({ payment }) => payment === 'wallet')

function gamesOf(
  { config }: Pick<Shop, 'config'>,
  catalogue: Catalogue,
  viewer: Viewer,
): ReplyInput<typeof v1.listApiGames> {
  const sold = new Set(walletPackages(catalogue, viewer).map(({ gameId }) => gameId))
  return {
    games: gamesOnSale(catalogue, viewer)
      .filter(({ id }) => sold.has(id))
      .map(({ code, name, picture, fields, isPlayerChecked, usualMinutes }) => ({
        code,
        name,
        picture: picture ? new URL(picture, config.STOREFRONT_URL).href : null,
        fields: fields.map(({ name: field, label, format }) => ({ name: PLAYER_FIELD[field], label, format })),
        checksPlayer: isPlayerChecked,
        usualMinutes,
      })),
  }
}

/** @throws GAME_NOT_FOUND */
async function packagesOf(
  { db }: Pick<Shop, 'db'>,
  catalogue: Catalogue,
  code: string | undefined,
  viewer: Viewer,
): Promise<Made<typeof v1.listApiPackages>> {
  const game = code === undefined ? null : catalogue.gamesByCode.get(code)
  if (game === undefined || game?.isActive === false) throw new AppError('GAME_NOT_FOUND')
  const sold = walletPackages(catalogue, viewer).filter(({ gameId }) => !game || gameId === game.id)
  const fromStock = sold.map(({ id }) => id).filter(id => catalogue.packages.get(id)?.isFromStock)
  const stock = await countStock(db, fromStock, bangkokDay(viewer.now))
  const packages = sold.map(each => ({
    id: each.id,
    game: each.gameCode,
    name: each.name,
    description: each.desc,
    delivers: each.delivers,
    price: sellingPriceOf(each),
    isAvailable: !each.isOut,
    stock: fromStock.includes(each.id) ? (stock.get(each.id) ?? 0) : null,
    warning: each.warning,
  }))
  return { reply: { packages }, holdsMs: fromStock.length > 0 ? STOCK_MS : Number.POSITIVE_INFINITY }
}

export const gamesRoute = listRoute(v1.listApiGames, {
  live: async (shop, catalogue, _, viewer) => ({
    reply: gamesOf(shop, catalogue, viewer),
    holdsMs: Number.POSITIVE_INFINITY,
  }),
  play: playGames,
})

export const packagesRoute = listRoute(v1.listApiPackages, {
  live: (shop, catalogue, { query }, viewer) => packagesOf(shop, catalogue, query.game, viewer),
  play: ({ query }) => playPackages(query.game),
})
