import * as z from 'zod'
import { DELIVERS_KINDS, LONGEST_WARNING } from '../catalogue/delivers.ts'
import { playerFormat } from '../catalogue/endpoints.ts'
import { playerText } from '../catalogue/fields.ts'
import { endpoint } from '../endpoint.ts'
import { instant, rowId, rowIdParam } from '../wire.ts'
import { API_STATUSES, ENTRY_KINDS, KEY_MODES } from './reseller.ts'

/**
 * The resellers' API. Programs outside the shop are written against it, so what is here stays: fields and calls are added,
 * never renamed or taken away. Amounts are whole satang under plain names.
 */

const amount = (description: string) => z.int().meta({ description: `${description} (satang)` })
const at = (description: string) => instant.meta({ description: `${description} (UTC)` })

const gameCode = z.string().min(1).max(50).meta({ description: 'Code of a game', example: 'pubg-mobile' })
const PLAYER_INPUTS = ['playerId', 'field2', 'field3', 'field4', 'field5'] as const
/** What the game's inputs were filled with; each game says which of them it asks for. */
const player = {
  playerId: playerText.min(1).optional().meta({ description: "The game's first input, if it has any" }),
  field2: playerText.optional(),
  field3: playerText.optional(),
  field4: playerText.optional(),
  field5: playerText.optional(),
}

/** 50 and 100 rows are usual; a cursor continues after the last row of the page before. */
const listing = {
  cursor: z.string().max(500).optional().meta({ description: '`nextCursor` of the page before' }),
  limit: z.coerce.number().int().min(1).max(100).default(50),
}
const nextCursor = z.string().nullable().meta({ description: 'Ask for the next page with it; null on the last page' })

/** Why a key opens nothing, or not this. */
export const KEY_ERRORS = [
  'KEY_UNKNOWN',
  'KEY_ENDED',
  'KEY_ADDRESS_REFUSED',
  'KEY_SCOPE_MISSING',
  'ACCOUNT_INACTIVE',
  'FORBIDDEN',
  'PASSWORD_CHANGE_REQUIRED',
  'PIN_CHANGE_REQUIRED',
  'RATE_LIMITED',
] as const

const game = z.object({
  code: gameCode,
  name: z.string(),
  picture: z.string().nullable().meta({ description: 'Address of its picture' }),
  fields: z
    .array(
      z.object({
        name: z.enum(PLAYER_INPUTS).meta({ description: 'Its name in an order and in a player check' }),
        label: z.string().meta({ description: 'What players call it' }),
        format: playerFormat.nullable().meta({ description: 'null accepts any text' }),
      }),
    )
    .meta({ description: 'What must be known of the player; empty for games that only sell codes' }),
  checksPlayer: z.boolean().meta({ description: 'Whether a player can be looked up before an order' }),
  usualMinutes: z.object({ from: z.int(), to: z.int() }).meta({ description: 'From the order to its delivery' }),
})

export const listApiGames = endpoint({
  method: 'GET',
  path: '/reseller/v1/games',
  summary: 'Games with what must be known of their players',
  allow: 'reseller.read',
  forOthers: true,
  reply: z.object({ games: z.array(game) }),
})

const apiPackage = z.object({
  id: rowId,
  game: gameCode,
  name: z.string(),
  description: z.string(),
  delivers: z
    .enum(DELIVERS_KINDS)
    .meta({ description: '`top_up`: onto the account of a player. `code`: codes that somebody redeems' }),
  price: amount('What one piece costs you now'),
  isAvailable: z.boolean().meta({ description: 'false while it is sold out' }),
  stock: z
    .int()
    .nullable()
    .meta({ description: 'Pieces in stock, a few seconds old; null where the shop keeps none of its own' }),
  warning: z.string().meta({
    description: 'Unless it is empty, an order must send it back as `acceptedWarning`: your customer has to know it',
  }),
})

export const listApiPackages = endpoint({
  method: 'GET',
  path: '/reseller/v1/packages',
  summary: 'Packages that you can buy, with your own prices and the stock',
  allow: 'reseller.read',
  forOthers: true,
  query: z.object({ game: gameCode.optional() }),
  reply: z.object({ packages: z.array(apiPackage) }),
  errors: ['GAME_NOT_FOUND'],
})

export const checkApiPlayer = endpoint({
  method: 'POST',
  path: '/reseller/v1/players/check',
  summary: 'Looks a player up; costs nothing',
  allow: 'reseller.read',
  forOthers: true,
  body: z.strictObject({ game: gameCode, ...player }),
  reply: z.object({
    isChecked: z.boolean().meta({ description: 'false where nobody can tell: such an order is taken unchecked' }),
    playerName: z.string().nullable().meta({ description: 'The name in the game, if it is known' }),
  }),
  errors: ['GAME_NOT_FOUND', 'PLAYER_FIELD_REQUIRED', 'PLAYER_NOT_FOUND', 'PLAYER_LOOKUP_TIMED_OUT'],
})

export const getApiWallet = endpoint({
  method: 'GET',
  path: '/reseller/v1/wallet',
  summary: 'The balance, and the limits of your orders',
  allow: 'reseller.read',
  forOthers: true,
  reply: z.object({
    balance: amount('What can be spent'),
    currency: z.literal('THB'),
    maxPerOrder: amount('The most that one order may cost'),
    maxQuantity: z.int().meta({ description: 'The most pieces of one order' }),
    key: z
      .object({
        id: z.string(),
        mode: z.enum(KEY_MODES),
        dailyLimit: amount('The most that it spends in a Bangkok day; null without limit').nullable(),
        spentToday: amount('What its orders of this Bangkok day cost'),
      })
      .meta({ description: 'The key of this call' }),
  }),
  errors: ['WALLET_NOT_FOUND'],
})

export const listApiEntries = endpoint({
  method: 'GET',
  path: '/reseller/v1/wallet/entries',
  summary: 'What moved on the wallet, newest first',
  allow: 'reseller.read',
  forOthers: true,
  query: z.object(listing),
  reply: z.object({
    entries: z.array(
      z.object({
        id: z.string(),
        at: at('When it moved'),
        kind: z.enum(ENTRY_KINDS),
        amount: amount('Negative when it left the wallet'),
        balance: amount('The balance after it'),
        orderId: z.string().nullable(),
        ref: z.string().nullable().meta({ description: 'Your reference of that order, if a key placed it' }),
      }),
    ),
    nextCursor,
  }),
  errors: ['WALLET_NOT_FOUND'],
})

const ref = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[\x21-\x7e]*$/)
  .meta({ description: 'Your own reference: once for each order, printable ASCII without spaces', example: 'INV-1042' })
const orderId = z.string().min(1).max(64).meta({ description: 'The id of an order', example: 'KT2611-04821937' })

/** Why an order is not as it was asked for. */
export const API_REASONS = ['delivery_failed', 'delivered_in_part', 'given_back', 'canceled'] as const

const apiOrder = z
  .object({
    id: orderId,
    ref,
    mode: z.enum(KEY_MODES),
    status: z.enum(API_STATUSES),
    game: gameCode,
    packageId: rowId,
    packageName: z.string(),
    playerId: z.string().nullable(),
    playerName: z.string().nullable(),
    quantity: z.int().meta({ description: 'The pieces that you ordered' }),
    delivered: z.int().meta({ description: 'Those of them that came' }),
    price: amount('What the order cost'),
    refunded: amount('What is back in the wallet'),
    codes: z.int().meta({ description: 'How many codes can be read now' }),
    reason: z
      .object({ code: z.enum(API_REASONS), message: z.string().meta({ description: 'In Thai, for people' }) })
      .nullable(),
    createdAt: at('When it was placed'),
    endedAt: at('When it became final, or on hold').nullable(),
  })
  .meta({ id: 'Order' })
export type ApiOrder = z.output<typeof apiOrder>

export const createApiOrder = endpoint({
  method: 'POST',
  path: '/reseller/v1/orders',
  summary: 'Places an order and pays it from the wallet. The same ref and body again is the same order',
  allow: 'reseller.order',
  forOthers: true,
  body: z.strictObject({
    ref,
    packageId: rowId,
    ...player,
    quantity: z.int().min(1).max(1000).default(1),
    maxPrice: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'The most that the whole order may cost (satang); dearer, it is refused' }),
    acceptedWarning: z
      .string()
      .max(LONGEST_WARNING)
      .optional()
      .meta({ description: "The package's `warning`, word for word" }),
  }),
  reply: apiOrder,
  errors: [
    'REF_REUSED',
    'PRICE_ABOVE_MAX',
    'KEY_LIMIT_REACHED',
    'WALLET_NOT_FOUND',
    'WALLET_BALANCE_TOO_LOW',
    'ORDER_OVER_TIER_LIMIT',
    'QUANTITY_OVER_TIER_LIMIT',
    'PACKAGE_NOT_FOUND',
    'PACKAGE_NOT_ON_SALE',
    'GAME_NOT_FOUND',
    'SOLD_OUT',
    'STOCK_TOO_LOW',
    'WARNING_NOT_ACCEPTED',
    'PLAYER_FIELD_REQUIRED',
    'PLAYER_NOT_FOUND',
    'SHOP_HOLDS',
  ],
})

export const getApiOrderByRef = endpoint({
  method: 'GET',
  path: '/reseller/v1/orders/by-ref/:ref',
  summary: 'One order by your own reference',
  allow: 'reseller.read',
  forOthers: true,
  params: z.object({ ref }),
  reply: apiOrder,
  errors: ['ORDER_NOT_FOUND'],
})

export const getApiOrder = endpoint({
  method: 'GET',
  path: '/reseller/v1/orders/:id',
  summary: 'One order',
  allow: 'reseller.read',
  forOthers: true,
  params: z.object({ id: orderId }),
  reply: apiOrder,
  errors: ['ORDER_NOT_FOUND'],
})

export const listApiOrders = endpoint({
  method: 'GET',
  path: '/reseller/v1/orders',
  summary: 'Orders that your keys placed, newest first',
  allow: 'reseller.read',
  forOthers: true,
  query: z.object({
    status: z.enum(API_STATUSES).optional(),
    packageId: rowIdParam.optional(),
    ...listing,
  }),
  reply: z.object({ orders: z.array(apiOrder), nextCursor }),
})

export const cancelApiOrder = endpoint({
  method: 'POST',
  path: '/reseller/v1/orders/:id/cancel',
  summary: 'Takes an order back while nobody has begun it; its money returns to the wallet at once',
  allow: 'reseller.order',
  forOthers: true,
  params: z.object({ id: orderId }),
  reply: apiOrder,
  errors: ['ORDER_NOT_FOUND', 'ORDER_BEGUN', 'SHOP_HOLDS'],
})

export const getApiCodes = endpoint({
  method: 'GET',
  path: '/reseller/v1/orders/:id/codes',
  summary: 'The codes of an order, those that have come so far',
  allow: 'reseller.codes',
  forOthers: true,
  params: z.object({ id: orderId }),
  reply: z.object({
    codes: z.array(
      z.object({
        code: z.string(),
        pin: z.string().nullable(),
        serial: z.string().nullable(),
        expiresOn: z.string().nullable().meta({ description: 'Bangkok day, YYYY-MM-DD' }),
        region: z.string(),
      }),
    ),
    redeemHelp: z.string().meta({ description: 'How they are redeemed; may be empty' }),
  }),
  errors: ['ORDER_NOT_FOUND', 'CODES_NOT_SHOWN'],
})

/** Every call of the API, in the order of its documentation. */
export const V1_ENDPOINTS = [
  listApiGames,
  listApiPackages,
  checkApiPlayer,
  getApiWallet,
  listApiEntries,
  createApiOrder,
  listApiOrders,
  getApiOrderByRef,
  getApiOrder,
  cancelApiOrder,
  getApiCodes,
]
