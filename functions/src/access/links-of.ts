import { isOwnLineAccount, LINKABLE, type Linkable } from '@shop/shared/account/account.ts'
import type { Account } from '../account/store.ts'

/** A way to sign in that was added to an account. */
export interface Link {
  provider: Linkable
  /** null when the link is older than this record. */
  linkedAt: Date | null
}

/** Returns since when the account has each way to sign in: known ways keep their moment, new ones get `now`. */
export function sinceOf(account: Account | null, providers: readonly string[], now: Date): Record<string, string> {
  const since = (provider: string) =>
    account?.providers.includes(provider) ? account.providersSince[provider] : now.toISOString()
  return Object.fromEntries(
    providers.flatMap(provider => {
      const at = since(provider)
      return at ? [[provider, at]] : []
    }),
  )
}

/**
 * Returns the ways to sign in that can be removed: all except the password and the LINE identity that the account
 * itself stands for.
 */
export function linksOf({ providers, providersSince, lineLinkedAt }: Account): Link[] {
  return LINKABLE.flatMap((provider): Link[] => {
    if (provider === 'line') return lineLinkedAt ? [{ provider, linkedAt: lineLinkedAt }] : []
    const since = providersSince[provider]
    return providers.includes(provider) ? [{ provider, linkedAt: since ? new Date(since) : null }] : []
  })
}

/** Returns the ways to sign in that remain when `removed` are taken away. */
export function waysWithout(account: Account, removed: readonly Linkable[]): string[] {
  const isKept = (way: string) => !(removed as readonly string[]).includes(way)
  const hasLine = isOwnLineAccount(account.uid) || (account.lineLinkedAt !== null && isKept('line'))
  return [...account.providers.filter(isKept), ...(hasLine ? ['line'] : [])]
}
