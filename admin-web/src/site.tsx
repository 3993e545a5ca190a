import { useQueryClient } from '@tanstack/react-query'
import { App, ConfigProvider } from 'antd'
import thTH from 'antd/locale/th_TH'
import { LoaderCircle } from 'lucide-react'
import { useEffect } from 'react'
import 'dayjs/locale/th'
import { type Session, SessionProvider } from './account/session.tsx'
import { ErrorBoundary } from './frame/error-boundary.tsx'
import { SiteRoutes } from './routes.tsx'
import { theme } from './theme.ts'
import { useFocusReturn } from './ui/use-focus-return.ts'

/** A button that works keeps its name; antd's own sign says "loading" in it, and may stay after the work. */
const busyButton = { loadingIcon: <LoaderCircle size={14} className="anticon-spin" aria-hidden /> }

/** Above, toasts would cover the page's own tabs and buttons; at the foot there is room for two. */
const message = { duration: 2, maxCount: 2, top: 'calc(100vh - 112px)' }

/** The whole back office for one session; tests put their own session and router around it. */
export function Site({ session }: { session: Session }) {
  const queries = useQueryClient()
  useFocusReturn()
  useEffect(() => session.subscribe(({ status }) => status === 'signedOut' && queries.clear()), [session, queries])
  return (
    <ConfigProvider theme={theme} locale={thTH} button={busyButton}>
      {/* Around App, whose dialogs may ask the server too. */}
      <SessionProvider value={session}>
        <App message={message} component={false}>
          <ErrorBoundary>
            <SiteRoutes />
          </ErrorBoundary>
        </App>
      </SessionProvider>
    </ConfigProvider>
  )
}
