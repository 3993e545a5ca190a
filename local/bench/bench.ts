// `npm run bench`: how fast the shop is on this machine, beside what its database can do at most. Measures, never judges.
import { cpus, loadavg } from 'node:os'
import { benchOrders } from './orders.ts'
import { benchReads } from './reads.ts'
import { type BenchSite, runSql, startBenchSite } from './site.ts'
import { benchStatement } from './statement.ts'
import { benchWalletOrders } from './wallet-orders.ts'

const sections: ((site: BenchSite) => Promise<void>)[] = [benchReads, benchOrders, benchWalletOrders, benchStatement]

const began = performance.now()
const site = await startBenchSite()
let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop(130))

try {
  const [{ version }] = (await runSql<{ version: string }>(
    site.databaseUrl,
    `SELECT current_setting('server_version') || ', fsync ' || current_setting('fsync') || ', synchronous_commit '
      || current_setting('synchronous_commit') AS version`,
  )) as [{ version: string }]
  const [processor] = cpus()
  console.log(
    `${cpus().length} × ${processor?.model ?? 'unknown processor'}, load ${loadavg()[0]?.toFixed(1)} before the start`,
  )
  console.log(`Node ${process.versions.node}, PostgreSQL ${version}; server, database and clients share this machine`)
  for (const section of sections) await section(site)
  console.log(`\nDone in ${((performance.now() - began) / 1000).toFixed(0)} s.`)
  await stop(0)
} catch (error) {
  console.error(error)
  await stop(1)
}

async function stop(exitCode: number): Promise<void> {
  if (isStopping) return
  isStopping = true
  await site.stop()
  process.exit(exitCode)
}
