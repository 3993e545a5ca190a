import type { Payee } from '@shop/shared/order/payee.ts'
import { isWhole } from '@shop/shared/order/payer.ts'
import type { Database } from '../database/database.ts'
import { as, type Expr, orNull, pick, row, sql, under } from '../database/sql.ts'
import { refundRequest } from '../order/tables.ts'
import { hashPrefixOf, openAccountHash } from '../transfer/account-hash.ts'
import { owedRefund, statementLine } from './tables.ts'

/** Where names stand alone. */
const [line, refund, asked] = [under(statementLine), under(owedRefund), under(refundRequest)]

/** Returns how many hashes of accounts each key made, by what they begin with. */
export async function countHashes(db: Pick<Database, 'query'>): Promise<Map<string, number>> {
  const rows = await db.query({
    text: sql`SELECT ${row({ n: as.int('count(*)'), prefix: as.text(`split_part(hash, '.', 1) || '.'`) })} FROM (
        SELECT ${refund.payeeHash} AS hash FROM ${refund} WHERE ${refund.payeeHash} IS NOT NULL
        UNION ALL SELECT ${asked.payeeHash} FROM ${asked} WHERE ${asked.payeeHash} IS NOT NULL
        UNION ALL SELECT ${line.payerHash} FROM ${line} WHERE ${line.payerHash} IS NOT NULL) h GROUP BY prefix`,
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

/** The numbers of a payee that somebody named. */
const payee = (of: Expr<unknown>) => ({
  bankCode: orNull(as.text(`${of}->>'bankCode'`)),
  accountNo: orNull(as.text(`${of}->>'accountNo'`)),
})

const TABLES = [
  {
    find: sql`SELECT ${row<Old>({ ...pick(line, 'id'), bankCode: line.fromBank, accountNo: line.fromAccount })} FROM ${line}
      WHERE ${line.payerHash} IS NOT NULL AND NOT starts_with(${line.payerHash}, $1) LIMIT ${BATCH}`,
    save: sql`UPDATE ${line} SET ${line.payerHash} = $2 WHERE ${line.id} = $1`,
  },
  {
    find: sql`SELECT ${row<Old>({ ...pick(refund, 'id'), ...payee(refund.payee) })} FROM ${refund}
      WHERE ${refund.payeeHash} IS NOT NULL AND NOT starts_with(${refund.payeeHash}, $1) LIMIT ${BATCH}`,
    save: sql`UPDATE ${refund} SET ${refund.payeeHash} = $2 WHERE ${refund.id} = $1`,
  },
  {
    find: sql`SELECT ${row<Old>({ id: asked.orderId, ...payee(asked.payee) })} FROM ${asked}
      WHERE ${asked.payeeHash} IS NOT NULL AND NOT starts_with(${asked.payeeHash}, $1) LIMIT ${BATCH}`,
    save: sql`UPDATE ${asked} SET ${asked.payeeHash} = $2 WHERE ${asked.orderId} = $1`,
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
      const rows = await db.query({ text: find, values: [prefix] })
      for (const old of rows) await db.query({ text: save, values: [old.id, hashOf(old)] })
      renewed += rows.length
      left = rows.length
    }
  return renewed
}
