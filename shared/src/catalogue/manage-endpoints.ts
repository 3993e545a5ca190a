import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { line, lines, typed } from '../line.ts'
import { withoutGaps } from '../typed-text.ts'
import { rowId as id, page as pageOf, paging, rowIdParam, satang, instant as time } from '../wire.ts'
import { BANKS } from './banks.ts'
import { DELIVERS_KINDS, LONGEST_WARNING, MOST_SOURCES } from './delivers.ts'
import { playerFormat, receivingAccount } from './endpoints.ts'
import { priceEdit, source } from './package-wire.ts'
import { PRICE_CODES } from './payment-method.ts'
import { MOST_CHECKS, PLAYER_CHECKS } from './player-check.ts'
import { MOST_PRICE_SATANG } from './price-editing.ts'
import { reordering } from './reordering.ts'
import { SALE_GAPS } from './sale-state.ts'

/**
 * Makes sure that nothing is overwritten unseen: a save names the version it is based on, else it fails with CONFLICT
 * and `details.current`.
 */
const version = z.int().positive()
/** What a save changes; without both it adds something new. */
const edits = { id: id.optional(), version: version.optional() }
const saved = { version, updatedAt: time.nullable(), updatedByName: z.string().nullable() }

const gameCode = typed().regex(/^[a-z0-9][a-z0-9-]{0,49}$/)
/** A picture that was uploaded here; '' without one. */
const picture = z
  .string()
  .max(300)
  .regex(/^(\/files(\/[\w-][\w.-]*)+)?$/)

const gameFields = {
  code: gameCode,
  name: line(100).min(1),
  desc: line(500).default(''),
  qmsGameId: line(50).nullable().default(null),
  picture,
  /** Other words people search it by, Thai or English. */
  searchWords: z.array(line(50).min(1)).max(30).default([]),
  regions: z.array(z.string().max(20)).max(50),
  languages: z.array(z.string().max(20)).max(50),
  platforms: z.array(z.string().max(20)).max(50),
  /** Which of field1 to field5 the player is asked for; one without a label is not. */
  fieldsOn: z.array(z.boolean()).length(5).default([true, true, true, true, true]),
  fieldLabels: z.array(line(50)).length(5),
  /** Formats of field1 to field5; null accepts any text. */
  fieldFormats: z.array(playerFormat.nullable()).length(5),
  /** How the player finds the id, as text and as one of our pictures; both may be empty. */
  playerHint: line(300).default(''),
  playerHintPicture: picture.default(''),
  /** Who is asked for its players, in this order; nobody accepts any id. */
  playerChecks: z
    .array(z.object({ by: z.enum(PLAYER_CHECKS), gameCode: line(50).default('') }))
    .max(MOST_CHECKS)
    .refine(checks => new Set(checks.map(({ by }) => by)).size === checks.length),
  usualMinutes: z
    .object({ from: z.int().min(1).max(10_000), to: z.int().min(1).max(10_000) })
    .refine(({ from, to }) => from <= to),
  isActive: z.boolean(),
}

const managedGame = z.object({
  id,
  no: z.int(),
  ...gameFields,
  oldCodes: z.array(z.string()),
  packageCount: z.int(),
  /** What still keeps it out of the shop; a `SaleState`. */
  sale: z.object({ gap: z.enum(SALE_GAPS).nullable(), fromDay: z.string().nullable() }),
  ...saved,
})
export type ManagedGame = z.output<typeof managedGame>

export const listManagedGames = endpoint({
  method: 'GET',
  path: '/romons.game/api/games/master',
  summary: 'Every game, in shop order',
  allow: 'catalogue.look',
  reply: z.array(managedGame),
})

export const listQmsGames = endpoint({
  method: 'GET',
  path: '/romons.game/api/games/qmsgame',
  summary: 'Games of the queue system a game can be tied to',
  allow: 'catalogue.manage',
  reply: z.array(z.object({ game_id: z.string(), game_sdesc: z.string() })),
})

export const saveGame = endpoint({
  method: 'POST',
  path: '/romons.game/api/games/save',
  summary: 'Adds a game at the end, or changes one',
  allow: 'catalogue.manage',
  body: z.object({
    ...edits,
    ...gameFields,
    /** Left as it is by pages that don't know it. */
    playerChecks: gameFields.playerChecks.optional(),
    // Without a player id there is nobody to top up.
    fieldsOn: gameFields.fieldsOn.refine(([isIdOn]) => isIdOn, 'ช่องที่ 1 ปิดไม่ได้'),
    fieldLabels: gameFields.fieldLabels.refine(([id]) => id, 'กรุณากรอกชื่อช่องที่ 1'),
    /** Whether it may take a code that another game had; links with that code then lead here. */
    takesOldCode: z.boolean().default(false),
  }),
  reply: managedGame,
  errors: ['GAME_NOT_FOUND', 'PICTURE_NOT_FOUND', 'GAME_CODE_TAKEN', 'GAME_CODE_OF_OTHER', 'INVALID_INPUT', 'CONFLICT'],
})

export const reorderGames = endpoint({
  method: 'POST',
  path: '/romons.game/api/games/reorder',
  summary: 'Puts games in a new order; those left out keep their places after',
  allow: 'catalogue.manage',
  body: z.object(reordering),
  reply: z.array(managedGame),
  errors: ['GAME_NOT_FOUND', 'CONFLICT'],
})

const managedPackage = z.object({
  id,
  gameId: id,
  no: z.int(),
  name: z.string(),
  desc: z.string(),
  isActive: z.boolean(),
  /** The shop's cost of one piece; null when unknown. */
  costSatang: satang.nullable(),
  /** Whether the cost is that of its first supplier, whenever that one changes it. */
  followsCost: z.boolean(),
  /** Whether it is not sold just now because its cost has passed its price. */
  isBelowCost: z.boolean(),
  delivers: z.enum(DELIVERS_KINDS),
  /** Where its goods come from, in the order in which they are asked. */
  sources: z.array(source),
  /** Whether its sources deliver its paid orders. */
  isAutomatic: z.boolean(),
  /** What its buyer must agree to before paying, since a mistake can't be undone; empty for nothing. */
  warning: z.string(),
  /** How its codes are redeemed. */
  redeemHelp: z.string(),
  /** Managers are told when fewer codes than this are left in stock. */
  lowStock: z.int(),
  /** One per payment method that has a price. */
  masterPackage: z.array(priceEdit),
  /** The lowest price on sale now; null when there is none. */
  minPriceSatang: satang.nullable(),
  maxPriceSatang: satang.nullable(),
  /** The payment methods that can buy it now. */
  payments: z.array(z.enum(PRICE_CODES)),
  ...saved,
})
export type ManagedPackage = z.output<typeof managedPackage>

/** The filters of a list of a game's packages. */
export const packageFilter = { name: line(100).optional(), status: z.enum(['active', 'inactive']).optional() }

export const listManagedPackages = endpoint({
  method: 'GET',
  path: '/romons.package/api/master/:gameId',
  summary: 'Packages of a game with their prices, in shop order',
  allow: 'catalogue.manage',
  params: z.object({ gameId: rowIdParam }),
  query: z.object({ ...paging, ...packageFilter }),
  reply: pageOf(managedPackage).extend({ game: managedGame }),
  errors: ['GAME_NOT_FOUND'],
})

export const savePackage = endpoint({
  method: 'POST',
  path: '/romons.package/api/packages/save',
  summary: 'Adds a package at the end of its game, or changes one; with prices, those too',
  allow: 'catalogue.manage',
  secondWord: 'runs',
  body: z.object({
    ...edits,
    gameId: id,
    name: line(100).min(1),
    desc: line(500).default(''),
    isActive: z.boolean(),
    /** Payment methods that are missing keep their price. */
    prices: z.array(priceEdit).max(PRICE_CODES.length).default([]),
    /** A missing cost stays as it is. */
    costSatang: satang.min(0).max(MOST_PRICE_SATANG).nullable().optional(),
  }),
  reply: managedPackage,
  /** PRICE_INVALID: `fields` by payment code. */
  errors: [
    'GAME_NOT_FOUND',
    'PACKAGE_NOT_FOUND',
    'PRICE_INVALID',
    'PRICE_BELOW_DISCOUNT',
    'AUTOMATIC_INCOMPLETE',
    'CONFLICT',
    'SECOND_WORD_NEEDED',
  ],
})

export const reorderPackages = endpoint({
  method: 'POST',
  path: '/romons.package/api/packages/reorder',
  summary: 'Puts the packages of a game in a new order',
  allow: 'catalogue.manage',
  body: z.object({ gameId: id, ...reordering }),
  reply: z.object({ saved: z.int() }),
  errors: ['GAME_NOT_FOUND', 'PACKAGE_NOT_FOUND', 'CONFLICT'],
})

export const savePrices = endpoint({
  method: 'POST',
  path: '/romons.package/api/packages/saveprice',
  summary: 'Saves the prices of a package, one per payment method; all of them or none',
  allow: 'catalogue.manage',
  secondWord: 'runs',
  body: z.object({
    packageId: id,
    version,
    prices: z.array(priceEdit).max(PRICE_CODES.length),
    /** A missing field keeps its value. */
    costSatang: satang.min(0).max(MOST_PRICE_SATANG).nullable().optional(),
    followsCost: z.boolean().optional(),
    delivers: z.enum(DELIVERS_KINDS).optional(),
    sources: z
      .array(source)
      .max(MOST_SOURCES)
      .refine(list => new Set(list.map(({ supplier, sku }) => `${supplier} ${sku}`)).size === list.length, 'each once')
      .optional(),
    isAutomatic: z.boolean().optional(),
    warning: line(LONGEST_WARNING).optional(),
    redeemHelp: lines(2000).optional(),
    lowStock: z.int().min(0).max(100_000).optional(),
  }),
  reply: managedPackage,
  /** PRICE_INVALID: `fields` by payment code. PRICE_BELOW_DISCOUNT: `details.tiers`. */
  errors: [
    'PACKAGE_NOT_FOUND',
    'PRICE_INVALID',
    'PRICE_BELOW_DISCOUNT',
    'AUTOMATIC_INCOMPLETE',
    'CONFLICT',
    'SECOND_WORD_NEEDED',
  ],
})

export const explainPrices = endpoint({
  method: 'GET',
  path: '/romons.package/api/packages/:packageId/explain',
  summary: 'Who pays what for a package at a moment, and why',
  allow: 'catalogue.manage',
  params: z.object({ packageId: rowIdParam }),
  query: z.object({ at: time.optional() }),
  reply: z.object({
    at: time,
    rows: z.array(
      z.object({
        payment: z.enum(PRICE_CODES),
        /** null means everybody without a tier. */
        tierId: id.nullable(),
        tierName: z.string().nullable(),
        paysSatang: satang.nullable(),
        listSatang: satang.nullable(),
        discountSatang: satang,
        reasons: z.array(z.string()),
      }),
    ),
  }),
  errors: ['PACKAGE_NOT_FOUND'],
})

const tag = z.object({ code: z.string(), name: z.string() })
export const saveGameTags = endpoint({
  method: 'POST',
  path: '/romons.game/api/games/savetags',
  summary: 'Sets the regions, languages or platforms that games are filtered by, in order',
  allow: 'catalogue.manage',
  body: z.object({
    kind: z.enum(['region', 'language', 'platform']),
    tags: z
      .array(
        z.object({
          code: typed().regex(/^[a-z0-9-]{1,20}$/),
          name: line(50).min(1),
        }),
      )
      .max(100),
    /** The list that the edit is based on. */
    seen: z.array(tag),
  }),
  reply: z.array(tag),
  /** TAG_IN_USE: `details.games` still have it. CONFLICT: `details.current` is the list that is there now. */
  errors: ['TAG_IN_USE', 'CONFLICT', 'INVALID_INPUT'],
})

const managedAccount = receivingAccount.omit({ hasPromptPay: true, logo: true }).extend({
  /** The name in Latin letters as the bank writes it; null when not entered. */
  accountNameEn: z.string().nullable(),
  /** Mobile number, 13-digit id or 15-digit wallet id; null without PromptPay. */
  promptPayId: z.string().nullable(),
  isActive: z.boolean(),
  no: z.int(),
  ...saved,
})
export type ManagedAccount = z.output<typeof managedAccount>

export const listManagedAccounts = endpoint({
  method: 'GET',
  path: '/romons.payment/api/banksaccount/master',
  summary: 'Every receiving account of the shop',
  allow: 'settings.pay',
  reply: z.array(managedAccount),
})

export const saveReceivingAccount = endpoint({
  method: 'POST',
  path: '/romons.payment/api/banksaccount/save',
  summary: 'Adds a receiving account, or changes one; orders already made keep what they show',
  allow: 'settings.pay',
  secondWord: 'runs',
  body: z.object({
    ...edits,
    code: z.string().refine(code => BANKS.some(bank => bank.code === code), 'กรุณาเลือกธนาคาร'),
    accountName: line(100).min(1),
    accountNameEn: line(100)
      .min(1)
      .regex(/^[ -~]+$/, 'กรุณากรอกชื่อเป็นตัวอักษรภาษาอังกฤษ')
      .nullable()
      .default(null),
    accountNo: typed()
      .overwrite(withoutGaps)
      .regex(/^\d{6,20}$/, 'เลขที่บัญชีต้องเป็นตัวเลข 6–20 หลัก'),
    branch: line(100).default(''),
    promptPayId: typed()
      .overwrite(withoutGaps)
      .regex(/^(0\d{9}|\d{13}|\d{15})$/, 'พร้อมเพย์ต้องเป็นเบอร์โทร 10 หลัก เลข 13 หลัก หรือ 15 หลัก')
      .nullable(),
    isActive: z.boolean(),
  }),
  reply: managedAccount,
  errors: ['RECEIVING_ACCOUNT_NOT_FOUND', 'LAST_RECEIVING_ACCOUNT', 'CONFLICT', 'SECOND_WORD_NEEDED'],
})

const managedBanner = z.object({
  id,
  no: z.int(),
  picture: z.string(),
  description: z.string(),
  isActive: z.boolean(),
  /** The game that it leads to. */
  gameId: id.nullable(),
  ...saved,
})
export type ManagedBanner = z.output<typeof managedBanner>

export const listManagedBanners = endpoint({
  method: 'GET',
  path: '/romons.configuration/api/banner/master',
  summary: 'Every banner, in order',
  allow: 'settings.pay',
  reply: z.array(managedBanner),
})

export const saveBanner = endpoint({
  method: 'POST',
  path: '/romons.configuration/api/banner/save',
  summary: 'Adds a banner at the end, or changes one',
  allow: 'settings.pay',
  body: z.object({
    ...edits,
    picture: picture.min(1),
    description: line(100).default(''),
    gameId: id.nullable().default(null),
    isActive: z.boolean(),
  }),
  reply: managedBanner,
  errors: ['NOT_FOUND', 'PICTURE_NOT_FOUND', 'GAME_NOT_FOUND', 'CONFLICT'],
})

export const reorderBanners = endpoint({
  method: 'POST',
  path: '/romons.configuration/api/banner/reorder',
  summary: 'Puts banners in a new order',
  allow: 'settings.pay',
  body: z.object(reordering),
  reply: z.array(managedBanner),
  errors: ['NOT_FOUND', 'CONFLICT'],
})
