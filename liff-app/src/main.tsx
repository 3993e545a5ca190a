import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { createQueryClient } from './api.ts'
import { AppRoutes } from './routes.tsx'
import { SessionProvider } from './session.tsx'
import { ToastProvider } from './ui/toast.tsx'
import './style.css'

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
