import { AppError, invariant } from '@shop/shared/errors.ts'
import type { Role } from '@shop/shared/permissions.ts'
import type { Auth, UserRecord } from 'firebase-admin/auth'

declare module '../shop/shop.ts' {
  interface Shop {
    identityProvider: IdentityProvider
  }
}

/** What the identity provider keeps of a person. */
export interface ProviderUser {
  uid: string
  email: string | null
  emailVerified: boolean
  /** password, google.com, facebook.com; empty for people who only come with a custom token. */
  providers: string[]
  /** The email address and name that each provider reported for this person. */
  saidBy: Partial<Record<string, { email: string | null; name: string | null }>>
  /**
   * Sessions from before this moment can't be renewed. A password reset by mail moves it, and so does `revokeTokens`.
   */
  tokensValidAfter: Date | null
  lastSignInAt: Date | null
}

/** Facts of the account that travel in its tokens. Only the server sets them. */
export interface Claims {
  role: Role
  ispasswordchange: boolean
  ispinchange: boolean
}

export interface NewProviderUser {
  uid?: string
  email?: string
  password?: string
  displayName?: string
  photoUrl?: string
}

/** Holds people's credentials and issues their tokens: Firebase Authentication, as far as the shop needs it. */
export interface IdentityProvider {
  /** A token with which the browser signs in as `uid`; `claims` are in every token of that session. */
  createCustomToken(uid: string, claims: { lineLink?: number }): Promise<string>
  findUser(uid: string): Promise<ProviderUser | null>
  findUserByEmail(email: string): Promise<ProviderUser | null>
  /** Returns the uid; if that `uid` already exists, its user stays unchanged. @throws EMAIL_IN_USE */
  createUser(user: NewProviderUser): Promise<string>
  /** @throws NOT_FOUND, EMAIL_IN_USE, WEAK_PASSWORD */
  updateUser(
    uid: string,
    change: { email?: string; displayName?: string; password?: string; isDisabled?: boolean },
  ): Promise<void>
  setClaims(uid: string, claims: Claims): Promise<void>
  /** Returns the address of a page where whoever opens it sets this person's password, once. @throws NOT_FOUND */
  passwordLink(email: string): Promise<string>
  /** Ends every session: tokens can't be renewed any more. Returns the new `tokensValidAfter`. */
  revokeTokens(uid: string): Promise<Date | null>
  /** Removes these providers from the person and skips those that are not linked. @throws NOT_FOUND */
  unlinkProviders(uid: string, providers: string[]): Promise<void>
  /** Undoes `createUser`; does nothing when the person does not exist. */
  deleteUser(uid: string): Promise<void>
}

const APP_ERRORS: Record<string, 'NOT_FOUND' | 'EMAIL_IN_USE' | 'WEAK_PASSWORD' | 'INVALID_INPUT'> = {
  'auth/user-not-found': 'NOT_FOUND',
  'auth/email-already-exists': 'EMAIL_IN_USE',
  'auth/invalid-password': 'WEAK_PASSWORD',
  'auth/invalid-email': 'INVALID_INPUT',
}

const codeOf = (error: unknown): string => String((error as { code?: unknown })?.code ?? '')

/** Turns errors that a person can act on into AppErrors; any other error means that the provider can't be used now. */
async function translated<T>(work: Promise<T>): Promise<T> {
  return work.catch((cause: unknown) => {
    throw Object.assign(new AppError(APP_ERRORS[codeOf(cause)] ?? 'UNAVAILABLE'), { cause })
  })
}

/** Like `translated`, but returns `instead` when the work failed with this code. */
const orElse = <T, E>(work: Promise<T>, code: string, instead: E): Promise<T | E> =>
  translated(
    work.catch((error: unknown) => {
      if (codeOf(error) === code) return instead
      throw error
    }),
  )

async function found(work: Promise<UserRecord>): Promise<ProviderUser | null> {
  const user = await orElse(work, 'auth/user-not-found', null)
  if (!user) return null
  return {
    uid: user.uid,
    email: user.email ?? null,
    emailVerified: user.emailVerified,
    providers: user.providerData.map(provider => provider.providerId),
    saidBy: Object.fromEntries(
      user.providerData.map(({ providerId, email, displayName }) => [
        providerId,
        { email: email ?? null, name: displayName ?? null },
      ]),
    ),
    tokensValidAfter: user.tokensValidAfterTime ? new Date(user.tokensValidAfterTime) : null,
    lastSignInAt: user.metadata.lastSignInTime ? new Date(user.metadata.lastSignInTime) : null,
  }
}

/**
 * The Admin SDK takes a while to load and most calls never need it, so it is loaded on first use. It reads the
 * emulator's address from the environment, so the environment must agree with the configuration.
 */
function loadAuth({ projectId, emulatorHost }: { projectId: string; emulatorHost?: string }): () => Promise<Auth> {
  let auth: Promise<Auth> | undefined
  return () => {
    if (emulatorHost) process.env.FIREBASE_AUTH_EMULATOR_HOST = emulatorHost
    else delete process.env.FIREBASE_AUTH_EMULATOR_HOST
    auth ??= Promise.all([import('firebase-admin/app'), import('firebase-admin/auth')]).then(
      ([{ getApps, initializeApp }, { getAuth }]) =>
        getAuth(getApps().find(app => app.name === projectId) ?? initializeApp({ projectId }, projectId)),
    )
    return auth
  }
}

/** Firebase Authentication, or its emulator when `emulatorHost` is set. */
export function createFirebaseIdentity(options: { projectId: string; emulatorHost?: string }): IdentityProvider {
  const auth = loadAuth(options)
  return {
    createCustomToken: async (uid, claims) => translated((await auth()).createCustomToken(uid, claims)),
    findUser: async uid => found((await auth()).getUser(uid)),
    findUserByEmail: async email => found((await auth()).getUserByEmail(email)),
    async createUser({ photoUrl, ...user }) {
      const created = (await auth()).createUser({ ...user, ...(photoUrl && { photoURL: photoUrl }) })
      const { uid } = await orElse(created, 'auth/uid-already-exists', { uid: user.uid })
      invariant(uid, 'only a given uid can exist already')
      return uid
    },
    async updateUser(uid, { isDisabled, ...change }) {
      await translated(
        (await auth()).updateUser(uid, { ...change, ...(isDisabled !== undefined && { disabled: isDisabled }) }),
      )
    },
    setClaims: async (uid, claims) => translated((await auth()).setCustomUserClaims(uid, claims)),
    passwordLink: async email => translated((await auth()).generatePasswordResetLink(email)),
    async revokeTokens(uid) {
      await translated((await auth()).revokeRefreshTokens(uid))
      return (await found((await auth()).getUser(uid)))?.tokensValidAfter ?? null
    },
    async unlinkProviders(uid, providers) {
      await translated((await auth()).updateUser(uid, { providersToUnlink: providers }))
    },
    async deleteUser(uid) {
      await orElse((await auth()).deleteUser(uid), 'auth/user-not-found', undefined)
    },
  }
}
