import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { asApplication, migrate } from 'functions/src/database/migrate.ts'
import { projectRoot } from '../os-process.ts'
import { findPgbouncer, startPooler } from '../pooler.ts'
import { findFreePort } from '../ports.ts'
import { createFilledDatabase, discardPostgres, type PostgresServer, startPostgres } from '../postgres.ts'
import { startReplica } from '../replica.ts'
import { seedOrders } from '../seed-orders.ts'
import { compareSizes, type SizedSite, startBeside } from './beside.ts'
import { type Call, headersOf } from './caller.ts'
import { benchJobs } from './jobs.ts'
import { findSought, type ListCall, type Sought } from './list-call.ts'
import { listCalls } from './list-calls.ts'
import { formatHeads, formatMeasure, type Measure, measureLoad, reportFailures } from './load.ts'
import { getTreeMs } from './processor.ts'
import { searchCalls } from './search-calls.ts'
import { findShelf, guestOrder, type Shelf, stockShelf } from './shelf.ts'
import { type BenchServer, type BenchSite, startServer } from './site.ts'
import { runSql } from './sql.ts'

/** GROWN_ORDERS=10000000 takes 30 GB, as much again for the replica, and a quarter of an hour to fill. */
const ORDERS = Number(process.env.GROWN_ORDERS ?? 100_000)
/** The database stays there and is used again. */
const dataDir = process.env.GROWN_DIR ?? join(projectRoot, '.local', 'bench-grown', 'postgres')
const replicaDir = `${dataDir}-replica`
const FEW = 10_000
const CALLS = Number(process.env.GROWN_CALLS ?? 60)
const PROCESSES = 4
const CLIENTS = 16
const READERS = 2
const SECONDS = Number(process.env.GROWN_SECONDS ?? 20)
const PULSE_KEY = 'k'.repeat(32)
/** As an installation of this size has them; the machine here has other work. */
const SETTINGS = ['shared_buffers=1GB', 'max_wal_size=4GB', 'maintenance_work_mem=512MB']

interface Grown {
  primary: PostgresServer
  url: string
  filesDir: string
  shelf: Shelf
  sought: Sought
  getDatabaseMs: () => number
}

/** Parts that can be asked for alone: GROWN_PARTS=lists,jobs. */
const PARTS: Record<string, (grown: Grown) => Promise<void>> = {
  lists: compareLists,
  jobs: ({ url, filesDir }) => benchJobs(url, filesDir),
  replica: benchReplica,
  index: benchIndex,
}
const asked = process.env.GROWN_PARTS?.split(',') ?? Object.keys(PARTS)

/** How the shop stands with very many orders: its lists, its jobs, and people who buy while others read or an index is built. */
export async function benchGrown({ filesDir }: BenchSite): Promise<void> {
  const primary = await startPostgres({ port: await findFreePort(), dataDir, settings: SETTINGS })
  try {
    const url = await createFilledDatabase(primary.url, `shop_${ORDERS}`, draft => seedOrders(draft, ORDERS))
    await migrate(url)
    const shelf = (await findShelf(url)) ?? (await stockShelf(url))
    await markChecked(url)
    const postmaster = Number(readFileSync(join(primary.dataDir, 'postmaster.pid'), 'utf8').split('\n')[0])
    const sought = await findSought(url)
    const grown = { primary, url, filesDir, shelf, sought, getDatabaseMs: () => getTreeMs(postmaster) }
    const [size] = await runSql<{ orders: number; size: string }>(
      url,
      `SELECT count(*)::int AS orders, pg_size_pretty(pg_database_size(current_database())) AS size FROM orders`,
    )
    console.log(`\nGrown: ${size!.orders.toLocaleString('en')} orders, ${size!.size}; load ${load()}`)
    for (const part of asked) await PARTS[part]!(grown)
  } finally {
    await primary.stop()
  }
}

const load = () => loadavg()[0]!.toFixed(1)

/** The nightly checks, which read everything, would run at the start of each server. */
const markChecked = (url: string) =>
  runSql(
    url,
    `INSERT INTO check_run (name, at, differences, what) SELECT unnest(ARRAY['ledger', 'sales', 'supplier']), now(), 0, '{}'`,
  )

const LOOKED_UP = [
  'orders by createdAt',
  'search number',
  'search end of number',
  'orders last five digits',
  'orders whole number',
  'backlog of a manager',
  'queue',
  'without line overdue',
  'reconciliation a day',
]

function lookedUp(sought: Sought): ListCall[] {
  const orders = (name: string, query: Record<string, string>): ListCall => ({
    name: `orders ${name}`,
    uid: 'demo-staff',
    path: `/romons.payment/api/orders?${new URLSearchParams(query)}`,
  })
  const base = listCalls(sought)
    .find(({ name }) => name === 'orders page 50')!
    .path.split('?')[0]!
  const own = [
    orders('last five digits', { text: sought.orderNo.slice(-5) }),
    orders('whole number', { orderNo: sought.orderNo }),
  ].map(call => ({ ...call, path: `${base}?${call.path.split('?')[1]}` }))
  const all = [...listCalls(sought), ...searchCalls(sought), ...own]
  return LOOKED_UP.flatMap(name => all.find(call => call.name.trim() === name) ?? [])
}

async function compareLists({ primary, filesDir }: Grown): Promise<void> {
  const sites: SizedSite[] = []
  try {
    for (const count of [FEW, ORDERS]) {
      const site = await startBeside(count, { postgresUrl: primary.url, filesDir, callsOf: lookedUp })
      sites.push(site)
    }
    await compareSizes(sites, CALLS)
  } finally {
    await Promise.all(sites.map(site => site.stop()))
  }
}

/** What managers have open: dashboards, a week's reconciliation, lists. */
const reportsOf = (sought: Sought): ListCall[] =>
  listCalls(sought).filter(
    ({ name }) => name.startsWith('dashboard') || name.startsWith('reconciliation') || name.startsWith('audit'),
  )

function asCall({ uid, path, body }: ListCall): Call {
  const headers = headersOf(uid)
  if (body === undefined) return { method: 'GET', path, headers }
  return {
    method: 'POST',
    path,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
}

/** Starts the processes, behind PgBouncer where it is installed. */
async function startProcesses({ url, filesDir }: Grown, environment: Record<string, string>) {
  const direct = asApplication(url)
  const pooler = findPgbouncer() ? await startPooler(direct) : null
  const servers: BenchServer[] = []
  const stop = async () => {
    await Promise.all(servers.map(server => server.stop()))
    await pooler?.stop()
  }
  try {
    for (let n = 0; n < PROCESSES; n++)
      servers.push(
        await startServer(pooler?.url ?? direct, filesDir, { environment: { PULSE_KEYS: PULSE_KEY, ...environment } }),
      )
  } catch (error) {
    await stop()
    throw error
  }
  return { servers, stop }
}

interface Running {
  servers: BenchServer[]
  grown: Grown
}

/** People buy for a while, and meanwhile managers read, where there are any. */
async function buyBeside({ servers, grown }: Running, label: string, readers: number, until?: Promise<unknown>) {
  const site = { server: servers[0]!, getDatabaseMs: grown.getDatabaseMs }
  const calls = reportsOf(grown.sought)
  let next = 0
  const buying = measureLoad({
    site,
    servers,
    clients: CLIENTS,
    seconds: SECONDS,
    until,
    makeCall: () => guestOrder(grown.shelf),
  })
  const reading = readers
    ? measureLoad({
        site,
        servers,
        clients: readers,
        seconds: SECONDS,
        makeCall: () => asCall(calls[next++ % calls.length]!),
      })
    : null
  const [bought, read] = await Promise.all([buying, reading])
  tell(label, bought)
  if (read) tell('  what they read', read)
  reportFailures(read ? [bought, read] : [bought])
}

const tell = (label: string, measure: Measure) =>
  console.log(`${label.padEnd(44)}${formatMeasure(measure)}${load().padStart(7)}`)

const heads = () => console.log(`${''.padEnd(44)}${formatHeads('calls')}${'load'.padStart(7)}`)

/** Runs `work` on processes of their own. */
async function withProcesses(grown: Grown, environment: Record<string, string>, work: (it: Running) => Promise<void>) {
  const { servers, stop } = await startProcesses(grown, environment)
  try {
    // In its first seconds under load a server compiles.
    const site = { server: servers[0]!, getDatabaseMs: grown.getDatabaseMs }
    await measureLoad({ site, servers, clients: CLIENTS, seconds: 8, makeCall: () => guestOrder(grown.shelf) })
    await work({ servers, grown })
  } finally {
    await stop()
  }
}

async function benchReplica(grown: Grown): Promise<void> {
  const way = findPgbouncer() ? 'behind PgBouncer' : 'straight to PostgreSQL'
  console.log(`\nGuest orders on ${PROCESSES} processes ${way}, ${CLIENTS} clients; managers read beside`)
  heads()
  await withProcesses(grown, {}, async it => {
    await buyBeside(it, 'nobody reads', 0)
    await buyBeside(it, `${READERS} read the primary`, READERS)
  })
  const began = performance.now()
  const replica = await startReplica(grown.primary, { port: await findFreePort(), dataDir: replicaDir })
  console.log(`(the replica was copied and has caught up in ${((performance.now() - began) / 1000).toFixed(0)} s)`)
  const readUrl = Object.assign(new URL(asApplication(grown.url)), { port: new URL(replica.url).port }).href
  try {
    await withProcesses(grown, { DATABASE_READ_URL: readUrl }, async it => {
      await buyBeside(it, `${READERS} read the replica`, READERS)
      await tellPulse(it)
      signal(replica, 'STOP')
      await buyBeside(it, `${READERS} read while the replica stands still`, READERS)
      await tellPulse(it)
      signal(replica, 'CONT')
      await delay(5000)
      await buyBeside(it, `${READERS} read when it goes on`, READERS)
      await tellPulse(it)
    })
  } finally {
    signal(replica, 'CONT')
    await replica.stop()
  }
  await besideForeign(grown)
}

/** The address of another shop's database in place of the replica's, as somebody may mistype it. */
async function besideForeign(grown: Grown): Promise<void> {
  const foreignDir = `${dataDir}-foreign`
  const other = await startPostgres({ port: await findFreePort(), dataDir: foreignDir })
  try {
    const url = await createFilledDatabase(other.url, 'shop', draft => migrate(draft).then(() => {}))
    await withProcesses(grown, { DATABASE_READ_URL: asApplication(url) }, async it => {
      await buyBeside(it, `${READERS} read, the replica is another database`, READERS)
      await tellPulse(it)
    })
  } finally {
    await discardPostgres(foreignDir)
  }
}

/** What `/pulse` says of the replica. */
async function tellPulse({ servers }: Running): Promise<void> {
  const reply = await fetch(`${servers[0]!.origin}/pulse`, { headers: { authorization: `Bearer ${PULSE_KEY}` } })
  const { checks = [] } = (await reply.json()) as { checks?: { name: string }[] }
  const found = checks.find(({ name }) => name === 'replica')
  console.log(`  /pulse ${reply.status}, replica: ${JSON.stringify(found ?? null)}`)
}

/** Stops or continues all processes of a server. */
function signal({ dataDir: dir }: PostgresServer, name: 'STOP' | 'CONT'): void {
  const postmaster = Number(readFileSync(join(dir, 'postmaster.pid'), 'utf8').split('\n')[0])
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(postmaster)], { encoding: 'utf8' })
  for (const pid of [postmaster, ...children.split('\n').filter(Boolean).map(Number)]) {
    try {
      process.kill(pid, `SIG${name}`)
    } catch {
      // It ended meanwhile.
    }
  }
}

/** An index is built CONCURRENTLY on the orders while people buy. */
async function benchIndex(grown: Grown): Promise<void> {
  console.log(`\nAn index is built CONCURRENTLY on the orders`)
  heads()
  await withProcesses(grown, {}, async it => {
    await buyBeside(it, 'before', 0)
    const began = performance.now()
    let took = 0
    const built = runSql(
      grown.url,
      'CREATE INDEX CONCURRENTLY bench_index ON orders (game_id, created_at, status)',
    ).then(() => {
      took = (performance.now() - began) / 1000
    })
    await buyBeside(it, 'while it is built', 0, built)
    console.log(`  built in ${took.toFixed(0)} s`)
    await buyBeside(it, 'after', 0)
  }).finally(() => runSql(grown.url, 'DROP INDEX CONCURRENTLY IF EXISTS bench_index'))
}
