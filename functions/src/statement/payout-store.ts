import { invariant } from '@shop/shared/errors.ts'
import type { LineDetails } from '@shop/shared/statement/endpoints.ts'
import { gatewayIn } from '@shop/shared/wallet/ledger.ts'
import type { Sql } from '../database/database.ts'
import { findLedgerTransaction } from '../wallet/store.ts'

/** Returns the payout that a line was booked as. The books know it, so the line does not repeat it. */
export async function findPayout(db: Sql, lineId: string): Promise<LineDetails['payout']> {
  const booked = await findLedgerTransaction(db, { subjectId: lineId, kind: 'line_booked' })
  const postings = booked?.postings ?? []
  const gateway = postings.map(({ to }) => gatewayIn(to)).find(name => name !== null)
  invariant(gateway, 'a payout is booked on its gateway')
  const feeSatang = postings.reduce((sum, { from, amountSatang }) => sum + (from === 'fees' ? amountSatang : 0), 0)
  return { gateway, feeSatang }
}
