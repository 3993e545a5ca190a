import type { GamePackage } from '@shop/shared/catalogue/endpoints.ts'
import { AppError, type ErrorCode } from '@shop/shared/errors.ts'
import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { startServer } from '@shop/web/testing.tsx'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { HttpResponse } from 'msw'
import type { ReactNode } from 'react'
import { MemoryRouter, useLocation } from 'react-router-dom'
import { afterEach, beforeEach, vi } from 'vitest'
import { SessionProvider } from '../session.tsx'
import { removeAll } from '../storage.ts'
import { ToastProvider } from '../ui/toast.tsx'
import type { Draft } from './draft.ts'

export const chosen: GamePackage = {
  id: 12,
  gameId: 1,
  gameCode: 'pubg',
  name: '325 UC',
  desc: '',
  priceSatang: 149_00,
  discountSatang: 0,
  payment: 'bank',
}

export const draft: Draft = {
  gameCode: 'pubg',
  playerId: '5123456789',
  playerName: 'Namkhao_TH',
  bank: 1,
  paymentMethod: 'bank',
  package: 12,
  actualPrice: 149_00,
}

const TOKEN = 'abcdefghijklmnopqrstuv'

/** An order that waits for 149.37 baht, 15 minutes from 14:05 in Bangkok; it is 14:05:28. */
export const order: OrderView = {
  orderNo: 'KT2611-00482100',
  status: 'waiting_payment',
  game: { code: 'pubg', name: 'PUBG Mobile', picture: '/pubg.svg' },
  package: { id: 12, name: '325 UC' },
  playerId: '5123456789',
  playerName: 'Namkhao_TH',
  fields: [{ name: 'field1', label: 'Player ID', value: '5123456789' }],
  payment: 'bank',
  quantity: 1,
  priceSatang: 149_00,
  pointSatang: 37,
  amountSatang: 149_37,
  receivingAccount: {
    id: 1,
    code: '004',
    bankName: 'กสิกรไทย',
    logo: null,
    accountName: 'บจก. คราม เติมเกม',
    accountNo: '0123456789',
    branch: '',
    hasPromptPay: false,
  },
  promptPay: null,
  createdAt: '2026-11-20T07:05:00.000Z',
  expiresAt: '2026-11-20T07:20:00.000Z',
  transferReportedAt: null,
  slipId: null,
  paidAt: null,
  endedAt: null,
  deliveryReference: null,
  reason: null,
  trackToken: TOKEN,
  usualMinutes: { from: 5, to: 15 },
  canReport: true,
  canCancel: true,
  timeline: [],
  nowDate: '2026-11-20T07:05:28.000Z',
}

export const refuse = (code: ErrorCode, details?: Record<string, unknown>) => {
  const error = new AppError(code, { details })
  return HttpResponse.json(error.toBody(), { status: error.status })
}

/** An API for a guest with an empty browser; a test adds the answers it is about. */
export function startOrderServer() {
  const server = startServer()
  beforeEach(() => {
    vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
    removeAll()
  })
  afterEach(() => vi.unstubAllGlobals())
  return server
}

const Place = () => <output aria-label="ที่อยู่">{useLocation().pathname}</output>

/** A screen at its address, with everything it stands in; the address is shown as text. */
export function InShop({ at, children }: { at: string; children: ReactNode }) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  return (
    <MemoryRouter initialEntries={[at]}>
      <QueryClientProvider client={queries}>
        <ToastProvider>
          <SessionProvider>{children}</SessionProvider>
        </ToastProvider>
      </QueryClientProvider>
      <Place />
    </MemoryRouter>
  )
}
