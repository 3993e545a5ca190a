// `npm run bench:lists`: how long every list and dashboard takes with few orders and with very many.
// With DATABASE_URL of a server on this machine, the filled databases stay there and are used again.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../os-process.ts'
import { findFreePort } from '../ports.ts'
import { discardPostgres, startPostgres } from '../postgres.ts'
import { compareSizes, type SizedSite, startBeside } from './beside.ts'
import type { Sought } from './list-call.ts'
import { listCalls } from './list-calls.ts'
import { runSql } from './sql.ts'

const SIZES = [10_000, 1_000_000]
const CALLS = 200
const localDir = join(projectRoot, '.local', 'bench-lists')

/** Only calls whose name contains this are made. */
const part = process.argv[2] ?? ''

const given = process.env.DATABASE_URL
const undo: (() => Promise<void>)[] = []
try {
  const postgresUrl = given ?? (await startOwnPostgres())
  const callsOf = (sought: Sought) => listCalls(sought).filter(({ name }) => name.includes(part))
  const sites: SizedSite[] = []
  for (const count of SIZES) {
    const site = await startBeside(count, { postgresUrl, filesDir: join(localDir, 'files'), callsOf })
    undo.unshift(site.stop)
    sites.push(site)
  }
  await compareSizes(sites, CALLS)
  await tellUnusedIndexes(sites.at(-1)!.databaseUrl)
} finally {
  for (const stop of undo) await stop()
}

async function startOwnPostgres(): Promise<string> {
  const dataDir = join(localDir, 'postgres')
  mkdirSync(localDir, { recursive: true })
  await discardPostgres(dataDir)
  undo.push(() => discardPostgres(dataDir))
  return (await startPostgres({ port: await findFreePort(), dataDir })).url
}

/** Prints the indexes that none of the calls has read. Commands and constraints may still need them. */
async function tellUnusedIndexes(databaseUrl: string): Promise<void> {
  const rows = await runSql<{ name: string }>(
    databaseUrl,
    `SELECT indexrelname AS name FROM pg_stat_user_indexes WHERE idx_scan = 0 AND relname = 'orders' ORDER BY 1`,
  )
  console.log(`Indexes of orders that none of these calls read: ${rows.map(({ name }) => name).join(', ') || 'none'}`)
}
