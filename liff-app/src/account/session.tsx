import type { KeptAccess } from '@shop/shared/account/access-endpoints.ts'
import type { Me } from '@shop/shared/account/endpoints.ts'
import { AppError, messageOf } from '@shop/shared/errors.ts'
import type { SessionState } from '@shop/web/session.ts'
import { useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  startTransition,
  useContext,
  useEffect,
  useMemo,
  useState,
} from 'react'
import { session } from '../api.ts'
import { adminUrl } from '../shop.ts'
import { removeAll, type StorageName, write } from '../storage.ts'
import { useToast } from '../ui/toast.tsx'
import { staySignedOut } from './line-in-app.ts'
import { useSilentSignIn } from './silent-sign-in.ts'

const LineTroubleSheet = lazy(() => import('./line-trouble-sheet.tsx'))

interface ShopSession extends Pick<typeof session, 'signIn' | 'renew' | 'renewPassword' | 'signOut'> {
  /** The signed-in person, or null. Known at once from the last visit, then renewed by the server. */
  me: Me | null
  /** A sign-in inside LINE is under way, so that `me` may soon be set. */
  isSigningIn: boolean
}

const SessionContext = createContext<ShopSession | null>(null)

/** The session of the person who uses the shop. */
export function useSession(): ShopSession {
  const found = useContext(SessionContext)
  if (!found) throw new Error('useSession needs a SessionProvider')
  return found
}

/** The shop has no field for the code of an authenticator app, which staff enter on the admin site. */
const CODE_ELSEWHERE = 'บัญชีพนักงานที่ต้องยืนยันด้วยรหัส 6 หลัก ใช้งานได้ที่ระบบหลังร้าน'

/** What is kept of a selection when a session ends by itself; a sign-out removes it too. */
const DRAFT: StorageName[] = ['draft', 'acceptedTerms', 'placing']

/** Follows the session. This browser remembers the person, and forgets what was theirs when the session ends. */
function useSessionState(): SessionState {
  const [state, setState] = useState(session.start)
  const queries = useQueryClient()
  const toast = useToast()
  useEffect(
    () =>
      session.subscribe(next => {
        if (next.status === 'signedIn') write('user', next.me)
        if (next.status !== 'signedOut') return setState(next)
        removeAll(next.cause === 'wish' ? [] : DRAFT)
        // This waits for a navigation under way, so that a page which needs a session does not ask for a new one.
        startTransition(() => setState(next))
        if (next.cause instanceof AppError) toast({ kind: 'error', text: messageOf(next.cause) })
        void queries.resetQueries()
      }),
    [queries, toast],
  )
  useEffect(
    () =>
      session.onTotpRequired(() =>
        toast({
          kind: 'error',
          text: CODE_ELSEWHERE,
          action: { label: 'เปิดระบบหลังร้าน', onPress: () => location.assign(adminUrl) },
        }),
      ),
    [toast],
  )
  return state
}

const signOut = () => {
  staySignedOut()
  return session.signOut()
}

export function SessionProvider({ children }: { children: ReactNode }) {
  const state = useSessionState()
  const queries = useQueryClient()
  const me = state.status === 'signedIn' ? state.me : null
  const ways = useMemo(() => {
    const askAgain = async <T,>(entered: T) => {
      await queries.resetQueries()
      return entered
    }
    return {
      signIn: (...how: Parameters<typeof session.signIn>) => session.signIn(...how).then(askAgain),
      renewPassword: (current: string, next: string, keep?: KeptAccess) =>
        session.renewPassword(current, next, keep).then(askAgain),
      renew: session.renew,
      signOut,
    }
  }, [queries])
  const { isSigningIn, trouble, dismiss } = useSilentSignIn(me, ways.signIn)
  const value = useMemo(() => ({ ...ways, me, isSigningIn }), [ways, me, isSigningIn])
  return (
    <SessionContext value={value}>
      {children}
      {trouble && (
        <Suspense>
          <LineTroubleSheet trouble={trouble} onClose={dismiss} />
        </Suspense>
      )}
    </SessionContext>
  )
}
