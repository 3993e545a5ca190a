import { createQueryClient } from '@shop/web/query-client.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { needsLiff, openInLine } from './account/line-in-app.ts'
import { SessionProvider } from './account/session.tsx'
import { ErrorBoundary } from './frame/error-boundary.tsx'
import { prefetchPages } from './prefetch-pages.ts'
import { AppRoutes, LATER_PAGES } from './routes.tsx'
import { ToastProvider } from './ui/toast.tsx'

const FRESH_MS = 30_000

const show = () =>
  createRoot(document.getElementById('root')!).render(
    <ErrorBoundary>
      <BrowserRouter>
        <QueryClientProvider client={createQueryClient(FRESH_MS)}>
          <ToastProvider>
            <SessionProvider>
              <AppRoutes />
            </SessionProvider>
          </ToastProvider>
        </QueryClientProvider>
      </BrowserRouter>
    </ErrorBoundary>,
  )

const mayBeTranslated = () => import('@shop/web/translated.ts').then(({ surviveTranslation }) => surviveTranslation())

// A browser may begin to translate while somebody taps, and translates for who saves data, too.
prefetchPages([mayBeTranslated, ...LATER_PAGES], true)

// LINE's SDK must read the address before the router may change it.
if (needsLiff()) void openInLine().finally(show)
else show()
