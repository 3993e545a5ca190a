import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { needsLiff, openInLine } from './account/line-in-app.ts'
import { createQueryClient } from './api.ts'
import { AppRoutes } from './routes.tsx'
import { SessionProvider } from './session.tsx'
import { ToastProvider } from './ui/toast.tsx'
import './style.css'

const show = () =>
  createRoot(document.getElementById('root')!).render(
    <BrowserRouter>
      <QueryClientProvider client={createQueryClient()}>
        <ToastProvider>
          <SessionProvider>
            <AppRoutes />
          </SessionProvider>
        </ToastProvider>
      </QueryClientProvider>
    </BrowserRouter>,
  )

declare global {
  /** Settles when index.html has painted the first banner; not there on other pages. */
  var bannerShown: Promise<void> | undefined
}
const BANNER_WAIT_MS = 300

/** Drawing the page keeps the browser busy for a while: a banner that is there may be seen first. */
function afterBanner(draw: () => void) {
  if (!globalThis.bannerShown) return draw()
  void Promise.race([globalThis.bannerShown, new Promise(resolve => setTimeout(resolve, BANNER_WAIT_MS))]).then(draw)
}

// The router may change the address, which LINE's SDK must read first.
if (needsLiff()) void openInLine().finally(show)
else afterBanner(show)
