import { cpus } from 'node:os'
import { asApplication } from 'functions/src/database/migrate.ts'
import { findPgbouncer, type Pooler, startPooler } from '../pooler.ts'
import { formatHeads, formatMeasure, type Measure, measureLoad, reportFailures } from './load.ts'
import { getProcessMs } from './processor.ts'
import { guestOrder } from './shelf.ts'
import { type BenchSite, startServer } from './site.ts'

const PROCESSES = [1, 2, 4]
const CLIENTS = 16
const SECONDS = 4
const WARM_UP_SECONDS = 1

/** Guests' bank orders spread over several server processes, straight to PostgreSQL and through PgBouncer. */
export async function benchProcesses(site: BenchSite): Promise<void> {
  const direct = asApplication(site.databaseUrl)
  console.log(`\nGuest orders on several server processes, ${CLIENTS} clients, ${SECONDS} s each`)
  console.log(`processes  way      ${formatHeads('orders')}  pooler ms  busy of ${cpus().length} processors`)
  const measures: Measure[] = []
  const run = async (way: string, url: string, pooler?: Pooler) => {
    for (const processes of PROCESSES) {
      const measure = await measureProcesses(site, { url, processes, pooler })
      measures.push(measure)
      const cells = [measure.poolerMs.toFixed(2).padStart(11), measure.busy.toFixed(1).padStart(9)]
      console.log(`${String(processes).padStart(9)}  ${way.padEnd(9)}${formatMeasure(measure)}${cells.join('')}`)
    }
  }
  await run('direct', direct)
  if (findPgbouncer()) {
    const pooler = await startPooler(direct)
    await run('PgBouncer', pooler.url, pooler).finally(pooler.stop)
  } else console.log('  PgBouncer is not installed: nothing was measured behind it')
  reportFailures(measures)
}

async function measureProcesses(
  site: BenchSite,
  { url, processes, pooler }: { url: string; processes: number; pooler?: Pooler },
): Promise<Measure & { poolerMs: number; busy: number }> {
  const started = await Promise.allSettled(Array.from({ length: processes }, () => startServer(url, site.filesDir)))
  const servers = started.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []))
  try {
    const failed = started.find(each => each.status === 'rejected')
    if (failed) throw failed.reason
    const run = (seconds: number) =>
      measureLoad({ site, servers, clients: CLIENTS, seconds, makeCall: () => guestOrder(site.shelf) })
    await run(WARM_UP_SECONDS)
    const getPoolerMs = () => (pooler ? getProcessMs(pooler.pid) : 0)
    const before = { poolerMs: getPoolerMs(), busyMs: getBusyMs(), at: performance.now() }
    const measure = await run(SECONDS)
    const busy = (getBusyMs() - before.busyMs) / (performance.now() - before.at)
    return { ...measure, poolerMs: (getPoolerMs() - before.poolerMs) / measure.count, busy }
  } finally {
    await Promise.all(servers.map(server => server.stop()))
  }
}

/** Processor time that the whole machine has used. */
const getBusyMs = (): number =>
  cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0)
