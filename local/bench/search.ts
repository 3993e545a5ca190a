import { compareSizes, type SizedSite, startBeside } from './beside.ts'
import { searchCalls } from './search-calls.ts'
import type { BenchSite } from './site.ts'
import { runSql } from './sql.ts'

const SIZES = [10_000, 100_000, 1_000_000]
const CALLS = 80

/** Measures what people search by, with few orders and with very many. There is one top-up to ten orders. */
export async function benchSearch({ postgresUrl, databaseUrl, filesDir }: BenchSite): Promise<void> {
  console.log('\nSearches')
  // Otherwise autovacuum and checkpoints would work at the rows of other sections during the measurements.
  await runSql(databaseUrl, 'VACUUM (ANALYZE)')
  const sites: SizedSite[] = []
  try {
    for (const count of SIZES) sites.push(await startBeside(count, { postgresUrl, filesDir, callsOf: searchCalls }))
    await runSql(postgresUrl, 'CHECKPOINT')
    await compareSizes(sites, CALLS)
  } finally {
    await Promise.all(sites.map(site => site.stop()))
  }
}
