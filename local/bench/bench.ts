// `npm run bench`: how fast the shop is on this machine, compared with what its database can do. It sets no limits.
// `npm run bench -- orders wallet` runs those sections.
import { cpus, loadavg } from 'node:os'
import { benchGrown } from './grown.ts'
import { benchOrders, benchPaths, benchWalletOrders } from './orders.ts'
import { benchPages } from './pages.ts'
import { benchPassage } from './passage.ts'
import { benchProcesses } from './processes.ts'
import { benchReads } from './reads.ts'
import { benchReseller } from './reseller.ts'
import { benchSearch } from './search.ts'
import { type BenchSite, startBenchSite } from './site.ts'
import { runSql } from './sql.ts'
import { benchStatement } from './statement.ts'
import { benchWire } from './wire.ts'

/** In the order of the runs. Orders come first, because autovacuum works at what other sections leave behind. */
const SECTIONS: Record<string, (site: BenchSite) => Promise<void>> = {
  orders: benchOrders,
  wallet: benchWalletOrders,
  paths: benchPaths,
  reseller: benchReseller,
  wire: benchWire,
  reads: benchReads,
  processes: benchProcesses,
  statement: benchStatement,
  search: benchSearch,
}

/** They take many rows, or a browser, and run when they are named. */
const BY_NAME: Record<string, (site: BenchSite) => Promise<void>> = {
  passage: benchPassage,
  grown: benchGrown,
  pages: benchPages,
}

const asked = process.argv.slice(2)
const unknown = asked.filter(name => !SECTIONS[name] && !BY_NAME[name])
if (unknown.length > 0)
  throw new Error(`There is no ${unknown.join(', ')}, but: ${Object.keys({ ...SECTIONS, ...BY_NAME }).join(', ')}`)

const began = performance.now()
const site = await startBenchSite()
let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop(130))

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
console.log('"server ms" and "database ms" are processor time for each call')
const failed: string[] = []
const chosen = asked.length > 0 ? { ...SECTIONS, ...BY_NAME } : SECTIONS
for (const [name, section] of Object.entries(chosen)) {
  if (isStopping || (asked.length > 0 && !asked.includes(name))) continue
  await section(site).catch((error: unknown) => {
    failed.push(name)
    if (!isStopping) console.error(`${name} broke off:`, error)
  })
}
console.log(`\nDone in ${((performance.now() - began) / 1000).toFixed(0)} s.`)
if (failed.length > 0) console.log(`Broke off: ${failed.join(', ')}`)
await stop(failed.length > 0 ? 1 : 0)

async function stop(exitCode: number): Promise<void> {
  if (isStopping) return
  isStopping = true
  await site.stop()
  process.exit(exitCode)
}
