import { setTimeout as delay } from 'node:timers/promises'
import { readConfig } from 'functions/src/config/config.ts'
import { SERVICE } from 'functions/src/config/outside.ts'
import { checkSales } from 'functions/src/dashboard/sales-check.ts'
import { breachText, certainOf } from 'functions/src/jobs/check-run.ts'
import { checkSuppliers } from 'functions/src/supplier/check.ts'
import { DUE, dueSql } from 'functions/src/transfer/order-money.ts'
import { checkLedger } from 'functions/src/wallet/ledger-check.ts'
import type { Acknowledged } from './people.ts'
import { BALANCE, type WorkingShop } from './shop.ts'

const SETTLE_SECONDS = 300
const LOOK_MS = 2000

/** Waits until all work that was left is done; says what stays. */
export async function settleAll({ db }: WorkingShop): Promise<string[]> {
  const left = `SELECT kind, state, count(*)::int AS n, max(last_error) AS error FROM outbox
    WHERE state <> 'done' GROUP BY kind, state`
  // Hours later: whom the gateway is asked about has ended, and was asked about for the last time;
  const hours = `created_at - interval '2 hours', expires_at = expires_at - interval '2 hours'`
  await db.query({ text: `UPDATE charge SET created_at = ${hours}` })
  // who asks the supplier again and again has the answer, or staff have the purchase.
  await db.query({ text: `UPDATE supplier_attempt SET sent_at = sent_at - interval '30 minutes'` })
  for (const end = Date.now() + SETTLE_SECONDS * 1000; Date.now() < end; await delay(LOOK_MS)) {
    await db.query({ text: `UPDATE outbox SET due_at = now() WHERE state = 'waiting' AND locked_until IS NULL` })
    const rows = await db.query<{ state: string }>({ text: left })
    if (rows.every(({ state }) => state === 'dead')) break
  }
  const rows = await db.query<{ kind: string; state: string; n: number; error: string | null }>({ text: left })
  return rows.map(({ kind, state, n, error }) => `outbox: ${n} ${kind} ${state} ${error ?? ''}`)
}

/** Everything that must hold after a run; one sentence for each thing that does not. */
export async function findLosses(site: WorkingShop, acknowledged: Acknowledged): Promise<string[]> {
  return [
    ...(await findBreaches(site)),
    ...(await findMissing(site, acknowledged)),
    ...(await findBoughtTwice(site)),
    ...(await findLeftOpen(site)),
  ]
}

async function findBreaches({ db, supplierEnvironment }: WorkingShop): Promise<string[]> {
  const config = readConfig({ NODE_ENV: 'test', DATABASE_URL: 'postgresql://x', ...supplierEnvironment })
  const now = () => new Date()
  const suppliers = SERVICE.suppliers.make(config, now)
  const { differences } = await checkSuppliers({ suppliers, now }, db)
  return [
    ...(await checkLedger(db)).breaches.map(breach => `ledger-check: ${breachText(breach)}`),
    ...(await checkSales(db)).map(what => `sales-check: ${what}`),
    ...certainOf(differences).map(what => `supplier-check: ${what}`),
  ]
}

/** An order exists exactly when its buyer was told so, because everybody asked until they were answered. */
async function findMissing({ db }: WorkingShop, { orders, paid, delivered }: Acknowledged): Promise<string[]> {
  const rows = await db.query<{ orderNo: string; status: string; isPaid: boolean; why: string }>({
    // Why it waits for people: what became of its slip and of the lines of its amount, and who had that amount before.
    text: `SELECT o.order_no AS "orderNo", o.status, o.paid_at IS NOT NULL AS "isPaid", CASE WHEN o.paid_at IS NULL THEN concat_ws(', ',
        o.status, (SELECT 'slip ' || k.state || ' ' || coalesce(k.reason, '') FROM slip_check k WHERE k.subject_id = o.id ORDER BY k.id DESC LIMIT 1),
        (SELECT 'lines ' || string_agg(l.state || ' ' || l.at, '; ') FROM statement_line l
          WHERE l.amount_satang = ${DUE}),
        (SELECT 'same amount ' || string_agg(x.order_no || ' ' || x.status || ' ' || x.created_at, '; ') FROM orders x
          WHERE ${dueSql('x')} = ${DUE} AND x.id <> o.id)) ELSE '' END AS why
      FROM orders o`,
  })
  const known = new Map(rows.map(row => [row.orderNo, row]))
  const told = (what: string, nos: Iterable<string>) => [...nos].map(no => `${no} ${what}`)
  return [
    ...told(
      'was acknowledged and is gone',
      [...orders].filter(no => !known.has(no)),
    ),
    ...told(
      'exists though nobody was told',
      [...known.keys()].filter(no => !orders.has(no)),
    ),
    ...[...paid].flatMap(no => {
      const { isPaid = true, why = '' } = known.get(no) ?? {}
      return isPaid ? [] : [`${no} is not paid though its money came: ${why}`]
    }),
    ...told(
      'was delivered and is not',
      [...delivered].filter(no => known.get(no)?.status !== 'success'),
    ),
  ]
}

async function findBoughtTwice({ db, supplier: { register } }: WorkingShop): Promise<string[]> {
  const attempts = await db.query<{ reference: string; orderId: string }>({
    text: `SELECT reference, order_id AS "orderId" FROM supplier_attempt`,
  })
  const orderOf = new Map(attempts.map(({ reference, orderId }) => [reference, orderId]))
  const kept = [...register.booked.values()].filter(({ givenBackSatang }) => givenBackSatang === 0)
  const bought = kept.map(({ reference }) => orderOf.get(reference))
  const twice = bought.filter((id, nth) => id !== undefined && bought.indexOf(id) !== nth)
  const off = BALANCE - register.spentSatang() - register.balanceSatang
  return [
    ...twice.map(id => `order ${id} was bought twice at the supplier`),
    ...bought.filter(id => id === undefined).map(() => 'a purchase at the supplier is of no order'),
    ...(off === 0 ? [] : [`the supplier's own books are off by ${off} satang`]),
  ]
}

/** What nobody works at any more, and no person was told of. */
async function findLeftOpen({ db }: WorkingShop): Promise<string[]> {
  const rows = await db.query<{ what: string; n: number }>({
    text: `SELECT 'purchases without an answer that staff do not know of' AS what, count(*)::int AS n FROM supplier_attempt
        WHERE state IN ('sending', 'unknown') AND NOT is_with_staff
      UNION ALL SELECT 'slips still being confirmed', count(*)::int FROM slip_check WHERE state = 'confirming'
      UNION ALL SELECT 'lines that nobody has tried', count(*)::int FROM statement_line WHERE tried_at IS NULL
      UNION ALL SELECT 'sessions left in a transaction', count(*)::int FROM pg_stat_activity
        WHERE usename = 'shop_app' AND state LIKE 'idle in transaction%' AND state_change < now() - interval '10 seconds'`,
  })
  return rows.filter(({ n }) => n > 0).map(({ what, n }) => `${n} ${what}`)
}

/** Connections that outlive the servers: the database must have noticed the killed ones, too. */
export async function findLeaked({ db }: WorkingShop): Promise<string[]> {
  for (const end = Date.now() + 15_000; ; await delay(500)) {
    const [row] = await db.query<{ n: number }>({
      text: `SELECT count(*)::int AS n FROM pg_stat_activity WHERE usename = 'shop_app'`,
    })
    if (row!.n === 0) return []
    if (Date.now() > end) return [`${row!.n} connections outlived their servers`]
  }
}
