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
import type { Sql } from '../database/database.ts'
import { IS_SAFE_MODE } from '../outbox/safe-mode.ts'
import type { StoredAccount } from './tables.ts'

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

/**
 * Every table that the snapshot reads, and the columns it uses. A table that is added here also needs the trigger
 * `raise_catalogue_version`, or its changes would not be seen. That of accounts heeds roles alone.
 */
export const PARTS = {
  option: 'name, value FROM option',
  terms: 'version, body, published_at AS "publishedAt" FROM terms ORDER BY published_at, version::int',
  game: `id, code, old_codes AS "oldCodes", name, description, picture, regions, languages, platforms, search_words AS "searchWords",
    fields_on AS "fieldsOn", field_labels AS "fieldLabels", field_formats AS "fieldFormats", player_hint AS "playerHint",
    player_hint_picture AS "playerHintPicture", player_checks AS "playerChecks", usual_minutes_from AS "minutesFrom",
    usual_minutes_to AS "minutesTo", is_active AS "isActive" FROM game ORDER BY position`,
  delivery_time: 'game_id AS "gameId", minutes_from AS "from", minutes_to AS "to" FROM delivery_time',
  game_tag: 'kind, code, name FROM game_tag ORDER BY position',
  package: `id, game_id AS "gameId", name, description, cost_satang AS "costSatang",
    agreed_loss_satang AS "agreedLossSatang", is_active AS "isActive", delivers, sources,
    is_automatic AND delivers = 'code' AND sources->0->>'supplier' = 'stock' AS "isFromStock",
    jsonb_array_length(sources) = 1 AS "isOnlyStock", is_out AS "isOut", warning, redeem_help AS "redeemHelp"
    FROM package ORDER BY position`,
  package_price: `package_id AS "packageId", payment, price_satang AS "priceSatang", start_day AS "startDay",
    end_day AS "endDay", is_active AS "isActive", next_price_satang AS "nextPriceSatang", next_day AS "nextDay"
    FROM package_price ORDER BY payment`,
  discount: 'tier_id AS "tierId", package_id AS "packageId", discount_satang AS satang FROM discount WHERE is_active',
  agent_tier: 'id FROM agent_tier',
  payment_method: `code, name, image, is_on AS "isOn", least_satang AS "leastSatang", most_satang AS "mostSatang",
    surcharge_basis_points AS "surchargeBasisPoints", surcharge_satang AS "surchargeSatang",
    opening_hours AS "openingHours" FROM payment_method ORDER BY position`,
  receiving_account: `id, bank_code AS code, logo, account_name AS "accountName", account_no AS "accountNo", branch,
    prompt_pay_id AS "promptPayId", is_active AS "isActive" FROM receiving_account ORDER BY position`,
  banner: `b.id, b.picture, b.description, g.code AS "gameCode"
    FROM banner b LEFT JOIN game g ON g.id = b.game_id AND g.is_active WHERE b.is_active ORDER BY b.position`,
  // Named one by one, they are found by their index among any number of customers.
  account: `uid, role FROM account WHERE role IN (${ROLES.filter(role => role !== 'customer')
    .map(role => `'${role}'`)
    .join(', ')})`,
} as const

interface Rows {
  option: { name: string; value: string }[]
  terms: { version: string; body: string; publishedAt: string }[]
  game: (Omit<CatalogueGame, 'usualMinutes'> & { minutesFrom: number; minutesTo: number })[]
  delivery_time: { gameId: number; from: number; to: number }[]
  game_tag: Catalogue['gameTags']
  package: Omit<CataloguePackage, 'prices'>[]
  package_price: (PriceRow & { packageId: number; payment: PriceCode })[]
  discount: { tierId: number; packageId: number; satang: Satang }[]
  agent_tier: { id: number }[]
  payment_method: Catalogue['paymentMethods']
  receiving_account: (StoredAccount & { isActive: boolean })[]
  banner: Catalogue['banners']
  account: { uid: string; role: Role }[]
}

const SNAPSHOT_SQL = `SELECT (SELECT version FROM catalogue_version) AS version, ${Object.entries(PARTS)
  .map(([table, rows]) => `(SELECT coalesce(json_agg(t), '[]') FROM (SELECT ${rows}) t) AS "${table}"`)
  .join(', ')}`

export async function loadCatalogue(db: Sql): Promise<Catalogue> {
  const [read] = await db.query<Rows & { version: number }>({ name: 'catalogue_snapshot', text: SNAPSHOT_SQL })
  return catalogueOf(read!)
}

export async function findCatalogueVersion(db: Sql): Promise<number> {
  return (await findCatalogueState(db)).version
}

/** What is asked again and again: which version the database holds, and whether the shop is in safe mode. */
export async function findCatalogueState(db: Sql): Promise<{ version: number; isHolding: boolean }> {
  const [row] = await db.query<{ version: number; isHolding: boolean }>({
    name: 'catalogue_version',
    text: `SELECT version, ${IS_SAFE_MODE} AS "isHolding" FROM catalogue_version`,
  })
  return row!
}

function catalogueOf({ version, ...rows }: Rows & { version: number }): Catalogue {
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

function gamesOf({ game, delivery_time }: Rows): CatalogueGame[] {
  const measured = new Map(delivery_time.map(({ gameId, ...minutes }) => [gameId, minutes]))
  return game.map(({ minutesFrom: from, minutesTo: to, ...row }) => ({
    ...row,
    usualMinutes: measured.get(row.id) ?? { from, to },
  }))
}

function packagesOf({ package: rows, package_price }: Rows): CataloguePackage[] {
  const prices = Map.groupBy(package_price, ({ packageId }) => packageId)
  return rows.map(row => ({
    ...row,
    prices: Object.fromEntries(
      (prices.get(row.id) ?? []).map(({ packageId: _, payment, ...price }) => [payment, price]),
    ),
  }))
}

function discountsOf({ discount }: Rows): Catalogue['discounts'] {
  const tiers = new Map<number, Map<number, Satang>>()
  for (const { tierId, packageId, satang } of discount) {
    const tier = tiers.get(tierId) ?? new Map<number, Satang>()
    tiers.set(tierId, tier.set(packageId, satang))
  }
  return tiers
}
