import type { PaymentCode } from '@shop/shared/catalogue/catalogue.ts'
import type { EndpointInput } from '@shop/shared/endpoint.ts'
import type { confirmPrice } from '@shop/shared/order/endpoints.ts'
import { read, remove, write } from '../storage.ts'

type Extra = 'field2' | 'field3' | 'field4' | 'field5'

/** The selection a customer has made so far, as the browser keeps it. Prices in it are only what was shown. */
export type Draft = {
  gameCode: string
  playerId: string
  /** From the player check, where the game has one. */
  playerName: string | null
  /** The receiving account. */
  bank: number | null
  paymentMethod: PaymentCode | null
  package: number | null
  /** The price shown with that package, in satang, for one piece. */
  actualPrice: number | null
  /** Pieces of the package; only a wallet order may have more than one. */
  quantity?: number
} & Partial<Record<Extra, string>>

export function createDraft(gameCode: string): Draft {
  return {
    gameCode,
    playerId: '',
    playerName: null,
    bank: null,
    paymentMethod: null,
    package: null,
    actualPrice: null,
  }
}

export const getQuantity = (draft: Draft): number => (draft.paymentMethod === 'wallet' ? (draft.quantity ?? 1) : 1)

export const getDraft = (): Draft | null => read<Draft>('draft')

/** Keeps the selection. Terms accepted for an earlier one no longer count. */
export function saveDraft(draft: Draft): void {
  write('draft', draft)
  remove('acceptedTerms')
}

export const getAcceptedTerms = (): string | null => read<string>('acceptedTerms')
export const saveAcceptedTerms = (version: string): void => write('acceptedTerms', version)

type OrderRequest = EndpointInput<typeof confirmPrice>['body']
type Placing = { key: string; request: object }

/**
 * The idempotency key for a request: the same one as long as that request has had no answer, so that trying again
 * after a lost connection can't make a second order.
 */
export function getPlacingKey(request: object): string {
  const kept = findPlacing(request)
  if (kept) return kept.key
  const key = crypto.randomUUID()
  write('placing', { key, request } satisfies Placing)
  return key
}

function findPlacing(request: object): Placing | null {
  const kept = read<Placing>('placing')
  return kept && JSON.stringify(kept.request) === JSON.stringify(request) ? kept : null
}

/** Whether this very request was sent before and had no answer yet. */
export const isPlacing = (request: object): boolean => findPlacing(request) !== null

/** The request was answered, either way. */
export const endPlacing = (): void => remove('placing')

/** What is sent for a complete bank selection; null while something is missing. */
export function toOrderRequest(draft: Draft, gameId: number, termsVersion: string): OrderRequest | null {
  const { playerId, field2, field3, field4, field5 } = draft
  if (draft.paymentMethod !== 'bank' || !draft.package || !draft.bank || !playerId) return null
  return {
    gameId,
    packageId: draft.package,
    playerId,
    field2,
    field3,
    field4,
    field5,
    receivingAccountId: draft.bank,
    termsVersion,
  }
}
