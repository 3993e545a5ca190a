import type { Payee } from '@shop/shared/order/payee.ts'
import { isWhole } from '@shop/shared/order/payer.ts'
import type { Database } from '../database/database.ts'
import { hashPrefixOf, openAccountHash } from '../transfer/account-hash.ts'

/** Returns how many hashes of accounts each key made, by what they begin with. */
export async function countHashes(db: Pick<Database, 'query'>): Promise<Map<string, number>> {
  const rows = await db.query<{ prefix: string; n: number }>({
    text: `SELECT split_part(hash, '.', 1) || '.' AS prefix, count(*)::int AS n FROM (
        SELECT payee_hash AS hash FROM owed_refund WHERE payee_hash IS NOT NULL
        UNION ALL SELECT payee_hash FROM refund_request WHERE payee_hash IS NOT NULL
        UNION ALL SELECT payer_hash FROM statement_line WHERE payer_hash IS NOT NULL) h GROUP BY 1`,
  })
  return new Map(rows.map(({ prefix, n }) => [prefix, n]))
}

const BATCH = 500

/** One table's numbers whose hash an older key made. */
interface Old {
  id: string
  bankCode: string | null
  accountNo: string | null
}

const TABLES = [
  {
    find: `SELECT id, from_bank AS "bankCode", from_account AS "accountNo" FROM statement_line
      WHERE payer_hash IS NOT NULL AND NOT starts_with(payer_hash, $1) LIMIT ${BATCH}`,
    save: 'UPDATE statement_line SET payer_hash = $2 WHERE id = $1',
  },
  {
    find: `SELECT id, payee->>'bankCode' AS "bankCode", payee->>'accountNo' AS "accountNo" FROM owed_refund
      WHERE payee_hash IS NOT NULL AND NOT starts_with(payee_hash, $1) LIMIT ${BATCH}`,
    save: 'UPDATE owed_refund SET payee_hash = $2 WHERE id = $1',
  },
  {
    find: `SELECT order_id AS id, payee->>'bankCode' AS "bankCode", payee->>'accountNo' AS "accountNo" FROM refund_request
      WHERE payee_hash IS NOT NULL AND NOT starts_with(payee_hash, $1) LIMIT ${BATCH}`,
    save: 'UPDATE refund_request SET payee_hash = $2 WHERE order_id = $1',
  },
]

/** Hashes all accounts anew with the newest key, from the numbers that are kept beside them. */
export async function renewHashes(db: Database, config: { TOTP_KEY: readonly string[] }): Promise<number> {
  const [prefix, hash] = [hashPrefixOf(config.TOTP_KEY[0]!), openAccountHash(config)]
  const hashOf = ({ bankCode, accountNo }: Old): string | null =>
    isWhole(accountNo) ? hash({ bankCode, accountNo } satisfies Omit<Payee, 'accountName'>) : null
  let renewed = 0
  for (const { find, save } of TABLES)
    for (let left = BATCH; left === BATCH; ) {
      const rows = await db.query<Old>({ text: find, values: [prefix] })
      for (const row of rows) await db.query({ text: save, values: [row.id, hashOf(row)] })
      renewed += rows.length
      left = rows.length
    }
  return renewed
}
