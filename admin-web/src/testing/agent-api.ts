import type { AgentApi, ListedAgentApi, ResellerKeyView } from '@shop/shared/reseller/key-endpoints.ts'

const NOW = '2026-11-20T07:00:00.000Z'
const none = { calls: 0, errors: 0, orders: 0, spentSatang: 0 }

/** A live key that works and is in use. */
export const liveKey: ResellerKeyView = {
  id: 'rk_live_AbCdEfGhIjKlMnOp',
  name: 'เครื่องหน้าร้าน',
  mode: 'live',
  scopes: ['read', 'order'],
  addresses: ['203.0.113.0/24'],
  dailyLimitSatang: 500_000,
  createdAt: '2026-11-01T03:00:00.000Z',
  endedAt: null,
  endedFor: null,
  lastUsedAt: NOW,
  lastUsedFrom: '203.0.113.9',
  today: { calls: 1200, errors: 12, orders: 32, spentSatang: 3_000_050 },
  month: { calls: 40_000, errors: 4000, orders: 900, spentSatang: 90_000_000 },
}

/** Never used, play money, without limits. */
export const testKey: ResellerKeyView = {
  ...liveKey,
  id: 'rk_test_AbCdEfGhIjKlMnOp',
  name: 'ลองระบบ',
  mode: 'test',
  scopes: ['codes'],
  addresses: [],
  dailyLimitSatang: null,
  lastUsedAt: null,
  lastUsedFrom: null,
  today: none,
  month: none,
}

export const noApi: AgentApi = { keys: [], webhooks: [], nowDate: NOW }

export const listedApi: ListedAgentApi = {
  uid: 'u-agent',
  name: 'ร้านเกมบ้านสวน',
  keys: 2,
  today: liveKey.today,
  month: liveKey.month,
  lastUsedAt: NOW,
  failingWebhooks: 0,
  webhooks: 1,
}
