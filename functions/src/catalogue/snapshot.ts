import type { PlayerInputs } from '@shop/shared/catalogue/catalogue.ts'
import type { Delivers, Source } from '@shop/shared/catalogue/delivers.ts'
import type { PaymentCode, PriceCode } from '@shop/shared/catalogue/payment-method.ts'
import type { GameCheck } from '@shop/shared/catalogue/player-check.ts'
import type { PriceRow } from '@shop/shared/catalogue/pricing.ts'
import type { MethodTerms } from '@shop/shared/gateway/gateway.ts'
import type { Satang } from '@shop/shared/money.ts'
import { ROLES, type Role } from '@shop/shared/permissions.ts'
import { type Options, optionsFrom } from '@shop/shared/settings/option.ts'
import type { PublishedTerms } from '@shop/shared/settings/terms.ts'
import { account as accounts } from '../account/tables.ts'
import { listSql } from '../database/columns.ts'
import type { Sql } from '../database/database.ts'
import { as, listOf, outer, pick, type RowOf, row, sql, under } from '../database/sql.ts'
import { IS_SAFE_MODE } from '../outbox/safe-mode.ts'
import { catalogueVersion, option, terms } from '../settings/tables.ts'
import {
  agentTier,
  banner,
  deliveryTime,
  discount,
  game,
  gamePackage,
  gameTag,
  packagePrice,
  paymentMethod,
  receivingAccount,
  type StoredAccount,
} from './tables.ts'

export interface CatalogueGame extends PlayerInputs {
  id: number
  code: string
  /** Codes it had before. */
  oldCodes: string[]
  name: string
  description: string
  picture: string
  regions: string[]
  languages: string[]
  platforms: string[]
  searchWords: string[]
  playerHint: string
  playerHintPicture: string
  /** Who is asked for its players, in this order; nobody accepts any id. */
  playerChecks: GameCheck[]
  /** The minutes that a delivery usually takes: measured, or as set for the game when too few were measured. */
  usualMinutes: { from: number; to: number }
  isActive: boolean
}

export interface CataloguePackage {
  id: number
  gameId: number
  name: string
  description: string
  /** The shop's cost of one piece; null when unknown. */
  costSatang: Satang | null
  /** The loss for one piece that a second person agreed to. */
  agreedLossSatang: Satang
  isActive: boolean
  delivers: Delivers
  /** Where its goods come from, in the order in which they are asked. */
  sources: Source[]
  /** Whether the shop's own stock is asked first, so that an order takes its codes when it is placed. */
  isFromStock: boolean
  /** Whether no supplier is asked for what the stock lacks. */
  isOnlyStock: boolean
  /** Whether none of its sources has it just now. */
  isOut: boolean
  /** What its buyer must agree to before paying; empty for nothing. */
  warning: string
  redeemHelp: string
  prices: { readonly [P in PriceCode]?: PriceRow }
}

/** Everything that the shop sells and shows, at one version. It is read in one statement and never modified. */
export interface Catalogue {
  /** The database raises it with every write to a table of `PARTS`. */
  version: number
  options: Options
  /** Every version of the terms, oldest first. */
  terms: readonly PublishedTerms[]
  termsInForce: PublishedTerms & { body: string }
  /** All games, active or not, by id and in shop order. */
  games: ReadonlyMap<number, CatalogueGame>
  /** The same by their codes, of today and of before. */
  gamesByCode: ReadonlyMap<string, CatalogueGame>
  gameTags: readonly { kind: 'region' | 'language' | 'platform'; code: string; name: string }[]
  /** All packages, active or not, by id. */
  packages: ReadonlyMap<number, CataloguePackage>
  /** The packages of a game, in shop order. */
  packagesByGame: ReadonlyMap<number, readonly CataloguePackage[]>
  /** What each tier pays less than a package's wallet price: tier, package, satang. Holds active discounts only. */
  discounts: ReadonlyMap<number, ReadonlyMap<number, Satang>>
  tierIds: ReadonlySet<number>
  paymentMethods: readonly ({ code: PaymentCode; name: string; image: string } & MethodTerms)[]
  /** All accounts of the shop, in use or not, by id and in shop order. */
  receivingAccounts: ReadonlyMap<number, StoredAccount & { isActive: boolean }>
  /** The banners that are shown. */
  banners: readonly { id: number; picture: string; description: string; gameCode: string | null }[]
  /** Who has another role than a customer's, by uid. */
  roles: ReadonlyMap<string, Role>
}

const [o, t, g] = [under(option), under(terms), under(game)]
const [times, tag, p, price] = [under(deliveryTime), under(gameTag), under(gamePackage), under(packagePrice)]
const [off, tier, method, account] = [under(discount), under(agentTier), under(paymentMethod), under(receivingAccount)]
const [current, shown, led] = [under(catalogueVersion), under(banner, 'b'), outer(game, 'g')]
const person = under(accounts)

/**
 * Every table that the snapshot reads, and the columns it uses. A table that is added here also needs the trigger
 * `raise_catalogue_version`, or its changes would not be seen. That of accounts heeds roles alone.
 */
export const PARTS = {
  option: sql`${row(pick(o, 'name', 'value'))} FROM ${o}`,
  terms: sql`${row(pick(t, 'version', 'body', 'publishedAt'))} FROM ${t} ORDER BY ${t.publishedAt}, ${t.version}::int`,
  game: sql`${row<Omit<CatalogueGame, 'usualMinutes'> & { minutesFrom: number; minutesTo: number }>({
    ...pick(g, 'id', 'code', 'oldCodes', 'name', 'description', 'picture', 'regions', 'languages', 'platforms'),
    ...pick(g, 'searchWords', 'fieldsOn', 'fieldLabels', 'fieldFormats', 'playerHint', 'playerHintPicture'),
    ...pick(g, 'playerChecks', 'isActive'),
    minutesFrom: g.usualMinutesFrom,
    minutesTo: g.usualMinutesTo,
  })} FROM ${g} ORDER BY ${g.position}`,
  delivery_time: sql`${row({ gameId: times.gameId, from: times.minutesFrom, to: times.minutesTo })} FROM ${times}`,
  game_tag: sql`${row(pick(tag, 'kind', 'code', 'name'))} FROM ${tag} ORDER BY ${tag.position}`,
  package: sql`${row<Omit<CataloguePackage, 'prices'>>({
    ...pick(p, 'id', 'gameId', 'name', 'description', 'costSatang', 'agreedLossSatang', 'isActive', 'delivers'),
    ...pick(p, 'sources', 'isOut', 'warning', 'redeemHelp'),
    isFromStock: as.bool(
      `(${p.isAutomatic} AND ${p.delivers} = 'code' AND ${p.sources}->0->>'supplier' = 'stock') IS TRUE`,
    ),
    isOnlyStock: as.bool(`jsonb_array_length(${p.sources}) = 1`),
  })} FROM ${p} ORDER BY ${p.position}`,
  package_price: sql`${row<PriceRow & { packageId: number; payment: PriceCode }>({
    ...pick(price, 'packageId', 'payment', 'priceSatang', 'startDay', 'endDay', 'isActive'),
    ...pick(price, 'nextPriceSatang', 'nextDay'),
  })} FROM ${price} ORDER BY ${price.payment}`,
  discount: sql`${row({ ...pick(off, 'tierId', 'packageId'), satang: off.discountSatang })} FROM ${off} WHERE ${off.isActive}`,
  agent_tier: sql`${row(pick(tier, 'id'))} FROM ${tier}`,
  payment_method: sql`${row<Catalogue['paymentMethods'][number]>({
    ...pick(method, 'code', 'name', 'image', 'isOn', 'leastSatang', 'mostSatang', 'surchargeBasisPoints'),
    ...pick(method, 'surchargeSatang', 'openingHours'),
  })} FROM ${method} ORDER BY ${method.position}`,
  receiving_account: sql`${row<StoredAccount & { isActive: boolean }>({
    ...pick(account, 'id', 'logo', 'accountName', 'accountNo', 'branch', 'promptPayId', 'isActive'),
    code: account.bankCode,
  })} FROM ${account} ORDER BY ${account.position}`,
  banner: sql`${row({ ...pick(shown, 'id', 'picture', 'description'), gameCode: led.code })}
    FROM ${shown} LEFT JOIN ${led} ON ${led.id} = ${shown.gameId} AND ${led.isActive} WHERE ${shown.isActive} ORDER BY ${shown.position}`,
  // Named one by one, they are found by their index among any number of customers.
  account: sql`${row<{ uid: string; role: Role }>(pick(person, 'uid', 'role'))} FROM ${person}
    WHERE ${person.role} IN (${listSql(ROLES.filter(role => role !== 'customer'))})`,
}

const LISTS = Object.fromEntries(Object.entries(PARTS).map(([table, part]) => [table, listOf<unknown>(part)])) as {
  [Table in keyof typeof PARTS]: ReturnType<typeof listOf<RowOf<(typeof PARTS)[Table]>>>
}
const version = as.big(`(SELECT ${current.version} FROM ${current})`)
const SNAPSHOT = sql`SELECT ${row({ ...LISTS, version })}`
type Rows = RowOf<typeof SNAPSHOT>

export async function loadCatalogue(db: Sql): Promise<Catalogue> {
  const [read] = await db.query({ name: 'catalogue_snapshot', text: SNAPSHOT })
  return catalogueOf(read!)
}

export async function findCatalogueVersion(db: Sql): Promise<number> {
  return (await findCatalogueState(db)).version
}

const STATE = sql`SELECT ${row({ version: current.version, isHolding: as.bool(IS_SAFE_MODE) })} FROM ${current}`

/** What is asked again and again: which version the database holds, and whether the shop is in safe mode. */
export async function findCatalogueState(db: Sql): Promise<{ version: number; isHolding: boolean }> {
  const [found] = await db.query({ name: 'catalogue_version', text: STATE })
  return found!
}

function catalogueOf({ version, ...rows }: Rows): Catalogue {
  const terms = rows.terms.map(each => ({ ...each, publishedAt: new Date(each.publishedAt) }))
  const games = gamesOf(rows)
  const packages = packagesOf(rows)
  return {
    version,
    options: optionsFrom(Object.fromEntries(rows.option.map(({ name, value }) => [name, value]))),
    terms,
    termsInForce: terms.at(-1)!,
    games: byId(games),
    gamesByCode: byCode(games),
    gameTags: rows.game_tag,
    packages: byId(packages),
    packagesByGame: Map.groupBy(packages, ({ gameId }) => gameId),
    discounts: discountsOf(rows),
    tierIds: new Set(rows.agent_tier.map(({ id }) => id)),
    paymentMethods: rows.payment_method,
    receivingAccounts: byId(rows.receiving_account),
    banners: rows.banner,
    roles: new Map(rows.account.map(({ uid, role }) => [uid, role])),
  }
}

const byId = <Row extends { id: number }>(rows: readonly Row[]) => new Map(rows.map(row => [row.id, row]))

/** A code of today goes before one that another game had. */
const byCode = (games: readonly CatalogueGame[]) =>
  new Map([
    ...games.flatMap(game => game.oldCodes.map(code => [code, game] as const)),
    ...games.map(game => [game.code, game] as const),
  ])

function gamesOf({ game, delivery_time }: Pick<Rows, 'game' | 'delivery_time'>): CatalogueGame[] {
  const measured = new Map(delivery_time.map(({ gameId, ...minutes }) => [gameId, minutes]))
  return game.map(({ minutesFrom: from, minutesTo: to, ...row }) => ({
    ...row,
    usualMinutes: measured.get(row.id) ?? { from, to },
  }))
}

function packagesOf({ package: rows, package_price }: Pick<Rows, 'package' | 'package_price'>): CataloguePackage[] {
  const prices = Map.groupBy(package_price, ({ packageId }) => packageId)
  return rows.map(row => ({
    ...row,
    prices: Object.fromEntries(
      (prices.get(row.id) ?? []).map(({ packageId: _, payment, ...price }) => [payment, price]),
    ),
  }))
}

function discountsOf({ discount }: Pick<Rows, 'discount'>): Catalogue['discounts'] {
  const tiers = new Map<number, Map<number, Satang>>()
  for (const { tierId, packageId, satang } of discount) {
    const tier = tiers.get(tierId) ?? new Map<number, Satang>()
    tiers.set(tierId, tier.set(packageId, satang))
  }
  return tiers
}
