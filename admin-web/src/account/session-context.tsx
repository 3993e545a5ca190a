import type { Me } from '@shop/shared/account/endpoints.ts'
import type { Client } from '@shop/shared/client.ts'
import { invariant } from '@shop/shared/errors.ts'
import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Session, SessionState } from './session.ts'

const Context = createContext<Session | null>(null)

export const SessionProvider = Context.Provider

export function useSession(): Session {
  const session = useContext(Context)
  invariant(session, 'inside SessionProvider')
  return session
}

export function useSessionState(): SessionState {
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
