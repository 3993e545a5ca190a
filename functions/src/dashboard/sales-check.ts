// `npm run sales:check`: proves that the dashboards tell what the orders add up to; with `--rebuild` it makes them so.
import { type Database, openDatabase } from '../database/database.ts'
import { rebuildSales, SALE_BREACHES } from './sale-day.ts'

/** More than this says no more than its beginning. */
const SHOWN = 20

/** What differs, one line each; empty when all is right. */
export async function checkSales(db: Pick<Database, 'query'>): Promise<string[]> {
  const rows = await db.query<{ what: string }>({ text: `${SALE_BREACHES} LIMIT ${SHOWN}` })
  return rows.map(({ what }) => what)
}

if (import.meta.main) {
  const db = openDatabase(process.env.DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:54329/shop', { connections: 1 })
  try {
    if (process.argv.includes('--rebuild')) await db.transaction(rebuildSales)
    const differences = await checkSales(db)
    console.log(differences.length > 0 ? differences.join('\n') : 'Every day tells what its orders add up to.')
    process.exitCode = differences.length > 0 ? 1 : 0
  } finally {
    await db.close()
  }
}
