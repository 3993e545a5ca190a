// `npm run bench:lists`: what every list and dashboard takes beside few orders and beside very many.
// With DATABASE_URL, a server on this machine, its filled databases are kept and used again.
import { mkdirSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { migrate } from 'functions/src/database/migrate.ts'
import { projectRoot } from '../os-process.ts'
import { findFreePort } from '../ports.ts'
import { createFilledDatabase, discardPostgres, startPostgres } from '../postgres.ts'
import { seedOrders } from '../seed-orders.ts'
import { type ListCall, listCallsOf } from './list-calls.ts'
import { headersOf, runSql, startServer } from './site.ts'

const SIZES = [10_000, 1_000_000]
const CALLS = 200
const WARM_UP = 10
/** A call beside many orders may take so many times what it takes beside few. */
const MOST_RATIO = 2
const localDir = join(projectRoot, '.local', 'bench-lists')

/** Only calls whose name contains it. */
const part = process.argv[2] ?? ''

const given = process.env.DATABASE_URL
const stopPostgres: (() => Promise<void>)[] = []
try {
  const url = given ?? (await startOwnPostgres())
  const sites = []
  for (const count of SIZES) sites.push(await startBeside(url, count))
  try {
    await compare(sites)
  } finally {
    await Promise.all(sites.map(site => site.stop()))
  }
} finally {
  for (const stop of stopPostgres) await stop()
}

async function startOwnPostgres(): Promise<string> {
  const dataDir = join(localDir, 'postgres')
  mkdirSync(localDir, { recursive: true })
  await discardPostgres(dataDir)
  stopPostgres.push(() => discardPostgres(dataDir))
  return (await startPostgres({ port: await findFreePort(), dataDir })).url
}

interface Site {
  origin: string
  databaseUrl: string
  calls: ListCall[]
  stop(): Promise<void>
}

async function startBeside(url: string, count: number): Promise<Site> {
  const databaseUrl = await createFilledDatabase(url, `shop_${count}`, async draftUrl => {
    const began = performance.now()
    await seedOrders(draftUrl, count)
    console.log(`${count.toLocaleString('en')} orders in ${((performance.now() - began) / 1000).toFixed(0)} s`)
  })
  await migrate(databaseUrl)
  const calls = (await listCallsOf(databaseUrl)).filter(({ name }) => name.includes(part))
  const { origin, stop } = await startServer(databaseUrl, join(localDir, 'files'))
  return { origin, databaseUrl, calls, stop }
}

async function compare(sites: Site[]): Promise<void> {
  const heads = SIZES.map(count => `p50, p95 at ${count.toLocaleString('en')}`.padStart(26))
  console.log(`${CALLS} calls each, in turn; load ${loadavg()[0]!.toFixed(1)}; milliseconds`)
  console.log(`${'call'.padEnd(40)}${heads.join('')}   p95 ratio`)
  const slower: string[] = []
  for (const [at, { name }] of sites[0]!.calls.entries()) {
    const measured = await measure(sites.map(({ origin, calls }) => ({ origin, call: calls[at]! })))
    const [few, many] = measured.map(({ p95 }) => p95)
    const ratio = many! / few!
    if (ratio > MOST_RATIO) slower.push(name)
    const cells = measured.map(({ p50, p95 }) => `${p50.toFixed(1)}, ${p95.toFixed(1)}`.padStart(26))
    console.log(`${name.padEnd(40)}${cells.join('')}${ratio.toFixed(2).padStart(12)}`)
  }
  console.log(`\nMore than ${MOST_RATIO} times slower: ${slower.join('; ') || 'none'}`)
  await tellUnusedIndexes(sites.at(-1)!.databaseUrl)
}

/** In turn, so that what else the machine does meets both. */
async function measure(targets: { origin: string; call: ListCall }[]): Promise<{ p50: number; p95: number }[]> {
  const times: number[][] = targets.map(() => [])
  for (let n = -WARM_UP; n < CALLS; n++)
    for (const [which, { origin, call }] of targets.entries()) {
      const took = await ask(origin, call)
      if (n >= 0) times[which]!.push(took)
    }
  return times.map(each => {
    each.sort((a, b) => a - b)
    return { p50: each[CALLS / 2]!, p95: each[Math.floor(CALLS * 0.95)]! }
  })
}

/** Milliseconds until the answer was read. */
async function ask(origin: string, { uid, path, body }: ListCall): Promise<number> {
  const headers = { ...headersOf(uid), ...(body !== undefined && { 'content-type': 'application/json' }) }
  const began = performance.now()
  const reply = await fetch(origin + path, {
    headers,
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${text}`)
  return performance.now() - began
}

/** Indexes that no call of these has read; those of commands and of constraints are used elsewhere. */
async function tellUnusedIndexes(databaseUrl: string): Promise<void> {
  const rows = await runSql<{ name: string }>(
    databaseUrl,
    `SELECT indexrelname AS name FROM pg_stat_user_indexes WHERE idx_scan = 0 AND relname = 'orders' ORDER BY 1`,
  )
  console.log(`Indexes of orders that none of these calls read: ${rows.map(({ name }) => name).join(', ') || 'none'}`)
}
