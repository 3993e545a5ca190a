import { getCurrentOrder } from '../current-order.ts'
import { getAcceptedTerms, getDraft } from '../draft.ts'

const KEPT = 'wayBack'

/** Remembers where a person wanted to go, over the pages of a sign-in. */
export function rememberWayBack(path: string): void {
  try {
    sessionStorage.setItem(KEPT, path)
  } catch {
    // A browser that keeps nothing leads to the game list.
  }
}

export const forgetWayBack = (): void => sessionStorage.removeItem(KEPT)

function getWayBack(): string | null {
  try {
    return sessionStorage.getItem(KEPT)
  } catch {
    return null
  }
}

/** Whether somebody signs in to pay for what they chose. */
export const isBuying = (): boolean =>
  (getAcceptedTerms() !== null && getDraft() !== null) || getCurrentOrder() !== null

/** Where a sign-in leads: on with the payment, else to the page that asked for it, else to the game list. */
export function getPathAfterSignIn(): string {
  if (isBuying()) return '/payment'
  const wayBack = getWayBack()
  return wayBack?.startsWith('/') && !wayBack.startsWith('//') ? wayBack : '/game'
}
