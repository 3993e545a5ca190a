import { createQueryClient } from '@shop/web/query-client.ts'
import { surviveTranslation } from '@shop/web/translated.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router-dom'
import { createSession } from './account/session.tsx'
import { Site } from './site.tsx'

const FRESH_MS = 2000

surviveTranslation()

const session = createSession(() => import('./account/firebase.ts'))
session.start()

/** The site has its own routes; a data router around them lets a page ask before somebody leaves it. */
const router = createBrowserRouter([{ path: '*', element: <Site session={session} /> }])

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient(FRESH_MS)}>
      <RouterProvider router={router} useTransitions={false} />
    </QueryClientProvider>
  </StrictMode>,
)
