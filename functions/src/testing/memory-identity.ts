import { AppError } from '@shop/shared/errors.ts'
import type { Claims, IdentityProvider, NewProviderUser, ProviderUser } from '../account/identity-provider.ts'

interface MemoryUser extends ProviderUser {
  displayName?: string
  password?: string
  isDisabled: boolean
  claims?: Claims
  revocations: number
}

/** An identity provider whose people are in `users`, for tests that are not about Firebase. */
export function createMemoryIdentity(
  now: () => Date = () => new Date(0),
): IdentityProvider & { users: Map<string, MemoryUser> } {
  const users = new Map<string, MemoryUser>()
  const fresh = { saidBy: {}, tokensValidAfter: null, lastSignInAt: null, isDisabled: false, revocations: 0 }
  /** Accounts that a test put straight into the database are there as password users. */
  const userOf = (uid: string): MemoryUser => {
    const base = { email: `${uid}@test.shop`.toLowerCase(), emailVerified: true, providers: ['password'] }
    const user = users.get(uid) ?? { ...fresh, uid, ...base }
    users.set(uid, user)
    return user
  }
  const byEmail = (email: string) => [...users.values()].find(user => user.email === email.toLowerCase()) ?? null
  const isTaken = (email: string, uid?: string) => {
    const owner = byEmail(email)
    return owner !== null && owner.uid !== uid
  }
  return {
    users,
    createCustomToken: async (uid, claims) => `custom-token-for:${uid}#${JSON.stringify(claims)}`,
    findUser: async uid => users.get(uid) ?? null,
    findUserByEmail: async email => byEmail(email),
    async createUser({ uid = `uid-${users.size + 1}`, email, password, displayName }: NewProviderUser) {
      if (users.has(uid)) return uid
      if (email && isTaken(email)) throw new AppError('EMAIL_IN_USE')
      const providers = password ? ['password'] : []
      const base = { uid, email: email?.toLowerCase() ?? null, emailVerified: false, providers }
      users.set(uid, { ...fresh, ...base, displayName, password })
      return uid
    },
    async updateUser(uid, change) {
      const user = userOf(uid)
      if (change.email && isTaken(change.email, uid)) throw new AppError('EMAIL_IN_USE')
      Object.assign(user, change)
    },
    async setClaims(uid, claims) {
      userOf(uid).claims = claims
    },
    passwordLink: async email => `https://password.test/${email}`,
    async revokeTokens(uid) {
      const user = userOf(uid)
      user.revocations += 1
      user.tokensValidAfter = now()
      return user.tokensValidAfter
    },
    async unlinkProviders(uid, providers) {
      const user = userOf(uid)
      user.providers = user.providers.filter(each => !providers.includes(each))
    },
    async deleteUser(uid) {
      users.delete(uid)
    },
  }
}
