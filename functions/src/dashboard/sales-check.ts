import type { Queries } from '../database/database.ts'
import { FEE_BREACHES } from './fees.ts'
import { SALE_BREACHES } from './sale-day.ts'

/** When there are more differences, only this many are shown. */
const SHOWN = 20

/** Returns one line for each difference; empty when all sums are right. */
export async function checkSales(db: Queries): Promise<string[]> {
  const rows = await db.query<{ what: string }>({ text: `${SALE_BREACHES} UNION ALL ${FEE_BREACHES} LIMIT ${SHOWN}` })
  return rows.map(({ what }) => what)
}
