import { randomBytes, randomUUID } from 'node:crypto'
import { developmentPins } from 'functions/src/account/pins.ts'
import { type Call, headersOf } from './caller.ts'
import { runSql } from './sql.ts'

/** Each pair of package and account has 99 amounts. With this many pairs they never run out. */
const PACKAGES = 100
const ACCOUNTS = 40
/** Purchases from the same wallet wait for each other; with this many wallets that is rare. */
export const AGENTS = 64
/** Somebody who is signed in may have one unpaid order, so each of them buys once. */
const BUYERS = 50_000

/** What the benchmarks buy. */
export interface Shelf {
  gameId: number
  /** Sold by bank transfer, to these accounts. */
  packageIds: number[]
  accountIds: number[]
  /** Sold from the wallet. */
  walletGameId: number
  walletPackageId: number
}

/** Puts games, receiving accounts, customers and agents with full wallets into the shop. */
export async function stockShelf(databaseUrl: string): Promise<Shelf> {
  const pins = developmentPins()
  const agents = Array.from({ length: AGENTS }, (_, n) => `bench-${n + 1}`)
  const [shelf] = await runSql<Shelf>(
    databaseUrl,
    `INSERT INTO account (uid, username, providers, status, role, created_at)
      SELECT uid, uid, '{password}', 'active', role, now() FROM (
        SELECT 'bench-' || n AS uid, 'agent' AS role FROM generate_series(1, ${AGENTS}) n
        UNION ALL SELECT 'bench-buyer-' || n, 'customer' FROM generate_series(1, ${BUYERS}) n
      ) AS person`,
    `INSERT INTO pin (uid, hash) VALUES ${agents.map(uid => `('${uid}', '${pins.hash(uid, '1234')}')`).join(', ')}`,
    `WITH tier AS (
        INSERT INTO agent_tier (name, max_amount_satang, min_top_up_satang, max_amount_per_order_satang, max_item_per_order)
        VALUES ('Bench', 1000000000000, 0, 1000000000000, 1000) RETURNING id
      )
      INSERT INTO wallet (id, uid, tier_id, balance_satang, created_at)
      SELECT gen_random_uuid(), 'bench-' || n, tier.id, 1000000000000, now() FROM tier, generate_series(1, ${AGENTS}) n`,
    `WITH shown AS (
        INSERT INTO game (code, name, field_labels, position) VALUES ('bench', 'Bench', '{Player ID,"","","",""}', 99),
          ('bench-wallet', 'Bench', '{Player ID,"","","",""}', 98) RETURNING id, code
      ), sold AS (
        INSERT INTO package (game_id, name, position) SELECT id, 'Bench ' || n, n FROM shown, generate_series(1, ${PACKAGES}) n
        WHERE code = 'bench' OR n = 1 RETURNING id, game_id, position
      ), priced AS (
        INSERT INTO package_price (package_id, payment, price_satang, start_day, is_active)
        SELECT s.id, CASE code WHEN 'bench' THEN 'bank' ELSE 'wallet' END, (100 + s.position) * 100, '2020-01-01', true
        FROM sold s JOIN shown g ON g.id = s.game_id
      ), paid AS (
        INSERT INTO receiving_account (bank_code, account_name, account_no, prompt_pay_id, position)
        SELECT '004', 'Bench', lpad(n::text, 10, '0'), '0812345678', 10 + n FROM generate_series(1, ${ACCOUNTS}) n RETURNING id
      )
      SELECT min(g.id) FILTER (WHERE code = 'bench') AS "gameId", min(g.id) FILTER (WHERE code <> 'bench') AS "walletGameId",
        array_agg(s.id) FILTER (WHERE code = 'bench') AS "packageIds",
        min(s.id) FILTER (WHERE code <> 'bench') AS "walletPackageId", (SELECT array_agg(id) FROM paid) AS "accountIds"
      FROM sold s JOIN shown g ON g.id = s.game_id`,
  )
  return shelf!
}

/** Returns what an earlier run put there; null where there was none. */
export async function findShelf(databaseUrl: string): Promise<Shelf | null> {
  const [shelf] = await runSql<{ [K in keyof Shelf]: Shelf[K] | null }>(
    databaseUrl,
    `SELECT (SELECT id FROM game WHERE code = 'bench') AS "gameId", (SELECT id FROM game WHERE code = 'bench-wallet') AS "walletGameId",
      (SELECT array_agg(p.id) FROM package p JOIN game g ON g.id = p.game_id WHERE g.code = 'bench') AS "packageIds",
      (SELECT min(p.id) FROM package p JOIN game g ON g.id = p.game_id WHERE g.code = 'bench-wallet') AS "walletPackageId",
      (SELECT array_agg(id) FROM receiving_account WHERE account_name = 'Bench') AS "accountIds"`,
  )
  return shelf!.gameId === null ? null : (shelf as Shelf)
}

const pick = (ids: number[]): number => ids[Math.floor(Math.random() * ids.length)]!

function bankOrder({ gameId, packageIds, accountIds }: Shelf, headers: Record<string, string>): Call {
  const sold = { gameId, packageId: pick(packageIds), receivingAccountId: pick(accountIds) }
  return {
    method: 'POST',
    path: '/romons.payment/api/confirmprice',
    headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify({ ...sold, playerId: randomUUID(), termsVersion: '1' }),
  }
}

/** A guest's order by bank transfer. */
export const guestOrder = (shelf: Shelf): Call =>
  bankOrder(shelf, { 'guest-key': randomBytes(24).toString('base64url') })

let buyers = 0
const nextBuyer = () => headersOf(`bench-buyer-${1 + (buyers++ % BUYERS)}`)
/** An order by bank transfer of somebody who is signed in. */
export const buyerOrder = (shelf: Shelf): Call => bankOrder(shelf, nextBuyer())

const reads = (paths: string[], headers: Record<string, string>): Call[] =>
  paths.map(path => ({ method: 'GET', path, headers }))

const LISTS = [
  '/romons.package/api/packages/bench',
  '/romons.payment/api/paymentmethods',
  '/romons.payment/api/banksaccount',
]
/** The same order after the lists that it chooses from, each read by itself. */
export function buyerPath(shelf: Shelf): Call[] {
  const headers = nextBuyer()
  return [...reads(LISTS, headers), bankOrder(shelf, headers)]
}

const storefrontReads = (gameCode: string) => [
  `/romons.game/api/games/${gameCode}/offer`,
  `/romons.order/api/order/buyer/${gameCode}`,
]
/** The same order after what the storefront reads. */
export function storefrontPath(shelf: Shelf): Call[] {
  const headers = nextBuyer()
  return [...reads(storefrontReads('bench'), headers), bankOrder(shelf, headers)]
}

/** An agent's order from the wallet after what the storefront reads. */
export function agentPath(shelf: Shelf): Call[] {
  const order = agentOrder(shelf)
  return [...reads(storefrontReads('bench-wallet'), { authorization: order.headers!.authorization! }), order]
}

/** An agent's order from the wallet. */
export function agentOrder({ walletGameId, walletPackageId }: Shelf): Call {
  const sold = { gameId: walletGameId, packageId: walletPackageId, playerId: randomUUID(), quantity: 1 }
  const uid = `bench-${1 + Math.floor(Math.random() * AGENTS)}`
  return {
    method: 'POST',
    path: '/romons.payment/api/confirmorder',
    headers: { ...headersOf(uid), 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify({ ...sold, pin: '1234', termsVersion: '1' }),
  }
}
