import { SIGN_IN_PROVIDER, type SignInProvider } from '@shop/shared/account/account.ts'
import { AppError } from '@shop/shared/errors.ts'
import type { ProviderUser } from './identity-provider.ts'
import { cameBefore, cameFromLine, isOwnWay } from './session.ts'
import { type Account, hasProvider } from './store.ts'
import type { TokenIdentity } from './token.ts'

/** A sign-in: what its token says and what the identity provider keeps of the person. */
export interface SignIn {
  token: TokenIdentity
  user: ProviderUser
  now: Date
}

/** What a sign-in makes of the account it reached. */
export interface Settled {
  /** The sign-in is refused; the rest holds all the same. */
  error: AppError | null
  /** The account goes over, emptied, to the person who proved its address. */
  isTakeover: boolean
  /** The linked LINE identity goes. */
  dropsLine: boolean
  providers: string[]
  /** Ways at the identity provider that are not the account's and go there too. */
  strays: string[]
  tokensValidAfter: Date | null
  providerValidAfter: Date | null
}

const isSameAddress = (a: string | null | undefined, b: string | null | undefined): boolean =>
  !!a && a.toLowerCase() === b?.toLowerCase()

/** Whether the token's address is shown to be the person's, by this sign-in or by mail, for the first time. */
const isFirstProof = (account: Account, token: TokenIdentity): boolean =>
  token.emailVerified && !(account.emailVerified && isSameAddress(account.email, token.email))

/** Whether the sign-in itself proves the address: its provider vouches for addresses, and this is the one it gave. */
function provesAddress({ token, user }: SignIn): boolean {
  const provider = SIGN_IN_PROVIDER[token.provider as SignInProvider]
  return provider?.provesEmail && token.emailVerified && isSameAddress(user.saidBy[token.provider]?.email, token.email)
}

/** An account that only whoever registered it would miss: no money, no rank, no ban to get away from. */
const isFree = ({ walletId, role, status }: Account): boolean =>
  walletId === null && role === 'customer' && status !== 'inactive'

const later = (a: Date | null, b: Date | null): Date | null => (a === null || (b !== null && b > a) ? b : a)

/** Those ways that belong to the address; if none would stay, all do. */
function waysOfAddress(providers: string[], { token, user }: SignIn): string[] {
  const kept = providers.filter(
    provider => provider === 'password' || isSameAddress(user.saidBy[provider]?.email, token.email),
  )
  return kept.length > 0 ? kept : providers
}

/** The ways of somebody who comes for the first time: the one they came by and others of the same address. */
export function firstWaysOf(signIn: SignIn): string[] {
  const { token, user } = signIn
  const came = cameFromLine(token) ? [] : [token.provider]
  return [...new Set([...came, ...waysOfAddress(user.providers, signIn)])]
}

/** The ways of a known account as they are now, before anything was proven. */
function waysNow(account: Account, { user, now }: SignIn): Pick<Settled, 'providers' | 'strays'> {
  const own = user.providers.filter(provider => hasProvider(account, provider, now))
  // A merge at the identity provider may have taken the owner's way away; what the shop recorded stays.
  if (own.length === 0) return { providers: account.providers, strays: [] }
  return { providers: own, strays: user.providers.filter(provider => !own.includes(provider)) }
}

/** The account goes over to the way that proved its address. */
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

/** The owner of the address showed themself: what was linked before, and sessions from before, end. */
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
 * Proof beats claim. A sign-in by a way that is not the account's takes the account over if it proves the address and
 * nobody did before. An address that is proven for the first time, or anew by a reset of the password, ends older
 * sessions and what was linked before: whoever registered it may have been somebody else.
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
    // What moved it is looked at by a sign-in that is let in.
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
