import type { Sql } from '../database/database.ts'
import { as, row, sql, under } from '../database/sql.ts'
import { voucher } from '../voucher/tables.ts'

const codes = under(voucher)

/**
 * Takes out of sale what was in stock at the moment of a backup: some of it was sold in the lost hours, and nobody knows
 * which. Staff put it back when they have asked who issued it. What is put back is not held again. Returns how many codes
 * are held now.
 */
export async function holdCodes(db: Sql, { lostFrom, now }: { lostFrom: Date; now: Date }): Promise<number> {
  await db.query({
    text: sql`UPDATE ${codes} SET ${codes.state} = 'withdrawn', ${codes.orderId} = NULL, ${codes.reservedAt} = NULL,
        ${codes.heldAt} = $2, ${codes.withdrawnAt} = $2,
        ${codes.withdrawnReason} = 'ไม่ทราบว่าขายไปแล้วหรือไม่ ก่อนกู้ข้อมูล'
      WHERE ${codes.state} IN ('free', 'reserved') AND ${codes.createdAt} <= $1
        AND (${codes.heldAt} IS NULL OR ${codes.heldAt} < $1)`,
    values: [lostFrom, now],
  })
  const [found] = await db.query({
    text: sql`SELECT ${row({ held: as.int('count(*)') })} FROM ${codes}
      WHERE ${codes.state} = 'withdrawn' AND ${codes.heldAt} >= $1`,
    values: [lostFrom],
  })
  return found!.held
}
