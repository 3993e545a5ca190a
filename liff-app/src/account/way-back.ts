import { getCurrentOrder } from '../current-order.ts'
import { getAcceptedTerms, getDraft } from '../draft.ts'
import { forgetInTab, keepInTab, readInTab } from '../storage.ts'

/** Remembers where a person wanted to go, until a sign-in has led there. */
export const rememberWayBack = (path: string): void => keepInTab('wayBack', path)

export const forgetWayBack = (): void => forgetInTab('wayBack')

/** Whether the person signs in during a purchase: before its payment, or after it while the page that thanks is open. */
export const isBuying = (): boolean =>
  (getAcceptedTerms() !== null && getDraft() !== null) || getCurrentOrder() !== null

/** Where a sign-in leads: to the payment, else to the page that asked for the sign-in, else to the game list. */
export function getPathAfterSignIn(): string {
  if (isBuying()) return '/payment'
  const wayBack = readInTab('wayBack')
  return wayBack?.startsWith('/') && !wayBack.startsWith('//') ? wayBack : '/game'
}
