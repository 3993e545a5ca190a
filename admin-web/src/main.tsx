import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { createSession } from './account/session.ts'
import { createQueryClient } from './api.ts'
import { Site } from './site.tsx'

const session = createSession({
  loadIdentity: async () => (await import('./account/firebase-identity.ts')).createFirebaseIdentity(),
})
session.start()

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient()}>
      <BrowserRouter>
        <Site session={session} />
      </BrowserRouter>
    </QueryClientProvider>
  </StrictMode>,
)
