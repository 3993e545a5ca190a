import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router-dom'
import { createSession } from './account/session.ts'
import { createQueryClient } from './api.ts'
import { Site } from './site.tsx'

const session = createSession({
  loadIdentity: async () => (await import('./account/firebase-identity.ts')).createFirebaseIdentity(),
})
session.start()

/** One route for everything: the site brings its own, and a data router lets a page ask before it is left. */
const router = createBrowserRouter([{ path: '*', element: <Site session={session} /> }])

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
