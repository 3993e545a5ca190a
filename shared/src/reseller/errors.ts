import { type ErrorCode, errorStatus } from '../errors.ts'
import { keysOf } from '../table.ts'

interface ApiErrorEntry {
  /** What it means and what a program does about it. */
  text: string
  /** The status, where the API's differs from the shop's. */
  status?: number
}

/**
 * The table of all errors of the resellers' API. Its codes are public: none is renamed or taken away.
 */
export const API_ERROR = {
  KEY_UNKNOWN: { text: 'No such key, or no key was sent as `Authorization: Bearer …`.' },
  KEY_ENDED: { text: 'The key was ended. Make another one.' },
  KEY_ADDRESS_REFUSED: { text: "The call came from an address that is not on the key's list; the owner is told." },
  KEY_SCOPE_MISSING: { text: 'The key lacks the scope of this call; `details.scope` names it.' },
  KEY_LIMIT_REACHED: {
    text: 'The order would pass what the key may spend in a Bangkok day; `details.left` is what is left.',
  },
  ACCOUNT_INACTIVE: { text: 'The account is closed. Contact the shop.' },
  FORBIDDEN: { text: 'The account is no agent any more. Contact the shop.' },
  PASSWORD_CHANGE_REQUIRED: { text: 'The shop gave the account a new password: its owner must change it first.' },
  PIN_CHANGE_REQUIRED: { text: 'The shop gave the account a new PIN: its owner must change it first.' },
  INVALID_INPUT: { text: 'Something in the request has the wrong form; `fields` names it.' },
  MALFORMED_JSON: { text: 'The body is no JSON.' },
  UNSUPPORTED_MEDIA_TYPE: { text: 'Send `Content-Type: application/json`.' },
  PAYLOAD_TOO_LARGE: { text: 'The body is too large.' },
  WALLET_BALANCE_TOO_LOW: { text: 'The wallet has not enough money. Nothing was bought.', status: 402 },
  WALLET_NOT_FOUND: { text: 'The account has no wallet.' },
  NOT_FOUND: { text: 'There is no such path.' },
  GAME_NOT_FOUND: { text: 'No such game, or it is not sold now.' },
  PACKAGE_NOT_FOUND: { text: 'No such package, or it is not sold any more.' },
  PLAYER_NOT_FOUND: { text: 'The game has no such player. Ask your customer.' },
  ORDER_NOT_FOUND: { text: 'None of your orders has this id or reference.' },
  REF_REUSED: { text: 'Another order has this `ref` already, with another body.' },
  PRICE_ABOVE_MAX: { text: 'The order would cost more than `maxPrice`; `details.price` is what it costs now.' },
  SOLD_OUT: { text: 'Sold out just now.' },
  STOCK_TOO_LOW: { text: 'Fewer pieces are left than were asked for.' },
  WARNING_NOT_ACCEPTED: {
    text: "`acceptedWarning` is not the package's warning of today, which `details.warning` has.",
  },
  ORDER_BEGUN: { text: 'The order is being delivered or has ended, so it can not be canceled.' },
  CODES_NOT_SHOWN: { text: 'The order has no codes to be read now.' },
  SHOP_HOLDS: { text: 'The shop takes no orders for a while. Try again later.' },
  PACKAGE_NOT_ON_SALE: { text: 'The package is not on sale at this moment.' },
  PLAYER_FIELD_REQUIRED: { text: "One of the game's inputs is missing or has the wrong form; `fields` names it." },
  ORDER_OVER_TIER_LIMIT: { text: 'The order costs more than one order may.' },
  QUANTITY_OVER_TIER_LIMIT: { text: 'More pieces than one order may have.' },
  RATE_LIMITED: { text: 'Too many calls. Wait as long as `Retry-After` says.' },
  INTERNAL: { text: 'Our fault. Repeat an order with the same `ref`: it is never bought twice.' },
  UNAVAILABLE: { text: 'Not available for a moment. Repeat an order with the same `ref`.' },
  PLAYER_LOOKUP_TIMED_OUT: { text: 'Nobody could say in time whether the player exists.' },
} as const satisfies Partial<Record<ErrorCode, ApiErrorEntry>>
type ApiErrorCode = keyof typeof API_ERROR
export const API_ERROR_CODES = keysOf(API_ERROR)

const isOfApi = (code: ErrorCode): code is ApiErrorCode => Object.hasOwn(API_ERROR, code)

/** The status that the API answers an error with. */
export function apiStatusCode(code: ErrorCode): number {
  const entry: ApiErrorEntry | undefined = isOfApi(code) ? API_ERROR[code] : undefined
  return entry?.status ?? errorStatus(code)
}
