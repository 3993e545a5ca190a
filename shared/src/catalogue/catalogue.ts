import { type Action, type Caller, can } from '../permissions.ts'
import type { PlayerFormat } from './player-format.ts'

export type PaymentCode = 'bank' | 'wallet'

/** How things are paid. What each way means for an order's money stands in order/order.ts, for a purchase in purchase.ts. */
export const PAYMENT_METHOD: Record<PaymentCode, { name: string; allow: Action }> = {
  bank: { name: 'โอนเงินธนาคาร', allow: 'order.payByBank' },
  wallet: { name: 'Wallet', allow: 'order.payByWallet' },
}
export const PAYMENT_CODES = Object.keys(PAYMENT_METHOD) as PaymentCode[]

/** The payment methods a caller may buy with. */
export const paymentMethodsFor = (caller: Caller): PaymentCode[] =>
  PAYMENT_CODES.filter(code => can(caller, PAYMENT_METHOD[code].allow))

/** Providers that can tell whose a player id is. */
export const PLAYER_CHECKS = ['midasbuy'] as const
export type PlayerCheck = (typeof PLAYER_CHECKS)[number]

/** The inputs a game may ask its player for; the first one is the player id. */
export type PlayerFieldName = 'field1' | 'field2' | 'field3' | 'field4' | 'field5'

/** The name of each input in an order request. */
export const PLAYER_FIELD = {
  field1: 'playerId',
  field2: 'field2',
  field3: 'field3',
  field4: 'field4',
  field5: 'field5',
} as const satisfies Record<PlayerFieldName, string>
export const PLAYER_FIELD_NAMES = Object.keys(PLAYER_FIELD) as PlayerFieldName[]

/** What a player typed, by the request's names; the player id is always there. */
type PlayerInput = (typeof PLAYER_FIELD)[PlayerFieldName]
export type PlayerValues = { playerId: string } & Partial<Record<PlayerInput, string>>

/** An input a game asks for. */
export interface PlayerField {
  name: PlayerFieldName
  label: string
  /** null takes any text. */
  format: PlayerFormat | null
}

/** What a game's five inputs are called and how they are typed; an empty label is an input that is off. */
export interface PlayerInputs {
  fieldLabels: readonly string[]
  fieldFormats: readonly (PlayerFormat | null)[]
}

/** The inputs a game asks for. */
export function playerFieldsOf({ fieldLabels, fieldFormats }: PlayerInputs): PlayerField[] {
  return PLAYER_FIELD_NAMES.map((name, index) => ({
    name,
    label: fieldLabels[index] ?? '',
    format: fieldFormats[index] ?? null,
  })).filter(({ label }) => label)
}

/** What a player typed and nothing else of where it stands. */
export function playerValuesOf(source: PlayerValues): PlayerValues {
  const { playerId } = source
  return { playerId, ...Object.fromEntries(Object.values(PLAYER_FIELD).map(input => [input, source[input]])) }
}
