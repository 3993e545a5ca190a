import { Pool } from 'undici'
import type { Call } from './caller.ts'
import { getProcessMs } from './processor.ts'
import type { BenchServer, BenchSite } from './site.ts'

export interface Measure {
  clients: number
  count: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** Processor time that the servers and PostgreSQL spent on each call; NaN where the system does not tell. */
  serverMs: number
  databaseMs: number
  failures: number
  /** What the first failure said. */
  firstFailure?: string
}

/**
 * Each client sends its next call when the last one is answered, over a connection that stays open. Clients are spread
 * over the servers. `makeCall` makes every call anew, so that bodies and keys can differ.
 */
export async function measureLoad(options: {
  site: Pick<BenchSite, 'server' | 'getDatabaseMs'>
  /** Instead of the site's own. */
  servers?: BenchServer[]
  clients: number
  seconds: number
  /** The clients go on for as long as this takes, if it takes longer. */
  until?: Promise<unknown>
  makeCall: () => Call
}): Promise<Measure> {
  const { site, servers = [site.server], clients, seconds, until, makeCall } = options
  let isAwaited = until !== undefined
  const settled = () => {
    isAwaited = false
  }
  until?.then(settled, settled)
  const getServerMs = () => servers.reduce((sum, { pid }) => sum + getProcessMs(pid), 0)
  // Undici's pool takes little processor time, which the servers on the same machine need.
  const pools = servers.map(({ origin }) => new Pool(origin, { connections: Math.ceil(clients / servers.length) }))
  const timesMs: number[] = []
  let failures = 0
  let firstFailure: string | undefined
  const before = { serverMs: getServerMs(), databaseMs: site.getDatabaseMs() }
  const began = performance.now()
  const end = began + seconds * 1000
  const client = async (_: unknown, index: number) => {
    const pool = pools[index % pools.length]!
    while (isAwaited || performance.now() < end) {
      const sent = performance.now()
      const failure = await send(pool, makeCall())
      timesMs.push(performance.now() - sent)
      if (failure === undefined) continue
      failures++
      firstFailure ??= failure
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const took = (performance.now() - began) / 1000
  await Promise.all(pools.map(pool => pool.close()))
  const sorted = timesMs.sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  const perSecond = (sorted.length - failures) / took
  const serverMs = (getServerMs() - before.serverMs) / sorted.length
  const databaseMs = (site.getDatabaseMs() - before.databaseMs) / sorted.length
  return {
    clients,
    count: sorted.length,
    perSecond,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    serverMs,
    databaseMs,
    failures,
    firstFailure,
  }
}

/** Resolves to what went wrong, or to undefined. */
function send(pool: Pool, call: Call): Promise<string | undefined> {
  return new Promise(resolve => {
    let status = 0
    const chunks: Buffer[] = []
    pool.dispatch(call, {
      onConnect: () => {},
      onHeaders(statusCode) {
        status = statusCode
        return true
      },
      onData(chunk) {
        chunks.push(chunk)
        return true
      },
      onComplete: () =>
        resolve(status === 200 ? undefined : `${status} ${Buffer.concat(chunks).toString().slice(0, 200)}`),
      onError: error => resolve(error.message),
    })
  })
}

/** The cells of a table's row: calls per second, p50 and p99, and both processor times of a call. */
export function formatMeasure({ perSecond, p50Ms, p99Ms, serverMs, databaseMs }: Measure): string {
  const cells = [perSecond.toFixed(0), p50Ms.toFixed(1), p99Ms.toFixed(1), serverMs.toFixed(2), databaseMs.toFixed(2)]
  return cells.map((cell, at) => cell.padStart(WIDTHS[at]!)).join('')
}

const WIDTHS = [10, 10, 10, 11, 13]

/** The heads of the columns that `formatMeasure` fills. */
export const formatHeads = (calls: string): string =>
  [`${calls}/s`, 'p50 ms', 'p99 ms', 'server ms', 'database ms'].map((head, at) => head.padStart(WIDTHS[at]!)).join('')

export function reportFailures(measures: Measure[]): void {
  for (const { clients, failures, firstFailure } of measures) {
    if (failures > 0) console.log(`  ${failures} calls failed at ${clients} clients, the first with: ${firstFailure}`)
  }
}
