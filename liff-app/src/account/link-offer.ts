import { SIGN_IN_PROVIDERS, type SignInProvider } from '@shop/shared/account/account.ts'
import { AppError } from '@shop/shared/errors.ts'
import { forgetInTab, keepInTab, readInTab } from '../storage.ts'

const isProvider = (text: string | null): text is SignInProvider => SIGN_IN_PROVIDERS.includes(text as SignInProvider)

/**
 * Remembers a provider whose sign-in was refused because its address already has an account. The two can be linked only
 * by somebody who then signs in to that account and proves the refused provider again.
 */
export const offerLink = (provider: SignInProvider): void => keepInTab('linkOffer', provider)

/** Whether LINE's sign-in was refused because its address has an account. Firebase uses other codes for its own ways. */
export const hasAccountElsewhere = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'EMAIL_IN_USE'

/** Throws what LINE's sign-in failed with; where the address has an account, linking LINE to it is offered later. */
export function orOfferLine(error: unknown): never {
  if (hasAccountElsewhere(error)) offerLink('line')
  throw error
}

export function getLinkOffer(): SignInProvider | null {
  const kept = readInTab('linkOffer')
  return isProvider(kept) ? kept : null
}

export const forgetLinkOffer = (): void => forgetInTab('linkOffer')

/** The provider that an address of the account page offers to link, or null. */
export function linkOfferOf(query: URLSearchParams): SignInProvider | null {
  const named = query.get('link')
  return isProvider(named) ? named : null
}

export const linksPathOf = (uid: string, offered?: SignInProvider): string =>
  `/user/${uid}?panel=links${offered ? `&link=${offered}` : ''}`
