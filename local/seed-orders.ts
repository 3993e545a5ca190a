// `npm run seed:orders -- 1000000` creates a separate database for measurements, with so many orders and a tenth as many
// top-ups.
import { join } from 'node:path'
import type { Order } from '@shop/shared/order/order.ts'
import type { OrderStatus } from '@shop/shared/order/status.ts'
import type { StoredAccount } from 'functions/src/catalogue/tables.ts'
import { rebuildSales } from 'functions/src/dashboard/sale-day.ts'
import { migrate } from 'functions/src/database/migrate.ts'
import type { OrderSnapshot } from 'functions/src/order/tables.ts'
import { dueSql } from 'functions/src/transfer/order-money.ts'
import pg from 'pg'
import { seedDemoData } from './demo-data.ts'
import { demoDatabaseUrl, giveUp, mustAnswer } from './demo-database.ts'
import { OWN_MACHINE } from './demo-guard.ts'
import { projectRoot } from './os-process.ts'
import { createDatabase } from './postgres.ts'

const DATABASE = 'shop_many_orders'
/** The orders are spread over so many days, however many orders there are. */
const DAYS = 400
const AGENTS = 300
/** The digits of an order number are n times this, modulo 10^8: they look random, and none comes twice. */
const SPREAD = 61_803_399
/** There is one customer, and one top-up, for so many orders. */
const ORDERS_PER_CUSTOMER = 12
const ORDERS_PER_TOP_UP = 10

interface Life {
  percent: number
  path: OrderStatus[]
  /** When the order came to each status of its path, in seconds after it was placed. */
  seconds: number[]
  /** Wallet orders are paid when they are placed, so their paths begin with `paid`. */
  payment: Order['payment']
}

/** What became of past orders. The percentages are those of the orders with the same payment. */
const LIVES: Life[] = [
  {
    payment: 'bank',
    percent: 91,
    path: ['waiting_payment', 'paid', 'processing', 'success'],
    seconds: [0, 120, 300, 600],
  },
  { payment: 'bank', percent: 4, path: ['waiting_payment', 'expired'], seconds: [0, 1200] },
  { payment: 'bank', percent: 2, path: ['waiting_payment', 'cancel'], seconds: [0, 90] },
  {
    payment: 'bank',
    percent: 1,
    path: ['waiting_payment', 'paid', 'processing', 'failed'],
    seconds: [0, 120, 300, 600],
  },
  {
    payment: 'bank',
    percent: 2,
    seconds: [0, 120, 300, 600, 3600],
    path: ['waiting_payment', 'paid', 'processing', 'failed', 'refunding'],
  },
  { payment: 'wallet', percent: 97, path: ['paid', 'processing', 'success'], seconds: [0, 180, 480] },
  { payment: 'wallet', percent: 1, path: ['paid', 'processing', 'failed'], seconds: [0, 180, 480] },
  { payment: 'wallet', percent: 2, path: ['paid', 'processing', 'failed', 'refunded'], seconds: [0, 180, 480, 3600] },
]

/** Returns LIVES as SQL rows. An order gets the life whose range [low, high) holds its random number below 100. */
function lives(): string {
  let high = 0
  return LIVES.map(({ payment, percent, path, seconds }) => {
    const low = high % 100
    high = low + percent
    return `('${payment}', ${low}, ${high}, '{${path}}'::text[], '{${seconds}}'::int[])`
  }).join(', ')
}

const SHOWN = {
  gameName: 'g.name',
  gamePicture: 'g.picture',
  packageName: 'p.name',
  usualMinutes: `jsonb_build_object('from', g.usual_minutes_from, 'to', g.usual_minutes_to)`,
  termsVersion: `'1'`,
} satisfies Partial<Record<keyof OrderSnapshot, string>>

const ACCOUNT = {
  id: 'id',
  code: 'bank_code',
  logo: 'logo',
  accountName: 'account_name',
  accountNo: 'account_no',
  branch: 'branch',
  promptPayId: 'prompt_pay_id',
} satisfies Record<keyof StoredAccount, string>

const object = (fields: Record<string, string>) =>
  `jsonb_build_object(${Object.entries(fields).map(([name, value]) => `'${name}', ${value}`)})`

/** The schema of intermediate tables. They are no temporary tables, because several connections read them. */
const DRAFTS = 'seeding'
const draft = (name: string, query: string) => `CREATE UNLOGGED TABLE ${DRAFTS}.${name} AS ${query}`

const FOR_SALE = [
  // The ranks are random. Packages of the first ranks are sold more often than the others.
  draft(
    'sold',
    `SELECT p.id AS package_id, g.id AS game_id, p.cost_satang, r.payment, r.price_satang, ${object(SHOWN)} AS shown,
      row_number() OVER (PARTITION BY r.payment ORDER BY md5(p.id::text)) AS rank
    FROM package p JOIN game g ON g.id = p.game_id JOIN package_price r ON r.package_id = p.id`,
  ),
  draft(
    'paid_to',
    `SELECT id AS bank_id, ${object(ACCOUNT)} AS bank, row_number() OVER (ORDER BY id) AS no, count(*) OVER () AS of_all
    FROM receiving_account WHERE is_active`,
  ),
]

/**
 * One row for each order, oldest first: who bought what, and what became of it. The newest orders are only as far on
 * their paths as their age allows.
 */
const planned = (count: number) =>
  draft(
    'planned',
    `WITH life (payment, low, high, path, seconds) AS (VALUES ${lives()}),
  diced AS MATERIALIZED (
    SELECT n, date_trunc('milliseconds', now() - interval '${DAYS} days' * (1 - n::float / ${count + 1})) AS at,
      CASE WHEN random() < 0.3 THEN 'wallet' ELSE 'bank' END AS payment, random() * 100 AS dice,
      1 + n % 99 AS tail, random() AS who, 1 + floor((SELECT max(rank) FROM sold) * power(random(), 2))::int AS rank
    FROM generate_series(1, ${count}) AS n
  ), alive AS (
    SELECT d.*, l.path AS whole, l.seconds, CASE WHEN d.at < now() - interval '1 day' THEN cardinality(l.path)
        ELSE (SELECT count(*) FROM unnest(l.seconds) AS s WHERE d.at + s * interval '1 second' <= now()) END AS version,
      CASE WHEN d.payment = 'wallet' THEN 'many-agent-' || 1 + floor(who * ${AGENTS})
        WHEN who < 0.7 THEN 'many-' || 1 + floor(who / 0.7 * ${customers(count)}) END AS buyer_uid,
      CASE WHEN d.payment = 'wallet' AND n % 5 = 0 THEN 1 + n / 5 % 4 ELSE 1 END AS quantity
    FROM diced d JOIN life l ON l.payment = d.payment AND d.dice >= l.low AND d.dice < l.high
  )
  SELECT uuidv7(a.at - clock_timestamp()) AS id, uuidv7(a.at - clock_timestamp()) AS sale_id, n, a.at, a.payment, a.rank, a.seconds,
    a.whole[1:version] AS path, a.whole[version] AS status, version, b.bank_id, w.id AS wallet_id, buyer_uid, quantity,
    s.price_satang * quantity AS price, CASE WHEN a.payment = 'bank' THEN a.tail ELSE 0 END AS tail,
    a.at + a.seconds[array_position(a.whole[1:version], 'paid')] * interval '1 second' AS paid_at,
    CASE WHEN a.whole[version] IN ('success', 'failed', 'refunding', 'refunded', 'expired', 'cancel')
      THEN a.at + a.seconds[version] * interval '1 second' END AS ended_at
  FROM alive a
  JOIN sold s ON s.payment = a.payment AND s.rank = a.rank
  LEFT JOIN paid_to b ON a.payment = 'bank' AND b.no = 1 + a.n / 99 % b.of_all
  LEFT JOIN wallet w ON a.payment = 'wallet' AND w.uid = a.buyer_uid
  ORDER BY n`,
  )

const customers = (count: number) => Math.max(1, Math.floor(count / ORDERS_PER_CUSTOMER))

const ORDERS = `INSERT INTO orders (id, order_no, track_token, status, version, buyer_key, buyer_uid, game_id, package_id, player_id,
    snapshot, payment, quantity, price_satang, tail_satang, cost_satang, receiving_account_id, wallet_id, created_at,
    expires_at, expire_after, paid_at, queue_no, claimed_by, claimed_at, claim_until, ended_at, delivery_reference, reason)
  SELECT p.id, 'KT' || to_char(at AT TIME ZONE 'Asia/Bangkok', 'YYMM') || '-' || lpad((n::bigint * ${SPREAD} % 100000000)::text, 8, '0'),
    left(md5('track' || n), 22), status, version, coalesce('u:' || buyer_uid, 'g:' || md5('guest' || n)), buyer_uid, game_id,
    package_id, player_id, shown || jsonb_build_object('receivingAccount', bank, 'fields', jsonb_build_array(
      jsonb_build_object('name', 'field1', 'label', 'Player ID', 'value', player_id))), payment, quantity, price, tail,
    cost_satang * quantity, bank_id, wallet_id, at, CASE WHEN bank_id IS NOT NULL THEN at + interval '15 minutes' END,
    CASE WHEN status = 'waiting_payment' THEN at + interval '20 minutes' END, paid_at,
    CASE WHEN paid_at IS NOT NULL THEN nextval('order_queue_no') END, CASE WHEN claimed THEN 'demo-staff' END,
    CASE WHEN claimed THEN paid_at + interval '180 seconds' END,
    CASE WHEN status = 'processing' THEN now() + interval '10 minutes' END, ended_at,
    CASE WHEN status = 'success' THEN 'MB-' || n END, CASE WHEN status IN ('failed', 'refunding', 'refunded') THEN 'ไอดีผู้เล่นไม่ถูกต้อง' END
  FROM (SELECT *, 1000000000 + (n::bigint % 400000) * 7368787 % 9000000000 || '' AS player_id, 'processing' = ANY(path) AS claimed FROM planned) p
  JOIN sold USING (payment, rank) LEFT JOIN paid_to USING (bank_id) ORDER BY n`

const EVENTS = `INSERT INTO order_event (order_id, version, kind, from_status, to_status, actor_uid, actor_role, reason, at)
  SELECT id, v, CASE v WHEN 1 THEN 'created' ELSE 'status' END, path[v - 1], path[v],
    CASE WHEN v = 1 OR path[v] = 'cancel' THEN buyer_uid WHEN path[v] <> 'expired' THEN 'demo-staff' END,
    CASE WHEN path[v] = 'expired' THEN 'system' WHEN v > 1 AND path[v] <> 'cancel' THEN 'staff'
      WHEN buyer_uid IS NULL THEN 'guest' WHEN payment = 'wallet' THEN 'agent' ELSE 'customer' END,
    CASE WHEN path[v] IN ('failed', 'refunding', 'refunded') THEN 'ไอดีผู้เล่นไม่ถูกต้อง' WHEN v > 1 AND path[v] = 'paid' THEN 'ตรวจยอดในบัญชีแล้ว' END,
    at + seconds[v] * interval '1 second'
  FROM planned, generate_series(1, version) AS v`

/** The movements of money: a sale for each paid order, and its reversal for each refunded one. */
const MOVED = draft(
  'moved',
  `SELECT sale_id AS id, 'order_paid' AS kind, id AS order_id, NULL::uuid AS reverses_id, paid_at AS at,
    coalesce('bank:' || bank_id, 'wallet:' || wallet_id) AS "from", 'sales' AS "to", price + tail AS amount, n
  FROM planned WHERE paid_at IS NOT NULL
  UNION ALL
  SELECT uuidv7(ended_at - clock_timestamp()), 'order_refunded', id, sale_id, ended_at, 'sales',
    coalesce('wallet:' || wallet_id, 'refunds'), price + tail, n
  FROM planned WHERE status IN ('refunding', 'refunded')`,
)

/** Agents' top-ups, spread over the same days. Those of the last hour still wait for approval. */
const topUps = (count: number) => [
  draft(
    'topped',
    `SELECT uuidv7(at - clock_timestamp()) AS id, uuidv7(at - clock_timestamp()) AS posting_id, n, at, w.id AS wallet_id, w.uid,
      (1 + n % 50) * 10000 AS amount, CASE WHEN at > now() - interval '1 hour' THEN 'waiting_approve'
        WHEN n % 50 = 0 THEN 'reject' WHEN n % 97 = 0 THEN 'cancel' ELSE 'approve' END AS status
    FROM (
      SELECT n, date_trunc('milliseconds', now() - interval '${DAYS} days' * (1 - n / ${Math.ceil(count / ORDERS_PER_TOP_UP) + 1}.0)) AS at
      FROM generate_series(1, ${Math.ceil(count / ORDERS_PER_TOP_UP)}) AS n
    ) AS asked JOIN wallet w ON w.uid = 'many-agent-' || 1 + n % ${AGENTS} ORDER BY n`,
  ),
  `INSERT INTO top_up (id, no, wallet_id, amount_satang, status, version, receiving_account_id, entered_by, decided_by, decided_at,
      reason, created_at)
    SELECT id, 'WT' || to_char(at AT TIME ZONE 'Asia/Bangkok', 'YYMM') || '-' || lpad((n::bigint * ${SPREAD} % 100000000)::text, 8, '0'),
      wallet_id, amount, status, CASE status WHEN 'waiting_approve' THEN 1 ELSE 2 END, 1, uid,
      CASE status WHEN 'cancel' THEN uid WHEN 'waiting_approve' THEN NULL ELSE 'demo-manager' END,
      CASE WHEN status <> 'waiting_approve' THEN at + interval '15 minutes' END,
      CASE WHEN status = 'reject' THEN 'ไม่พบเงินเข้า' END, at FROM topped`,
]

const LEDGER = [
  `INSERT INTO ledger_transaction (id, kind, subject_id, reverses_id, at) SELECT id, kind, order_id, reverses_id, at FROM moved ORDER BY n`,
  `INSERT INTO ledger_entry (transaction_id, line, account, amount_satang, at)
    SELECT id, line, CASE line WHEN 1 THEN "from" ELSE "to" END, CASE line WHEN 1 THEN -amount ELSE amount END, at
    FROM moved, generate_series(1, 2) AS line ORDER BY n, line`,
  `INSERT INTO owed_refund (id, order_id, amount_satang, reason, created_at)
    SELECT uuidv7(at - clock_timestamp()), order_id, amount, 'ไอดีผู้เล่นไม่ถูกต้อง', at FROM moved WHERE "to" = 'refunds'`,
  `INSERT INTO ledger_transaction (id, kind, subject_id, at)
    SELECT posting_id, 'top_up', id, at + interval '15 minutes' FROM topped WHERE status = 'approve'`,
  `INSERT INTO ledger_entry (transaction_id, line, account, amount_satang, at)
    SELECT posting_id, line, CASE line WHEN 1 THEN 'bank:1' ELSE 'wallet:' || wallet_id END,
      CASE line WHEN 1 THEN -amount ELSE amount END, at + interval '15 minutes'
    FROM topped, generate_series(1, 2) AS line WHERE status = 'approve'`,
  // A correction for each agent makes the wallet's balance 5,000 baht, whatever the agent spent.
  draft(
    'given',
    `SELECT w.id, gen_random_uuid() AS transaction_id, w.created_at AS at, 500000 - coalesce(sum(e.amount_satang), 0) AS amount
    FROM wallet w LEFT JOIN ledger_entry e ON e.account = 'wallet:' || w.id WHERE w.uid LIKE 'many-agent-%' GROUP BY w.id`,
  ),
  `INSERT INTO ledger_transaction (id, kind, subject_id, reason, at) SELECT transaction_id, 'correction', id, 'ยอดยกมา', at FROM given`,
  `INSERT INTO ledger_entry (transaction_id, line, account, amount_satang, at)
    SELECT transaction_id, line, CASE line WHEN 1 THEN 'bank:1' ELSE 'wallet:' || id END,
      CASE line WHEN 1 THEN -amount ELSE amount END, at FROM given, generate_series(1, 2) AS line`,
  `UPDATE wallet SET balance_satang = 500000 FROM given WHERE given.id = wallet.id`,
]

/** The bank transfers that paid orders and top-ups. */
const USED = `INSERT INTO used_transfer (subject_id, kind, receiving_account_id, amount_satang, made_from, made_to, used_at)
  SELECT id, 'order', bank_id, price + tail, at - interval '2 minutes', paid_at, paid_at FROM planned
  WHERE bank_id IS NOT NULL AND paid_at IS NOT NULL
  UNION ALL SELECT id, 'topUp', 1, amount, at - interval '1 day', at + interval '15 minutes', at + interval '15 minutes'
  FROM topped WHERE status = 'approve'`

const RESERVED = `INSERT INTO reserved_amount (id, receiving_account_id, amount_satang, price_satang, buyer_key, order_id)
  SELECT gen_random_uuid(), receiving_account_id, ${dueSql('orders')}, price_satang, buyer_key, id
  FROM orders WHERE status = 'waiting_payment' ON CONFLICT DO NOTHING`

const people = (count: number) => [
  `INSERT INTO account (uid, username, providers, given_name, family_name, email, email_verified, status, role, created_at)
    SELECT uid, uid || '@example.com', '{password}', 'ลูกค้า', n::text, uid || '@example.com', true, 'active', role,
      now() - interval '${DAYS + 1} days'
    FROM (
      SELECT 'many-' || n AS uid, n, 'customer' AS role FROM generate_series(1, ${customers(count)}) AS n
      UNION ALL SELECT 'many-agent-' || n, n, 'agent' FROM generate_series(1, ${AGENTS}) AS n
    ) AS person`,
  `INSERT INTO wallet (id, uid, tier_id, created_at)
    SELECT uuidv7(), uid, (SELECT min(id) FROM agent_tier), created_at FROM account WHERE uid LIKE 'many-agent-%'`,
  // Every fourth package keeps the cost that the demo shop gave it.
  `UPDATE package SET cost_satang = (SELECT min(price_satang) * 86 / 100 FROM package_price WHERE package_id = package.id) WHERE id % 4 <> 0`,
]

/** The tables that get the most rows. */
const LARGE = ['orders', 'order_event', 'ledger_entry', 'ledger_transaction', 'top_up', 'used_transfer']

/** How many connections work at once. The smallest machine has as many processors. */
const CONNECTIONS = 2

type Run = (...texts: string[]) => Promise<void>
type Job = (run: Run) => Promise<void>

const job =
  (...texts: string[]): Job =>
  run =>
    run(...texts)

/** Runs jobs on several connections. A connection that is free takes the next job. */
async function share(connections: Run[], jobs: Job[]): Promise<void> {
  const waiting = jobs.values()
  await Promise.all(
    connections.map(async run => {
      for (const next of waiting) await next(run)
    }),
  )
}

/**
 * Drops the indexes of the large tables, except those that foreign keys need, because it is faster to fill the tables
 * without them. Returns the jobs that create them again.
 */
async function dropIndexes(client: pg.Client): Promise<Job[]> {
  const { rows } = await client.query<{ drop: string; create: string }>(`
    WITH filled AS (SELECT unnest('{${LARGE}}'::regclass[]) AS id)
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
      format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS create
    FROM pg_constraint c WHERE conrelid IN (SELECT id FROM filled) AND contype IN ('p', 'u')
      AND NOT EXISTS (SELECT 1 FROM pg_constraint f WHERE f.contype = 'f' AND f.conindid = c.conindid)
    UNION ALL
    SELECT format('DROP INDEX %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
    FROM pg_index WHERE indrelid IN (SELECT id FROM filled)
      AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid)`)
  for (const { drop } of rows) await client.query(drop)
  return rows.map(({ create }) => job(create))
}

/** Fills an empty database with the demo shop, `count` past orders, their money and the sales of each day. */
export async function seedOrders(databaseUrl: string, count: number): Promise<void> {
  await migrate(databaseUrl)
  await seedDemoData(databaseUrl, { filesDir: join(projectRoot, '.local', 'many-orders-files'), history: false })
  const clients = Array.from({ length: CONNECTIONS }, () => new pg.Client({ connectionString: databaseUrl }))
  const connections = clients.map(client => async (...texts: string[]) => {
    for (const text of texts) await client.query(text)
  })
  const [client, run] = [clients[0]!, connections[0]!]
  try {
    for (const [at, each] of clients.entries()) {
      await each.connect()
      // These rows need no checks by triggers and foreign keys, and after a crash the database is simply made again.
      await connections[at]!(`SET session_replication_role = replica`, `SET synchronous_commit = off`, 'SET jit = off')
      await connections[at]!(
        `SET work_mem = '256MB'`,
        `SET maintenance_work_mem = '256MB'`,
        `SET search_path = public, ${DRAFTS}`,
      )
    }
    await run(
      `CREATE SCHEMA ${DRAFTS}`,
      'SELECT setseed(0.5)',
      ...people(count),
      'ANALYZE',
      ...FOR_SALE,
      planned(count),
    )
    const indexes = await dropIndexes(client)
    await share(connections, [job(ORDERS, RESERVED), job(MOVED, ...topUps(count), USED, ...LEDGER), job(EVENTS)])
    await share(connections, indexes)
    await run(`DROP SCHEMA ${DRAFTS} CASCADE`, 'BEGIN')
    await rebuildSales({ query: async ({ text }) => (await client.query(text)).rows })
    await run('COMMIT')
    const rest = await client.query<{ names: string }>(`SELECT string_agg(relid::regclass::text, ', ') AS names
      FROM pg_stat_user_tables WHERE relid <> ALL ('{${LARGE}}'::regclass[])`)
    await share(
      connections,
      [...LARGE, rest.rows[0]!.names].map(names => job(`VACUUM (ANALYZE) ${names}`)),
    )
  } finally {
    await Promise.all(clients.map(each => each.end()))
  }
}

if (import.meta.main) {
  const count = Number(process.argv[2])
  if (!Number.isInteger(count) || count < 1) giveUp('Say how many orders: npm run seed:orders -- 1000000')
  const server = new URL(demoDatabaseUrl())
  if (process.env.NODE_ENV === 'production' || !OWN_MACHINE.includes(server.hostname))
    giveUp('Orders that nobody placed are for a database on this machine.')
  server.pathname = '/postgres'
  await mustAnswer(server.href)
  const began = performance.now()
  const client = new pg.Client({ connectionString: server.href })
  await client.connect()
  await client.query(`DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`)
  await client.end()
  const databaseUrl = await createDatabase(server.href, DATABASE)
  await seedOrders(databaseUrl, count)
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  console.log(
    `${count.toLocaleString('en')} orders in ${seconds} s. See them with DATABASE_URL=${databaseUrl} npm start`,
  )
}
