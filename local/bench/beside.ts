import { loadavg } from 'node:os'
import { asApplication, migrate } from 'functions/src/database/migrate.ts'
import { createFilledDatabase } from '../postgres.ts'
import { seedOrders } from '../seed-orders.ts'
import { headersOf } from './caller.ts'
import { findSought, type ListCall, type Sought } from './list-call.ts'
import { startServer } from './site.ts'

const WARM_UP = 10
/** With many orders a call may take this many times as long as with few. */
const MOST_RATIO = 2
/** A call that seems slower is repeated this many times as often, because the p95 of few calls is mostly chance. */
const AGAIN = 4

/** A server on a database with `count` orders, and the calls to measure. */
export interface SizedSite {
  count: number
  origin: string
  databaseUrl: string
  calls: ListCall[]
  stop(): Promise<void>
}

/** Starts a server on a database with `count` orders, which is filled unless it exists. */
export async function startBeside(
  count: number,
  { postgresUrl, filesDir, callsOf }: { postgresUrl: string; filesDir: string; callsOf(sought: Sought): ListCall[] },
): Promise<SizedSite> {
  const databaseUrl = await createFilledDatabase(postgresUrl, `shop_${count}`, async draftUrl => {
    const began = performance.now()
    await seedOrders(draftUrl, count)
    console.log(`  (${named(count)} orders seeded in ${((performance.now() - began) / 1000).toFixed(0)} s)`)
  })
  await migrate(databaseUrl)
  const calls = callsOf(await findSought(databaseUrl))
  return { count, databaseUrl, calls, ...(await startServer(asApplication(databaseUrl), filesDir)) }
}

const named = (count: number) => count.toLocaleString('en')

/** Makes each call `times` times on each site, and prints how long it took. */
export async function compareSizes(sites: SizedSite[], times: number): Promise<void> {
  const heads = sites.map(({ count }) => `p50, p95 at ${named(count)}`.padStart(26))
  console.log(`${times} calls each, in turn; load ${loadavg()[0]!.toFixed(1)}; milliseconds`)
  console.log(`${'call'.padEnd(44)}${heads.join('')}   p95 ratio`)
  const slower: string[] = []
  for (const [at, { name, isSum }] of sites[0]!.calls.entries()) {
    let measured = await measure(sites, at, times)
    const isAgain = !isSum && ratioOf(measured) > MOST_RATIO
    if (isAgain) measured = await measure(sites, at, times * AGAIN)
    const ratio = ratioOf(measured)
    if (ratio > MOST_RATIO && !isSum) slower.push(name)
    const cells = measured.map(({ p50, p95 }) => `${p50.toFixed(1)}, ${p95.toFixed(1)}`.padStart(26))
    const note = isSum ? '  adds up the asked days' : isAgain ? `  of ${times * AGAIN} calls` : ''
    console.log(`${name.padEnd(44)}${cells.join('')}${ratio.toFixed(2).padStart(12)}${note}`)
  }
  console.log(`More than ${MOST_RATIO} times slower: ${slower.join('; ') || 'none'}`)
}

interface Measured {
  p50: number
  p95: number
}

const ratioOf = (measured: Measured[]): number => measured.at(-1)!.p95 / measured[0]!.p95

/** The sites take turns, so that other load of the machine slows all of them alike. */
async function measure(sites: SizedSite[], call: number, times: number): Promise<Measured[]> {
  const taken: number[][] = sites.map(() => [])
  for (let n = -WARM_UP; n < times; n++)
    for (const [which, { origin, calls }] of sites.entries()) {
      const took = await ask(origin, calls[call]!)
      if (n >= 0) taken[which]!.push(took)
    }
  return taken.map(each => {
    each.sort((a, b) => a - b)
    return { p50: each[Math.floor(times / 2)]!, p95: each[Math.floor(times * 0.95)]! }
  })
}

/** Resolves to the milliseconds until the answer was read. */
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
