// `npm run sales:check` checks that the dashboards' sums equal those of the orders; `--rebuild` corrects them.
import { type Database, openDatabase } from '../database/database.ts'
import { rebuildSales, SALE_BREACHES } from './sale-day.ts'

/** When there are more differences, only this many are shown. */
const SHOWN = 20

/** Returns one line for each difference; empty when all sums are right. */
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
