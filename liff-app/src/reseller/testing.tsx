import { listKeys, type ResellerKeyView } from '@shop/shared/reseller/key-endpoints.ts'
import { listWebhooks, type WebhookMessageView, type WebhookView } from '@shop/shared/webhook/endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { render } from '@testing-library/react'
import { useLocation } from 'react-router-dom'
import { beforeEach } from 'vitest'
import { InShop } from '../testing.tsx'
import { startWalletServer } from '../wallet/testing.ts'
import ApiScreen from './api-screen.tsx'

const NOW = '2026-11-20T07:00:00.000Z'

/** A live key that reads and orders for at most 5,000 baht a day, of which 1,250.50 are spent. `letter` ends its id. */
export const apiKey = (letter: string, change: Partial<ResellerKeyView> = {}): ResellerKeyView => {
  const mode = change.mode ?? 'live'
  return {
    id: `rk_${mode}_Ab3dEf9hIjKlMn0${letter}`,
    name: `เครื่อง ${letter}`,
    mode,
    scopes: ['read', 'order'],
    addresses: ['203.0.113.5', '198.51.100.0/24'],
    dailyLimitSatang: 5000_00,
    createdAt: '2026-10-02T02:00:00.000Z',
    endedAt: null,
    endedFor: null,
    lastUsedAt: '2026-11-20T06:58:00.000Z',
    lastUsedFrom: '203.0.113.9',
    today: { calls: 120, errors: 1, orders: 8, spentSatang: 1250_50 },
    month: { calls: 12_345, errors: 12, orders: 420, spentSatang: 88_000_00 },
    ...change,
  }
}

/** A live endpoint that works. `digit` ends its id. */
export const endpointOf = (digit: number, change: Partial<WebhookView> = {}): WebhookView => ({
  id: `0193a000-0000-7000-8000-00000000000${digit}`,
  mode: 'live',
  url: `https://shop${digit}.example.com/hook`,
  createdAt: '2026-10-02T02:00:00.000Z',
  isOn: true,
  offFor: null,
  events: null,
  failingSince: null,
  oldSecretUntil: null,
  waiting: 0,
  ...change,
})

/** A message that was sent at the first try. */
export const messageOf = (id: string, change: Partial<WebhookMessageView> = {}): WebhookMessageView => ({
  id,
  type: 'order.completed',
  body: '{"type":"order.completed","data":{"ref":"INV-1042"}}',
  state: 'done',
  tries: 1,
  lastStatus: 200,
  lastError: null,
  createdAt: '2026-11-20T06:00:05.000Z',
  triedAt: '2026-11-20T06:00:06.000Z',
  nextAt: null,
  ...change,
})

export const keysReply = (...keys: ResellerKeyView[]) => ({ keys, nowDate: NOW })
export const webhooksReply = (...webhooks: WebhookView[]) => ({ webhooks, nowDate: NOW })
export const messagesReply = (messages: WebhookMessageView[], hasMore = false) => ({ messages, hasMore, nowDate: NOW })

/** Starts the API with an agent signed in who has no keys and no endpoints. */
export function startResellerServer() {
  const server = startWalletServer()
  beforeEach(() => {
    history.replaceState(null, '')
    server.use(
      fake(listKeys, () => keysReply()),
      fake(listWebhooks, () => webhooksReply()),
    )
  })
  return server
}

const Search = () => <output aria-label="ตัวเลือก">{useLocation().search}</output>

/** Shows the page at its address, and the part of that after the question mark as text. */
export const showPage = (search = '') =>
  render(
    <InShop at={`/agent/api${search}`}>
      <ApiScreen />
      <Search />
    </InShop>,
  )

/** The browser's Back, as happy-dom has none. */
export function pressBack(): void {
  history.replaceState(null, '')
  window.dispatchEvent(new PopStateEvent('popstate'))
}
