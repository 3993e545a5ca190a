import { getPublicConfig } from '@shop/shared/catalogue/endpoints.ts'
import { type Buyer, getBuyer } from '@shop/shared/credit/buyer-endpoints.ts'
import { type CreditView, getCredit } from '@shop/shared/credit/endpoints.ts'
import { AppError, type ErrorCode, type ErrorValues } from '@shop/shared/errors.ts'
import type { OptionName } from '@shop/shared/settings/option.ts'
import { listSoonestExpiries } from '@shop/shared/voucher/expiry-endpoints.ts'
import { createQueryClient } from '@shop/web/query-client.ts'
import { fake, startServer } from '@shop/web/testing.tsx'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { HttpResponse } from 'msw'
import { type ReactNode, useState } from 'react'
import { type InitialEntry, MemoryRouter, useLocation } from 'react-router-dom'
import { afterEach, beforeEach, vi } from 'vitest'
import { SessionProvider } from './account/session.tsx'
import { removeAll } from './storage.ts'
import { ToastProvider } from './ui/toast.tsx'

export const refuse = (code: ErrorCode, values?: ErrorValues) => {
  const error = new AppError(code, { values })
  return HttpResponse.json(error.toBody(), { status: error.status })
}

/** The shop's public settings at 14:00 in Bangkok, while it is open from 9 to 23. */
export const shopConfig = (changed: Partial<Record<OptionName, string>> = {}, more = {}) => ({
  options: Object.entries({
    ALLOW_GUEST_CHECKOUT: 'true',
    LINE_OA_ID: '@kraam',
    OPENING_HOURS: '09:00-23:00',
    COMPANY_NAME: 'บริษัท คราม เติมเกม จำกัด',
    ...changed,
  }).map(([optionName, optionValue]) => ({ optionName, optionValue })),
  catalogueVersion: 1,
  isHolding: false,
  nowDate: '2026-11-20T07:00:00.000Z',
  ...more,
})

/** Somebody's shop credit before they ever had any. */
export const noCredit: CreditView = {
  balanceSatang: 0,
  pinAboveSatang: 1000_00,
  withoutPinSatang: 1000_00,
  restsUntil: null,
  withdrawals: [],
  pin: null,
  nowDate: '2026-11-20T07:00:00.000Z',
}

/** Fakes what a purchase knows of its buyer: nothing but what a test is about. */
export const fakeBuyer = (known: Partial<Buyer> | (() => Partial<Buyer>) = {}) =>
  fake(getBuyer, () => ({
    running: { rows: [], nowDate: noCredit.nowDate },
    wallet: null,
    credit: noCredit,
    deliveries: [],
    acceptedTerms: null,
    ...(typeof known === 'function' ? known() : known),
  }))

/** Starts the API for a guest with an empty browser on a phone; a test adds the answers it is about. */
export function startShopServer() {
  const server = startServer()
  beforeEach(() => {
    vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
    removeAll()
    server.use(
      fake(getPublicConfig, () => shopConfig()),
      fake(getCredit, () => noCredit),
      fake(listSoonestExpiries, () => []),
      fakeBuyer(),
    )
  })
  afterEach(() => vi.unstubAllGlobals())
  return server
}

const Place = () => <output aria-label="ที่อยู่">{useLocation().pathname}</output>

export const createTestQueries = () => createQueryClient(0, 0)

interface InShopProps {
  at?: InitialEntry
  queries?: QueryClient
  children: ReactNode
}

/** Shows a screen at its address, inside everything that it needs. The address is shown as text. */
export function InShop({ at = '/', queries: given, children }: InShopProps) {
  const [queries] = useState(() => given ?? createTestQueries())
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
