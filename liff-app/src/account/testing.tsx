import { getMe, type Me } from '@shop/shared/account/endpoints.ts'
import { AppError, type ErrorCode } from '@shop/shared/errors.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router-dom'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { SessionProvider } from '../session.tsx'
import { read, removeAll } from '../storage.ts'
import { ToastProvider } from '../ui/toast.tsx'

export const customer: Me = {
  uid: 'u1',
  username: 'namkhao',
  providers: ['password'],
  name: 'น้ำข้าว',
  surname: 'ใจดี',
  displayName: 'น้ำข้าว ใจดี',
  tel: '+66812345678',
  email: 'namkhao@example.com',
  emailVerified: true,
  reward: 0,
  createdDate: '2026-01-01T00:00:00.000Z',
  isActived: true,
  role: 'customer',
  roleName: 'ลูกค้า',
  mustChangePassword: false,
  mustChangePin: false,
  hasWallet: false,
}
export const agent: Me = { ...customer, role: 'agent', roleName: 'ตัวแทน', hasWallet: true }

export const refuse = (code: ErrorCode) => {
  const error = new AppError(code)
  return HttpResponse.json(error.toBody(), { status: error.status })
}

/** The same for an endpoint that speaks as Firebase's callables do. */
export const refuseCallable = (code: ErrorCode) => {
  const error = new AppError(code)
  return HttpResponse.json({ error: { message: error.message, details: error.toBody() } }, { status: error.status })
}

/** The shop's API, where whoever is remembered is signed in; a test adds what it is about. */
export function startServer() {
  const server = setupServer()
  beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
  beforeEach(() => {
    removeAll()
    sessionStorage.clear()
    history.replaceState(null, '', '/')
    server.use(http.get(`*${getMe.path}`, () => HttpResponse.json(read<Me>('user'))))
  })
  afterEach(() => server.resetHandlers())
  afterAll(() => server.close())
  return server
}

/** Everything a screen of the shop stands in. */
export const InShop = ({ path = '/', children }: { path?: string; children: ReactNode }) => (
  <MemoryRouter initialEntries={[path]}>
    <QueryClientProvider client={new QueryClient()}>
      <ToastProvider>
        <SessionProvider>{children}</SessionProvider>
      </ToastProvider>
    </QueryClientProvider>
  </MemoryRouter>
)
