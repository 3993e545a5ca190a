import * as z from 'zod'
import { ofVersion } from '../catalogue-version.ts'
import { endpoint } from '../endpoint.ts'
import { typed } from '../line.ts'
import { rowId as id, rowIdParam, satang } from '../wire.ts'
import { PLAYER_FIELD_NAMES } from './catalogue.ts'
import { DELIVERS_KINDS } from './delivers.ts'
import { playerText } from './fields.ts'
import { PAYMENT_CODES, PRICE_CODES } from './payment-method.ts'

const named = z.object({ code: z.string(), name: z.string() })

const length = z.int().min(1).max(100)
const ofLength = <K extends string>(kind: K) =>
  z.object({ kind: z.literal(kind), min: length, max: length }).refine(({ min, max }) => min <= max)
export const playerFormat = z.discriminatedUnion('kind', [
  ofLength('digits'),
  ofLength('text'),
  z.object({ kind: z.literal('choices'), choices: z.array(typed().min(1).max(100)).min(1).max(200) }),
])

export const playerField = z.object({
  name: z.enum(PLAYER_FIELD_NAMES),
  label: z.string(),
  /** The input's format; null accepts any text. */
  format: playerFormat.nullable(),
})

const game = z.object({
  id,
  code: z.string(),
  /** Codes it had before: links with them lead to it. */
  oldCodes: z.array(z.string()),
  name: z.string(),
  desc: z.string(),
  picture: z.string(),
  regions: z.array(z.string()),
  languages: z.array(z.string()),
  platforms: z.array(z.string()),
  /** Other words that find it in a search. */
  searchWords: z.array(z.string()),
  /** Active inputs in order; the first is the player id. */
  fields: z.array(playerField),
  /** How the player finds the id, as text and picture; both may be empty. */
  playerHint: z.string(),
  playerHintPicture: z.string(),
  /** Whether the game checks the player id before a purchase. */
  isPlayerChecked: z.boolean(),
  /** The lowest price at which the caller can buy one of its packages. */
  fromSatang: z.number().int(),
  /** Usual minutes from payment to delivery. */
  usualMinutes: z.object({ from: z.number().int(), to: z.number().int() }),
})
export type Game = z.output<typeof game>

const gamePackage = z.object({
  id,
  gameId: id,
  gameCode: z.string(),
  name: z.string(),
  desc: z.string(),
  /** The current price before the caller's discount. */
  priceSatang: z.number().int(),
  /** The discount of the caller's own tier, else 0. */
  discountSatang: z.number().int(),
  payment: z.enum(PRICE_CODES),
  delivers: z.enum(DELIVERS_KINDS),
  /** What the buyer must agree to before paying; empty for nothing. */
  warning: z.string(),
  /** Whether it is sold out just now. */
  isOut: z.boolean(),
})
export type GamePackage = z.output<typeof gamePackage>

export const listGames = endpoint({
  method: 'GET',
  path: '/romons.game/api/games',
  summary: 'Games the caller can buy for, in shop order',
  allow: 'catalogue.browse',
  query: ofVersion,
  reply: z.array(game),
})

const listNames = (resource: 'regions' | 'languages' | 'platforms') =>
  endpoint({
    method: 'GET',
    path: `/romons.game/api/${resource}`,
    summary: `The ${resource} games can be filtered by`,
    allow: 'catalogue.browse',
    query: ofVersion,
    reply: z.array(named),
  })
export const listRegions = listNames('regions')
export const listLanguages = listNames('languages')
export const listPlatforms = listNames('platforms')

const gameCode = z.string().min(1).max(50)

export const listPackages = endpoint({
  method: 'GET',
  path: '/romons.package/api/packages',
  summary: 'Every package on sale to the caller, one row per payment method',
  allow: 'catalogue.browse',
  forOthers: true,
  query: ofVersion,
  reply: z.array(gamePackage),
})

export const listGamePackages = endpoint({
  method: 'GET',
  path: '/romons.package/api/packages/:gameCode',
  summary: 'Packages of one game on sale to the caller, one row per payment method',
  allow: 'catalogue.browse',
  forOthers: true,
  params: z.object({ gameCode }),
  query: ofVersion,
  reply: z.array(gamePackage),
  errors: ['GAME_NOT_FOUND'],
})

export const listTierPackages = endpoint({
  method: 'GET',
  path: '/romons.package/api/packages/:gameCode/:tierId',
  summary: "Packages of one game with the tier's discounts, for managers and the tier's own agents",
  allow: 'catalogue.browse',
  forOthers: true,
  params: z.object({ gameCode, tierId: rowIdParam }),
  reply: z.array(gamePackage),
  errors: ['UNAUTHENTICATED', 'GAME_NOT_FOUND', 'TIER_NOT_FOUND'],
})

const methodTerms = z.object({
  leastSatang: satang.nullable(),
  mostSatang: satang.nullable(),
  surchargeBasisPoints: z.int(),
  surchargeSatang: satang,
  openingHours: z.string(),
})

const paymentMethod = z.object({
  code: z.enum(PAYMENT_CODES),
  name: z.string(),
  image: z.string(),
  /** Only of a method of the payment gateway: what it takes, costs and when; see `MethodTerms`. */
  terms: methodTerms.optional(),
})

export const listPaymentMethods = endpoint({
  method: 'GET',
  path: '/romons.payment/api/paymentmethods',
  summary: 'Payment methods the caller may use',
  allow: 'catalogue.browse',
  query: ofVersion,
  reply: z.array(paymentMethod),
})

const bank = z.object({
  code: z.string(),
  shortCode: z.string(),
  bankName: z.string(),
  niceName: z.string(),
  color: z.string(),
})

export const listBanks = endpoint({
  method: 'GET',
  path: '/romons.payment/api/banks',
  summary: 'Thai banks',
  allow: 'catalogue.browse',
  forOthers: true,
  query: ofVersion,
  reply: z.array(bank),
})

export const receivingAccount = z.object({
  id,
  /** Bank code, e.g. "004". */
  code: z.string(),
  bankName: z.string(),
  logo: z.string().nullable(),
  accountName: z.string(),
  accountNo: z.string(),
  branch: z.string(),
  /** Whether a PromptPay QR can be shown for this account. */
  hasPromptPay: z.boolean(),
})
export type ReceivingAccount = z.output<typeof receivingAccount>

export const listReceivingAccounts = endpoint({
  method: 'GET',
  path: '/romons.payment/api/banksaccount',
  summary: "The shop's own accounts that customers transfer to",
  allow: 'catalogue.browse',
  query: ofVersion,
  reply: z.array(receivingAccount),
})

export const getGameOffer = endpoint({
  method: 'GET',
  path: '/romons.game/api/games/:gameCode/offer',
  summary: 'All that a purchase of one game chooses from; a code that the game had before finds it, too',
  allow: 'catalogue.browse',
  params: z.object({ gameCode }),
  query: ofVersion,
  reply: z.object({
    game,
    /** For accounts of which regions its packages are. */
    regions: z.array(named),
    packages: z.array(gamePackage),
    methods: z.array(paymentMethod),
    accounts: z.array(receivingAccount),
  }),
  errors: ['GAME_NOT_FOUND'],
})
export type GameOffer = z.output<typeof getGameOffer.reply>

/** A promotion on the first page; a press on it leads to its game, if it has one. */
const banner = z.object({ id, picture: z.string(), description: z.string(), gameCode: z.string().nullable() })

export const listBanners = endpoint({
  method: 'GET',
  path: '/romons.configuration/api/banner',
  summary: 'Active home banners in order',
  allow: 'catalogue.browse',
  query: ofVersion,
  reply: z.array(banner),
})

/** The name is null where whoever knows the player does not tell it. */
const knownPlayer = z.object({ uid: z.string(), name: z.string().nullable() })

export const findPlayer = endpoint({
  method: 'GET',
  path: '/romons.gameservice/api/game/getpubgbyid/:id',
  summary: 'Looks a player id up with the game provider',
  allow: 'catalogue.browse',
  forOthers: true,
  params: z.object({ id: playerText.min(1).max(40) }),
  reply: knownPlayer,
  errors: ['PLAYER_NOT_FOUND', 'PLAYER_NOT_CHECKED', 'PLAYER_LOOKUP_TIMED_OUT', 'RATE_LIMITED'],
})

export const checkPlayer = endpoint({
  method: 'GET',
  path: '/romons.gameservice/api/game/:gameCode/player/:playerId',
  summary:
    'Looks a player up with those whom its game names; PLAYER_NOT_CHECKED and PLAYER_LOOKUP_TIMED_OUT, when none of them can say, keep nobody from buying',
  allow: 'catalogue.browse',
  params: z.object({ gameCode, playerId: z.string().min(1).max(40) }),
  /** The further inputs of a game whose ids alone don't name a player. */
  query: z.object({
    field2: playerText.optional(),
    field3: playerText.optional(),
    field4: playerText.optional(),
    field5: playerText.optional(),
  }),
  reply: knownPlayer,
  errors: ['GAME_NOT_FOUND', 'PLAYER_NOT_FOUND', 'PLAYER_NOT_CHECKED', 'PLAYER_LOOKUP_TIMED_OUT', 'RATE_LIMITED'],
})

export const getPublicConfig = endpoint({
  method: 'GET',
  path: '/romons.users/api/getconfig',
  summary: 'Shop options the storefront needs, and the server clock',
  allow: 'catalogue.browse',
  reply: z.object({
    options: z.array(z.object({ optionName: z.string(), optionValue: z.string() })),
    /**
     * Grows with every change of what the shop sells or says, and at midnight; when it has changed, lists should be
     * read again.
     */
    catalogueVersion: z.int(),
    /** The shop holds still after a restore: it takes no orders, delivers none and sends no messages. */
    isHolding: z.boolean(),
    nowDate: z.iso.datetime(),
  }),
})
