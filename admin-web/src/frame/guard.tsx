import { getTotp } from '@shop/shared/account/endpoints.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { isAdminSide } from '@shop/shared/permissions.ts'
import { forcedChangeOf } from '@shop/web/forced-change.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { TriangleAlert, WifiOff } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { Navigate, useLocation } from 'react-router-dom'
import { useSession, useSessionState } from '../account/session.tsx'
import { useTotp } from '../account/use-totp.ts'
import { MessagePage } from '../ui/message-page.tsx'
import { BareFrame, FrameShape } from './frame-shape.tsx'

const TotpScreen = lazy(async () => ({ default: (await import('../account/totp-screen.tsx')).TotpScreen }))

const waiting = <FrameShape />

/** Says that the server could not be asked who works here. It is asked again as soon as the browser is online. */
function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const session = useSession()
  useEffect(() => {
    window.addEventListener('online', onRetry)
    return () => window.removeEventListener('online', onRetry)
  }, [onRetry])
  const isOffline = !navigator.onLine
  return (
    <BareFrame onSignOut={() => session.signOut()}>
      <MessagePage
        icon={isOffline ? WifiOff : TriangleAlert}
        text={isOffline ? 'ไม่ได้เชื่อมต่ออินเทอร์เน็ต หน้านี้จะเปิดเองเมื่อกลับมาออนไลน์' : messageOf(error)}
      >
        <Button type="primary" onClick={onRetry}>
          ลองอีกครั้ง
        </Button>
      </MessagePage>
    </BareFrame>
  )
}

/** Shows the page to sessions that are confirmed with a code or need none; others are asked for the code instead. */
function Confirmed({ children }: { children: ReactNode }) {
  const session = useSession()
  const queries = useQueryClient()
  const { data: totp, error, refetch } = useTotp()
  useEffect(
    () => session.onTotpRequired(() => void queries.invalidateQueries({ queryKey: [getTotp.path] })),
    [session, queries],
  )
  if (!totp) return error ? <Failed error={error} onRetry={refetch} /> : waiting
  if (!totp.isRequired || totp.isConfirmed) return children
  return (
    <Suspense fallback={waiting}>
      <TotpScreen isEnrolled={totp.isEnrolled} />
    </Suspense>
  )
}

/** Shows the page to people who are signed in; others go to /login first and come back to the page they wanted. */
export function SignedIn({ children }: { children: ReactNode }) {
  const session = useSession()
  const state = useSessionState()
  const { pathname, search } = useLocation()
  if (state.status === 'loading') return waiting
  if (state.status === 'failed') return <Failed error={state.error} onRetry={session.start} />
  if (state.status === 'signedOut') {
    const wantsPage = state.cause !== 'wish' && pathname !== '/'
    return <Navigate to={wantsPage ? `/login?to=${encodeURIComponent(pathname + search)}` : '/login'} replace />
  }
  if (!isAdminSide(state.me.role)) return children
  const forced = forcedChangeOf(state.me)
  // A new password makes a new session, so the code comes after it.
  if (!forced) return <Confirmed>{children}</Confirmed>
  const isThere = pathname === forced.path && search === forced.search
  return isThere ? children : <Navigate to={forced.path + forced.search} replace />
}
