import { messageOf } from '@shop/shared/errors.ts'
import { isAdminSide } from '@shop/shared/permissions.ts'
import { forcedChangeOf } from '@shop/web/forced-change.ts'
import { Button } from 'antd'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router-dom'
import { useSession, useSessionState } from '../account/session.tsx'
import { MessagePage } from '../ui/message-page.tsx'

/** Lets signed-in people through; everyone else goes to /login and comes back to where they wanted to be. */
export function SignedIn({ children }: { children: ReactNode }) {
  const session = useSession()
  const state = useSessionState()
  const { pathname, search } = useLocation()
  if (state.status === 'loading') {
    return (
      <p className="loading" role="status">
        กรุณารอสักครู่..
      </p>
    )
  }
  if (state.status === 'failed') {
    return (
      <MessagePage icon={TriangleAlert} text={messageOf(state.error)}>
        <Button type="primary" onClick={() => session.start()}>
          ลองอีกครั้ง
        </Button>
        <Button onClick={() => session.signOut()}>ออกจากระบบ</Button>
      </MessagePage>
    )
  }
  if (state.status === 'signedOut') {
    const wantsPage = state.cause !== 'wish' && pathname !== '/'
    return <Navigate to={wantsPage ? `/login?to=${encodeURIComponent(pathname + search)}` : '/login'} replace />
  }
  const forced = isAdminSide(state.me.role) ? forcedChangeOf(state.me) : null
  if (forced && (pathname !== forced.path || search !== forced.search)) {
    return <Navigate to={forced.path + forced.search} replace />
  }
  return children
}
