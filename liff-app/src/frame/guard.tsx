import { type Action, can } from '@shop/shared/permissions.ts'
import { forcedChangeOf } from '@shop/web/forced-change.ts'
import { lazy, type ReactNode, useEffect } from 'react'
import { Navigate, useLocation } from 'react-router-dom'
import { useSession } from '../account/session.tsx'
import { rememberWayBack } from '../account/way-back.ts'
import { useToast } from '../ui/toast.tsx'
import { PageSkeleton } from './frame.tsx'

const ForbiddenScreen = lazy(() => import('./forbidden-screen.tsx'))

interface GuardProps {
  allow: Action
  /** Guests see something else on this page, so it waits for a sign-in inside LINE that is under way. */
  isPersonal?: boolean
  children: ReactNode
}

/**
 * Shows a page only to people who may do `allow`. A signed-out visitor signs in first and comes back, another role sees
 * the forbidden page. A person who must change the password or PIN is led to that.
 */
export function Guard({ allow, isPersonal, children }: GuardProps) {
  const { me, isSigningIn } = useSession()
  const { pathname } = useLocation()
  const forced = me && forcedChangeOf(me)
  if (forced && pathname !== forced.path) return <Navigate to={forced.path + forced.search} replace />
  if (isPersonal && isSigningIn && !me) return <PageSkeleton />
  if (can(me?.role ?? 'guest', allow)) return children
  if (me) return <ForbiddenScreen />
  return isSigningIn ? <PageSkeleton /> : <SignInFirst />
}

function SignInFirst() {
  const { pathname, search } = useLocation()
  const toast = useToast()
  useEffect(() => {
    toast({ kind: 'error', text: 'กรุณาเข้าสู่ระบบเพื่อดูหน้านี้' })
    rememberWayBack(pathname + search)
  }, [pathname, search, toast])
  return <Navigate to="/login" replace />
}
