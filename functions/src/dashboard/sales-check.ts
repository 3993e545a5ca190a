import type { Queries } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { FEE_BREACHES } from './fees.ts'
import { SALE_BREACHES } from './sale-day.ts'

/** When there are more differences of one kind, only this many are shown: none may hide those of the other. */
const SHOWN = 20

/** Returns one line for each difference; empty when all sums are right. */
export async function checkSales(db: Queries): Promise<string[]> {
  const rows = await db.query({
    text: sql`(${SALE_BREACHES} LIMIT ${SHOWN}) UNION ALL (${FEE_BREACHES} LIMIT ${SHOWN})`,
  })
  return rows.map(({ what }) => what)
}
