import { isOwnLineAccount, LINKABLE, type Linkable } from '@shop/shared/account/account.ts'
import type { Account } from './store.ts'

/** A way to sign in that was added to an account. */
export interface Link {
  provider: Linkable
  /** null for one from before the shop kept it. */
  linkedAt: Date | null
}

/** Since when each way is the account's: those that it has stay as they are, the others come now. */
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

/** What can be taken away from an account: all but its password, and the LINE identity that it is itself. */
export function linksOf({ providers, providersSince, lineLinkedAt }: Account): Link[] {
  return LINKABLE.flatMap((provider): Link[] => {
    if (provider === 'line') return lineLinkedAt ? [{ provider, linkedAt: lineLinkedAt }] : []
    const since = providersSince[provider]
    return providers.includes(provider) ? [{ provider, linkedAt: since ? new Date(since) : null }] : []
  })
}

/** The ways to sign in that stay when some are taken away. */
export function waysWithout(account: Account, removed: readonly Linkable[]): string[] {
  const isKept = (way: string) => !(removed as readonly string[]).includes(way)
  const hasLine = isOwnLineAccount(account.uid) || (account.lineLinkedAt !== null && isKept('line'))
  return [...account.providers.filter(isKept), ...(hasLine ? ['line'] : [])]
}
