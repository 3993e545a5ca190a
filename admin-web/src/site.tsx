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
import { TO_FAULT } from './ui/form-errors.ts'
import { useFocusReturn } from './ui/use-focus-return.ts'
import { useRowOpeners } from './ui/use-row-openers.ts'

/** Replaces antd's icon of a busy button, whose label "loading" would become part of the button's name. */
const busyButton = { loadingIcon: <LoaderCircle size={14} className="anticon-spin" aria-hidden /> }

/** A form that is not valid leads to its first field at fault. */
const form = { scrollToFirstError: TO_FAULT }

/** Messages appear at the foot, because at the top they would cover tabs and buttons; beside the page where there is room, see frame.css. */
const message = { duration: 2, maxCount: 2, top: 'calc(100vh - 168px)' }

/** The whole back office for one session; tests give it their own session and router. */
export function Site({ session }: { session: Session }) {
  const queries = useQueryClient()
  useFocusReturn()
  useRowOpeners()
  useEffect(() => session.subscribe(({ status }) => status === 'signedOut' && queries.clear()), [session, queries])
  return (
    <ConfigProvider theme={theme} locale={thTH} button={busyButton} form={form}>
      {/* Outside App, because the dialogs that App draws use the session too. */}
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
