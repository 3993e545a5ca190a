import type { Payee } from '@shop/shared/order/payee.ts'
import type { Sql } from '../database/database.ts'

export const KBANK: Payee = { bankCode: '004', accountNo: '4051236789', accountName: 'ใจดี มีสุข' }

/** Two people agree to the account that is named already, for tests of other things. */
export const agreeNamed = ({ db }: { db: Pick<Sql, 'query'> }, refundId: string) =>
  db.query({
    text: `UPDATE owed_refund SET agreed_version = payee_version, agreed_by = 'admin', agreed_as = 'second' WHERE id = $1`,
    values: [refundId],
  })

/**
 * Names an account for money that is owed, to which two people have agreed, for tests of other things. Returns the version
 * of the payee.
 */
export async function agreePayee({ db }: { db: Pick<Sql, 'query'> }, refundId: string, payee = KBANK): Promise<number> {
  const [row] = await db.query<{ version: number }>({
    text: `UPDATE owed_refund SET payee = $2, payee_version = payee_version + 1, agreed_version = payee_version + 1,
        agreed_by = 'admin', agreed_as = 'second'
      WHERE id = $1 RETURNING payee_version AS version`,
    values: [refundId, payee],
  })
  return row!.version
}
