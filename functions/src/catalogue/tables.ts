import type { Delivers, Source } from '@shop/shared/catalogue/delivers.ts'
import type { PaymentCode, PriceCode } from '@shop/shared/catalogue/payment-method.ts'
import type { GameCheck } from '@shop/shared/catalogue/player-check.ts'
import type { PlayerFormat } from '@shop/shared/catalogue/player-format.ts'
import { sql } from 'drizzle-orm'
import { boolean, check, date, index, integer, jsonb, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core'
import { instant, lastChange, satang } from '../database/columns.ts'

export const game = pgTable('game', {
  id: integer().primaryKey().generatedByDefaultAsIdentity(),
  code: text().notNull().unique(),
  name: text().notNull(),
  description: text().notNull().default(''),
  /** The game in the queue system; null without one. */
  qmsGameId: text('qms_game_id'),
  picture: text().notNull().default(''),
  searchWords: text('search_words').array().notNull().default([]),
  regions: text().array().notNull().default([]),
  languages: text().array().notNull().default([]),
  platforms: text().array().notNull().default([]),
  /** Codes it had before; links with them still lead to it. */
  oldCodes: text('old_codes').array().notNull().default([]),
  /** Which of field1..field5 the player is asked for; one without a label is not. */
  fieldsOn: boolean('fields_on').array().notNull().default([true, true, true, true, true]),
  fieldLabels: text('field_labels').array().notNull(),
  /** The input format of field1..field5; null accepts any text. */
  fieldFormats: jsonb('field_formats')
    .$type<(PlayerFormat | null)[]>()
    .notNull()
    .default([null, null, null, null, null]),
  playerHint: text('player_hint').notNull().default(''),
  playerHintPicture: text('player_hint_picture').notNull().default(''),
  /** Who is asked for its players, in this order; nobody accepts any id. */
  playerChecks: jsonb('player_checks').$type<GameCheck[]>().notNull().default([]),
  /** Whether Midasbuy is one of them, for servers of the release before `player_checks`; else null. */
  playerCheck: text('player_check').$type<'midasbuy'>(),
  usualMinutesFrom: integer('usual_minutes_from').notNull().default(5),
  usualMinutesTo: integer('usual_minutes_to').notNull().default(15),
  isActive: boolean('is_active').notNull().default(true),
  position: integer().notNull(),
  ...lastChange(),
})

/** How long a game's latest deliveries took, counted from the payment. Games with too few deliveries have no row. */
export const deliveryTime = pgTable('delivery_time', {
  gameId: integer('game_id')
    .primaryKey()
    .references(() => game.id),
  minutesFrom: integer('minutes_from').notNull(),
  minutesTo: integer('minutes_to').notNull(),
  measuredAt: instant('measured_at').notNull(),
})

/** The names a game's regions, languages and platforms are chosen from. */
export const gameTag = pgTable(
  'game_tag',
  {
    kind: text().$type<'region' | 'language' | 'platform'>().notNull(),
    code: text().notNull(),
    name: text().notNull(),
    position: integer().notNull(),
  },
  t => [unique('game_tag_code').on(t.kind, t.code)],
)

export const gamePackage = pgTable(
  'package',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    gameId: integer('game_id')
      .notNull()
      .references(() => game.id),
    name: text().notNull(),
    description: text().notNull().default(''),
    isActive: boolean('is_active').notNull().default(true),
    position: integer().notNull(),
    /** The shop's cost of one piece; null when unknown. */
    costSatang: satang('cost_satang'),
    /** Whether the cost is that of its first supplier, whenever that one changes it. */
    followsCost: boolean('follows_cost').notNull().default(false),
    /** The loss for one piece that a second person agreed to, lowered when the real loss becomes smaller. */
    agreedLossSatang: satang('agreed_loss_satang').notNull().default(0),
    delivers: text().$type<Delivers>().notNull().default('top_up'),
    /** Where its goods come from, in the order in which they are asked. */
    sources: jsonb().$type<Source[]>().notNull().default([]),
    /** The product of its first supplier, for servers of the release before `sources`. */
    supplierSku: text('supplier_sku'),
    /** What its buyer must know and agree to before paying, since a mistake can't be undone; empty for nothing. */
    warning: text().notNull().default(''),
    /** How its codes are redeemed. */
    redeemHelp: text('redeem_help').notNull().default(''),
    /** Managers are told when fewer codes than this are left in stock. */
    lowStock: integer('low_stock').notNull().default(0),
    /** Whether none of its sources has it just now; written by whatever takes the last piece or brings new ones. */
    isOut: boolean('is_out').notNull().default(false),
    /** Whether its sources deliver its paid orders without anybody acting. */
    isAutomatic: boolean('is_automatic').notNull().default(false),
    /** The version also counts changes of the package's prices. */
    ...lastChange(),
  },
  t => [
    index('package_game').on(t.gameId, t.position),
    check('package_cost', sql`${t.costSatang} >= 0`),
    check(
      'package_automatic',
      sql`NOT ${t.isAutomatic} OR (jsonb_array_length(${t.sources}) > 0 AND ${t.costSatang} IS NOT NULL) OR ${t.supplierSku} IS NOT NULL`,
    ),
  ],
)

export const packagePrice = pgTable(
  'package_price',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    packageId: integer('package_id')
      .notNull()
      .references(() => gamePackage.id),
    payment: text().$type<PriceCode>().notNull(),
    priceSatang: satang('price_satang').notNull(),
    startDay: date('start_day', { mode: 'string' }).notNull(),
    endDay: date('end_day', { mode: 'string' }),
    isActive: boolean('is_active').notNull().default(false),
    /** The price that replaces this one from a Bangkok day on. */
    nextPriceSatang: satang('next_price_satang'),
    nextDay: date('next_day', { mode: 'string' }),
  },
  t => [
    unique('package_price_method').on(t.packageId, t.payment),
    check('package_price_whole_baht', sql`${t.priceSatang} >= 0 AND ${t.priceSatang} % 100 = 0`),
    check('package_price_next_whole_baht', sql`${t.nextPriceSatang} > 0 AND ${t.nextPriceSatang} % 100 = 0`),
    check('package_price_next_complete', sql`(${t.nextPriceSatang} IS NULL) = (${t.nextDay} IS NULL)`),
    check('package_price_enabled', sql`NOT ${t.isActive} OR ${t.priceSatang} > 0`),
  ],
)

/** A class of agents: the limits of their wallets and orders; discounts are set for each class. */
export const agentTier = pgTable('agent_tier', {
  id: integer().primaryKey().generatedByDefaultAsIdentity(),
  name: text().notNull(),
  description: text().notNull().default(''),
  maxAmountSatang: satang('max_amount_satang').notNull(),
  minTopUpSatang: satang('min_top_up_satang').notNull(),
  maxAmountPerOrderSatang: satang('max_amount_per_order_satang').notNull(),
  maxItemPerOrder: integer('max_item_per_order').notNull(),
  isActive: boolean('is_active').notNull().default(true),
})

/** The amount that a tier pays less than a package's wallet price. */
export const discount = pgTable(
  'discount',
  {
    packageId: integer('package_id')
      .notNull()
      .references(() => gamePackage.id),
    tierId: integer('tier_id')
      .notNull()
      .references(() => agentTier.id),
    discountSatang: satang('discount_satang').notNull(),
    isActive: boolean('is_active').notNull().default(true),
  },
  t => [
    primaryKey({ columns: [t.packageId, t.tierId] }),
    check('discount_bounds', sql`${t.discountSatang} BETWEEN 0 AND 50000`),
  ],
)

export const paymentMethod = pgTable('payment_method', {
  code: text().$type<PaymentCode>().primaryKey(),
  name: text().notNull(),
  image: text().notNull().default(''),
  position: integer().notNull(),
  /** The owner's terms for a method of the payment gateway, see `MethodTerms`. The shop's own methods are always on. */
  isOn: boolean('is_on').notNull().default(false),
  leastSatang: satang('least_satang'),
  mostSatang: satang('most_satang'),
  surchargeBasisPoints: integer('surcharge_basis_points').notNull().default(0),
  surchargeSatang: satang('surcharge_satang').notNull().default(0),
  openingHours: text('opening_hours').notNull().default(''),
})

/** The shop's own bank accounts. */
export const receivingAccount = pgTable('receiving_account', {
  id: integer().primaryKey().generatedByDefaultAsIdentity(),
  bankCode: text('bank_code').notNull(),
  accountName: text('account_name').notNull(),
  /**
   * The account's name as the bank writes it in Latin letters: many slips show only that one. Customers don't see it.
   */
  accountNameEn: text('account_name_en'),
  accountNo: text('account_no').notNull(),
  branch: text().notNull().default(''),
  logo: text(),
  /** Mobile number (0XXXXXXXXX), 13-digit id or 15-digit wallet id of this account's PromptPay; null without one. */
  promptPayId: text('prompt_pay_id'),
  isActive: boolean('is_active').notNull().default(true),
  position: integer().notNull(),
  ...lastChange(),
})

/** A receiving account in the form that orders store. */
export interface StoredAccount {
  id: number
  /** Bank code, e.g. "004". */
  code: string
  logo: string | null
  accountName: string
  accountNo: string
  branch: string
  promptPayId: string | null
}

export const banner = pgTable('banner', {
  id: integer().primaryKey().generatedByDefaultAsIdentity(),
  picture: text().notNull(),
  description: text().notNull().default(''),
  /** The game that it leads to; null for none. */
  gameId: integer('game_id').references(() => game.id),
  isActive: boolean('is_active').notNull().default(true),
  position: integer().notNull(),
  ...lastChange(),
})
