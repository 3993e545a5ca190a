import { createHash, randomUUID } from 'node:crypto'
import type { Call } from './caller.ts'
import { headersOf } from './caller.ts'
import { formatHeads, formatMeasure, type Measure, measureLoad, reportFailures } from './load.ts'
import { AGENTS, agentOrder } from './shelf.ts'
import type { BenchSite } from './site.ts'
import { runSql } from './sql.ts'

const CLIENTS = [1, 8, 32]
const READERS = 8
const SECONDS = 6
const WARM_UP_SECONDS = 12
/** Width of the column of names, in characters. */
const WIDTH = 34

const SECRET = 'bench'.padEnd(43, 'x')
const keyIdOf = (agent: number): string => `rk_live_${String(agent).padStart(16, '0')}`
const byKey = (agent: number) => ({ authorization: `Bearer ${keyIdOf(agent)}.${SECRET}` })
const anyAgent = (): number => 1 + Math.floor(Math.random() * AGENTS)

/** What machines do by key, beside what the same agents do in the storefront: in turns, in one run. */
export async function benchReseller(site: BenchSite): Promise<void> {
  const hash = createHash('sha256').update(SECRET).digest('base64url')
  const keys = Array.from(
    { length: AGENTS },
    (_, n) => `('${keyIdOf(n + 1)}', 'bench-${n + 1}', 'Bench', 'live', '${hash}',
    '{read,order,codes}', '{}', now())`,
  )
  await runSql(
    site.databaseUrl,
    `INSERT INTO reseller_key (id, uid, name, mode, secret_hash, scopes, addresses, created_at) VALUES ${keys.join(', ')}`,
  )
  const measures: Measure[] = []
  const measure = async (clients: number, seconds: number, makeCall: () => Call) => {
    const each = await measureLoad({ site, clients, seconds, makeCall })
    measures.push(each)
    return each
  }
  await benchOrders(site, measure)
  await benchReads(site, measure)
  reportFailures(measures)
}

type Measuring = (clients: number, seconds: number, makeCall: () => Call) => Promise<Measure>

const apiOrder = (packageId: number): Call => ({
  method: 'POST',
  path: '/reseller/v1/orders',
  headers: { ...byKey(anyAgent()), 'content-type': 'application/json' },
  body: JSON.stringify({ ref: randomUUID(), packageId, playerId: randomUUID(), quantity: 1 }),
})

/** Measures both in turns, A B B A, so that what changes over time falls on both. */
async function compare(
  measure: Measuring,
  name: string,
  clients: number,
  makes: { storefront: () => Call; api: () => Call },
): Promise<void> {
  const runs: Record<keyof typeof makes, Measure[]> = { storefront: [], api: [] }
  for (const side of ['storefront', 'api', 'api', 'storefront'] as const)
    runs[side].push(await measure(clients, SECONDS / 2, makes[side]))
  const mean = (side: keyof typeof makes) => runs[side].reduce((sum, { perSecond }) => sum + perSecond, 0) / 2
  for (const side of ['storefront', 'api'] as const)
    for (const each of runs[side]) console.log(`${`${name}, ${side}`.padEnd(WIDTH)}${formatMeasure(each)}`)
  console.log(`${''.padEnd(WIDTH)}${(mean('api') / mean('storefront')).toFixed(2).padStart(10)} of the storefront's`)
}

async function benchOrders({ shelf, databaseUrl }: BenchSite, measure: Measuring): Promise<void> {
  const makes = { storefront: () => agentOrder(shelf), api: () => apiOrder(shelf.walletPackageId) }
  for (const make of Object.values(makes)) await measure(8, WARM_UP_SECONDS / 2, make)
  await runSql(databaseUrl, 'ANALYZE')
  console.log(`\nOrders from the wallet, in the storefront and by key, ${SECONDS} s each`)
  console.log(`${'clients'.padEnd(WIDTH)}${formatHeads('orders')}`)
  for (const clients of CLIENTS) await compare(measure, String(clients), clients, makes)
}

async function benchReads({ databaseUrl }: BenchSite, measure: Measuring): Promise<void> {
  await runSql(databaseUrl, 'ANALYZE')
  const placed = await runSql<{ orderNo: string; agent: number }>(
    databaseUrl,
    `SELECT o.order_no AS "orderNo", substr(r.uid, 7)::int AS agent FROM reseller_order r JOIN orders o ON o.id = r.order_id LIMIT 2000`,
  )
  const any = () => placed[Math.floor(Math.random() * placed.length)]!
  const get = (path: string, headers: Record<string, string>): Call => ({ method: 'GET', path, headers })
  const inShop = (path: string) => () => get(path, headersOf(`bench-${anyAgent()}`))
  const inApi = (path: string) => () => get(path, byKey(anyAgent()))
  const reads = {
    'an order': {
      storefront: () => {
        const { orderNo, agent } = any()
        return get(`/romons.order/api/order/details/${orderNo}`, headersOf(`bench-${agent}`))
      },
      api: () => {
        const { orderNo, agent } = any()
        return get(`/reseller/v1/orders/${orderNo}`, byKey(agent))
      },
    },
    'ten orders': {
      storefront: inShop('/romons.order/api/order/history?pageSize=10'),
      api: inApi('/reseller/v1/orders?limit=10'),
    },
    'the wallet': { storefront: inShop('/romons.payment/api/wallet/me'), api: inApi('/reseller/v1/wallet') },
    'ten wallet entries': {
      storefront: inShop('/romons.payment/api/wallet/transactions?pageSize=10'),
      api: inApi('/reseller/v1/wallet/entries?limit=10'),
    },
    games: { storefront: inShop('/romons.game/api/games'), api: inApi('/reseller/v1/games') },
    packages: { storefront: inShop('/romons.package/api/packages'), api: inApi('/reseller/v1/packages') },
  }
  console.log(`\nReads, ${READERS} clients, ${SECONDS} s each`)
  console.log(`${'read'.padEnd(WIDTH)}${formatHeads('reads')}`)
  for (const [name, makes] of Object.entries(reads)) await compare(measure, name, READERS, makes)
}
