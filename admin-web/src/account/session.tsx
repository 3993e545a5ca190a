import { getMe, type Me } from '@shop/shared/account/endpoints.ts'
import { type Client, createClient } from '@shop/shared/client.ts'
import { invariant } from '@shop/shared/errors.ts'
import * as web from '@shop/web/session.ts'
import { createContext, useContext, useSyncExternalStore } from 'react'
import { fetchWithProgress } from './fetch-with-progress.ts'
import { forgetSessionKey, sessionKeyHeader } from './session-key.ts'

/** The parts of the identity provider that this site needs. */
export type Provider = Pick<
  typeof import('./firebase.ts'),
  keyof web.Provider | 'signInWithGoogle' | 'sendVerificationEmail' | 'sendPasswordReset'
>

export interface Session extends web.Session<Provider> {
  client: Client
  /** Returns the same client for a file, which reports how much has been sent: fractions from 0 to 1. */
  uploader(onSent: (fraction: number) => void): Client
  /** Reads the account again after something about it was changed. */
  refresh(): Promise<void>
  /** Sends the signed-in person the link that verifies their email. */
  sendVerificationEmail(): Promise<void>
  /** Sends a link to set a new password, to an address that has an account. */
  sendPasswordReset(email: string): Promise<void>
}

/** Creates the session: the person who works here, and the client that calls the server for them. */
export function createSession(loadProvider: () => Promise<Provider>): Session {
  const session = web.createSession({ loadProvider, getClient: () => client })
  // The next person who signs in at this browser must type a code of their own.
  session.subscribe(({ status }) => status === 'signedOut' && forgetSessionKey())
  const options = {
    baseUrl: '',
    headers: async () => {
      const who = await session.headers()
      return { ...who, ...('authorization' in who && sessionKeyHeader()) }
    },
    onUnauthenticated: session.hearRefusal,
    onForbidden: session.hearRefusal,
  }
  const client = createClient(options)
  return {
    ...session,
    client,
    uploader: onSent => createClient({ ...options, fetch: fetchWithProgress(onSent) }),
    refresh: async () => session.renew(await client.call(getMe)),
    sendVerificationEmail: async () => (await loadProvider()).sendVerificationEmail(),
    sendPasswordReset: async email => (await loadProvider()).sendPasswordReset(email),
  }
}

const Context = createContext<Session | null>(null)

export const SessionProvider = Context.Provider

export function useSession(): Session {
  const session = useContext(Context)
  invariant(session, 'inside SessionProvider')
  return session
}

export function useSessionState(): web.SessionState {
  const session = useSession()
  return useSyncExternalStore(session.subscribe, session.getState)
}

/** The signed-in person; only for screens behind the guard. */
export function useMe(): Me {
  const state = useSessionState()
  invariant(state.status === 'signedIn', 'behind the guard')
  return state.me
}

export function useClient(): Client {
  return useSession().client
}
