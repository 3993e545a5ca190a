import { changePassword, getMe, type Me, syncAccount } from '@shop/shared/account/endpoints.ts'
import type { Client } from '@shop/shared/client.ts'
import type { EndpointInput } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import { forcedBy } from './forced-change.ts'

/** The identity provider as far as every session needs it; loaded only when somebody's session matters. */
export interface Provider {
  /** Hears who is signed in: once when known, then at every change; null is nobody. */
  onUser(listener: (uid: string | null) => void): void
  /** A fresh ID token; null when nobody is signed in. Rejects with why there are no more, or UNAVAILABLE. */
  getToken(): Promise<string | null>
  signInWithPassword(email: string, password: string): Promise<unknown>
  /** The signed-in person proves again who they are. */
  proveWithPassword(password: string): Promise<void>
  signOut(): Promise<void>
}

/** How nobody came to be signed in: never was, by the person's own wish, or by a refusal that says why. */
type SignedOutCause = 'nobody' | 'wish' | AppError

export type SessionState =
  | { status: 'loading' }
  /** The account could not be read; `start` tries again. */
  | { status: 'failed'; error: unknown }
  | { status: 'signedOut'; cause: SignedOutCause }
  | { status: 'signedIn'; me: Me }

/** What a new customer says about themselves. */
type Profile = EndpointInput<typeof syncAccount>['body']

interface SessionOptions<P extends Provider> {
  loadProvider: () => Promise<P>
  /** The client, which sends `headers` with each call and reports to `hearRefusal`. */
  getClient: () => Client
  /**
   * Who was signed in when this browser last knew, null for nobody: they count as signed in until the server says
   * otherwise, and for nobody the provider isn't loaded. Without it, everybody waits for the provider.
   */
  recall?: () => Me | null
}

export type Session<P extends Provider> = ReturnType<typeof createSession<P>>

/** Who is signed in: the identity provider's user together with the shop's own account. */
export function createSession<P extends Provider>({ loadProvider, getClient, recall }: SessionOptions<P>) {
  let state: SessionState = { status: 'loading' }
  /** Meanwhile, what the provider says and refusals of the old session are no news. */
  let isSigningIn = false
  /** The provider's user; undefined until it has said who that is. */
  let uid: string | null | undefined
  /** Counts what happened: an answer to a question asked before it is old. */
  let changes = 0
  let loading: Promise<P> | undefined
  const listeners = new Set<(state: SessionState) => void>()
  const totpListeners = new Set<() => void>()

  const getStatus = () => state.status
  const set = (next: SessionState) => {
    changes += 1
    state = next
    for (const listener of listeners) listener(next)
  }

  const watch = (provider: P): P => {
    provider.onUser(user => {
      uid = user
      void restore()
    })
    return provider
  }
  const load = (): Promise<P> => {
    loading ??= loadProvider()
      .then(watch)
      .catch(error => {
        loading = undefined
        throw error
      })
    return loading
  }

  async function readAccount(): Promise<Me> {
    try {
      return await getClient().call(getMe)
    } catch (error) {
      // Signed in with the identity provider, but the shop was not told yet.
      if (error instanceof AppError && error.code === 'NOT_FOUND') return getClient().call(syncAccount, { body: {} })
      throw error
    }
  }

  async function restore(): Promise<void> {
    if (isSigningIn || uid === undefined) return
    if (uid === null) {
      if (state.status !== 'signedOut') set({ status: 'signedOut', cause: 'nobody' })
      return
    }
    if (state.status === 'signedOut') set({ status: 'loading' })
    const asked = changes
    try {
      const me = await readAccount()
      if (changes === asked) set({ status: 'signedIn', me })
    } catch (error) {
      if (changes !== asked) return
      const code = error instanceof AppError ? error.code : null
      if (code === 'LINE_NOT_ALLOWED') return end(error as AppError)
      // Registered with the provider alone, and not by name: signing in asks for it. Another tab may be about to tell it.
      if (code === 'NAME_REQUIRED') return set({ status: 'signedOut', cause: 'nobody' })
      // Who is known stays known while the server is away; the next call asks again.
      if (getStatus() === 'loading') set({ status: 'failed', error })
    }
  }

  async function end(cause: SignedOutCause): Promise<void> {
    set({ status: 'signedOut', cause })
    await load()
      .then(provider => provider.signOut())
      .catch(() => undefined)
  }

  async function whileSigningIn<T>(work: (provider: P) => Promise<T>): Promise<T> {
    isSigningIn = true
    try {
      return await work(await load())
    } finally {
      isSigningIn = false
    }
  }

  async function enter(provider: P, authenticate: (provider: P) => Promise<unknown>, profile: Profile): Promise<Me> {
    await authenticate(provider)
    try {
      const me = await getClient().call(syncAccount, { body: profile })
      set({ status: 'signedIn', me })
      return me
    } catch (error) {
      if (getStatus() === 'signedIn') set({ status: 'signedOut', cause: 'nobody' })
      await provider.signOut()
      throw error
    }
  }

  return {
    getState: () => state,
    subscribe: (listener: (state: SessionState) => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    /** Hears that a call was refused until this session is confirmed with a code of the authenticator app. */
    onTotpRequired: (listener: () => void) => {
      totpListeners.add(listener)
      return () => {
        totpListeners.delete(listener)
      }
    },

    /** Finds out whether somebody is signed in at this browser; also the retry after `failed`. Gives what is known now. */
    start(): SessionState {
      const me = recall?.()
      set(me ? { status: 'signedIn', me } : recall ? { status: 'signedOut', cause: 'nobody' } : { status: 'loading' })
      if (state.status === 'signedOut') return state
      if (uid !== undefined) void restore()
      else load().catch(error => getStatus() === 'loading' && set({ status: 'failed', error }))
      return state
    },

    /** The headers that say who calls; none for nobody. */
    async headers(): Promise<Record<string, string>> {
      if (!isSigningIn && state.status === 'signedOut') return {}
      const provider = await load()
      const token = await provider.getToken().catch((error: unknown) => {
        // The provider has ended the session itself, and says why.
        if (error instanceof AppError && error.code !== 'UNAVAILABLE') void end(error)
        throw error
      })
      return token ? { authorization: `Bearer ${token}` } : {}
    },

    /** Hears that the server answered a signed-in call with 401 or 403. */
    hearRefusal(error: AppError): void {
      if (isSigningIn || state.status === 'signedOut') return
      // Other 401s speak to a guest; here somebody was signed in.
      if (error.status === 401)
        return void end(error.code === 'SESSION_EXPIRED' ? error : new AppError('SESSION_REVOKED'))
      if (error.code === 'ACCOUNT_INACTIVE') return void end(error)
      if (error.code === 'TOTP_REQUIRED') for (const listener of totpListeners) listener()
      const me = state.status === 'signedIn' && forcedBy(state.me, error.code)
      if (me) set({ status: 'signedIn', me })
    },

    /**
     * Signs in by any of the provider's ways, then lets the server record it. Rejects with the provider's error or an
     * `AppError`; afterwards nobody new is signed in.
     */
    signIn: (authenticate: (provider: P) => Promise<unknown>, profile: Profile = {}): Promise<Me> =>
      whileSigningIn(provider => enter(provider, authenticate, profile)),

    /**
     * Proves the current password, lets the server set the new one, which ends every session with the old, and signs in
     * again. null when only that failed: the password is new, and the person signs in by hand. Rejects like `signIn`.
     */
    renewPassword: (current: string, next: string): Promise<Me | null> =>
      whileSigningIn(async provider => {
        await provider.proveWithPassword(current)
        const { email } = await getClient().call(changePassword, { body: { password: next } })
        const again = enter(provider, () => provider.signInWithPassword(email ?? '', next), {})
        return again.catch(() => end('wish').then(() => null))
      }),

    /** The signed-in person proves again who they are; the server then counts it as a fresh sign-in. */
    prove: (password: string): Promise<void> => whileSigningIn(provider => provider.proveWithPassword(password)),

    /** Takes over the account as a call has just answered it. */
    renew: (me: Me): void => set({ status: 'signedIn', me }),
    signOut: (): Promise<void> => end('wish'),
  }
}
