import { getPublicConfig } from '@shop/shared/catalogue/endpoints.ts'
import { AppError, type ErrorCode, type ErrorValues } from '@shop/shared/errors.ts'
import type { OptionName } from '@shop/shared/settings/option.ts'
import { fake, startServer } from '@shop/web/testing.tsx'
import { HttpResponse } from 'msw'
import { type ReactNode, useState } from 'react'
import { afterEach, beforeEach, vi } from 'vitest'
import { SessionProvider } from './account/session.tsx'
import { QueriesProvider } from './query.tsx'
import { createQueries, type Queries } from './query-store.ts'
import { removeAll } from './storage.ts'
import { Router, type Trail, useLocation } from './ui/router.tsx'
import { ToastProvider } from './ui/toast.tsx'

export const refuse = (code: ErrorCode, values?: ErrorValues) => {
  const error = new AppError(code, { values })
  return HttpResponse.json(error.toBody(), { status: error.status })
}

/** What the shop tells of itself at 14:00 in Bangkok: open from 9 to 23. */
export const shopConfig = (changed: Partial<Record<OptionName, string>> = {}, more = {}) => ({
  options: Object.entries({
    ALLOW_GUEST_CHECKOUT: 'true',
    LINE_OA_ID: '@kraam',
    OPENING_HOURS: '09:00-23:00',
    COMPANY_NAME: 'บริษัท คราม เติมเกม จำกัด',
    ...changed,
  }).map(([optionName, optionValue]) => ({ optionName, optionValue })),
  catalogueVersion: 1,
  nowDate: '2026-11-20T07:00:00.000Z',
  ...more,
})

/** An API for a guest with an empty browser on a phone; a test adds the answers it is about. */
export function startShopServer() {
  const server = startServer()
  beforeEach(() => {
    vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
    removeAll()
    server.use(fake(getPublicConfig, () => shopConfig()))
  })
  afterEach(() => vi.unstubAllGlobals())
  return server
}

const Place = () => <output aria-label="ที่อยู่">{useLocation().pathname}</output>

export const createTestQueries = (): Queries => createQueries({ freshMs: 0, retries: 0 })

type Start = string | { pathname: string; state: unknown }

/** A history of its own that begins at `at`. */
export function createTrail(at: Start): Trail {
  const placeOf = (href: string, state: unknown) => {
    const { pathname, search, hash } = new URL(href, 'http://shop.test')
    return { pathname, search, hash, state: state ?? null }
  }
  const entries = [typeof at === 'string' ? placeOf(at, null) : placeOf(at.pathname, at.state)]
  const listeners = new Set<() => void>()
  let current = 0
  return {
    place: () => entries[current]!,
    push: (href, state) => void entries.splice(++current, entries.length, placeOf(href, state)),
    replace: (href, state) => void entries.splice(current, 1, placeOf(href, state)),
    go: steps => {
      current += steps
      for (const listener of listeners) listener()
    },
    onStep: listener => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

interface InShopProps {
  at?: Start
  queries?: Queries
  children: ReactNode
}

/** A screen at its address, with everything it stands in; the address is shown as text. */
export function InShop({ at = '/', queries: given, children }: InShopProps) {
  const [queries] = useState(() => given ?? createTestQueries())
  const [trail] = useState(() => createTrail(at))
  return (
    <Router trail={trail}>
      <QueriesProvider queries={queries}>
        <ToastProvider>
          <SessionProvider>{children}</SessionProvider>
        </ToastProvider>
      </QueriesProvider>
      <Place />
    </Router>
  )
}

/** A page at its address, with the answers of the server. */
export function AtPath({ path, children }: { path: string; children: ReactNode }) {
  const [queries] = useState(createTestQueries)
  const [trail] = useState(() => createTrail(path))
  return (
    <QueriesProvider queries={queries}>
      <Router trail={trail}>{children}</Router>
    </QueriesProvider>
  )
}
