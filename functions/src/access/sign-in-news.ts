import type { NewsFacts, OwnerNewsKind } from '@shop/shared/account/news.ts'
import type { Account } from '../account/store.ts'
import type { Sql } from '../database/database.ts'
import { tellOwner, viaOf, wayOf } from './news.ts'
import type { Settled, SignIn } from './proof.ts'

/** Returns the secrets that a sign-in shows to have been changed at the identity provider, without the shop. */
export function changedOutside(account: Account, { token }: SignIn, settled: Settled): ('password' | 'email')[] {
  if (settled.isTakeover) return []
  if (!settled.error && account.email && token.email && !isSame(account.email, token.email)) return ['email']
  const [seen, moved] = [account.providerValidAfter, settled.providerValidAfter]
  return seen !== null && moved !== null && moved > seen ? ['password'] : []
}

/** Returns the news that a sign-in reveals; some changes happened at the identity provider without the shop. */
function newsOf(account: Account, signIn: SignIn, settled: Settled): { kind: OwnerNewsKind; facts?: NewsFacts }[] {
  const { token } = signIn
  if (settled.isTakeover) return [{ kind: 'takenOver', facts: wayOf(token.provider) }]
  const isOther = (ways: string[]) => (way: string) => !ways.includes(way)
  const gone = account.providers.filter(isOther(settled.providers))
  if (settled.dropsLine && account.lineSubject) gone.push('line')
  const changed = changedOutside(account, signIn, settled)
  return [
    ...settled.providers.filter(isOther(account.providers)).map(way => ({
      kind: 'signInLinked' as const,
      facts: { ...wayOf(way), ...viaOf(token) },
    })),
    ...gone.map(way => ({ kind: 'signInUnlinked' as const, facts: wayOf(way) })),
    ...(changed.includes('email') ? [{ kind: 'emailChanged' as const, facts: viaOf(token) }] : []),
    ...(changed.includes('password') ? [{ kind: 'passwordChanged' as const, facts: { via: 'outside' as const } }] : []),
  ]
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** Tells the owner of an account what a sign-in is about to change; see `tellOwner`. */
export async function tellOfSignIn(tx: Sql, account: Account, signIn: SignIn, settled: Settled): Promise<void> {
  for (const news of newsOf(account, signIn, settled))
    await tellOwner(tx, { ...news, uid: account.uid, byShop: false, at: signIn.now })
}
