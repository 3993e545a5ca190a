import type { Me } from '@shop/shared/account/endpoints.ts'
import { getMe } from '@shop/shared/account/endpoints.ts'
import { listReceivingAccounts } from '@shop/shared/catalogue/endpoints.ts'
import { AppError, type ErrorCode, type ErrorValues } from '@shop/shared/errors.ts'
import { getWallet, type WalletView } from '@shop/shared/wallet/endpoints.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router-dom'
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { SessionProvider } from '../session.tsx'
import { removeAll, write } from '../storage.ts'
import { ToastProvider } from '../ui/toast.tsx'

export const agent: Me = {
  uid: 'u1',
  username: 'piti',
  providers: ['password'],
  name: 'ปิติ',
  surname: 'ตัวแทน',
  displayName: 'ปิติ ตัวแทน',
  tel: null,
  email: null,
  emailVerified: true,
  reward: 0,
  createdDate: '2026-01-01T00:00:00.000Z',
  isActived: true,
  role: 'agent',
  roleName: 'ตัวแทน',
  isPasswordChange: true,
  isPinChange: true,
  hasWallet: true,
}

/** 4,285 baht of 20,000; from 500 baht up. */
export const wallet: WalletView = {
  id: '0193a000-0000-7000-8000-000000000001',
  tier: { id: 1, name: 'Gold' },
  balanceSatang: 4285_00,
  maxAmountSatang: 20_000_00,
  minTopUpSatang: 500_00,
  maxAmountPerOrderSatang: 10_000_00,
  maxItemPerOrder: 10,
  waitingSatang: 0,
  thisMonthSatang: 0,
  roomSatang: 15_715_00,
  nowDate: '2026-11-20T07:00:00.000Z',
}

/** The words of the alert on the page; the toasts' own empty region is another one. */
export async function findAlert(): Promise<string | null> {
  const alerts = await waitFor(() => {
    const filled = screen.getAllByRole('alert').filter(each => each.textContent)
    if (filled.length === 0) throw new Error('no alert')
    return filled
  })
  return alerts[0]!.textContent
}

export const refuse = (code: ErrorCode, values?: ErrorValues) => {
  const error = new AppError(code, { values })
  return HttpResponse.json(error.toBody(), { status: error.status })
}

/** The API of a shop where the agent is signed in; a test adds what it is about. */
export function startWalletServer() {
  const server = setupServer()
  beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
  beforeEach(() => {
    vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
    removeAll()
    write('user', agent)
    server.use(
      http.get(`*${getMe.path}`, () => HttpResponse.json(agent)),
      http.get(`*${getWallet.path}`, () => HttpResponse.json(wallet)),
      http.get(`*${listReceivingAccounts.path}`, () => HttpResponse.json([])),
    )
  })
  afterEach(() => {
    server.resetHandlers()
    vi.unstubAllGlobals()
  })
  afterAll(() => server.close())
  return server
}

/** Everything a screen of the shop stands in. */
export const InShop = ({ children }: { children: ReactNode }) => (
  <MemoryRouter>
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <ToastProvider>
        <SessionProvider>{children}</SessionProvider>
      </ToastProvider>
    </QueryClientProvider>
  </MemoryRouter>
)
