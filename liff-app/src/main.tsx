import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { listMenu } from './frame/menu.ts'
import { AppRoutes } from './routes.tsx'
import { ToastProvider } from './ui/toast.tsx'
import './style.css'

const help = {
  url: import.meta.env.VITE_LINE_CONTACT_URL ?? 'https://line.me/R/ti/p/@kraam-demo',
  hours: 'ทุกวัน 8.00–24.00 น.',
}
const adminUrl = import.meta.env.VITE_ADMIN_URL ?? 'http://localhost:5174'

createRoot(document.getElementById('root')!).render(
  <BrowserRouter>
    <ToastProvider>
      <AppRoutes
        user={null}
        inLiff={'liff' in document.documentElement.dataset}
        menu={listMenu('guest', adminUrl)}
        help={help}
        onSignOut={() => undefined}
      />
    </ToastProvider>
  </BrowserRouter>,
)
