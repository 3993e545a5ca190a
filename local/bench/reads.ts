import { bangkokMonthOf } from '@shop/shared/time.ts'
import { headersOf } from './caller.ts'
import { formatHeads, formatMeasure, type Measure, measureLoad, reportFailures } from './load.ts'
import type { BenchSite } from './site.ts'
import { runSql } from './sql.ts'

const CLIENTS = 8
const SECONDS = 3
const MANY_ORDERS = 100_000
/** Width of the column of names, in characters. */
const WIDTH = 52

/** Measures list reads per second, with the demo shop's orders of 60 days and with many more. */
export async function benchReads(site: BenchSite): Promise<void> {
  const staff = headersOf('demo-staff')
  const history = '/romons.order/api/order/managehistory'
  const month = bangkokMonthOf(new Date())
  const staffLists: [string, string, Record<string, string>][] = [
    ['staff history, newest', history, staff],
    ['staff history, a month and status', `${history}?month=${month}&status=success`, staff],
  ]
  console.log(`\nList reads, ${CLIENTS} clients, ${SECONDS} s each`)
  console.log(`${'list'.padEnd(WIDTH)}${formatHeads('reads')}`)
  const measures: Measure[] = []
  const read = async (name: string, path: string, headers: Record<string, string>) => {
    const makeCall = () => ({ method: 'GET' as const, path, headers })
    const measure = await measureLoad({ site, clients: CLIENTS, seconds: SECONDS, makeCall })
    measures.push(measure)
    console.log(name.padEnd(WIDTH) + formatMeasure(measure))
  }
  await read('games', '/romons.game/api/games', {})
  await read('packages of a game', '/romons.package/api/packages/pubg', {})
  const few = await countOrders(site)
  for (const [name, path, headers] of staffLists) await read(`${name} (${few} orders)`, path, headers)
  await addOrders(site)
  const many = await countOrders(site)
  for (const [name, path, headers] of staffLists) await read(`${name} (${many} orders)`, path, headers)
  reportFailures(measures)
}

async function countOrders({ databaseUrl }: BenchSite): Promise<string> {
  const [row] = await runSql<{ count: string }>(databaseUrl, 'SELECT count(*) FROM orders')
  return Number(row!.count).toLocaleString('en')
}

/** Copies of the demo shop's past orders, spread over the same 60 days. */
async function addOrders({ databaseUrl }: BenchSite): Promise<void> {
  const began = performance.now()
  await runSql(
    databaseUrl,
    // Without foreign key checks the copies take 2 s instead of 20.
    'SET session_replication_role = replica',
    `CREATE TEMP TABLE past AS SELECT row_number() OVER () AS n, * FROM orders WHERE status = 'success' AND payment = 'bank'`,
    `WITH copied AS (
        INSERT INTO orders (id, order_no, track_token, status, version, buyer_key, buyer_uid, game_id, package_id, player_id,
          snapshot, payment, quantity, price_satang, tail_satang, receiving_account_id, created_at, expires_at, paid_at,
          claimed_by, claimed_at, ended_at, delivery_reference, queue_no)
        SELECT uuidv7(), 'KT' || to_char(created_at AT TIME ZONE 'Asia/Bangkok', 'YYMM') || '-' || lpad(g::text, 8, '0'),
          'bench-' || g, status, version, buyer_key, buyer_uid, game_id, package_id, player_id, snapshot, payment, quantity,
          price_satang, tail_satang, receiving_account_id, created_at + g * interval '1 second', expires_at, paid_at, claimed_by,
          claimed_at, ended_at, delivery_reference, nextval('order_queue_no')
        FROM generate_series(1, ${MANY_ORDERS}) g JOIN past ON past.n = 1 + g % (SELECT count(*) FROM past)
        ON CONFLICT DO NOTHING RETURNING id, ended_at
      )
      INSERT INTO order_event (order_id, version, kind, to_status, actor_role, at)
      SELECT id, 1, 'created', 'success', 'guest', ended_at FROM copied`,
    'ANALYZE',
  )
  console.log(
    `  (seeded ${MANY_ORDERS.toLocaleString('en')} more orders in ${((performance.now() - began) / 1000).toFixed(1)} s)`,
  )
}
