import type { KeptAccess } from '@shop/shared/account/access-endpoints.ts'
import { changePassword, getMe, type Me, syncAccount } from '@shop/shared/account/endpoints.ts'
import type { Client } from '@shop/shared/client.ts'
import { AppError } from '@shop/shared/errors.ts'
import { forcedBy } from './forced-change.ts'

/** What every session needs of the identity provider. Its code is loaded only when somebody may be signed in. */
export interface Provider {
  /** Tells who is signed in, once when that is known and then at every change; null is nobody. */
  onUser(listener: (uid: string | null) => void): void
  /** Gives a fresh ID token, or null when nobody is signed in. Rejects with why the session is over, or UNAVAILABLE. */
  getToken(): Promise<string | null>
  signInWithPassword(email: string, password: string): Promise<unknown>
  /** Proves again who the signed-in person is. */
  proveWithPassword(password: string): Promise<void>
  signOut(): Promise<void>
}

/** Why nobody is signed in: nobody was, the person signed out, or a refusal ended the session and says why. */
type SignedOutCause = 'nobody' | 'wish' | AppError

export type SessionState =
  | { status: 'loading' }
  /** The account could not be read. `start` tries again. */
  | { status: 'failed'; error: unknown }
  | { status: 'signedOut'; cause: SignedOutCause }
  | { status: 'signedIn'; me: Me }

interface SessionOptions<P extends Provider> {
  loadProvider: () => Promise<P>
  /** The client. It sends `headers` with each call and passes refusals to `hearRefusal`. */
  getClient: () => Client
  /**
   * Gives whom this browser remembers as signed in, or null. A remembered person counts as signed in until the server
   * says otherwise; for null the provider is not loaded. Without `recall` everybody waits for the provider.
   */
  recall?: () => Me | null
}

export type Session<P extends Provider> = ReturnType<typeof createSession<P>>

/** Adds a listener, and gives what removes it again. */
function addTo<L>(listeners: Set<L>, listener: L): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Keeps who is signed in: the identity provider's user together with the shop's own account. */
export function createSession<P extends Provider>({ loadProvider, getClient, recall }: SessionOptions<P>) {
  let state: SessionState = { status: 'loading' }
  /** While this is true, what the provider says and refusals of the old session are ignored. */
  let isSigningIn = false
  /** The provider's user; undefined until it has said who that is. */
  let uid: string | null | undefined
  /** Counts the changes of `state`: an answer to a question that was asked before the last one is out of date. */
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
      // The person is signed in with the identity provider, but the shop was not told yet.
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
      // A person who is known stays signed in while the server is away; the next call asks again.
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

  async function enter(provider: P, authenticate: (provider: P) => Promise<unknown>): Promise<Me> {
    await authenticate(provider)
    try {
      const me = await getClient().call(syncAccount, { body: {} })
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
    subscribe: (listener: (state: SessionState) => void) => addTo(listeners, listener),
    /** Tells that a call was refused until this session is confirmed with a code of the authenticator app. */
    onTotpRequired: (listener: () => void) => addTo(totpListeners, listener),

    /** Finds out who is signed in, also again after `failed`. Gives the state as far as it is known now. */
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
        // The provider itself has ended the session and says why.
        if (error instanceof AppError && error.code !== 'UNAVAILABLE') void end(error)
        throw error
      })
      return token ? { authorization: `Bearer ${token}` } : {}
    },

    /** To be called when the server has answered a signed-in call with 401 or 403. */
    hearRefusal(error: AppError): void {
      if (isSigningIn || state.status === 'signedOut') return
      // The texts of other 401s are meant for a guest, but here somebody was signed in.
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
    signIn: (authenticate: (provider: P) => Promise<unknown>): Promise<Me> =>
      whileSigningIn(provider => enter(provider, authenticate)),

    /**
     * Proves the current password, lets the server set the new one, which ends every session, and signs in again. Gives
     * null when only the last step failed: the person then signs in by hand. Rejects like `signIn`. @param keep what goes
     * on of what hangs on the password; see `listAccess`
     */
    renewPassword: (current: string, next: string, keep?: KeptAccess): Promise<Me | null> =>
      whileSigningIn(async provider => {
        await provider.proveWithPassword(current)
        const { email } = await getClient().call(changePassword, { body: { password: next, keep } })
        const again = enter(provider, () => provider.signInWithPassword(email ?? '', next))
        return again.catch(() => end('wish').then(() => null))
      }),

    /** Proves again who the signed-in person is; the server then counts this as a fresh sign-in. */
    prove: (password: string): Promise<void> => whileSigningIn(provider => provider.proveWithPassword(password)),

    /** Replaces the account by the one that a call has just answered. */
    renew: (me: Me): void => set({ status: 'signedIn', me }),
    signOut: (): Promise<void> => end('wish'),
  }
}
