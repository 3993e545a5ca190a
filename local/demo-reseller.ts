import { randomBytes } from 'node:crypto'
import { bangkokDay, DAY_MS } from '@shop/shared/time.ts'
import { hashSecret } from 'functions/src/account/caller.ts'
import type { Sql } from 'functions/src/database/database.ts'
import { insertKey } from 'functions/src/reseller/key-store.ts'
import { resellerDay } from 'functions/src/reseller/tables.ts'

const TEST_ID = 'rk_test_DemoShopOnlyDemo'
const TEST_SECRET = 'only-in-the-demo-shop'.padEnd(43, '-')
/** The test key of the demo shop's agent, for the first call of a program. */
export const DEMO_TEST_KEY = `${TEST_ID}.${TEST_SECRET}`

const DAYS = 30
const SHOP_ID = 'rk_live_DemoShopWebOrder'
const SHOP_SECRET = randomBytes(32).toString('base64url')
/** The key by which the agent's own shop ordered while the demo shop's past was made; nobody keeps it. */
export const DEMO_SHOP_KEY = `${SHOP_ID}.${SHOP_SECRET}`

/** The key of an agent's own shop, which has read prices for a month and orders, and a test key to begin with. */
export async function insertDemoResellers(tx: Sql, now: Date): Promise<void> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const base = { uid: 'demo-agent', addresses: [], dailyLimitSatang: null } as const
  await insertKey(tx, {
    ...base,
    id: TEST_ID,
    name: 'ทดลองเชื่อมต่อ',
    mode: 'test',
    scopes: ['read', 'order', 'codes'],
    addresses: [],
    secretHash: hashSecret(TEST_SECRET),
    createdAt: daysAgo(2),
  })
  await insertKey(tx, {
    ...base,
    id: SHOP_ID,
    name: 'เว็บร้านปิติเกม',
    mode: 'live',
    scopes: ['read', 'order'],
    addresses: [],
    dailyLimitSatang: 200_000,
    secretHash: hashSecret(SHOP_SECRET),
    createdAt: daysAgo(DAYS + 3),
  })
  const used = Array.from({ length: DAYS }, (_, day) => ({
    keyId: SHOP_ID,
    day: bangkokDay(daysAgo(day)),
    calls: 260 + ((day * 37) % 60),
    errors: (day * 7) % 5,
    lastUsedAt: day === 0 ? new Date(now.getTime() - 90_000) : daysAgo(day),
    lastUsedFrom: '203.0.113.24',
  }))
  await tx.orm.insert(resellerDay).values(used)
}
