import { SIGN_IN_PROVIDER, type SignInProvider } from '@shop/shared/account/account.ts'
import { AppError } from '@shop/shared/errors.ts'
import type { ProviderUser } from '../account/identity-provider.ts'
import { cameBefore, cameFromLine, isOwnWay } from '../account/session.ts'
import { type Account, hasProvider } from '../account/store.ts'
import type { TokenIdentity } from '../account/token.ts'

/** A sign-in: the content of its token and the identity provider's record of the person. */
export interface SignIn {
  token: TokenIdentity
  user: ProviderUser
  now: Date
}

/** The result of a sign-in: how the account changes, and whether the sign-in is refused. */
export interface Settled {
  /** When set, the sign-in is refused, but the other changes are saved all the same. */
  error: AppError | null
  /** The account is emptied and given to the person who proved that they own its address. */
  isTakeover: boolean
  /** The linked LINE identity is removed. */
  dropsLine: boolean
  providers: string[]
  /** Ways to sign in at the identity provider that the account does not have; they are removed there. */
  strays: string[]
  tokensValidAfter: Date | null
  providerValidAfter: Date | null
}

const isSameAddress = (a: string | null | undefined, b: string | null | undefined): boolean =>
  !!a && a.toLowerCase() === b?.toLowerCase()

/** Tells whether the address is now proven for the first time, by this sign-in or by mail. */
const isFirstProof = (account: Account, token: TokenIdentity): boolean =>
  token.emailVerified && !(account.emailVerified && isSameAddress(account.email, token.email))

/** Tells whether the sign-in itself proves the address: its provider verifies addresses and reported this one. */
function provesAddress({ token, user }: SignIn): boolean {
  const provider = SIGN_IN_PROVIDER[token.provider as SignInProvider]
  return provider?.provesEmail && token.emailVerified && isSameAddress(user.saidBy[token.provider]?.email, token.email)
}

/**
 * Tells whether an account can go to another person because only the one who registered it would miss it: it has no
 * money, no rank and no ban to escape from.
 */
const isFree = ({ walletId, role, status }: Account): boolean =>
  walletId === null && role === 'customer' && status !== 'inactive'

const later = (a: Date | null, b: Date | null): Date | null => (a === null || (b !== null && b > a) ? b : a)

/** Returns the ways to sign in that belong to the address, or all of them if none would remain. */
function waysOfAddress(providers: string[], { token, user }: SignIn): string[] {
  const kept = providers.filter(
    provider => provider === 'password' || isSameAddress(user.saidBy[provider]?.email, token.email),
  )
  return kept.length > 0 ? kept : providers
}

/** Returns the ways to sign in of a new person: the one they used and others with the same address. */
export function firstWaysOf(signIn: SignIn): string[] {
  const { token, user } = signIn
  const came = cameFromLine(token) ? [] : [token.provider]
  return [...new Set([...came, ...waysOfAddress(user.providers, signIn)])]
}

/** Returns the ways to sign in of a known account as they are before this sign-in proves anything. */
function waysNow(account: Account, { user, now }: SignIn): Pick<Settled, 'providers' | 'strays'> {
  const own = user.providers.filter(provider => hasProvider(account, provider, now))
  // A merge at the identity provider may have removed the owner's way to sign in, so the shop's record is kept.
  if (own.length === 0) return { providers: account.providers, strays: [] }
  return { providers: own, strays: user.providers.filter(provider => !own.includes(provider)) }
}

/** Gives the account to the way to sign in that proved its address. */
function takeOver(settled: Settled, { token, user }: SignIn): Settled {
  return {
    ...settled,
    isTakeover: true,
    dropsLine: true,
    providers: [token.provider],
    strays: user.providers.filter(provider => provider !== token.provider),
    tokensValidAfter: later(settled.tokensValidAfter, token.signedInAt),
    providerValidAfter: user.tokensValidAfter,
  }
}

/** The owner of the address has signed in, so earlier links and sessions end. */
function startAnew(settled: Settled, signIn: SignIn, dropsLine: boolean): Settled {
  const { token } = signIn
  const providers = waysOfAddress(settled.providers, signIn)
  const isDropped = cameFromLine(token) ? dropsLine : !providers.includes(token.provider)
  return {
    ...settled,
    dropsLine,
    providers,
    strays: signIn.user.providers.filter(provider => !providers.includes(provider)),
    tokensValidAfter: later(settled.tokensValidAfter, isDropped ? null : token.signedInAt),
    error: isDropped ? new AppError('SESSION_REVOKED') : null,
  }
}

/**
 * Proof beats claim. A sign-in by a way that the account does not have takes the account over if it proves the address
 * and nobody has proven it before. When an address is proven for the first time, or again by a password reset, older
 * sessions and links end, because somebody else may have registered the account.
 */
export function settle(account: Account, signIn: SignIn): Settled {
  const { token, user, now } = signIn
  const seen = account.providerValidAfter
  const hasMoved = user.tokensValidAfter !== null && (seen === null || user.tokensValidAfter > seen)
  const isFirst = isFirstProof(account, token)
  const refused: Settled = {
    error: new AppError('SESSION_REVOKED'),
    isTakeover: false,
    dropsLine: false,
    strays: [],
    providers: account.providers,
    tokensValidAfter: later(account.tokensValidAfter, hasMoved ? user.tokensValidAfter : null),
    // Why this moment changed is examined only for a sign-in that is let in.
    providerValidAfter: seen,
  }
  if (cameBefore(token, refused.tokensValidAfter)) return refused
  if (!isOwnWay(account, token, now)) {
    const mayTakeOver = isFirst && provesAddress(signIn) && isFree(account)
    if (mayTakeOver) return takeOver({ ...refused, error: null }, signIn)
    return cameFromLine(token) ? refused : { ...refused, error: new AppError('SIGN_IN_THEN_LINK') }
  }
  const known = {
    ...refused,
    ...waysNow(account, signIn),
    error: null,
    providerValidAfter: user.tokensValidAfter ?? seen,
  }
  const isReset = hasMoved && seen !== null && token.emailVerified
  if (!isFirst && !isReset) return known
  const linkedAt = account.lineLinkedAt
  return startAnew(known, signIn, linkedAt !== null && (isFirst || linkedAt < user.tokensValidAfter!))
}
