import { changePassword, getMe, type Me, syncAccount } from '@shop/shared/account/endpoints.ts'
import type { Client } from '@shop/shared/client.ts'
import { AppError } from '@shop/shared/errors.ts'
import { createApi } from '../api.ts'
import type { Identity } from './identity.ts'

export type SessionState =
  | { status: 'loading' }
  /** The account could not be read; `retry` of the session tries again. */
  | { status: 'failed'; error: unknown }
  /** `notice` says why; null when it was the person's own wish. */
  | { status: 'signedOut'; notice: string | null }
  | { status: 'signedIn'; me: Me }

export interface Session {
  client: Client
  getState(): SessionState
  subscribe(listener: () => void): () => void
  /** Finds out whether somebody is signed in at this browser; also the retry after `failed`. */
  start(): void
  signInWithPassword(email: string, password: string): Promise<void>
  signInWithGoogle(emailHint: string): Promise<void>
  signOut(): Promise<void>
  /** Proves the current password, sets the new one and signs in with it. Throws SignInError or AppError. */
  changePassword(currentPassword: string, newPassword: string): Promise<void>
  sendVerificationEmail(): Promise<void>
  /** Reads the account again after something about it was changed. */
  refresh(): Promise<void>
}

const MUST_SIGN_IN = 'You must be logged in to see this page'

/** Who works here: the identity provider's user together with the shop's own account. */
export function createSession(options: { loadIdentity: () => Promise<Identity>; baseUrl?: string }): Session {
  let state: SessionState = { status: 'loading' }
  /** While somebody signs in, what the identity provider says and refused tokens of the old session are no news. */
  let isSigningIn = false
  /** The identity provider's user; undefined until it has said who that is. */
  let uid: string | null | undefined
  let loading: Promise<Identity> | undefined
  const listeners = new Set<() => void>()

  const set = (next: SessionState) => {
    state = next
    for (const listener of listeners) listener()
  }
  const load = () => {
    loading ??= options.loadIdentity().catch(error => {
      loading = undefined
      throw error
    })
    return loading
  }
  const end = async (notice: string | null) => {
    set({ status: 'signedOut', notice })
    await (await load()).signOut()
  }
  const client = createApi({
    baseUrl: options.baseUrl,
    getToken: async () => (await load()).getToken(),
    onRefusedToken: error => {
      if (!isSigningIn) void end(error.message)
    },
  })

  async function readAccount(): Promise<Me> {
    try {
      return await client.call(getMe)
    } catch (error) {
      // Signed in with the identity provider, but the shop was not told yet.
      if (error instanceof AppError && error.code === 'NOT_FOUND') return client.call(syncAccount, { body: {} })
      throw error
    }
  }

  async function restore(): Promise<void> {
    if (isSigningIn || uid === undefined) return
    if (uid === null) {
      if (state.status !== 'signedOut') set({ status: 'signedOut', notice: MUST_SIGN_IN })
      return
    }
    try {
      set({ status: 'signedIn', me: await readAccount() })
    } catch (error) {
      if (error instanceof AppError && error.code === 'ACCOUNT_INACTIVE') await end(error.message)
      else if (getStatus() !== 'signedOut') set({ status: 'failed', error })
    }
  }
  const getStatus = () => state.status

  async function signIn(enter: (identity: Identity) => Promise<void>): Promise<void> {
    isSigningIn = true
    try {
      const identity = await load()
      await enter(identity)
      try {
        set({ status: 'signedIn', me: await client.call(syncAccount, { body: {} }) })
      } catch (error) {
        await identity.signOut()
        throw error
      }
    } finally {
      isSigningIn = false
    }
  }

  /** The server ends every session with the old password, this one too. */
  async function renewPassword(currentPassword: string, newPassword: string): Promise<void> {
    const identity = await load()
    isSigningIn = true
    try {
      await identity.proveAgain(currentPassword)
      const { email } = await client.call(changePassword, { body: { password: newPassword } })
      await identity.signInWithPassword(email ?? '', newPassword)
      set({ status: 'signedIn', me: await client.call(getMe) })
    } finally {
      isSigningIn = false
    }
  }

  return {
    client,
    getState: () => state,
    subscribe: listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    start: () => {
      set({ status: 'loading' })
      if (uid !== undefined) return void restore()
      load()
        .then(identity =>
          identity.onUser(user => {
            uid = user
            void restore()
          }),
        )
        .catch(error => set({ status: 'failed', error }))
    },
    signInWithPassword: (email, password) => signIn(identity => identity.signInWithPassword(email, password)),
    signInWithGoogle: emailHint => signIn(identity => identity.signInWithGoogle(emailHint)),
    signOut: () => end(null),
    changePassword: (currentPassword, newPassword) => renewPassword(currentPassword, newPassword),
    sendVerificationEmail: async () => (await load()).sendVerificationEmail(),
    refresh: async () => set({ status: 'signedIn', me: await client.call(getMe) }),
  }
}
