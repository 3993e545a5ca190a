import { PLAYER_FIELD, type PlayerFieldName, type PlayerValues } from '@shop/shared/catalogue/catalogue.ts'
import type { PaymentCode } from '@shop/shared/catalogue/payment-method.ts'
import type { Satang } from '@shop/shared/money.ts'
import { type Guard, isFlag, isNumber, isText, orNone, orNull, read, remove, shapeOf, write } from './storage.ts'

/** The selection a customer has made so far, as the browser keeps it. Its price is only the one that was shown. */
export interface Draft extends PlayerValues {
  gameCode: string
  /** From the player check, where the game has one. */
  playerName: string | null
  /** What that said instead of a name: that the player exists, or that nobody can say now. */
  playerCheck?: 'nameless' | 'away' | undefined
  /** The receiving account. */
  bank: number | null
  paymentMethod: PaymentCode | null
  package: number | null
  /** The price shown with that package, for one piece. */
  actualPrice: Satang | null
  /** Pieces of the package, where the payment method may have more than one. */
  quantity?: number
  /** Whether shop credit pays as much as it can. */
  usesCredit?: boolean
  /** The package's warning in the words that the buyer has agreed to. */
  acceptedWarning?: string | undefined
}

/** Changes parts of the selection, as it is by then and not as the page shows it; a function is told how it is. */
export type ChangeDraft = (change: DraftChange) => void
type DraftChange = Partial<Draft> | ((now: Draft) => Partial<Draft>)

export const withChange = (now: Draft, change: DraftChange): Draft => ({
  ...now,
  ...(typeof change === 'function' ? change(now) : change),
})

export function createDraft(gameCode: string): Draft {
  return { gameCode, playerId: '', playerName: null, bank: null, paymentMethod: null, package: null, actualPrice: null }
}

/** Whether an input of a game is the player id, which the game can check and for which it tells the player's name. */
export const isPlayerId = (name: PlayerFieldName): boolean => PLAYER_FIELD[name] === 'playerId'

/** The path of the page on which the selection is made and changed. */
export const purchasePathOf = (gameCode: string): string => `/game/${gameCode}`

/** The first page does without the list of methods. One that is not offered gives way to one that is. */
export const isPaymentCode: Guard<PaymentCode> = (value): value is PaymentCode => isText(value)

const isCheck: Guard<'nameless' | 'away'> = (value): value is 'nameless' | 'away' =>
  value === 'nameless' || value === 'away'

const isDraft: Guard<Draft> = shapeOf<Draft>({
  gameCode: isText,
  playerId: isText,
  playerName: orNull(isText),
  playerCheck: orNone(isCheck),
  field2: orNone(isText),
  field3: orNone(isText),
  field4: orNone(isText),
  field5: orNone(isText),
  bank: orNull(isNumber),
  paymentMethod: orNull(isPaymentCode),
  package: orNull(isNumber),
  actualPrice: orNull(isNumber),
  quantity: orNone(isNumber),
  usesCredit: orNone(isFlag),
  acceptedWarning: orNone(isText),
})

export const getDraft = (): Draft | null => read('draft', isDraft)

/** Keeps the selection. Terms that were accepted for an earlier selection no longer count. */
export function saveDraft(draft: Draft): void {
  write('draft', draft)
  remove('acceptedTerms')
}

export const getAcceptedTerms = (): string | null => read('acceptedTerms', isText)

/** Keeps the version of the accepted terms. An earlier order is no longer the one being paid. */
export function saveAcceptedTerms(version: string): void {
  write('acceptedTerms', version)
  remove('order')
}
