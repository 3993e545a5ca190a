import { getMe, type Me, syncAccount } from '@shop/shared/account/endpoints.ts'
import type { EndpointInput } from '@shop/shared/endpoint.ts'
import { errorMessage } from '@shop/shared/errors.ts'
import { useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  startTransition,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { changeForced } from './account/forced-change.ts'
import { expectToken, getIdToken, isRemembered, loadFirebase } from './account/identity.ts'
import { staySignedOut } from './account/line-in-app.ts'
import { useSilentSignIn } from './account/silent-sign-in.ts'
import { api, listenForForbidden, listenForUnauthenticated } from './api.ts'
import { read, removeAll, type StorageName, write } from './storage.ts'
import { useToast } from './ui/toast.tsx'

const LineTroubleSheet = lazy(() => import('./account/line-trouble-sheet.tsx'))

export type Authenticate = (firebase: typeof import('./account/firebase.ts')) => Promise<unknown>
export type Profile = EndpointInput<typeof syncAccount>['body']

export type Session = {
  /** The signed-in person, or null. Known at once from the last visit, then renewed by the server. */
  me: Me | null
  /**
   * Signs in by any of Firebase's ways, then lets the server record it. Rejects with Firebase's error or an `AppError`;
   * after a rejection nobody is signed in. `profile` is what a new customer says about themselves.
   */
  signIn: (authenticate: Authenticate, profile?: Profile) => Promise<Me>
  /** The first sign-in inside LINE is under way: whether `me` stays null is not known yet. */
  isSigningIn: boolean
  /** Takes over the account as a call has just answered it. */
  renew: (me: Me) => void
  /** Forgets everything this shop keeps in the browser. */
  signOut: () => Promise<void>
}

const SessionContext = createContext<Session | null>(null)

/** The session of whoever uses the shop. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession needs a SessionProvider')
  return session
}

/** A selection in the making outlives a session that ended by itself, but not a sign-out. */
const DRAFT: StorageName[] = ['draft', 'acceptedTerms', 'placing']

/** Renews the remembered person; a session that ended elsewhere ends here too. */
async function restore(): Promise<Me | null> {
  if ((await getIdToken()) === null) return null
  return api.call(getMe)
}

export function SessionProvider({ children }: { children: ReactNode }) {
  const [me, setMe] = useState(() => read<Me>('user'))
  const queries = useQueryClient()
  const toast = useToast()

  /** Counts sign-ins, sign-outs and news: an answer to a question asked before them is old. */
  const changes = useRef(0)
  const end = useCallback(
    async (kept: StorageName[]) => {
      changes.current += 1
      removeAll(kept)
      // Together with a navigation away from a page that wants somebody signed in.
      startTransition(() => setMe(null))
      await loadFirebase()
        .then(firebase => firebase.signOutOfFirebase())
        .catch(() => undefined)
      await queries.resetQueries()
    },
    [queries],
  )
  const signOut = useCallback(() => {
    staySignedOut()
    return end([])
  }, [end])

  const change = useCallback(
    (user: Me | null) => {
      if (!user) return void end(DRAFT)
      changes.current += 1
      write('user', user)
      setMe(user)
    },
    [end],
  )

  useEffect(() => {
    listenForUnauthenticated(error => {
      if (!isRemembered()) return
      void end(DRAFT)
      const text = error.code === 'SESSION_REVOKED' ? error.message : errorMessage('SESSION_REVOKED')
      toast({ kind: 'error', text })
    })
  }, [end, toast])

  useEffect(() => {
    listenForForbidden(error => {
      const user = read<Me>('user')
      const forced = user && changeForced(user, error.code)
      if (forced) change(forced)
      if (error.code !== 'ACCOUNT_INACTIVE' || !user) return
      void end(DRAFT)
      toast({ kind: 'error', text: error.message })
    })
  }, [change, end, toast])

  useEffect(() => {
    if (!isRemembered()) return
    const before = changes.current
    restore().then(
      user => changes.current === before && change(user),
      // Offline, server away: what was known stays, the next call asks again.
      () => undefined,
    )
  }, [change])

  const signIn = useCallback<Session['signIn']>(
    async (authenticate, profile = {}) => {
      expectToken(true)
      try {
        const firebase = await loadFirebase()
        await authenticate(firebase)
        const user = await api.call(syncAccount, { body: profile }).catch(async error => {
          await firebase.signOutOfFirebase()
          throw error
        })
        change(user)
        await queries.resetQueries()
        return user
      } finally {
        expectToken(false)
      }
    },
    [change, queries],
  )

  const { isSigningIn, trouble, dismiss } = useSilentSignIn(me, signIn)
  const session = useMemo(
    () => ({ me, signIn, isSigningIn, renew: change, signOut }),
    [me, signIn, isSigningIn, change, signOut],
  )
  return (
    <SessionContext value={session}>
      {children}
      {trouble && (
        <Suspense>
          <LineTroubleSheet trouble={trouble} onClose={dismiss} />
        </Suspense>
      )}
    </SessionContext>
  )
}
