import type { Sql } from '../database/database.ts'

/**
 * Takes out of sale what was in stock at the moment of a backup: some of it was sold in the lost hours, and nobody knows
 * which. Staff put it back when they have asked who issued it. What is put back is not held again. Returns how many codes
 * are held now.
 */
export async function holdCodes(db: Sql, { lostFrom, now }: { lostFrom: Date; now: Date }): Promise<number> {
  await db.query({
    text: `UPDATE voucher SET state = 'withdrawn', order_id = NULL, reserved_at = NULL, held_at = $2, withdrawn_at = $2,
        withdrawn_reason = 'ไม่ทราบว่าขายไปแล้วหรือไม่ ก่อนกู้ข้อมูล'
      WHERE state IN ('free', 'reserved') AND created_at <= $1 AND (held_at IS NULL OR held_at < $1)`,
    values: [lostFrom, now],
  })
  const [row] = await db.query<{ held: number }>({
    text: `SELECT count(*)::int AS held FROM voucher WHERE state = 'withdrawn' AND held_at >= $1`,
    values: [lostFrom],
  })
  return row!.held
}
