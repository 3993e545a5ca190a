import { SIGN_IN_PROVIDERS, type SignInProvider } from '@shop/shared/account/account.ts'
import { AppError } from '@shop/shared/errors.ts'

const KEPT = 'linkOffer'

const isProvider = (text: string | null): text is SignInProvider => SIGN_IN_PROVIDERS.includes(text as SignInProvider)

/**
 * Remembers, over the sign-in that follows, a way that was refused because its address has an account already. Only
 * whoever then signs in to that account, and proves the way again, can link the two.
 */
export function offerLink(provider: SignInProvider): void {
  try {
    sessionStorage.setItem(KEPT, provider)
  } catch {
    // A browser that keeps nothing: the account page links without the offer.
  }
}

/** Whether LINE's sign-in was refused because its address has an account; the identity provider's codes are others. */
export const hasAccountElsewhere = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'EMAIL_IN_USE'

/** What LINE's sign-in failed with, passed on; an address that has an account makes it an offer. */
export function orOfferLine(error: unknown): never {
  if (hasAccountElsewhere(error)) offerLink('line')
  throw error
}

export function getLinkOffer(): SignInProvider | null {
  try {
    const kept = sessionStorage.getItem(KEPT)
    return isProvider(kept) ? kept : null
  } catch {
    return null
  }
}

export const forgetLinkOffer = (): void => sessionStorage.removeItem(KEPT)

/** The way that an address of the account page offers to link; null for none. */
export function linkOfferOf(query: URLSearchParams): SignInProvider | null {
  const named = query.get('link')
  return isProvider(named) ? named : null
}

export const linksPathOf = (uid: string, offered?: SignInProvider): string =>
  `/user/${uid}?panel=links${offered ? `&link=${offered}` : ''}`
