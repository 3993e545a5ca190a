import { randomUUID } from 'node:crypto'
import { developmentPins } from 'functions/src/account/pins.ts'
import type { OrderSnapshot } from 'functions/src/order/tables.ts'
import { type Call, formatHeads, formatMeasure, type Measure, measureLoad, reportFailures } from './load.ts'
import { measureTransactions, pgbenchJson } from './pgbench.ts'
import { type BenchSite, runSql } from './site.ts'

/** Purchases of one wallet wait for each other; of this many they rarely do. */
const AGENTS = 64
const CLIENTS = [1, 8, 32]
const SECONDS = 6
const WARM_UP_SECONDS = 3

interface Shelf {
  gameId: number
  packageId: number
}

/** Agents buying from their wallets over HTTP, beside pgbench making the same writes with nothing around them. */
export async function benchWalletOrders(site: BenchSite): Promise<void> {
  const shelf = await stock(site)
  const order = (clients: number, seconds: number) =>
    measureLoad({ site, clients, seconds, makeCall: () => makeOrderCall(site, shelf) })
  await order(8, WARM_UP_SECONDS)
  await runSql(site.databaseUrl, 'ANALYZE')
  console.log(`\nAgent orders from the wallet, ${SECONDS} s each`)
  console.log(`clients${formatHeads('orders')}   bare writes/s   ratio`)
  const measures: Measure[] = []
  for (const clients of CLIENTS) {
    const measure = await order(clients, SECONDS)
    const script = bareWrites(shelf)
    const bare = await measureTransactions({ databaseUrl: site.databaseUrl, clients, seconds: SECONDS, script })
    measures.push(measure)
    const ratio = (measure.perSecond / bare.perSecond).toFixed(2)
    const besides = `${bare.perSecond.toFixed(0).padStart(16)}${ratio.padStart(8)}   (${bare.tool})`
    console.log(`${String(clients).padStart(7)}${formatMeasure(measure)}${besides}`)
  }
  reportFailures(measures)
}

async function stock({ databaseUrl }: BenchSite): Promise<Shelf> {
  const pins = developmentPins()
  const rows = Array.from(
    { length: AGENTS },
    (_, n) => [`bench-${n + 1}`, pins.hash(`bench-${n + 1}`, '1234')] as const,
  )
  const [shelf] = await runSql<Shelf>(
    databaseUrl,
    `INSERT INTO account (uid, username, providers, status, role, created_at)
      SELECT 'bench-' || n, 'bench-' || n, '{password}', 'active', 'agent', now() FROM generate_series(1, ${AGENTS}) n`,
    `INSERT INTO pin (uid, hash) VALUES ${rows.map(([uid, hash]) => `('${uid}', '${hash}')`).join(', ')}`,
    `WITH tier AS (
        INSERT INTO agent_tier (name, max_amount_satang, min_top_up_satang, max_amount_per_order_satang, max_item_per_order)
        VALUES ('Bench', 1000000000000, 0, 1000000000000, 1000) RETURNING id
      )
      INSERT INTO wallet (id, uid, tier_id, balance_satang, created_at)
      SELECT gen_random_uuid(), 'bench-' || n, tier.id, 1000000000000, now() FROM tier, generate_series(1, ${AGENTS}) n`,
    `WITH shown AS (
        INSERT INTO game (code, name, field_labels, position)
        VALUES ('bench-wallet', 'Bench', '{Player ID,"","","",""}', 98) RETURNING id
      ), sold AS (
        INSERT INTO package (game_id, name, position) SELECT id, 'Bench', 1 FROM shown RETURNING id
      ), priced AS (
        INSERT INTO package_price (package_id, payment, price_satang, start_day, is_active)
        SELECT id, 'wallet', 10000, '2020-01-01', true FROM sold
      )
      SELECT (SELECT id FROM shown) AS "gameId", (SELECT id FROM sold) AS "packageId"`,
  )
  return shelf!
}

function makeOrderCall(site: BenchSite, shelf: Shelf): Call {
  const body = { ...shelf, playerId: randomUUID(), pin: '1234', quantity: 1, termsVersion: '1' }
  const uid = `bench-${1 + Math.floor(Math.random() * AGENTS)}`
  return {
    method: 'POST',
    path: '/romons.payment/api/confirmorder',
    headers: { ...site.headersOf(uid), 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify(body),
  }
}

/** The rows of one purchase. Ids are handed from statement to statement inside the server. */
function bareWrites({ gameId, packageId }: Shelf): string {
  const [wallet, order, posting] = ['wallet', 'order', 'posting'].map(name => `current_setting('bench.${name}')::uuid`)
  const made = (name: string) => `set_config('bench.${name}', uuidv7()::text, true)::uuid`
  const found = `set_config('bench.wallet', id::text, true)`
  const snapshot = pgbenchJson({
    ...{ gameName: 'Bench', gamePicture: '', usualMinutes: { from: 5, to: 15 }, receivingAccount: null },
    packageName: 'Bench',
    fields: [{ name: 'field1', label: 'Player ID', value: randomUUID() }],
    termsVersion: '1',
  } satisfies OrderSnapshot)
  return `\\set agent random(1, ${AGENTS})
\\set number random(1, 1000000000000000)
BEGIN;
UPDATE wallet SET balance_satang = balance_satang - 10000 WHERE uid = 'bench-' || :agent RETURNING ${found};
INSERT INTO orders (id, order_no, track_token, status, version, buyer_key, buyer_uid, game_id, package_id, player_id, snapshot, payment, quantity, price_satang, tail_satang, wallet_id, created_at, paid_at, queue_no) VALUES (${made('order')}, 'W' || :number, 'W' || :number, 'paid', 1, 'u:' || :number, 'bench-' || :agent, ${gameId}, ${packageId}, 'W' || :number, '${snapshot}', 'wallet', 1, 10000, 0, ${wallet}, now(), now(), nextval('order_queue_no'));
INSERT INTO order_event (order_id, version, kind, to_status, actor_uid, actor_role, at) VALUES (${order}, 1, 'created', 'paid', 'bench-' || :agent, 'agent', now());
INSERT INTO ledger_transaction (id, kind, subject_id, at) VALUES (${made('posting')}, 'order_paid', ${order}, now());
INSERT INTO ledger_entry (transaction_id, line, account, amount_satang, at) VALUES (${posting}, 1, 'wallet:' || ${wallet}, -10000, now()), (${posting}, 2, 'sales', 10000, now());
INSERT INTO idempotency_key (scope, key, request_hash, reply, created_at) VALUES ('u:' || :number, 'W' || :number, 'W' || :number, jsonb_build_object('orderNo', 'W' || :number), now());
COMMIT;
`
}
