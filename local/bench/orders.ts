import { randomBytes, randomUUID } from 'node:crypto'
import type { OrderSnapshot } from 'functions/src/order/tables.ts'
import { type Call, formatHeads, formatMeasure, type Measure, measureLoad, reportFailures } from './load.ts'
import { measureTransactions, pgbenchJson } from './pgbench.ts'
import { type BenchSite, runSql } from './site.ts'

/** Enough packages and accounts that the 99 amounts of each pair never come near their end. */
const PACKAGES = 100
const ACCOUNTS = 40
const CLIENTS = [1, 8, 32]
const SECONDS = 6
const WARM_UP_SECONDS = 3

interface Shelf {
  gameId: number
  packageIds: number[]
  accountIds: number[]
}

/** Guests placing bank orders over HTTP, beside pgbench inserting the same rows with nothing around them. */
export async function benchOrders(site: BenchSite): Promise<void> {
  const shelf = await stock(site)
  const order = (clients: number, seconds: number) =>
    measureLoad({ site, clients, seconds, makeCall: () => makeOrderCall(shelf) })
  await order(8, WARM_UP_SECONDS)
  // What autovacuum does within a minute; until then plans are made for empty tables.
  await runSql(site.databaseUrl, 'ANALYZE')
  console.log(`\nGuest orders by bank transfer, ${SECONDS} s each`)
  console.log(`clients${formatHeads('orders')}   bare inserts/s   ratio`)
  const measures: Measure[] = []
  for (const clients of CLIENTS) {
    const measure = await order(clients, SECONDS)
    const bare = await measureTransactions({
      databaseUrl: site.databaseUrl,
      clients,
      seconds: SECONDS,
      script: bareInserts(shelf),
    })
    measures.push(measure)
    const ratio = (measure.perSecond / bare.perSecond).toFixed(2)
    const besides = `${bare.perSecond.toFixed(0).padStart(17)}${ratio.padStart(8)}   (${bare.tool})`
    console.log(`${String(clients).padStart(7)}${formatMeasure(measure)}${besides}`)
  }
  reportFailures(measures)
}

async function stock({ databaseUrl }: BenchSite): Promise<Shelf> {
  const [shelf] = await runSql<Shelf>(
    databaseUrl,
    `WITH shown AS (
        INSERT INTO game (code, name, field_labels, position) VALUES ('bench', 'Bench', '{Player ID,"","","",""}', 99)
        RETURNING id
      ), sold AS (
        INSERT INTO package (game_id, name, position) SELECT id, 'Bench ' || n, n FROM shown, generate_series(1, ${PACKAGES}) n
        RETURNING id, game_id, position
      ), priced AS (
        INSERT INTO package_price (package_id, payment, price_satang, start_day, is_active)
        SELECT id, 'bank', (100 + position) * 100, '2020-01-01', true FROM sold
      ), paid AS (
        INSERT INTO receiving_account (bank_code, account_name, account_no, prompt_pay_id, position)
        SELECT '004', 'Bench', lpad(n::text, 10, '0'), '0812345678', 10 + n FROM generate_series(1, ${ACCOUNTS}) n RETURNING id
      )
      SELECT (SELECT id FROM shown) AS "gameId", (SELECT array_agg(id) FROM sold) AS "packageIds",
        (SELECT array_agg(id) FROM paid) AS "accountIds"`,
  )
  return shelf!
}

const pick = (ids: number[]): number => ids[Math.floor(Math.random() * ids.length)]!

function makeOrderCall({ gameId, packageIds, accountIds }: Shelf): Call {
  const body = {
    gameId,
    packageId: pick(packageIds),
    playerId: randomUUID(),
    receivingAccountId: pick(accountIds),
    termsVersion: '1',
  }
  return {
    method: 'POST',
    path: '/romons.payment/api/confirmprice',
    headers: {
      'content-type': 'application/json',
      'guest-key': randomBytes(24).toString('base64url'),
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify(body),
  }
}

/** The rows of one order. The order's id is handed from statement to statement inside the server. */
function bareInserts({ gameId, packageIds, accountIds }: Shelf): string {
  const [firstPackage, lastPackage] = [Math.min(...packageIds), Math.max(...packageIds)]
  const [firstAccount, lastAccount] = [Math.min(...accountIds), Math.max(...accountIds)]
  const orderId = `current_setting('bench.order')::uuid`
  const snapshot = pgbenchJson({
    ...{ gameName: 'Bench', gamePicture: '', usualMinutes: { from: 5, to: 15 }, receivingAccount: null },
    packageName: 'Bench 1',
    fields: [{ name: 'field1', label: 'Player ID', value: randomUUID() }],
    termsVersion: '1',
  } satisfies OrderSnapshot)
  return `\\set package random(${firstPackage}, ${lastPackage})
\\set account random(${firstAccount}, ${lastAccount})
\\set amount random(1, 1000000000000000)
\\set number random(1, 1000000000000000)
BEGIN;
INSERT INTO reserved_amount (id, receiving_account_id, amount_satang, price_satang, buyer_key, order_id, reusable_at) VALUES (uuidv7(), :account, :amount, 10000, 'g:' || :number, set_config('bench.order', uuidv7()::text, true)::uuid, NULL);
INSERT INTO orders (id, order_no, track_token, status, version, buyer_key, guest_slot, game_id, package_id, player_id, snapshot, payment, quantity, price_satang, tail_satang, receiving_account_id, created_at, expires_at, expire_after) VALUES (${orderId}, 'B' || :number, 'B' || :number, 'waiting_payment', 1, 'g:' || :number, 1, ${gameId}, :package, 'B' || :number, '${snapshot}', 'bank', 1, 10000, 1, :account, now(), now() + interval '15 minutes', now() + interval '15 minutes');
INSERT INTO order_event (order_id, version, kind, to_status, actor_role, at) VALUES (${orderId}, 1, 'created', 'waiting_payment', 'guest', now());
INSERT INTO idempotency_key (scope, key, request_hash, reply, created_at) VALUES ('g:' || :number, 'B' || :number, 'B' || :number, jsonb_build_object('orderNo', 'B' || :number), now());
COMMIT;
`
}
