import * as z from 'zod'
import { pin } from '../account/fields.ts'
import { PIN_ERRORS } from '../account/pin-endpoints.ts'
import type { PlayerValues } from '../catalogue/catalogue.ts'
import { LONGEST_WARNING } from '../catalogue/delivers.ts'
import { playerText } from '../catalogue/fields.ts'
import { rowId as id, satang } from '../wire.ts'

/** The player data of every order. Points, names and the uid are never taken from a request, and no price that is charged. */
export const playerValues = {
  playerId: playerText.min(1),
  field2: playerText.optional(),
  field3: playerText.optional(),
  field4: playerText.optional(),
  field5: playerText.optional(),
} satisfies Record<keyof PlayerValues, z.ZodType>
export const orderRequest = z.object({
  gameId: id,
  packageId: id,
  ...playerValues,
  /** The package's warning as the buyer read and accepted it, if it has one. */
  acceptedWarning: z.string().max(LONGEST_WARNING).optional(),
  /** The price of one piece as the buyer saw it: at another one nothing is ordered. */
  seenPriceSatang: satang.optional(),
})

/** Shop credit that pays a part of the price beside the method; the PIN is asked for above the amount that the shop has set. */
export const creditSatang = satang.default(0)
export const withCredit = { creditSatang, pin: pin.optional() }
/** Why shop credit can't be used so. */
export const CREDIT_ERRORS = [
  'CREDIT_TOO_LOW',
  'CREDIT_COVERS_ALL',
  'CREDIT_PIN_REQUIRED',
  'CREDIT_PIN_NOT_SET',
  'PIN_WRONG',
  ...PIN_ERRORS,
] as const

/** Why there is no price to buy at. */
export const OFFER_ERRORS = ['GAME_NOT_FOUND', 'PACKAGE_NOT_FOUND', 'PACKAGE_NOT_ON_SALE'] as const
/** Why somebody may not buy now, however they pay without a wallet. */
export const BUYING_ERRORS = [
  'PAYMENT_METHOD_NOT_ALLOWED',
  'GUEST_CHECKOUT_OFF',
  'RATE_LIMITED',
  'GUEST_LIMIT_REACHED',
  'SHOP_HOLDS',
] as const
/** Why the data of an order is refused, however it is paid. */
export const REQUEST_ERRORS = [
  'TERMS_CHANGED',
  'PRICE_CHANGED',
  ...OFFER_ERRORS,
  'SOLD_OUT',
  'STOCK_TOO_LOW',
  'STOCK_FOR_KNOWN',
  'WARNING_NOT_ACCEPTED',
  'PLAYER_FIELD_REQUIRED',
  'PLAYER_NOT_FOUND',
] as const
