import { randomUUID } from 'node:crypto'
import type { OrderSnapshot } from 'functions/src/order/tables.ts'
import type { Call } from './caller.ts'
import { formatHeads, formatMeasure, type Measure, measureLoad, reportFailures } from './load.ts'
import { measureTransactions, pgbenchJson } from './pgbench.ts'
import {
  AGENTS,
  agentOrder,
  agentPath,
  buyerOrder,
  buyerPath,
  guestOrder,
  type Shelf,
  storefrontPath,
} from './shelf.ts'
import type { BenchSite } from './site.ts'
import { runSql } from './sql.ts'

const CLIENTS = [1, 8, 32]
const SECONDS = 6
/** In its first ten seconds under load a server spends a third of its time compiling; a running shop has done that. */
const WARM_UP_SECONDS = 12

/** Guests place bank orders over HTTP; for comparison pgbench inserts the same rows. */
export const benchOrders = (site: BenchSite): Promise<void> =>
  besideBareWrites(site, 'Guest orders by bank transfer', guestOrder, bareBankOrder(site.shelf))

/** Agents buy from their wallets; for comparison pgbench makes the same writes. */
export const benchWalletOrders = (site: BenchSite): Promise<void> =>
  besideBareWrites(site, 'Agent orders from the wallet', agentOrder, bareWalletOrder(site.shelf))

async function besideBareWrites(
  site: BenchSite,
  title: string,
  makeCall: (shelf: Shelf) => Call,
  script: string,
): Promise<void> {
  const order = (clients: number, seconds: number) =>
    measureLoad({ site, clients, seconds, makeCall: () => makeCall(site.shelf) })
  await order(8, WARM_UP_SECONDS)
  // Autovacuum would do this within a minute. Until then queries are planned for empty tables.
  await runSql(site.databaseUrl, 'ANALYZE')
  console.log(`\n${title}, ${SECONDS} s each; beside them their bare rows, written by pgbench`)
  console.log(`clients${formatHeads('orders')}      bare/s   ratio  database ms of a bare one`)
  const measures: Measure[] = []
  for (const clients of CLIENTS) {
    const measure = await order(clients, SECONDS)
    const bare = await measureTransactions({ site, clients, seconds: SECONDS, script })
    measures.push(measure)
    const besides = bare
      ? [
          bare.perSecond.toFixed(0).padStart(12),
          (measure.perSecond / bare.perSecond).toFixed(2).padStart(8),
          bare.databaseMs.toFixed(2).padStart(15),
        ].join('')
      : '   pgbench is not installed: nothing to compare with'
    console.log(`${String(clients).padStart(7)}${formatMeasure(measure)}${besides}`)
  }
  reportFailures(measures)
}

const PATHS: Record<string, (shelf: Shelf) => Call[]> = {
  'the order alone': shelf => [buyerOrder(shelf)],
  'after packages, ways to pay, accounts': buyerPath,
  "after the storefront's reads": storefrontPath,
  "an agent's, after those": agentPath,
}
const PATH_SECONDS = 3

/** Orders of signed-in buyers with what is read before each. */
export async function benchPaths(site: BenchSite): Promise<void> {
  console.log(`\nOrders of signed-in buyers with their reads, ${PATH_SECONDS} s each; figures of a call, but orders/s`)
  console.log(`${''.padEnd(40)}clients  orders/s${formatHeads('calls')}`)
  const measures: Measure[] = []
  for (const [name, makePath] of Object.entries(PATHS)) {
    const callsOf = () => makePath(site.shelf)
    const path = (clients: number, seconds: number) => {
      let left: Call[] = []
      const makeCall = () => {
        if (left.length === 0) left = callsOf()
        return left.shift()!
      }
      return measureLoad({ site, clients, seconds, makeCall })
    }
    await path(8, PATH_SECONDS)
    await runSql(site.databaseUrl, 'ANALYZE')
    for (const clients of CLIENTS) {
      const measure = await path(clients, PATH_SECONDS)
      measures.push(measure)
      const orders = (measure.perSecond / callsOf().length).toFixed(0)
      console.log(`${name.padEnd(40)}${String(clients).padStart(7)}${orders.padStart(10)}${formatMeasure(measure)}`)
    }
  }
  reportFailures(measures)
}

const snapshotOf = (packageName: string): string =>
  pgbenchJson({
    gameName: 'Bench',
    gamePicture: '',
    usualMinutes: { from: 5, to: 15 },
    receivingAccount: null,
    packageName,
    fields: [{ name: 'field1', label: 'Player ID', value: randomUUID() }],
    termsVersion: '1',
  } satisfies OrderSnapshot)

/** A pgbench script with the rows of one order. A session setting hands the order's id on to the next statement. */
function bareBankOrder({ gameId, packageIds, accountIds }: Shelf): string {
  const [firstPackage, lastPackage] = [Math.min(...packageIds), Math.max(...packageIds)]
  const [firstAccount, lastAccount] = [Math.min(...accountIds), Math.max(...accountIds)]
  const orderId = `current_setting('bench.order')::uuid`
  const snapshot = snapshotOf('Bench 1')
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

/** A pgbench script with the rows of one purchase. Session settings hand the ids on to the next statement. */
function bareWalletOrder({ walletGameId, walletPackageId }: Shelf): string {
  const [wallet, order, posting] = ['wallet', 'order', 'posting'].map(name => `current_setting('bench.${name}')::uuid`)
  const made = (name: string) => `set_config('bench.${name}', uuidv7()::text, true)::uuid`
  const found = `set_config('bench.wallet', id::text, true)`
  const snapshot = snapshotOf('Bench')
  return `\\set agent random(1, ${AGENTS})
\\set number random(1, 1000000000000000)
BEGIN;
UPDATE wallet SET balance_satang = balance_satang - 10000 WHERE uid = 'bench-' || :agent RETURNING ${found};
INSERT INTO orders (id, order_no, track_token, status, version, buyer_key, buyer_uid, game_id, package_id, player_id, snapshot, payment, quantity, price_satang, tail_satang, wallet_id, created_at, paid_at, queue_no) VALUES (${made('order')}, 'W' || :number, 'W' || :number, 'paid', 1, 'u:' || :number, 'bench-' || :agent, ${walletGameId}, ${walletPackageId}, 'W' || :number, '${snapshot}', 'wallet', 1, 10000, 0, ${wallet}, now(), now(), nextval('order_queue_no'));
INSERT INTO order_event (order_id, version, kind, to_status, actor_uid, actor_role, at) VALUES (${order}, 1, 'created', 'paid', 'bench-' || :agent, 'agent', now());
INSERT INTO ledger_transaction (id, kind, subject_id, at) VALUES (${made('posting')}, 'order_paid', ${order}, now());
INSERT INTO ledger_entry (transaction_id, line, account, amount_satang, at) VALUES (${posting}, 1, 'wallet:' || ${wallet}, -10000, now()), (${posting}, 2, 'sales', 10000, now());
INSERT INTO idempotency_key (scope, key, request_hash, reply, created_at) VALUES ('u:' || :number, 'W' || :number, 'W' || :number, jsonb_build_object('orderNo', 'W' || :number), now());
COMMIT;
`
}
